//! The canonical text with comments kept.

use super::{Parsed, Spelling};
use crate::span::{Source, Span};

/// The canonical text of a source that was read without errors: a rule a line, comments above the
/// rule they stand before or in, those behind a rule on its line, one empty line where there were
/// some. Formatting twice changes nothing.
pub fn format(source: &Source, parsed: &Parsed, spelling: Spelling) -> String {
    let mut writer = Writer { source, out: String::new(), last_end: None };
    let mut comments = parsed.comments.iter().copied().peekable();
    let standing = &parsed.specification.standing;
    if standing.value {
        while let Some(comment) = comments.next_if(|comment| comment.start() < standing.span.start()) {
            writer.line(comment, source.slice(comment));
        }
        writer.line(standing.span, "standing");
        trailing(&mut writer, &mut comments, standing.span);
    }
    for rule in &parsed.specification.rules {
        // Comments inside a rule go above it, so that it stays on one line.
        let mut inner = Vec::new();
        while let Some(comment) = comments.next_if(|comment| comment.start() < rule.span.end()) {
            if comment.start() < rule.span.start() {
                writer.line(comment, source.slice(comment));
            } else {
                inner.push(comment);
            }
        }
        for comment in inner {
            writer.line(Span::new(rule.span.start(), rule.span.start()), source.slice(comment));
        }
        writer.line(rule.span, &rule.value.print(spelling));
        trailing(&mut writer, &mut comments, rule.span);
    }
    for comment in comments {
        writer.line(comment, source.slice(comment));
    }
    writer.out
}

/// Comments on the line on which `span` ends.
fn trailing(
    writer: &mut Writer<'_>,
    comments: &mut std::iter::Peekable<impl Iterator<Item = Span>>,
    span: Span,
) {
    let same_line = |comment: &Span| {
        let between = writer.source.slice(Span::new(span.end(), comment.start()));
        comment.start() >= span.end() && !between.contains('\n') && between.trim().is_empty()
    };
    if let Some(comment) = comments.next_if(same_line) {
        writer.out.pop();
        writer.out.push(' ');
        writer.out.push_str(writer.source.slice(comment).trim_end());
        writer.out.push('\n');
        writer.last_end = Some(comment.end());
    }
}

struct Writer<'s> {
    source: &'s Source,
    out: String,
    last_end: Option<usize>,
}

impl Writer<'_> {
    /// A line for something that stands at `span` in the source.
    fn line(&mut self, span: Span, text: &str) {
        if let Some(end) = self.last_end {
            let between = self.source.slice(Span::new(end, span.start()));
            if between.bytes().filter(|byte| *byte == b'\n').count() > 1 {
                self.out.push('\n');
            }
        }
        self.out.push_str(text.trim_end());
        self.out.push('\n');
        self.last_end = Some(span.end().max(self.last_end.unwrap_or(0)));
    }
}
