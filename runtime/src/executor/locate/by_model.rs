//! Labels of screens by a language model (Agent-SAMA, state beacon): what a page is, not what it shows just now.
//!
//! Knows screens, labels and language models. What a screen says is data to the model that labels it; all the same
//! its texts may bring about any label, so that nothing may count as done on a page's name alone.

use crate::executor::screen::Screen;
use crate::executor::screen::outline::Outline;
use crate::language_model::ask::{TRIES, ask};
use crate::language_model::fence::{self, Fenced};
use crate::language_model::{LanguageModel, Request, json};
use intentgate_engine::text::{lookalike, normal};
use serde_json::json as value;
use std::fmt::Write;
use std::future::Future;
use std::pin::Pin;

/// Characters of a label.
const LONGEST: usize = 60;
/// Labels that are offered.
const OFFERED: usize = 200;

/// What is on its way: a label, or why there is none.
pub type Labelling<'a> = Pin<Box<dyn Future<Output = Result<String, String>> + Send + 'a>>;

/// Names screens.
pub trait Labeller: Send {
    /// A short label for a screen, one of the known ones where it is that page.
    fn label<'a>(&'a mut self, screen: &'a Screen, known: &'a [&'a str]) -> Labelling<'a>;
}

/// Asks a language model, known labels first.
#[derive(Debug, Clone)]
pub struct ByModel<M> {
    model: M,
    tries: usize,
}

impl<M: LanguageModel> ByModel<M> {
    /// Asks a model.
    pub fn new(model: M) -> ByModel<M> {
        ByModel { model, tries: TRIES }
    }

    /// Asks so often, at most.
    #[must_use]
    pub fn tries(mut self, tries: usize) -> ByModel<M> {
        self.tries = tries;
        self
    }

    async fn ask(&self, screen: &Screen, known: &[&str]) -> Result<String, String> {
        let check = |answer: &str| {
            let answer = json(answer)?;
            label(answer.get("label").and_then(|label| label.as_str()), known)
        };
        let asked = ask(&self.model, request(screen, known), self.tries, check).await;
        asked.map(|(label, _)| label).map_err(|error| error.to_string())
    }
}

impl<M: LanguageModel> Labeller for ByModel<M> {
    fn label<'a>(&'a mut self, screen: &'a Screen, known: &'a [&'a str]) -> Labelling<'a> {
        Box::pin(self.ask(screen, known))
    }
}

fn request(screen: &Screen, known: &[&str]) -> Request {
    let system = format!(
        "You name the pages of apps. Give the screen a short label that says which page it is, such as \"Homepage of \
         Walmart\", and nothing of what it shows just now: no names of people or things, no numbers, no dates. If it \
         is one of the known pages, give the label of that page, letter by letter.\n{}",
        fence::RULE
    );
    let mut user = String::new();
    if !known.is_empty() {
        let labels: Vec<&str> = known.iter().take(OFFERED).copied().collect();
        let labels = Fenced::new("known pages", &labels.join("\n"), 10 * fence::LIMIT);
        let _ = writeln!(user, "Known pages, one a line:\n{labels}");
    }
    let outline = Fenced::new("screen", &screen.outline(&Outline::default()), 10 * fence::LIMIT);
    let _ = write!(user, "The screen:\n{outline}\n\nAnswer with JSON only, like:\n{{\"label\": \"…\"}}");
    let schema = value!({
        "type": "object", "additionalProperties": false, "required": ["label"],
        "properties": {"label": {"type": "string", "maxLength": LONGEST}},
    });
    Request::new().system(system).user(user).schema("label", schema).temperature(0.0)
}

/// A label that will do: a known one as it is written there.
fn label(answer: Option<&str>, known: &[&str]) -> Result<String, String> {
    let label = answer.map(str::trim).filter(|label| !label.is_empty());
    let label = label.ok_or("there has to be an object with the text `label`")?;
    let folded = normal::fold(label);
    if let Some(same) = known.iter().find(|name| normal::fold(name) == folded) {
        return Ok((*same).to_owned());
    }
    if label.chars().count() > LONGEST {
        return Err(format!(
            "the label is longer than {LONGEST} characters; say which page it is in a few words"
        ));
    }
    if lookalike::has_hidden(label) || label.contains(['\n', '"']) {
        return Err("the label has to be plain words on one line, without quotation marks".to_owned());
    }
    Ok(label.to_owned())
}
