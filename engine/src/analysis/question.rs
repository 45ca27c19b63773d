//! Questions as data: what should be so, at once.
//!
//! A question is asked twice: of the constants that it names, which is quick and finds most examples, and
//! of the solver, which knows.

use super::situation::entry;
use super::{Analyst, Answer, Claims, Part, RuleId, Situation};
use crate::diagnostic::Fault;
use crate::ir::{Constraint, Objective, PredicateKind, Specification};
use crate::schema::{ActionId, StateId, VariableId};
use crate::solve::Claim;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Something that can be so or not.
#[derive(Debug, Clone)]
pub(super) enum Literal {
    /// A constraint has a truth.
    Constraint { set: usize, constraint: Constraint, want: Want },
    /// An objective is achieved, or is not.
    Achieved { set: usize, objective: Objective, so: bool },
    /// Something of a state has been observed, or nothing.
    Observed { state: StateId, so: bool },
    /// A variable is known, or is not.
    Known { variable: VariableId, so: bool },
}

/// The truth that is asked of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// True.
    Holds,
    /// False.
    Fails,
    /// False or unknown.
    NotHolds,
}

impl Literal {
    /// The opposite, but that what is unknown is no more false than true.
    pub(super) fn negated(self) -> Literal {
        match self {
            Literal::Constraint { set, constraint, want } => {
                let want = if want == Want::Holds { Want::NotHolds } else { Want::Holds };
                Literal::Constraint { set, constraint, want }
            }
            Literal::Achieved { set, objective, so } => Literal::Achieved { set, objective, so: !so },
            Literal::Observed { state, so } => Literal::Observed { state, so: !so },
            Literal::Known { variable, so } => Literal::Known { variable, so: !so },
        }
    }
}

/// What one of its literals makes so, and what it stands for in the text.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub(super) any: Vec<Literal>,
    pub(super) parts: Vec<Part>,
}

/// Clauses that are to be so at once, and the variables that they are about.
#[derive(Debug, Clone, Default)]
pub(super) struct Question {
    pub(super) clauses: Vec<Clause>,
    pub(super) spoken: BTreeSet<VariableId>,
}

impl Question {
    pub(super) fn push(&mut self, any: Vec<Literal>, parts: impl IntoIterator<Item = Part>) {
        self.clauses.push(Clause { any, parts: parts.into_iter().collect() });
    }

    /// Whether a part of it asks for similar texts.
    pub(super) fn asks_for_similar(&self) -> bool {
        self.clauses.iter().flat_map(|clause| &clause.parts).any(|part| part.similarity)
    }

    /// One of the literals is so, which stands for nothing in the text.
    pub(super) fn also(&mut self, literal: Literal) {
        self.push(vec![literal], None);
    }
}

impl Analyst {
    /// What each part of a rule's body asks for, as `want` for constraints and as `so` for the rest.
    pub(super) fn literals(&self, id: RuleId, want: Want, so: bool) -> Vec<Literal> {
        let Some(specification) = self.set(id.set) else { return Vec::new() };
        let Some(rule) = specification.rules().get(id.rule) else { return Vec::new() };
        let mut literals = Vec::new();
        for predicate in specification.body(rule) {
            match predicate.kind() {
                PredicateKind::Objective(objective) => {
                    literals.push(Literal::Achieved { set: id.set, objective, so });
                }
                PredicateKind::State { state, constraints: (_, 0) } => {
                    literals.push(Literal::Observed { state, so });
                }
                PredicateKind::State { .. } => {
                    let constraints = specification.constraints(predicate).iter().cloned();
                    literals.extend(constraints.map(|constraint| Literal::Constraint {
                        set: id.set,
                        constraint,
                        want,
                    }));
                }
            }
        }
        literals
    }

    /// Asks that a rule's body is true: a clause for each part.
    pub(super) fn ask_body(&self, id: RuleId, question: &mut Question) {
        let literals = self.literals(id, Want::Holds, true);
        for (literal, part) in literals.into_iter().zip(self.parts(id)) {
            question.push(vec![literal], Some(part));
        }
        question.spoken.extend(self.variables(id));
    }

