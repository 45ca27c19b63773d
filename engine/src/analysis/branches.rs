//! Rules that are branches of an if: all alike but for one variable. Do they leave a gap, do they overlap?

use super::{Analyst, Answer, Claims, RuleId, Situation};
use crate::diagnostic::Fault;
use crate::ir::{Constraint, Head, PredicateKind};
use crate::schema::VariableId;
use crate::solve::Claim;
use std::collections::{BTreeMap, BTreeSet};

/// Rules whose bodies are equal but for the constraints on one variable.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Branches {
    /// The variable, as `State.variable`.
    pub variable: String,
    /// The rules, in order.
    pub rules: Vec<String>,
    /// A situation in which the variable is known and none of them holds.
    pub gap: Option<Situation>,
    /// Pairs of rules of different heads that hold at once, and when.
    pub overlaps: Vec<(String, String, Situation)>,
}

impl Analyst {
    /// The branches of the specification, with their gaps and overlaps; those without either, too.
    ///
    /// # Errors
    /// Solver and evaluator disagree: a bug.
    pub fn branches(&mut self) -> Result<Vec<Branches>, Fault> {
        let Some(specification) = self.set(0).cloned() else { return Ok(Vec::new()) };
        // By the variable, and all that is not about it.
        let mut groups: BTreeMap<(VariableId, Vec<String>), Vec<RuleId>> = BTreeMap::new();
        for id in self.rules().into_iter().filter(|id| id.set == 0 && self.head(*id) != Some(Head::Never)) {
            for variable in self.variables(id) {
                groups.entry((variable, self.rest(id, variable))).or_default().push(id);
            }
        }
        let mut found = Vec::new();
        for ((variable, _), rules) in groups {
            let heads: BTreeSet<_> = rules.iter().map(|id| format!("{:?}", self.head(*id))).collect();
            // Alternatives of one head are no branches: what none of them allows is not allowed.
            if heads.len() < 2 {
                continue;
            }
            let mut branches = Branches {
                variable: specification.vocabulary().path(variable),
                rules: rules.iter().map(|id| self.rule_name(*id)).collect(),
                gap: None,
                overlaps: Vec::new(),
            };
            let spoken: BTreeSet<VariableId> = rules.iter().flat_map(|id| self.variables(*id)).collect();
            let gap = self.can_be(|analyst| {
                let mut claims = Claims::default();
                claims.push(analyst.one_of(&rules).negate(), analyst.wholes(&rules));
                for claim in rules.first().map(|id| analyst.others(*id, variable)).unwrap_or_default() {
                    claims.push(claim, None);
                }
                for id in &spoken {
                    claims.push(analyst.problem.known(*id), None);
                }
                (claims, spoken.clone())
            })?;
            if let Answer::Yes(situation) = gap {
                branches.gap = Some(situation);
            }
            for (place, one) in rules.iter().enumerate() {
                for other in rules.iter().skip(place + 1) {
                    if self.head(*one) == self.head(*other) {
                        continue;
                    }
                    let both = self.can_be(|analyst| {
                        let mut claims = analyst.body(*one);
                        let Claims { claims: more, parts } = analyst.body(*other);
                        more.into_iter().zip(parts).for_each(|(claim, part)| claims.push(claim, part));
                        (claims, spoken.clone())
                    })?;
                    if let Answer::Yes(situation) = both {
                        branches.overlaps.push((self.rule_name(*one), self.rule_name(*other), situation));
                    }
                }
            }
            found.push(branches);
        }
        Ok(found)
    }

    /// The parts of a rule that are not about a variable, in an order of their own.
    fn rest(&self, id: RuleId, variable: VariableId) -> Vec<String> {
        let mut rest = Vec::new();
        self.each(id, |part, text| {
            if part.is_none_or(|constraint| !constraint.variables().any(|other| other == variable)) {
                rest.push(text);
            }
        });
        rest.sort();
        rest
    }

    /// What a rule asks for besides its constraints on a variable.
    fn others(&mut self, id: RuleId, variable: VariableId) -> Vec<Claim> {
        let mut about = Vec::new();
        self.each(id, |part, _| {
            about.push(part.is_some_and(|c| c.variables().any(|other| other == variable)));
        });
        let claims = self.problem.parts(id.set, id.rule);
        claims.into_iter().zip(about).filter(|(_, about)| !about).map(|(claim, _)| claim).collect()
    }

    /// Every part of a rule's body, in the order of [`crate::solve::Problem::parts`], with what it says.
    pub(super) fn each(&self, id: RuleId, mut look: impl FnMut(Option<&Constraint>, String)) {
        let Some(specification) = self.set(id.set) else { return };
        let Some(rule) = specification.rules().get(id.rule) else { return };
        for predicate in specification.body(rule) {
            match predicate.kind() {
                PredicateKind::State { constraints: (_, count), .. } if count > 0 => {
                    for constraint in specification.constraints(predicate) {
                        let variable = specification.vocabulary().path(constraint.variable());
                        let operand = specification.operand_text(constraint.operand());
                        let operator = constraint.operator().ascii();
                        look(Some(constraint), format!("{variable} {operator} {operand}"));
                    }
                }
                PredicateKind::State { state, .. } => {
                    look(None, format!("{}()", specification.vocabulary().state(state).name()));
                }
                PredicateKind::Objective(objective) => {
                    look(None, specification.objective_name(objective).to_owned());
                }
            }
        }
    }
}
