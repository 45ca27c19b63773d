//! Values and their types: one definition for literals, observations, arguments and models.
//!
//! Knows the canonical spelling of each value. Must never know variables or rules.

use crate::text::normal;
use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};
use rust_decimal::Decimal;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The six types of variables (VeriSafe Agent 4.1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Type {
    /// Unicode text, compared after NFC.
    Text,
    /// An exact decimal number of up to 28 digits.
    Number,
    /// True or false.
    Boolean,
    /// One of a declared set of names.
    Enum,
    /// A day of the calendar, without a zone.
    Date,
    /// A time of day, without a date.
    Time,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Text => "Text",
            Type::Number => "Number",
            Type::Boolean => "Boolean",
            Type::Enum => "Enum",
            Type::Date => "Date",
            Type::Time => "Time",
        })
    }
}

/// A text in NFC, shared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Arc<str>);

impl Text {
    /// The text, normalised to NFC.
    pub fn new(text: &str) -> Text {
        Text(Arc::from(normal::nfc(text).as_ref()))
    }

    /// Whether both are one text in memory.
    pub(crate) fn is_shared_with(&self, other: &Text) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The normalised text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::new(text)
    }
}

/// A member of an enumeration: its place in the declaration, and its name.
#[derive(Debug, Clone)]
pub struct Enumerator {
    pub(crate) index: u16,
    pub(crate) name: Text,
}

impl Enumerator {
    /// Its place in the declaration, from 0; the order of an ordered enumeration.
    pub fn index(&self) -> usize {
        usize::from(self.index)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }
}

impl PartialEq for Enumerator {
    fn eq(&self, other: &Enumerator) -> bool {
        self.index == other.index
    }
}

impl Eq for Enumerator {}

impl std::hash::Hash for Enumerator {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

/// A value of one of the six types. Equality is identity of content; how a *constraint* compares
/// texts is another matter, see [`crate::text`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// A text.
    Text(Text),
    /// An exact number.
    Number(Decimal),
    /// True or false.
    Boolean(bool),
    /// A member of an enumeration.
    Enum(Enumerator),
    /// A day.
    Date(NaiveDate),
    /// A time of day.
    Time(NaiveTime),
}

impl Value {
    /// A text value.
    pub fn text(text: &str) -> Value {
        Value::Text(Text::new(text))
    }

    /// Its type.
    pub fn kind(&self) -> Type {
        match self {
            Value::Text(_) => Type::Text,
            Value::Number(_) => Type::Number,
            Value::Boolean(_) => Type::Boolean,
            Value::Enum(_) => Type::Enum,
            Value::Date(_) => Type::Date,
            Value::Time(_) => Type::Time,
        }
    }

    /// Whether it can be written and read again: a date of the years 1 to 9999, a time without a leap
    /// second.
    pub fn is_writable(&self) -> bool {
        match self {
            Value::Date(date) => (1..=9999).contains(&date.year()),
            Value::Time(time) => time.nanosecond() < 1_000_000_000,
            _ => true,
        }
    }

    /// The order of two values of one type; none for texts, Booleans and different types. Enumerators
    /// compare by their place.
    pub fn order(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Number(left), Value::Number(right)) => Some(left.cmp(right)),
            (Value::Date(left), Value::Date(right)) => Some(left.cmp(right)),
            (Value::Time(left), Value::Time(right)) => Some(left.cmp(right)),
            (Value::Enum(left), Value::Enum(right)) => Some(left.index.cmp(&right.index)),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Boolean(value)
    }
}

impl From<Decimal> for Value {
    fn from(value: Decimal) -> Value {
        Value::Number(value)
    }
}

impl From<NaiveDate> for Value {
    fn from(value: NaiveDate) -> Value {
        Value::Date(value)
    }
}

impl From<NaiveTime> for Value {
    fn from(value: NaiveTime) -> Value {
        Value::Time(value)
    }
}

/// The canonical spelling in the language: texts in quotes, enumerators bare where they are names.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(&quoted(text.as_str())),
            Value::Number(number) => f.write_str(&number_text(*number)),
            Value::Boolean(value) => write!(f, "{value}"),
            Value::Enum(enumerator) => f.write_str(&enumerator_text(enumerator.name())),
            Value::Date(date) => f.write_str(&date_text(*date)),
            Value::Time(time) => f.write_str(&time_text(*time)),
        }
    }
}

/// As JSON: text, exact number, `true`/`false`, and dates, times and enumerators as text.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Text(text) => serializer.serialize_str(text.as_str()),
            Value::Number(number) => {
                let text = number_text(*number);
                if let Ok(whole) = text.parse::<i64>() {
                    return serializer.serialize_i64(whole);
                }
                serde_json::value::RawValue::from_string(text)
                    .map_err(serde::ser::Error::custom)?
                    .serialize(serializer)
            }
            Value::Boolean(value) => serializer.serialize_bool(*value),
            Value::Enum(enumerator) => serializer.serialize_str(enumerator.name()),
            Value::Date(date) => serializer.serialize_str(&date_text(*date)),
            Value::Time(time) => serializer.serialize_str(&time_text(*time)),
        }
    }
}

