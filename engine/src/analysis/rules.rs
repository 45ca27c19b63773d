//! Questions about one rule, or about two that conclude the same.

use super::{Analyst, Answer, Claims, Part, RuleId, Situation};
use crate::diagnostic::Fault;
use crate::ir::{Head, Objective, PredicateKind};
use crate::schema::{ActionId, VariableId};
use crate::solve::Claim;
use std::collections::BTreeSet;

/// A milestone that guards an action, and may be out of date when the action comes.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Stale {
    /// The milestone.
    pub milestone: String,
    /// When it is achieved.
    pub achieved: Situation,
    /// When the action is allowed, although no rule for the milestone is true any more.
    pub allowed: Situation,
}

impl Analyst {
    /// Whether a rule can hold, by itself.
    ///
    /// # Errors
    /// Solver and evaluator disagree: a bug.
    pub fn can_hold(&mut self, id: RuleId) -> Result<Answer<Situation>, Fault> {
        self.can_be(|analyst| (analyst.body(id), analyst.variables(id)))
    }

    /// Whether a rule for a critical action can let it pass, with every prohibition that concerns it
    /// cleared. For other rules the same as [`Analyst::can_hold`].
    ///
    /// # Errors
    /// As there.
    pub fn can_allow(&mut self, id: RuleId) -> Result<Answer<Situation>, Fault> {
        self.can_be(|analyst| {
            let mut claims = analyst.body(id);
            let mut spoken = analyst.variables(id);
            if let Some(Head::Objective(Objective::Action(action))) = analyst.head(id) {
                analyst.clear(action, &mut claims, &mut spoken);
            }
            (claims, spoken)
        })
    }

    /// Every prohibition that concerns an action is cleared.
    pub(super) fn clear(&mut self, action: ActionId, claims: &mut Claims, spoken: &mut BTreeSet<VariableId>) {
        for prohibition in self.prohibitions(action) {
            let cleared = self.problem.cleared(prohibition.set, prohibition.rule, action);
            claims.push(cleared, Some(self.whole(prohibition)));
            spoken.extend(self.variables(prohibition));
        }
    }

    /// The constraints of a rule that the rest of it implies, whatever they were written for.
    ///
    /// # Errors
    /// As [`Analyst::can_hold`].
    pub fn implied_parts(&mut self, id: RuleId) -> Result<Vec<Part>, Fault> {
        let parts = self.parts(id);
        let mut implied: Vec<usize> = Vec::new();
        for place in 0..parts.len() {
            // What was found to be implied may not be the reason for something else.
            let answer = self.can_be(|analyst| {
                let mut claims = Claims::default();
                for (other, claim) in analyst.body(id).claims.into_iter().enumerate() {
                    if other == place {
                        claims.push(claim.negate(), None);
                    } else if !implied.contains(&other) {
                        claims.push(claim, None);
                    }
                }
                (claims, analyst.variables(id))
            })?;
            if answer.is_no() {
                implied.push(place);
            }
        }
        Ok(implied.iter().filter_map(|place| parts.get(*place)).cloned().collect())
    }

    /// Whether a rule with constraints is true whenever its variables are known and its objectives
    /// achieved.
    ///
    /// # Errors
    /// As [`Analyst::can_hold`].
    pub fn is_always_true(&mut self, id: RuleId) -> Result<bool, Fault> {
        if self.variables(id).is_empty() {
            return Ok(false);
        }
        let answer = self.can_be(|analyst| {
            let spoken = analyst.variables(id);
            let body = analyst.problem.body(id.set, id.rule);
            let mut claims = Claims::default();
            claims.push(body.negate(), Some(analyst.whole(id)));
            for variable in &spoken {
                claims.push(analyst.problem.known(*variable), None);
            }
            for claim in analyst.needed_objectives(id) {
                claims.push(claim, None);
            }
            (claims, spoken)
        })?;
        Ok(answer.is_no())
    }

