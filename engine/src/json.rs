//! JSON with places: every value and key knows its span, numbers keep their digits, duplicate keys
//! are errors, depth is bounded.
//!
//! Knows RFC 8259 and nothing of what the documents mean. (`serde_json` reads no spans; it writes
//! what this crate writes.)

pub mod de;

use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::limits::Limits;
use crate::span::{Source, Span};
use crate::suggest;

/// A JSON value and where it stands.
#[derive(Debug, Clone)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// The kinds of JSON values.
#[derive(Debug, Clone)]
pub enum Kind {
    /// `null`
    Null,
    /// `true`, `false`
    Boolean(bool),
    /// A number, as it is written.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object, in the order of the text; keys are unique.
    Object(Vec<Member>),
}

/// A key and its value.
#[derive(Debug, Clone)]
pub struct Member {
    /// The key, unescaped.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&[Member]> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The value of a key, if it is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_object()?.iter().find(|member| member.key == key).map(|member| &member.value)
    }

    /// "a text", "a number", … for messages.
    pub fn describe(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Boolean(_) => "true or false",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a text",
            Kind::Array(_) => "an array",
            Kind::Object(_) => "an object",
        }
    }

    /// An error that says what was wanted instead of this.
    pub fn unexpected(&self, what: &str, wanted: &str) -> Diagnostic {
        Diagnostic::new(
            Code::JsonType,
            self.span,
            format!("{what} must be {wanted}, not {}", self.describe()),
        )
    }

    /// The string, or an error that names what it is for.
    ///
    /// # Errors
    /// If it is not a string.
    pub fn string(&self, what: &str) -> Result<&str, Diagnostic> {
        self.as_str().ok_or_else(|| self.unexpected(what, "a text"))
    }

    /// The Boolean, or an error that names what it is for.
    ///
    /// # Errors
    /// If it is not a Boolean.
    pub fn boolean(&self, what: &str) -> Result<bool, Diagnostic> {
        match self.kind {
            Kind::Boolean(value) => Ok(value),
            _ => Err(self.unexpected(what, "true or false")),
        }
    }

    /// The elements, or an error that names what they are for.
    ///
    /// # Errors
    /// If it is not an array.
    pub fn array(&self, what: &str) -> Result<&[Node], Diagnostic> {
        match &self.kind {
            Kind::Array(elements) => Ok(elements),
            _ => Err(self.unexpected(what, "an array")),
        }
    }

    /// The members, or an error that names what they are for.
    ///
    /// # Errors
    /// If it is not an object.
    pub fn object(&self, what: &str) -> Result<&[Member], Diagnostic> {
        self.as_object().ok_or_else(|| self.unexpected(what, "an object"))
    }

    /// The same value without places, for free-form data that is only passed on.
    pub fn to_value(&self) -> serde_json::Value {
        match &self.kind {
            Kind::Null => serde_json::Value::Null,
            Kind::Boolean(value) => serde_json::Value::Bool(*value),
            Kind::Number(text) => number_value(text),
            Kind::String(text) => serde_json::Value::String(text.clone()),
            Kind::Array(elements) => elements.iter().map(Node::to_value).collect(),
            Kind::Object(members) => {
                members.iter().map(|member| (member.key.clone(), member.value.to_value())).collect()
            }
        }
    }
}

/// A number as a `serde_json` value if that holds it exactly, else its digits as a text.
pub fn number_value(text: &str) -> serde_json::Value {
    use crate::value::number;
    match text.parse::<serde_json::Number>() {
        Ok(exact) if number(text).is_some() && number(&exact.to_string()) == number(text) => exact.into(),
        _ => text.into(),
    }
}

impl Member {
    /// An error for a key that means nothing here.
    pub fn unknown(&self, allowed: &[&str]) -> Diagnostic {
        Diagnostic::new(Code::UnknownKey, self.key_span, format!("unknown key `{}`", self.key))
            .help(suggest::known(&self.key, "keys", allowed.iter().copied()))
    }
}

