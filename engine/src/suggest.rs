//! "Did you mean …": the nearest known name, or none.
//!
//! Knows texts only. With the similarity module the only user of `strsim`.

/// The candidate nearest to `word`, if it is near enough to be meant. Ties go to the candidate that
/// comes first. Case, spaces, `_` and `-` are ignored when comparing, so `reserve info` finds
/// `ReserveInfo`. Costs one comparison per candidate.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word);
    let length = word.chars().count();
    // A third of the letters may be off: more finds names that were not meant.
    let allowed = if length <= 2 { 1 } else { (length / 3).max(1) };
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in candidates {
        let other = folded(candidate);
        if other.chars().count().abs_diff(length) > allowed {
            continue;
        }
        let distance = strsim::osa_distance(&word, &other);
        let near = distance <= allowed && distance < length.max(1);
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many names a help text lists before it says how many more there are.
const LISTED: usize = 12;

/// A help sentence: the nearest name, or all of them where that is a short list.
pub fn known<'a>(word: &str, what: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(name) = nearest(word, candidates.clone()) {
        return format!("did you mean `{name}`?");
    }
    let names: Vec<&str> = candidates.into_iter().collect();
    if names.is_empty() {
        return format!("there are no {what}");
    }
    let listed: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(LISTED);
    if more > 0 {
        format!("known {what}: {} and {more} more", listed.join(", "))
    } else {
        format!("known {what}: {}", listed.join(", "))
    }
}

fn folded(word: &str) -> String {
    // Long foreign words are cut: the distance is quadratic.
    word.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).take(64).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant_and_nothing_else() {
        let names = ["RestaurantInfo", "ReserveInfo", "ReserveResult"];
        assert_eq!(nearest("RestarantInfo", names), Some("RestaurantInfo"));
        assert_eq!(nearest("reserve_info", names), Some("ReserveInfo"));
        assert_eq!(nearest("Weather", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("tme", ["time", "date"]), Some("time"));
    }
}
