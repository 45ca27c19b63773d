//! Normal forms of texts: NFC, case and spacing, typographic variants, occurrence of words.
//!
//! Knows Unicode properties. Must never decide whether two texts look alike.

use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark, is_nfc};

/// The text in Unicode NFC.
pub fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// The text in NFC, in lower case, with every run of white space as one space and none at the ends:
/// what a variable compares that declares `ignore_case`.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.nfc().flat_map(char::to_lowercase));
    }
    // Lower-casing can leave a sequence that composes further.
    nfc(&folded).into_owned()
}

/// What is left of a name when case, spacing and punctuation don't count: letters and digits in
/// lower case.
pub fn bare(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect();
    nfc(&folded).into_owned()
}

/// The text with typographic variants of quotes, dashes, dots and spaces as their ASCII forms.
pub fn typographic(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{02bc}' | '\u{2032}' | '\u{ff07}' => {
                plain.push('\'');
            }
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' | '\u{ff02}' => plain.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => plain.push('-'),
            '\u{2026}' => plain.push_str("..."),
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => plain.push(' '),
            _ => plain.push(c),
        }
    }
    plain
}

/// Whether `part`, which is not empty, occurs in `whole` so that no letter or digit of the occurrence
/// touches another one. A combining mark belongs to the letter before it.
pub fn occurs(part: &str, whole: &str) -> bool {
    let (Some(first), Some(last)) = (part.chars().next(), part.chars().next_back()) else {
        return false;
    };
    let mut before: Option<char> = None;
    for (start, c) in whole.char_indices() {
        let open = !(is_word(first) && before.is_some_and(is_word));
        if open
            && c == first
            && let Some(rest) = whole.get(start..).and_then(|rest| rest.strip_prefix(part))
        {
            let after = rest.chars().next();
            if !after.is_some_and(|c| is_combining_mark(c) || (is_word(c) && is_word(last))) {
                return true;
            }
        }
        before = Some(c);
    }
    false
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_and_bare_forms() {
        assert_eq!(fold("  RD \u{a0} Bistro\n"), "rd bistro");
        assert_eq!(fold("CAFE\u{301}"), "café");
        assert_eq!(bare("Re-serve!"), "reserve");
        assert_eq!(bare("Ｒeserve"), "reserve");
        assert_eq!(typographic("it’s 5–6 pm"), "it's 5-6 pm");
    }
}
