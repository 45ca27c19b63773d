//! What lasts from run to run, per app: the machine, the screens, documents of elements, action sequences and
//! specifications that worked, guiding cues (Agent-SAMA, knowledge retention; AppAgent, documents).
//!
//! Knows texts, models and accounts of runs. Reads and writes JSON texts; files are the business of [`store`]
//! alone. What is known never says what an action is to the gate: a machine that is taken into a host's model adds
//! pages and plain transitions, and counts. What is known of one app is a hint for another, never a fact.

mod lesson;
mod merge;
mod read;
mod retrieve;
pub mod store;

pub use lesson::{Lesson, NotLearnt};
pub use retrieve::{Cue, CueOrigin, Warm};

use super::locate::Locator;
use super::reply::Documents;
use crate::planner::Model;
use intentgate_engine::diagnostic::Problems;
use intentgate_engine::limits::Limits;
use intentgate_engine::span::Source;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the text of knowledge says what it is.
pub const FORMAT: &str = "intentgate knowledge";

/// The version of the form that is written, and the only one so far.
pub const VERSION: u64 = 1;

/// A step of a sequence that worked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequenceStep {
    /// On this page.
    pub from: String,
    /// What was done, as the model has it: values are left open.
    pub event: String,
    /// To this page, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// Steps that reached a goal, on evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// The steps that came as expected, in order; what failed and what belongs to getting back are no part.
    pub steps: Vec<SequenceStep>,
    /// The tasks for which it worked, with how often.
    pub sentences: BTreeMap<String, u64>,
    /// The fewest actions that a run with it took, failures included.
    pub cost: u64,
}

impl Sequence {
    /// How often it worked.
    pub fn times(&self) -> u64 {
        self.sentences.values().fold(0, |sum, times| sum.saturating_add(*times))
    }
}

/// What is known of one app.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AppKnowledge {
    /// The machine, in the form of [`Model::from_json`].
    #[serde(skip_serializing_if = "serde_json::Value::is_null")]
    pub model: serde_json::Value,
    /// The screens that were seen, and which pages they are.
    #[serde(skip_serializing_if = "Locator::is_empty")]
    pub locator: Locator,
    /// What elements do.
    pub documents: Documents,
    /// What worked; no two of the same steps.
    pub sequences: Vec<Sequence>,
    /// Specifications of tasks that worked, as canonical texts, each with its sentences and how often.
    pub specifications: BTreeMap<String, BTreeMap<String, u64>>,
    /// Advice that people gave, each with the sentence for which it is good.
    pub cues: BTreeMap<String, String>,
}

/// What is known of apps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Knowledge {
    apps: BTreeMap<String, AppKnowledge>,
}

impl Knowledge {
    /// Nothing.
    pub fn new() -> Knowledge {
        Knowledge::default()
    }

    /// Reads the text of knowledge; models within it are checked, too.
    ///
    /// # Errors
    /// `E0910` for a text that is cut or damaged, `E0911` for one of another version.
    pub fn from_json(source: &Source, limits: &Limits) -> Result<Knowledge, Problems> {
        read::knowledge(source, limits)
    }

    /// The text: the same knowledge always has the same one.
    pub fn to_json(&self) -> String {
        let document = serde_json::json!({"format": FORMAT, "version": VERSION, "apps": self.apps});
        let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.apps.is_empty()
    }

    /// The apps of which something is known.
    pub fn apps(&self) -> impl ExactSizeIterator<Item = (&str, &AppKnowledge)> {
        self.apps.iter().map(|(name, app)| (name.as_str(), app))
    }

    /// What is known of an app.
    pub fn app(&self, name: &str) -> Option<&AppKnowledge> {
        self.apps.get(name)
    }

    /// The machine of an app; nothing if none is known.
    ///
    /// # Errors
    /// It can't be read.
    pub fn model(&self, app: &str) -> Result<Option<Model>, Problems> {
        let Some(app) = self.apps.get(app).filter(|app| !app.model.is_null()) else { return Ok(None) };
        let source = Source::new("knowledge", app.model.to_string());
        Model::from_json(&source, &Limits::default()).map(Some)
    }

    /// Writes down advice for tasks like a sentence.
    pub fn add_cue(&mut self, app: &str, sentence: &str, advice: &str) {
        let app = self.apps.entry(app.to_owned()).or_default();
        app.cues.insert(advice.to_owned(), sentence.to_owned());
    }

    /// Takes in documents of an app's elements, newer than those that are known.
    pub fn add_documents(&mut self, app: &str, documents: &Documents) {
        self.apps.entry(app.to_owned()).or_default().documents.merge(documents);
    }

    /// Takes in other knowledge, from another file or another machine: counts add up, sequences of the same steps
    /// become one, of documents and screens that both have the other's are taken.
    pub fn merge(&mut self, other: &Knowledge) {
        for (name, app) in &other.apps {
            merge::app(self.apps.entry(name.clone()).or_default(), app);
        }
    }
}
