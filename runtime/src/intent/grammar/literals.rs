//! Literals in their canonical spelling: all that can be written is a value.
//!
//! Of alternatives of which one starts with another, the longer stands first: regular expressions of Python and others
//! take the first that fits, not the longest.

use super::expression::{Expression, between, choice, class, digit, many, optional, sequence, text};
use intentgate_engine::text::lookalike;
use std::sync::OnceLock;

const DIGIT: &[(char, char)] = &[('0', '9')];
const HEXADECIMAL: &[(char, char)] = &[('0', '9'), ('a', 'f')];

/// `-12`, `0`, `0.5`: no zero that could be left out, so that equal numbers have one spelling.
pub(super) fn number() -> Expression {
    let fraction = || sequence([text("."), between(class(DIGIT), 0, 8), digit('1', '9')]);
    let whole = sequence([digit('1', '9'), between(class(DIGIT), 0, 14), optional(fraction())]);
    let part = sequence([text("0"), fraction()]);
    choice([sequence([optional(text("-")), choice([part, whole])]), text("0")])
}

/// A day of the calendar, the 29th of February in leap years alone.
pub(super) fn date() -> Expression {
    let any = || class(DIGIT);
    let day = |last_tens: char, last: char| {
        let tens = sequence([digit('1', last_tens), any()]);
        let ends = sequence([text((char::from(last_tens as u8 + 1)).to_string()), digit('0', last)]);
        choice([sequence([text("0"), digit('1', '9')]), tens, ends])
    };
    let months = |months: &[&str]| choice(months.iter().map(|month| text(*month)));
    let long = sequence([months(&["01", "03", "05", "07", "08", "10", "12"]), text("-"), day('2', '1')]);
    let short = sequence([months(&["04", "06", "09", "11"]), text("-"), day('2', '0')]);
    let february = sequence([text("02-"), day('1', '8')]);
    let fours = || {
        let even = class(&[('2', '2'), ('4', '4'), ('6', '6'), ('8', '8')]);
        let odd = class(&[('1', '1'), ('3', '3'), ('5', '5'), ('7', '7'), ('9', '9')]);
        let after_even = class(&[('0', '0'), ('4', '4'), ('8', '8')]);
        let after_odd = class(&[('2', '2'), ('6', '6')]);
        choice([sequence([even, after_even]), sequence([odd, after_odd])])
    };
    let zero_four = sequence([text("0"), class(&[('4', '4'), ('8', '8')])]);
    let leap = choice([
        sequence([digit('1', '9'), any(), choice([zero_four, fours()])]),
        sequence([fours(), text("00")]),
    ]);
    let common = sequence([digit('1', '9'), any(), any(), any(), text("-"), choice([long, short, february])]);
    choice([common, sequence([leap, text("-02-29")])])
}

/// `today`, `tomorrow`, `yesterday`, `today + 3`, up to 9999 days away.
pub(super) fn relative_date() -> Expression {
    let days = choice([sequence([digit('1', '9'), between(class(DIGIT), 1, 3)]), digit('2', '9')]);
    let away = sequence([choice([text(" + "), text(" - ")]), days]);
    choice([text("tomorrow"), text("yesterday"), sequence([text("today"), optional(away)])])
}

/// `19:00`, `19:00:30`.
pub(super) fn time() -> Expression {
    let hour = choice([sequence([digit('0', '1'), class(DIGIT)]), sequence([text("2"), digit('0', '3')])]);
    let sixty = || sequence([digit('0', '5'), class(DIGIT)]);
    sequence([hour, text(":"), sixty(), optional(sequence([text(":"), sixty()]))])
}

/// A text in quotes; what can't be seen is written as an escape.
pub(super) fn quoted_text() -> Expression {
    static HIDDEN: OnceLock<Vec<(char, char)>> = OnceLock::new();
    let plain = Expression::Class { negated: true, ranges: HIDDEN.get_or_init(unwritable).clone() };
    let hexadecimal = |count: usize| between(class(HEXADECIMAL), count, count);
    // Up to U+10FFFF, surrogates left out.
    let point = choice([
        between(class(HEXADECIMAL), 1, 3),
        sequence([class(&[('0', '9'), ('a', 'c'), ('e', 'f')]), hexadecimal(3)]),
        sequence([text("d"), digit('0', '7'), hexadecimal(2)]),
        sequence([class(&[('1', '9'), ('a', 'f')]), hexadecimal(4)]),
        sequence([text("10"), hexadecimal(4)]),
    ]);
    let simple = class(&[('"', '"'), ('\\', '\\'), ('n', 'n'), ('r', 'r'), ('t', 't')]);
    let escape = sequence([text("\\"), choice([simple, sequence([text("u{"), point, text("}")])])]);
    sequence([text("\""), many(choice([plain, escape])), text("\"")])
}

/// The characters that never stand as themselves in a canonical text.
fn unwritable() -> Vec<(char, char)> {
    let mut ranges: Vec<(char, char)> = Vec::new();
    for c in '\0'..=char::MAX {
        if !(c.is_control() || matches!(c, '"' | '\\') || lookalike::is_hidden(c)) {
            continue;
        }
        match ranges.last_mut() {
            Some((_, last)) if u32::from(*last) + 1 == u32::from(c) => *last = c,
            _ => ranges.push((c, c)),
        }
    }
    ranges
}

/// A label: it starts with a capital letter, so that it is no word of the language.
pub(super) fn label() -> Expression {
    let goes_on = class(&[('A', 'Z'), ('a', 'z'), ('0', '9'), ('_', '_')]);
    sequence([digit('A', 'Z'), between(goes_on, 0, 30)])
}

/// The name of a parameter behind the prefix of its type, without `$`.
pub(super) fn parameter(prefix: &str) -> Expression {
    let goes_on = class(&[('a', 'z'), ('0', '9'), ('_', '_')]);
    sequence([text(format!("{prefix}_")), digit('a', 'z'), between(goes_on, 0, 30)])
}
