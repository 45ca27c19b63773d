//! Values that are no literals of the language as they stand, where one is meant.

use super::tokens::{Kind, Token, telling};
use super::{Edit, Slip, dates};
use intentgate_engine::syntax::literal;
use intentgate_engine::value::quoted;

/// Puts dates and times in other spellings into the language's, and several bare words in a row into quotes.
pub(super) fn literals(text: &str) -> Vec<Edit> {
    let tokens = telling(text);
    let mut edits = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        open.truncate(token.depth);
        if token.is("(") || token.is("[") {
            open.push(token.text);
        }
        let before = number.checked_sub(1).and_then(|before| tokens.get(before));
        let element = open.last() == Some(&"[") && (token.is("[") || token.is(","));
        let inside = !open.is_empty() && (element || starts_value(token, before));
        let value = value(tokens.get(number + 1..).unwrap_or_default());
        let (true, Some(first), Some(last)) = (inside, value.first(), value.last()) else { continue };
        // One token is a literal, a name, or what only looks like a number: `19h00`.
        let number = first.is_word() && first.text.starts_with(|c: char| c.is_ascii_digit());
        if (value.len() < 2 && !number) || value.iter().any(|token| token.kind == Kind::Text) {
            continue;
        }
        let written = text.get(first.start..last.end()).unwrap_or_default();
        edits
            .extend(mend(written, value).map(|with| Edit::new(first.start, last.end(), with, Slip::Literal)));
    }
    edits
}

/// Whether a value begins behind this token: an operator, or a separator in a list.
fn starts_value(token: &Token<'_>, before: Option<&Token<'_>>) -> bool {
    let word = token.is("in") || token.is("contains");
    // `=` of `<=` and the like.
    let sign = token.kind == Kind::Sign && "=~<>≤≥≠≃".contains(token.text);
    let part = before.is_some_and(|before| before.is("-"));
    word || (sign && !part)
}

/// The tokens up to the next separator.
fn value<'a, 't>(rest: &'a [Token<'t>]) -> &'a [Token<'t>] {
    // The second half of an operator of two signs.
    let rest = match rest {
        [sign, rest @ ..] if sign.is("=") => rest,
        rest => rest,
    };
    let depth = rest.first().map_or(0, |first| first.depth);
    let ends = |token: &Token<'_>| {
        (token.is(",") || token.is(")") || token.is("]") || token.is("and")) && token.depth == depth
    };
    let end = rest.iter().position(ends);
    match end.and_then(|end| Some((rest.get(..end)?, rest.get(end)?))) {
        Some((value, end)) if !end.is("and") => value,
        _ => &[],
    }
}

/// Whether a word says in some language of programs that there is no value: that can't be written, and is no text.
pub(super) fn is_nothing(word: &str) -> bool {
    let nothing =
        ["null", "none", "nil", "undefined", "unknown", "nan", "na", "empty", "any", "anything", "nothing"];
    nothing.iter().any(|nothing| word.eq_ignore_ascii_case(nothing))
}

/// Whether a point may part thousands: `1.000` is a thousand to some.
pub(super) fn is_grouped(number: &str) -> bool {
    number.rsplit_once('.').is_some_and(|(_, behind)| behind.trim().len() == 3)
}

fn mend(written: &str, value: &[Token<'_>]) -> Option<String> {
    let known = literal::time(written).is_some()
        || literal::date(written).is_some()
        || literal::days_from_today(written).is_some()
        || literal::number(written).is_some();
    if known {
        return None;
    }
    if let Some(literal) = dates::respelled(written) {
        return Some(literal);
    }
    // `Chez Panisse`: words alone, the first of them none that could begin something else.
    let words = value.iter().all(|token| !is_nothing(token.text))
        && value.iter().all(Token::is_name)
        && value.len() <= 8;
    let begins = ["today", "tomorrow", "yesterday", "true", "false"];
    let plain = !value.iter().any(|token| begins.contains(&token.text.to_lowercase().as_str()));
    (words && plain).then(|| quoted(written))
}
