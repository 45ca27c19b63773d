//! The similarity table, and properties that hold on any text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking, and say where"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use intentgate_engine::text::similar::{LocalSimilarity, MAX_BYTES, Similarity};
use intentgate_engine::truth::Truth;
use proptest::prelude::*;

const TABLE: &str = include_str!("similarity/pairs.tsv");
/// The comments that begin the parts of the table after the first.
const PARTS: [&str; 3] = ["# main", "# held out", "# found by probing"];

#[derive(Debug)]
struct Pair {
    accept: bool,
    left: String,
    right: String,
    family: String,
    part: usize,
}

/// Reads the table; `\u{..}` in a text stands for a code point.
fn pairs() -> Vec<Pair> {
    let mut part = 0;
    let mut pairs = Vec::new();
    for line in TABLE.lines() {
        if let Some(begun) = PARTS.iter().position(|head| line.starts_with(head)) {
            part = begun;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = line.split('\t').collect();
        let [kind, left, right, family] = cells[..] else {
            panic!("not four cells: {line:?}");
        };
        assert!(kind == "accept" || kind == "reject", "unknown kind: {line:?}");
        pairs.push(Pair {
            accept: kind == "accept",
            left: unescape(left),
            right: unescape(right),
            family: family.to_owned(),
            part,
        });
    }
    pairs
}

fn unescape(cell: &str) -> String {
    let mut parts = cell.split("\\u{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').expect("a closing brace");
        let code = u32::from_str_radix(code, 16).expect("a hexadecimal number");
        text.push(char::from_u32(code).expect("a code point"));
        text.push_str(rest);
    }
    text
}

fn similar(left: &str, right: &str) -> Truth {
    LocalSimilarity.similar(left, right)
}

#[derive(Debug, Default)]
struct Tally {
    hits: usize,
    misses: usize,
    false_accepts: usize,
    rejects: usize,
}

impl Tally {
    fn count(&mut self, pair: &Pair, accepted: bool) {
        match (pair.accept, accepted) {
            (true, true) => self.hits += 1,
            (true, false) => self.misses += 1,
            (false, true) => self.false_accepts += 1,
            (false, false) => self.rejects += 1,
        }
    }

    fn precision(&self) -> f64 {
        ratio(self.hits, self.hits + self.false_accepts)
    }

    fn recall(&self) -> f64 {
        ratio(self.hits, self.hits + self.misses)
    }
}

#[expect(clippy::cast_precision_loss, reason = "the table is small")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// Precision and recall of each family, and the pairs that went wrong.
fn report(pairs: &[Pair], part: usize) -> (Tally, String) {
    let mut all = Tally::default();
    let mut families: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut wrong = String::new();
    for pair in pairs.iter().filter(|pair| pair.part == part) {
        let accepted = similar(&pair.left, &pair.right) == Truth::True;
        all.count(pair, accepted);
        families.entry(&pair.family).or_default().count(pair, accepted);
        if accepted != pair.accept {
            let kind = if accepted { "false accept" } else { "miss" };
            let _ = writeln!(wrong, "{kind}: {:?} ~ {:?} ({})", pair.left, pair.right, pair.family);
        }
    }
    let mut text = String::new();
    for (family, tally) in families.iter().chain([(&"ALL", &all)]) {
        let _ = writeln!(
            text,
            "{family:16} precision {:.3} recall {:.3} (accept {}, reject {})",
            tally.precision(),
            tally.recall(),
            tally.hits + tally.misses,
            tally.rejects + tally.false_accepts,
        );
    }
    (all, text + &wrong)
}

#[test]
fn the_table_holds() {
    let pairs = pairs();
    let (main, main_text) = report(&pairs, 0);
    let (held, held_text) = report(&pairs, 1);
    let (probed, probed_text) = report(&pairs, 2);
    let summary = format!("table\n{main_text}\nheld out\n{held_text}\nfound by probing\n{probed_text}");
    std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/similar-summary.txt"), &summary)
        .expect("the summary is written");
    println!("{summary}");
    assert_eq!(main.false_accepts + held.false_accepts + probed.false_accepts, 0, "{summary}");
    assert!(main.recall() >= 0.97, "{summary}");
}

#[test]
fn the_table_is_symmetric_and_reflexive() {
    for Pair { left, right, .. } in &pairs() {
        assert_eq!(similar(left, right), similar(right, left), "{left:?} ~ {right:?}");
        assert_eq!(similar(left, left), Truth::True, "{left:?}");
        assert_eq!(similar(right, right), Truth::True, "{right:?}");
    }
}

#[test]
fn a_long_text_is_unknown_unless_equal() {
    let long = "a".repeat(MAX_BYTES + 1);
    assert_eq!(similar(&long, &long), Truth::True);
    assert_eq!(similar(&long, "a"), Truth::Unknown);
    assert_eq!(similar("a", &long), Truth::Unknown);
}

/// Texts that make a pass look far ahead must not make it look from everywhere.
#[test]
fn the_longest_texts_are_compared_quickly() {
    for unit in ["1 ", "+1 ", "the ", "a-", "A. ", "a.", "1:", "(", "&", "Jan 1 ", "e mail "] {
        let text = unit.repeat(MAX_BYTES / unit.len() - 1);
        let start = std::time::Instant::now();
        let _ = similar(&text, &format!("{text}x"));
        let taken = start.elapsed();
        assert!(taken.as_millis() < 500, "{unit:?} took {taken:?}");
    }
}

#[test]
fn the_name_is_stable() {
    assert_eq!(LocalSimilarity.name(), "local-1");
}

/// Texts made of the pieces the measure knows, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "Jan",
            "may",
            "of",
            "the",
            "and",
            "&",
            "2nd",
            "7",
            "12",
            "2026",
            "pm",
            "a.m.",
            ":",
            "-",
            "/",
            ".",
            ",",
            "(",
            ")",
            "+",
            "$",
            "€",
            "5.00",
            "1,000",
            "1,234,567",
            "kg",
            "M",
            "not",
            "don't",
            "St.",
            "two",
            "second",
            "Mon",
            "restaurant",
            "resturant",
            "café",
            "'",
            "R",
            "D",
            "wi",
            "fi",
            "percent",
            "%",
            "21.11.2026",
            "555",
            "1234",
            "!",
            "…",
            "@",
        ])
        .prop_map(str::to_owned),
        "[0-9]{1,4}",
        "[a-zA-Z]{1,8}",
    ];
    prop::collection::vec((piece, prop::bool::ANY), 0..12).prop_map(|pieces| {
        pieces.into_iter().map(|(piece, spaced)| if spaced { piece + " " } else { piece }).collect()
    })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), pieces(), "[ -~]{0,40}"]
}

