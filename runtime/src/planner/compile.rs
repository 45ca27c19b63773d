//! A model and a goal as a graph of packed states: page, variables and progress in one number.
//!
//! A variable ranges over what it can ever be, so a guard is a table over small numbers. Knows models, calls and goals;
//! must never know how a way through the graph is looked for.

mod domains;
mod scene;
mod tables;

use super::model::{Call, Model, PageId, TransitionId, conditions};
use super::packed::{Edge, Edges, Field, More};
use domains::MOST_VALUES;
pub(super) use domains::{Assigned, Domain, domains};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::ir::{Element, Operand};
use intentgate_engine::schema::VariableId;
use intentgate_engine::value::Value;
use scene::NOTHING;
pub(super) use scene::{Scene, Values};
use std::collections::{BTreeMap, HashMap};
use tables::{MOST_COMBINATIONS, bounded, require};

/// A model and a goal, packed.
#[derive(Debug)]
pub(super) struct Graph {
    page: Field,
    progress: Field,
    fields: BTreeMap<VariableId, (Field, Domain)>,
    /// The place of each value in the domain of its variable.
    places: BTreeMap<VariableId, HashMap<Option<Value>, usize>>,
    /// How many bits a state takes.
    pub(super) bits: u32,
    pub(super) edges: Edges<u128>,
    /// The transition of each edge.
    pub(super) transitions: Vec<TransitionId>,
}

/// Why there is no graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unpacked {
    /// A state takes more than 128 bits.
    TooLarge,
    /// A variable can be too much.
    Values(String),
    /// The guards ask for too many combinations.
    Guards,
    /// A call of no function, or without an argument.
    Call(String),
}

impl From<Unpacked> for Fault {
    fn from(unpacked: Unpacked) -> Fault {
        match unpacked {
            Unpacked::TooLarge => Fault::new(Code::TooLarge, "a state of the model takes more than 128 bits")
                .help("split the model, or give its variables fewer values"),
            Unpacked::Values(name) => {
                let message = format!("`{name}` can have more than {MOST_VALUES} values");
                Fault::new(Code::TooLarge, message).help("give it fewer in updates")
            }
            Unpacked::Guards => {
                let message =
                    format!("the guards allow more than {MOST_COMBINATIONS} combinations of values");
                Fault::new(Code::TooLarge, message).help("give the variables that are compared fewer values")
            }
            Unpacked::Call(why) => Fault::new(Code::UnknownFunction, why),
        }
    }
}

impl Graph {
    /// `progress` counts what has been done: the calls, in order, or pages that were visited. A function is performed
    /// where it is called, and only there; without calls it may be where `free` says so.
    pub(super) fn new(
        model: &Model,
        start: &Assigned,
        calls: &[Call],
        visits: &[PageId],
        free: bool,
    ) -> Result<Graph, Unpacked> {
        let arguments = arguments(model, calls)?;
        let mut domains = domains(model, start, &arguments)?;
        bounded(model, &domains)?;
        let mut bits = 0;
        let page = Field::next(&mut bits, model.pages.len());
        // Visits are bits, calls a number.
        let size = if visits.is_empty() { calls.len() + 1 } else { 1 << visits.len().min(63) };
        let progress = Field::next(&mut bits, size);
        let mut fields = BTreeMap::new();
        for (id, _) in &model.initial {
            let domain = domains.remove(id).unwrap_or_default();
            fields.insert(*id, (Field::next(&mut bits, domain.len()), domain));
        }
        if bits > u128::BITS {
            return Err(Unpacked::TooLarge);
        }
        let places = fields.iter().map(|(id, (_, domain))| {
            (*id, domain.iter().enumerate().map(|(place, value)| (value.clone(), place)).collect())
        });
        let places = places.collect();
        let (edges, transitions) = (Edges::default(), Vec::new());
        let mut graph = Graph { page, progress, fields, places, bits, edges, transitions };
        let mut pages = vec![Vec::new(); model.pages.len()];
        for (id, transition) in model.transitions() {
            let steps: Vec<Option<usize>> = match transition.function {
                None => vec![None],
                Some(_) if free => vec![None],
                Some(function) => {
                    let name = model.vocabulary.action(function).name();
                    let places = calls.iter().enumerate().filter(|(_, call)| call.function == name);
                    places.map(|(place, _)| Some(place)).collect()
                }
            };
            for step in steps {
                let given = step.and_then(|step| arguments.get(step)).unwrap_or(&NOTHING);
                let edge = graph.edge(model, id, step, given, visits);
                if let Some(edges) = pages.get_mut(transition.from.index()) {
                    edges.extend(edge.map(|edge| (edge, id)));
                }
            }
        }
        graph.transitions = pages.iter().flatten().map(|(_, id)| *id).collect();
        let edges = pages.into_iter().map(|page| page.into_iter().map(|(edge, _)| edge).collect());
        graph.edges = Edges::new(edges.collect());
        Ok(graph)
    }

