//! A text that was put together of pieces, and the token that each piece came from.
//!
//! The engine reads texts and reports offsets; this leads them back to the user's tokens.

use intentgate_engine::span::Span as Range;
use proc_macro2::Span;

/// A text with the tokens it came from.
#[derive(Clone, Default)]
pub(crate) struct SourceMap {
    text: String,
    /// Where each piece starts, ascending, and its token.
    pieces: Vec<(usize, Span)>,
}

impl SourceMap {
    /// Adds a piece.
    pub(crate) fn push(&mut self, text: &str, span: Span) {
        if !text.is_empty() {
            self.pieces.push((self.text.len(), span));
            self.text.push_str(text);
        }
    }

    /// Adds white space, which belongs to the piece before it.
    pub(crate) fn space(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The pieces with their tokens.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (&str, Span)> {
        let ends = self.pieces.iter().skip(1).map(|(start, _)| *start).chain([self.text.len()]);
        self.pieces
            .iter()
            .zip(ends)
            .map(|((start, span), end)| (self.text.get(*start..end).unwrap_or(""), *span))
    }

    /// The first and the last token of a range; of the whole text if the range is of nothing.
    pub(crate) fn tokens(&self, range: Range) -> (Span, Span) {
        if range == Range::default() {
            return self.whole();
        }
        let last = self.pieces.partition_point(|(start, _)| *start < range.end().max(range.start() + 1));
        let first = self.pieces.partition_point(|(start, _)| *start <= range.start());
        let span = |count: usize| self.pieces.get(count.saturating_sub(1)).map(|(_, span)| *span);
        match (span(first), span(last)) {
            (Some(first), Some(last)) => (first, last),
            _ => self.whole(),
        }
    }

    fn whole(&self) -> (Span, Span) {
        let span = |piece: Option<&(usize, Span)>| piece.map_or_else(Span::call_site, |(_, span)| *span);
        (span(self.pieces.first()), span(self.pieces.last()))
    }
}
