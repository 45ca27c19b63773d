//! The language model that the environment names. Without the feature `openai`, there is none, and this says so.

use crate::files::Unusable;
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::language_model::LanguageModel;
#[cfg(feature = "openai")]
use {
    crate::files,
    intentgate::engine::input::on_one_line,
    intentgate::language_model::{Answering, Request},
    std::io::IsTerminal,
    std::time::Duration,
};

/// What stands before `/chat/completions`.
const URL: &str = "INTENTGATE_MODEL_URL";
/// The model's name there.
const MODEL: &str = "INTENTGATE_MODEL";
/// The key, if the server wants one.
#[cfg(feature = "openai")]
const KEY: &str = "INTENTGATE_MODEL_KEY";
/// How many seconds an answer may take, all tries together; 300 without it.
#[cfg(feature = "openai")]
const SECONDS: &str = "INTENTGATE_MODEL_SECONDS";
/// How long a try may take at most.
#[cfg(feature = "openai")]
const TRY: Duration = Duration::from_secs(120);

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
    // Used only where a request has a grammar.
    let mut builder = Client::builder(url, model).grammar_field("grammar");
    if variable(KEY)?.is_some() {
        builder = builder.key_variable(KEY)?;
    }
    if let Some(limit) = seconds()? {
        builder = builder.whole_limit(limit).time_limit(limit.min(TRY));
    }
    Ok(Box::new(Waiting(builder.build()?)))
}

/// How long an answer may take, if the environment says so.
#[cfg(feature = "openai")]
fn seconds() -> Result<Option<Duration>, Unusable> {
    let Some(text) = variable(SECONDS)? else { return Ok(None) };
    match text.trim().parse() {
        Ok(seconds @ 1..=86_400) => Ok(Some(Duration::from_secs(seconds))),
        _ => {
            let fault = Fault::new(Code::ModelSettings, format!("`{SECONDS}` is no number from 1 to 86400"));
            Err(fault.help("it is how many seconds an answer may take, all tries together").into())
        }
    }
}

/// A model, and a word on standard error while it is waited for, if that is a terminal.
#[cfg(feature = "openai")]
struct Waiting<M>(M);

#[cfg(feature = "openai")]
impl<M: LanguageModel> LanguageModel for Waiting<M> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn answer<'a>(&'a self, request: &'a Request) -> Answering<'a> {
        Box::pin(async move {
            if !std::io::stderr().is_terminal() {
                return self.0.answer(request).await;
            }
            files::print(&format!("waiting for {} …\r", on_one_line(self.0.name())));
            let answer = self.0.answer(request).await;
            // As many spaces as there were characters, so that nothing of it stays.
            let width = on_one_line(self.0.name()).chars().count() + "waiting for  …".chars().count();
            files::print(&format!("{}\r", " ".repeat(width)));
            answer
        })
    }
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
