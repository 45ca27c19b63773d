//! What is fixed when a session starts: today, and the values of parameters.

use crate::diagnostic::{Code, Diagnostic, Fault, Problems};
use crate::ir::{Element, Operand, Specification};
use crate::schema::VariableType;
use crate::suggest;
use crate::text::normal;
use crate::value::Value;
use chrono::{Days, NaiveDate};

/// The value given to a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// A spelling, read by the parameter's type; for a Text parameter the text itself.
    Spelled(String),
    /// A typed value.
    Value(Value),
}

/// Today and the values of the parameters of one specification.
#[derive(Debug, Clone)]
pub struct Bindings {
    today: NaiveDate,
    parameters: Vec<Value>,
}

/// Why values can't be bound.
#[derive(Debug, Clone, thiserror::Error)]
pub enum BindError {
    /// A parameter without a value, or a date beyond the calendar: located.
    #[error("{0}")]
    Problems(Problems),
    /// A value for no parameter, or one that doesn't fit.
    #[error("{0}")]
    Fault(Fault),
}

impl Bindings {
    /// Binds the parameters of a specification by name; values for other names are left to
    /// [`unused`].
    ///
    /// # Errors
    /// A parameter without a value, a value of the wrong type, `today + n` beyond year 9999.
    pub fn new(
        specification: &Specification,
        today: NaiveDate,
        given: &[(String, Given)],
    ) -> Result<Bindings, BindError> {
        let mut problems = Problems::new(specification.source().clone());
        let mut parameters = Vec::new();
        for parameter in specification.parameters() {
            let value = given.iter().find(|(name, _)| normal::nfc(name) == parameter.name());
            let Some((_, value)) = value else {
                let message = format!("the parameter `${}` has no value", parameter.name());
                problems.push(
                    Diagnostic::new(Code::UnboundParameter, parameter.span(), message)
                        .help(format!("give one where the session starts: {}=…", parameter.name())),
                );
                continue;
            };
            match typed(value, parameter.variable_type(), today) {
                Some(value) => parameters.push(value),
                None => {
                    let shown = match value {
                        Given::Spelled(text) => crate::value::quoted(text),
                        Given::Value(value) => value.to_string(),
                    };
                    let kind = parameter.variable_type().kind();
                    let message = format!("{shown} is no {kind} for the parameter `{}`", parameter.name());
                    return Err(BindError::Fault(Fault::new(Code::ParameterValue, message)));
                }
            }
        }
        let bindings = Bindings { today, parameters };
        if problems.is_empty() {
            bindings.dates(specification, &mut problems);
        }
        if problems.is_empty() { Ok(bindings) } else { Err(BindError::Problems(problems)) }
    }

    /// The session's date.
    pub fn today(&self) -> NaiveDate {
        self.today
    }

    /// The value of an element; nothing where the date is beyond the calendar, which [`Bindings::new`]
    /// has excluded for its own specification.
    pub fn value(&self, element: &Element) -> Option<Value> {
        match element {
            Element::Value(value) => Some(value.clone()),
            Element::Today(days) => day(self.today, *days).map(Value::Date),
            Element::Parameter(id) => self.parameters.get(id.index()).cloned(),
        }
    }

    fn dates(&self, specification: &Specification, problems: &mut Problems) {
        for constraint in &specification.constraints {
            let elements = match constraint.operand() {
                Operand::Single(element) => std::slice::from_ref(element),
                Operand::List(elements) => elements,
                Operand::Variable(_) => &[],
            };
            if elements.iter().any(|element| self.value(element).is_none()) {
                let message = "this date is beyond the calendar, counted from today";
                problems.push(Diagnostic::new(Code::DateRange, constraint.span(), message));
            }
        }
    }
}

/// The date so many days from `today`, within the years 1 to 9999.
pub fn day(today: NaiveDate, days: i64) -> Option<NaiveDate> {
    use chrono::Datelike;
    let distance = Days::new(days.unsigned_abs());
    let date = if days < 0 { today.checked_sub_days(distance)? } else { today.checked_add_days(distance)? };
    (1..=9999).contains(&date.year()).then_some(date)
}

/// The first given name that is a parameter of none of the specifications, as a fault.
pub fn unused(given: &[(String, Given)], specifications: &[&Specification]) -> Option<Fault> {
    let known = || specifications.iter().flat_map(|s| s.parameters()).map(|parameter| parameter.name());
    let twice = given.iter().enumerate().find(|(index, (name, _))| {
        given.iter().take(*index).any(|(other, _)| normal::nfc(other) == normal::nfc(name))
    });
    if let Some((_, (name, _))) = twice {
        return Some(Fault::new(Code::UnusedParameter, format!("the parameter `{name}` is given twice")));
    }
    let (name, _) = given.iter().find(|(name, _)| !known().any(|known| known == normal::nfc(name)))?;
    let message = format!("there is no parameter `{name}`");
    Some(Fault::new(Code::UnusedParameter, message).help(suggest::known(
        name,
        "parameters",
        known().collect::<Vec<_>>(),
    )))
}

fn typed(given: &Given, kind: &VariableType, today: NaiveDate) -> Option<Value> {
    match (given, kind) {
        (Given::Value(Value::Enum(enumerator)), VariableType::Enum(enumeration)) => {
            enumeration.enumerator(enumerator.name()).map(Value::Enum)
        }
        (Given::Value(value), kind) => {
            (value.kind() == kind.kind() && value.is_writable()).then(|| value.clone())
        }
        (Given::Spelled(text), kind) => crate::input::spelled(text, kind, Some(today)),
    }
}