/// Reads one JSON document. Takes time and memory in proportion to the text.
///
/// # Errors
/// Malformed JSON, duplicate keys (all of them), too deep, too large.
pub fn parse(source: &Source, limits: &Limits) -> Result<Node, Problems> {
    let mut problems = Problems::new(source.clone());
    let text = source.text();
    if text.len() > limits.bytes {
        problems.push(too_large(text.len(), limits.bytes));
        return Err(problems);
    }
    let mut reader = Reader {
        text,
        at: if text.starts_with('\u{feff}') { 3 } else { 0 },
        depth: 0,
        limits,
        duplicates: &mut problems,
    };
    reader.space();
    if reader.at == text.len() {
        let span = Span::at(reader.at);
        problems.push(
            Diagnostic::new(Code::EmptyInput, span, "the input is empty").help("expected a JSON document"),
        );
        return Err(problems);
    }
    let read = reader.value().and_then(|node| {
        reader.space();
        if reader.at == text.len() { Ok(node) } else { Err(reader.wrong("nothing after the document")) }
    });
    match read {
        Ok(node) if problems.is_empty() => Ok(node),
        Ok(_) => Err(problems),
        Err(diagnostic) => {
            problems.push(diagnostic);
            problems.sort();
            Err(problems)
        }
    }
}

