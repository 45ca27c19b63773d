//! Can an objective be reached, and in which order? A search over sets of achieved objectives, a check for
//! each step.
//!
//! Knows goals, and which manners of a search to try; must never show a plan whose steps don't go together.

mod near;
mod plan;
mod stand;
mod steps;
mod walk;

use super::{Analyst, Answer, Claims, RuleId, Trouble};
use crate::diagnostic::Fault;
use crate::ir::{Head, Objective};
use crate::schema::{ActionId, StateId, VariableId};
use crate::solve::{Limit, Model};
use crate::value::Value;
pub use plan::{Plan, Step};
use std::collections::{BTreeMap, BTreeSet};

/// A goal: the number of its specification, and what is to be achieved there.
pub(super) type Goal = (usize, Head);

/// Where a search starts, and where it stands.
#[derive(Clone, Default)]
pub(super) struct Node {
    /// What is achieved in each specification; actions are performed for all of them.
    pub(super) achieved: BTreeSet<(usize, Objective)>,
    /// The arguments with which actions were performed.
    pub(super) arguments: BTreeMap<VariableId, Value>,
    /// States of which something has been observed.
    pub(super) observed: BTreeSet<StateId>,
    /// What was achieved before the search.
    pub(super) given: BTreeSet<(usize, Objective)>,
    /// What is known, and stays so where it can; nothing if that doesn't matter.
    pub(super) present: BTreeMap<VariableId, Value>,
    /// The goals that were reached, by their places.
    reached: BTreeSet<usize>,
    /// The last step.
    last: Option<Model>,
    plan: Plan,
    /// What each step concludes, and what its rules speak of.
    spoken: Vec<(Head, BTreeSet<VariableId>)>,
}

/// What is searched for, and from where.
pub(super) struct Task<'a> {
    pub(super) start: &'a Node,
    /// What is to be achieved.
    pub(super) goals: &'a [Goal],
    /// A moment of the first specification that is to come instead.
    pub(super) moment: Option<&'a Moment<'a>>,
    /// What is not performed.
    pub(super) barred: &'a BTreeSet<ActionId>,
}

/// What is asked of the end of a way.
pub(super) struct Moment<'a> {
    /// What is concluded, or would be.
    pub(super) head: Head,
    /// Whether that may complete the task.
    pub(super) ends: bool,
    /// The critical action that is attempted.
    pub(super) attempted: Option<ActionId>,
    /// The rules whose objectives are needed, or some of them.
    pub(super) needs: &'a [RuleId],
    /// What is so, and what that speaks of.
    pub(super) claims: &'a dyn Fn(&mut Analyst) -> (Claims, BTreeSet<VariableId>),
}

impl Task<'_> {
    fn is_reached(&self, node: &Node) -> bool {
        self.moment.is_none() && node.reached.len() == self.goals.len()
    }

    /// Whether a goal ends the task, so that what completes it does not end the way too early.
    pub(super) fn ends(&self, set: usize) -> bool {
        self.moment.is_some_and(|moment| moment.ends) || self.goals.contains(&(set, Head::Done))
    }
}

/// What steps have in common.
#[derive(Clone, Default)]
struct Manner {
    /// Nothing: each step for itself may have any today and parameters, and any arguments of earlier
    /// actions that their rules allow. So more can be reached than can be, and a no is a no.
    free: bool,
    /// Today and the parameters, if not those of the first step.
    bound: Option<Model>,
    /// Arguments with which actions are performed.
    arguments: BTreeMap<VariableId, Value>,
}

impl Analyst {
    /// Whether the task can be completed, and how.
    ///
    /// # Errors
    /// Solver and evaluator disagree: a bug.
    pub fn can_complete(&mut self) -> Result<Answer<Plan>, Fault> {
        self.can_reach(Head::Done)
    }

    /// Whether an objective can be achieved before the task is complete, or the task be completed.
    ///
    /// # Errors
    /// As [`Analyst::can_complete`].
    pub fn can_reach(&mut self, goal: Head) -> Result<Answer<Plan>, Fault> {
        self.can_reach_all(&[(0, goal)])
    }

    pub(super) fn can_reach_all(&mut self, goals: &[Goal]) -> Result<Answer<Plan>, Fault> {
        self.can_reach_from(&Node::default(), goals, &BTreeSet::new())
    }

