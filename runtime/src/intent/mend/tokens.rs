//! A draft in tokens, whatever is wrong with it: texts, comments, words, signs.

use intentgate_engine::value::is_name_continue;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text in `"` that ends on its line.
    Text,
    /// From `#` to the end of the line.
    Comment,
    /// Letters, digits, `_`.
    Word,
    /// A line end.
    Line,
    /// Any other space.
    Space,
    /// Any other character.
    Sign,
}

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) start: usize,
    /// How many parentheses and brackets are open before it.
    pub(super) depth: usize,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Text
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    /// Whether it is a word that can be a name: none of the language, none that starts with a digit.
    pub(super) fn is_name(&self) -> bool {
        let digit = self.text.starts_with(|c: char| c.is_ascii_digit());
        let known = ["and", "or", "not", "in", "contains"];
        self.is_word() && !digit && !known.iter().any(|word| self.text.eq_ignore_ascii_case(word))
    }
}

/// All tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut found, mut at, mut depth) = (Vec::new(), 0, 0_usize);
    while let Some(rest) = text.get(at..)
        && let Some(c) = rest.chars().next()
    {
        let (kind, length) = match c {
            '\n' => (Kind::Line, 1),
            '"' => match text_length(rest) {
                Some(length) => (Kind::Text, length),
                None => (Kind::Sign, 1),
            },
            '#' => (Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
            c if c.is_whitespace() => (Kind::Space, run(rest, |c| c.is_whitespace() && c != '\n')),
            c if is_name_continue(c) => (Kind::Word, run(rest, is_name_continue)),
            c => (Kind::Sign, c.len_utf8()),
        };
        let token = rest.get(..length).unwrap_or(rest);
        found.push(Token { kind, text: token, start: at, depth });
        match token {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            // A rule that ends leaves nothing open behind it.
            "\n" if starts_rule(text.get(at + 1..).unwrap_or_default()) => depth = 0,
            _ => {}
        }
        at += token.len().max(1);
    }
    found
}

/// Whether a line starts with a label.
pub(super) fn starts_rule(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t']);
    let name = run(line, is_name_continue);
    name > 0 && line.get(name..).is_some_and(|rest| rest.trim_start_matches(' ').starts_with(':'))
}

/// The tokens that say something: no space, no comments.
pub(super) fn telling(text: &str) -> Vec<Token<'_>> {
    let says = |token: &Token<'_>| !matches!(token.kind, Kind::Space | Kind::Line | Kind::Comment);
    tokens(text).into_iter().filter(says).collect()
}

fn text_length(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return None,
            '"' if !escaped => return Some(at + 1),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    None
}

fn run(text: &str, fits: impl Fn(char) -> bool) -> usize {
    text.find(|c: char| !fits(c)).unwrap_or(text.len())
}
