//! Text to [`ast`] and back: the language of specifications.
//!
//! Knows spans, diagnostics and values. Must never know a vocabulary: names stay as they are
//! written. The only user of `nom`. Every function is iterative or bounded by the grammar, which has
//! no nesting deeper than a list in a predicate; the JSON form is bounded by its reader.

pub mod ast;
mod constraint;
pub mod format;
pub mod json;
mod lexical;
pub mod literal;
mod print;
mod recover;
mod rule;

use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::json::too_large;
use crate::limits::Limits;
use crate::span::{Source, Span};
use crate::text::lookalike;
pub use print::Spelling;

/// What a text was read as.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The rules that could be read.
    pub specification: ast::Specification,
    /// The comments, from `#` to the end of the line.
    pub comments: Vec<Span>,
    /// What could not be read, and warnings.
    pub problems: Problems,
}

/// Reads a specification or a policy. After an error it goes on at the next rule, so that one slip
/// does not hide another. Takes time in proportion to the text.
pub fn parse(source: &Source, limits: &Limits) -> Parsed {
    let mut problems = Problems::new(source.clone());
    let mut specification = ast::Specification::default();
    let text = source.text();
    if text.len() > limits.bytes {
        problems.push(too_large(text.len(), limits.bytes));
        return Parsed { specification, comments: Vec::new(), problems };
    }
    let grammar = rule::Grammar::new(text, limits);
    let mut at = grammar.skip_space(0);
    if let Some((span, end)) = grammar.standing(at) {
        specification.standing = crate::json::de::Spanned::new(true, span);
        at = grammar.skip_space(end);
    }
    while at < text.len() {
        if specification.rules.len() == limits.rules {
            let message = format!("more than {} rules", limits.rules);
            problems.push(Diagnostic::new(Code::TooManyRules, Span::at(at), message));
            break;
        }
        match grammar.rule_at(at) {
            Ok((rule, end)) => {
                specification.rules.push(rule);
                at = grammar.skip_space(end);
            }
            Err(slip) => {
                let from = slip.primary.span.start().max(at);
                problems.push(slip);
                let next = recover::next_rule(text, at, from);
                at = grammar.skip_space(next.max(at + 1));
            }
        }
    }
    let comments = recover::comments(text);
    for comment in &comments {
        let diagnostic = hidden(source.slice(*comment), *comment, "this comment");
        diagnostic.into_iter().for_each(|diagnostic| problems.push(diagnostic));
    }
    for constraint in specification.constraints() {
        if let ast::Operand::Text(_) = &constraint.value.operand.value {
            // As it is written: an escape shows what it is.
            let span = constraint.value.operand.span;
            if let Some(diagnostic) = hidden(source.slice(span), span, "this text") {
                problems.push(diagnostic.help("write them as escapes, like \\u{200b}, if they are meant"));
            }
        }
    }
    problems.sort();
    Parsed { specification, comments, problems }
}

fn hidden(text: &str, span: Span, what: &str) -> Option<Diagnostic> {
    // The byte test is for speed: every hidden character but DEL and C0 is beyond ASCII.
    if text.is_ascii() && !text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return None;
    }
    let told = lookalike::hidden_characters(text);
    let message = format!("{what} holds characters that can't be seen");
    (!told.is_empty()).then(|| Diagnostic::new(Code::HiddenCharacters, span, message).label(told.join(", ")))
}
