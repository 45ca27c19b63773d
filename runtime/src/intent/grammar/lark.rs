//! Lark, as constrained decoders read it: tokens are regular expressions in the syntax that Python and
//! Rust share, and white space is not ignored. The sets of objectives make it a grammar for parsers of any context-free
//! language (Earley), not for LALR.

use super::expression::{Expression, Production, suffix};
use intentgate_engine::text::lookalike;

pub(super) fn write(header: &str, productions: &[Production]) -> String {
    let tokens: Vec<&str> =
        productions.iter().filter(|production| production.token).map(|token| token.name.as_str()).collect();
    let mut text = format!("// {header}\n");
    for production in productions {
        let name = symbol(&production.name, &tokens);
        let body = match production.token {
            true => format!("/{}/", regex(&production.body, 0).replace('/', "\\/")),
            false => expression(&production.body, 0, &tokens),
        };
        text.push_str(&format!("{name}: {body}\n"));
    }
    text
}

/// Rules are in small letters, tokens in capitals, both without `-`.
fn symbol(name: &str, tokens: &[&str]) -> String {
    let plain = name.replace('-', "_");
    match name {
        "root" => "start".to_owned(),
        _ if tokens.contains(&name) => plain.to_uppercase(),
        _ => plain,
    }
}

/// `depth` is 0 where a choice may stand bare, 1 in a sequence, 2 before a suffix.
fn expression(part: &Expression, depth: u8, tokens: &[&str]) -> String {
    let grouped = |text: String, bare: bool| if bare { text } else { format!("({text})") };
    let all = |parts: &[Expression], depth: u8, between: &str| {
        parts.iter().map(|part| expression(part, depth, tokens)).collect::<Vec<_>>().join(between)
    };
    match part {
        Expression::Text(text) => literal(text),
        Expression::Class { .. } => format!("/{}/", regex(part, 0).replace('/', "\\/")),
        Expression::Named(name) => symbol(name, tokens),
        Expression::Sequence(parts) => grouped(all(parts, 1, " "), depth < 2),
        Expression::Choice(parts) => grouped(all(parts, 0, " | "), depth == 0),
        Expression::Repeat { part, least, most } => {
            format!("{}{}", expression(part, 2, tokens), suffix(*least, *most))
        }
    }
}

/// A text in double quotes.
fn literal(text: &str) -> String {
    let escaped: String =
        text.chars().map(|c| if c == '"' { "\\\"".to_owned() } else { character(c) }).collect();
    format!("\"{escaped}\"")
}

/// A regular expression; `depth` as above.
pub(super) fn regex(part: &Expression, depth: u8) -> String {
    let grouped = |text: String, bare: bool| if bare { text } else { format!("(?:{text})") };
    match part {
        Expression::Text(text) => {
            let escaped: String = text.chars().map(plain).collect();
            grouped(escaped, depth < 2 || text.chars().count() == 1)
        }
        Expression::Class { negated, ranges } => {
            let parts = ranges.iter().map(|(first, last)| match first == last {
                true => plain(*first),
                false => format!("{}-{}", plain(*first), plain(*last)),
            });
            format!("[{}{}]", if *negated { "^" } else { "" }, parts.collect::<String>())
        }
        // Tokens name nothing.
        Expression::Named(_) => String::new(),
        Expression::Sequence(parts) => grouped(parts.iter().map(|part| regex(part, 1)).collect(), depth < 2),
        Expression::Choice(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| regex(part, 0)).collect();
            grouped(parts.join("|"), depth == 0)
        }
        Expression::Repeat { part, least, most } => format!("{}{}", regex(part, 2), suffix(*least, *most)),
    }
}

/// A character of a regular expression that stands for itself.
fn plain(c: char) -> String {
    const SPECIAL: &str = ".+*?()|[]{}^$-";
    if SPECIAL.contains(c) { format!("\\{c}") } else { character(c) }
}

fn character(c: char) -> String {
    match (c, u32::from(c)) {
        ('\\', _) => "\\\\".to_owned(),
        ('\n', _) => "\\n".to_owned(),
        ('\r', _) => "\\r".to_owned(),
        ('\t', _) => "\\t".to_owned(),
        (c, code) if c.is_control() || c.is_whitespace() && c != ' ' || lookalike::is_hidden(c) => {
            if code > 0xffff { format!("\\U{code:08x}") } else { format!("\\u{code:04x}") }
        }
        (c, _) => c.to_string(),
    }
}
