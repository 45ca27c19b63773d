//! What the evaluator of the language sees of a page: values, and the arguments of a call.
//!
//! Knows values; must never know pages, nor what came before.

use crate::planner::model::{Transition, conditions};
use intentgate_engine::compile::bind::Bindings;
use intentgate_engine::eval::semantics::{self, View};
use intentgate_engine::eval::{Fact, ValueSource};
use intentgate_engine::ir::{Element, Objective, Operand, Specification};
use intentgate_engine::schema::{StateId, VariableId, Vocabulary};
use intentgate_engine::text::{LocalSimilarity, Similarity};
use intentgate_engine::truth::Truth;
use intentgate_engine::value::Value;
use std::collections::BTreeMap;

/// What is known of variables.
pub(in crate::planner) type Values = BTreeMap<VariableId, Value>;

/// No values.
pub(super) static NOTHING: Values = Values::new();

/// Values, and the arguments of a call, as the evaluator sees them.
pub(in crate::planner) struct Scene<'a> {
    pub(in crate::planner) vocabulary: &'a Vocabulary,
    pub(in crate::planner) values: &'a Values,
    pub(in crate::planner) given: &'a Values,
    pub(in crate::planner) measure: &'a dyn Similarity,
}

impl<'a> Scene<'a> {
    /// Of values alone.
    pub(in crate::planner) fn new(vocabulary: &'a Vocabulary, values: &'a Values) -> Scene<'a> {
        Scene { vocabulary, values, given: &NOTHING, measure: &LocalSimilarity }
    }
}

impl Scene<'_> {
    /// Whether all constraints of a condition hold.
    pub(in crate::planner) fn meets(&self, condition: &Specification) -> bool {
        self.all(condition, Truth::is_true)
    }

    /// Whether a transition's guard may hold: nothing in it is false.
    pub(in crate::planner) fn may_allow(&self, transition: &Transition) -> bool {
        transition.guard.as_ref().is_none_or(|guard| self.all(guard, |truth| !truth.is_false()))
    }

    /// Whether a transition's guard holds.
    pub(in crate::planner) fn allows(&self, transition: &Transition) -> bool {
        transition.guard.as_ref().is_none_or(|guard| self.meets(guard))
    }

    /// Whether `fits` says so of every constraint of a condition.
    fn all(&self, condition: &Specification, fits: impl Fn(Truth) -> bool) -> bool {
        Bindings::new(condition, Default::default(), &[]).is_ok_and(|bindings| {
            let mut constraints = conditions(condition).into_iter();
            constraints.all(|one| fits(semantics::constraint(self, &bindings, one, false)))
        })
    }

    /// What an update gives a variable.
    pub(in crate::planner) fn value(&self, operand: &Operand) -> Option<Value> {
        match operand {
            Operand::Single(Element::Value(value)) => Some(value.clone()),
            Operand::Variable(other) => self.values.get(other).or_else(|| self.given.get(other)).cloned(),
            Operand::Single(_) | Operand::List(_) => None,
        }
    }
}

impl View for Scene<'_> {
    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    fn fact(&self, id: VariableId) -> Fact {
        let value = self.values.get(&id).or_else(|| self.given.get(&id));
        Fact { value: value.cloned(), source: ValueSource::App, counts: true }
    }

    fn observed(&self, _: StateId) -> bool {
        true
    }

    fn objective(&self, _: Objective) -> Truth {
        Truth::Unknown
    }

    fn measure(&self) -> &dyn Similarity {
        self.measure
    }
}
