//! A request, in the protocol's words.

use super::builder::Settings;
use crate::language_model::{Message, ModelError, Part, Request, Role, Schema};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use intentgate_engine::schema::hash;
use serde_json::{Map, Value, json};

/// A request that is ready to be sent.
#[derive(Debug)]
pub(super) struct Question {
    fields: Map<String, Value>,
    /// What the answer has to look like, if the server can be held to it.
    pub(super) form: Option<Form>,
    pub(super) has_images: bool,
}

/// A schema, as it is sent.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) name: String,
    /// The hash of the schema: servers refuse one and take another.
    pub(super) key: String,
    field: Value,
}

impl Question {
    pub(super) fn new(request: &Request, settings: &Settings) -> Result<Question, ModelError> {
        let mut fields = settings.extra.clone();
        let messages = request.messages.iter().map(message).collect::<Result<Vec<_>, _>>()?;
        fields.insert("model".to_owned(), settings.model.as_str().into());
        fields.insert("messages".to_owned(), messages.into());
        fields.insert("stream".to_owned(), false.into());
        if let Some(temperature) = request.temperature.or(settings.temperature) {
            if !temperature.is_finite() {
                return Err(unsupported(format!("a temperature of {temperature}")));
            }
            fields.insert("temperature".to_owned(), temperature.into());
        }
        if let Some(most) = request.max_tokens.or(settings.max_tokens) {
            fields.insert(settings.max_tokens_field.clone(), most.into());
        }
        if let Some(seed) = request.seed.or(settings.seed) {
            fields.insert("seed".to_owned(), seed.into());
        }
        if let Some(grammar) = &request.grammar {
            let Some(field) = &settings.grammar_field else {
                return Err(unsupported(
                    "a grammar: the client was not told which field takes one".to_owned(),
                ));
            };
            fields.insert(field.clone(), grammar.as_str().into());
        }
        let schema = request.schema.as_ref().filter(|_| request.grammar.is_none());
        let form = schema.map(|schema| Form::new(schema, settings.strict_schemas));
        let parts = request.messages.iter().flat_map(|message| &message.parts);
        let has_images = parts.into_iter().any(|part| matches!(part, Part::Image { .. }));
        Ok(Question { fields, form, has_images })
    }

    /// What is sent, with the schema or without it.
    pub(super) fn body(&self, with_form: bool) -> Vec<u8> {
        let mut fields = self.fields.clone();
        if let Some(form) = self.form.as_ref().filter(|_| with_form) {
            fields.insert("response_format".to_owned(), form.field.clone());
        }
        Value::Object(fields).to_string().into_bytes()
    }
}

impl Form {
    fn new(schema: &Schema, strict: bool) -> Form {
        // Servers take letters, digits, `_` and `-`, at most 64 of them.
        let name = schema.name.chars().map(|c| match c {
            c if c.is_ascii_alphanumeric() || c == '-' => c,
            _ => '_',
        });
        let name: String = name.take(64).collect();
        let name = if name.is_empty() { "answer".to_owned() } else { name };
        let mut described = json!({"name": name, "schema": schema.schema});
        if strict && let Some(described) = described.as_object_mut() {
            described.insert("strict".to_owned(), true.into());
        }
        Form {
            name: schema.name.clone(),
            key: hash(schema.schema.to_string().as_bytes()),
            field: json!({"type": "json_schema", "json_schema": described}),
        }
    }
}

fn message(message: &Message) -> Result<Value, ModelError> {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    // Words alone as a text: that is what every server reads.
    if message.parts.iter().all(|part| matches!(part, Part::Text(_))) {
        return Ok(json!({"role": role, "content": message.words()}));
    }
    let parts = message.parts.iter().map(part).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({"role": role, "content": parts}))
}

fn part(part: &Part) -> Result<Value, ModelError> {
    match part {
        Part::Text(text) => Ok(json!({"type": "text", "text": text})),
        Part::Image { media_type, bytes } => {
            let subtype = media_type.strip_prefix("image/").unwrap_or_default();
            let of_subtype = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
            if subtype.is_empty() || !subtype.chars().all(of_subtype) {
                return Err(unsupported(format!("a picture of the type `{media_type}`")));
            }
            let url = format!("data:{media_type};base64,{}", STANDARD.encode(bytes));
            Ok(json!({"type": "image_url", "image_url": {"url": url}}))
        }
    }
}

fn unsupported(what: String) -> ModelError {
    ModelError::Unsupported { what: what.into() }
}
