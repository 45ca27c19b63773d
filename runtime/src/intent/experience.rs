//! What was encoded before and turned out right (VeriSafe Agent, section 5.1.2), per app.
//!
//! An entry is a sentence with its specification. It enters only when the task was completed under it, or when the user
//! says that it is what was meant. For a new sentence the most similar entries are offered as examples, and the states
//! that they use as a narrowed vocabulary. The file form is JSON lines, each with its version; lines that can't be read,
//! and those of later versions, are told and kept as they are. No I/O: text in, text out.

mod alike;

use super::account::Account;
use super::{Encoded, prompt};
use crate::session::Session;
use intentgate_engine::check::{self, Checked};
use intentgate_engine::diagnostic::{Code, Diagnostic, Fault, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::ir::Specification;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{StateId, VariableType, Vocabulary};
use intentgate_engine::span::{Source, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The version that is written.
const VERSION: u64 = 1;
/// How similar an entry has to be to be offered, from 0 to 1.
const LEAST: f64 = 0.2;

/// Why an entry is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// A task was completed under it.
    Completed,
    /// The user said so.
    User,
}

/// A past success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    version: u64,
    app: String,
    vocabulary: String,
    sentence: String,
    specification: String,
    confirmed: Confirmation,
}

impl Entry {
    /// The app.
    pub fn app(&self) -> &str {
        &self.app
    }

    /// The sentence, places in braces.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// The specification, in its canonical spelling.
    pub fn specification(&self) -> &str {
        &self.specification
    }

    /// Why it is one.
    pub fn confirmed(&self) -> Confirmation {
        self.confirmed
    }
}

/// Past successes, in the order in which they came.
#[derive(Debug, Clone, Default)]
pub struct Experience {
    lines: Vec<Line>,
}

#[derive(Debug, Clone)]
enum Line {
    Entry(Entry),
    /// A line that is none of this version, without its line end.
    Kept(String),
}

/// An entry that is similar to a sentence and passes the check against the vocabulary of now.
#[derive(Debug)]
pub struct Example<'a> {
    entry: &'a Entry,
    checked: Checked,
    similarity: f64,
}

impl Example<'_> {
    /// The entry.
    pub fn entry(&self) -> &Entry {
        self.entry
    }

    /// How similar it is, from 0 to 1.
    pub fn similarity(&self) -> f64 {
        self.similarity
    }

    pub(super) fn sentence(&self) -> &str {
        &self.entry.sentence
    }

    pub(super) fn text(&self) -> &str {
        &self.entry.specification
    }

    fn states(&self) -> BTreeSet<StateId> {
        prompt::states(&self.checked.specification)
    }
}

impl Experience {
    /// None.
    pub fn new() -> Experience {
        Experience::default()
    }

    /// Reads lines. What can't be read is told as warnings (W0831) and kept.
    pub fn read(source: &Source) -> (Experience, Problems) {
        let mut experience = Experience::new();
        let mut problems = Problems::new(source.clone());
        let mut start = 0;
        for line in source.text().split_inclusive('\n') {
            let text = line.trim_end_matches(['\n', '\r']);
            let span = Span::new(start, start + text.len());
            start += line.len();
            match entry(text) {
                Ok(Some(entry)) => experience.lines.push(Line::Entry(entry)),
                Ok(None) => experience.lines.push(Line::Kept(text.to_owned())),
                Err(why) => {
                    experience.lines.push(Line::Kept(text.to_owned()));
                    let diagnostic = Diagnostic::new(Code::DamagedExperience, span, why);
                    problems.push(diagnostic.help("the line is kept as it is, and not used"));
                }
            }
        }
        (experience, problems)
    }

    /// All lines, those that could not be read included.
    pub fn to_text(&self) -> String {
        let line = |line: &Line| match line {
            // Texts and numbers always have a JSON form.
            Line::Entry(entry) => serde_json::to_string(entry).unwrap_or_default(),
            Line::Kept(text) => text.clone(),
        };
        self.lines.iter().map(|one| line(one) + "\n").collect()
    }

