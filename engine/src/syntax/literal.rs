//! Literals: texts, numbers, dates and times.
//!
//! The functions that read a whole text are for values from elsewhere, JSON for one, so that every
//! spelling of the language means the same everywhere. Ambiguous spellings are refused, not guessed.

use super::ast::Operand;
use super::lexical::{Read, Slip, name, space};
use crate::diagnostic::{Code, Fault};
use crate::value::{is_name_continue, is_name_start};
use chrono::{NaiveDate, NaiveTime};
use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::{Err, Parser};

pub use crate::value::number;

/// The date written as `text`: `2026-11-21`.
pub fn date(text: &str) -> Option<NaiveDate> {
    match operand(text)? {
        Operand::Date(date) => Some(date),
        _ => None,
    }
}

/// The time written as `text`: `19:00`, `19:00:30`, `7 pm`, `7:30 PM`.
pub fn time(text: &str) -> Option<NaiveTime> {
    match operand(text)? {
        Operand::Time(time) => Some(time),
        _ => None,
    }
}

/// So many days from today: `today`, `tomorrow`, `today + 3`.
pub fn days_from_today(text: &str) -> Option<i64> {
    match operand(text)? {
        Operand::Today(days) => Some(days),
        _ => None,
    }
}

/// The literal that the whole text is.
fn operand(text: &str) -> Option<Operand> {
    let (rest, operand) = alt((relative_date, numeric)).parse(text.trim()).ok()?;
    rest.is_empty().then_some(operand)
}

/// `today`, `tomorrow`, `yesterday`, `today + 3`, `today - 7`.
pub(super) fn relative_date(input: &str) -> Read<'_, Operand> {
    let (rest, word) = name(input)?;
    let start = match word {
        "today" | "Today" => 0,
        "tomorrow" | "Tomorrow" => 1,
        "yesterday" | "Yesterday" => -1,
        _ => return Err(Err::Error(Slip::expected(input, "a date"))),
    };
    let (sign_input, ()) = space(rest)?;
    let sign = match sign_input.chars().next() {
        Some('+') => 1,
        Some('-' | '\u{2212}') if !sign_input.starts_with("->") => -1,
        _ => return Ok((rest, Operand::Today(start))),
    };
    if start != 0 {
        return Slip::expected(sign_input, "`,` or `)`").help("count days from `today` only").fail();
    }
    let after = sign_input.strip_prefix(['+', '-', '\u{2212}']).unwrap_or(sign_input);
    let (after, ()) = space(after)?;
    let (after, digits) = take_while1(|c: char| c.is_ascii_digit())(after)
        .map_err(|_: Err<Slip>| Err::Failure(Slip::expected(after, "a number of days")))?;
    let Ok(days) = digits.parse::<i64>() else {
        return Slip::new(
            input,
            input.len() - after.len(),
            Code::DateRange,
            "this date is beyond the calendar",
        )
        .fail();
    };
    Ok((after, Operand::Today(sign * days)))
}

/// A literal that starts with a digit or a sign: a date, a time or a number.
pub(super) fn numeric(input: &str) -> Read<'_, Operand> {
    if !input.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return Err(Err::Error(Slip::expected(input, "a number, a date or a time")));
    }
    if let Some(length) = shape(input, "dddd-") {
        let length =
            length + input.get(length..).map_or(0, |rest| run(rest, |c| c.is_ascii_digit() || c == '-'));
        return whole(input, length, date_at);
    }
    if let Some(length) = shape(input, "dd:").or_else(|| shape(input, "d:")) {
        let more = |c: char| c.is_ascii_digit() || c == ':' || c == '.';
        let length = length + input.get(length..).map_or(0, |rest| run(rest, more));
        return clock(input, length);
    }
    let digits = run(input, |c| c.is_ascii_digit());
    if digits > 0 && meridiem(input.get(digits..).unwrap_or("")).is_some() {
        return clock(input, digits);
    }
    whole(input, number_length(input), |text| match number(text) {
        Some(number) => Ok(Operand::Number(number)),
        None if number_length(text) < text.len() || text == "-" => {
            Err((Code::Syntax, format!("`{}` is not a number", cut(text))))
        }
        None => Err((Code::NumberRange, format!("`{}` is beyond the exact range of 28 digits", cut(text)))),
    })
}

