//! The language model that the environment names. Without the feature `openai`, there is none, and this says so.

use crate::files::Unusable;
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::language_model::LanguageModel;

/// What stands before `/chat/completions`.
const URL: &str = "INTENTGATE_MODEL_URL";
/// The model's name there.
const MODEL: &str = "INTENTGATE_MODEL";
/// The key, if the server wants one.
#[cfg(feature = "openai")]
const KEY: &str = "INTENTGATE_MODEL_KEY";

/// The language model that the environment names; none if it names none. Nothing is sent yet.
pub(crate) fn configured() -> Result<Option<Box<dyn LanguageModel>>, Unusable> {
    match (variable(URL)?, variable(MODEL)?) {
        (None, None) => Ok(None),
        (Some(url), Some(model)) => client(url, model).map(Some),
        (Some(_), None) => Err(incomplete(URL, MODEL)),
        (None, Some(_)) => Err(incomplete(MODEL, URL)),
    }
}

/// As [`configured`], for what can't be done without one.
pub(crate) fn wanted() -> Result<Box<dyn LanguageModel>, Unusable> {
    if let Some(model) = configured()? {
        return Ok(model);
    }
    #[cfg(not(feature = "openai"))]
    return Err(without());
    #[cfg(feature = "openai")]
    {
        let fault = Fault::new(Code::ModelSettings, "no language model is named");
        Err(fault.help(format!("set `{URL}`, like `http://127.0.0.1:8080/v1`, and `{MODEL}`")).into())
    }
}

#[cfg(feature = "openai")]
fn client(url: String, model: String) -> Result<Box<dyn LanguageModel>, Unusable> {
    use intentgate::language_model::client::Client;
    let builder = Client::builder(url, model);
    let builder = if variable(KEY)?.is_some() { builder.key_variable(KEY)? } else { builder };
    Ok(Box::new(builder.build()?))
}

#[cfg(not(feature = "openai"))]
fn client(_: String, _: String) -> Result<Box<dyn LanguageModel>, Unusable> {
    Err(without())
}

#[cfg(not(feature = "openai"))]
fn without() -> Unusable {
    let fault = Fault::new(Code::ModelSettings, "this command was built without language models");
    fault.help("build it with `--features openai`").into()
}

/// What a variable holds; an empty one holds nothing. What it holds is never shown: it may be a key in the wrong place.
fn variable(name: &str) -> Result<Option<String>, Unusable> {
    let Some(value) = std::env::var_os(name) else { return Ok(None) };
    match value.into_string() {
        Ok(value) if value.trim().is_empty() => Ok(None),
        Ok(value) => Ok(Some(value)),
        Err(_) => Err(Fault::new(Code::ModelSettings, format!("what `{name}` holds is no text")).into()),
    }
}

fn incomplete(given: &str, missing: &str) -> Unusable {
    let fault = Fault::new(Code::ModelSettings, format!("`{given}` is set, and `{missing}` is not"));
    fault.help(format!("set `{missing}` too")).into()
}
