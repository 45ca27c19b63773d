//! The values that are tried for one place of a transition, as it states them.
//!
//! Knows what a transition states and what variables of the model can be; must never know how the values of several
//! places go together.

use super::Sources;
use super::targets::Target;
use crate::planner::compile::Domain;
use crate::planner::model::{Linked, Stated};
use crate::planner::packed::Field;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::input;
use intentgate_engine::json::Node;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{VariableId, VariableType};
use intentgate_engine::suggest;
use intentgate_engine::value::Value;

/// One of the values that are tried.
#[derive(Debug, Clone, Default)]
pub(super) struct Tried {
    /// Nothing if it is left out.
    pub(super) value: Option<Given>,
    pub(super) unexpected: bool,
    pub(super) spare: bool,
    pub(super) when: Option<(Field, usize)>,
}

#[derive(Debug, Clone)]
pub(super) enum Given {
    Value(Option<Value>),
    Free(serde_json::Value),
}

impl<'a> Sources<'a> {
    /// That values are to be chosen for an argument of an action that nothing declares.
    fn undeclared(&self, argument: &str, action: &str) -> Fault {
        let vocabulary = self.vocabulary();
        let shown = input::shortened(action);
        let message =
            format!("no action `{shown}` is declared, so its argument `{argument}` takes plain values alone");
        let fault = Fault::new(Code::UnknownArgument, message);
        let actions = vocabulary.actions().map(|(_, action)| action.name());
        let known = actions.chain(vocabulary.steps().iter().map(|step| step.name()));
        match suggest::nearest(action, known) {
            Some(meant) => fault.help(format!("did you mean the action `{meant}`?")),
            None => fault.help("declare it under `actions` or `steps`, or write the value itself"),
        }
    }

    /// The values that are tried for a place.
    pub(super) fn options(&self, linked: &Linked, target: &Target<'a>) -> Result<Vec<Tried>, Fault> {
        let (kind, variable) = match target {
            Target::Argument(_, kind, variable) => (*kind, *variable),
            Target::Cause(id) | Target::Observation(id) => {
                (self.vocabulary().variable(*id).variable_type(), Some(*id))
            }
            Target::Free(_, action) => {
                let Stated::Value(node) = &linked.stated else {
                    return Err(self.undeclared(&linked.name, action));
                };
                return Ok(vec![Tried { value: Some(Given::Free(node.to_value())), ..Tried::default() }]);
            }
        };
        let typed = |node: &Node| self.typed(node, &linked.name, kind);
        let given = |value| Tried { value: Some(Given::Value(value)), ..Tried::default() };
        let tried = |(value, spare)| Tried { spare, ..given(value) };
        let list = |nodes: &[Node]| nodes.iter().map(typed).collect::<Result<Vec<_>, Fault>>();
        let classes = |values: Vec<Option<Value>>| {
            let values = match variable {
                Some(id) => self.told_apart(id, values),
                None => values.into_iter().map(|value| (value, false)).collect(),
            };
            values.into_iter().map(tried).collect::<Vec<Tried>>()
        };
        Ok(match &linked.stated {
            Stated::Value(node) => vec![given(typed(node)?)],
            Stated::Choose(Some(nodes)) => classes(list(nodes)?),
            Stated::Expect(Some(nodes)) => {
                let mut options = classes(list(nodes)?);
                options.iter_mut().skip(1).for_each(|option| option.unexpected = true);
                options
            }
            Stated::Choose(None) | Stated::Expect(None) => {
                let values = variable.map(|id| self.candidates(id)).unwrap_or_default();
                // What no rule looks at may be anything.
                match values.is_empty() {
                    true => vec![Tried::default()],
                    false => {
                        let together = variable.and_then(|id| self.told_apart_together(id, &values));
                        match together {
                            Some(values) => values.into_iter().map(tried).collect(),
                            None => classes(values.into_iter().map(Some).collect()),
                        }
                    }
                }
            }
            Stated::Variable(id) => self.copied(*id, kind, &linked.name)?,
        })
    }

    /// A value that a transition states, by the type of what it goes to.
    pub(super) fn typed(&self, node: &Node, name: &str, kind: &VariableType) -> Result<Option<Value>, Fault> {
        input::json_value(node, name, kind, Some(self.session.today()), &Limits::default())
    }

    /// What a variable of the model can be.
    fn copied(&self, id: VariableId, kind: &VariableType, name: &str) -> Result<Vec<Tried>, Fault> {
        let own = self.model.vocabulary.variable(id);
        if own.variable_type().kind() != kind.kind() {
            let (wanted, found) = (kind.kind(), own.variable_type().kind());
            let message = format!("`{name}` is a {wanted}, and `{}` a {found}", own.name());
            return Err(Fault::new(Code::WrongType, message));
        }
        let nothing = Domain::new();
        let (field, domain) = match self.graph.and_then(|graph| graph.domain(id)) {
            Some((field, domain)) => (field, domain),
            None => (Field::default(), &nothing),
        };
        let values = domain.iter().enumerate().map(|(place, value)| {
            let value = match value {
                Some(Value::Enum(enumerator)) => {
                    let spelled = input::spelled(enumerator.name(), kind, None).ok_or_else(|| {
                        let message = format!("`{name}` has no value `{}`", enumerator.name());
                        Fault::new(Code::UpdateEnumerator, message)
                    })?;
                    Some(spelled)
                }
                other => other.clone(),
            };
            let when = Some((field, place));
            Ok(Tried { value: Some(Given::Value(value)), when, ..Tried::default() })
        });
        values.collect()
    }
}
