//! What is asked and what is answered, as data.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use intentgate_engine::schema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fmt::Write;
use std::sync::Arc;

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The program: what the model is for.
    System,
    /// Who asks.
    User,
    /// The model itself, earlier.
    Assistant,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Part {
    /// Words.
    Text(String),
    /// A picture.
    Image {
        /// What it is, like `image/png`.
        media_type: String,
        /// Its bytes; base64 in JSON.
        #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
        bytes: Arc<[u8]>,
    },
}

fn to_base64<S: Serializer>(bytes: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
    let text = String::deserialize(deserializer)?;
    STANDARD.decode(text).map(Arc::from).map_err(|error| D::Error::custom(format!("no base64: {error}")))
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub parts: Vec<Part>,
}

impl Message {
    /// A message of words.
    pub fn text(role: Role, text: impl Into<String>) -> Message {
        Message { role, parts: vec![Part::Text(text.into())] }
    }

    /// With a picture behind what it has.
    #[must_use]
    pub fn image(mut self, media_type: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Message {
        self.parts.push(Part::Image { media_type: media_type.into(), bytes: bytes.into() });
        self
    }

    /// Its words, a line for each part.
    pub fn words(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Image { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// A JSON Schema that an answer is to keep to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// What it is called: some servers want a name.
    pub name: String,
    /// The schema.
    pub schema: Value,
}

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// What the answer has to look like, for models that can be held to it. The answer is checked all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schema>,
    /// A grammar of the answer in GBNF, for local models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grammar: Option<String>,
    /// How freely the answer varies; 0 is not at all. Left to the model without this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// How many tokens the answer may have. Left to the model without this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Where chance starts, for models that can be held to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Request {
    /// An empty one.
    pub fn new() -> Request {
        Request::default()
    }

    /// With a message of the program.
    #[must_use]
    pub fn system(self, text: impl Into<String>) -> Request {
        self.message(Message::text(Role::System, text))
    }

    /// With a message of who asks.
    #[must_use]
    pub fn user(self, text: impl Into<String>) -> Request {
        self.message(Message::text(Role::User, text))
    }

    /// With a message behind those it has.
    #[must_use]
    pub fn message(mut self, message: Message) -> Request {
        self.messages.push(message);
        self
    }

    /// With what the answer has to look like.
    #[must_use]
    pub fn schema(mut self, name: impl Into<String>, schema: Value) -> Request {
        self.schema = Some(Schema { name: name.into(), schema });
        self
    }

    /// With a grammar of the answer.
    #[must_use]
    pub fn grammar(mut self, grammar: impl Into<String>) -> Request {
        self.grammar = Some(grammar.into());
        self
    }

    /// With how freely the answer varies.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Request {
        self.temperature = Some(temperature);
        self
    }

    /// The request as JSON in which every object's keys are sorted: the same request is the same bytes.
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        canonical(&serde_json::to_value(self).unwrap_or_default(), &mut text);
        text
    }

    /// The SHA-256 of [`Request::canonical`], in lower-case hexadecimal digits.
    pub fn key(&self) -> String {
        key(&self.canonical())
    }
}

/// The key of a canonical request.
pub(super) fn key(canonical: &str) -> String {
    schema::hash(canonical.as_bytes())
}

/// Depth is bounded by that of [`Value`]s that come from texts; schemas are the program's own.
fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| key.as_str());
            text.push('{');
            for (number, (key, value)) in members.into_iter().enumerate() {
                text.push_str(if number == 0 { "" } else { "," });
                let _ = write!(text, "{}:", Value::from(key.as_str()));
                canonical(value, text);
            }
            text.push('}');
        }
        Value::Array(elements) => {
            text.push('[');
            for (number, element) in elements.iter().enumerate() {
                text.push_str(if number == 0 { "" } else { "," });
                canonical(element, text);
            }
            text.push(']');
        }
        plain => {
            let _ = write!(text, "{plain}");
        }
    }
}

/// Why an answer ends where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finish {
    /// It is whole, or nobody said otherwise.
    #[default]
    Whole,
    /// It was cut off at a limit of length.
    Length,
}

impl Finish {
    fn is_whole(&self) -> bool {
        *self == Finish::Whole
    }
}

/// How much was read and written, in tokens, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
}

impl Usage {
    fn is_unknown(&self) -> bool {
        *self == Usage::default()
    }

    /// Both together; what is unknown of one counts as nothing, and is unknown if it is so of both.
    #[must_use]
    pub fn plus(self, other: Usage) -> Usage {
        let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (None, None) => None,
            (one, other) => Some(one.unwrap_or_default().saturating_add(other.unwrap_or_default())),
        };
        Usage {
            input_tokens: sum(self.input_tokens, other.input_tokens),
            output_tokens: sum(self.output_tokens, other.output_tokens),
        }
    }
}

/// What a model answers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The answer.
    pub text: String,
    /// Why it ends where it ends.
    #[serde(default, skip_serializing_if = "Finish::is_whole")]
    pub finish: Finish,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Usage::is_unknown")]
    pub usage: Usage,
}

impl Reply {
    /// An answer of which nothing else is known.
    pub fn new(text: impl Into<String>) -> Reply {
        Reply { text: text.into(), ..Reply::default() }
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Reply {
        Reply::new(text)
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Reply {
        Reply::new(text)
    }
}
