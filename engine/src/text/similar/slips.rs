//! The spelling slip: one edit inside one word.
//!
//! An edit distance alone cannot tell a slip from another word ("massage",
//! "message"), so that a slip is recognised only between a common word and a
//! string that is no word at all. Unlisted words, and so names and words of
//! other languages, must be spelt alike.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The shortest word in which a slip is tolerated.
const SHORTEST: usize = 5;
/// The shortest word in which one vowel may stand for another.
const SHORTEST_VOWEL: usize = 6;
/// The shortest word in which any letter may stand for another.
const SHORTEST_LETTER: usize = 8;

static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| load(include_str!("common.txt")));
static NEAR: LazyLock<HashSet<&str>> = LazyLock::new(|| load(include_str!("near.txt")));
static RARE: LazyLock<HashSet<&str>> = LazyLock::new(|| load(include_str!("rare.txt")));

fn load(list: &'static str) -> HashSet<&'static str> {
    list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect()
}

fn is_listed(word: &str) -> bool {
    COMMON.contains(word) || NEAR.contains(word) || RARE.contains(word)
}

/// Whether one of two lower-case words is a misspelling of the other.
///
/// No other common or near word may be as near to the misspelling: "hourse" is neither
/// "house" nor "horse".
pub(super) fn is_slip(left: &str, right: &str) -> bool {
    let (wrong, meant) = match (COMMON.contains(left), COMMON.contains(right)) {
        (true, false) => (right, left),
        (false, true) => (left, right),
        _ => return false,
    };
    if is_listed(wrong) || hides_negation(wrong) || hides_negation(meant) {
        return false;
    }
    let Some(edit) = inner_edit(wrong, meant) else {
        return false;
    };
    COMMON
        .iter()
        .chain(NEAR.iter())
        .filter(|other| **other != meant && wrong.len().abs_diff(other.len()) <= 1)
        .filter_map(|other| inner_edit(wrong, other))
        .all(|rival| rival > edit)
}

/// Words that negate, or that turn into their opposite with a prefix, are never
/// near anything.
fn hides_negation(word: &str) -> bool {
    const NEGATIONS: [&str; 14] = [
        "neither", "never", "nothing", "nobody", "nowhere", "without", "cannot", "before", "after", "within",
        "except", "unless", "accept", "refuse",
    ];
    NEGATIONS.contains(&word)
}

/// The kinds of slip, the likelier first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Edit {
    /// Two letters in the wrong order, or one too few or too many.
    Misplaced,
    /// One vowel for another.
    Vowel,
    /// One letter for another.
    Letter,
}

/// The one edit between two words, if there is exactly one, and the first and
/// the last letter stay: prefixes negate and endings inflect.
fn inner_edit(wrong: &str, meant: &str) -> Option<Edit> {
    let letters = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let shortest = wrong.len().min(meant.len());
    let (a, b) = (wrong.as_bytes(), meant.as_bytes());
    if shortest < SHORTEST
        || a.first() != b.first()
        || a.last() != b.last()
        || !letters(wrong)
        || !letters(meant)
        || strsim::osa_distance(wrong, meant) != 1
    {
        return None;
    }
    if a.len() != b.len() {
        return Some(Edit::Misplaced);
    }
    let mut changed = a.iter().zip(b).filter(|(x, y)| x != y);
    let (Some((x, y)), second) = (changed.next(), changed.next()) else {
        return None;
    };
    let vowel = |byte: &u8| b"aeiouy".contains(byte);
    match second {
        Some(_) => Some(Edit::Misplaced),
        None if vowel(x) && vowel(y) && shortest >= SHORTEST_VOWEL => Some(Edit::Vowel),
        None if shortest >= SHORTEST_LETTER => Some(Edit::Letter),
        None => None,
    }
}
