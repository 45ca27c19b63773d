//! S-expressions with places, as PDDL writes them: parentheses, words, comments.
//!
//! Knows nothing of what they mean, but for one kind of comment, `; name = "text"`, which says what a word stands
//! for.

use intentgate_engine::diagnostic::{Code, Diagnostic};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::Span;

/// A word or a list.
#[derive(Debug, Clone)]
pub(super) struct Sexpr {
    pub(super) span: Span,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    Word(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    /// The word in lower case: PDDL tells names apart without case.
    pub(super) fn word(&self) -> Option<String> {
        match &self.kind {
            Kind::Word(word) => Some(word.to_ascii_lowercase()),
            Kind::List(_) => None,
        }
    }

    /// The word as it is written.
    pub(super) fn written(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            Kind::List(_) => None,
        }
    }

    pub(super) fn list(&self) -> &[Sexpr] {
        match &self.kind {
            Kind::Word(_) => &[],
            Kind::List(list) => list,
        }
    }

    /// The first word of a list, and the rest of it.
    pub(super) fn form(&self) -> Option<(String, &[Sexpr])> {
        let (first, rest) = self.list().split_first()?;
        Some((first.word()?, rest))
    }
}

/// What a text holds.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) forms: Vec<Sexpr>,
    /// Words, and what comments say they stand for.
    pub(super) names: Vec<(String, String)>,
}

/// Reads a text. Takes time in proportion to it; nesting is bounded.
pub(super) fn read(text: &str, limits: &Limits) -> Result<Read, Diagnostic> {
    let most = limits.nesting.min(128);
    let mut read = Read::default();
    let mut open: Vec<(usize, Vec<Sexpr>)> = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or("");
        match c {
            ';' => {
                let line = rest.lines().next().unwrap_or("");
                read.names.extend(name(line));
                at += line.len().max(1);
            }
            '(' if open.len() >= most => {
                let message = format!("nested deeper than {most} levels");
                return Err(Diagnostic::new(Code::NestedTooDeep, Span::new(at, at + 1), message));
            }
            '(' => {
                open.push((at, Vec::new()));
                at += 1;
            }
            ')' => {
                at += 1;
                let Some((start, list)) = open.pop() else {
                    let message = "a closing parenthesis without an opening one";
                    return Err(Diagnostic::new(Code::UnreadablePddl, Span::new(at - 1, at), message));
                };
                let made = Sexpr { span: Span::new(start, at), kind: Kind::List(list) };
                open.last_mut().map_or(&mut read.forms, |(_, list)| list).push(made);
            }
            c if c.is_whitespace() => at += c.len_utf8(),
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';'));
                let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
                let span = Span::new(at, at + word.len());
                at += word.len().max(1);
                let made = Sexpr { span, kind: Kind::Word(word.to_owned()) };
                open.last_mut().map_or(&mut read.forms, |(_, list)| list).push(made);
            }
        }
    }
    match open.last() {
        Some((start, _)) => {
            let message = "this parenthesis is never closed";
            let diagnostic = Diagnostic::new(Code::UnreadablePddl, Span::new(*start, start + 1), message);
            Err(diagnostic.help("the file may be cut"))
        }
        None => Ok(read),
    }
}

/// `; name = "text"`.
fn name(comment: &str) -> Option<(String, String)> {
    let (name, text) = comment.trim_start_matches(';').split_once(" = ")?;
    let name = name.trim();
    let text: String = serde_json::from_str(text.trim()).ok()?;
    (!name.is_empty() && !name.contains(char::is_whitespace)).then(|| (name.to_ascii_lowercase(), text))
}
