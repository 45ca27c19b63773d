//! What lacks where no plan is known, as data: conditions that don't hold, actions that nothing performs or that are
//! unsettled, functions that would have to be performed.
//!
//! Says what is known to lack, never that nothing else does.

use super::Model;
use super::search::{Bounds, Found, Goal, PlanError, Planner, Start};
use crate::gate::feedback::RuleReport;
use crate::session::Session;
use serde::Serialize;

/// What lacks for a task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lacks {
    /// The rules nearest to true, for each of what is not achieved one.
    pub unmet: Vec<Unmet>,
    /// Critical actions that the task asks for and no transition of the model performs.
    pub not_performed: Vec<String>,
    /// Actions of which it is unknown whether they were performed: they are blocked until that is resolved.
    pub unsettled: Vec<String>,
}

/// A rule that does not hold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unmet {
    /// Its label, or its number.
    pub rule: String,
    /// What it is for: an objective or `Done`.
    pub head: String,
    /// What does not hold: `State.variable`, or an objective.
    pub parts: Vec<String>,
}

impl Lacks {
    /// What lacks for a session's task on a model.
    pub fn new(model: &Model, session: &Session) -> Lacks {
        let vocabulary = session.vocabulary();
        let roadmap = session.roadmap();
        let mut nearest: Vec<(&RuleReport, Vec<String>)> = Vec::new();
        let open = |rule: &&RuleReport| {
            rule.head != "Never" && !rule.truth.is_true() && !session.is_achieved(&rule.head)
        };
        for rule in roadmap.iter().filter(open) {
            let parts = rule.unmet();
            match nearest.iter_mut().find(|(known, _)| known.head == rule.head) {
                Some(known) if parts.len() < known.1.len() => *known = (rule, parts),
                Some(_) => {}
                None => nearest.push((rule, parts)),
            }
        }
        let performed = |name: &str| model.transitions().any(|(_, transition)| transition.action() == name);
        let mut wanted: Vec<&str> = Vec::new();
        for (rule, _) in &nearest {
            let named = rule.predicates.iter().filter(|one| one.objective && one.critical);
            let named = named.map(|one| one.name.as_str()).chain(rule.critical.then_some(rule.head.as_str()));
            wanted.extend(named.filter(|name| vocabulary.find_action(name).is_some()));
        }
        wanted.retain(|name| !session.is_achieved(name) && !performed(name));
        wanted.sort_unstable();
        wanted.dedup();
        Lacks {
            not_performed: wanted.into_iter().map(str::to_owned).collect(),
            unsettled: session.unsettled().map(str::to_owned).collect(),
            unmet: nearest
                .into_iter()
                .map(|(rule, parts)| Unmet { rule: rule.rule.clone(), head: rule.head.clone(), parts })
                .collect(),
        }
    }
}

impl Planner<'_> {
    /// The primary functions that a cheapest way to pages or to a condition performs, where there is none that
    /// performs no function: plans to these perform only what is asked for. Nothing if that doesn't help, either, or
    /// can't be told within the bounds; and nothing for functions.
    ///
    /// # Errors
    /// As [`Planner::plan`].
    pub fn functions_on_the_way(
        &self,
        start: &Start,
        goal: &Goal,
        bounds: &Bounds,
    ) -> Result<Vec<String>, PlanError> {
        if matches!(goal, Goal::Functions(_)) {
            return Ok(Vec::new());
        }
        let mut free = self.model.clone();
        for transition in &mut free.transitions {
            transition.function = None;
        }
        let Found::Path(path) = Planner::new(&free).plan(start, goal, bounds)? else { return Ok(Vec::new()) };
        let mut names: Vec<String> = Vec::new();
        for step in &path.steps {
            let function =
                self.model.transition(step.transition).and_then(|transition| transition.function());
            let name = function.map(|id| self.model.vocabulary().action(id).name().to_owned());
            names.extend(name.filter(|name| !names.contains(name)));
        }
        Ok(names)
    }
}
