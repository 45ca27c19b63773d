//! What a transition can be to the gate: its action with every value that makes a difference.
//!
//! Values come from what transitions declare, and from the constants of the rules and what lies beside them.
//! Of values that no constraint tells apart the first is taken. Knows how the values of a transition's places go
//! together; must never ask the gate.

mod options;
mod rules;
mod targets;
mod values;

use super::Asked;
use crate::planner::compile::Graph;
use crate::planner::model::{Link, Model, Transition};
use crate::planner::packed::{Field, Word};
use crate::session::Session;
use crate::{Action, Input, Update};
use intentgate_engine::diagnostic::{Code, Fault, Problems};
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::input;
use intentgate_engine::schema::{ActionId, VariableId, Vocabulary};
use intentgate_engine::span::Source;
use intentgate_engine::value::Value;
use options::{Given, Tried};
use rules::{Used, bodies};
use std::collections::BTreeSet;
use targets::Target;

/// The most combinations of values for a transition.
const MOST_CHOICES: usize = 4_096;

/// A transition with values.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) edge: u32,
    pub(super) asked: Asked,
    /// Whether a value in it only serves to differ from another, which matters where something is done again.
    pub(super) spare: bool,
    /// What was chosen or is expected, by `State.variable`.
    pub(super) values: Vec<(String, Value)>,
    /// What variables of the model have to be.
    when: Vec<(Field, usize)>,
}

impl Choice {
    /// Whether the model's variables are what it was made for.
    pub(super) fn fits(&self, state: u128) -> bool {
        self.when.iter().all(|(field, place)| state.get(*field) == *place)
    }
}

/// All choices, by edge.
#[derive(Debug, Default)]
pub(super) struct Choices {
    first: Vec<u32>,
    all: Vec<Choice>,
}

impl Choices {
    pub(super) fn new(model: &Model, graph: &Graph, session: &Session) -> Result<Choices, Fault> {
        let mut choices = Choices { first: vec![0], all: Vec::new() };
        let values = Sources::new(model, Some(graph), session);
        for (edge, id) in graph.transitions.iter().enumerate() {
            if let Some(transition) = model.transition(*id) {
                let edge = u32::try_from(edge).unwrap_or(u32::MAX);
                let found = values.choices(edge, transition).map_err(|mut fault| {
                    fault.message = format!("`{}`: {}", input::shortened(transition.event()), fault.message);
                    fault
                })?;
                choices.all.extend(found);
            }
            choices.first.push(u32::try_from(choices.all.len()).unwrap_or(u32::MAX));
        }
        Ok(choices)
    }

    pub(super) fn get(&self, label: u32) -> Option<&Choice> {
        self.all.get(label as usize)
    }

    /// The choices of an edge, each with its number.
    pub(super) fn of(&self, edge: u32) -> impl Iterator<Item = (u32, &Choice)> {
        let first = self.first.get(edge as usize).copied().unwrap_or(0);
        let end = self.first.get(edge as usize + 1).copied().unwrap_or(first);
        (first..end).zip(self.all.get(first as usize..end as usize).unwrap_or(&[]))
    }

    /// The variables that get values.
    pub(super) fn touched(&self) -> BTreeSet<VariableId> {
        let assigned = |choice: &Choice| {
            let observed = choice.asked.observes.assignments.iter();
            let all = choice.asked.action.0.overlay.iter().chain(observed);
            all.map(|assignment| assignment.variable).collect::<Vec<_>>()
        };
        self.all.iter().flat_map(assigned).collect()
    }
}

impl Model {
    /// Checks what transitions say of a session's vocabulary: states, variables, arguments, types. Located in the
    /// model's source.
    pub fn review_links(&self, source: &Source, session: &Session) -> Problems {
        let mut problems = Problems::new(source.clone());
        let values = Sources::new(self, None, session);
        for transition in &self.transitions {
            let Some(link) = &transition.link else { continue };
            let targets = values.targets(transition, link);
            for (linked, target) in targets {
                let checked = target.and_then(|target| values.options(linked, &target).map(|_| ()));
                if let Err(fault) = checked {
                    problems.push(fault.at(linked.span));
                }
            }
        }
        problems.sort();
        problems
    }
}

