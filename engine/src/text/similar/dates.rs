//! Times of day and dates.
//!
//! Only what can be read in one way is joined: "01/02/2026" and "7-9 pm" stay
//! as they are written.

use super::amounts::join;
use super::tokens::{Item, Token, tight, token};

/// Joins times of day.
pub(super) fn join_clocks(items: Vec<Item>) -> Vec<Item> {
    join(items, |items, at| {
        if follows_symbol(items, at) {
            return None;
        }
        let digits = token(items, at)?.digits()?;
        let hour: u32 = digits.parse().ok().filter(|_| digits.len() <= 2)?;
        let (minute, used) = match minutes(items, at) {
            Some(minute) => (Some(minute), 3),
            None => (None, 1),
        };
        // Seconds, ratios and ranges are not times of day.
        if tight(items, at + used)
            && matches!(token(items, at + used), Some(Token::Symbol(_) | Token::Number(_)))
        {
            return None;
        }
        let half = token(items, at + used).and_then(Token::word);
        let (minutes, certain, used) = match (half, minute) {
            (Some("am"), _) if (1..=12).contains(&hour) => (hour % 12 * 60, true, used + 1),
            (Some("pm"), _) if (1..=12).contains(&hour) => (hour % 12 * 60 + 720, true, used + 1),
            (_, Some(_)) if hour < 24 => (hour * 60, !(1..=12).contains(&hour), used),
            _ => return None,
        };
        let minutes = minutes + minute.unwrap_or(0);
        Some((Token::Clock { minutes, certain }, used))
    })
}

fn minutes(items: &[Item], at: usize) -> Option<u32> {
    let digits = token(items, at + 2)?.digits()?;
    let colon = token(items, at + 1) == Some(&Token::Symbol(':'));
    let minute = digits.parse().ok()?;
    (colon && tight(items, at + 1) && tight(items, at + 2) && digits.len() == 2 && minute < 60)
        .then_some(minute)
}

fn follows_symbol(items: &[Item], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| token(items, before))
        .is_some_and(|before| matches!(before, Token::Symbol(_)))
}

fn leads_symbol(items: &[Item], at: usize) -> bool {
    matches!(token(items, at), Some(Token::Symbol(_)))
}

/// Joins dates, and gives the day of the week before a date or a time its full
/// name.
pub(super) fn join_dates(items: Vec<Item>) -> Vec<Item> {
    let items = join(items, |items, at| {
        if follows_symbol(items, at) {
            return None;
        }
        let (date, used) = numeric(items, at)
            .or_else(|| pointed(items, at))
            .or_else(|| day_first(items, at))
            .or_else(|| month_first(items, at))?;
        (!leads_symbol(items, at + used)).then_some((date, used))
    });
    join(items, |items, at| {
        let Some(Token::Word(word)) = token(items, at) else {
            return None;
        };
        let full = weekday(&word.text)?;
        let next = skip_soft(items, at + 1);
        let dated = matches!(token(items, next), Some(Token::Date { .. } | Token::Clock { .. }));
        let mut word = word.clone();
        full.clone_into(&mut word.text);
        dated.then(|| (Token::Word(word), next - at))
    })
}

fn skip_soft(items: &[Item], at: usize) -> usize {
    let soft = |at| matches!(token(items, at), Some(Token::Soft('.' | ',')));
    at + (0..2).take_while(|ahead| soft(at + ahead)).count()
}

/// "2026-11-21", "2026/11/21", "21/11/2026", "11/21/2026".
fn numeric(items: &[Item], at: usize) -> Option<(Token, usize)> {
    let separator = token(items, at + 1)?;
    let solid = (1..5).all(|ahead| tight(items, at + ahead));
    if !solid || token(items, at + 3)? != separator {
        return None;
    }
    let [a, b, c] = [at, at + 2, at + 4].map(|at| token(items, at).and_then(Token::digits));
    let (a, b, c) = (a?, b?, c?);
    let date = match separator {
        Token::Symbol('-' | '/') if a.len() == 4 => date(year(a), small(b)?, Some(small(c)?)),
        Token::Symbol('/') if c.len() == 4 => day_and_month(small(a)?, small(b)?, year(c)),
        _ => None,
    }?;
    Some((date, 5))
}

