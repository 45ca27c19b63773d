//! The operators of constraints and their two spellings: one definition for both trees.
//!
//! Knows nothing of what they compare.

use serde::{Deserialize, Serialize};

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
