//! An answer, out of the protocol's words.

use crate::language_model::{Finish, ModelError, Reply, Usage};
use serde_json::Value;

/// What a server sent with status 200.
pub(super) enum Sent {
    Reply(Reply),
    /// Some servers send their errors as answers.
    Error(Value),
}

/// Reads it; `form` is the content type that it came with.
pub(super) fn read(body: &str, form: &str) -> Result<Sent, ModelError> {
    let value: Value = serde_json::from_str(body).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        malformed(match form {
            _ if body.is_empty() => "it is empty".to_owned(),
            "" => format!("it is not JSON, {place}"),
            form if is_json(form) => format!("it says that it is JSON, and is not, {place}"),
            form => format!("it is `{form}` instead of JSON, {place}; check the base URL"),
        })
    })?;
    if value.get("error").is_some_and(|error| !error.is_null()) {
        return Ok(Sent::Error(value));
    }
    let Some(choice) = value.get("choices").and_then(Value::as_array).and_then(|choices| choices.first())
    else {
        return Err(malformed("it has no `choices`"));
    };
    let finish = finish(choice.get("finish_reason").unwrap_or(&Value::Null))?;
    let Some(message) = choice.get("message") else { return Err(malformed("its choice has no `message`")) };
    if let Some(refusal) = message.get("refusal").and_then(Value::as_str).filter(|said| !said.is_empty()) {
        return Err(ModelError::Refused { why: refusal.into() });
    }
    let text = match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => texts(parts)?,
        // Thoughts used it up.
        None | Some(Value::Null) if finish == Finish::Length => String::new(),
        _ => return Err(malformed("its message has no `content`")),
    };
    Ok(Sent::Reply(Reply { text, finish, usage: usage(&value) }))
}

fn is_json(form: &str) -> bool {
    form.ends_with("/json") || form.ends_with("+json")
}

fn finish(reason: &Value) -> Result<Finish, ModelError> {
    match reason {
        Value::Null => Ok(Finish::Whole),
        Value::String(reason) => match reason.as_str() {
            "stop" | "eos" | "end_turn" | "" => Ok(Finish::Whole),
            "length" | "model_length" | "max_tokens" => Ok(Finish::Length),
            filter if filter.starts_with("content_filter") => {
                Err(ModelError::Refused { why: "a content filter held the answer back".into() })
            }
            other => Err(malformed(format!("it ends for an unknown reason, `{other}`"))),
        },
        _ => Err(malformed("its `finish_reason` is no text")),
    }
}

/// The texts of a content in parts.
fn texts(parts: &[Value]) -> Result<String, ModelError> {
    let text = |part: &Value| match part.get("type").and_then(Value::as_str) {
        Some("text") => part.get("text").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    let texts: Option<Vec<String>> = parts.iter().map(text).collect();
    texts.map(|texts| texts.concat()).ok_or_else(|| malformed("its `content` has parts that are no text"))
}

fn usage(value: &Value) -> Usage {
    let tokens = |name: &str| value.get("usage").and_then(|usage| usage.get(name)).and_then(Value::as_u64);
    Usage { input_tokens: tokens("prompt_tokens"), output_tokens: tokens("completion_tokens") }
}

fn malformed(why: impl Into<String>) -> ModelError {
    ModelError::Malformed { why: why.into().into() }
}
