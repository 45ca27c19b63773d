//! Operators, arrows and words in the spellings of other languages.

use super::answer::may_be_a_rule;
use super::tokens::{Kind, Token, telling, tokens};
use super::{Edit, Slip};

/// Where something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Between the parentheses of a predicate.
    Inside,
    /// Between predicates.
    Outside,
}

/// Signs in a row, the longest first.
const SIGNS: &[(Place, &str, &str)] = &[
    (Place::Inside, "===", "="),
    (Place::Inside, "!==", "!="),
    (Place::Inside, "==", "="),
    (Place::Inside, ":=", "="),
    (Place::Inside, "<>", "!="),
    (Place::Inside, "/=", "!="),
    (Place::Inside, "=<", "<="),
    (Place::Inside, "=~", "~"),
    (Place::Inside, "&&", ","),
    (Place::Inside, "&", ","),
    (Place::Inside, "∧", ","),
    (Place::Outside, "--->", "->"),
    (Place::Outside, "===>", "->"),
    (Place::Outside, "-->", "->"),
    (Place::Outside, "==>", "->"),
    (Place::Outside, "->>", "->"),
    (Place::Outside, "=>", "->"),
    (Place::Outside, "–>", "->"),
    (Place::Outside, "—>", "->"),
];

/// Words of the language; in other letters they are none.
const WORDS: &[&str] = &["and", "not", "in", "contains"];

/// Comments of other languages, at the start of a line or behind a rule.
pub(super) fn comments(text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let tokens = tokens(text);
    for (number, pair) in tokens.windows(2).enumerate() {
        let [one, other] = pair else { continue };
        let first = number.checked_sub(1).and_then(|before| tokens.get(before));
        let alone = first.is_none_or(|token| token.kind == Kind::Line);
        let slashes = one.is("/") && other.is("/");
        let dashes = one.is("-") && other.is("-") && alone;
        // What stands there is dropped, so it has to be a comment for sure.
        let rest = text.get(other.end()..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        if one.depth == 0 && (slashes || dashes) && !may_be_a_rule(rest) {
            edits.push(Edit::new(one.start, other.end(), "#", Slip::Comment));
        }
    }
    edits
}

/// Puts them into the language's own.
pub(super) fn words(text: &str) -> Vec<Edit> {
    let tokens = telling(text);
    let mut edits = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(rest) = tokens.get(at..)
        && let Some(first) = rest.first()
    {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        open.truncate(first.depth);
        let (edit, length) = match said_twice(before, rest, open.last()) {
            Some(edit) => (Some(edit), 2),
            None => mend(before, rest),
        };
        if first.is("(") || first.is("[") {
            open.push(before.map_or("", |before| before.text));
        }
        edits.extend(edit);
        at += length.max(1);
    }
    edits
}

/// `State.variable` at the start of a constraint of that very state.
fn said_twice(before: Option<&Token<'_>>, rest: &[Token<'_>], state: Option<&&str>) -> Option<Edit> {
    let [first, point, _, sign, ..] = rest else { return None };
    let starts = before.is_some_and(|before| before.is("(") || before.is(","));
    let constrains = sign.kind == Kind::Sign || sign.is("in") || sign.is("contains");
    let said = starts && point.is(".") && constrains && state.is_some_and(|state| *state == first.text);
    said.then(|| Edit::new(first.start, point.end(), "", Slip::Name))
}

/// A mend of what the tokens start with, and how many of them it is.
fn mend(before: Option<&Token<'_>>, rest: &[Token<'_>]) -> (Option<Edit>, usize) {
    let [first, ..] = rest else { return (None, 1) };
    let place = if first.depth == 0 { Place::Outside } else { Place::Inside };
    if first.kind == Kind::Sign {
        for (_, sign, with) in SIGNS.iter().filter(|(of, ..)| *of == place) {
            if let Some(length) = in_a_row(rest, sign) {
                let end = rest.get(length - 1).map_or(first.end(), Token::end);
                let slip = if *with == "," { Slip::Separator } else { Slip::Operator };
                return (Some(Edit::new(first.start, end, *with, slip)), length);
            }
        }
        // The language's own, so that no part of one is taken for something else.
        for sign in ["->", "!=", "<=", ">="] {
            if let Some(length) = in_a_row(rest, sign) {
                return (None, length);
            }
        }
        return sign(before, rest, place);
    }
    if first.is_word() { word(before, rest, place) } else { (None, 1) }
}

