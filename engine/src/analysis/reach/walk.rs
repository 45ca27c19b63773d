//! The order in which a search looks at things: what is performed, what is achieved by itself, what comes first.
//!
//! Knows which steps were possible; must never know why one is.

use super::{Manner, Node, Task};
use crate::analysis::{Analyst, Answer, Part, Reason, Trouble};
use crate::ir::{Head, Objective};
use crate::schema::ActionId;
use crate::solve::Limit;
use std::collections::{BTreeSet, VecDeque};

impl Analyst {
    /// The end of a straight way, or of any way where straight ones may miss it.
    pub(super) fn search(&mut self, task: &Task, manner: &Manner) -> Result<Answer<Node>, Trouble> {
        let straight = self.walk(task, manner, true)?;
        let settled = task.moment.is_none() && task.goals.len() == 1 && !self.actions_hinder(task);
        if settled || straight.is_yes() { Ok(straight) } else { self.walk(task, manner, false) }
    }

    /// Looks for a way: `straight` on, performing the first thing that can be performed and never asking
    /// what would be without it, or along all ways, the shortest ones first.
    pub(super) fn walk(
        &mut self,
        task: &Task,
        manner: &Manner,
        straight: bool,
    ) -> Result<Answer<Node>, Trouble> {
        let Task { start, goals, moment, barred } = *task;
        let needed: Vec<(Vec<ActionId>, Vec<Objective>)> =
            (0..self.specifications).map(|set| self.needed(set, task)).collect();
        let mut open = VecDeque::from([start.clone()]);
        let mut seen = BTreeSet::new();
        let mut reasons: BTreeSet<Part> = BTreeSet::new();
        let mut checks = 0;
        while let Some(node) = open.pop_front() {
            if !seen.insert((node.achieved.clone(), node.reached.clone())) {
                continue;
            }
            let mut found = Vec::new();
            if let Some(moment) = moment {
                checks += 1;
                match self.moment(&node, moment, manner)? {
                    Ok(next) => return Ok(Answer::Yes(next)),
                    Err(reason) => found.push(Err(reason)),
                }
            }
            // What no action performs.
            for (place, goal) in goals.iter().enumerate() {
                let performed = matches!(goal.1, Head::Objective(Objective::Action(_)));
                if !performed && !node.reached.contains(&place) {
                    checks += 1;
                    match self.arrive(&node, Some(place), *goal, manner)? {
                        Ok(next) if task.is_reached(&next) => return Ok(Answer::Yes(next)),
                        next => found.push(next),
                    }
                }
            }
            let mut performed = false;
            for (set, (actions, _)) in needed.iter().enumerate() {
                // Once a task is complete, its rules allow nothing more.
                let complete = node.reached.iter().any(|place| goals.get(*place) == Some(&(set, Head::Done)));
                if complete || (straight && performed) {
                    continue;
                }
                for action in actions {
                    if node.achieved.contains(&(0, Objective::Action(*action))) || barred.contains(action) {
                        continue;
                    }
                    checks += 1;
                    if checks > self.bounds().checks {
                        return Ok(Answer::Unknown(Limit::Checks));
                    }
                    match self.perform(&node, task, set, *action, manner)? {
                        Ok(next) if task.is_reached(&next) => return Ok(Answer::Yes(next)),
                        next => {
                            performed |= next.is_ok();
                            found.push(next);
                        }
                    }
                    if straight && performed {
                        break;
                    }
                }
            }
            // A milestone may need other values than what comes after it: it is achieved first.
            for (set, (_, milestones)) in needed.iter().enumerate() {
                let moves = |found: &[Result<Node, Reason>]| straight && found.iter().any(Result::is_ok);
                for milestone in milestones {
                    if moves(&found) || node.achieved.contains(&(set, *milestone)) {
                        continue;
                    }
                    checks += 1;
                    if checks > self.bounds().checks {
                        return Ok(Answer::Unknown(Limit::Checks));
                    }
                    found.push(self.arrive(&node, None, (set, Head::Objective(*milestone)), manner)?);
                }
            }
            // Only where there is no way on, what stands in the way is a reason.
            let stuck = found.iter().all(Result::is_err);
            if straight && !stuck {
                // What was performed, or else what was reached first.
                let on = if performed { found.pop() } else { found.into_iter().find(Result::is_ok) };
                open.extend(on.and_then(Result::ok));
                continue;
            }
            for next in found {
                match next {
                    Ok(next) => open.push_back(next),
                    Err(reason) if stuck => reasons.extend(reason.parts),
                    Err(_) => {}
                }
            }
        }
        if self.milestones_hinder(task) {
            // Which milestones are achieved on the way depends on the examples: another way may do.
            return Ok(Answer::Unknown(Limit::Checks));
        }
        Ok(Answer::No(Reason { parts: reasons.into_iter().collect() }))
    }
}
