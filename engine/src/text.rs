//! How texts compare: equal, within, similar, each three-valued.
//!
//! Knows Unicode. Must never know variables, rules or where a text came from. These functions are
//! the definition; the evaluator caches what they say.

pub mod lookalike;
pub mod normal;
pub mod similar;

use crate::truth::Truth;
pub use similar::{LocalSimilarity, Similarity};

/// Whether two texts are the same after NFC, or, with `ignore_case`, after folding case and spacing.
/// Unknown where they differ and look alike.
pub fn equal(left: &str, right: &str, ignore_case: bool) -> Truth {
    let (left, right) = (Forms::new(left, ignore_case), Forms::new(right, ignore_case));
    if left.plain == right.plain {
        Truth::True
    } else if left.skeleton == right.skeleton {
        Truth::Unknown
    } else {
        Truth::False
    }
}

/// Whether `part` occurs in `whole` on word boundaries. Unknown for an empty part, and where it only
/// seems to occur because of characters that look alike.
pub fn within(part: &str, whole: &str, ignore_case: bool) -> Truth {
    let (part, whole) = (Forms::new(part, ignore_case), Forms::new(whole, ignore_case));
    if part.plain.is_empty() {
        Truth::Unknown
    } else if normal::occurs(&part.plain, &whole.plain) {
        Truth::True
    } else if part.skeleton.is_empty() || normal::occurs(&part.skeleton, &whole.skeleton) {
        Truth::Unknown
    } else {
        Truth::False
    }
}

/// Whether two texts are similar by `measure`. Typographic variants and case never matter here;
/// what is similar only because characters look alike is unknown.
pub fn similar(left: &str, right: &str, measure: &dyn Similarity) -> Truth {
    let typographic = |text: &str| normal::typographic(&normal::nfc(text));
    let (left, right) = (typographic(left), typographic(right));
    let (left_folded, right_folded) = (normal::fold(&left), normal::fold(&right));
    if left_folded == right_folded {
        return Truth::True;
    }
    let (left_skeleton, right_skeleton) =
        (lookalike::skeleton(&left_folded), lookalike::skeleton(&right_folded));
    if left_skeleton == right_skeleton {
        return Truth::Unknown;
    }
    match measure.similar(&left, &right) {
        Truth::False if measure.similar(&left_skeleton, &right_skeleton).is_true() => Truth::Unknown,
        // A measure must not be made to overlook what can't be seen.
        Truth::True if lookalike::has_hidden(&left) || lookalike::has_hidden(&right) => Truth::Unknown,
        said => said,
    }
}

/// A text as it is compared, and its skeleton.
struct Forms {
    plain: String,
    skeleton: String,
}

impl Forms {
    fn new(text: &str, ignore_case: bool) -> Forms {
        let plain = if ignore_case { normal::fold(text) } else { normal::nfc(text).into_owned() };
        let skeleton = lookalike::skeleton(&plain);
        Forms { plain, skeleton }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::Truth::{False, True, Unknown};

    #[test]
    fn equality_is_exact_and_unknown_where_texts_look_alike() {
        for (left, right, ignore_case, expected) in [
            ("R", "R", false, True),
            ("R", "S", false, False),
            ("R", "r", false, False),
            ("R", " r ", true, True),
            ("cafe\u{301}", "café", false, True),
            ("paypal", "p\u{430}ypal", false, Unknown),
            ("paypal", "pay\u{200b}pal", false, Unknown),
            ("abc", "abc\u{202e}", false, Unknown),
            ("Bob", "Bob ", false, Unknown),
            ("O'Neil", "O’Neil", false, Unknown),
            ("modern", "modem", false, Unknown),
            ("PayPal", "p\u{430}ypal", true, Unknown),
            ("", "", false, True),
            ("", "\u{200b}", false, Unknown),
        ] {
            assert_eq!(equal(left, right, ignore_case), expected, "{left:?} = {right:?}");
            assert_eq!(equal(right, left, ignore_case), expected, "{right:?} = {left:?}");
        }
    }

    #[test]
    fn occurrence_respects_word_boundaries() {
        for (part, whole, expected) in [
            ("red", "a red car", True),
            ("red", "bored", False),
            ("red", "bored, red", True),
            ("red", "red\u{301}", False),
            ("", "anything", Unknown),
            ("red", "a r\u{435}d car", Unknown),
            ("$5", "cost: $5.", True),
            ("5", "cost: $50", False),
        ] {
            assert_eq!(within(part, whole, false), expected, "{part:?} in {whole:?}");
        }
    }
}
