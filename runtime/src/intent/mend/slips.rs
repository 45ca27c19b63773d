//! Whether a name is another one with a slip in it, and certainly no other word.

use intentgate_engine::suggest;
use intentgate_engine::text::normal;

/// The one known name that is meant: the only one that differs in nothing but case, spacing and punctuation, or the only
/// near one, if it differs by slips. `min_total` is no slip of `max_total`, `disabled` none of `enabled`.
pub(super) fn only_near<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let bare = normal::bare(word);
    let mut same = known.iter().filter(|name| normal::bare(name) == bare);
    match (same.next(), same.next()) {
        (Some(name), None) => return Some(name),
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    let first = suggest::nearest(word, known.iter().copied())?;
    let others = known.iter().copied().filter(|name| *name != first);
    if suggest::nearest(word, others).is_some() {
        return None;
    }
    is_slip(word, first).then_some(first)
}

/// Whether each word of a name is one of the other, or has one slip: a letter too many, too few, another one, or two
/// that have changed places. Short words, first letters and digits are not where slips are looked for.
pub(super) fn is_slip(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    one.len() == other.len()
        && one.iter().zip(&other).all(|(one, other)| {
            let digits = |word: &[char]| word.iter().filter(|c| c.is_numeric()).copied().collect::<Vec<_>>();
            one == other
                || (one.len().max(other.len()) >= 4
                    && one.first() == other.first()
                    && digits(one) == digits(other)
                    && one_slip(one, other))
        })
}

fn one_slip(one: &[char], other: &[char]) -> bool {
    let start = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (one, other) = (one.get(start..).unwrap_or_default(), other.get(start..).unwrap_or_default());
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let one = one.get(..one.len() - end).unwrap_or_default();
    let other = other.get(..other.len() - end).unwrap_or_default();
    match (one, other) {
        ([_] | [], [_] | []) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

/// The words of an identifier, in lower case.
fn words(name: &str) -> Vec<Vec<char>> {
    let mut words: Vec<Vec<char>> = vec![Vec::new()];
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && lower) {
            words.push(Vec::new());
        }
        lower = c.is_lowercase() || c.is_numeric();
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_other_words() {
        for (one, other, slip) in [
            ("RestarantInfo", "RestaurantInfo", true),
            ("tme", "time", true),
            ("avialable", "available", true),
            ("availabel", "available", true),
            ("ReservInfo", "ReserveInfo", true),
            ("disabled", "enabled", false),
            ("unavailable", "available", false),
            ("min_total", "max_total", false),
            ("room1", "room2", false),
            ("to", "too", false),
            ("Reverse", "Reserve", false),
            ("booked", "locked", false),
            ("starts", "ends", false),
        ] {
            assert_eq!(is_slip(one, other), slip, "{one} {other}");
        }
        assert_eq!(only_near("Reserve_info", &["ReserveInfo", "ReserveResult"]), Some("ReserveInfo"));
        assert_eq!(only_near("ReservInfo", &["ReserveInfo", "ReserverInfo"]), None);
    }
}
