//! A way as it is shown: its steps, each a situation in which something is achieved.
//!
//! Knows what came of a search; must never know how one goes on.

use super::{Goal, Node};
use crate::analysis::{Analyst, Situation};
use crate::ir::{Head, Objective};
use crate::schema::VariableId;
use crate::solve::{Model, Raw};
use crate::value::Value;
use std::collections::BTreeMap;

/// A sequence of situations at whose end something is achieved.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct Plan {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A situation, and what is achieved in it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Step {
    /// What is known.
    pub situation: Situation,
    /// The objective, or `Done`.
    pub achieves: String,
    /// Whether a critical action is performed.
    pub critical: bool,
}

impl Plan {
    /// Whether today, the parameters, and the arguments of what was performed are the same in all steps.
    pub(super) fn is_of_one_session(&self) -> bool {
        let mut today = None;
        let mut parameters: BTreeMap<&str, &Value> = BTreeMap::new();
        let mut performed: Vec<(String, &Situation)> = Vec::new();
        self.steps.iter().all(|Step { situation, achieves, critical }| {
            let same_day = situation.today.is_none_or(|day| *today.get_or_insert(day) == day);
            let same = situation
                .parameters
                .iter()
                .all(|(name, value)| *parameters.entry(name).or_insert(value) == value);
            let as_performed = situation.values.iter().all(|(path, value)| {
                let by = performed.iter().find(|(prefix, _)| path.starts_with(prefix));
                by.is_none_or(|(_, then)| then.value(path) == Some(value))
            });
            if *critical {
                performed.push((format!("{achieves}."), situation));
            }
            same_day && same && as_performed
        })
    }
}

impl Analyst {
    /// The plan of a way. With what earlier actions were performed is shown where it is spoken of.
    pub(super) fn shown(&self, end: Node) -> Plan {
        let mut plan = end.plan;
        let Some(vocabulary) = self.vocabulary() else { return plan };
        for (step, (head, spoken)) in plan.steps.iter_mut().zip(&end.spoken) {
            let matters = |id: VariableId| {
                let of = self.argument_of(id);
                spoken.contains(&id) || of.is_none() || of == head.action()
            };
            step.situation.values.retain(|(path, _)| vocabulary.find_path(path).is_none_or(matters));
        }
        plan
    }

    /// A step to a goal, as it is shown.
    pub(super) fn step(&self, node: &Node, raw: &Raw, model: &Model, (set, head): Goal) -> Step {
        let of = self.set(set);
        let mut name = of.map_or_else(String::new, |specification| specification.head_name(head).to_owned());
        if let (true, Head::Done, Some(specification)) = (self.specifications > 1, head, of) {
            name = format!("{name} of {}", specification.source().name());
        }
        let critical = matches!(head, Head::Objective(Objective::Action(_)));
        Step { situation: self.situation(raw, model, &node.observed), achieves: name, critical }
    }
}
