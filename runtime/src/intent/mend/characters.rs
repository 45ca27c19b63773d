//! Characters that stand for others: quotes, full-width punctuation, operators of mathematics.

use super::tokens::{Kind, Token, telling, tokens};
use super::{Edit, Slip};
use intentgate_engine::text::lookalike::is_hidden;

/// Signs that mean one of the language's.
const SIGNS: &[(char, &str)] = &[
    ('⇒', "->"),
    ('⟶', "->"),
    ('⟹', "->"),
    ('➔', "->"),
    ('➜', "->"),
    ('➝', "->"),
    ('⊢', "->"),
    ('≦', "<="),
    ('⩽', "<="),
    ('≧', ">="),
    ('⩾', ">="),
    ('≈', "~"),
    ('∼', "~"),
    ('≅', "~"),
    ('∈', "in"),
    ('∉', "not in"),
    ('∋', "contains"),
    ('∌', "not contains"),
    ('≡', "="),
    ('≔', "="),
    ('⋀', "and"),
    ('\u{2212}', "-"),
    ('、', ","),
];

/// Quotes that stand for `"`.
const DOUBLE: &[char] = &['“', '”', '„', '‟', '«', '»', '″', '＂', '「', '」', '『', '』'];
/// Quotes that stand for `'`, and `'` itself.
const SINGLE: &[char] = &['\'', '‘', '’', '‚', '‛', '‹', '›', '′', '＇', '`'];

/// Puts other characters into the language's, outside of texts.
pub(super) fn characters(text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for token in tokens(text) {
        if matches!(token.kind, Kind::Text | Kind::Comment | Kind::Line) {
            continue;
        }
        for (at, c) in token.text.char_indices() {
            let start = token.start + at;
            let edit = |with: String, slip| Edit::new(start, start + c.len_utf8(), with, slip);
            if let Some((_, sign)) = SIGNS.iter().find(|(sign, _)| *sign == c) {
                let word = sign.starts_with(|c: char| c.is_ascii_alphabetic());
                let with = if word { format!(" {sign} ") } else { (*sign).to_owned() };
                edits.push(edit(with, Slip::Operator));
            } else if let Some(narrow) = narrow(c) {
                edits.push(edit(narrow.to_string(), Slip::Character));
            } else if is_hidden(c) && c != '\u{feff}' && !c.is_whitespace() {
                edits.push(edit(String::new(), Slip::Character));
            }
        }
    }
    edits
}

/// The ASCII character of a full-width one.
fn narrow(c: char) -> Option<char> {
    let code = u32::from(c);
    if !(0xff01..=0xff5e).contains(&code) || DOUBLE.contains(&c) || SINGLE.contains(&c) {
        return None;
    }
    char::from_u32(code - 0xff01 + 0x21)
}

/// Puts texts in other quotes into `"`. A text ends at the first quote of its kind that something follows which can
/// stand behind a text; letters behind it make it an apostrophe.
pub(super) fn quotes(text: &str) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let tokens = telling(text);
    for (number, token) in tokens.iter().enumerate() {
        let covered = edits.last().is_some_and(|edit| token.start < edit.span.end());
        let before = number.checked_sub(1).and_then(|before| tokens.get(before));
        if covered || token.kind != Kind::Sign || !before.is_some_and(stands_before_a_value) {
            continue;
        }
        let Some(open) = token.text.chars().next() else { continue };
        let closing: Vec<char> = match (DOUBLE.contains(&open), SINGLE.contains(&open)) {
            (true, _) => DOUBLE.iter().copied().chain(['"']).collect(),
            (_, true) => SINGLE.to_vec(),
            _ => continue,
        };
        let rest = text.get(token.end()..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let end = line.char_indices().find(|(at, c)| {
            let behind = line.get(at + c.len_utf8()..).unwrap_or_default().trim_start();
            closing.contains(c) && behind.starts_with([',', ')', ']', '，', '）', '］'])
        });
        let Some((at, c)) = end else { continue };
        let content = line.get(..at).unwrap_or_default();
        // Another quote of the kind that is no apostrophe may be the end as well.
        let unsure =
            content.char_indices().any(|(at, c)| closing.contains(&c) && !is_apostrophe(content, at, c));
        if unsure || content.is_empty() {
            continue;
        }
        let escaped = content.replace('\\', "\\\\").replace('"', "\\\"");
        let end = token.end() + at + c.len_utf8();
        edits.push(Edit::new(token.start, end, format!("\"{escaped}\""), Slip::Quotes));
    }
    edits
}

fn stands_before_a_value(token: &Token<'_>) -> bool {
    let sign = |text: &str| "=~<>≤≥≠≃≈⊆⊈⊇⊉[,，［＝＜＞:：".contains(text);
    (token.kind == Kind::Sign && sign(token.text))
        || ["in", "contains"].iter().any(|word| token.text.eq_ignore_ascii_case(word))
}

fn is_apostrophe(content: &str, at: usize, c: char) -> bool {
    let before = content.get(..at).unwrap_or_default().chars().next_back();
    let after = content.get(at + c.len_utf8()..).unwrap_or_default().chars().next();
    before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
}
