//! Questions: whether claims can be so at once, and what the solver is taught where it is wrong.
//!
//! Knows the solver and its bounds; must never know what a claim stands for, but for the constraint that it is taught.

use super::variables::Slot;
use super::{Claim, Problem, conjunction};
use crate::ir::Element;
use crate::schema::VariableId;
use crate::solve::check::{self, Limit, Outcome};
use crate::solve::constraints::elements;
use crate::solve::model::{Model, Raw};
use crate::solve::terms::Term;
use crate::truth::Truth;
use crate::value::Value;
use z3::ast::Bool;

/// The most wishes that one example gives up one by one.
const MOST_WISHES: usize = 8;

/// What came of a question.
#[derive(Debug)]
pub enum Answer {
    /// It can be so.
    Yes(Raw),
    /// It can't: these claims exclude one another, by their places, and none of them can be left out.
    No(Vec<usize>),
}

impl Problem {
    /// Whether all claims can be so at once, and a reason if not, the smallest if that is wanted: the places
    /// of claims that exclude one another. A model may have to be put right, see [`Problem::learn`].
    pub fn ask(&mut self, claims: &[Claim], smallest: bool) -> Result<Answer, Limit> {
        let guards: Vec<Bool> = claims.iter().map(|claim| self.guard(&claim.0)).collect();
        let mut wishes: Vec<Bool> = Vec::with_capacity(self.wishes.len());
        for wish in self.wishes.clone() {
            wishes.push(self.guard(&wish));
        }
        loop {
            let mut assumed = guards.clone();
            assumed.extend(wishes.iter().cloned());
            self.asked += 1;
            match check::check(&self.solver, &assumed) {
                Outcome::Satisfiable(model) => return Ok(Answer::Yes(Raw::new(model))),
                Outcome::Unsatisfiable(core) => {
                    let vain: Vec<usize> =
                        core.iter().filter_map(|place| place.checked_sub(guards.len())).collect();
                    if vain.is_empty() {
                        let core = if smallest { check::minimise(&self.solver, &guards, core) } else { core };
                        return Ok(Answer::No(core));
                    }
                    // One wish less, or none if it takes too long.
                    match vain.last() {
                        Some(last) if vain.len() < MOST_WISHES => drop(wishes.remove(*last)),
                        _ => wishes.clear(),
                    }
                }
                Outcome::Unknown if wishes.is_empty() => return Err(Limit::Solver),
                Outcome::Unknown => wishes.clear(),
            }
        }
    }

    /// A literal that stands for a claim.
    fn guard(&mut self, claim: &Bool) -> Bool {
        if let Some(guard) = self.guards.get(claim) {
            return guard.clone();
        }
        let guard = Bool::new_const(format!("guard {}", self.guards.len()));
        self.solver.assert(guard.implies(claim));
        self.guards.insert(claim.clone(), guard.clone());
        guard
    }

    /// Teaches what a constraint is where a model has it otherwise. False if the theory is exact for it:
    /// then one of the two is wrong.
    #[must_use]
    pub fn learn(&mut self, place: usize, model: &Model, truth: Truth) -> bool {
        let Some(encoded) = self.encoded.get(place).cloned() else { return false };
        if !encoded.open {
            return false;
        }
        let mut here = Vec::new();
        let slots: Vec<(VariableId, Slot)> = self.seeing(encoded.committed, |problem| {
            encoded.constraint.variables().map(|id| (id, problem.slot(id))).collect()
        });
        for (id, slot) in slots {
            let value = if encoded.committed { model.committed_value(id) } else { model.value(id) };
            if let (Term::Text(term), Some(Value::Text(text))) = (&slot.value, value) {
                here.push(slot.known.clone());
                here.push(term.eq(text.as_str()));
            }
        }
        for element in elements(encoded.constraint.operand()) {
            if let Element::Parameter(id) = element
                && let Some(parameter) = self.parameter(encoded.set, *id)
                && let Some(specification) = self.sets.get(encoded.set)
                && let Some(declared) = specification.parameters().get(id.index())
                && let (Term::Text(term), Some(Value::Text(text))) =
                    (&parameter.value, model.parameter(declared.name()))
            {
                here.push(term.eq(text.as_str()));
            }
        }
        let said = match truth {
            Truth::True => encoded.truths.holds.clone(),
            Truth::False => encoded.truths.fails.clone(),
            Truth::Unknown => encoded.truths.holds.not() & encoded.truths.fails.not(),
        };
        self.solver.assert(conjunction(&here).implies(&said));
        true
    }
}
