//! Rules as claims: their bodies, what is achieved by them, what stands against it.
//!
//! Knows rule sets; must never know what a constraint says.

use super::{Claim, Problem, disjunction};
use crate::ir::{Constraint, Head, Objective, Predicate, PredicateKind, Specification};
use crate::schema::ActionId;
use std::collections::BTreeMap;
use z3::ast::Bool;

impl Problem {
    /// Whether an objective is achieved: for a milestone, before or by what is known now.
    pub fn achieved(&self, set: usize, objective: Objective) -> Claim {
        Claim(match objective {
            Objective::Action(id) => Bool::new_const(format!("done {}", id.index())),
            Objective::Milestone(id) => Bool::new_const(format!("reached {set} {}", id.index())),
        })
    }

    /// Whether a milestone was achieved before.
    pub fn was_achieved(&self, set: usize, objective: Objective) -> Claim {
        match objective {
            Objective::Action(_) => self.achieved(set, objective),
            Objective::Milestone(id) => Claim(Bool::new_const(format!("was reached {set} {}", id.index()))),
        }
    }

    /// Whether the task was complete before.
    pub fn was_complete(&self, set: usize) -> Claim {
        Claim(Bool::new_const(format!("was complete {set}")))
    }

    /// A milestone is achieved if it was, or if one of its rules is true.
    pub(super) fn milestones(&mut self, set: usize) {
        let Some(specification) = self.sets.get(set).cloned() else { return };
        let mut bodies: BTreeMap<Objective, Vec<Bool>> = BTreeMap::new();
        for (index, rule) in specification.rules().iter().enumerate() {
            if let Head::Objective(objective @ Objective::Milestone(_)) = rule.head() {
                let body = self.committed_body(set, index).0;
                bodies.entry(objective).or_default().push(body);
            }
        }
        for (objective, mut ways) in bodies {
            ways.push(self.was_achieved(set, objective).0);
            let reached = self.achieved(set, objective).0;
            self.solver.assert(reached.iff(disjunction(&ways)));
        }
    }

    /// The body of a rule is true.
    pub fn body(&mut self, set: usize, rule: usize) -> Claim {
        let parts = self.parts(set, rule);
        Claim::all(&parts)
    }

    /// The body of a rule is true without what is attempted: arguments are those of what was performed.
    pub fn committed_body(&mut self, set: usize, rule: usize) -> Claim {
        self.seeing(true, |problem| problem.body(set, rule))
    }

    /// The parts of a rule's body, each true: constraints one by one, with their spans.
    pub fn parts(&mut self, set: usize, rule: usize) -> Vec<Claim> {
        let Some(specification) = self.sets.get(set).cloned() else { return Vec::new() };
        let Some(rule) = specification.rules().get(rule) else { return Vec::new() };
        let predicates = specification.body(rule).iter();
        predicates.flat_map(|predicate| self.truths(set, &specification, predicate)).collect()
    }

    /// The parts of a predicate, each true.
    fn truths(&mut self, set: usize, specification: &Specification, predicate: &Predicate) -> Vec<Claim> {
        match predicate.kind() {
            PredicateKind::Objective(objective) => vec![self.achieved(set, objective)],
            PredicateKind::State { state, constraints: (_, 0) } => vec![self.was_observed(state)],
            PredicateKind::State { .. } => {
                let constraints = specification.constraints(predicate).iter();
                constraints.map(|constraint| Claim(self.constraint(set, constraint).holds)).collect()
            }
        }
    }

    /// The body of a prohibition is false when an action is attempted, which counts as achieved.
    pub fn cleared(&mut self, set: usize, rule: usize, attempted: ActionId) -> Claim {
        let Some(specification) = self.sets.get(set).cloned() else { return Claim::any([]) };
        let Some(rule) = specification.rules().get(rule) else { return Claim::any([]) };
        let mut ways = Vec::new();
        for predicate in specification.body(rule) {
            if predicate.kind() != PredicateKind::Objective(Objective::Action(attempted)) {
                ways.extend(self.fails(set, &specification, predicate));
            }
        }
        Claim(disjunction(&ways))
    }

    /// The ways in which a predicate is false.
    fn fails(&mut self, set: usize, specification: &Specification, predicate: &Predicate) -> Vec<Bool> {
        match predicate.kind() {
            PredicateKind::Objective(objective) => vec![self.achieved(set, objective).0.not()],
            PredicateKind::State { state, constraints: (_, 0) } => vec![self.was_observed(state).0.not()],
            PredicateKind::State { .. } => {
                let constraints = specification.constraints(predicate).iter();
                constraints.map(|constraint| self.constraint(set, constraint).fails).collect()
            }
        }
    }

    /// The body of a rule is true once an action is achieved.
    pub fn body_after(&mut self, set: usize, rule: usize, performed: ActionId) -> Claim {
        let Some(specification) = self.sets.get(set).cloned() else { return Claim::any([]) };
        let Some(rule) = specification.rules().get(rule) else { return Claim::any([]) };
        let mut parts = Vec::new();
        for predicate in specification.body(rule) {
            match predicate.kind() {
                PredicateKind::Objective(Objective::Action(action)) if action == performed => {}
                _ => parts.extend(self.truths(set, &specification, predicate)),
            }
        }
        Claim::all(&parts)
    }

    /// A constraint is true.
    pub fn holds(&mut self, set: usize, constraint: &Constraint) -> Claim {
        Claim(self.constraint(set, constraint).holds)
    }

    /// A constraint is false.
    pub fn fails_constraint(&mut self, set: usize, constraint: &Constraint) -> Claim {
        Claim(self.constraint(set, constraint).fails)
    }
}
