//! Where something stands in a text: [`Span`] and [`Source`].
//!
//! Knows bytes, lines and columns. Must never know what the text means.

use std::sync::Arc;

/// A half-open range of bytes in one [`Source`]. Always present and cheap to copy; what was made
/// without a text (by a builder, say) has the empty span at zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The range from `start` up to, and without, `end`. Ends before the start are moved to it, and
    /// offsets beyond 4 GiB are cut: no reader of this crate accepts a text that long.
    pub fn new(start: usize, end: usize) -> Span {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        Span { start, end: end.max(start) }
    }

    /// An empty span at `offset`.
    pub fn at(offset: usize) -> Span {
        Span::new(offset, offset)
    }

    /// First byte.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// One past the last byte.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The same range, `offset` bytes later: for a text that was cut out of a longer one.
    pub fn shifted(self, offset: usize) -> Span {
        Span::new(self.start().saturating_add(offset), self.end().saturating_add(offset))
    }
}

/// A named text, shared and immutable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    first_line: u32,
}

impl Source {
    /// A text under the name that messages show, usually the file's path.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into(), first_line: 1 }
    }

    /// The same text as a part of a longer one, in which it starts at `line`, from 1.
    #[must_use]
    pub fn at_line(self, line: usize) -> Source {
        Source { first_line: u32::try_from(line).unwrap_or(u32::MAX), ..self }
    }

    /// The line on which the text starts, from 1.
    pub fn first_line(&self) -> usize {
        self.first_line as usize
    }

    /// The name that messages show.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The part of the text that `span` covers; empty where the span does not fit the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start()..span.end()).unwrap_or("")
    }

    /// Line and column of a byte offset. Costs the length of the text before it.
    pub fn position(&self, offset: usize) -> Position {
        let mut end = offset.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = self.text.get(..end).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before.get(line_start..).unwrap_or("").chars().filter(|c| *c != '\u{feff}').count() + 1;
        let lines = before.bytes().filter(|byte| *byte == b'\n').count();
        Position { line: lines + self.first_line(), column }
    }
}

/// A place as people count: both start at 1, columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_survive_any_offset() {
        let source = Source::new("t", "aé\nßb");
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(3), Position { line: 1, column: 3 });
        assert_eq!(source.position(4), Position { line: 2, column: 1 });
        assert_eq!(source.position(5), Position { line: 2, column: 1 });
        assert_eq!(source.position(99), Position { line: 2, column: 3 });
        assert_eq!(source.slice(Span::new(2, 3)), "");
    }
}
