//! The tree of a specification as it is written: every name may be wrong.
//!
//! `serde` gives its JSON form, which is equivalent to the text.

use crate::json::de::Spanned;
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

/// The operators (VeriSafe Agent figure 2, and `contains`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Operator {
    /// Equal.
    #[serde(rename = "=")]
    Equal,
    /// Not equal.
    #[serde(rename = "!=")]
    NotEqual,
    /// Similar.
    #[serde(rename = "~")]
    Similar,
    /// Less.
    #[serde(rename = "<")]
    Less,
    /// Less or equal.
    #[serde(rename = "<=")]
    LessEqual,
    /// Greater.
    #[serde(rename = ">")]
    Greater,
    /// Greater or equal.
    #[serde(rename = ">=")]
    GreaterEqual,
    /// Occurs in a text, or is an element of a list.
    #[serde(rename = "in")]
    In,
    /// The opposite of `in`.
    #[serde(rename = "not in")]
    NotIn,
    /// Has a text as a part.
    #[serde(rename = "contains")]
    Contains,
    /// The opposite of `contains`.
    #[serde(rename = "not contains")]
    NotContains,
}

impl Operator {
    /// All of them.
    pub const ALL: [Operator; 11] = [
        Operator::Equal,
        Operator::NotEqual,
        Operator::Similar,
        Operator::Less,
        Operator::LessEqual,
        Operator::Greater,
        Operator::GreaterEqual,
        Operator::In,
        Operator::NotIn,
        Operator::Contains,
        Operator::NotContains,
    ];

    /// The ASCII spelling.
    pub fn ascii(self) -> &'static str {
        match self {
            Operator::Equal => "=",
            Operator::NotEqual => "!=",
            Operator::Similar => "~",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterEqual => ">=",
            Operator::In => "in",
            Operator::NotIn => "not in",
            Operator::Contains => "contains",
            Operator::NotContains => "not contains",
        }
    }

    /// The mathematical spelling.
    pub fn mathematical(self) -> &'static str {
        match self {
            Operator::NotEqual => "≠",
            Operator::Similar => "≃",
            Operator::LessEqual => "≤",
            Operator::GreaterEqual => "≥",
            Operator::In => "⊆",
            Operator::NotIn => "⊈",
            Operator::Contains => "⊇",
            Operator::NotContains => "⊉",
            plain => plain.ascii(),
        }
    }
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