/// What values are made of.
struct Sources<'a> {
    model: &'a Model,
    graph: Option<&'a Graph>,
    session: &'a Session,
    bodies: Vec<Used<'a>>,
    /// The critical actions that transitions perform.
    performed: BTreeSet<ActionId>,
}

impl<'a> Sources<'a> {
    fn new(model: &'a Model, graph: Option<&'a Graph>, session: &'a Session) -> Sources<'a> {
        let actions = model.transitions.iter().map(Transition::action);
        let performed = actions.filter_map(|name| session.vocabulary().find_action(name)).collect();
        Sources { model, graph, session, bodies: bodies(session.evaluator.sets()), performed }
    }

    fn vocabulary(&self) -> &'a Vocabulary {
        self.session.vocabulary()
    }

    /// Every combination of values for a transition.
    fn choices(&self, edge: u32, transition: &Transition) -> Result<Vec<Choice>, Fault> {
        let nothing = Link::default();
        let link = transition.link.as_deref().unwrap_or(&nothing);
        let mut places: Vec<(Target<'a>, Vec<Tried>)> = Vec::new();
        for (linked, target) in self.targets(transition, link) {
            let target = target?;
            let options = self.options(linked, &target)?;
            places.push((target, options));
        }
        let combined = |places: &[(Target<'a>, Vec<Tried>)]| {
            places.iter().fold(1_usize, |count, (_, options)| count.saturating_mul(options.len()))
        };
        if combined(&places) > MOST_CHOICES {
            places.iter_mut().for_each(|(_, options)| options.retain(|option| !option.spare));
        }
        let count = combined(&places);
        if count > MOST_CHOICES {
            let message = format!("there are more than {MOST_CHOICES} combinations of values to choose from");
            return Err(Fault::new(Code::TooLarge, message).help("list the values that matter"));
        }
        (0..count).map(|number| self.choice(edge, transition, &places, number)).collect()
    }

    fn choice(
        &self,
        edge: u32,
        transition: &Transition,
        places: &[(Target<'a>, Vec<Tried>)],
        number: usize,
    ) -> Result<Choice, Fault> {
        let vocabulary = self.vocabulary();
        let mut action = Action::named(vocabulary, transition.action()).source(ValueSource::App);
        let (mut observed, mut causes) = (Vec::new(), Vec::new());
        let (mut when, mut values, mut unexpected, mut spare) = (Vec::new(), Vec::new(), false, false);
        let mut rest = number;
        // The first place changes slowest, so that what is written first is tried first.
        for (target, options) in places.iter().rev() {
            let Some(option) = options.get(rest % options.len().max(1)) else { continue };
            rest /= options.len().max(1);
            unexpected |= option.unexpected;
            spare |= option.spare;
            when.extend(option.when);
            let assigned = |variable, value: &Option<Value>| Assignment {
                variable,
                value: value.clone(),
                source: ValueSource::App,
            };
            match (&option.value, target) {
                (Some(Given::Value(value)), Target::Argument(name, _, variable)) => {
                    let path = variable.map_or_else(|| name.clone(), |id| vocabulary.path(id));
                    values.extend(value.clone().map(|value| (path, value)));
                    action = action.argument(name, value.clone().map_or(Input::Unknown, Input::Value));
                }
                (Some(Given::Free(value)), Target::Free(name, _)) => {
                    let said = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    values.push((name.clone(), Value::text(&said)));
                    action = action.json_argument(name, value.clone(), |_, _| Ok(None));
                }
                (Some(Given::Value(value)), Target::Cause(id) | Target::Observation(id)) => {
                    values.extend(value.clone().map(|value| (vocabulary.path(*id), value)));
                    let list = if matches!(target, Target::Cause(_)) { &mut causes } else { &mut observed };
                    list.push(assigned(*id, value));
                }
                _ => {}
            }
        }
        causes.reverse();
        observed.reverse();
        // Of one name, what is done counts before what is seen.
        values.reverse();
        let action = action.assign(causes).build()?;
        let observes = Update::from_assignments(vocabulary, observed);
        Ok(Choice { edge, asked: Asked { action, observes, unexpected }, spare, values, when })
    }
}
