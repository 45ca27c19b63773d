//! Why a model did not answer.

use intentgate_engine::text::lookalike::is_hidden;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "error", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelError {
    /// It can't be reached, or says that it can't answer now.
    #[error("the model can't be reached: {why}")]
    Unavailable {
        /// What was met.
        why: Why,
    },
    /// It answers too many requests already.
    #[error("the model asks to wait{}", after(.seconds))]
    Busy {
        /// After how many seconds it may be asked again, if it says so.
        seconds: Option<u64>,
    },
    /// It took too long.
    #[error("the model gave no answer within {seconds} seconds")]
    TimeLimit {
        /// The limit.
        seconds: u64,
    },
    /// It answered that it won't answer.
    #[error("the model refused: {why}")]
    Refused {
        /// What it said.
        why: Why,
    },
    /// The request is larger than it can read.
    #[error("the request is too large for the model: {why}")]
    TooLarge {
        /// What was met.
        why: Why,
    },
    /// The request has a part that it can't honour.
    #[error("the model can't honour {what}")]
    Unsupported {
        /// The part.
        what: Why,
    },
    /// What came back is no answer.
    #[error("what the model sent is no answer: {why}")]
    Malformed {
        /// What is wrong with it.
        why: Why,
    },
    /// A script has no answer left.
    #[error("the script has {answers} answers, and was asked once more")]
    NoScriptLeft {
        /// How many it had.
        answers: usize,
    },
    /// A request that was not recorded, or was recorded fewer times than it is asked.
    #[error("the request was not recorded: {why}")]
    NotRecorded {
        /// What is nearest.
        why: Why,
    },
    /// The answer could not be written down, and so was not handed on.
    #[error("the answer could not be written down: {why}")]
    Unwritten {
        /// What was met.
        why: Why,
    },
}

fn after(seconds: &Option<u64>) -> String {
    seconds.map(|seconds| format!(" {seconds} seconds")).unwrap_or_default()
}

impl ModelError {
    /// Whether asking again later may help.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            ModelError::Unavailable { .. } | ModelError::Busy { .. } | ModelError::TimeLimit { .. }
        )
    }
}

/// A foreign sentence inside an error: one line, at most 400 characters, hidden characters made visible, and
/// what may be a key replaced by `***`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String")]
pub struct Why(String);

/// How long it may be.
const LONGEST: usize = 400;

impl Why {
    /// The sentence, made fit to be shown and written down.
    ///
    /// What may be a key: 20 or more letters, digits, `-`, `_`, `.`, `~`, `+` in one piece with at least a letter
    /// and a digit among them, and whatever follows `Bearer`, `Basic`, `key`, `token`, `secret`, `password` or
    /// `authorization`.
    pub fn new(text: &str) -> Why {
        let mut shown = String::new();
        let mut after_key_word = false;
        for piece in pieces(text) {
            let secret = piece.starts_with(is_of_key) && (after_key_word || looks_like_a_key(piece));
            let word = piece.to_lowercase();
            match piece.starts_with(is_of_key) {
                true if secret && !names_a_key(&word) => {
                    after_key_word = false;
                    shown.push_str("***");
                }
                true => {
                    after_key_word = names_a_key(&word);
                    shown.push_str(piece);
                }
                false => {
                    // What was hidden before is hidden.
                    after_key_word &= !piece.contains("***");
                    visible(piece, &mut shown);
                }
            }
        }
        let text = shown.trim();
        match text.char_indices().nth(LONGEST) {
            Some((at, _)) => Why(format!("{}…", text.get(..at).unwrap_or(text))),
            None => Why(text.to_owned()),
        }
    }

    /// The sentence.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Runs of characters that keys are made of, and what is between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let of_key = is_of_key(first);
        let end = rest.find(|c| is_of_key(c) != of_key).unwrap_or(rest.len());
        let (piece, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(piece)
    })
}

fn is_of_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '+')
}

fn looks_like_a_key(piece: &str) -> bool {
    let has = |wanted: fn(&u8) -> bool| piece.as_bytes().iter().any(wanted);
    piece.len() >= 20 && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

fn names_a_key(word: &str) -> bool {
    const WORDS: &[&str] = &["bearer", "basic", "token", "secret", "password", "authorization"];
    let word = word.trim_matches(['-', '_', '.']);
    WORDS.contains(&word)
        || word == "key"
        || word.ends_with("_key")
        || word.ends_with("-key")
        || word == "apikey"
}

fn visible(piece: &str, shown: &mut String) {
    for c in piece.chars() {
        match c {
            '\n' | '\r' | '\t' => shown.push(' '),
            c if c.is_control() || is_hidden(c) => shown.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => shown.push(c),
        }
    }
}

impl From<String> for Why {
    fn from(text: String) -> Why {
        Why::new(&text)
    }
}

impl From<&str> for Why {
    fn from(text: &str) -> Why {
        Why::new(text)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_never_shown() {
        for (said, shown) in [
            ("401 for sk-live-0123456789abcdefgh", "401 for ***"),
            ("Authorization: Bearer abc", "Authorization: Bearer ***"),
            ("api_key=short&x=1", "api_key=***&x=1"),
            ("https://host/v1?key=q", "https://host/v1?key=***"),
            ("connection refused (os error 111)", "connection refused (os error 111)"),
            ("two\nlines\u{1b}[31m", "two lines\\u{1b}[31m"),
        ] {
            assert_eq!(Why::new(said).as_str(), shown);
        }
        let once = Why::new("Incorrect API key: sk-live-0123456789abcdefgh; check it");
        assert_eq!(once.as_str(), "Incorrect API key: ***; check it");
        assert_eq!(Why::new(once.as_str()), once);
        assert_eq!(Why::new(&"word ".repeat(200)).as_str().chars().count(), 401);
    }
}
