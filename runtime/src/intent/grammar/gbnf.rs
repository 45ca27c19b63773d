//! GBNF, the grammars of llama.cpp.

use super::expression::{Expression, Production, suffix};
use intentgate_engine::text::lookalike;

pub(super) fn write(header: &str, productions: &[Production]) -> String {
    let mut text = format!("# {header}\n");
    for production in productions {
        text.push_str(&format!("{} ::= {}\n", production.name, expression(&production.body, 0)));
    }
    text
}

/// `depth` is 0 where a choice may stand bare, 1 in a sequence, 2 before a suffix.
fn expression(part: &Expression, depth: u8) -> String {
    let grouped = |text: String, bare: bool| if bare { text } else { format!("({text})") };
    let all = |parts: &[Expression], depth: u8, between: &str| {
        parts.iter().map(|part| expression(part, depth)).collect::<Vec<_>>().join(between)
    };
    match part {
        Expression::Text(text) => literal(text),
        Expression::Class { negated, ranges } => class(*negated, ranges),
        Expression::Named(name) => name.clone(),
        Expression::Sequence(parts) => grouped(all(parts, 1, " "), depth < 2),
        Expression::Choice(parts) => grouped(all(parts, 0, " | "), depth == 0),
        Expression::Repeat { part, least, most } => {
            format!("{}{}", expression(part, 2), suffix(*least, *most))
        }
    }
}

/// A text in double quotes.
fn literal(text: &str) -> String {
    let escaped: String = text.chars().map(|c| character(c, &['"'])).collect();
    format!("\"{escaped}\"")
}

fn class(negated: bool, ranges: &[(char, char)]) -> String {
    let special = &['[', ']', '^', '-', '"'];
    let parts = ranges.iter().map(|(first, last)| match first == last {
        true => character(*first, special),
        false => format!("{}-{}", character(*first, special), character(*last, special)),
    });
    format!("[{}{}]", if negated { "^" } else { "" }, parts.collect::<String>())
}

/// A character, escaped if it is special here or can't be seen.
fn character(c: char, special: &[char]) -> String {
    match (c, u32::from(c)) {
        ('\\', _) => "\\\\".to_owned(),
        ('"', _) if special == ['"'] => "\\\"".to_owned(),
        ('\n', _) => "\\n".to_owned(),
        ('\r', _) => "\\r".to_owned(),
        ('\t', _) => "\\t".to_owned(),
        (c, code) if special.contains(&c) => format!("\\x{code:02X}"),
        (c, code) if c.is_control() || c.is_whitespace() && c != ' ' || lookalike::is_hidden(c) => {
            if code > 0xffff { format!("\\U{code:08X}") } else { format!("\\u{code:04X}") }
        }
        (c, _) => c.to_string(),
    }
}