    /// The entries, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.lines.iter().filter_map(|line| match line {
            Line::Entry(entry) => Some(entry),
            Line::Kept(_) => None,
        })
    }

    /// Keeps a specification under which a task was completed.
    ///
    /// # Errors
    /// E0834: the session is not complete, or is one of another specification.
    pub fn completed(&mut self, encoded: &Encoded, session: &Session) -> Result<(), Fault> {
        let fault = |message: &str| Err(Fault::new(Code::NotConfirmed, message));
        if session.specification().hash() != encoded.specification().hash()
            || session.vocabulary().hash() != encoded.specification().vocabulary().hash()
        {
            return fault("the session has another specification");
        }
        if !session.is_done() {
            return fault("the task is not complete");
        }
        self.keep(encoded.account(), encoded.specification(), Confirmation::Completed);
        Ok(())
    }

    /// Keeps a specification of which the user has said that it is what was meant.
    pub fn confirmed_by_user(&mut self, encoded: &Encoded) {
        self.keep(encoded.account(), encoded.specification(), Confirmation::User);
    }

    /// A later success takes the place of an earlier one for the same sentence.
    fn keep(&mut self, account: &Account, specification: &Specification, confirmed: Confirmation) {
        let vocabulary = specification.vocabulary();
        let entry = Entry {
            version: VERSION,
            app: vocabulary.app().to_owned(),
            vocabulary: vocabulary.hash().to_owned(),
            sentence: account.sentence.clone(),
            specification: prompt::canonical(specification),
            confirmed,
        };
        self.lines.retain(|line| match line {
            Line::Entry(known) => known.app != entry.app || known.sentence != entry.sentence,
            Line::Kept(_) => true,
        });
        self.lines.push(Line::Entry(entry));
    }

    /// The entries that are most similar to a sentence, by its words and by the names of what the entries use, the
    /// nearest first; of equally near ones the later. Those of other apps, and those that don't pass the check any more,
    /// and sentences that are too long to be encoded, are left out. Takes time in proportion to the entries of the app.
    pub fn similar(&self, sentence: &str, vocabulary: &Arc<Vocabulary>, most: usize) -> Vec<Example<'_>> {
        let shown = |entry: &&Entry| {
            entry.app == vocabulary.app() && entry.sentence.chars().nth(prompt::SENTENCE).is_none()
        };
        let entries: Vec<&Entry> = self.entries().filter(shown).collect();
        let words = alike::Words::new(entries.iter().map(|entry| entry.sentence.as_str()));
        let mut examples: Vec<Example<'_>> = entries
            .into_iter()
            .rev()
            .filter_map(|entry| {
                let source = Source::new("experience", entry.specification.as_str());
                let checked = check::specification(&source, vocabulary, &Limits::default()).ok()?;
                let names = used(&checked.specification);
                let similarity = words.similarity(sentence, &entry.sentence, &names);
                (similarity >= LEAST).then_some(Example { entry, checked, similarity })
            })
            .collect();
        examples.sort_by(|one, other| other.similarity.total_cmp(&one.similarity));
        examples.truncate(most);
        examples
    }
}

/// The names of the states and variables that a specification uses.
fn used(specification: &Specification) -> Vec<String> {
    let vocabulary = specification.vocabulary();
    let states = prompt::states(specification);
    let states = states.iter().map(|id| vocabulary.state(*id).name().to_owned());
    let constraints = specification.rules().iter().flat_map(|rule| specification.body(rule));
    let variables = constraints
        .flat_map(|predicate| specification.constraints(predicate))
        .map(|constraint| vocabulary.variable(constraint.variable()).name().to_owned());
    states.chain(variables).collect()
}

/// The states that examples use, and those of which the sentence has words: of their names, those of their variables,
/// their values and what is said of all these.
pub(super) fn narrowed(
    sentence: &str,
    examples: &[Example<'_>],
    vocabulary: &Vocabulary,
) -> Option<BTreeSet<StateId>> {
    if examples.is_empty() {
        return None;
    }
    let mut states: BTreeSet<StateId> = examples.iter().flat_map(Example::states).collect();
    let named = vocabulary.states().filter(|(_, state)| {
        let mut about = format!("{} {}", state.name(), state.description());
        for variable in state.variables().map(|id| vocabulary.variable(id)) {
            let values = match variable.variable_type() {
                VariableType::Enum(enumeration) => enumeration.names().collect::<Vec<_>>().join(" "),
                _ => String::new(),
            };
            about.push_str(&format!(" {} {} {values}", variable.name(), variable.description()));
        }
        alike::names(sentence, &about)
    });
    states.extend(named.map(|(id, _)| id));
    (states.len() < vocabulary.states().count()).then_some(states)
}

/// A line; nothing for an empty one.
fn entry(text: &str) -> Result<Option<Entry>, String> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("this line is no JSON: {error}"))?;
    match value.get("version").and_then(serde_json::Value::as_u64) {
        Some(VERSION) => {}
        Some(other) => {
            return Err(format!("this line is of version {other}, and this program knows {VERSION}"));
        }
        None => return Err("this line has no `version`".to_owned()),
    }
    let entry = serde_json::from_value(value);
    entry.map(Some).map_err(|error| format!("this line is no entry: {}", shortened(&error.to_string())))
}
