//! Diagnostics as data: what is wrong, where, and how to mend it.
//!
//! A [`Diagnostic`] is collected in [`Problems`], which know their [`Source`]. Text is made of them
//! in one place only, [`render`]. Codes are stable; each has a page, see [`codes`].

pub mod codes;
pub mod render;

use crate::span::{Position, Source, Span};
pub use codes::Code;
use serde::Serialize;

/// How serious a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input can't be used.
    Error,
    /// The input can be used and is probably not what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// A place with a short text to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What to say there; may be empty.
    pub text: String,
}

/// What is wrong with an input, without a place: the part that a caller without a text gets, too.
/// Moving it moves a pointer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Fault(Box<FaultParts>);

/// What a [`Fault`] holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FaultParts {
    /// The stable code.
    pub code: Code,
    /// One sentence: lower-case start, no final period, the user's own words in backticks.
    pub message: String,
    /// How to mend it, a sentence each.
    pub help: Vec<String>,
}

impl std::ops::Deref for Fault {
    type Target = FaultParts;

    fn deref(&self) -> &FaultParts {
        &self.0
    }
}

impl std::ops::DerefMut for Fault {
    fn deref_mut(&mut self) -> &mut FaultParts {
        &mut self.0
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        self.help.iter().try_for_each(|help| write!(f, " ({help})"))
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// A fault with a code and a message.
    pub fn new(code: Code, message: impl Into<String>) -> Fault {
        Fault(Box::new(FaultParts { code, message: message.into(), help: Vec::new() }))
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Fault {
        self.help.push(help.into());
        self
    }

    /// The same fault at a place.
    pub fn at(self, span: Span) -> Diagnostic {
        Diagnostic { fault: self, primary: Label { span, text: String::new() }, secondary: Vec::new() }
    }
}

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Code, message and advice.
    pub fault: Fault,
    /// The place it is about.
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
}

impl Diagnostic {
    /// A diagnostic with a code and a message at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Fault::new(code, message).at(span)
    }

    /// What to say at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Another place that explains it.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.fault.help.push(help.into());
        self
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        self.fault.code
    }

    /// The severity, which the code decides.
    pub fn severity(&self) -> Severity {
        self.fault.code.severity()
    }
}

/// How many diagnostics one text collects before the rest is only counted: a damaged file of any
/// size gets an answer of bounded size.
const MOST: usize = 200;

/// The diagnostics of one source, in the order of the text once [`Problems::sort`] has run.
#[derive(Debug, Clone)]
pub struct Problems {
    source: Source,
    items: Vec<Diagnostic>,
    uncounted: usize,
    errors: usize,
}

impl Problems {
    /// None yet.
    pub fn new(source: Source) -> Problems {
        Problems { source, items: Vec::new(), uncounted: 0, errors: 0 }
    }

    /// Just one.
    pub fn one(source: Source, diagnostic: Diagnostic) -> Problems {
        let mut problems = Problems::new(source);
        problems.push(diagnostic);
        problems
    }

    /// A fault of a whole input that could not become a text.
    pub fn unreadable(name: &str, fault: Fault) -> Problems {
        Problems::one(Source::new(name, ""), fault.at(Span::default()))
    }

    /// Adds one. Beyond 200 they are counted and not kept.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity() == Severity::Error);
        if self.items.len() < MOST {
            self.items.push(diagnostic);
        } else {
            self.uncounted += 1;
        }
    }

    /// Whether further ones are only counted: what takes time to say need not be said of them.
    pub fn is_full(&self) -> bool {
        self.items.len() >= MOST
    }

    /// Adds all of `other`, which must be about the same source.
    pub fn append(&mut self, other: Problems) {
        let errors = self.errors + other.errors;
        self.uncounted += other.uncounted;
        for item in other.items {
            self.push(item);
        }
        self.errors = errors;
    }

    /// Those that are as serious as that, or more.
    #[must_use]
    pub fn at_least(&self, severity: Severity) -> Problems {
        let serious = |item: &&Diagnostic| item.severity() <= severity;
        Problems { items: self.items.iter().filter(serious).cloned().collect(), ..self.clone() }
    }

    /// By place, then by code.
    pub fn sort(&mut self) {
        self.items.sort_by(|a, b| {
            (a.primary.span, a.code().as_str(), &a.fault.message).cmp(&(
                b.primary.span,
                b.code().as_str(),
                &b.fault.message,
            ))
        });
    }

    /// The text they are about.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// All that were kept.
    pub fn items(&self) -> &[Diagnostic] {
        &self.items
    }

    /// How many more there were than were kept.
    pub fn omitted(&self) -> usize {
        self.uncounted
    }

    /// Whether there are none at all.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Each diagnostic as data for other programs: code, severity, message, place, labels, help.
    pub fn to_json(&self) -> Vec<serde_json::Value> {
        self.items.iter().map(|item| self.item_json(item)).collect()
    }

    fn item_json(&self, item: &Diagnostic) -> serde_json::Value {
        let label = |label: &Label| {
            serde_json::json!({
                "start": self.source.position(label.span.start()),
                "end": self.source.position(label.span.end()),
                "text": label.text,
            })
        };
        let start: Position = self.source.position(item.primary.span.start());
        serde_json::json!({
            "code": item.code(),
            "severity": item.severity(),
            "message": item.fault.message,
            "source": self.source.name(),
            "line": start.line,
            "column": start.column,
            "span": [item.primary.span.start(), item.primary.span.end()],
            "label": item.primary.text,
            "also": item.secondary.iter().map(label).collect::<Vec<_>>(),
            "help": item.fault.help,
        })
    }
}

impl std::fmt::Display for Problems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&render::plain(self))
    }
}

impl std::error::Error for Problems {}