/// The text with one of its digits replaced by another.
fn with_changed_digit(text: &str, which: usize, by: u8) -> Option<String> {
    let digits: Vec<usize> =
        text.char_indices().filter_map(|(at, c)| c.is_ascii_digit().then_some(at)).collect();
    let at = *digits.get(which.checked_rem(digits.len())?)?;
    let mut bytes = text.as_bytes().to_vec();
    bytes[at] = b'0' + (bytes[at] - b'0' + by) % 10;
    String::from_utf8(bytes).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_similar_to_itself(text in text()) {
        prop_assert_eq!(similar(&text, &text), Truth::True);
    }

    #[test]
    fn similarity_is_symmetric(left in text(), right in text()) {
        prop_assert_eq!(similar(&left, &right), similar(&right, &left));
    }

    #[test]
    fn a_changed_digit_is_never_accepted(text in text(), which: usize, by in 1u8..10) {
        if let Some(changed) = with_changed_digit(&text, which, by) {
            prop_assert_ne!(similar(&text, &changed), Truth::True, "{:?} ~ {:?}", text, changed);
        }
    }

    #[test]
    fn an_added_negation_is_never_accepted(text in pieces()) {
        prop_assert_ne!(similar(&format!("not {text}"), &text), Truth::True);
        prop_assert_ne!(similar(&format!("{text} not"), &text), Truth::True);
    }

    #[test]
    fn white_space_at_the_ends_is_no_difference(text in pieces()) {
        let padded = format!("\u{a0} {text}\n");
        let blank = text.chars().all(|c| !c.is_alphanumeric());
        prop_assert!(blank || similar(&padded, &text) == Truth::True);
    }
}
