//! Texts that differ and yet look alike (UTS 39), and characters that can't be seen.
//!
//! A skeleton flags, it never accepts: it equates `rn` and `m`, too.

use super::normal;
use unicode_security::confusable_detection::skeleton as uts39;

/// The skeleton of a text: hidden characters dropped, confusable characters replaced by their
/// prototype, spacing evened out. Two texts with the same skeleton look alike.
pub fn skeleton(text: &str) -> String {
    let seen: String = text.chars().filter(|c| !is_hidden(*c)).collect();
    let mapped: String = uts39(&normal::typographic(&seen)).collect();
    // Prototypes can hold spaces of their own kind.
    let mut skeleton = String::with_capacity(mapped.len());
    for word in mapped.split_whitespace() {
        if !skeleton.is_empty() {
            skeleton.push(' ');
        }
        skeleton.push_str(word);
    }
    skeleton
}

/// What two names of one scope must not share: they would differ only in case, or look alike.
pub fn distinct(name: &str) -> String {
    normal::fold(&skeleton(&normal::fold(name)))
}

/// Whether the texts differ after NFC and look alike.
pub fn alike(left: &str, right: &str) -> bool {
    normal::nfc(left) != normal::nfc(right) && skeleton(left) == skeleton(right)
}

/// Whether a character can't be seen or reorders what can: bidirectional controls, zero-width and
/// other default-ignorable characters, control characters other than line ends and tabs.
pub fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether one of its characters is hidden.
pub fn has_hidden(text: &str) -> bool {
    text.chars().any(is_hidden)
}

/// The characters of `text` that make it differ from `other`, as `U+0430 "а"`, hidden ones as
/// `U+200B (not visible)`; at most eight. Plain ASCII is told only where there is nothing else.
pub fn telling_characters(text: &str, other: &str) -> Vec<String> {
    let different = |c: &char| is_hidden(*c) || !other.contains(*c);
    let odd = told(text.chars().filter(different).filter(|c| !c.is_ascii() || is_hidden(*c)));
    if odd.is_empty() && !other.chars().any(|c| !c.is_ascii() && !text.contains(c)) {
        return told(text.chars().filter(different));
    }
    odd
}

/// The hidden characters of a text, at most eight.
pub fn hidden_characters(text: &str) -> Vec<String> {
    told(text.chars().filter(|c| is_hidden(*c)))
}

fn told(characters: impl Iterator<Item = char>) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for c in characters {
        let shown = if is_hidden(c) || c.is_whitespace() {
            format!("U+{:04X} (not visible)", u32::from(c))
        } else {
            format!("U+{:04X} \"{c}\"", u32::from(c))
        };
        if !told.contains(&shown) {
            told.push(shown);
        }
        if told.len() == 8 {
            break;
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skeletons_flag_confusables_hidden_characters_and_spacing() {
        assert!(alike("paypal", "p\u{430}ypal"));
        assert!(alike("paypal", "pay\u{2060}pal"));
        assert!(alike("10", "lO"));
        assert!(alike("a b", "a\u{a0}b"));
        assert!(!alike("paypal", "paypal"));
        assert!(!alike("paypal", "paypals"));
        assert_eq!(telling_characters("p\u{430}y\u{200b}", "pay"), ["U+0430 \"а\"", "U+200B (not visible)"]);
    }
}
