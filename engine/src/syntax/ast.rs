//! The tree of a specification as it is written: every name may be wrong.
//!
//! `serde` gives its JSON form, which is equivalent to the text.

use crate::json::de::Spanned;
pub use crate::operator::Operator;
use chrono::{NaiveDate, NaiveTime};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// A name with its place.
pub type Name = Spanned<String>;

/// A specification or a policy.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Specification {
    /// Whether it starts with `standing`.
    #[serde(default, skip_serializing_if = "not_standing")]
    pub standing: Spanned<bool>,
    /// The rules, in order.
    pub rules: Vec<Spanned<Rule>>,
}

fn not_standing(standing: &Spanned<bool>) -> bool {
    !standing.value
}

/// `label: body -> head`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The label, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Name>,
    /// The predicates, all of which must hold.
    pub body: Vec<Spanned<Predicate>>,
    /// The objective, `Done` or `Never`.
    pub head: Name,
}

/// A part of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicate {
    /// The bare name of an objective.
    Objective(Name),
    /// A state with constraints.
    State(StatePredicate),
}

/// `State(constraint, …)`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatePredicate {
    /// The state.
    pub name: Name,
    /// The constraints, all of which must hold.
    pub constraints: Vec<Spanned<Constraint>>,
}

/// `variable operator operand`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// The variable.
    pub variable: Name,
    /// The operator.
    pub operator: Spanned<Operator>,
    /// What it is compared with.
    pub operand: Spanned<Operand>,
}

/// The right side of a constraint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operand {
    /// A text.
    Text(String),
    /// An exact number; a text of digits in JSON.
    Number(#[serde(with = "super::json::number")] Decimal),
    /// `true` or `false`.
    Boolean(bool),
    /// A date.
    Date(#[serde(with = "super::json::date")] NaiveDate),
    /// So many days from today.
    Today(i64),
    /// A time of day.
    Time(#[serde(with = "super::json::time")] NaiveTime),
    /// A bare name: an enumerator.
    Name(String),
    /// Another variable.
    Variable(Path),
    /// A parameter, without its `$`.
    Parameter(String),
    /// A list; its elements are none of variables and lists.
    List(Vec<Spanned<Operand>>),
}

/// `State.variable`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// The state.
    pub state: Name,
    /// The variable.
    pub variable: Name,
}

impl Specification {
    /// Every constraint of every rule.
    pub fn constraints(&self) -> impl Iterator<Item = &Spanned<Constraint>> {
        self.rules.iter().flat_map(|rule| &rule.value.body).flat_map(|predicate| match &predicate.value {
            Predicate::State(state) => state.constraints.as_slice(),
            Predicate::Objective(_) => &[],
        })
    }
}
