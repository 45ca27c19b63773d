//! Space, comments, names, keywords, and the error type of the `nom` parsers.

use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::value::{is_name_continue, is_name_start};
use nom::IResult;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::error::{ErrorKind, ParseError};

/// What a parser returns. Inputs are suffixes of one text, so that what is left says where one is.
pub(super) type Read<'a, T> = IResult<&'a str, T, Slip>;

/// What went wrong, with `rest` bytes of the text left. Parsers try much and fail often, so that words
/// are made only when a slip becomes a diagnostic.
#[derive(Debug, Clone)]
pub(super) struct Slip {
    pub(super) rest: usize,
    /// How many bytes to underline; nothing for the token that stands there.
    pub(super) length: Option<usize>,
    pub(super) code: Code,
    pub(super) message: Message,
    pub(super) help: Vec<String>,
}

/// The words of a slip.
#[derive(Debug, Clone)]
pub(super) enum Message {
    /// What was expected; what was found is read from the text.
    Expected(&'static str),
    /// Said already.
    Said(String),
}

impl Slip {
    /// A slip at the first `length` bytes of `input`.
    pub(super) fn new(input: &str, length: usize, code: Code, message: impl Into<String>) -> Slip {
        let message = Message::Said(message.into());
        Slip { rest: input.len(), length: Some(length), code, message, help: Vec::new() }
    }

    /// What was expected, against what stands there.
    pub(super) fn expected(input: &str, expected: &'static str) -> Slip {
        let message = Message::Expected(expected);
        Slip { rest: input.len(), length: None, code: Code::Syntax, message, help: Vec::new() }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Slip {
        self.help.push(help.into());
        self
    }

    /// No other way of reading is tried after this.
    pub(super) fn fail<T>(self) -> Result<T, nom::Err<Slip>> {
        Err(nom::Err::Failure(self))
    }

    /// The diagnostic, in the whole text.
    pub(super) fn diagnostic(self, text: &str) -> Diagnostic {
        let start = text.len().saturating_sub(self.rest);
        let (found, length) = found(text.get(start..).unwrap_or(""));
        let message = match self.message {
            Message::Expected(expected) => format!("expected {expected}, found {found}"),
            Message::Said(message) => message,
        };
        let span = Span::new(start, start + self.length.unwrap_or(length));
        let mut diagnostic = Diagnostic::new(self.code, span, message);
        diagnostic.fault.help = self.help;
        diagnostic
    }
}

impl ParseError<&str> for Slip {
    fn from_error_kind(input: &str, _: ErrorKind) -> Slip {
        Slip::expected(input, "something else")
    }

    fn append(_: &str, _: ErrorKind, other: Slip) -> Slip {
        other
    }
}

/// The token that stands at the start of `input`, for a message, and its length.
fn found(input: &str) -> (String, usize) {
    let Some(first) = input.chars().next() else {
        return ("the end of the text".to_owned(), 0);
    };
    if is_name_start(first) || first.is_alphanumeric() {
        let word = input.split(|c: char| !is_name_continue(c)).next().unwrap_or("");
        let length = word.len().max(first.len_utf8());
        let shown: String = word.chars().take(40).collect();
        return (format!("`{shown}`"), length);
    }
    if first == '"' {
        return ("a text".to_owned(), 1);
    }
    if crate::text::lookalike::is_hidden(first) {
        return (format!("the character U+{:04X}, which can't be seen", u32::from(first)), first.len_utf8());
    }
    (format!("`{first}`"), first.len_utf8())
}

/// White space, byte-order marks and comments.
pub(super) fn space(mut input: &str) -> Read<'_, ()> {
    loop {
        let (rest, blank) = take_while(|c: char| c.is_whitespace() || c == '\u{feff}')(input)?;
        if !rest.starts_with('#') {
            return Ok((rest, ()));
        }
        let (rest, comment) = take_while(|c: char| c != '\n')(rest)?;
        if blank.is_empty() && comment.is_empty() {
            return Ok((rest, ()));
        }
        input = rest;
    }
}

/// A token and the space after it.
pub(super) fn token<'a>(text: &'static str) -> impl Fn(&'a str) -> Read<'a, &'a str> {
    move |input| {
        let (input, found) = tag(text)(input)?;
        let (input, ()) = space(input)?;
        Ok((input, found))
    }
}

/// A name, without the space after it.
pub(super) fn name(input: &str) -> Read<'_, &str> {
    if !input.starts_with(is_name_start) {
        return Err(nom::Err::Error(Slip::expected(input, "a name")));
    }
    take_while1(|c: char| is_name_continue(c) || c == '_')(input)
}

/// A word that is not part of a longer name, and the space after it.
pub(super) fn keyword<'a>(word: &'static str) -> impl Fn(&'a str) -> Read<'a, &'a str> {
    move |input| {
        let (rest, found) = tag(word)(input)?;
        if rest.starts_with(is_name_continue) {
            return Err(nom::Err::Error(Slip::expected(input, word)));
        }
        let (rest, ()) = space(rest)?;
        Ok((rest, found))
    }
}