/// A text literal of the language: in double quotes, with `"`, `\`, line ends and everything that
/// can't be seen escaped.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() || crate::text::lookalike::is_hidden(c) => {
                quoted.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The number written as `text`, exactly, or nothing if it is beyond the range: 28 digits, and no
/// more than 28 of them behind the point.
pub fn number(text: &str) -> Option<Decimal> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (digits.get(..at)?, digits.get(at + 1..)?),
        None => (digits, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if whole.is_empty() || power.is_empty() || ![whole, fraction, power].into_iter().all(all_digits) {
        return None;
    }
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let trimmed = significant.trim_end_matches('0');
    if trimmed.is_empty() {
        return Some(Decimal::ZERO);
    }
    let exponent: i64 = exponent.parse().ok()?;
    let dropped = i64::try_from(significant.len() - trimmed.len()).ok()?;
    let scale = i64::try_from(fraction.len()).ok()?.checked_sub(exponent)?.checked_sub(dropped)?;
    if trimmed.len() > 29 || !(-29..=28).contains(&scale) {
        return None;
    }
    let mut units: i128 = trimmed.parse().ok()?;
    let mut scale = scale;
    while scale < 0 {
        units = units.checked_mul(10)?;
        scale += 1;
    }
    if negative {
        units = -units;
    }
    Decimal::try_from_i128_with_scale(units, u32::try_from(scale).ok()?).ok()
}

/// The shortest exact spelling of a number.
pub fn number_text(number: Decimal) -> String {
    number.normalize().to_string()
}

/// A date as `2026-11-21`; years outside four digits keep their sign.
pub fn date_text(date: NaiveDate) -> String {
    date.format("%Y-%m-%d").to_string()
}

/// A date by its distance from today, as it is written in the language.
pub fn relative_date_text(days: i64) -> String {
    match days {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        -1 => "yesterday".to_owned(),
        days if days < 0 => format!("today - {}", days.unsigned_abs()),
        days => format!("today + {days}"),
    }
}

/// A time as `19:00`, with seconds and fractions only where they are not zero.
pub fn time_text(time: NaiveTime) -> String {
    if time.nanosecond() > 0 {
        let text = format!("{}.{:09}", time.format("%H:%M:%S"), time.nanosecond());
        text.trim_end_matches('0').to_owned()
    } else if time.second() > 0 {
        time.format("%H:%M:%S").to_string()
    } else {
        time.format("%H:%M").to_string()
    }
}

/// Words that are values by themselves, so that an enumerator of that name has to be quoted.
const LITERAL_WORDS: &[&str] =
    &["true", "false", "True", "False", "today", "tomorrow", "yesterday", "Today", "Tomorrow", "Yesterday"];

/// An enumerator bare if it is a name, else quoted.
pub fn enumerator_text(name: &str) -> String {
    if is_name(name) && !LITERAL_WORDS.contains(&name) { name.to_owned() } else { quoted(name) }
}

/// Whether a text is a name of the language: Unicode XID, or `_`, after NFC.
pub fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(is_name_start)
        && characters.all(is_name_continue)
        && text != "_"
        && normal::nfc(text) == text
}

/// Whether a name may start with this character.
pub fn is_name_start(c: char) -> bool {
    c == '_' || (unicode_ident::is_xid_start(c) && !crate::text::lookalike::is_hidden(c))
}

/// Whether a name may go on with this character.
pub fn is_name_continue(c: char) -> bool {
    unicode_ident::is_xid_continue(c) && !crate::text::lookalike::is_hidden(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_canonical() {
        let time = |h, m, s, n| Value::Time(NaiveTime::from_hms_nano_opt(h, m, s, n).unwrap());
        assert_eq!(time(19, 0, 0, 0).to_string(), "19:00");
        assert_eq!(time(19, 0, 30, 0).to_string(), "19:00:30");
        assert_eq!(time(19, 0, 0, 250_000_000).to_string(), "19:00:00.25");
        assert_eq!(Value::Number(Decimal::new(1500, 3)).to_string(), "1.5");
        assert_eq!(Value::Number(Decimal::new(-0, 3)).to_string(), "0");
        assert_eq!(Value::text("a\"\u{200b}\n").to_string(), "\"a\\\"\\u{200b}\\n\"");
        assert_eq!(enumerator_text("true"), "\"true\"");
        assert_eq!(enumerator_text("dine in"), "\"dine in\"");
        assert_eq!(enumerator_text("dine_in"), "dine_in");
    }
}
