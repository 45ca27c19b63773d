//! Where to go on after an error, and where the comments are.
//!
//! Knows just enough of the language not to be misled by texts and comments.

use crate::span::Span;
use crate::value::{is_name_continue, is_name_start};

/// What a walk over a text meets.
enum Piece {
    /// A text or a comment, from and up to.
    Comment(usize, usize),
    /// An arrow, and where it ends.
    Arrow(usize),
    /// The first byte of a line.
    Line(usize),
}

/// The offset at which the next rule begins, for a rule that began at `start` and failed at `from`:
/// behind the arrow and head that end the failed one, or at a line that starts a rule.
pub(super) fn next_rule(text: &str, start: usize, from: usize) -> usize {
    // An arrow before the slip means that the slip is in the head: only a new line helps.
    let in_head =
        walk(text, start).take_while(|piece| piece.at() < from).any(|p| matches!(p, Piece::Arrow(_)));
    for piece in walk(text, from) {
        match piece {
            Piece::Arrow(end) if !in_head => {
                let rest = text.get(end..).unwrap_or("");
                let space = rest.len() - rest.trim_start().len();
                let head = rest.get(space..).unwrap_or("");
                let length = head.find(|c: char| !is_name_continue(c)).unwrap_or(head.len());
                return end + space + length;
            }
            Piece::Line(at) if at > start && starts_rule(text.get(at..).unwrap_or("")) => return at,
            _ => {}
        }
    }
    text.len()
}

/// Every comment.
pub(super) fn comments(text: &str) -> Vec<Span> {
    if !text.contains('#') {
        return Vec::new();
    }
    walk(text, 0)
        .filter_map(|piece| match piece {
            Piece::Comment(start, end) => Some(Span::new(start, end)),
            _ => None,
        })
        .collect()
}

/// Whether a line starts a rule: a label, or a name in the first column that doesn't go on with the
/// rule before.
fn starts_rule(line: &str) -> bool {
    let indented = line.trim_start_matches([' ', '\t']);
    let name = indented.split(|c: char| !is_name_continue(c)).next().unwrap_or("");
    if !indented.starts_with(is_name_start) || matches!(name, "and" | "not" | "in" | "contains") {
        return false;
    }
    let after = indented.get(name.len()..).unwrap_or("").trim_start_matches([' ', '\t']);
    after.starts_with(':') || indented.len() == line.len()
}

impl Piece {
    fn at(&self) -> usize {
        match *self {
            Piece::Comment(at, _) | Piece::Arrow(at) | Piece::Line(at) => at,
        }
    }
}

/// The pieces of a text from an offset on, texts skipped.
fn walk(text: &str, from: usize) -> impl Iterator<Item = Piece> {
    let mut at = from;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let c = rest.chars().next()?;
            let start = at;
            at += c.len_utf8();
            match c {
                '\n' => return Some(Piece::Line(at)),
                '→' => return Some(Piece::Arrow(at)),
                '-' if rest.starts_with("->") => {
                    at += 1;
                    return Some(Piece::Arrow(at));
                }
                '#' => {
                    let comment = rest.split('\n').next().unwrap_or("").trim_end_matches('\r');
                    at = start + comment.len();
                    return Some(Piece::Comment(start, at));
                }
                '"' => {
                    let mut escaped = false;
                    for c in rest.chars().skip(1) {
                        if c == '\n' {
                            break;
                        }
                        at += c.len_utf8();
                        if c == '"' && !escaped {
                            break;
                        }
                        escaped = c == '\\' && !escaped;
                    }
                }
                _ => {}
            }
        }
    })
}
