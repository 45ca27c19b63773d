//! Where the values go that a transition declares: to arguments, to what causes are, to what is observed.
//!
//! Knows names and types of the vocabulary; must never know a value.

use super::Sources;
use crate::planner::model::{Link, Linked, Transition};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::input;
use intentgate_engine::schema::{VariableId, VariableType};

/// Where a value goes.
pub(super) enum Target<'v> {
    /// To an argument that the vocabulary declares, and to its variable, if it is a critical action's.
    Argument(String, &'v VariableType, Option<VariableId>),
    /// To an argument that nothing declares, of this action.
    Free(String, String),
    Cause(VariableId),
    Observation(VariableId),
}

impl<'a> Sources<'a> {
    pub(super) fn targets<'l>(
        &self,
        transition: &Transition,
        link: &'l Link,
    ) -> Vec<(&'l Linked, Result<Target<'a>, Fault>)> {
        let arguments = link.arguments.iter().map(|one| (one, self.argument(transition.action(), &one.name)));
        let causes = link.causes.iter().map(|one| (one, self.variable(&one.name).map(Target::Cause)));
        let observes =
            link.observes.iter().map(|one| (one, self.variable(&one.name).map(Target::Observation)));
        arguments.chain(causes).chain(observes).collect()
    }

    pub(super) fn variable(&self, path: &str) -> Result<VariableId, Fault> {
        let (state, name) = path.split_once('.').unwrap_or((path, ""));
        let state = crate::action::find_state(self.vocabulary(), state)?;
        crate::action::find_variable(self.vocabulary(), state, name)
    }

    /// The variable of an argument of a critical action.
    pub(super) fn argument_variable(&self, action: &str, name: &str) -> Option<VariableId> {
        match self.argument(action, name) {
            Ok(Target::Argument(_, _, variable)) => variable,
            _ => None,
        }
    }

    fn argument(&self, action: &str, name: &str) -> Result<Target<'a>, Fault> {
        let vocabulary = self.vocabulary();
        if let Some(id) = vocabulary.find_action(action) {
            let state = vocabulary.action(id).arguments();
            let id = crate::action::find_variable(vocabulary, state, name)?;
            let kind = vocabulary.variable(id).variable_type();
            return Ok(Target::Argument(name.to_owned(), kind, Some(id)));
        }
        let Some(step) = vocabulary.find_step(action) else {
            return Ok(Target::Free(name.to_owned(), action.to_owned()));
        };
        match step.arguments().find(|(known, _, _)| *known == name) {
            Some((_, kind, _)) => Ok(Target::Argument(name.to_owned(), kind, None)),
            None => {
                let message = format!("`{action}` has no argument `{}`", input::shortened(name));
                Err(Fault::new(Code::UnknownArgument, message))
            }
        }
    }
}