    fn edge(
        &self,
        model: &Model,
        id: TransitionId,
        step: Option<usize>,
        given: &Values,
        visits: &[PageId],
    ) -> Option<Edge<u128>> {
        let transition = model.transition(id)?;
        let mut edge = Edge {
            cost: transition.cost,
            mask: self.page.all(),
            bits: self.page.put(transition.from.index()),
            keep: !self.page.all(),
            set: self.page.put(transition.to.index()),
            more: None,
        };
        let mut more = More { tables: Vec::new(), copies: Vec::new() };
        if let Some(step) = step {
            edge.mask |= self.progress.all();
            edge.bits |= self.progress.put(step);
            edge.keep &= !self.progress.all();
            edge.set |= self.progress.put(step + 1);
        }
        if let Some(visit) = visits.iter().position(|visit| *visit == transition.to) {
            edge.set |= self.progress.put(1 << visit);
        }
        if let Some(guard) = &transition.guard {
            for constraint in conditions(guard) {
                let table = self.table(model, guard, constraint, given)?;
                require(&mut edge, &mut more, table);
            }
        }
        for (variable, operand) in &transition.update {
            let (field, _) = self.fields.get(variable)?;
            let places = self.places.get(variable)?;
            edge.keep &= !field.all();
            let place = |value: &Option<Value>| places.get(value).copied();
            match operand {
                Operand::Single(Element::Value(value)) => edge.set |= field.put(place(&Some(value.clone()))?),
                Operand::Variable(other) => match self.fields.get(other) {
                    Some((from, values)) => {
                        let bits = values.iter().map(|value| field.put(place(value).unwrap_or_default()));
                        more.copies.push((*from, bits.collect()));
                    }
                    None => edge.set |= field.put(place(&given.get(other).cloned())?),
                },
                Operand::Single(_) | Operand::List(_) => return None,
            }
        }
        if !(more.tables.is_empty() && more.copies.is_empty()) {
            edge.more = Some(Box::new(more));
        }
        Some(edge)
    }

    /// The state of a page and values.
    pub(super) fn pack(&self, page: PageId, values: &Assigned, visits: &[PageId]) -> Option<u128> {
        let mut state = self.page.put(page.index());
        if let Some(visit) = visits.iter().position(|visit| *visit == page) {
            state |= self.progress.put(1 << visit);
        }
        for (id, (field, domain)) in &self.fields {
            let value = values.get(id).cloned().flatten();
            state |= field.put(domain.iter().position(|known| *known == value)?);
        }
        Some(state)
    }

    /// Where the page stands in a state.
    pub(super) fn page(&self) -> Field {
        self.page
    }

    /// Where a state counts what has been done.
    pub(super) fn progress(&self) -> Field {
        self.progress
    }

    /// Where a variable stands in a state, and what it can be.
    pub(super) fn domain(&self, id: VariableId) -> Option<(Field, &Domain)> {
        self.fields.get(&id).map(|(field, domain)| (*field, domain))
    }

    /// The variables, with what each can be.
    pub(super) fn domains(&self) -> impl Iterator<Item = (VariableId, &[Option<Value>])> {
        self.fields.iter().map(|(id, (_, domain))| (*id, domain.as_slice()))
    }
}

/// The arguments of each call, as variables.
pub(super) fn arguments(model: &Model, calls: &[Call]) -> Result<Vec<Values>, Unpacked> {
    let vocabulary = &model.vocabulary;
    calls
        .iter()
        .map(|call| {
            let wrong = |what: String| Unpacked::Call(format!("`{}` {what}", call.function));
            let function =
                vocabulary.find_action(&call.function).ok_or_else(|| wrong("is no function".to_owned()))?;
            let state = vocabulary.find_state(vocabulary.action(function).name());
            let state = state.ok_or_else(|| wrong("is no function".to_owned()))?;
            let mut values = Values::new();
            for (name, value) in &call.arguments {
                let id = vocabulary.find_variable(state, name);
                let id = id.ok_or_else(|| wrong(format!("has no parameter `{name}`")))?;
                let kind = vocabulary.variable(id).variable_type();
                if value.kind() != kind.kind() {
                    return Err(wrong(format!(
                        "takes a {} for `{name}`, not a {}",
                        kind.kind(),
                        value.kind()
                    )));
                }
                values.insert(id, value.clone());
            }
            match vocabulary.state(state).variables().find(|id| !values.contains_key(id)) {
                Some(id) => Err(wrong(format!("needs a value for `{}`", vocabulary.variable(id).name()))),
                None => Ok(values),
            }
        })
        .collect()
}
