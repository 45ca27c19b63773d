//! What the operators mean: the truth of a comparison of two known values.
//!
//! Said once, for the evaluator and for what asks the solver. Must never know variables or rules.

use crate::operator::Operator;
use crate::text::{self, Similarity};
use crate::truth::Truth;
use crate::value::Value;
use std::cmp::Ordering;

/// The truth of a comparison of two known values of one type.
pub fn compare(
    operator: Operator,
    left: &Value,
    right: &Value,
    ignore_case: bool,
    measure: &dyn Similarity,
) -> Truth {
    if let (Value::Text(left), Value::Text(right)) = (left, right) {
        let (left, right) = (left.as_str(), right.as_str());
        return match operator {
            Operator::Equal => text::equal(left, right, ignore_case),
            Operator::NotEqual => text::equal(left, right, ignore_case).negate(),
            Operator::Similar => text::similar(left, right, measure),
            Operator::In => text::within(left, right, ignore_case),
            Operator::NotIn => text::within(left, right, ignore_case).negate(),
            Operator::Contains => text::within(right, left, ignore_case),
            Operator::NotContains => text::within(right, left, ignore_case).negate(),
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                Truth::Unknown
            }
        };
    }
    if left.kind() != right.kind() {
        return Truth::Unknown;
    }
    let order = left.order(right);
    match operator {
        Operator::Equal => Truth::known(left == right),
        Operator::NotEqual => Truth::known(left != right),
        Operator::Less => order.map_or(Truth::Unknown, |order| Truth::known(order == Ordering::Less)),
        Operator::LessEqual => order.map_or(Truth::Unknown, |order| Truth::known(order != Ordering::Greater)),
        Operator::Greater => order.map_or(Truth::Unknown, |order| Truth::known(order == Ordering::Greater)),
        Operator::GreaterEqual => order.map_or(Truth::Unknown, |order| Truth::known(order != Ordering::Less)),
        Operator::Similar | Operator::In | Operator::NotIn | Operator::Contains | Operator::NotContains => {
            Truth::Unknown
        }
    }
}
