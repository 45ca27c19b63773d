//! Variables, parameters and constants as terms of the solver.

use super::texts::TextSort;
use crate::schema::VariableType;
use crate::value::Value;
use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};
use rust_decimal::Decimal;
use std::rc::Rc;
use z3::ast::{Bool, Datatype, Int, Real};
use z3::{Sort, Symbol};

/// The days of the calendar, counted as chrono does from the first day of the year 1.
pub(super) const DAYS: (i64, i64) = (1, 3_652_059);

/// The nanoseconds of a day.
pub(super) const DAY: i64 = 86_400_000_000_000;

/// A value as a term.
#[derive(Debug, Clone)]
pub(super) enum Term {
    Boolean(Bool),
    Number(Real),
    /// Days from the start of the calendar.
    Date(Int),
    /// Nanoseconds from midnight.
    Time(Int),
    /// A member of an enumeration, or of a finite set of texts.
    Member(Datatype),
    Text(z3::ast::String),
}

/// An enumeration sort with its members.
#[derive(Debug, Clone)]
pub(super) struct Members {
    pub(super) sort: Rc<Sort>,
    pub(super) members: Rc<[Datatype]>,
}

impl Members {
    /// A sort of so many members. A name is good for one sort of a context.
    pub(super) fn new(name: &str, count: usize) -> Members {
        let symbols: Vec<Symbol> = (0..count).map(|place| format!("{name}!{place}").into()).collect();
        let (sort, constructors, _) = Sort::enumeration(name.into(), &symbols);
        let member = |constructor: &z3::FuncDecl| constructor.apply(&[]).as_datatype();
        Members { sort: Rc::new(sort), members: constructors.iter().filter_map(member).collect() }
    }

    /// The place of the member that a model gives.
    pub(super) fn place(&self, value: &Datatype) -> Option<usize> {
        self.members.iter().position(|member| member.ast_eq(value))
    }
}

impl Term {
    /// Both terms are equal; false for terms of different types, which the checker has excluded.
    pub(super) fn equal(&self, other: &Term) -> Bool {
        match (self, other) {
            (Term::Boolean(left), Term::Boolean(right)) => left.iff(right),
            (Term::Number(left), Term::Number(right)) => left.eq(right),
            (Term::Date(left), Term::Date(right)) | (Term::Time(left), Term::Time(right)) => left.eq(right),
            (Term::Member(left), Term::Member(right)) => left.eq(right),
            (Term::Text(left), Term::Text(right)) => left.eq(right),
            _ => Bool::from_bool(false),
        }
    }

    /// The left one comes first, for terms whose sort has an order.
    pub(super) fn before(&self, other: &Term) -> Bool {
        match (self, other) {
            (Term::Number(left), Term::Number(right)) => left.lt(right),
            (Term::Date(left), Term::Date(right)) | (Term::Time(left), Term::Time(right)) => left.lt(right),
            _ => Bool::from_bool(false),
        }
    }
}

/// A fresh term for a variable of a type. Texts and enumerations say what sort they are of.
pub(super) fn term(
    name: &str,
    kind: &VariableType,
    members: Option<&Members>,
    text: Option<&TextSort>,
) -> Term {
    match (kind, members, text) {
        (VariableType::Boolean, ..) => Term::Boolean(Bool::new_const(name)),
        (VariableType::Number, ..) => Term::Number(Real::new_const(name)),
        (VariableType::Date, ..) => Term::Date(Int::new_const(name)),
        (VariableType::Time, ..) => Term::Time(Int::new_const(name)),
        (VariableType::Enum(_), Some(members), _)
        | (VariableType::Text, _, Some(TextSort::Finite { members, .. })) => {
            Term::Member(Datatype::new_const(name, &members.sort))
        }
        (VariableType::Text | VariableType::Enum(_), ..) => Term::Text(z3::ast::String::new_const(name)),
    }
}

/// A constant that has a sort of its own: no enumerator and no text.
pub(super) fn constant(value: &Value) -> Option<Term> {
    Some(match value {
        Value::Boolean(value) => Term::Boolean(Bool::from_bool(*value)),
        Value::Number(number) => Term::Number(rational(*number)?),
        Value::Date(date) => Term::Date(Int::from_i64(days(*date))),
        Value::Time(time) => Term::Time(Int::from_i64(nanoseconds(*time))),
        Value::Text(_) | Value::Enum(_) => return None,
    })
}

/// A decimal is a rational, exactly.
fn rational(number: Decimal) -> Option<Real> {
    let denominator = format!("1{}", "0".repeat(number.scale() as usize));
    Real::from_rational_str(&number.mantissa().to_string(), &denominator)
}

pub(super) fn days(date: NaiveDate) -> i64 {
    date.num_days_from_ce().into()
}

pub(super) fn nanoseconds(time: NaiveTime) -> i64 {
    i64::from(time.num_seconds_from_midnight()) * 1_000_000_000 + i64::from(time.nanosecond())
}
