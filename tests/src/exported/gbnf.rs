//! GBNF as text.

use super::pattern::Cursor;
use super::{Grammar, Part};

/// Reads a grammar.
///
/// # Panics
/// If it is none.
pub fn read(text: &str) -> Grammar {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let symbols = lines.map(|line| {
        let (name, body) = line.split_once(" ::= ").unwrap_or_else(|| panic!("{line}"));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{name}");
        let mut cursor = Cursor::new(body);
        let part = choice(&mut cursor);
        assert_eq!(cursor.peek(), None, "{line}");
        (name.to_owned(), part)
    });
    let symbols: Vec<_> = symbols.collect();
    let count = symbols.len();
    let grammar = Grammar::new("root", symbols.into_iter().collect());
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
            Some('[') => {
                cursor.take();
                cursor.class()
            }
            Some('"') => literal(cursor),
            Some(_) => Part::Symbol(cursor.name()),
        };
        let part = cursor.suffixed(part);
        choices.last_mut().unwrap().push(part);
    }
    Part::Choice(choices.into_iter().map(Part::Sequence).collect())
}

/// A text in double quotes.
pub(super) fn literal(cursor: &mut Cursor) -> Part {
    cursor.take();
    let mut text = Vec::new();
    loop {
        match cursor.take() {
            '"' => return Part::Text(text),
            '\\' => text.push(cursor.escape()),
            c => text.push(c),
        }
    }
}