/// How many tokens, one beside the other, are these signs.
fn in_a_row(rest: &[Token<'_>], signs: &str) -> Option<usize> {
    let mut left = signs;
    let mut end = rest.first()?.start;
    for (count, token) in rest.iter().enumerate() {
        if left.is_empty() {
            return Some(count);
        }
        if token.start != end || token.kind != Kind::Sign {
            return None;
        }
        left = left.strip_prefix(token.text)?;
        end = token.end();
    }
    left.is_empty().then_some(rest.len())
}

fn sign(before: Option<&Token<'_>>, rest: &[Token<'_>], place: Place) -> (Option<Edit>, usize) {
    let [first, after @ ..] = rest else { return (None, 1) };
    let next = after.first();
    let edit = |with: &str, slip| Some(Edit::new(first.start, first.end(), with, slip));
    let separator = match (place, first.text) {
        // `- >`
        (Place::Outside, "-") if next.is_some_and(|next| next.is(">")) => {
            let end = next.map_or(first.end(), Token::end);
            return (Some(Edit::new(first.start, end, "->", Slip::Operator)), 2);
        }
        // Between predicates, where a name follows.
        (Place::Outside, ",") if next.is_some_and(Token::is_name) => edit(" and", Slip::Separator),
        // Behind a head, at the end or before the next rule.
        (Place::Outside, "." | ";" | ",") if before.is_some_and(Token::is_name) && ends_rule(after) => {
            edit("", Slip::Separator)
        }
        // `name: value`
        (Place::Inside, ":") if before.is_some_and(Token::is_name) => edit(" =", Slip::Operator),
        // `(a = 1, )`
        (Place::Inside, ",") if next.is_some_and(|next| next.is(")") || next.is("]")) => {
            edit("", Slip::Separator)
        }
        // `$50` is no parameter.
        (Place::Inside, "$")
            if next.is_some_and(|next| next.text.starts_with(|c: char| c.is_ascii_digit()))
                && !after.get(1..3).is_some_and(
                    |more| matches!(more, [point, rest] if point.is(".") && rest.text.len() == 3),
                ) =>
        {
            edit("", Slip::Literal)
        }
        _ => None,
    };
    (separator, 1)
}

/// Whether nothing follows, or a rule does: a name that has a `:`, a `(` or an arrow behind it.
fn ends_rule(after: &[Token<'_>]) -> bool {
    match after {
        [] => true,
        [name, next, ..] => {
            name.is_name() && (next.is(":") || next.is("(") || next.is("and") || next.is("-"))
        }
        [_] => false,
    }
}

fn word(before: Option<&Token<'_>>, rest: &[Token<'_>], place: Place) -> (Option<Edit>, usize) {
    let [first, after @ ..] = rest else { return (None, 1) };
    let edit = |with: &str, slip| Some(Edit::new(first.start, first.end(), with, slip));
    // Behind an operator a word is a value.
    let value = before.is_some_and(|before| {
        before.kind == Kind::Sign && !before.is(")") && !before.is(",") && !before.is("(")
    });
    let lower = first.text.to_ascii_lowercase();
    let known = WORDS.contains(&lower.as_str()) && !value;
    // Between constraints, unless a predicate follows: then a parenthesis is missing.
    let predicate_follows = after.get(1).is_some_and(|token| token.is("("));
    let mend = match place {
        Place::Inside if known && lower == "and" && !predicate_follows && is_constraint(after) => {
            Some(Edit::new(first.start, first.end(), ",", Slip::Separator))
        }
        _ if known && lower != first.text => edit(&lower, Slip::Word),
        _ => None,
    };
    (mend, 1)
}

/// Whether a variable and an operator follow.
fn is_constraint(after: &[Token<'_>]) -> bool {
    let operator = |token: &Token<'_>| {
        let signs = "=~<>!≤≥≠≃⊆⊈⊇⊉:";
        let word = WORDS.iter().any(|word| token.text.eq_ignore_ascii_case(word) && *word != "and");
        word || (token.kind == Kind::Sign && signs.contains(token.text))
    };
    matches!(after, [name, sign, ..] if name.is_name() && operator(sign))
}
