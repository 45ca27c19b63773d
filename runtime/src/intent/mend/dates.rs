//! Dates and times in other spellings, where there is exactly one reading.

use chrono::{NaiveDate, NaiveTime};
use intentgate_engine::syntax::literal;
use intentgate_engine::value::{date_text, relative_date_text, time_text};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The literal of the language for a date or a time in another spelling. `03/04/2026` may be two days, `7 o'clock` two
/// times: nothing.
pub(super) fn respelled(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    if text.chars().count() > 40 {
        return None;
    }
    let date = || date(&text).map(date_text);
    let relative = || relative(&text).map(relative_date_text);
    let time = || time(&text).map(time_text);
    date().or_else(relative).or_else(time)
}

fn relative(text: &str) -> Option<i64> {
    let bare = text.strip_suffix("()").unwrap_or(text);
    if let Some(days) = literal::days_from_today(bare) {
        return Some(days);
    }
    let sum = bare.strip_suffix(" days").or_else(|| bare.strip_suffix(" day"))?;
    let sum = sum.replace(" plus ", " + ").replace(" minus ", " - ");
    match sum.strip_prefix("in ") {
        Some(days) => days.parse::<u32>().ok().map(i64::from),
        None => literal::days_from_today(&sum),
    }
}

fn date(text: &str) -> Option<NaiveDate> {
    if let Some(date) = literal::date(text) {
        return Some(date);
    }
    let parts: Vec<&str> = text.split(['/', '.', '-', ' ', ',']).filter(|part| !part.is_empty()).collect();
    let [one, two, three] = parts.as_slice() else { return None };
    let number = |part: &str| part.parse::<u32>().ok().filter(|_| part.len() <= 4);
    let year = |part: &str| number(part).filter(|_| part.len() == 4)?.try_into().ok();
    let day = |part: &str| {
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| part.strip_suffix(end)).unwrap_or(part);
        number(digits).filter(|_| digits.len() <= 2)
    };
    if let Some(year) = year(one) {
        return NaiveDate::from_ymd_opt(year, number(two)?, number(three)?);
    }
    let year = year(three)?;
    match (month(one), month(two)) {
        (Some(month), None) => NaiveDate::from_ymd_opt(year, month, day(two)?),
        (None, Some(month)) => NaiveDate::from_ymd_opt(year, month, day(one)?),
        (Some(_), Some(_)) => None,
        (None, None) => {
            let day_first = NaiveDate::from_ymd_opt(year, number(two)?, number(one)?);
            let month_first = NaiveDate::from_ymd_opt(year, number(one)?, number(two)?);
            match (day_first, month_first) {
                (Some(one), Some(other)) if one != other => None,
                (one, other) => one.or(other),
            }
        }
    }
}

/// The month of a name or of its first three letters or more.
fn month(text: &str) -> Option<u32> {
    let text = text.strip_suffix('.').unwrap_or(text);
    let place = MONTHS.iter().position(|month| text.len() >= 3 && month.starts_with(text))?;
    u32::try_from(place + 1).ok()
}

fn time(text: &str) -> Option<NaiveTime> {
    if text == "noon" {
        return NaiveTime::from_hms_opt(12, 0, 0);
    }
    let plain = text.replace("a.m.", "am").replace("p.m.", "pm").replace("a.m", "am").replace("p.m", "pm");
    if let Some(time) = literal::time(&plain) {
        return Some(time);
    }
    // `7.30 pm`
    if plain.ends_with("am") || plain.ends_with("pm") {
        return literal::time(&plain.replacen('.', ":", 1));
    }
    // `19h`, `19h30`, `19:00h`
    let (hours, minutes) = plain.split_once('h')?;
    let minutes = minutes.trim();
    let two = minutes.len() == 2 && minutes.bytes().all(|byte| byte.is_ascii_digit());
    match (hours.trim_end().contains(':'), minutes.is_empty()) {
        (true, true) => literal::time(hours.trim_end()),
        (false, true) => literal::time(&format!("{}:00", hours.trim_end())),
        (false, false) if two => literal::time(&format!("{hours}:{minutes}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reading_or_none() {
        for (text, expected) in [
            ("2026/11/21", Some("2026-11-21")),
            ("21.11.2026", Some("2026-11-21")),
            ("11/21/2026", Some("2026-11-21")),
            ("03/04/2026", None),
            ("04/04/2026", Some("2026-04-04")),
            ("Nov 21, 2026", Some("2026-11-21")),
            ("21st November 2026", Some("2026-11-21")),
            ("May June 2026", None),
            ("31.02.2026", None),
            ("21.11.26", None),
            ("TODAY", Some("today")),
            ("today()", Some("today")),
            ("today + 3 days", Some("today + 3")),
            ("in 2 days", Some("today + 2")),
            ("next week", None),
            ("7 p.m.", Some("19:00")),
            ("7:30 P.M.", Some("19:30")),
            ("7.30 pm", Some("19:30")),
            ("19h", Some("19:00")),
            ("19h30", Some("19:30")),
            ("19:00h", Some("19:00")),
            ("noon", Some("12:00")),
            ("midnight", None),
            ("7 o'clock", None),
            ("seven", None),
            ("19.00", None),
            ("", None),
        ] {
            assert_eq!(respelled(text).as_deref(), expected, "{text}");
        }
    }
}