/// The error for an input of `length` bytes.
pub(crate) fn too_large(length: usize, limit: usize) -> Diagnostic {
    Diagnostic::new(
        Code::TooLarge,
        Span::default(),
        format!("the input has {length} bytes; the limit is {limit}"),
    )
    .help("split it, or raise the limit where it is read")
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    limits: &'a Limits,
    duplicates: &'a mut Problems,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn wrong(&self, expected: &str) -> Diagnostic {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let length = found.map_or(0, char::len_utf8);
        let message = match found {
            Some(c) => format!("expected {expected}, found `{c}`"),
            None => format!("expected {expected}, found the end of the input"),
        };
        Diagnostic::new(Code::JsonSyntax, Span::new(self.at, self.at + length), message)
    }

    fn value(&mut self) -> Result<Node, Diagnostic> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.nested(Reader::members)?,
            Some(b'[') => self.nested(Reader::elements)?,
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Kind::Number(self.number()?),
            _ => self.word()?,
        };
        Ok(Node { span: Span::new(start, self.at), kind })
    }

    fn word(&mut self) -> Result<Kind, Diagnostic> {
        let rest = self.text.get(self.at..).unwrap_or("");
        for (word, kind) in
            [("null", Kind::Null), ("true", Kind::Boolean(true)), ("false", Kind::Boolean(false))]
        {
            if let Some(after) = rest.strip_prefix(word)
                && !after.starts_with(|c: char| c.is_alphanumeric())
            {
                self.at += word.len();
                return Ok(kind);
            }
        }
        Err(self.wrong("a JSON value"))
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Kind, Diagnostic>,
    ) -> Result<Kind, Diagnostic> {
        let limit = self.limits.nesting.min(128);
        if self.depth >= limit {
            let span = Span::new(self.at, self.at + 1);
            let message = format!("nested deeper than {limit} levels");
            return Err(Diagnostic::new(Code::NestedTooDeep, span, message));
        }
        self.depth += 1;
        self.at += 1;
        let kind = read(self)?;
        self.depth -= 1;
        Ok(kind)
    }

    /// After an element: true at a comma, false at the closing byte.
    fn more(&mut self, close: u8, expected: &str) -> Result<bool, Diagnostic> {
        self.space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.space();
                if self.peek() == Some(close) {
                    return Err(self.wrong("another element after the comma"));
                }
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.wrong(expected)),
        }
    }

    fn elements(&mut self) -> Result<Kind, Diagnostic> {
        let mut elements = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Kind::Array(elements));
        }
        loop {
            self.space();
            elements.push(self.value()?);
            if !self.more(b']', "`,` or `]`")? {
                return Ok(Kind::Array(elements));
            }
        }
    }

    fn members(&mut self) -> Result<Kind, Diagnostic> {
        let mut members: Vec<Member> = Vec::new();
        let mut seen = hashbrown::HashMap::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Kind::Object(members));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a key in double quotes"));
            }
            let start = self.at;
            let key = self.string()?;
            let key_span = Span::new(start, self.at);
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.wrong("`:` after the key"));
            }
            self.at += 1;
            self.space();
            let value = self.value()?;
            if let Some(first) = seen.insert(key.clone(), key_span) {
                self.duplicates.push(
                    Diagnostic::new(Code::DuplicateKey, key_span, format!("the key `{key}` stands twice"))
                        .also(first, "first here")
                        .help("keep one of them"),
                );
            } else {
                members.push(Member { key, key_span, value });
            }
            if !self.more(b'}', "`,` or `}`")? {
                return Ok(Kind::Object(members));
            }
        }
    }

    fn number(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let leading_zero = self.peek() == Some(b'0');
        let digits = self.digits()?;
        if leading_zero && digits > 1 {
            self.at = start;
            return Err(self.wrong("a number without leading zeros"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(self.text.get(start..self.at).unwrap_or("").to_owned())
    }

    fn digits(&mut self) -> Result<usize, Diagnostic> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.wrong("a digit")) } else { Ok(self.at - start) }
    }

    fn string(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or("");
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            text.push_str(rest.get(..plain).unwrap_or(""));
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.wrong("`\"`, or line ends and control characters escaped")),
                None => {
                    let span = Span::new(start, self.at);
                    return Err(Diagnostic::new(Code::JsonSyntax, span, "the text has no closing `\"`"));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let unit = self.hex()?;
                let c = match unit {
                    0xd800..=0xdbff if self.text.get(self.at..self.at + 2) == Some("\\u") => {
                        self.at += 2;
                        let low = self.hex()?;
                        match low {
                            0xdc00..=0xdfff => {
                                char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
                            }
                            _ => None,
                        }
                    }
                    _ => char::from_u32(unit),
                };
                return c.ok_or_else(|| {
                    let span = Span::new(start, self.at);
                    Diagnostic::new(Code::JsonSyntax, span, "this escape is half of a surrogate pair")
                });
            }
            _ => return Err(self.wrong("an escape: one of \" \\ / b f n r t u")),
        };
        self.at += 1;
        Ok(c)
    }

    fn hex(&mut self) -> Result<u32, Diagnostic> {
        let digits = self.text.get(self.at..self.at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                self.at += 4;
                Ok(unit)
            }
            None => Err(self.wrong("four hexadecimal digits")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Node, Problems> {
        parse(&Source::new("t", text), &Limits::default())
    }

    fn code(text: &str) -> &'static str {
        read(text).unwrap_err().items()[0].code().as_str()
    }

    #[test]
    fn reads_values_exactly() {
        let node = read(r#"{"a": [1.50, -0e10, "\ud83d\ude00\u0041", null, true]}"#).unwrap();
        let elements = node.get("a").unwrap().array("a").unwrap();
        assert!(matches!(&elements[0].kind, Kind::Number(n) if n == "1.50"));
        assert_eq!(elements[2].as_str(), Some("😀A"));
    }

    #[test]
    fn refuses_what_is_not_json() {
        for text in
            ["{", "[1,]", "{\"a\":1,}", "01", "1.", "\"\\ud800\"", "\"a\nb\"", "nul", "[1] 2", "'a'", "{a:1}"]
        {
            assert_eq!(code(text), "E0201", "{text}");
        }
        assert_eq!(code(""), "E0004");
        assert_eq!(code("{\"a\":1,\"a\":2}"), "E0202");
        assert_eq!(code(&"[".repeat(1_000_000)), "E0114");
    }
}
