//! Building an action against a vocabulary.

use super::update::{assignment, distinct};
use super::{Action, Argument, Input};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::schema::{VariableType, Vocabulary};
use intentgate_engine::value::{Text, Value};
use intentgate_engine::{input, suggest};

/// Builds an [`Action`]; the first mistake is kept for the end.
#[derive(Debug)]
#[must_use]
pub struct ActionBuilder<'v> {
    pub(super) vocabulary: &'v Vocabulary,
    pub(super) source: ValueSource,
    pub(super) fault: Option<Fault>,
    pub(super) action: Action,
}

impl<'v> ActionBuilder<'v> {
    /// Who says what [`ActionBuilder::set`] says; the agent unless this says otherwise. What a trigger
    /// computes is the app's.
    pub fn source(mut self, source: ValueSource) -> Self {
        self.source = source;
        self
    }

    /// Says that the agent holds this action for critical. It never makes one less critical.
    pub fn claimed_critical(mut self, claimed: bool) -> Self {
        self.action.0.claims_critical = claimed;
        self
    }

    /// Gives an argument.
    ///
    /// An action that declares no arguments takes any.
    pub fn argument(self, name: &str, value: impl Into<Input>) -> Self {
        let value = value.into();
        if !self.action.0.declared {
            if let Some(value) = value.untyped() {
                return self.free_argument(name, value);
            }
            return self;
        }
        self.typed_argument(name, |name, kind| value.typed(name, kind))
    }

    /// The first mistake so far, taken out.
    pub(crate) fn take_fault(mut self) -> (Self, Option<Fault>) {
        let fault = self.fault.take();
        (self, fault)
    }

    fn fault(mut self, fault: Fault) -> Self {
        self.fault.get_or_insert(fault);
        self
    }

    /// Gives an argument that nothing declares.
    fn free_argument(mut self, name: &str, value: serde_json::Value) -> Self {
        if self.action.0.arguments.get(name).is_some() {
            return self.fault(Fault::new(Code::DuplicateKey, format!("the argument `{name}` stands twice")));
        }
        self.action.0.arguments.push(Text::new(name), Argument::Free(value));
        self
    }

    /// Gives an argument that `read` types.
    fn typed_argument(
        mut self,
        name: &str,
        read: impl FnOnce(&str, &VariableType) -> Result<Option<Value>, Fault>,
    ) -> Self {
        let vocabulary = self.vocabulary;
        let kind = match self.declared(name) {
            Ok(kind) => kind,
            Err(fault) => return self.fault(fault),
        };
        if self.action.0.arguments.get(name).is_some() {
            return self.fault(Fault::new(Code::DuplicateKey, format!("the argument `{name}` stands twice")));
        }
        let value = match read(name, kind) {
            Ok(value) => value,
            Err(fault) => return self.fault(fault),
        };
        if let Some(value) = value {
            if let Some(id) = self.action.0.critical {
                let state = vocabulary.action(id).arguments();
                if let Some(variable) = vocabulary.find_variable(state, name)
                    && let Some(place) = self.action.0.overlay.iter_mut().find(|a| a.variable == variable)
                {
                    place.value = Some(value.clone());
                }
            }
            self.action.0.arguments.push(Text::new(name), Argument::Typed(value));
        }
        self
    }

    /// Gives an argument as JSON, typed where it is declared.
    pub(crate) fn json_argument(
        self,
        name: &str,
        free: serde_json::Value,
        read: impl FnOnce(&str, &VariableType) -> Result<Option<Value>, Fault>,
    ) -> Self {
        if !self.action.0.declared {
            return self.free_argument(name, free);
        }
        self.typed_argument(name, read)
    }

    /// The type of a declared argument.
    fn declared(&self, name: &str) -> Result<&'v VariableType, Fault> {
        let vocabulary = self.vocabulary;
        let action = self.action.name();
        let names: Vec<&str>;
        if let Some(id) = self.action.0.critical {
            let state = vocabulary.action(id).arguments();
            if let Some(variable) = vocabulary.find_variable(state, name) {
                return Ok(vocabulary.variable(variable).variable_type());
            }
            names = vocabulary.state(state).variables().map(|id| vocabulary.variable(id).name()).collect();
        } else if let Some(step) = vocabulary.find_step(action) {
            if let Some((_, kind, _)) = step.arguments().find(|(known, _, _)| *known == name) {
                return Ok(kind);
            }
            names = step.arguments().map(|(known, _, _)| known).collect();
        } else {
            let message = format!("the action `{}` declares no arguments", input::shortened(action));
            return Err(
                Fault::new(Code::UnknownArgument, message).help("declare it under `actions` or `steps`")
            );
        }
        let message = format!("`{action}` has no argument `{}`", input::shortened(name));
        Err(Fault::new(Code::UnknownArgument, message).help(suggest::known(name, "arguments", names)))
    }

    /// States what a variable, written `State.variable`, would be after the action.
    pub fn set(mut self, path: &str, value: impl Into<Input>) -> Self {
        match assignment(self.vocabulary, path, value.into(), self.source) {
            Ok(assignment) => self.action.0.overlay.push(assignment),
            Err(fault) => return self.fault(fault),
        }
        self
    }

    pub(crate) fn assign(mut self, assignments: impl IntoIterator<Item = Assignment>) -> Self {
        self.action.0.overlay.extend(assignments);
        self
    }

    pub(crate) fn trigger_failed(mut self, why: Option<String>) -> Self {
        self.action.0.trigger_failed = why;
        self
    }

    /// The first declared argument that is not given and may not be left out.
    pub(crate) fn missing(&self) -> Option<String> {
        let given = |name: &str| self.action.0.arguments.get(name).is_some();
        if let Some(id) = self.action.0.critical {
            let state = self.vocabulary.state(self.vocabulary.action(id).arguments());
            let mut variables = state.variables().map(|id| self.vocabulary.variable(id));
            return variables.find(|v| !v.is_optional() && !given(v.name())).map(|v| v.name().to_owned());
        }
        let step = self.vocabulary.find_step(self.action.name())?;
        let mut arguments = step.arguments();
        arguments.find(|(name, _, optional)| !optional && !given(name)).map(|(name, _, _)| name.to_owned())
    }

    /// The action.
    ///
    /// # Errors
    /// A missing or reserved name, unknown arguments, states or variables, values of the wrong type.
    pub fn build(self) -> Result<Action, Fault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        distinct(self.vocabulary, self.action.update())?;
        let mut action = self.action;
        action.order();
        action.0.stated_count = action.0.overlay.len();
        Ok(action)
    }
}
