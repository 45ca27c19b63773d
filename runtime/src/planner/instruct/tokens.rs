//! A sentence as words, quoted texts kept whole, and the parts that follow each other.

use intentgate_engine::diagnostic::{Code, Fault};

/// A word, or a quoted text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    /// As it stands, without quotes and punctuation around it.
    pub(super) text: String,
    /// In lower case.
    pub(super) low: String,
    /// Whether it stood in quotes.
    pub(super) quoted: bool,
    /// The punctuation behind it.
    pub(super) ends: Option<char>,
}

impl Token {
    fn word(text: &str) -> Option<Token> {
        let start = text.trim_start_matches(['(', '[', '$', '€', '£']);
        let bare = start.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']']);
        let ends = start.get(bare.len()..).and_then(|rest| rest.chars().find(|c| !matches!(c, ')' | ']')));
        let token =
            |text: &str, ends| Token { text: text.to_owned(), low: text.to_lowercase(), quoted: false, ends };
        (!bare.is_empty()).then(|| token(bare, ends))
    }

    pub(super) fn is(&self, word: &str) -> bool {
        !self.quoted && self.low == word
    }

    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        !self.quoted && words.contains(&self.low.as_str())
    }

    pub(super) fn is_capitalized(&self) -> bool {
        !self.quoted && self.text.starts_with(char::is_uppercase)
    }
}

/// The words of a sentence: at most 150.
///
/// # Errors
/// A quote without an end, more words.
pub(super) fn tokens(sentence: &str) -> Result<Vec<Token>, Fault> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut rest = sentence.trim_start();
    while let Some(first) = rest.chars().next() {
        let close = match first {
            '"' => Some('"'),
            '\'' | '‘' => Some(if first == '‘' { '’' } else { '\'' }),
            '“' => Some('”'),
            '«' => Some('»'),
            _ => None,
        };
        let inside = rest.get(first.len_utf8()..).unwrap_or_default();
        match close {
            Some(close) => {
                let Some(at) = end_of_quote(inside, close) else {
                    let fault = Fault::new(Code::UnterminatedText, format!("the quote {first} has no end"));
                    return Err(fault.help("close it behind the text that is meant"));
                };
                let text = inside.get(..at).unwrap_or_default();
                rest = inside.get(at + close.len_utf8()..).unwrap_or_default();
                let punctuation =
                    rest.chars().next().filter(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?'));
                rest = rest.get(punctuation.map_or(0, char::len_utf8)..).unwrap_or_default();
                let (text, low) = (text.to_owned(), text.to_lowercase());
                tokens.push(Token { text, low, quoted: true, ends: punctuation });
            }
            None => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                rest = after;
                tokens.extend(pieces(word));
            }
        }
        rest = rest.trim_start();
        if tokens.len() > 150 {
            return Err(
                Fault::new(Code::TooLarge, "the sentence has more than 150 words").help("say it shorter")
            );
        }
    }
    Ok(tokens)
}

/// An apostrophe inside a word ends no quote.
fn end_of_quote(text: &str, close: char) -> Option<usize> {
    let mut ends = text.match_indices(close).map(|(at, _)| at);
    ends.find(|at| {
        let after = text.get(at + close.len_utf8()..).and_then(|rest| rest.chars().next());
        !after.is_some_and(char::is_alphanumeric)
    })
}

/// `10-second` is two words; a hyphen elsewhere belongs to its word.
fn pieces(word: &str) -> Vec<Token> {
    let number = word.split_once('-').filter(|(before, after)| {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits(before) && after.starts_with(char::is_alphabetic)
    });
    match number {
        Some((number, unit)) => [number, unit].into_iter().filter_map(Token::word).collect(),
        None => Token::word(word).into_iter().collect(),
    }
}

/// The tokens as a text, quotes around what was quoted.
pub(super) fn text(tokens: &[Token]) -> String {
    let words = tokens.iter().map(|token| match token.quoted {
        true => format!("\"{}\"", token.text),
        false => token.text.clone(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What follows each other for sure: split at `then`, `after that`, semicolons and ends of sentences.
pub(super) fn parts(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let that = token.is("that") && before.is_some_and(|before| before.is("after"));
        let divides = token.is_one_of(&["then", "afterwards"]) || that;
        if divides {
            parts.push(tokens.get(start..at - usize::from(that)).unwrap_or_default());
            start = at + 1;
        } else if matches!(token.ends, Some(';' | '.' | '!' | '?')) {
            parts.push(tokens.get(start..=at).unwrap_or_default());
            start = at + 1;
        }
    }
    parts.push(tokens.get(start..).unwrap_or_default());
    parts.into_iter().map(trimmed).filter(|part| !part.is_empty()).collect()
}

/// Without the words that join it to others.
pub(super) fn trimmed(part: &[Token]) -> &[Token] {
    let joins =
        |token: &Token| token.is_one_of(&["and", "first", "finally", "lastly", "next", "please", "also"]);
    let start = part.iter().position(|token| !joins(token)).unwrap_or(part.len());
    let part = part.get(start..).unwrap_or_default();
    let end = part.iter().rposition(|token| !token.is("and")).map_or(0, |at| at + 1);
    part.get(..end).unwrap_or_default()
}

/// Where a part might fall in two: at `and` and behind commas.
pub(super) fn joints(part: &[Token]) -> Vec<(&[Token], &[Token])> {
    let at = (1..part.len()).filter(|at| {
        let and = part.get(*at).is_some_and(|token| token.is("and"));
        and || part.get(at - 1).is_some_and(|token| token.ends == Some(','))
    });
    let halves = at.filter_map(|at| part.split_at_checked(at));
    let halves = halves.map(|(one, other)| (trimmed(one), trimmed(other)));
    halves.filter(|(one, other)| !one.is_empty() && !other.is_empty()).collect()
}

/// Words that change what a sentence means in ways that a list of functions doesn't hold.
const RELATIONS: &[&str] = &[
    "not",
    "no",
    "never",
    "without",
    "except",
    "unless",
    "if",
    "or",
    "before",
    "after",
    "until",
    "while",
    "instead",
    "every",
    "each",
    "twice",
    "thrice",
    "times",
    "again",
    "repeat",
    "but",
    "otherwise",
    "cannot",
    "nothing",
    "none",
    "avoid",
    "skip",
    "neither",
    "nor",
    "when",
    "whenever",
];

/// The first word that makes one call many: `delete all notes`.
pub(super) fn quantifier(part: &[Token]) -> Option<&Token> {
    const MANY: &[&str] =
        &["all", "both", "any", "everything", "some", "several", "many", "few", "others", "rest"];
    part.iter().find(|token| token.is_one_of(MANY))
}

/// The first such word: a condition, a negation, a repetition, another order.
pub(super) fn relation(tokens: &[Token]) -> Option<&Token> {
    let relates = |at: usize, token: &Token| {
        let next = tokens.get(at + 1);
        // `after that` is an order, `after 30 minutes` a parameter.
        let plain = token.is("after")
            && next
                .is_some_and(|next| next.is("that") || next.text.starts_with(|c: char| c.is_ascii_digit()));
        (token.is_one_of(RELATIONS) && !plain)
            || (!token.quoted && (token.low.ends_with("n't") || token.low.ends_with("n’t")))
    };
    tokens.iter().enumerate().find(|(at, token)| relates(*at, token)).map(|(_, token)| token)
}
