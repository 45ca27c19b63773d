//! The values that stand in a part of a sentence.

use super::tokens::Token;
use chrono::NaiveDate;
use intentgate_engine::input::spelled;
use intentgate_engine::schema::VariableType;
use intentgate_engine::value::{Type, Value};

/// A value, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Literal {
    /// The value.
    pub(super) value: Value,
    /// The first of its words.
    pub(super) start: usize,
    /// The place behind its last word.
    pub(super) end: usize,
    /// Whether it has to be used: a capital alone may be a name or not.
    pub(super) certain: bool,
}

impl Literal {
    pub(super) fn kind(&self) -> Type {
        self.value.kind()
    }
}

/// Numbers that are written as words.
const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];
/// Behind these stands a name.
const NAMING: &[&str] = &["called", "named", "titled"];
/// What ends a name that isn't quoted.
const ENDS_NAME: &[&str] = &["at", "on", "for", "with", "to", "in", "and", "by", "from", "of", "as"];

/// The values of a part, from left to right, none within another.
pub(super) fn literals(part: &[Token], today: Option<NaiveDate>) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < part.len() {
        match literal(part, at, today) {
            Some(literal) => {
                at = literal.end.max(at + 1);
                found.push(literal);
            }
            None => at += 1,
        }
    }
    found
}

fn literal(part: &[Token], at: usize, today: Option<NaiveDate>) -> Option<Literal> {
    let token = part.get(at)?;
    let one = |value: Value| Literal { value, start: at, end: at + 1, certain: true };
    if token.quoted {
        return Some(one(Value::text(&token.text)));
    }
    if token.is_one_of(NAMING) {
        return name(part, at);
    }
    let next = part.get(at + 1).filter(|next| !next.quoted && token.ends.is_none());
    let pair = next.map(|next| format!("{} {}", token.low, next.low));
    if let Some(time) = pair.and_then(|pair| spelled(&pair, &VariableType::Time, None)) {
        return Some(Literal { value: time, start: at, end: at + 2, certain: true });
    }
    let single = [
        spelled(&token.low, &VariableType::Time, None),
        spelled(&token.low, &VariableType::Date, today),
        spelled(&token.low, &VariableType::Number, None),
        NUMBERS.iter().position(|word| *word == token.low).map(|number| Value::Number(number.into())),
    ];
    if let Some(value) = single.into_iter().flatten().next() {
        return Some(one(value));
    }
    // The first word of a sentence has a capital anyway.
    if at > 0 && token.is_capitalized() {
        let names = |token: &&Token| token.is_capitalized();
        let mut count = 1;
        while part.get(at + count - 1).is_some_and(|token| token.ends.is_none())
            && part.get(at + count).filter(names).is_some()
        {
            count += 1;
        }
        return Some(Literal { certain: false, end: at + count, ..one(joined(part, at, at + count)) });
    }
    None
}

/// What stands behind `called`, up to a preposition, a comma or the end.
fn name(part: &[Token], at: usize) -> Option<Literal> {
    let start = at + 1;
    let first = part.get(start)?;
    if first.quoted {
        let value = Value::text(&first.text);
        return Some(Literal { value, start: at, end: start + 1, certain: true });
    }
    let mut end = start;
    while let Some(token) = part.get(end).filter(|token| !token.quoted && !token.is_one_of(ENDS_NAME)) {
        end += 1;
        if token.ends.is_some() {
            break;
        }
    }
    (end > start).then(|| Literal { value: joined(part, start, end), start: at, end, certain: true })
}

fn joined(part: &[Token], start: usize, end: usize) -> Value {
    let words: Vec<&str> =
        part.get(start..end).unwrap_or_default().iter().map(|token| token.text.as_str()).collect();
    Value::text(&words.join(" "))
}