/// Reads the first `length` bytes, which nothing of a name may follow.
fn whole(
    input: &str,
    length: usize,
    read: impl Fn(&str) -> Result<Operand, (Code, String)>,
) -> Read<'_, Operand> {
    let (text, rest) = input.split_at_checked(length).unwrap_or((input, ""));
    if rest.starts_with(|c| is_name_continue(c) || is_name_start(c) || c == '.') {
        let length = length + run(rest, |c| is_name_continue(c) || c == '.');
        let word = cut(input.get(..length).unwrap_or(input));
        return Slip::new(input, length, Code::Syntax, format!("`{word}` is not a value"))
            .help("texts stand in double quotes; dates are written 2026-11-21, times 19:00 or 7 pm")
            .fail();
    }
    match read(text) {
        Ok(operand) => Ok((rest, operand)),
        Err((code, message)) => {
            let slip = Slip::new(input, length, code, message);
            match code {
                Code::ImpossibleDate => slip.help("a date is written year-month-day: 2026-11-21"),
                Code::ImpossibleTime => slip.help("a time is written 00:00 to 23:59, or 1 am to 12 pm"),
                Code::NumberRange => {
                    slip.help("numbers are exact: 28 digits, not more of them behind the point")
                }
                _ => slip,
            }
            .fail()
        }
    }
}

fn date_at(text: &str) -> Result<Operand, (Code, String)> {
    let wrong = || (Code::ImpossibleDate, format!("there is no date `{}`", cut(text)));
    let well_formed = shape(text, "dddd-dd-dd") == Some(text.len());
    let read = if well_formed { NaiveDate::parse_from_str(text, "%Y-%m-%d").ok() } else { None };
    // The year 0 is not in the calendar that people use.
    read.filter(|_| !text.starts_with("0000")).map(Operand::Date).ok_or_else(wrong)
}

/// A time of `length` bytes and, perhaps, am or pm behind it.
fn clock(input: &str, length: usize) -> Read<'_, Operand> {
    let (text, rest) = input.split_at_checked(length).unwrap_or((input, ""));
    let half = meridiem(rest);
    let total = length + half.map_or(0, |(_, length)| length);
    whole(input, total, |shown| {
        clock_time(text, half.map(|(pm, _)| pm))
            .map(Operand::Time)
            .ok_or_else(|| (Code::ImpossibleTime, format!("there is no time `{}`", cut(shown))))
    })
}

fn clock_time(text: &str, pm: Option<bool>) -> Option<NaiveTime> {
    let mut parts = text.split(':');
    let hour: u32 = parts.next()?.parse().ok()?;
    let hour = match (pm, hour) {
        (None, 0..=23) => hour,
        (Some(pm), 1..=12) => hour % 12 + if pm { 12 } else { 0 },
        _ => return None,
    };
    let two_digits = |part: &str| if part.len() == 2 { part.parse::<u32>().ok() } else { None };
    let minute = match (parts.next(), pm) {
        (Some(minute), _) => two_digits(minute)?,
        (None, Some(_)) => 0,
        (None, None) => return None,
    };
    let (second, fraction) = match parts.next() {
        Some(seconds) => seconds.split_once('.').unwrap_or((seconds, "0")),
        None => ("00", "0"),
    };
    if parts.next().is_some() || fraction.is_empty() || fraction.len() > 9 {
        return None;
    }
    let nanos: u32 = format!("{fraction:0<9}").parse().ok()?;
    NaiveTime::from_hms_nano_opt(hour, minute, two_digits(second)?, nanos)
}

/// am or pm at the start of `rest`, after spaces: whether it is pm, and the bytes up to its end.
fn meridiem(rest: &str) -> Option<(bool, usize)> {
    let spaces = run(rest, |c| c == ' ' || c == '\u{a0}' || c == '\u{202f}');
    let word = rest.get(spaces..)?;
    let half = word.get(..2)?;
    let pm = if half.eq_ignore_ascii_case("pm") {
        true
    } else if half.eq_ignore_ascii_case("am") {
        false
    } else {
        return None;
    };
    let ends = !word.get(2..)?.starts_with(is_name_continue);
    ends.then_some((pm, spaces + 2))
}

/// The length of a number at the start of `input`: sign, digits, fraction, exponent.
fn number_length(input: &str) -> usize {
    let digits_from = |at: usize| input.get(at..).map_or(0, |rest| run(rest, |c| c.is_ascii_digit()));
    let mut at = usize::from(input.starts_with('-'));
    at += digits_from(at);
    if input.get(at..).is_some_and(|rest| rest.starts_with('.')) && digits_from(at + 1) > 0 {
        at += 1 + digits_from(at + 1);
    }
    if input.get(at..).is_some_and(|rest| rest.starts_with(['e', 'E'])) {
        let sign = usize::from(input.get(at + 1..).is_some_and(|rest| rest.starts_with(['+', '-'])));
        if digits_from(at + 1 + sign) > 0 {
            at += 1 + sign + digits_from(at + 1 + sign);
        }
    }
    at
}

/// The bytes at the start of `text` whose characters fit.
fn run(text: &str, fits: impl Fn(char) -> bool) -> usize {
    text.find(|c: char| !fits(c)).unwrap_or(text.len())
}

/// Whether `text` starts with the pattern, in which `d` is a digit.
fn shape(text: &str, pattern: &str) -> Option<usize> {
    let mut bytes = text.bytes();
    let fits = pattern.bytes().all(|wanted| {
        bytes.next().is_some_and(|byte| if wanted == b'd' { byte.is_ascii_digit() } else { byte == wanted })
    });
    fits.then_some(pattern.len())
}

