//! Grammars as data: what GBNF and Lark have in common.

/// A named rule of a grammar.
#[derive(Debug, Clone)]
pub(super) struct Production {
    /// ASCII letters, digits and `-`; the first of a grammar is the start symbol.
    pub(super) name: String,
    /// Whether it is a token: made of characters alone, and named by no other token.
    pub(super) token: bool,
    pub(super) body: Expression,
}

/// What a production stands for.
#[derive(Debug, Clone)]
pub(super) enum Expression {
    /// Exactly this text; never empty.
    Text(String),
    /// One character of these ranges, or, if negated, of no one of them.
    Class { negated: bool, ranges: Vec<(char, char)> },
    /// Another production.
    Named(String),
    /// One after the other; several.
    Sequence(Vec<Expression>),
    /// One of them; several.
    Choice(Vec<Expression>),
    /// So often, without a bound if there is no most.
    Repeat { part: Box<Expression>, least: usize, most: Option<usize> },
}

impl Production {
    pub(super) fn rule(name: impl Into<String>, body: Expression) -> Production {
        Production { name: name.into(), token: false, body }
    }

    pub(super) fn token(name: impl Into<String>, body: Expression) -> Production {
        Production { name: name.into(), token: true, body }
    }
}

pub(super) fn text(text: impl Into<String>) -> Expression {
    Expression::Text(text.into())
}

pub(super) fn named(name: impl Into<String>) -> Expression {
    Expression::Named(name.into())
}

/// One character of the ranges.
pub(super) fn class(ranges: &[(char, char)]) -> Expression {
    Expression::Class { negated: false, ranges: ranges.to_vec() }
}

/// A character of a range.
pub(super) fn digit(first: char, last: char) -> Expression {
    if first == last { text(first) } else { class(&[(first, last)]) }
}

/// One after the other; sequences inside are laid open.
pub(super) fn sequence(parts: impl IntoIterator<Item = Expression>) -> Expression {
    let mut flat: Vec<Expression> = Vec::new();
    for part in parts {
        match part {
            Expression::Sequence(parts) => flat.extend(parts),
            other => flat.push(other),
        }
    }
    single(flat, Expression::Sequence)
}

/// One of them; choices inside are laid open. There has to be one.
pub(super) fn choice(parts: impl IntoIterator<Item = Expression>) -> Expression {
    let mut flat: Vec<Expression> = Vec::new();
    for part in parts {
        match part {
            Expression::Choice(parts) => flat.extend(parts),
            other => flat.push(other),
        }
    }
    single(flat, Expression::Choice)
}

fn single(mut parts: Vec<Expression>, several: fn(Vec<Expression>) -> Expression) -> Expression {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            several(parts)
        }
    }
}

pub(super) fn optional(part: Expression) -> Expression {
    between(part, 0, 1)
}

pub(super) fn many(part: Expression) -> Expression {
    Expression::Repeat { part: Box::new(part), least: 0, most: None }
}

pub(super) fn some(part: Expression) -> Expression {
    Expression::Repeat { part: Box::new(part), least: 1, most: None }
}

pub(super) fn between(part: Expression, least: usize, most: usize) -> Expression {
    Expression::Repeat { part: Box::new(part), least, most: Some(most) }
}

/// Parts with a text between them, one at least.
pub(super) fn separated(part: &Expression, separator: &str) -> Expression {
    sequence([part.clone(), many(sequence([text(separator), part.clone()]))])
}

/// What follows a repeated part: `?`, `*`, `+`, `{2}`, `{2,}`, `{2,5}`, which all forms share.
pub(super) fn suffix(least: usize, most: Option<usize>) -> String {
    match (least, most) {
        (0, Some(1)) => "?".to_owned(),
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (least, None) => format!("{{{least},}}"),
        (least, Some(most)) if least == most => format!("{{{least}}}"),
        (least, Some(most)) => format!("{{{least},{most}}}"),
    }
}
