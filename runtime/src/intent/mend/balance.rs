//! Parentheses, brackets and quotes without their other half, where there is one place for it.

use super::tokens::{Kind, Token, telling, tokens};
use super::{Edit, Slip};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::Source;
use intentgate_engine::syntax;

/// How many places for the other half of a text are tried.
const MOST_PLACES: usize = 12;

/// Parentheses and brackets: what is open where a rule goes on is closed, what closes nothing is taken out, and so are
/// parentheses around whole predicates.
pub(super) fn parentheses(text: &str) -> Vec<Edit> {
    let mut walk = Walk { tokens: telling(text), text, open: Vec::new(), edits: Vec::new() };
    for at in 0..walk.tokens.len() {
        walk.step(at);
    }
    walk.edits
}

/// What is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Predicate,
    /// Around predicates, at a byte.
    Group(usize),
    List,
}

struct Walk<'t> {
    tokens: Vec<Token<'t>>,
    text: &'t str,
    open: Vec<Open>,
    edits: Vec<Edit>,
}

impl<'t> Walk<'t> {
    fn token(&self, at: usize) -> Option<Token<'t>> {
        self.tokens.get(at).copied()
    }

    /// Whether the tokens from one on are these.
    fn are(&self, at: usize, texts: &[&str]) -> bool {
        texts.iter().enumerate().all(|(more, text)| self.token(at + more).is_some_and(|token| token.is(text)))
    }

    fn arrow(&self, at: usize) -> bool {
        self.are(at, &["-", ">"]) || self.are(at, &["→"])
    }

    fn step(&mut self, at: usize) {
        let Some(token) = self.token(at) else { return };
        let before = at.checked_sub(1).and_then(|before| self.token(before));
        match token.text {
            _ if token.kind == Kind::Text => {}
            "(" if before.is_some_and(|before| before.is_name()) => {
                if self.is_head(at) && self.are(at + 1, &[")"]) {
                    // `-> Done()`
                    self.take_out(token.start, token.end());
                    self.open.push(Open::Group(usize::MAX));
                } else {
                    self.open.push(Open::Predicate);
                }
            }
            "(" => self.open.push(Open::Group(token.start)),
            "[" => self.open.push(Open::List),
            "]" => match self.open.last() {
                Some(Open::List) => drop(self.open.pop()),
                _ => self.take_out(token.start, token.end()),
            },
            ")" => self.close(token),
            // `in [a, b, other < 3`: lists hold no operators.
            "," if self.open.last() == Some(&Open::List) && self.constrains(at + 1) => {
                if let Some(before) = before {
                    self.put_in(before.end(), "]");
                }
                self.open.pop();
            }
            "and" if self.goes_on(at) => self.close_all(before),
            _ if self.arrow(at) => self.close_all(before),
            _ => {}
        }
    }

    /// Whether a variable and an operator follow.
    fn constrains(&self, at: usize) -> bool {
        let sign = |token: Token<'t>| token.kind == Kind::Sign && "=~<>!≤≥≠≃".contains(token.text);
        self.token(at).is_some_and(|token| token.is_name()) && self.token(at + 1).is_some_and(sign)
    }

    /// Whether what is before the parenthesis is a head.
    fn is_head(&self, at: usize) -> bool {
        at >= 2 && (self.are(at - 2, &[">"]) || self.are(at - 2, &["→"]))
    }

    fn close(&mut self, token: Token<'t>) {
        if self.open.last() == Some(&Open::List) {
            // `in [a, b)`
            self.put_in(token.start, "]");
            self.open.pop();
        }
        match self.open.pop() {
            Some(Open::Group(start)) => {
                if start != usize::MAX {
                    self.take_out(start, start + 1);
                }
                self.take_out(token.start, token.end());
            }
            None => self.take_out(token.start, token.end()),
            Some(Open::Predicate | Open::List) => {}
        }
    }

    /// Whether a predicate follows an `and`: a name with a parenthesis, or one that an arrow or another `and` ends.
    fn goes_on(&self, at: usize) -> bool {
        let inside = self.open.iter().any(|open| !matches!(open, Open::Group(_)));
        let name = self.token(at + 1).is_some_and(|token| token.is_name());
        let after = at + 2;
        inside && name && (self.are(after, &["("]) || self.are(after, &["and"]) || self.arrow(after))
    }

    fn close_all(&mut self, before: Option<Token<'t>>) {
        let Some(before) = before else { return };
        while let Some(open) = self.open.last().copied() {
            match open {
                Open::Predicate => self.put_in(before.end(), ")"),
                Open::List => self.put_in(before.end(), "]"),
                // It may close further on; what is left open at the end of the rule is taken out.
                Open::Group(_) => return,
            }
            self.open.pop();
        }
    }

    fn put_in(&mut self, at: usize, what: &str) {
        self.edits.push(Edit::new(at, at, what, Slip::Parenthesis));
    }

    fn take_out(&mut self, start: usize, end: usize) {
        if self.text.get(start..end).is_some() {
            self.edits.push(Edit::new(start, end, "", Slip::Parenthesis));
        }
    }
}

