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
    Forms::new(left).equal(&Forms::new(right), ignore_case)
}

/// Whether `part` occurs in `whole` on word boundaries. Unknown for an empty part, and where it only
/// seems to occur because of characters that look alike.
pub fn within(part: &str, whole: &str, ignore_case: bool) -> Truth {
    let (part, whole) = (Forms::new(part), Forms::new(whole));
    let (plain_part, plain_whole) = (part.plain(ignore_case), whole.plain(ignore_case));
    if plain_part.is_empty() {
        Truth::Unknown
    } else if normal::occurs(plain_part, plain_whole) {
        Truth::True
    } else if part
        .looks(ignore_case)
        .zip(whole.looks(ignore_case))
        .any(|(part, whole)| part.is_empty() || normal::occurs(part, whole))
    {
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
    let (left_forms, right_forms) = (Forms::new(&left), Forms::new(&right));
    let same = left_forms.equal(&right_forms, true);
    if same != Truth::False {
        return same;
    }
    match measure.similar(&left, &right) {
        Truth::False
            if left_forms
                .looks(true)
                .zip(right_forms.looks(true))
                .any(|(left, right)| measure.similar(left, right).is_true()) =>
        {
            Truth::Unknown
        }
        // A measure must not be made to overlook what can't be seen.
        Truth::True if lookalike::has_hidden(&left) || lookalike::has_hidden(&right) => Truth::Unknown,
        said => said,
    }
}

/// A text as it is compared, and how it looks.
#[derive(Debug, Clone)]
pub(crate) struct Forms {
    plain: String,
    folded: String,
    /// Skeletons of the text as it is, of the folded text, and the first folded. Folding can hide what
    /// looks alike (`I` and `l`) and show it (`Е` and `e`), so that each of them counts.
    looks: [String; 3],
}

impl Forms {
    pub(crate) fn new(text: &str) -> Forms {
        let plain = normal::nfc(text).into_owned();
        let folded = normal::fold(text);
        let skeleton = lookalike::skeleton(&plain);
        let looks = [lookalike::skeleton(&folded), normal::fold(&skeleton)];
        let [of_folded, refolded] = looks;
        Forms { plain, folded, looks: [skeleton, of_folded, refolded] }
    }

    fn plain(&self, ignore_case: bool) -> &str {
        if ignore_case { &self.folded } else { &self.plain }
    }

    /// Case tells texts apart unless it is ignored.
    fn looks(&self, ignore_case: bool) -> impl Iterator<Item = &String> {
        self.looks.iter().take(if ignore_case { 3 } else { 1 })
    }

    /// What [`equal`] says.
    pub(crate) fn equal(&self, other: &Forms, ignore_case: bool) -> Truth {
        if self.plain(ignore_case) == other.plain(ignore_case) {
            Truth::True
        } else if self.looks(ignore_case).zip(other.looks(ignore_case)).any(|(left, right)| left == right) {
            Truth::Unknown
        } else {
            Truth::False
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.plain.len() + self.folded.len() + self.looks.iter().map(String::len).sum::<usize>()
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
            ("HELP", "\u{41d}\u{415}L\u{420}", true, Unknown),
            ("PayPal", "PayPaI", true, Unknown),
            ("PayPal Inc", "paypai inc", true, False),
            ("GO", "G0", true, Unknown),
            ("evil", "\u{1d404}vil", true, Unknown),
            ("evil", "\u{1d404}vil", false, False),
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
