//! What a sentence asks of apps: an ordered list of primary functions with their parameters (instruction parsing:
//! SPlanner, section 3.2), and pages to go to, several where several goals are meant (what Agent+P leaves open).
//!
//! [`ByWords`] understands plain sentences and refuses the rest; [`ByModel`] asks a language model and checks what it
//! says against the models of the apps. What neither understands is handed on as it is, see [`Misunderstood::fallback`].
//! Knows models, selection and language models; nothing of paths, devices and gates.

mod by_model;
mod by_words;
mod fill;
mod legs;
mod literals;
mod tokens;

pub use by_model::ByModel;
pub(crate) use by_model::read_call;
pub use by_words::ByWords;
pub use legs::Leg;

use super::{Call, Goal, Model, PageId};
use crate::language_model::ask::{AskError, Transcript};
use intentgate_engine::diagnostic::Fault;
use serde::{Serialize, Serializer};
use std::fmt;
use std::pin::Pin;

/// What a sentence asks for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parsed {
    /// What is done, app by app, in order. An app may come several times.
    pub steps: Vec<AppStep>,
    /// Arguments that the sentence doesn't say in so many words: `record_video.front`. Somebody concluded them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inferred: Vec<String>,
    /// What was said, where a language model was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Transcript>,
}

/// What is done in one app.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AppStep {
    /// The place of the app's model among those that were given.
    pub model: usize,
    /// The app's name.
    pub app: String,
    /// What is done there, in order. None: the app is the right one, and the sentence itself is all there is.
    pub aims: Vec<Aim>,
}

/// A thing to be done in an app.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Aim {
    /// What it is.
    pub what: What,
    /// The part of the sentence that asks for it; the whole sentence where nobody says which part.
    pub said: String,
    /// How sure that is, from 0 to 1; nothing where nobody says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// A function that is called, or a page that is gone to.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// The function, every parameter with a value.
    Call(Call),
    /// The page.
    Page(PageId, String),
}

/// `{"function": …, "arguments": {…}}` or `{"page": …}`.
impl Serialize for What {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = match self {
            What::Call(call) => {
                let arguments =
                    call.arguments.iter().map(|(name, value)| (name.clone(), serde_json::json!(value)));
                let arguments: serde_json::Map<_, _> = arguments.collect();
                serde_json::json!({"function": call.function, "arguments": arguments})
            }
            What::Page(_, name) => serde_json::json!({"page": name}),
        };
        value.serialize(serializer)
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Call(call) => {
                f.write_str(&call.function)?;
                if call.arguments.is_empty() {
                    return Ok(());
                }
                let arguments = call.arguments.iter().map(|(name, value)| format!("{name}={value}"));
                write!(f, "({})", arguments.collect::<Vec<_>>().join(", "))
            }
            What::Page(_, name) => write!(f, "the page {name}"),
        }
    }
}

impl AppStep {
    /// The goals of a planner, in order: functions that follow each other are one.
    pub fn goals(&self) -> Vec<Goal> {
        let mut goals: Vec<Goal> = Vec::new();
        for aim in &self.aims {
            match (&aim.what, goals.last_mut()) {
                (What::Call(call), Some(Goal::Functions(calls))) => calls.push(call.clone()),
                (What::Call(call), _) => goals.push(Goal::Functions(vec![call.clone()])),
                (What::Page(page, _), _) => goals.push(Goal::Any(vec![*page])),
            }
        }
        goals
    }
}

/// Every aim on a line of its own: what was said, and what it was taken for.
impl fmt::Display for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            if step.aims.is_empty() {
                writeln!(f, "{}: whatever the sentence says", step.app)?;
            }
            for Aim { what, said, confidence } in &step.aims {
                let sure = confidence.map(|confidence| format!(" ({confidence:.3})")).unwrap_or_default();
                writeln!(
                    f,
                    "{}: {} is {what}{sure}",
                    step.app,
                    crate::language_model::fence::quoted(said, 200)
                )?;
            }
        }
        match self.inferred.as_slice() {
            [] => Ok(()),
            inferred => writeln!(f, "not said in so many words: {}", inferred.join(", ")),
        }
    }
}

/// A sentence that is not understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Misunderstood {
    /// What is missing or ambiguous, in the order of the sentence; never empty.
    pub faults: Vec<Fault>,
    /// What can be handed to an agent all the same.
    pub fallback: Fallback,
    /// What was said, where a language model was asked.
    pub transcript: Option<Box<Transcript>>,
}

impl Misunderstood {
    /// The fallback: the plain sentence.
    pub fn fallback(&self) -> &Fallback {
        &self.fallback
    }
}

impl fmt::Display for Misunderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.faults
            .iter()
            .enumerate()
            .try_for_each(|(number, fault)| write!(f, "{}{fault}", if number == 0 { "" } else { "\n" }))
    }
}

impl std::error::Error for Misunderstood {}

/// A plan without a path (SPlanner, section 3.2): the sentence itself. It is no plan that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fallback {
    /// The sentence.
    pub sentence: String,
    /// Apps that are meant for sure.
    pub apps: Vec<String>,
}

impl Fallback {
    /// What an agent is told where there is no path, as published.
    pub const NO_PATH: &'static str = "No feasible execution path exists.";
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", Fallback::NO_PATH)?;
        if !self.apps.is_empty() {
            writeln!(f, "Apps: {}", self.apps.join(", "))?;
        }
        writeln!(f, "{}", crate::language_model::fence::Fenced::new("task", &self.sentence, 2_000))
    }
}

/// Why there is no reading of a sentence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// It is not understood.
    #[error(transparent)]
    Misunderstood(Box<Misunderstood>),
    /// A language model gave no answer at all.
    #[error(transparent)]
    Ask(#[from] AskError),
}

/// A reading, once it is there.
pub type Parsing<'a> = Pin<Box<dyn Future<Output = Result<Parsed, ParseError>> + Send + 'a>>;

/// Reads what a sentence asks of apps.
pub trait Parser: Send + Sync {
    /// The reading. Every function, page, parameter and value in it is one of the models'.
    fn parse<'a>(&'a self, sentence: &'a str, models: &'a [&'a Model]) -> Parsing<'a>;
}
