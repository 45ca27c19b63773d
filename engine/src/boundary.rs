//! Values that tell constraints apart: those that they name, and those beside them.
//!
//! What examples are made of, and what plans choose from. Knows no evaluator and no solver.

use crate::compile::bind::Bindings;
use crate::ir::{Constraint, Operand, Operator};
use crate::schema::VariableType;
use crate::value::Value;
use chrono::{Days, NaiveDate, NaiveTime, TimeDelta};
use rust_decimal::Decimal;

/// The values at which a constraint turns: those that it names, then those just beside them.
pub fn turning_points(constraint: &Constraint, bindings: &Bindings, kind: &VariableType) -> Vec<Value> {
    let named: Vec<Value> = match constraint.operand() {
        Operand::Single(element) => bindings.value(element).into_iter().collect(),
        Operand::List(elements) => elements.iter().filter_map(|element| bindings.value(element)).collect(),
        Operand::Variable(_) => Vec::new(),
    };
    let mut points = named.clone();
    // Any element will do for `in`; what is not in a list lies beside its elements.
    if matches!(constraint.operand(), Operand::List(_)) && constraint.operator() != Operator::NotIn {
        return points;
    }
    for value in &named {
        points.extend([false, true].into_iter().filter_map(|up| beside(value, kind, up)));
        if let (Value::Text(text), Operator::In) = (value, constraint.operator()) {
            points.extend(text.as_str().split_whitespace().take(2).map(Value::text));
        }
    }
    points
}

/// A plain value beside another: whole minutes read better than seconds.
pub fn beside(value: &Value, kind: &VariableType, up: bool) -> Option<Value> {
    match value {
        Value::Time(time) => {
            let minute = TimeDelta::minutes(if up { 1 } else { -1 });
            let (next, wrapped) = time.overflowing_add_signed(minute);
            (wrapped == 0).then_some(Value::Time(next))
        }
        other => neighbour(other, kind, up),
    }
}

/// The value next to another: a unit of its last place, a day, a second, the next name of an ordered type.
pub fn neighbour(value: &Value, kind: &VariableType, up: bool) -> Option<Value> {
    match (value, kind) {
        (Value::Number(number), _) => {
            let unit = Decimal::new(1, number.scale());
            let next = if up { number.checked_add(unit) } else { number.checked_sub(unit) };
            next.map(Value::Number)
        }
        (Value::Date(date), _) => {
            let next =
                if up { date.checked_add_days(Days::new(1)) } else { date.checked_sub_days(Days::new(1)) };
            next.map(Value::Date)
        }
        (Value::Time(time), _) => {
            let second = if up { TimeDelta::seconds(1) } else { TimeDelta::seconds(-1) };
            let (next, wrapped) = time.overflowing_add_signed(second);
            (wrapped == 0).then_some(Value::Time(next))
        }
        (Value::Enum(enumerator), VariableType::Enum(enumeration)) if enumeration.is_ordered() => {
            let names: Vec<&str> = enumeration.names().collect();
            let place = names.iter().position(|name| *name == enumerator.name())?;
            let next = if up { place.checked_add(1) } else { place.checked_sub(1) }?;
            enumeration.enumerator(names.get(next)?).map(Value::Enum)
        }
        _ => None,
    }
}

/// Some value of a type, where any will do; nothing for an enumeration without names.
pub fn any_value(kind: &VariableType) -> Option<Value> {
    Some(match kind {
        VariableType::Text => Value::text("other"),
        VariableType::Number => Value::Number(Decimal::ZERO),
        VariableType::Boolean => Value::Boolean(false),
        VariableType::Enum(enumeration) => Value::Enum(enumeration.enumerator(enumeration.names().next()?)?),
        VariableType::Date => Value::Date(NaiveDate::from_ymd_opt(2000, 1, 1)?),
        VariableType::Time => Value::Time(NaiveTime::MIN),
    })
}
