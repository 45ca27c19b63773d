//! Values from the host's code, typed where they meet a variable.

use chrono::{NaiveDate, NaiveTime};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::VariableType;
use intentgate_engine::value::Value;
use intentgate_engine::{input, json, suggest};
use rust_decimal::Decimal;

/// A value on its way to a variable, not yet typed.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A text, or the spelling of a date, a time or an enumerator.
    Text(String),
    /// A number.
    Number(Decimal),
    /// A Boolean.
    Boolean(bool),
    /// A date.
    Date(NaiveDate),
    /// A time.
    Time(NaiveTime),
    /// A typed value.
    Value(Value),
    /// Unknown again.
    Unknown,
}

macro_rules! input_from {
    ($($type:ty => |$value:ident| $input:expr,)*) => {
        $(impl From<$type> for Input {
            fn from($value: $type) -> Input { $input }
        })*
    };
}

input_from! {
    &str => |text| Input::Text(text.to_owned()),
    String => |text| Input::Text(text),
    bool => |value| Input::Boolean(value),
    Decimal => |number| Input::Number(number),
    i32 => |number| Input::Number(number.into()),
    i64 => |number| Input::Number(number.into()),
    u32 => |number| Input::Number(number.into()),
    u64 => |number| Input::Number(number.into()),
    NaiveDate => |date| Input::Date(date),
    NaiveTime => |time| Input::Time(time),
    Value => |value| Input::Value(value),
}

impl<T: Into<Input>> From<Option<T>> for Input {
    fn from(value: Option<T>) -> Input {
        value.map_or(Input::Unknown, Into::into)
    }
}

impl Input {
    pub(crate) fn typed(self, name: &str, kind: &VariableType) -> Result<Option<Value>, Fault> {
        let (value, shown) = match self {
            Input::Unknown => return Ok(None),
            Input::Text(text) if text.len() > Limits::default().text => {
                let message = format!("the text for `{name}` has {} bytes, beyond the limit", text.len());
                return Err(Fault::new(Code::ValueRange, message));
            }
            Input::Text(text) => {
                if let VariableType::Enum(enumeration) = kind
                    && enumeration.enumerator(&text).is_none()
                {
                    let message = format!("`{name}` has no value `{}`", input::shortened(&text));
                    let help = suggest::known(&text, "values", enumeration.names());
                    return Err(Fault::new(Code::UpdateEnumerator, message).help(help));
                }
                let spelled = match kind {
                    VariableType::Number | VariableType::Boolean => None,
                    kind => input::spelled(&text, kind, None),
                };
                (spelled, Value::text(&input::shortened(&text)).to_string())
            }
            Input::Number(number) => fitting(Value::Number(number), kind),
            Input::Boolean(value) => fitting(Value::Boolean(value), kind),
            Input::Date(date) => fitting(Value::Date(date), kind),
            Input::Time(time) => fitting(Value::Time(time), kind),
            Input::Value(value) => fitting(value, kind),
        };
        match value {
            Some(value) if !value.is_writable() => {
                let message = format!("`{name}` can't be {shown}");
                Err(Fault::new(Code::ValueRange, message)
                    .help("dates are of the years 1 to 9999, times have no leap seconds"))
            }
            value => value.map(Some).ok_or_else(|| input::wrong_type(name, kind.kind(), &shown)),
        }
    }
}

impl Input {
    /// The value as JSON, for an argument that nothing declares.
    pub(super) fn untyped(self) -> Option<serde_json::Value> {
        let value = match self {
            Input::Unknown => return None,
            Input::Boolean(value) | Input::Value(Value::Boolean(value)) => return Some(value.into()),
            Input::Text(text) => return Some(text.into()),
            Input::Number(number) => Value::Number(number),
            Input::Date(date) => Value::Date(date),
            Input::Time(time) => Value::Time(time),
            Input::Value(value) => value,
        };
        Some(match &value {
            Value::Number(_) => json::number_value(&value.to_string()),
            Value::Text(text) => text.as_str().into(),
            Value::Enum(enumerator) => enumerator.name().into(),
            other => other.to_string().into(),
        })
    }
}

fn fitting(value: Value, kind: &VariableType) -> (Option<Value>, String) {
    let shown = value.to_string();
    let fits = match (&value, kind) {
        (Value::Enum(enumerator), VariableType::Enum(enumeration)) => {
            enumeration.enumerator(enumerator.name()).as_ref() == Some(enumerator)
        }
        (value, kind) => value.kind() == kind.kind(),
    };
    (fits.then_some(value), shown)
}