/// "21.11.2026".
fn pointed(items: &[Item], at: usize) -> Option<(Token, usize)> {
    let Some(Token::Number(raw)) = token(items, at) else {
        return None;
    };
    let mut parts = raw.split('.');
    let (a, b, c) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || c.len() != 4 {
        return None;
    }
    Some((day_and_month(small(a)?, small(b)?, year(c))?, 1))
}

/// A date whose day and month come in either order: known only if one of the
/// orders is impossible, or both say the same.
fn day_and_month(a: u32, b: u32, year: Option<u32>) -> Option<Token> {
    match (a, b) {
        (day, month) if day > 12 || day == month => date(year, month, Some(day)),
        (month, day) if day > 12 => date(year, month, Some(day)),
        _ => None,
    }
}

/// "21 Nov 2026", "1st of January".
fn day_first(items: &[Item], at: usize) -> Option<(Token, usize)> {
    let day = day(items, at)?;
    let of = matches!(token(items, at), Some(Token::Ordinal(_)))
        && token(items, at + 1).and_then(Token::word) == Some("of");
    let named = at + 1 + usize::from(of);
    let month = month(token(items, named)?.word()?)?;
    let after = skip_soft(items, named + 1);
    if let Some(year) = year_at(items, after) {
        return Some((date(Some(year), month, Some(day))?, after + 1 - at));
    }
    // In "2 May 5" either number may be the day.
    let contested = matches!(token(items, named + 1), Some(Token::Number(_) | Token::Ordinal(_)));
    (!contested).then_some((date(None, month, Some(day))?, named + 1 - at))
}

/// "Nov 21, 2026", "Jan 01", "Dec 2025".
fn month_first(items: &[Item], at: usize) -> Option<(Token, usize)> {
    let month = month(token(items, at)?.word()?)?;
    let contested = at.checked_sub(1).is_some_and(|before| day(items, before).is_some());
    if contested {
        return None;
    }
    let next = match token(items, at + 1) {
        Some(Token::Soft('.')) => at + 2,
        _ => at + 1,
    };
    if let Some(year) = year_at(items, next) {
        return Some((date(Some(year), month, None)?, next + 1 - at));
    }
    let day = day(items, next)?;
    let after = skip_soft(items, next + 1);
    match year_at(items, after) {
        Some(year) => Some((date(Some(year), month, Some(day))?, after + 1 - at)),
        None => Some((date(None, month, Some(day))?, next + 1 - at)),
    }
}

fn day(items: &[Item], at: usize) -> Option<u32> {
    match token(items, at)? {
        Token::Ordinal(value) => Some(*value),
        other => other.digits().and_then(small),
    }
    .filter(|day| (1..=31).contains(day))
}

fn year_at(items: &[Item], at: usize) -> Option<u32> {
    year(token(items, at)?.digits()?)
}

/// A number of one or two digits.
fn small(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|_| digits.len() <= 2)
}

fn year(digits: &str) -> Option<u32> {
    let year = digits.parse().ok().filter(|_| digits.len() == 4)?;
    (1000..3000).contains(&year).then_some(year)
}

/// The date, if the calendar has it.
fn date(year: Option<u32>, month: u32, day: Option<u32>) -> Option<Token> {
    let leap = year.is_none_or(|y| y % 4 == 0 && (y % 100 != 0 || y % 400 == 0));
    let length = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    day.is_none_or(|day| (1..=length).contains(&day)).then_some(Token::Date { year, month, day })
}

fn month(word: &str) -> Option<u32> {
    Some(match word {
        "january" | "jan" => 1,
        "february" | "feb" => 2,
        "march" | "mar" => 3,
        "april" | "apr" => 4,
        "may" => 5,
        "june" | "jun" => 6,
        "july" | "jul" => 7,
        "august" | "aug" => 8,
        "september" | "sep" | "sept" => 9,
        "october" | "oct" => 10,
        "november" | "nov" => 11,
        "december" | "dec" => 12,
        _ => return None,
    })
}

fn weekday(word: &str) -> Option<&'static str> {
    Some(match word {
        "mon" | "monday" => "monday",
        "tue" | "tues" | "tuesday" => "tuesday",
        "wed" | "wednesday" => "wednesday",
        "thu" | "thur" | "thurs" | "thursday" => "thursday",
        "fri" | "friday" => "friday",
        "sat" | "saturday" => "saturday",
        "sun" | "sunday" => "sunday",
        _ => return None,
    })
}
