//! Foreign texts on an HTML page.

use std::fmt::Write;

/// A text as the content of an element, or of an attribute in quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A page on which what can't be seen is spelled out: control characters, and those that turn the direction of
/// what follows or make two texts look the same.
pub(super) fn spelled_out(page: &str) -> String {
    let mut spelled = String::with_capacity(page.len());
    for c in page.chars() {
        let unseen = matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
                | '\u{e0000}'..='\u{e007f}'
        );
        match c {
            '\n' | '\t' => spelled.push(c),
            c if c.is_control() || unseen => {
                let _ = write!(spelled, "\\u{{{:x}}}", u32::from(c));
            }
            c => spelled.push(c),
        }
    }
    spelled
}
