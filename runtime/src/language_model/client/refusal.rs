//! What a server says instead of an answer.

use super::key::Key;
use crate::language_model::{ModelError, Why};
use serde_json::Value;
use std::time::Duration;

/// Why a try failed, and whether another may help.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) error: ModelError,
    pub(super) again: Again,
    /// The server wants no schema, or not this one.
    pub(super) of_schema: Option<Why>,
}

/// Whether another try may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    No,
    Later,
    /// The server says when.
    After(Duration),
}

impl Trouble {
    pub(super) fn for_good(error: ModelError) -> Trouble {
        Trouble { error, again: Again::No, of_schema: None }
    }

    pub(super) fn for_now(error: ModelError) -> Trouble {
        Trouble { error, again: Again::Later, of_schema: None }
    }
}

impl Trouble {
    /// With every foreign word gone through a function.
    pub(super) fn map_words(self, words: impl Fn(Why) -> Why) -> Trouble {
        let error = match self.error {
            ModelError::Unavailable { why } => ModelError::Unavailable { why: words(why) },
            ModelError::Refused { why } => ModelError::Refused { why: words(why) },
            ModelError::TooLarge { why } => ModelError::TooLarge { why: words(why) },
            ModelError::Unsupported { what } => ModelError::Unsupported { what: words(what) },
            ModelError::Malformed { why } => ModelError::Malformed { why: words(why) },
            error => error,
        };
        Trouble { error, of_schema: self.of_schema.map(words), ..self }
    }
}

/// An answer that is none.
pub(super) struct Refusal<'a> {
    pub(super) status: u16,
    pub(super) body: &'a [u8],
    pub(super) after: Option<Duration>,
    pub(super) key: Option<&'a Key>,
    pub(super) has_images: bool,
}

/// How much of a server's own words is shown, in characters.
const SHOWN: usize = 200;

impl Refusal<'_> {
    pub(super) fn trouble(&self) -> Trouble {
        let said = Said::read(self.body, self.key);
        let has = |words: &[&str]| words.iter().any(|word| said.lower.contains(word));
        let why = |advice: &str| Why::from(self.line(&said.shown, advice));
        let refused = |advice: &str| Trouble::for_good(ModelError::Refused { why: why(advice) });
        match self.status {
            401 | 403 => refused(&self.about_the_key()),
            404 | 405 | 410 => refused("check the base URL, does it end in /v1? and the model's name"),
            413 => Trouble::for_good(ModelError::TooLarge { why: why("") }),
            429 if has(&["insufficient_quota", "billing"]) => {
                refused("the account has nothing left to spend")
            }
            429 => Trouble {
                error: ModelError::Busy { seconds: self.after.map(|after| after.as_secs()) },
                again: self.after.map_or(Again::Later, Again::After),
                of_schema: None,
            },
            400..=501 if has(&["context_length", "context length", "context size", "context window"]) => {
                Trouble::for_good(ModelError::TooLarge { why: why("") })
            }
            400..=501 if self.has_images && has(&["image"]) => Trouble::for_good(ModelError::Unsupported {
                what: format!("pictures: {}", why("").as_str()).into(),
            }),
            400 | 422 | 500 | 501
                if has(&["response_format", "json_schema", "schema", "structured output"]) =>
            {
                Trouble { of_schema: Some(why("")), ..self.by_status(why("")) }
            }
            _ => self.by_status(why("")),
        }
    }

    fn by_status(&self, why: Why) -> Trouble {
        match self.status {
            501 | 505 => Trouble::for_good(ModelError::Refused { why }),
            408 | 409 | 425 | 500.. => Trouble {
                error: ModelError::Unavailable { why },
                again: self.after.map_or(Again::Later, Again::After),
                of_schema: None,
            },
            _ => Trouble::for_good(ModelError::Refused { why }),
        }
    }

    fn about_the_key(&self) -> String {
        match self.key {
            Some(key) => key.origin(),
            None => "none was given, and the server wants a key".to_owned(),
        }
    }

    /// `401 Unauthorized: what it says; what to do`.
    fn line(&self, said: &str, advice: &str) -> String {
        let status = ureq::http::StatusCode::from_u16(self.status).ok();
        let reason = status.and_then(|status| status.canonical_reason()).map(|reason| format!(" {reason}"));
        let mut line = format!("{}{}", self.status, reason.unwrap_or_default());
        if !said.is_empty() {
            line = format!("{line}: {said}");
        }
        if advice.is_empty() { line } else { format!("{line}; {advice}") }
    }
}

/// What a server says, in its own words, the key taken out.
struct Said {
    shown: String,
    /// Words and codes, to look for what is meant.
    lower: String,
}

impl Said {
    fn read(body: &[u8], key: Option<&Key>) -> Said {
        let body = String::from_utf8_lossy(body);
        let value: Option<Value> = serde_json::from_str(&body).ok();
        let text = match &value {
            Some(value) => message(value).unwrap_or_default(),
            // A page for people says nothing here.
            None if body.trim_start().starts_with('<') => String::new(),
            None => body.trim().to_owned(),
        };
        let text = match key {
            Some(key) => key.hide(&text).into_owned(),
            None => text,
        };
        // Judged whole before it is cut, so that no half of a key stays.
        let shown = Why::new(&text);
        let cut = shown.as_str().char_indices().nth(SHOWN).and_then(|(at, _)| shown.as_str().get(..at));
        Said {
            shown: cut.map_or_else(|| shown.as_str().to_owned(), |cut| format!("{cut}…")),
            lower: body.to_lowercase(),
        }
    }
}

/// The message in an error: `{"error": {"message"}}`, and what other servers send.
fn message(value: &Value) -> Option<String> {
    let of = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(_) => value.get("message").and_then(Value::as_str).map(str::to_owned),
        Value::Array(_) => Some(value.to_string()),
        _ => None,
    };
    ["error", "message", "detail", "errors"].iter().find_map(|name| of(value.get(name)?))
}

/// The status in an error that was sent as an answer, `{"error": {"code": 429}}`; 400 without one.
pub(super) fn status_of(error: &Value) -> u16 {
    let code = error.get("error").and_then(|error| error.get("code"));
    let code = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
    code.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code)).unwrap_or(400)
}
