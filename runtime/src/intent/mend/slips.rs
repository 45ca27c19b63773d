//! Whether a name is another one with a slip in it, and certainly no other word.
//!
//! There is no dictionary here, so what counts is what the slip looks like. Case, `_` and spaces never make another word.
//! A letter doubled, missing or too many inside of a longer word rarely does, nor do neighbours that have changed
//! places; the pairs for which they do are listed. Another letter often does: `payer` is no slip of `payee`, and goes
//! back to the model.

use intentgate_engine::suggest;
use intentgate_engine::text::normal;

/// Words that differ in such a slip from another word: they are meant.
const WORDS: &[&str] = &[
    "bought",
    "breath",
    "breathe",
    "brought",
    "county",
    "country",
    "custom",
    "customs",
    "desert",
    "dessert",
    "diner",
    "dinner",
    "envelop",
    "envelope",
    "fiend",
    "fried",
    "friend",
    "good",
    "goods",
    "hoping",
    "hopping",
    "later",
    "latter",
    "marital",
    "martial",
    "personal",
    "personnel",
    "planed",
    "planet",
    "planned",
    "plant",
    "rational",
    "rationale",
    "replay",
    "reply",
    "staring",
    "starring",
    "starting",
    "sting",
    "string",
    "striped",
    "stripped",
    "thorough",
    "though",
    "thought",
    "through",
    "trough",
    "widow",
    "window",
];

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

/// Whether each word of a name is one of the other, or has one slip. Short words, first letters and digits are not where
/// slips are looked for.
fn is_slip(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    one.len() == other.len()
        && one.iter().zip(&other).all(|(one, other)| {
            let digits = |word: &[char]| word.iter().filter(|c| c.is_numeric()).copied().collect::<Vec<_>>();
            one == other
                || (one.first() == other.first() && digits(one) == digits(other) && one_slip(one, other))
        })
}

/// Whether a head is `Done` with a letter missing, too many, or in another place.
pub(super) fn is_nearly_done(head: &str) -> bool {
    ["Doen", "Donee", "Doone", "Donne", "Dne", "Don", "Dnoe"]
        .iter()
        .any(|slip| head.eq_ignore_ascii_case(slip))
}

/// How long the longer of two words has to be for a slip inside of it.
const LONG: usize = 6;
/// How long, where two letters have changed places, or the last one is missing.
const LONGER: usize = 7;

fn one_slip(written: &[char], meant: &[char]) -> bool {
    let known = |word: &[char]| WORDS.contains(&word.iter().collect::<String>().as_str());
    if known(written) && known(meant) {
        return false;
    }
    let start = written.iter().zip(meant).take_while(|(one, other)| one == other).count();
    let (one, other) = (written.get(start..).unwrap_or_default(), meant.get(start..).unwrap_or_default());
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let one = one.get(..one.len() - end).unwrap_or_default();
    let other = other.get(..other.len() - end).unwrap_or_default();
    let longest = written.len().max(meant.len());
    match (one, other) {
        ([letter], []) | ([], [letter]) => {
            let before = start.checked_sub(1).and_then(|before| written.get(before));
            let plural = end == 0 && *letter == 's' && longest > 4;
            let doubled = before == Some(letter) && longest >= LONG;
            let inside = end > 0 && longest >= LONG;
            let last = end == 0 && *letter == 'e' && other.len() == 1 && longest >= LONGER;
            plural || doubled || inside || last
        }
        ([a, b], [c, d]) => a == d && b == c && longest >= LONGER,
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
            ("tme", "time", false),
            ("payer", "payee", false),
            ("price", "prize", false),
            ("weakly", "weekly", false),
            ("from", "form", false),
            ("quiet", "quite", false),
            ("untied", "united", false),
            ("county", "country", false),
            ("late", "later", false),
            ("receive", "receiver", false),
            ("RestaurentInfo", "RestaurantInfo", false),
            ("item", "items", true),
            ("amounts", "amount", true),
            ("ammount", "amount", true),
            ("adress", "address", true),
            ("recieved", "received", true),
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
