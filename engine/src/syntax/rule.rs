//! Rules, bodies, predicates.

use super::ast;
use super::lexical::{Read, Slip, keyword, name, space, token};
use crate::diagnostic::{Code, Diagnostic};
use crate::json::de::Spanned;
use crate::limits::Limits;
use crate::span::Span;
use crate::text::normal;
use crate::value::is_name_continue;
use nom::branch::alt;
use nom::{Err, Parser};

/// The grammar over one text.
pub(super) struct Grammar<'t> {
    text: &'t str,
    pub(super) limits: &'t Limits,
}

impl<'t> Grammar<'t> {
    pub(super) fn new(text: &'t str, limits: &'t Limits) -> Grammar<'t> {
        Grammar { text, limits }
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or("")
    }

    /// The span from where `from` begins to where `to` begins.
    pub(super) fn span(&self, from: &str, to: &str) -> Span {
        Span::new(self.text.len() - from.len(), self.text.len() - to.len())
    }

    /// The offset of the first byte that is neither space nor comment.
    pub(super) fn skip_space(&self, at: usize) -> usize {
        let rest = self.rest(at);
        let left = space(rest).map_or(rest.len(), |(left, ())| left.len());
        self.text.len() - left
    }

    /// `standing` alone on its line.
    pub(super) fn standing(&self, at: usize) -> Option<(Span, usize)> {
        let after = self.rest(at).strip_prefix("standing")?;
        let line = after.split('\n').next().unwrap_or("").trim_start();
        let alone = !after.starts_with(is_name_continue) && (line.is_empty() || line.starts_with('#'));
        alone.then(|| (Span::new(at, at + "standing".len()), at + "standing".len()))
    }

    /// The rule at an offset, and where it ends.
    pub(super) fn rule_at(&self, at: usize) -> Result<(Spanned<ast::Rule>, usize), Diagnostic> {
        match self.rule(self.rest(at)) {
            Ok((left, rule)) => Ok((rule, self.text.len() - left.len())),
            Err(Err::Error(slip) | Err::Failure(slip)) => Err(slip.diagnostic(self.text)),
            Err(Err::Incomplete(_)) => Err(Diagnostic::new(Code::Syntax, Span::at(at), "the rule is cut")),
        }
    }

    fn rule<'a>(&self, input: &'a str) -> Read<'a, Spanned<ast::Rule>> {
        let (body_input, label) = self.label(input)?;
        let (arrow_input, body) = self.body(body_input)?;
        let (head_input, _) = arrow(arrow_input)?;
        let (after, head) = expected(self.outer_name(head_input), || Slip {
            code: Code::MissingHead,
            ..Slip::expected(head_input, "an objective, `Done` or `Never`")
        })?;
        let (next, ()) = space(after)?;
        if next.starts_with(':') {
            // What stands there is the label of the next rule.
            return Slip {
                code: Code::MissingHead,
                ..Slip::expected(head_input, "an objective, `Done` or `Never`")
            }
            .help("a rule ends with `->` and what it concludes: `-> Done`")
            .fail();
        }
        if next.starts_with('(') && !next.starts_with("(*") {
            return Slip::new(
                next,
                1,
                Code::Syntax,
                format!("the head `{}` takes no constraints", head.value),
            )
            .help("constraints stand before the arrow")
            .fail();
        }
        if alt((and, arrow)).parse(next).is_ok() || next.starts_with(',') {
            return Slip::expected(next, "the next rule")
                .help("a rule has one head; write a rule for each")
                .fail();
        }
        let span = self.span(input, after);
        Ok((after, Spanned::new(ast::Rule { label, body, head }, span)))
    }

    fn label<'a>(&self, input: &'a str) -> Read<'a, Option<ast::Name>> {
        if let Ok((after, label)) = self.outer_name(input)
            && let Ok((after, ())) = space(after)
            && let Some(after) = after.strip_prefix(':')
        {
            let (after, ()) = space(after)?;
            return Ok((after, Some(label)));
        }
        Ok((input, None))
    }

    fn body<'a>(&self, input: &'a str) -> Read<'a, Vec<Spanned<ast::Predicate>>> {
        if arrow(input).is_ok() {
            return Slip::new(input, 1, Code::EmptyBody, "this rule has no body")
                .help(
                    "a rule needs at least one predicate before the arrow: without one it would always hold",
                )
                .fail();
        }
        let mut body = Vec::new();
        let mut at = input;
        loop {
            if body.len() == self.limits.predicates.min(65_000) {
                let message = format!("more than {} predicates in one rule", body.len());
                return Slip::new(at, 1, Code::TooManyPredicates, message).fail();
            }
            let (after, predicate) = self.predicate(at)?;
            body.push(predicate);
            match and(after) {
                Ok((next, _)) => at = next,
                Err(_) => return self.body_end(after, body),
            }
        }
    }

    /// After a predicate that no `and` follows there must be an arrow.
    fn body_end<'a>(
        &self,
        input: &'a str,
        body: Vec<Spanned<ast::Predicate>>,
    ) -> Read<'a, Vec<Spanned<ast::Predicate>>> {
        if arrow(input).is_ok() {
            return Ok((input, body));
        }
        let starts_rule = self.label(input).is_ok_and(|(_, label)| label.is_some());
        if input.is_empty() || starts_rule {
            let last = body.last().map_or_else(Default::default, |predicate| predicate.span);
            let from = self.text.get(last.start()..).unwrap_or("");
            let message = "this rule has no head: expected `and` or `->` behind this";
            return Slip::new(from, last.end() - last.start(), Code::MissingHead, message)
                .help("a rule ends with `->` and what it concludes: `-> Done`")
                .fail();
        }
        let slip = Slip::expected(input, "`and` or `->`");
        let alternatives = ["or", "||", "|", "∨"];
        if alternatives.iter().any(|or| input.starts_with(or)) {
            return slip
                .help("alternatives are rules with the same head: write the rule once for each")
                .fail();
        }
        if ["AND", "And", "&&"].iter().any(|and| input.starts_with(and)) {
            return slip.help("the word is `and`, in small letters").fail();
        }
        if ["-->", "- >", "=>", "<-", ":-", "==>"].iter().any(|arrow| input.starts_with(arrow)) {
            return slip.help("the arrow is `->`, from the body to what it concludes").fail();
        }
        if input.starts_with([',', ';']) {
            return slip.help("predicates are joined by `and`").fail();
        }
        if input.starts_with('=') {
            return slip.help("the arrow is `->`; comparisons stand in parentheses after a state").fail();
        }
        slip.fail()
    }

    fn predicate<'a>(&self, input: &'a str) -> Read<'a, Spanned<ast::Predicate>> {
        if input.starts_with('(') {
            return Slip::new(
                input,
                1,
                Code::Parentheses,
                "parentheses around predicates are not part of the language",
            )
            .help("leave them out; alternatives are rules with the same head")
            .fail();
        }
        if alt((keyword("not"), token("!"), token("¬"))).parse(input).is_ok() {
            return Slip::expected(input, "a predicate")
                .help("there is no negation of predicates; use an operator like `!=`, or a rule for `Never`")
                .fail();
        }
        let (after, name) = expected(self.outer_name(input), || {
            let slip = Slip::expected(input, "a state or an objective");
            let comment = ["//", "/*", "--", "%"].iter().any(|comment| input.starts_with(comment));
            if comment { slip.help("comments start with `#`") } else { slip }
        })?;
        let (rest, ()) = space(after)?;
        if !rest.starts_with('(') {
            let span = self.span(input, after);
            return Ok((rest, Spanned::new(ast::Predicate::Objective(name), span)));
        }
        let (after, constraints) = self.constraints(rest)?;
        let span = self.span(input, after);
        let (rest, ()) = space(after)?;
        let predicate = ast::Predicate::State(ast::StatePredicate { name, constraints });
        Ok((rest, Spanned::new(predicate, span)))
    }

    /// A name that stands outside of parentheses, where `and` and `not` are words of the language.
    fn outer_name<'a>(&self, input: &'a str) -> Read<'a, ast::Name> {
        let (rest, name) = self.name(input)?;
        if matches!(name.value.as_str(), "and" | "not") {
            return Err(Err::Error(Slip::expected(input, "a name")));
        }
        Ok((rest, name))
    }

    /// A name with its place; the space after it is left.
    pub(super) fn name<'a>(&self, input: &'a str) -> Read<'a, ast::Name> {
        let (rest, text) = name(input)?;
        if text.len() > self.limits.text {
            let message = format!("a name of {} bytes; the limit is {}", text.len(), self.limits.text);
            return Slip::new(input, text.len(), Code::TextTooLong, message).fail();
        }
        Ok((rest, Spanned::new(normal::nfc(text).into_owned(), self.span(input, rest))))
    }
}

/// What was read, or the error that says what was expected; failures stay as they are.
pub(super) fn expected<'a, T>(read: Read<'a, T>, otherwise: impl FnOnce() -> Slip) -> Read<'a, T> {
    match read {
        Err(Err::Error(_)) => otherwise().fail(),
        other => other,
    }
}

fn and(input: &str) -> Read<'_, &str> {
    alt((keyword("and"), token("∧"), token("&&"), token("&"))).parse(input)
}

fn arrow(input: &str) -> Read<'_, &str> {
    alt((token("->"), token("→"))).parse(input)
}
