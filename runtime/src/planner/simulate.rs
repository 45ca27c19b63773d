//! What a transition does when it is really performed: the event with its values, guard, update, effects.
//!
//! Knows models and vocabularies. For simulated apps; a plan never looks here.

use super::compile::{Assigned, Scene, Values};
use super::model::{Linked, Model, PageId, Stated, Transition, TransitionId};
use super::search::Start;
use intentgate_engine::input;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{VariableId, Vocabulary};
use intentgate_engine::value::Value;
use std::collections::BTreeMap;

/// A transition that is performed.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedStep {
    /// The page to which it leads.
    pub to: PageId,
    /// The model's variables after it.
    pub values: BTreeMap<VariableId, Option<Value>>,
    /// The action as the gate knows it.
    pub action: String,
    /// Whether that is critical.
    pub critical: bool,
    /// What becomes of the vocabulary's variables, by `State.variable`: the results that are possible, the
    /// expected one first.
    pub effects: Vec<(String, Vec<Option<Value>>)>,
}

impl Start {
    /// The value of every variable of a model.
    pub fn valuation(&self, model: &Model) -> BTreeMap<VariableId, Option<Value>> {
        self.values(model)
    }
}

impl Model {
    /// What the model's variables are after a transition, without a function's arguments.
    pub fn after(&self, id: TransitionId, values: &Assigned) -> Assigned {
        let known: Values = values.iter().filter_map(|(id, value)| Some((*id, value.clone()?))).collect();
        let scene = Scene::new(&self.vocabulary, &known);
        let mut after = values.clone();
        for (variable, operand) in self.transition(id).iter().flat_map(|one| &one.update) {
            after.insert(*variable, scene.value(operand));
        }
        after
    }

    /// Whether a transition is possible on a page with values, as far as that is known: what depends on a
    /// function's arguments may be.
    pub fn is_possible(&self, start: &Start, id: TransitionId) -> bool {
        let Some(transition) = self.transition(id) else { return false };
        let values = start.values(self).into_iter().filter_map(|(id, value)| Some((id, value?)));
        let known: Values = values.collect();
        start.page(self) == transition.from && Scene::new(&self.vocabulary, &known).may_allow(transition)
    }

    /// The same model, some transitions dearer.
    pub(crate) fn with_costs(mut self, more: impl Fn(TransitionId) -> u32) -> Model {
        for (number, transition) in self.transitions.iter_mut().enumerate() {
            let id = TransitionId(u32::try_from(number).unwrap_or(u32::MAX));
            transition.cost = transition.cost.saturating_add(more(id));
        }
        self
    }

    /// The same model with the transitions that will do, numbered anew.
    pub(crate) fn only(&self, will_do: impl Fn(&Transition) -> bool) -> Model {
        let mut model = self.clone();
        model.transitions.retain(will_do);
        model
    }

    /// What an event does by a transition, if it is that transition's event and is possible.
    pub fn simulate(
        &self,
        id: TransitionId,
        event: &str,
        values: &Assigned,
        vocabulary: &Vocabulary,
    ) -> Option<SimulatedStep> {
        let transition = self.transition(id)?;
        let named = matched(transition.event(), event)?;
        if !self.is_possible(&Start { page: Some(transition.from), values: values.clone() }, id) {
            return None;
        }
        let mut effects = Vec::new();
        let link = transition.link.as_deref();
        let linked = link.into_iter().flat_map(|link| link.causes.iter().chain(&link.observes));
        for one in linked {
            effects.extend(effect(one, &named, values, vocabulary));
        }
        let action = transition.action().to_owned();
        Some(SimulatedStep {
            to: transition.to,
            values: self.after(id, values),
            critical: vocabulary.find_action(&action).is_some(),
            action,
            effects,
        })
    }
}

/// What becomes of a variable of the vocabulary.
fn effect(
    linked: &Linked,
    named: &[(String, String)],
    values: &Assigned,
    vocabulary: &Vocabulary,
) -> Option<(String, Vec<Option<Value>>)> {
    let kind = vocabulary.variable(vocabulary.find_path(&linked.name)?).variable_type();
    let own = linked.name.split_once('.').map_or(linked.name.as_str(), |(_, own)| own);
    let read = |node| input::json_value(node, &linked.name, kind, None, &Limits::default()).ok();
    let said = named.iter().find(|(name, _)| name == own || *name == linked.name);
    let said = said.and_then(|(_, text)| input::spelled(text, kind, None));
    let results = match &linked.stated {
        Stated::Value(node) => vec![read(node)?],
        // What nobody chose stays as it is.
        Stated::Choose(_) => vec![Some(said?)],
        Stated::Expect(Some(nodes)) => nodes.iter().filter_map(read).collect(),
        Stated::Expect(None) => vec![Some(said.or_else(|| intentgate_engine::boundary::any_value(kind))?)],
        Stated::Variable(id) => vec![values.get(id).cloned().flatten()],
    };
    Some((linked.name.clone(), results))
}

/// The values that an event has in the places of a template: `pick {date}` and `pick today`. Nothing if it is
/// another event. A template's place may be left open: `{date}` stands for nothing then.
pub(super) fn matched(template: &str, event: &str) -> Option<Vec<(String, String)>> {
    let mut named = Vec::new();
    let (mut template, mut event) = (template, event);
    loop {
        let place = template.split_once('{').and_then(|(before, rest)| {
            let (name, behind) = rest.split_once('}')?;
            Some((before, name, behind))
        });
        let Some((before, name, behind)) = place else {
            return (template == event).then_some(named);
        };
        event = event.strip_prefix(before)?;
        // Up to what stands behind the place; the last place takes all the rest.
        let next = behind.split('{').next().unwrap_or(behind);
        let end = if next.is_empty() { event.len() } else { event.find(next)? };
        let said = event.get(..end)?;
        if said != format!("{{{name}}}") {
            named.push((name.to_owned(), said.to_owned()));
        }
        (template, event) = (behind, event.get(end..)?);
    }
}
