//! Models of the solver as values of the vocabulary.

use super::encode::{Problem, Slot};
use super::terms::{Members, Term};
use super::texts::TextSort;
use crate::ir::{Constraint, Objective};
use crate::schema::{StateId, VariableId, VariableType};
use crate::truth::Truth;
use crate::value::{Text, Value};
use chrono::{NaiveDate, NaiveTime};
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// A model as the solver has it.
#[derive(Debug)]
pub struct Raw(z3::Model);

impl Raw {
    pub(super) fn new(model: z3::Model) -> Raw {
        Raw(model)
    }

    /// Whether a claim is so in it.
    pub fn says(&self, claim: &super::encode::Claim) -> bool {
        self.boolean(&claim.0)
    }

    fn boolean(&self, term: &z3::ast::Bool) -> bool {
        self.0.eval(term, true).and_then(|value| value.as_bool()).unwrap_or(false)
    }
}

/// A situation: what is known, and what everything depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Today.
    pub today: NaiveDate,
    /// The values of parameters that matter.
    pub parameters: Vec<(String, Value)>,
    /// The variables that are known.
    pub values: BTreeMap<VariableId, Value>,
    /// Arguments with which actions were performed, as far as something speaks of them.
    pub committed: BTreeMap<VariableId, Value>,
    /// States of which something was observed, and nothing is known now.
    pub observed: Vec<StateId>,
    /// The truth of each constraint that was encoded, by its place.
    pub truths: Vec<Truth>,
}

impl Model {
    /// The value of a variable, if it is known.
    pub fn value(&self, id: VariableId) -> Option<&Value> {
        self.values.get(&id)
    }

    /// The value of a variable as it is committed: that of an argument when its action was performed.
    pub(super) fn committed_value(&self, id: VariableId) -> Option<&Value> {
        self.committed.get(&id).or_else(|| self.values.get(&id))
    }

    /// The value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<&Value> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(super) fn decode(problem: &Problem, raw: &Raw) -> Option<Model> {
        let days = raw.0.eval(&problem.today, true)?.as_i64()?;
        let today = NaiveDate::from_num_days_from_ce_opt(i32::try_from(days).ok()?)?;
        let known = |slots: &BTreeMap<VariableId, Slot>| {
            let mut values = BTreeMap::new();
            for (id, slot) in slots.iter().filter(|(_, slot)| raw.boolean(&slot.known)) {
                let kind = problem.vocabulary.variable(*id).variable_type();
                values.insert(*id, value(problem, raw, &slot.value, slot.text.as_ref(), kind)?);
            }
            Some(values)
        };
        let (values, committed) = (known(&problem.slots)?, known(&problem.committed)?);
        let mut parameters = Vec::new();
        for (name, parameter) in &problem.parameters {
            let value = value(problem, raw, &parameter.value, parameter.text.as_ref(), &parameter.kind)?;
            parameters.push((name.as_str().to_owned(), value));
        }
        let known =
            |state: StateId| values.keys().any(|id| problem.vocabulary.variable(*id).state() == state);
        let observed = problem
            .observed
            .iter()
            .filter(|(state, observed)| raw.boolean(observed) && !known(**state))
            .map(|(state, _)| *state)
            .collect();
        let truths = problem.encoded.iter().map(|encoded| {
            match (raw.boolean(&encoded.truths.holds), raw.boolean(&encoded.truths.fails)) {
                (true, _) => Truth::True,
                (false, true) => Truth::False,
                (false, false) => Truth::Unknown,
            }
        });
        let truths = truths.collect();
        Some(Model { today, parameters, values, committed, observed, truths })
    }
}

impl Problem {
    /// The constraints that were encoded, with the number of their rule set, in the order of
    /// [`Model::truths`].
    pub fn constraints(&self) -> impl ExactSizeIterator<Item = (usize, &Constraint)> {
        self.encoded.iter().map(|encoded| (encoded.set, &encoded.constraint))
    }

    /// Whether a constraint of [`Problem::constraints`] is about arguments as they were performed.
    pub fn is_committed(&self, place: usize) -> bool {
        self.encoded.get(place).is_some_and(|encoded| encoded.committed)
    }

    /// The objectives of a rule set that are achieved in a model.
    pub fn achieved_in(&self, raw: &Raw, set: usize, objectives: &[Objective]) -> Vec<Objective> {
        objectives.iter().copied().filter(|objective| raw.says(&self.achieved(set, *objective))).collect()
    }

    pub(super) fn members(&self, kind: &VariableType) -> Option<&Members> {
        let VariableType::Enum(enumeration) = kind else { return None };
        self.enumerations().find(|(known, _)| *known == *enumeration).map(|(_, members)| members)
    }
}

fn value(
    problem: &Problem,
    raw: &Raw,
    term: &Term,
    text: Option<&TextSort>,
    kind: &VariableType,
) -> Option<Value> {
    Some(match (term, text) {
        (Term::Boolean(term), _) => Value::Boolean(raw.boolean(term)),
        (Term::Number(term), _) => Value::Number(decimal(&raw.0.eval(term, true)?)?),
        (Term::Date(term), _) => {
            let days = raw.0.eval(term, true)?.as_i64()?;
            Value::Date(NaiveDate::from_num_days_from_ce_opt(i32::try_from(days).ok()?)?)
        }
        (Term::Time(term), _) => {
            let nanoseconds = raw.0.eval(term, true)?.as_i64()?;
            let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
            let seconds = u32::try_from(seconds).ok()?;
            Value::Time(NaiveTime::from_num_seconds_from_midnight_opt(seconds, u32::try_from(rest).ok()?)?)
        }
        (Term::Member(term), Some(TextSort::Finite { members, texts })) => {
            let place = members.place(&raw.0.eval(term, true)?)?;
            Value::Text(texts.get(place)?.clone())
        }
        (Term::Member(term), _) => {
            let VariableType::Enum(enumeration) = kind else { return None };
            let place = problem.members(kind)?.place(&raw.0.eval(term, true)?)?;
            Value::Enum(enumeration.enumerator(enumeration.names().nth(place)?)?)
        }
        (Term::Text(term), _) => Value::Text(Text::new(&raw.0.eval(term, true)?.as_string()?)),
    })
}

/// A rational as a decimal, if it is one of 28 digits.
fn decimal(number: &z3::ast::Real) -> Option<Decimal> {
    let (mut numerator, mut denominator) = match number.as_rational() {
        Some((numerator, denominator)) => (i128::from(numerator), i128::from(denominator)),
        // Printed in full, but for an end that says that more would come.
        None => return crate::value::number(number.approx(40).trim_end_matches(".0")),
    };
    let mut scale = 0;
    // Multiplied by ten until it is whole, which it never is with other factors than 2 and 5.
    while denominator != 1 {
        numerator = numerator.checked_mul(10)?;
        scale += 1;
        let common = greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
        let common = i128::try_from(common).ok()?;
        (numerator, denominator) = (numerator / common, denominator / common);
        if scale > 28 {
            return None;
        }
    }
    Decimal::try_from_i128_with_scale(numerator, scale).ok()
}

fn greatest_common_divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}
