//! The names in a vocabulary: well-formed, not reserved, not alike.
//!
//! Knows names and where the first of two stands; must never know types or values.

use super::Builder;
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::text::{lookalike, normal};
use crate::value::{is_name, is_name_continue, is_name_start};

impl Builder<'_> {
    /// Checks and registers the name of a state or a critical action.
    pub(super) fn declare_name(&mut self, name: &str, span: Span, scope: &str) {
        self.check_name(name, span);
        if matches!(normal::bare(name).as_str(), "done" | "never") {
            self.problems.push(
                Diagnostic::new(Code::ReservedName, span, format!("`{name}` is a reserved name"))
                    .help("`Done` and `Never` are heads of rules, in any case"),
            );
        }
        if matches!(name, "and" | "not") {
            self.problems.push(
                Diagnostic::new(Code::ReservedName, span, format!("`{name}` is a word of the language"))
                    .help("variables may be called so, states and actions not"),
            );
        }
        self.unlike(scope, name, span);
    }

    /// Checks the name of a variable, a state or a critical action.
    pub(super) fn check_name(&mut self, name: &str, span: Span) {
        if is_name(normal::nfc(name).as_ref()) {
            if name.len() > self.limits.text {
                let message = format!("a name of {} bytes; the limit is {}", name.len(), self.limits.text);
                self.problems.push(Diagnostic::new(Code::TextTooLong, span, message));
            }
            return;
        }
        let mut diagnostic = Diagnostic::new(Code::BadName, span, format!("`{name}` is not a name"));
        diagnostic = match usable_name(name) {
            Some(usable) => diagnostic.help(format!("did you mean `{usable}`?")),
            None => {
                diagnostic.help("a name starts with a letter or `_` and goes on with letters, digits and `_`")
            }
        };
        self.problems.push(diagnostic);
    }

    /// Two names of one scope must not differ in case alone, nor look alike.
    pub(super) fn unlike(&mut self, scope: &str, name: &str, span: Span) {
        let key = format!("{scope}{}", lookalike::distinct(name));
        if let Some((first, first_span)) = self.names.get(&key) {
            let (code, message) = if normal::nfc(first) == normal::nfc(name) {
                (Code::DuplicateName, format!("`{name}` is declared twice"))
            } else {
                (Code::NamesTooAlike, format!("`{first}` and `{name}` differ only in case or look alike"))
            };
            let diagnostic = Diagnostic::new(code, span, message).also(*first_span, "first here");
            self.problems.push(diagnostic.help("give one of them another name"));
        } else {
            self.names.insert(key, (name.to_owned(), span));
        }
    }
}

/// A name made of a text that is none, if letters are left.
fn usable_name(text: &str) -> Option<String> {
    let mut name = String::new();
    let mut gap = false;
    for c in normal::nfc(text).chars() {
        if if name.is_empty() { is_name_start(c) } else { is_name_continue(c) } {
            if gap && !name.is_empty() {
                name.push('_');
            }
            gap = false;
            name.push(c);
        } else {
            gap = true;
        }
    }
    is_name(&name).then_some(name)
}
