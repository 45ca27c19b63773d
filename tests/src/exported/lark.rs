//! Lark as text.

use super::gbnf::literal;
use super::pattern::{Cursor, regex};
use super::{Grammar, Part};

/// Reads a grammar.
///
/// # Panics
/// If it is none.
pub fn read(text: &str) -> Grammar {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
    let symbols = lines.map(|line| {
        let (name, body) = line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
        let capital = name.starts_with(|c: char| c.is_ascii_uppercase());
        let fits =
            |c: char| c == '_' || c.is_ascii_digit() || c.is_ascii_uppercase() == capital && c.is_ascii();
        assert!(name.chars().all(fits), "{name}");
        let mut cursor = Cursor::new(body);
        let part = choice(&mut cursor);
        assert_eq!(cursor.peek(), None, "{line}");
        (name.to_owned(), part)
    });
    let symbols: Vec<_> = symbols.collect();
    let count = symbols.len();
    let grammar = Grammar::new("start", symbols.into_iter().collect());
    assert_eq!(grammar.symbols.len(), count, "a symbol stands twice");
    grammar
}

fn choice(cursor: &mut Cursor) -> Part {
    let mut choices = vec![Vec::new()];
    loop {
        cursor.spaces();
        let part = match cursor.peek() {
            None | Some(')') => break,
            Some('|') => {
                cursor.take();
                choices.push(Vec::new());
                continue;
            }
            Some('(') => {
                cursor.take();
                let group = choice(cursor);
                assert!(cursor.eat(")"));
                group
            }
            Some('/') => {
                cursor.take();
                let mut body = String::new();
                while !cursor.eat("/") {
                    match cursor.take() {
                        '\\' if cursor.eat("/") => body.push('/'),
                        '\\' => body.extend(['\\', cursor.take()]),
                        c => body.push(c),
                    }
                }
                regex(&body)
            }
            Some('"') => literal(cursor),
            Some(_) => Part::Symbol(cursor.name()),
        };
        let part = cursor.suffixed(part);
        choices.last_mut().unwrap().push(part);
    }
    Part::Choice(choices.into_iter().map(Part::Sequence).collect())
}
