//! Values from outside, typed by a vocabulary: JSON values and spellings.
//!
//! Every spelling of the language means the same here. What doesn't fit is an error that names what
//! would; nothing is guessed.

use crate::compile::bind::day;
use crate::diagnostic::{Code, Fault};
use crate::json::{Kind, Node};
use crate::limits::Limits;
use crate::schema::VariableType;
use crate::suggest;
use crate::syntax::literal;
use crate::text::{lookalike, normal};
use crate::value::{Type, Value};
use chrono::NaiveDate;
use std::borrow::Cow;

/// The value of a type that a text spells: for Text the text itself, else a literal of the language.
/// `today` is what relative dates count from.
pub fn spelled(text: &str, kind: &VariableType, today: Option<NaiveDate>) -> Option<Value> {
    match kind {
        VariableType::Text => Some(Value::text(text)),
        VariableType::Number => literal::number(text.trim()).map(Value::Number),
        VariableType::Boolean => match text.trim() {
            "true" | "True" => Some(Value::Boolean(true)),
            "false" | "False" => Some(Value::Boolean(false)),
            _ => None,
        },
        VariableType::Enum(enumeration) => enumeration.enumerator(text).map(Value::Enum),
        VariableType::Date => {
            literal::date(text).or_else(|| day(today?, literal::days_from_today(text)?)).map(Value::Date)
        }
        VariableType::Time => literal::time(text).map(Value::Time),
    }
}

/// The value of a JSON node for a variable called `name`; nothing for `null`.
///
/// # Errors
/// A value of the wrong type, an unknown enumerator, a number or a text beyond the limits.
pub fn json_value(
    node: &Node,
    name: &str,
    kind: &VariableType,
    today: Option<NaiveDate>,
    limits: &Limits,
) -> Result<Option<Value>, Fault> {
    let value = match (&node.kind, kind) {
        (Kind::Null, _) => return Ok(None),
        (Kind::Boolean(value), VariableType::Boolean) => Some(Value::Boolean(*value)),
        (Kind::Number(text), VariableType::Number) => {
            let number = literal::number(text);
            if number.is_none() {
                let message = format!("the number for `{name}` is beyond the exact range of 28 digits");
                return Err(Fault::new(Code::ValueRange, message).help("round it where it comes from"));
            }
            number.map(Value::Number)
        }
        (Kind::String(text), VariableType::Enum(enumeration)) => {
            let Some(enumerator) = enumeration.enumerator(text) else {
                let message = format!("`{name}` has no value `{}`", shortened(text));
                let help = suggest::known(text, "values", enumeration.names());
                return Err(Fault::new(Code::UpdateEnumerator, message).help(help));
            };
            Some(Value::Enum(enumerator))
        }
        // Only text, dates and times are spelled in JSON texts; a number in quotes is a text.
        (Kind::String(text), VariableType::Text | VariableType::Date | VariableType::Time) => {
            if text.len() > limits.text {
                let message =
                    format!("the text for `{name}` has {} bytes; the limit is {}", text.len(), limits.text);
                return Err(Fault::new(Code::ValueRange, message));
            }
            spelled(text, kind, today)
        }
        _ => None,
    };
    value.map(Some).ok_or_else(|| wrong_type(name, kind.kind(), &shown(node)))
}

/// The error for a value that doesn't fit.
pub fn wrong_type(name: &str, kind: Type, found: &str) -> Fault {
    let fault = Fault::new(Code::UpdateType, format!("`{name}` is {kind}, found {found}"));
    fault.help(match kind {
        Type::Text => "write a text in quotes",
        Type::Number => "write a number without quotes",
        Type::Boolean => "write true or false without quotes",
        Type::Enum => "write one of its values in quotes",
        Type::Date => "write a date like \"2026-11-21\"",
        Type::Time => "write a time like \"19:00\" or \"7 pm\"",
    })
}

fn shown(node: &Node) -> String {
    match &node.kind {
        Kind::String(text) => format!("the text {}", crate::value::quoted(&shortened(text))),
        Kind::Number(text) => format!("the number {}", shortened(text)),
        Kind::Boolean(value) => value.to_string(),
        _ => node.describe().to_owned(),
    }
}

/// A text on one line, with everything escaped that can't be seen: control characters, and what is invisible or turns
/// the direction of writing. Other texts stay as they are.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    let odd = |c: char| c.is_control() || lookalike::is_hidden(c);
    if !text.contains(odd) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if odd(c) { line.extend(c.escape_default()) } else { line.push(c) }
    }
    Cow::Owned(line)
}

/// A foreign text for a message: NFC, and no longer than 60 characters.
pub fn shortened(text: &str) -> String {
    let text = normal::nfc(text);
    if text.chars().count() > 60 { text.chars().take(60).chain(['…']).collect() } else { text.into_owned() }
}
