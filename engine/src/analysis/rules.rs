//! Questions about one rule, or about two that conclude the same.

use super::question::{Literal, Question, Want};
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
        let mut question = Question::default();
        self.ask_body(id, &mut question);
        self.can(&question)
    }

    /// Whether a rule for a critical action can let it pass, with every prohibition that concerns it
    /// cleared. For other rules the same as [`Analyst::can_hold`].
    ///
    /// # Errors
    /// As there.
    pub fn can_allow(&mut self, id: RuleId) -> Result<Answer<Situation>, Fault> {
        let mut question = Question::default();
        self.ask_body(id, &mut question);
        if let Some(action) = self.head(id).and_then(Head::action) {
            self.ask_cleared(action, &mut question);
        }
        self.can(&question)
    }

    /// Every prohibition that concerns an action is cleared, but for one of them.
    pub(super) fn clear(
        &mut self,
        action: ActionId,
        but: Option<RuleId>,
        claims: &mut Claims,
        spoken: &mut BTreeSet<VariableId>,
    ) {
        for prohibition in self.prohibitions(action).into_iter().filter(|id| Some(*id) != but) {
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
            let mut question = Question::default();
            self.ask_body(id, &mut question);
            let mut asked = 0..;
            question.clauses.retain_mut(|clause| {
                let other = asked.next();
                if other == Some(place) {
                    clause.parts.clear();
                    clause.any = clause.any.drain(..).map(Literal::negated).collect();
                }
                other.is_none_or(|other| !implied.contains(&other))
            });
            let answer = self.can(&question)?;
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
        let mut question = Question::default();
        self.ask_not_body(id, &mut question);
        for variable in self.variables(id) {
            question.also(Literal::Known { variable, so: true });
        }
        let objectives = self.literals(id, Want::Holds, true).into_iter();
        objectives
            .filter(|literal| matches!(literal, Literal::Achieved { .. }))
            .for_each(|literal| question.also(literal));
        let answer = self.can(&question)?;
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
            let mut question = Question::default();
            self.ask_body(id, &mut question);
            self.ask_not_body(other, &mut question);
            let answer = self.can(&question)?;
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
            let mut before = None;
            for rule in &rules {
                let mut question = Question::default();
                self.ask_body(*rule, &mut question);
                if let Answer::Yes(situation) = self.can(&question)? {
                    before = Some(situation);
                    break;
                }
            }
            // It was achieved by then, and no rule for it is true.
            let mut question = Question::default();
            self.ask_body(id, &mut question);
            rules.iter().for_each(|rule| self.ask_not_body(*rule, &mut question));
            let after = self.can(&question)?;
            if let (Some(achieved), Answer::Yes(allowed)) = (before, after) {
                let milestone = specification.objective_name(milestone).to_owned();
                stale.push(Stale { milestone, achieved, allowed });
            }
        }
        Ok(stale)
    }

    /// One of the rules is true.
    pub(super) fn one_of(&mut self, rules: &[RuleId]) -> Claim {
        let bodies: Vec<Claim> = rules.iter().map(|id| self.problem.body(id.set, id.rule)).collect();
        Claim::any(&bodies)
    }
}
