//! What the notations share: reading characters, suffixes and classes, and regular expressions.

use super::Part;

/// A text and a place in it.
pub(super) struct Cursor {
    text: Vec<char>,
    at: usize,
}

impl Cursor {
    pub(super) fn new(text: &str) -> Cursor {
        Cursor { text: text.chars().collect(), at: 0 }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    pub(super) fn take(&mut self) -> char {
        let c = self.peek().expect("the end of a notation");
        self.at += 1;
        c
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let wanted: Vec<char> = text.chars().collect();
        let fits = self.text[self.at..].starts_with(&wanted);
        self.at += if fits { wanted.len() } else { 0 };
        fits
    }

    pub(super) fn spaces(&mut self) {
        while self.peek() == Some(' ') {
            self.at += 1;
        }
    }

    pub(super) fn name(&mut self) -> String {
        let from = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
            self.at += 1;
        }
        self.text[from..self.at].iter().collect()
    }

    /// What stands behind a backslash; a letter without a meaning is an error.
    pub(super) fn escape(&mut self) -> char {
        let length = match self.take() {
            'n' => return '\n',
            'r' => return '\r',
            't' => return '\t',
            'x' => 2,
            'u' => 4,
            'U' => 8,
            other => {
                assert!(!other.is_alphanumeric(), "the escape {other}");
                return other;
            }
        };
        let digits: String = (0..length).map(|_| self.take()).collect();
        char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap()
    }

    /// A class behind its `[`.
    pub(super) fn class(&mut self) -> Part {
        let negated = self.eat("^");
        let mut ranges = Vec::new();
        while !self.eat("]") {
            let first = self.member();
            let range = self.peek() == Some('-');
            let last = if range && self.eat("-") { self.member() } else { first };
            assert!(first <= last);
            ranges.push((first, last));
        }
        Part::Class(negated, ranges)
    }

    fn member(&mut self) -> char {
        match self.take() {
            '\\' => self.escape(),
            c => {
                assert!(!"[^-".contains(c), "a bare {c} in a class");
                c
            }
        }
    }

    /// The part with the suffix that stands behind it.
    pub(super) fn suffixed(&mut self, part: Part) -> Part {
        let (least, most) = match self.peek() {
            Some('?') => (0, Some(1)),
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('{') => {
                self.take();
                let least = self.name().parse().unwrap();
                let most = if self.eat(",") { self.name().parse().ok() } else { Some(least) };
                assert_eq!(self.peek(), Some('}'));
                (least, most)
            }
            _ => return part,
        };
        self.take();
        Part::Repeat(Box::new(part), least, most)
    }
}

/// A regular expression.
pub(super) fn regex(text: &str) -> Part {
    let mut cursor = Cursor::new(text);
    let part = alternatives(&mut cursor);
    assert_eq!(cursor.peek(), None, "{text}");
    part
}

fn alternatives(cursor: &mut Cursor) -> Part {
    let mut choices = vec![Vec::new()];
    loop {
        let part = match cursor.peek() {
            None | Some(')') => break,
            Some('|') => {
                cursor.take();
                choices.push(Vec::new());
                continue;
            }
            Some('(') => {
                assert!(cursor.eat("(?:"), "a group that captures");
                let group = alternatives(cursor);
                assert!(cursor.eat(")"));
                group
            }
            Some('[') => {
                cursor.take();
                cursor.class()
            }
            Some('\\') => {
                cursor.take();
                Part::Text(vec![cursor.escape()])
            }
            Some(c) => {
                assert!(!"+*?{}.^$".contains(c), "a bare {c}");
                Part::Text(vec![cursor.take()])
            }
        };
        let part = cursor.suffixed(part);
        choices.last_mut().unwrap().push(part);
    }
    Part::Choice(choices.into_iter().map(Part::Sequence).collect())
}
