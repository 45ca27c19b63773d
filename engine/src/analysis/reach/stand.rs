//! Where a search stands, as claims: what is achieved and what is not, with which arguments, and by which rules.
//!
//! Knows what was performed; must never know what comes next.

use super::{Manner, Node};
use crate::analysis::{Analyst, Claims, RuleId};
use crate::ir::{Head, Objective};
use crate::schema::{ActionId, VariableId};
use crate::solve::Claim;
use std::collections::BTreeSet;

impl Analyst {
    /// What is achieved where the search stands, and with which arguments.
    pub(super) fn stand(
        &mut self,
        node: &Node,
        attempted: Option<ActionId>,
        manner: &Manner,
        claims: &mut Claims,
    ) {
        let mut objectives: BTreeSet<(usize, Objective)> = BTreeSet::new();
        for set in 0..self.specifications {
            let milestones = self.objectives(set).into_iter();
            let milestones = milestones.filter(|objective| matches!(objective, Objective::Milestone(_)));
            objectives.extend(milestones.map(|milestone| (set, milestone)));
        }
        // Policies may name actions that no specification concludes.
        let Some(vocabulary) = self.vocabulary().cloned() else { return };
        objectives.extend(vocabulary.actions().map(|(id, _)| (0, Objective::Action(id))));
        for (set, objective) in objectives {
            let was = self.problem.was_achieved(set, objective);
            let was = if node.achieved.contains(&(set, objective)) { was } else { was.negate() };
            claims.push(was, None);
        }
        let first = node.last.as_ref().filter(|_| !manner.free);
        if let Some(bound) = manner.bound.as_ref().or(first) {
            for claim in self.problem.bound(bound.today, &bound.parameters) {
                claims.push(claim, None);
            }
        }
        if !manner.free {
            for state in &node.observed {
                claims.push(self.problem.was_observed(*state), None);
            }
        }
        if manner.free {
            for (set, objective) in node.achieved.difference(&node.given) {
                self.achieved_by_rules(*set, *objective, claims);
            }
        }
        // Arguments are known once their action was performed, and stay what they were.
        let mut sights: Vec<(VariableId, bool)> =
            self.problem.committed().into_iter().map(|id| (id, true)).collect();
        let encoded = self.problem.constraints().flat_map(|(_, constraint)| constraint.variables());
        sights.extend(encoded.map(|id| (id, false)));
        sights.sort_unstable();
        sights.dedup();
        for (id, committed) in sights {
            let Some(of) = self.argument_of(id) else { continue };
            if Some(of) == attempted && !committed {
                continue;
            }
            let performed = node.achieved.contains(&(0, Objective::Action(of)));
            // Those that were performed before the search started are given.
            let given = node.arguments.get(&id);
            let claim = match (manner.free && performed && given.is_none(), committed) {
                (true, true) => continue,
                (true, false) => self.problem.as_committed(id),
                (false, true) => self.problem.was_given(id, given),
                (false, false) => match given {
                    Some(value) => self.problem.is(id, value),
                    None => self.problem.known(id).negate(),
                },
            };
            claims.push(claim, None);
        }
    }

    /// What one of the rules for an objective asked of arguments, and the prohibitions of an action of its
    /// own.
    fn achieved_by_rules(&mut self, set: usize, objective: Objective, claims: &mut Claims) {
        let head = Head::Objective(objective);
        let action = head.action();
        let sets = if action.is_some() { 0..self.specifications } else { set..set + 1 };
        let rules: Vec<RuleId> = sets.flat_map(|set| self.concluding(set, head)).collect();
        let mut ways = Vec::new();
        for id in &rules {
            let (said, _) = self.of_arguments(*id, action);
            if rules.len() > 1 {
                ways.push(Claim::all(&said.claims));
            } else {
                // One way: each of its parts is a reason of its own.
                said.claims.into_iter().zip(said.parts).for_each(|(claim, parts)| claims.push(claim, parts));
            }
        }
        if !ways.is_empty() {
            claims.push(Claim::any(&ways), self.wholes(&rules));
        }
        let Some(action) = action else { return };
        for id in self.prohibitions(action) {
            if self.of_arguments(id, Some(action)).1 {
                claims.push(self.problem.cleared(id.set, id.rule, action), Some(self.whole(id)));
            }
        }
    }

    /// The parts of a rule that are about arguments alone, which stay what they were, and whether there are
    /// no others but that an action was attempted.
    fn of_arguments(&mut self, id: RuleId, attempted: Option<ActionId>) -> (Claims, bool) {
        let Claims { claims, parts } = self.body(id);
        let attempted = attempted.zip(self.set(id.set)).map(|(action, specification)| {
            specification.objective_name(Objective::Action(action)).to_owned()
        });
        let mut about = Vec::new();
        self.each(id, |constraint, text| {
            let alone = constraint.map(|constraint| {
                constraint.variables().all(|variable| self.argument_of(variable).is_some())
            });
            about.push((alone == Some(true), alone.unwrap_or(attempted.as_ref() == Some(&text))));
        });
        let whole = about.iter().all(|(_, whole)| *whole);
        let mut said = Claims::default();
        for ((claim, parts), (about, _)) in claims.into_iter().zip(parts).zip(about) {
            if about {
                said.push(claim, parts);
            }
        }
        (said, whole)
    }

    /// The task is not complete, or not once an action is achieved.
    pub(super) fn not_done(&mut self, set: usize, performed: Option<ActionId>, claims: &mut Claims) {
        for id in self.concluding(set, Head::Done) {
            let body = match performed {
                Some(action) => self.problem.body_after(id.set, id.rule, action),
                None => self.problem.committed_body(id.set, id.rule),
            };
            claims.push(body.negate(), Some(self.whole(id)));
        }
    }
}
