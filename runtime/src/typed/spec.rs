//! Specifications that were checked when the program was compiled.

use super::App;
use crate::session::SessionBuilder;
use intentgate_engine::check;
use intentgate_engine::compile::bind::Given;
use intentgate_engine::diagnostic::Problems;
use intentgate_engine::ir::Specification;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::span::Source;
use std::sync::{Arc, OnceLock};

/// A checked specification or policy, with the values of its parameters: what `spec!`, `policy!` and
/// the `include_` macros give, and what a session starts from.
#[derive(Debug, Clone)]
pub struct Spec {
    pub(crate) specification: Arc<Specification>,
    pub(crate) parameters: Vec<(String, Given)>,
    pub(crate) register: fn(SessionBuilder) -> SessionBuilder,
}

impl Spec {
    /// The specification.
    pub fn specification(&self) -> &Arc<Specification> {
        &self.specification
    }
}

impl From<Arc<Specification>> for Spec {
    fn from(specification: Arc<Specification>) -> Spec {
        Spec { specification, parameters: Vec::new(), register: |builder| builder }
    }
}

impl From<Specification> for Spec {
    fn from(specification: Specification) -> Spec {
        Arc::new(specification).into()
    }
}

/// A specification in the text of the program: read when it is first asked for.
#[doc(hidden)]
#[derive(Debug)]
pub struct Written {
    file: &'static str,
    line: usize,
    text: &'static str,
    policy: bool,
    read: OnceLock<Arc<Specification>>,
}

impl Written {
    /// The text, and where it stands.
    pub const fn new(file: &'static str, line: usize, text: &'static str, policy: bool) -> Written {
        Written { file, line, text, policy, read: OnceLock::new() }
    }

    /// With the values of its parameters.
    pub fn with<A: App, const N: usize>(&self, parameters: [(&str, Given); N]) -> Spec {
        let specification = self.read.get_or_init(|| {
            let source = Source::new(self.file, self.text).at_line(self.line);
            let read = if self.policy { check::policy } else { check::specification };
            Arc::new(passed(read(&source, A::vocabulary(), &Limits::default())).specification)
        });
        Spec {
            specification: Arc::clone(specification),
            parameters: parameters.into_iter().map(|(name, given)| (name.to_owned(), given)).collect(),
            register: A::register,
        }
    }
}

/// The vocabulary of a declaration that `vocabulary!` has checked.
#[doc(hidden)]
pub fn declared(name: &str, declaration: &str) -> Arc<Vocabulary> {
    Arc::new(passed(Vocabulary::from_json(&Source::new(name, declaration), &Limits::default())))
}

#[expect(clippy::panic, reason = "the macro has run the same check on the same text when it was compiled")]
fn passed<T>(checked: Result<T, Problems>) -> T {
    checked.unwrap_or_else(|problems| panic!("compiled with another version of the checker: {problems}"))
}
