//! States, variables and labels: does every name exist, once?

use super::Lowering;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{StateId, VariableId};
use crate::suggest;
use crate::syntax::ast;
use crate::text::lookalike;
use hashbrown::HashMap;

impl<'a> Lowering<'a> {
    pub(super) fn state(&mut self, name: &ast::Name) -> Option<StateId> {
        let found = self.vocabulary.find_state(&name.value);
        if found.is_none() {
            let names = self.vocabulary.states().map(|(_, state)| state.name());
            let mut help = suggest::known(&name.value, "states", names.collect::<Vec<_>>());
            if self.concluded.contains_key(name.value.as_str()) {
                help = format!("`{}` is an objective: write it without parentheses", name.value);
            }
            let diagnostic =
                Diagnostic::new(Code::UnknownState, name.span, format!("unknown state `{}`", name.value));
            self.error(
                self.alike(diagnostic, &name.value, |vocabulary| {
                    vocabulary.states().map(|(_, state)| state.name()).collect()
                })
                .help(help),
            );
        }
        found
    }

    pub(super) fn variable(&mut self, state: StateId, name: &ast::Name) -> Option<VariableId> {
        let found = self.vocabulary.find_variable(state, &name.value);
        if found.is_none() {
            let vocabulary = self.vocabulary;
            let schema = vocabulary.state(state);
            let names = || schema.variables().map(|id| vocabulary.variable(id).name()).collect::<Vec<_>>();
            let message = format!("`{}` has no variable `{}`", schema.name(), name.value);
            let diagnostic = Diagnostic::new(Code::UnknownVariable, name.span, message);
            let help = suggest::known(&name.value, "variables", names());
            self.error(self.alike(diagnostic, &name.value, |_| names()).help(help));
        }
        found
    }

    /// Says so where an unknown name looks like a known one.
    fn alike(
        &self,
        diagnostic: Diagnostic,
        name: &str,
        known: impl Fn(&'a crate::schema::Vocabulary) -> Vec<&'a str>,
    ) -> Diagnostic {
        if name.is_ascii() {
            return diagnostic;
        }
        match known(self.vocabulary).into_iter().find(|known| lookalike::alike(known, name)) {
            Some(known) => {
                let told = lookalike::telling_characters(name, known).join(", ");
                diagnostic.help(format!("it looks like `{known}` but holds {told}"))
            }
            None => diagnostic,
        }
    }

    /// Whether anything can ever be observed of a state, or given of arguments: `State()` asks for it.
    pub(super) fn observable(&mut self, state: StateId, name: &ast::Name) -> Option<()> {
        let schema = self.vocabulary.state(state);
        if schema.variables().len() > 0 {
            return Some(());
        }
        let (message, help) = match schema.arguments_of() {
            Some(_) => (
                format!("the action `{}` has no arguments", name.value),
                format!("write it without parentheses: `{}`", name.value),
            ),
            None => (
                format!("the state `{}` has no variables", name.value),
                "nothing can be observed of it: leave it out".to_owned(),
            ),
        };
        self.error(Diagnostic::new(Code::UnknownVariable, name.span, message).help(help));
        None
    }

    pub(super) fn labels(&mut self, tree: &ast::Specification) {
        let mut seen: HashMap<&str, crate::span::Span> = HashMap::new();
        for label in tree.rules.iter().filter_map(|rule| rule.value.label.as_ref()) {
            if let Some(first) = seen.get(label.value.as_str()) {
                let message = format!("the label `{}` stands twice", label.value);
                let diagnostic =
                    Diagnostic::new(Code::DuplicateLabel, label.span, message).also(*first, "first here");
                self.error(diagnostic);
            } else {
                seen.insert(&label.value, label.span);
            }
        }
    }
}