    /// The rules of the same head that are true whenever this one is.
    ///
    /// # Errors
    /// As [`Analyst::can_hold`].
    pub fn subsumed_by(&mut self, id: RuleId) -> Result<Vec<RuleId>, Fault> {
        let Some(head) = self.head(id) else { return Ok(Vec::new()) };
        let others: Vec<RuleId> = self
            .rules()
            .into_iter()
            .filter(|other| *other != id && other.set == id.set && self.head(*other) == Some(head))
            .collect();
        let mut wider = Vec::new();
        for other in others {
            let answer = self.can_be(|analyst| {
                let mut claims = analyst.body(id);
                let body = analyst.problem.body(other.set, other.rule);
                claims.push(body.negate(), Some(analyst.whole(other)));
                let spoken = analyst.variables(id).union(&analyst.variables(other)).copied().collect();
                (claims, spoken)
            })?;
            if answer.is_no() {
                wider.push(other);
            }
        }
        Ok(wider)
    }

    /// Milestones of a rule for a critical action that may be out of date when it is performed: they stay
    /// achieved, and what they saw may have changed.
    ///
    /// # Errors
    /// As [`Analyst::can_hold`].
    pub fn stale_milestones(&mut self, id: RuleId) -> Result<Vec<Stale>, Fault> {
        let Some(Head::Objective(Objective::Action(_))) = self.head(id) else { return Ok(Vec::new()) };
        let Some(specification) = self.set(id.set).cloned() else { return Ok(Vec::new()) };
        let Some(rule) = specification.rules().get(id.rule) else { return Ok(Vec::new()) };
        let milestones: BTreeSet<Objective> = specification
            .body(rule)
            .iter()
            .filter_map(|predicate| match predicate.kind() {
                PredicateKind::Objective(objective @ Objective::Milestone(_)) => Some(objective),
                _ => None,
            })
            .collect();
        let mut stale = Vec::new();
        for milestone in milestones {
            let rules = self.concluding(id.set, Head::Objective(milestone));
            let before = self.can_be(|analyst| {
                let mut claims = Claims::default();
                claims.push(analyst.one_of(&rules), analyst.wholes(&rules));
                claims.push(analyst.problem.was_achieved(id.set, milestone).negate(), None);
                let spoken = rules.iter().flat_map(|rule| analyst.variables(*rule)).collect();
                (claims, spoken)
            })?;
            let after = self.can_be(|analyst| {
                let mut claims = analyst.body(id);
                claims.push(analyst.problem.was_achieved(id.set, milestone), None);
                claims.push(analyst.one_of(&rules).negate(), analyst.wholes(&rules));
                let spoken = rules.iter().flat_map(|rule| analyst.variables(*rule));
                let spoken = spoken.chain(analyst.variables(id)).collect();
                (claims, spoken)
            })?;
            if let (Answer::Yes(achieved), Answer::Yes(allowed)) = (before, after) {
                let milestone = specification.objective_name(milestone).to_owned();
                stale.push(Stale { milestone, achieved, allowed });
            }
        }
        Ok(stale)
    }

    /// That the objectives in a rule's body are achieved.
    fn needed_objectives(&self, id: RuleId) -> Vec<Claim> {
        let Some(specification) = self.set(id.set) else { return Vec::new() };
        let Some(rule) = specification.rules().get(id.rule) else { return Vec::new() };
        let objectives = specification.body(rule).iter().filter_map(|predicate| match predicate.kind() {
            PredicateKind::Objective(objective) => Some(self.problem.achieved(id.set, objective)),
            PredicateKind::State { .. } => None,
        });
        objectives.collect()
    }

    /// One of the rules is true.
    pub(super) fn one_of(&mut self, rules: &[RuleId]) -> Claim {
        let bodies: Vec<Claim> = rules.iter().map(|id| self.problem.body(id.set, id.rule)).collect();
        Claim::any(&bodies)
    }
}