fn cut(text: &str) -> String {
    if text.chars().count() > 40 { text.chars().take(40).chain(['…']).collect() } else { text.to_owned() }
}

/// The text in double quotes with which an input begins, and what stands behind it.
///
/// # Errors
/// No closing quote, an unknown escape.
pub fn quoted_text(input: &str) -> Result<(String, &str), Fault> {
    match text(input) {
        Ok((rest, read)) => Ok((read, rest)),
        Err(Err::Error(slip) | Err::Failure(slip)) => Err(slip.diagnostic(input).fault),
        Err(Err::Incomplete(_)) => Err(Fault::new(Code::UnterminatedText, "this text has no closing `\"`")),
    }
}

/// A text in double quotes.
pub(super) fn text(input: &str) -> Read<'_, String> {
    let Some(mut rest) = input.strip_prefix('"') else {
        return Err(Err::Error(Slip::expected(input, "a text")));
    };
    let mut read = String::new();
    loop {
        let plain = rest.find(['"', '\\', '\n']).unwrap_or(rest.len());
        let (before, after) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        read.push_str(before);
        if let Some(after) = after.strip_prefix('"') {
            return Ok((after, read));
        }
        let Some(escape) = after.strip_prefix('\\') else {
            let length = input.len() - after.len();
            return Slip::new(input, length, Code::UnterminatedText, "this text has no closing `\"`")
                .help("a text ends on its line; write a line end in it as \\n")
                .fail();
        };
        let (c, length) = match escape.chars().next() {
            Some(c @ ('"' | '\\' | '/' | '\'')) => (Some(c), 1),
            Some('n') => (Some('\n'), 1),
            Some('r') => (Some('\r'), 1),
            Some('t') => (Some('\t'), 1),
            Some('0') => (Some('\0'), 1),
            Some('u') => unicode_escape(escape),
            Some(c) => (None, c.len_utf8()),
            None => (None, 0),
        };
        let Some(c) = c else {
            return Slip::new(after, 1 + length, Code::BadEscape, "unknown escape")
                .help("escapes are \\\" \\\\ \\n \\r \\t and \\u{1f600}")
                .fail();
        };
        read.push(c);
        rest = escape.get(length..).unwrap_or("");
    }
}

/// `u{1f600}` or `u0041`: the character, and the length with the `u`.
fn unicode_escape(escape: &str) -> (Option<char>, usize) {
    let after = escape.get(1..).unwrap_or("");
    let (digits, length) = match after.strip_prefix('{') {
        Some(braced) => match braced.split_once('}') {
            Some((digits, _)) if digits.len() <= 6 => (digits, digits.len() + 3),
            _ => return (None, 2),
        },
        None => (after.get(..4).unwrap_or(""), 5),
    };
    let hexadecimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let c = if hexadecimal { u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) } else { None };
    let length = length.min(escape.len());
    (c, if escape.is_char_boundary(length) { length } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_or_refused() {
        for (text, expected) in [
            ("0", Some("0")),
            ("-0.00", Some("0")),
            ("1.50", Some("1.5")),
            ("-12.5e1", Some("-125")),
            ("1e28", Some("10000000000000000000000000000")),
            ("1e29", None),
            ("1e-28", Some("0.0000000000000000000000000001")),
            ("1e-29", None),
            ("0e99999999999999999999", Some("0")),
            ("0ex", None),
            ("1e", None),
            ("79228162514264337593543950335", Some("79228162514264337593543950335")),
            ("79228162514264337593543950336", None),
            ("1e999999999999", None),
            ("", None),
            ("1.2.3", None),
        ] {
            assert_eq!(number(text).map(crate::value::number_text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn times_and_dates_are_strict() {
        let time_of = |text: &str| time(text).map(crate::value::time_text);
        for (text, expected) in [
            ("19:00", Some("19:00")),
            ("7 pm", Some("19:00")),
            ("7pm", Some("19:00")),
            ("12 am", Some("00:00")),
            ("12:30 PM", Some("12:30")),
            ("7:30:15 pm", Some("19:30:15")),
            ("9:05", Some("09:05")),
            ("24:00", None),
            ("13 pm", None),
            ("0 am", None),
            ("7:3", None),
            ("7", None),
            ("7:30:60", None),
            ("19:00:00.25", Some("19:00:00.25")),
        ] {
            assert_eq!(time_of(text).as_deref(), expected, "{text}");
        }
        assert!(date("2028-02-29").is_some());
        for text in ["2026-02-29", "2026-2-9", "26-02-09", "0000-01-01", "2026-11-211", "21.11.2026", "today"]
        {
            assert!(date(text).is_none(), "{text}");
        }
        assert_eq!(days_from_today("today - 7"), Some(-7));
        assert_eq!(days_from_today("Tomorrow"), Some(1));
    }
}
