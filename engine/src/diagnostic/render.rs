//! The only place that makes text of diagnostics, in the look of rustc.
//!
//! Knows `annotate-snippets`. Must never print by itself.

use super::{Diagnostic, Fault, Problems, Severity};
use crate::span::Span;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// The longest line that is shown as it is; from longer ones only the neighbourhood is shown.
const LINE: usize = 400;

/// Without colours.
pub fn plain(problems: &Problems) -> String {
    render(problems, &Renderer::plain())
}

/// A fault without a place, with terminal colours.
pub fn coloured_fault(fault: &Fault) -> String {
    let level = level(fault.code.severity());
    let title = level.primary_title(visible(&fault.message)).id(fault.code.as_str());
    let helps: Vec<String> = fault.help.iter().map(|help| visible(help)).collect();
    let group = helps.iter().fold(annotate_snippets::Group::with_title(title), |group, help| {
        group.element(Level::HELP.message(help.as_str()))
    });
    Renderer::styled().render(&[group]) + "\n"
}

/// With terminal colours.
pub fn coloured(problems: &Problems) -> String {
    render(problems, &Renderer::styled())
}

fn render(problems: &Problems, renderer: &Renderer) -> String {
    let mut text = String::new();
    for item in problems.items() {
        text.push_str(&one(problems, item, renderer));
        text.push('\n');
    }
    if problems.omitted() > 0 {
        text.push_str(&format!("… and {} more\n", problems.omitted()));
    }
    text
}

fn one(problems: &Problems, item: &Diagnostic, renderer: &Renderer) -> String {
    let level = level(item.severity());
    let message = visible(&item.fault.message);
    let helps: Vec<String> = item.fault.help.iter().map(|help| visible(help)).collect();
    let title = level.primary_title(message).id(item.code().as_str());
    let window = Window::around(problems, item);
    let labels: Vec<String> = item.secondary.iter().map(|label| visible(&label.text)).collect();
    let primary = visible(&item.primary.text);
    let origin = annotate_snippets::Origin::path(problems.source().name());
    // What is about the whole text has no line and underlines nothing.
    let mut group = if item.primary.span == Span::default() {
        title.element(origin)
    } else {
        let position = problems.source().position(item.primary.span.start());
        let mut snippet = Snippet::source(window.text.as_str())
            .line_start(window.first_line)
            .annotation(AnnotationKind::Primary.span(window.fit(item.primary.span)).label(primary));
        for (label, text) in item.secondary.iter().zip(&labels) {
            snippet =
                snippet.annotation(AnnotationKind::Context.span(window.fit(label.span)).label(text.as_str()));
        }
        title.element(origin.line(position.line).char_column(position.column)).element(snippet)
    };
    for help in helps {
        group = group.element(Level::HELP.message(help));
    }
    let text = renderer.render(&[group]);
    // The place stands above the snippet, with the real column; a snippet without a path of its own
    // leaves an empty line for it, which says nothing.
    let says_nothing = |line: &&str| {
        let mut in_escape = false;
        let plain = line.chars().filter(|c| {
            in_escape = *c == '\u{1b}' || in_escape;
            let shown = !in_escape;
            in_escape = in_escape && *c != 'm';
            shown
        });
        plain.collect::<String>().trim() == ":::"
    };
    text.lines().filter(|line| !says_nothing(line)).collect::<Vec<_>>().join("\n")
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// The part of a text that a diagnostic needs, with what can't be seen made visible: rendering
/// costs the neighbourhood, not the file, and a text can't rearrange the message about it.
struct Window {
    text: String,
    first_line: usize,
    /// (offset in the source, offset in `text`) for every character, ascending.
    map: Vec<(usize, usize)>,
}

impl Window {
    fn around(problems: &Problems, item: &Diagnostic) -> Window {
        let source = problems.source().text();
        let spans = || {
            std::iter::once(item.primary.span)
                .chain(item.secondary.iter().map(|label| label.span))
                .filter(|span| span.start() <= source.len())
        };
        let mut window = Window { text: String::new(), first_line: 1, map: Vec::new() };
        // Every line that a label touches, whole if it is short.
        let mut lines: Vec<(usize, usize)> = Vec::new();
        for span in spans() {
            let start = floor(source, span.start());
            let begin = source.get(..start).unwrap_or("").rfind('\n').map_or(0, |at| at + 1);
            let end = source.get(start..).unwrap_or("").find('\n').map_or(source.len(), |at| start + at);
            lines.push((floor(source, begin.max(start.saturating_sub(LINE / 2))), end.min(start + LINE)));
        }
        lines.sort_unstable();
        let from = lines.first().map_or(0, |line| line.0);
        let to = lines.iter().map(|line| line.1).max().unwrap_or(0);
        window.first_line = problems.source().position(from).line;
        let far = to.saturating_sub(from) > 64 * LINE;
        let to = floor(source, if far { lines.first().map_or(to, |line| line.1) } else { to });
        for (offset, c) in source.get(from..to).unwrap_or("").char_indices() {
            window.map.push((from + offset, window.text.len()));
            let line_end =
                c == '\r' && source.get(from + offset + 1..).is_some_and(|rest| rest.starts_with('\n'));
            if line_end {
                continue;
            }
            if c == '\n' {
                window.text.push('\n');
            } else if c != '\u{feff}' || from + offset > 0 {
                push_visible(&mut window.text, c);
            }
        }
        window.map.push((to, window.text.len()));
        window
    }

    fn fit(&self, span: Span) -> std::ops::Range<usize> {
        let place = |offset: usize| {
            let index = self.map.partition_point(|(source, _)| *source < offset);
            self.map.get(index).or(self.map.last()).map_or(0, |(_, text)| *text)
        };
        let start = place(span.start());
        start..place(span.end()).max(start)
    }
}

fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        push_visible(&mut shown, c);
    }
    shown
}

fn push_visible(text: &mut String, c: char) {
    if c == '\t' {
        text.push(' ');
    } else if c.is_control() || crate::text::lookalike::is_hidden(c) {
        text.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
    } else {
        text.push(c);
    }
}
