//! Examples without the solver: values that the constants suggest, tried out with the evaluator's rules.
//!
//! What is found is an example, as good as any. What is not found may exist all the same.

use super::Situation;
use super::question::{Clause, Literal, Question, Want};
use super::situation::Scene;
use crate::boundary::{any_value, turning_points};
use crate::compile::bind::{Bindings, Given};
use crate::eval::semantics;
use crate::ir::{Constraint, Objective, Specification};
use crate::schema::{VariableId, VariableType, Vocabulary};
use crate::solve::Setting;
use crate::text::Similarity;
use crate::truth::Truth;
use crate::value::Value;
use chrono::NaiveDate;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most values that are tried for a question.
const MOST_TRIES: usize = 300;
/// The most values of a variable.
const MOST_VALUES: usize = 24;

/// What examples are bound to: today, parameters.
pub(super) struct Ground {
    pub(super) today: NaiveDate,
    pub(super) parameters: Vec<(String, Value)>,
    pub(super) bindings: Vec<Bindings>,
    dated: bool,
}

/// What is known of variables; nothing for those that are not.
pub(super) type Values = BTreeMap<VariableId, Value>;

impl Ground {
    /// For rule sets. Parameters that the setting has no values for may have any.
    pub(super) fn new(sets: &[Arc<Specification>], setting: &Setting, today: NaiveDate) -> Option<Ground> {
        let mut given = setting.parameters.clone();
        let mut parameters = Vec::new();
        for parameter in sets.iter().flat_map(|set| set.parameters()) {
            if given.iter().all(|(name, _)| name != parameter.name()) {
                let value = any_value(parameter.variable_type())?;
                parameters.push((parameter.name().to_owned(), value.clone()));
                given.push((parameter.name().to_owned(), Given::Value(value)));
            }
        }
        let declared = |set: &Specification, name: &str| set.parameters().iter().any(|p| p.name() == name);
        let bindings = sets.iter().map(|set| {
            let given: Vec<(String, Given)> =
                given.iter().filter(|(name, _)| declared(set, name)).cloned().collect();
            Bindings::new(set, today, &given).ok()
        });
        let bindings = bindings.collect::<Option<Vec<Bindings>>>()?;
        let dated = sets.iter().any(|set| set.speaks_of_today());
        Some(Ground { today, parameters, bindings, dated })
    }

    /// Values for which every clause of a question is so.
    pub(super) fn find(
        &self,
        sets: &[Arc<Specification>],
        measure: &dyn Similarity,
        question: &Question,
        achieved: &dyn Fn(usize, Objective, bool) -> bool,
    ) -> Option<Values> {
        self.find_with(sets, measure, question, achieved, &Values::new(), &|_| false)
    }

    /// As [`Ground::find`], with the values of some variables fixed, and others unknown.
    pub(super) fn find_with(
        &self,
        sets: &[Arc<Specification>],
        measure: &dyn Similarity,
        question: &Question,
        achieved: &dyn Fn(usize, Objective, bool) -> bool,
        fixed: &Values,
        is_unknown: &dyn Fn(VariableId) -> bool,
    ) -> Option<Values> {
        let vocabulary = sets.first()?.vocabulary();
        let mut order: Vec<VariableId> = Vec::new();
        let mut clauses: Vec<Open> = Vec::new();
        for Clause { any, .. } in &question.clauses {
            let mut variables: Vec<VariableId> = Vec::new();
            let mut settled = false;
            let mut literals = Vec::new();
            for literal in any {
                match literal {
                    Literal::Achieved { set, objective, so } => settled |= achieved(*set, *objective, *so),
                    Literal::Constraint { constraint, .. } => {
                        variables.extend(constraint.variables());
                        literals.push(literal);
                    }
                    Literal::Known { variable, .. } => {
                        variables.push(*variable);
                        literals.push(literal);
                    }
                    Literal::Observed { state, .. } => {
                        // Any of its variables will do.
                        variables.extend(vocabulary.state(*state).variables().take(1));
                        literals.push(literal);
                    }
                }
            }
            if settled {
                continue;
            }
            if literals.is_empty() {
                return None;
            }
            for variable in &variables {
                if !order.contains(variable) {
                    order.push(*variable);
                }
            }
            clauses.push(Open { literals, variables });
        }
        order.retain(|variable| !fixed.contains_key(variable));
        let search = Search { ground: self, vocabulary, measure, clauses };
        let domain = |id: &VariableId| if is_unknown(*id) { vec![None] } else { search.domain(*id) };
        let domains: Vec<Vec<Option<Value>>> = order.iter().map(domain).collect();
        let mut values = fixed.clone();
        let mut unknown: BTreeSet<VariableId> = BTreeSet::new();
        let mut tries = 0;
        let found = search.assign(&order, &domains, &mut values, &mut unknown, &mut tries);
        found.then_some(values)
    }