    /// From where a search starts, without performing `barred` actions.
    pub(super) fn can_reach_from(
        &mut self,
        start: &Node,
        goals: &[Goal],
        barred: &BTreeSet<ActionId>,
    ) -> Result<Answer<Plan>, Fault> {
        self.find_way(&Task { start, goals, moment: None, barred })
    }

    pub(super) fn find_way(&mut self, task: &Task) -> Result<Answer<Plan>, Fault> {
        let from_nothing = task.start.present.is_empty() && task.start.given.is_empty();
        if let (true, [(0, goal)], None, 1) = (from_nothing, task.goals, task.moment, self.specifications)
            && let Some(plan) = self.stroll(*goal, task.barred)
        {
            return Ok(Answer::Yes(plan));
        }
        self.twice(|analyst| match analyst.reach(task) {
            Ok(answer) => Ok(answer),
            Err(Trouble::Limit(limit)) => Ok(Answer::Unknown(limit)),
            Err(Trouble::Bug(fault)) => Err(fault),
        })
    }

    fn reach(&mut self, task: &Task) -> Result<Answer<Plan>, Trouble> {
        let free = Manner { free: true, ..Manner::default() };
        let end = match self.search(task, &free)? {
            Answer::Yes(end) => end,
            Answer::No(reason) => return Ok(Answer::No(reason)),
            Answer::Unknown(limit) => return Ok(Answer::Unknown(limit)),
        };
        let (end, spared) = self.without_detours(task, end)?;
        if end.plan.is_of_one_session() && !self.asks_for_observations() {
            return Ok(Answer::Yes(self.shown(end)));
        }
        // What the last step asks of earlier ones may do for all, or else what the first step has.
        let arguments = end.last.as_ref().map(|last| self.arguments_in(last, &end));
        let as_last = Manner { free: false, bound: end.last, arguments: arguments.unwrap_or_default() };
        let direct = Task { barred: &spared, ..*task };
        let tasks = if spared == *task.barred { vec![task] } else { vec![&direct, task] };
        for task in tasks {
            for manner in [&as_last, &Manner::default()] {
                if let Answer::Yes(end) = self.search(task, manner)? {
                    return Ok(Answer::Yes(self.shown(end)));
                }
            }
        }
        // Other values might do.
        Ok(Answer::Unknown(Limit::Checks))
    }

    /// The same end without actions that are not needed for it, and what is not performed then.
    fn without_detours(&mut self, task: &Task, mut end: Node) -> Result<(Node, BTreeSet<ActionId>), Trouble> {
        let free = Manner { free: true, ..Manner::default() };
        let (needed, mut barred) = (self.always_needed(task), task.barred.clone());
        let performed = |node: &Node| -> Vec<ActionId> {
            let given = node.achieved.difference(&node.given);
            given.filter_map(|(_, objective)| Head::Objective(*objective).action()).collect()
        };
        for action in performed(&end) {
            if needed.contains(&action) || !performed(&end).contains(&action) {
                continue;
            }
            barred.insert(action);
            match self.walk(&Task { barred: &barred, ..*task }, &free, true)? {
                Answer::Yes(other) => end = other,
                Answer::No(_) | Answer::Unknown(_) => drop(barred.remove(&action)),
            }
        }
        Ok((end, barred))
    }

    /// The arguments of what was performed, as a step has them.
    fn arguments_in(&self, model: &Model, node: &Node) -> BTreeMap<VariableId, Value> {
        let of_performed = |id: VariableId| {
            let of = self.argument_of(id);
            of.is_some_and(|action| node.achieved.contains(&(0, Objective::Action(action))))
        };
        let known = model.values.iter().chain(&model.committed);
        known.filter(|(id, _)| of_performed(**id)).map(owned).collect()
    }

    /// The action whose argument a variable is.
    pub(super) fn argument_of(&self, id: VariableId) -> Option<ActionId> {
        let vocabulary = self.vocabulary()?;
        vocabulary.state(vocabulary.variable(id).state()).arguments_of()
    }
}

/// A variable and its value, of a map.
fn owned((id, value): (&VariableId, &Value)) -> (VariableId, Value) {
    (*id, value.clone())
}