    /// Asks that a rule's body is not true.
    pub(super) fn ask_not_body(&self, id: RuleId, question: &mut Question) {
        question.push(self.literals(id, Want::NotHolds, false), Some(self.whole(id)));
        question.spoken.extend(self.variables(id));
    }

    /// Asks that every prohibition that concerns an action is certainly false when it is attempted.
    pub(super) fn ask_cleared(&self, action: ActionId, question: &mut Question) {
        for id in self.prohibitions(action) {
            let mut literals = self.literals(id, Want::Fails, false);
            // What is attempted counts as achieved.
            literals.retain(|literal| match literal {
                Literal::Achieved { objective, .. } => *objective != Objective::Action(action),
                _ => true,
            });
            question.push(literals, Some(self.whole(id)));
            question.spoken.extend(self.variables(id));
        }
    }

    /// The answer to a question.
    pub(super) fn can(&mut self, question: &Question) -> Result<Answer<Situation>, Fault> {
        if let Some(situation) = self.guess(question) {
            return Ok(Answer::Yes(situation));
        }
        self.can_be(|analyst| (analyst.claims(question), question.spoken.clone()))
    }

    /// A question as the solver takes it.
    fn claims(&mut self, question: &Question) -> Claims {
        let mut claims = Claims::default();
        for Clause { any, parts } in &question.clauses {
            let any: Vec<Claim> = any.iter().map(|literal| self.claim(literal)).collect();
            let claim = match <[Claim; 1]>::try_from(any) {
                Ok([claim]) => claim,
                Err(any) => Claim::any(&any),
            };
            claims.push(claim, parts.iter().cloned());
        }
        claims
    }

    fn claim(&mut self, literal: &Literal) -> Claim {
        let (claim, so) = match literal {
            Literal::Constraint { set, constraint, want } => match want {
                Want::Holds => (self.problem.holds(*set, constraint), true),
                Want::Fails => (self.problem.fails_constraint(*set, constraint), true),
                Want::NotHolds => (self.problem.holds(*set, constraint), false),
            },
            Literal::Achieved { set, objective, so } => (self.problem.achieved(*set, *objective), *so),
            Literal::Observed { state, so } => (self.problem.was_observed(*state), *so),
            Literal::Known { variable, so } => (self.problem.known(*variable), *so),
        };
        if so { claim } else { claim.negate() }
    }

    /// An example that the constants suggest, if there is one among them.
    fn guess(&self, question: &Question) -> Option<Situation> {
        let ground = self.ground.as_ref()?;
        let sets: &[Arc<Specification>] = self.problem.sets();
        let single = question.clauses.iter().filter_map(|clause| match clause.any.as_slice() {
            [Literal::Achieved { set, objective, so: true }] => Some(entry(*set, *objective)),
            _ => None,
        });
        let required: BTreeSet<(usize, Objective)> = single.collect();
        // What is not asked for has not been performed.
        let achieved =
            |set: usize, objective: Objective, so: bool| required.contains(&entry(set, objective)) == so;
        let values = ground.find(sets, self.setting.measure.as_ref(), question, &achieved)?;
        // Nor may it be achieved by what is known.
        let missing =
            question.clauses.iter().flat_map(|clause| &clause.any).filter_map(|literal| match literal {
                Literal::Achieved { set: 0, objective: Objective::Milestone(id), so: false } => {
                    Some((0, Objective::Milestone(*id)))
                }
                _ => None,
            });
        let mut missing = missing.peekable();
        if missing.peek().is_some() {
            let risen = self.risen(&values, &required)?;
            if missing.any(|milestone| risen.contains(&milestone)) {
                return None;
            }
        }
        let names = required
            .iter()
            .filter(|(set, _)| *set == 0)
            .filter_map(|(set, objective)| Some(self.set(*set)?.objective_name(*objective).to_owned()));
        Some(ground.situation(sets, values, names.collect(), question.asks_for_similar()))
    }
}