    /// A situation of values.
    pub(super) fn situation(
        &self,
        sets: &[Arc<Specification>],
        values: Values,
        achieved: Vec<String>,
        similarity: bool,
    ) -> Situation {
        let vocabulary = sets.first().map(|set| Arc::clone(set.vocabulary()));
        let values =
            values.into_iter().filter_map(|(id, value)| Some((vocabulary.as_ref()?.path(id), value)));
        Situation {
            today: self.dated.then_some(self.today),
            parameters: self.parameters.clone(),
            values: values.collect(),
            observed: Vec::new(),
            achieved,
            similarity,
        }
    }
}

/// A clause that values decide.
struct Open<'a> {
    literals: Vec<&'a Literal>,
    variables: Vec<VariableId>,
}

struct Search<'a> {
    ground: &'a Ground,
    vocabulary: &'a Vocabulary,
    measure: &'a dyn Similarity,
    clauses: Vec<Open<'a>>,
}

impl Search<'_> {
    /// Gives the variables values in order, and takes them back where a clause can't be so any more.
    fn assign(
        &self,
        order: &[VariableId],
        domains: &[Vec<Option<Value>>],
        values: &mut Values,
        unknown: &mut BTreeSet<VariableId>,
        tries: &mut usize,
    ) -> bool {
        let (Some((variable, order)), Some((domain, domains))) = (order.split_first(), domains.split_first())
        else {
            return self.clauses.iter().all(|clause| self.is_so(clause, values));
        };
        for value in domain {
            *tries += 1;
            if *tries > MOST_TRIES {
                return false;
            }
            match value {
                Some(value) => drop(values.insert(*variable, value.clone())),
                None => drop(unknown.insert(*variable)),
            }
            // What is decided by now has to be so.
            let decided = |clause: &&Open| {
                clause.variables.contains(variable)
                    && clause.variables.iter().all(|id| values.contains_key(id) || unknown.contains(id))
            };
            let fits = self.clauses.iter().filter(decided).all(|clause| self.is_so(clause, values));
            if fits && self.assign(order, domains, values, unknown, tries) {
                return true;
            }
            values.remove(variable);
            unknown.remove(variable);
        }
        false
    }

    fn is_so(&self, clause: &Open, values: &Values) -> bool {
        clause.literals.iter().any(|literal| match literal {
            Literal::Constraint { set, constraint, want } => {
                let truth = self.truth(*set, constraint, values);
                match want {
                    Want::Holds => truth == Truth::True,
                    Want::Fails => truth == Truth::False,
                    Want::NotHolds => truth != Truth::True,
                }
            }
            Literal::Known { variable, so } => values.contains_key(variable) == *so,
            Literal::Observed { state, so } => {
                let known = values.keys().any(|id| self.vocabulary.variable(*id).state() == *state);
                known == *so
            }
            Literal::Achieved { .. } => false,
        })
    }

    fn truth(&self, set: usize, constraint: &Constraint, values: &Values) -> Truth {
        let Some(bindings) = self.ground.bindings.get(set) else { return Truth::Unknown };
        let scene = Scene::of_values(self.vocabulary, values, self.measure);
        semantics::constraint(&scene, bindings, constraint, false)
    }

    /// The values that are tried for a variable, those first that a constraint names; unknown last.
    fn domain(&self, variable: VariableId) -> Vec<Option<Value>> {
        let kind = self.vocabulary.variable(variable).variable_type();
        // Variables that are compared share their values.
        let mut joined = vec![variable];
        let mut near: Vec<Value> = Vec::new();
        let mut next = 0;
        while let Some(id) = joined.get(next).copied() {
            next += 1;
            for (set, constraint) in
                self.constraints().filter(|(_, one)| one.variables().any(|one| one == id))
            {
                for other in constraint.variables() {
                    if !joined.contains(&other) {
                        joined.push(other);
                    }
                }
                let bindings = self.ground.bindings.get(set);
                near.extend(
                    bindings.map(|bindings| turning_points(constraint, bindings, kind)).unwrap_or_default(),
                );
            }
        }
        near.extend(any_value(kind));
        match kind {
            VariableType::Boolean => near.extend([true, false].map(Value::Boolean)),
            VariableType::Enum(enumeration) => {
                let all = enumeration.names().filter_map(|name| enumeration.enumerator(name));
                near.extend(all.map(Value::Enum));
            }
            VariableType::Text => near.push(Value::text("another")),
            VariableType::Number | VariableType::Date | VariableType::Time => {}
        }
        let mut seen: Vec<Option<Value>> = Vec::new();
        for value in near {
            let value = Some(value);
            if !seen.contains(&value) && seen.len() < MOST_VALUES {
                seen.push(value);
            }
        }
        seen.push(None);
        seen
    }

    fn constraints(&self) -> impl Iterator<Item = (usize, &Constraint)> {
        self.clauses.iter().flat_map(|clause| &clause.literals).filter_map(|literal| match literal {
            Literal::Constraint { set, constraint, .. } => Some((*set, constraint)),
            _ => None,
        })
    }
}
