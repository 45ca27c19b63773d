//! What a transition says to the gate when it is taken without a plan: what its link states for sure.
//!
//! Values that somebody chooses are left open: what was not said is unknown to the gate, and never guessed. Knows
//! models and vocabularies; must never know sessions.

use super::model::{Linked, Model, Stated, TransitionId};
use super::simulate::matched;
use crate::{Action, Input};
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::input;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{VariableId, VariableType, Vocabulary};
use intentgate_engine::value::Value;
use std::collections::BTreeMap;

impl Model {
    /// The action of a transition: its name, and the arguments and causes that are plain values, copies of the
    /// model's variables, or are said in the event, `tap "{name}"` being `tap "Ada"`. Nothing if there is no such
    /// transition.
    ///
    /// # Errors
    /// The link doesn't fit the vocabulary.
    pub(crate) fn linked_action(
        &self,
        id: TransitionId,
        event: &str,
        values: &BTreeMap<VariableId, Option<Value>>,
        vocabulary: &Vocabulary,
    ) -> Option<Result<Action, Fault>> {
        let transition = self.transition(id)?;
        let named = matched(transition.event(), event).unwrap_or_default();
        let mut builder = Action::named(vocabulary, transition.action());
        for linked in transition.link.iter().flat_map(|link| &link.arguments) {
            let critical = vocabulary.find_action(transition.action());
            let declared = critical.and_then(|id| {
                let id = vocabulary.find_variable(vocabulary.action(id).arguments(), &linked.name)?;
                Some(vocabulary.variable(id).variable_type())
            });
            let step = || vocabulary.find_step(transition.action());
            let declared = declared.or_else(|| {
                step()?.arguments().find(|(name, _, _)| *name == linked.name).map(|(_, kind, _)| kind)
            });
            let stated = match declared {
                Some(kind) => stated(linked, kind, &named, values),
                None => Ok(free(linked)),
            };
            match stated {
                Ok(Some(value)) => builder = builder.argument(&linked.name, value),
                Ok(None) => {}
                Err(fault) => return Some(Err(fault)),
            }
        }
        for linked in transition.link.iter().flat_map(|link| &link.causes) {
            let Some(variable) = vocabulary.find_path(&linked.name) else { continue };
            match stated(linked, vocabulary.variable(variable).variable_type(), &named, values) {
                Ok(Some(value)) => builder = builder.set(&linked.name, value),
                Ok(None) => {}
                Err(fault) => return Some(Err(fault)),
            }
        }
        Some(builder.build())
    }

    /// What is seen after a transition, by its link.
    pub(crate) fn watched(&self, id: TransitionId, vocabulary: &Vocabulary) -> Vec<VariableId> {
        let link = self.transition(id).and_then(|transition| transition.link.as_deref());
        let observed = link.into_iter().flat_map(|link| &link.observes);
        observed.filter_map(|linked| vocabulary.find_path(&linked.name)).collect()
    }

    /// Whether an event is that of a transition, with values in its places: `tap "Ada"` is `tap "{name}"`.
    pub(crate) fn is_event(&self, id: TransitionId, event: &str) -> bool {
        self.transition(id).is_some_and(|transition| matched(transition.event(), event).is_some())
    }
}

/// The value that a link gives for sure.
fn stated(
    linked: &Linked,
    kind: &VariableType,
    named: &[(String, String)],
    values: &BTreeMap<VariableId, Option<Value>>,
) -> Result<Option<Input>, Fault> {
    let read = |node| input::json_value(node, &linked.name, kind, None, &Limits::default());
    let own = linked.name.rsplit('.').next().unwrap_or(&linked.name);
    let said = named.iter().find(|(name, _)| name == own || *name == linked.name);
    let said = said.and_then(|(_, text)| input::spelled(text, kind, None));
    Ok(match &linked.stated {
        Stated::Value(node) => Some(read(node)?.into()),
        Stated::Choose(Some(nodes)) => match (said, nodes.as_slice()) {
            // What was said is one of those that are possible, or nothing.
            (Some(said), nodes) => {
                let mut known = nodes.iter().filter_map(|node| read(node).ok().flatten());
                known.any(|value| value == said).then(|| said.into())
            }
            (None, [only]) => Some(read(only)?.into()),
            (None, _) => None,
        },
        Stated::Choose(None) => said.map(Input::from),
        Stated::Expect(_) => None,
        Stated::Variable(id) => values.get(id).cloned().flatten().map(|value| match value {
            Value::Enum(enumerator) => Input::Text(enumerator.name().to_owned()),
            other => Input::Value(other),
        }),
    })
}

/// An argument that nothing declares takes plain values alone.
fn free(linked: &Linked) -> Option<Input> {
    let Stated::Value(node) = &linked.stated else { return None };
    match node.to_value() {
        serde_json::Value::String(text) => Some(Input::Text(text)),
        serde_json::Value::Bool(truth) => Some(Input::Boolean(truth)),
        serde_json::Value::Number(number) => number.to_string().parse().ok().map(Input::Number),
        _ => None,
    }
}
