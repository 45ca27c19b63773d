//! Can a task that has begun still be completed?

use super::reach::Node;
use super::{Analyst, Answer, Plan};
use crate::diagnostic::Fault;
use crate::ir::{Head, Kind, Objective, Specification};
use crate::schema::{ActionId, StateId, VariableId};
use crate::solve::Setting;
use crate::value::Value;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// What a task has come to.
#[derive(Debug, Clone, Default)]
pub struct Now {
    /// What is known and counts, arguments of what was performed included.
    pub facts: Vec<(VariableId, Value)>,
    /// States of which something has been observed, be it known still or not.
    pub observed: Vec<StateId>,
    /// What is achieved.
    pub achieved: Vec<Objective>,
    /// Actions of which it is unknown whether they were performed: they are left alone.
    pub unsettled: Vec<ActionId>,
    /// Whether it is complete.
    pub done: bool,
}

/// Whether a task can be completed from where it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attainability {
    /// How; the plan has no steps if it is complete. What is known stays so where it can.
    pub plan: Answer<Plan>,
    /// What would have to change for the first step of the plan.
    pub changes: Vec<Change>,
    /// Actions whose outcome is unknown, and which no plan performs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsettled: Vec<String>,
    /// Actions that were performed, and that might complete the task if they were performed again with other
    /// arguments: no plan does that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<String>,
    /// Whether there is no task to complete: the specification is a standing one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub standing: bool,
}

/// A value that would have to be another one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The variable, as `State.variable`.
    pub variable: String,
    /// What it is; nothing if that is unknown.
    pub from: Option<Value>,
    /// What would do; nothing if it would have to be unknown.
    pub to: Option<Value>,
}

/// Whether a task that has begun can still be completed, and what would have to change first.
///
/// What is to be observed again may come out otherwise; what was performed stays performed, with its
/// arguments. A plan performs no action a second time.
///
/// # Errors
/// A libz3 that is too old; solver and evaluator disagree, which is a bug.
pub fn attainability(
    specification: &Arc<Specification>,
    policies: &[Arc<Specification>],
    setting: &Setting,
    now: &Now,
) -> Result<Attainability, Fault> {
    let standing = specification.kind() == Kind::Standing;
    if now.done || standing {
        let plan = Answer::Yes(Plan::default());
        let (unsettled, again) = (Vec::new(), Vec::new());
        return Ok(Attainability { plan, changes: Vec::new(), unsettled, again, standing });
    }
    Analyst::ask(specification, policies, setting, |analyst| analyst.attain(now))
}

impl Analyst {
    fn attain(&mut self, now: &Now) -> Result<Attainability, Fault> {
        let achieved: BTreeSet<(usize, Objective)> =
            now.achieved.iter().map(|objective| (0, *objective)).collect();
        let mut start = Node::default();
        start.given.clone_from(&achieved);
        start.achieved = achieved;
        start.observed = now.observed.iter().copied().collect();
        let spoken: BTreeSet<VariableId> =
            self.rules().into_iter().flat_map(|id| self.variables(id)).collect();
        for (id, value) in now.facts.iter().filter(|(id, _)| spoken.contains(id)) {
            let facts =
                if self.argument_of(*id).is_some() { &mut start.arguments } else { &mut start.present };
            facts.insert(*id, value.clone());
        }
        let barred: BTreeSet<ActionId> = now.unsettled.iter().copied().collect();
        let plan = self.can_reach_from(&start, &[(0, Head::Done)], &barred)?;
        let mut changes = Vec::new();
        let first = plan.example().and_then(|plan| plan.steps.first());
        if let (Some(step), Some(vocabulary)) = (first, self.vocabulary()) {
            let of_now = |path: &str| {
                let id = vocabulary.find_path(path)?;
                now.facts.iter().find(|(known, _)| *known == id).map(|(_, value)| value.clone())
            };
            let proposed = format!("{}.", step.achieves);
            for (path, value) in &step.situation.values {
                // What is proposed is nothing to observe.
                let from = of_now(path);
                if from.as_ref() != Some(value) && !(step.critical && path.starts_with(&proposed)) {
                    changes.push(Change { variable: path.clone(), from, to: Some(value.clone()) });
                }
            }
            for (id, value) in &start.present {
                let path = vocabulary.path(*id);
                if step.situation.value(&path).is_none() {
                    changes.push(Change { variable: path, from: Some(value.clone()), to: None });
                }
            }
        }
        let unsettled = self.vocabulary().map_or_else(Vec::new, |vocabulary| {
            now.unsettled.iter().map(|action| vocabulary.action(*action).name().to_owned()).collect()
        });
        let again = if plan.is_no() { self.spoken_of(&start) } else { Vec::new() };
        Ok(Attainability { plan, changes, unsettled, again, standing: false })
    }
}

impl Analyst {
    /// The actions that were performed and whose arguments a rule speaks of that is not for them.
    fn spoken_of(&self, start: &Node) -> Vec<String> {
        let performed = start.given.iter().filter_map(|(_, objective)| match objective {
            Objective::Action(action) => Some(*action),
            Objective::Milestone(_) => None,
        });
        let spoken = performed.filter(|action| {
            self.rules().into_iter().any(|id| {
                self.head(id).and_then(Head::action) != Some(*action)
                    && self.variables(id).iter().any(|id| self.argument_of(*id) == Some(*action))
            })
        });
        let Some(vocabulary) = self.vocabulary() else { return Vec::new() };
        spoken.map(|action| vocabulary.action(action).name().to_owned()).collect()
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Change { variable, from, to } = self;
        match (from, to) {
            (None, Some(to)) => write!(f, "{variable} is unknown; {to} would do"),
            (Some(from), Some(to)) => write!(f, "{variable} is {from}; {to} would do"),
            (Some(from), None) => write!(f, "{variable} is {from}, and would have to be unknown"),
            (None, None) => write!(f, "{variable} is unknown"),
        }
    }
}

impl fmt::Display for Attainability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.plan {
            Answer::Yes(_) if self.standing => writeln!(f, "there is no task to complete"),
            Answer::Yes(plan) if plan.steps.is_empty() => writeln!(f, "the task is complete"),
            Answer::Yes(plan) => {
                writeln!(f, "the task can be completed:")?;
                plan.fmt(f)?;
                if !self.changes.is_empty() {
                    writeln!(f, "for the first step:")?;
                }
                self.changes.iter().try_for_each(|change| writeln!(f, "  {change}"))
            }
            Answer::No(reason) => {
                match (self.unsettled.as_slice(), self.again.as_slice()) {
                    ([], []) => writeln!(f, "the task can't be completed any more:")?,
                    ([], again) => {
                        let again = again.join(", ");
                        writeln!(f, "the task can't be completed without performing {again} again:")?;
                    }
                    (open, _) => {
                        let open = open.join(", ");
                        writeln!(f, "the task can't be completed while the outcome of {open} is unknown:")?;
                    }
                }
                reason.to_string().lines().try_for_each(|line| writeln!(f, "  {line}"))
            }
            Answer::Unknown(limit) => {
                writeln!(f, "it is unknown whether the task can be completed ({limit})")
            }
        }
    }
}
