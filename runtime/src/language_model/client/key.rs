//! The key, which nobody sees.

use crate::language_model::Why;
use intentgate_engine::diagnostic::{Code, Fault};
use secrecy::{ExposeSecret, SecretString};
use std::borrow::Cow;
use std::fmt;
use ureq::http::HeaderValue;

/// What a server knows its customer by. It can't be printed, compared or serialized, and is overwritten when dropped.
#[derive(Clone)]
pub struct Key {
    text: SecretString,
    /// The environment variable that it comes from.
    variable: Option<String>,
}

/// A shorter one is no secret but a filler, `none` or `EMPTY`, for servers that want some key: hiding it would
/// damage other words.
const SHORTEST: usize = 8;

impl Key {
    /// A key that comes from elsewhere than the environment: a keyring, a service. Spaces around it don't count.
    ///
    /// # Errors
    /// It is empty, or has characters that no key has. The message doesn't show it.
    pub fn new(text: impl Into<String>) -> Result<Key, Fault> {
        let whole = SecretString::from(text.into());
        let text = whole.expose_secret().trim();
        if text.is_empty() {
            return Err(Fault::new(Code::ModelSettings, "the language model's key is empty"));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            let message =
                "the language model's key has spaces, control characters or letters that no key has";
            return Err(Fault::new(Code::ModelSettings, message).help("was more than the key copied?"));
        }
        Ok(Key { text: SecretString::from(text), variable: None })
    }

    /// The key in an environment variable, read now.
    ///
    /// # Errors
    /// There is no such variable, or as [`Key::new`].
    pub fn from_variable(name: &str) -> Result<Key, Fault> {
        // Somebody may have put the key itself here.
        let shown = Why::new(name);
        let wrong = |what: String| Fault::new(Code::ModelSettings, what);
        // The name may hold what `var_os` doesn't take.
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(wrong(format!("`{shown}` is no name of an environment variable"))
                .help("name the variable that holds the key; the key itself doesn't belong here"));
        }
        let Some(value) = std::env::var_os(name) else {
            return Err(wrong(format!("there is no environment variable `{shown}` with a key"))
                .help(format!("set `{shown}`, or leave the key out if the server wants none")));
        };
        let text = value.into_string().map_err(|_| wrong(format!("what `{shown}` holds is no text")))?;
        let key = Key::new(text).map_err(|fault| fault.help(format!("it is read from `{shown}`")))?;
        Ok(Key { variable: Some(name.to_owned()), ..key })
    }

    /// Where it comes from, for messages: ends in the name, so that nothing behind it is taken for a key.
    pub(super) fn origin(&self) -> String {
        match &self.variable {
            Some(name) => format!("check what stands in {name}"),
            None => "check the key".to_owned(),
        }
    }

    /// What is sent. Marked, so that it isn't logged.
    pub(super) fn header(&self) -> Result<HeaderValue, ureq::http::Error> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.text.expose_secret()))?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// The text without it.
    pub(super) fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let key = self.text.expose_secret();
        if key.len() >= SHORTEST && text.contains(key) {
            Cow::Owned(text.replace(key, "***"))
        } else {
            Cow::Borrowed(text)
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
