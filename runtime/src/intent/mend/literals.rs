//! Values that are no literals of the language as they stand, where one is meant.

use super::tokens::{Kind, Token, telling};
use super::{Edit, Slip, dates};
use intentgate_engine::syntax::literal;
use intentgate_engine::value::quoted;

/// Puts dates and times in other spellings into the language's, and several bare words in a row into quotes.
pub(super) fn literals(text: &str) -> Vec<Edit> {
    let tokens = telling(text);
    let mut edits = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        if token.depth == 0
            || !starts_value(token, number.checked_sub(1).and_then(|before| tokens.get(before)))
        {
            continue;
        }
        let rest = tokens.get(number + 1..).unwrap_or_default();
        let value = value(rest, token.depth);
        let (Some(first), Some(last)) = (value.first(), value.last()) else { continue };
        if value.len() < 2 || value.iter().any(|token| token.kind == Kind::Text) {
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
fn value<'a, 't>(rest: &'a [Token<'t>], depth: usize) -> &'a [Token<'t>] {
    // The second half of an operator of two signs.
    let rest = match rest {
        [sign, rest @ ..] if sign.is("=") => rest,
        rest => rest,
    };
    let ends = |token: &Token<'_>| (token.is(",") || token.is(")") || token.is("]")) && token.depth == depth;
    let end = rest.iter().position(|token| ends(token) || (token.is("and") && token.depth == depth));
    match end.and_then(|end| Some((rest.get(..end)?, rest.get(end)?))) {
        Some((value, end)) if !end.is("and") => value,
        _ => &[],
    }
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
    let words = value.iter().all(Token::is_name) && value.len() <= 8;
    let begins = ["today", "tomorrow", "yesterday", "true", "false"];
    let plain = !value.iter().any(|token| begins.contains(&token.text.to_lowercase().as_str()));
    (words && plain).then(|| quoted(written))
}