/// Quotes: the other half of a text is put where the rest can be read, if there is one such place and what becomes the
/// text holds nothing of a rule.
pub(super) fn texts(text: &str) -> Vec<Edit> {
    let places = places(text);
    if places.len() > MOST_PLACES {
        return Vec::new();
    }
    let mut mends = places.into_iter().filter(|place| {
        let mut whole = text.to_owned();
        whole.insert(*place, '"');
        improves(text, &whole)
    });
    match (mends.next(), mends.next()) {
        (Some(place), None) => vec![Edit::new(place, place, "\"", Slip::TextEnd)],
        _ => Vec::new(),
    }
}

/// Where the other half of the first text without one may belong.
fn places(text: &str) -> Vec<usize> {
    let tokens = tokens(text);
    let Some(open) = tokens.iter().find(|token| token.is("\"")) else { return Vec::new() };
    let rest = text.get(open.end()..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    // What becomes the text has no sign of a rule, and is not empty.
    let sign = line.find(['(', ')', '=', '<', '>', '~', '"', '[', ']']).unwrap_or(line.len());
    let first = line.len() - line.trim_start().len();
    let mut places: Vec<usize> = line
        .char_indices()
        .take_while(|(at, _)| *at <= sign)
        .filter(|(at, c)| matches!(c, ',' | ')' | ']') && *at > first)
        .map(|(at, _)| open.end() + at)
        .take(MOST_PLACES + 1)
        .collect();
    // `name = R")`: the quote is the closing one.
    places.extend(before(&tokens, open).filter(|_| line.trim_start().starts_with([',', ')', ']'])));
    places
}

/// Where the words begin that stand between an operator and a quote.
fn before(tokens: &[Token<'_>], quote: &Token<'_>) -> Option<usize> {
    let words = tokens.iter().rev().skip_while(|token| token.start >= quote.start);
    words
        .take_while(|token| matches!(token.kind, Kind::Word | Kind::Space))
        .filter(|token| token.is_word())
        .last()
        .map(|token| token.start)
}

/// Whether a text can be read further than before: up to a later slip, or to the end.
fn improves(text: &str, whole: &str) -> bool {
    let slips = |text: &str| syntax::parse(&Source::new("draft", text), &Limits::default()).problems;
    let (before, after) = (slips(text), slips(whole));
    let errors = |problems: &intentgate_engine::diagnostic::Problems| {
        problems.items().iter().filter(|item| item.code().as_str().starts_with('E')).count()
    };
    errors(&after) < errors(&before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_places_are_tried_however_long_a_line_is() {
        for (text, expected) in [
            ("A(b = \"x, c = 1) -> Done", 1),
            ("A(b = x\", c = 1) -> Done", 1),
            ("A(b = \"x y) -> Done", 1),
            ("A(b = \"x\") -> Done", 0),
        ] {
            assert_eq!(places(text).len(), expected, "{text}");
        }
        let long = format!("A(b = \"{}", "a,".repeat(5_000));
        assert_eq!(places(&long).len(), MOST_PLACES + 1);
        assert_eq!(texts(&long), []);
    }
}
