//! What the solver says of a session: can its task still be completed, and what would have to change?
//!
//! Joins [`crate::session`] and the engine's analysis. Asked for by the host, never on the path of a
//! decision.

use crate::session::{Session, Start};
use intentgate_engine::analysis::{self, Attainability, Now};
use intentgate_engine::compile::bind::Given;
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::eval::semantics::View;
use intentgate_engine::ir::Objective;
use intentgate_engine::solve::Setting;
use std::sync::Arc;

/// What is fixed for a session.
pub(crate) fn setting(start: &Start, parameters: &[(String, Given)]) -> Setting {
    Setting {
        today: Some(start.today),
        parameters: parameters.to_vec(),
        measure: Arc::clone(&start.measure),
        bounds: start.bounds,
        ..Setting::default()
    }
}

impl Session {
    /// Whether the task can still be completed, from what is known and achieved now, and what would have to
    /// change first. Actions whose outcome is unknown are left alone.
    ///
    /// Takes the time of an analysis: milliseconds to seconds.
    ///
    /// # Errors
    /// A libz3 that is too old; solver and evaluator disagree, which is a bug.
    pub fn attainability(&self) -> Result<Attainability, Fault> {
        let vocabulary = self.vocabulary();
        let facts = vocabulary.variables().filter_map(|(id, _)| {
            let fact = self.fact(id);
            Some((id, fact.value.filter(|_| fact.counts)?))
        });
        let performed = vocabulary.actions().map(|(id, _)| Objective::Action(id));
        let now = Now {
            facts: facts.collect(),
            observed: vocabulary
                .states()
                .map(|(id, _)| id)
                .filter(|id| self.evaluator.observed(*id))
                .collect(),
            achieved: self
                .milestones()
                .chain(performed)
                .filter(|objective| self.evaluator.is_achieved(*objective))
                .collect(),
            unsettled: self.unsettled().filter_map(|name| vocabulary.find_action(name)).collect(),
            done: self.is_done(),
        };
        let setting = setting(&self.start, &self.start.parameters);
        analysis::attainability(&self.start.specification, &self.start.policies, &setting, &now)
    }
}
