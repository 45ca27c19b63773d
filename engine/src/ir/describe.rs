//! Spelling of what was checked in the language.

use super::{Constraint, Element, Operand, PredicateKind, Rule, Specification};
use crate::value::relative_date_text;

impl Specification {
    /// The operand as it is written in the language.
    pub fn operand_text(&self, operand: &Operand) -> String {
        match operand {
            Operand::Single(element) => self.element_text(element),
            Operand::Variable(id) => self.vocabulary().path(*id),
            Operand::List(elements) => {
                let elements: Vec<String> =
                    elements.iter().map(|element| self.element_text(element)).collect();
                format!("[{}]", elements.join(", "))
            }
        }
    }

    /// What a rule asks for, as it is written in the language: equal texts ask for the same.
    pub fn body_text(&self, rule: &Rule) -> String {
        let predicates = self.body(rule).iter().map(|predicate| match predicate.kind() {
            PredicateKind::Objective(objective) => self.objective_name(objective).to_owned(),
            PredicateKind::State { state, .. } => {
                let constraints = self.constraints(predicate).iter();
                let constraints: Vec<String> =
                    constraints.map(|constraint| self.constraint_text(constraint)).collect();
                format!("{}({})", self.vocabulary().state(state).name(), constraints.join(", "))
            }
        });
        predicates.collect::<Vec<String>>().join(" and ")
    }

    /// A constraint as it is written in the language.
    pub fn constraint_text(&self, constraint: &Constraint) -> String {
        let variable = self.vocabulary().variable(constraint.variable()).name();
        let operand = self.operand_text(constraint.operand());
        format!("{variable} {} {operand}", constraint.operator().ascii())
    }

    fn element_text(&self, element: &Element) -> String {
        match element {
            Element::Value(value) => value.to_string(),
            Element::Today(days) => relative_date_text(*days),
            Element::Parameter(id) => {
                format!("${}", self.parameters().get(id.index()).map_or("", |parameter| parameter.name()))
            }
        }
    }
}
