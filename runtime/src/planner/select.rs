//! Which of several things a sentence means: the page a goal is on (node selection: Agent+P, section 4.2), the
//! function that is asked for, the page that a screen's label describes.
//!
//! A [`Selector`] ranks candidates, each a name with a description. It never decides by itself:
//! [`Selection::best`] does, by thresholds, and refuses where the two best are too close or none is good enough.
//! A candidate that says the opposite of the sentence is never taken: "don't delete the account" has all the words of
//! `DeleteAccount`, and so it is refused by the word that turns it around. Ranking is no equality: `$50` and `$500` are near neighbours to most measures. Knows names, descriptions and
//! sentences; nothing of graphs, devices or where candidates come from, but for one helper, which lists a model's
//! pages.

mod asked;
mod combined;
mod embedded;
mod lexical;
mod opposite;
mod pages;
pub(super) mod words;

pub use asked::Asked;
pub use combined::Combined;
pub use embedded::{Embedded, Embedder, Embedding};
pub use lexical::Lexical;

use crate::language_model::ask::{AskError, Transcript};
use crate::language_model::{ModelError, Why};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::input::shortened;
use serde::Serialize;
use std::fmt;
use std::pin::Pin;

/// Something that a sentence may mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// Its name, as programs write it: `SelectTimeZoneActivity`, `take_photo`.
    pub name: String,
    /// What it is; may be empty.
    pub description: String,
}

impl Candidate {
    /// A candidate.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Candidate {
        Candidate { name: name.into(), description: description.into() }
    }
}

/// A candidate with how well it fits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ranked {
    /// Its place among the candidates.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// How well it fits, from 0 to 1, in thousandths. What a selector says of two candidates can be compared, what
    /// two selectors say can not.
    pub confidence: f64,
    /// Why.
    pub reasoning: String,
    /// The word of the sentence that makes the candidate the opposite of what is asked for. What it is near to is
    /// not what is meant then, and it is never taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
}

/// From where on a candidate is taken.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Thresholds {
    /// The confidence that the best needs at least.
    pub least: f64,
    /// How far the best has to be ahead of the second.
    pub margin: f64,
}

/// The candidates that fit at all, in the order of how well they do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Selection {
    /// The best first; of equals, the one that was listed first.
    pub ranked: Vec<Ranked>,
    /// What the selector thinks safe.
    pub thresholds: Thresholds,
    /// What was said, where a language model was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Transcript>,
}

impl Selection {
    /// Sorts, drops what fits not at all, rounds.
    pub(super) fn new(ranked: impl IntoIterator<Item = Ranked>, thresholds: Thresholds) -> Selection {
        let ranked = ranked.into_iter().map(|one| Ranked { confidence: rounded(one.confidence), ..one });
        let mut ranked: Vec<Ranked> = ranked.filter(|one| one.confidence > 0.0).collect();
        ranked.sort_by(|one, other| {
            other.confidence.total_cmp(&one.confidence).then(one.index.cmp(&other.index))
        });
        Selection { ranked, thresholds, transcript: None }
    }

    /// The best, if it is good enough and far enough ahead.
    ///
    /// # Errors
    /// Which condition fails, and for which candidates.
    pub fn best(&self) -> Result<&Ranked, Refusal> {
        self.decide(&self.thresholds)
    }

    /// As [`Selection::best`], with other thresholds.
    ///
    /// # Errors
    /// Which condition fails, and for which candidates.
    pub fn decide(&self, thresholds: &Thresholds) -> Result<&Ranked, Refusal> {
        let good = |one: &&Ranked| one.confidence >= thresholds.least;
        let Some(best) = self.ranked.first().filter(good) else {
            return Err(Refusal::NothingFits { nearest: self.ranked.first().cloned() });
        };
        if let Some(word) = &best.against {
            return Err(Refusal::Opposite { word: word.clone(), nearest: best.clone() });
        }
        // Thousandths: what differs by the margin is far enough.
        let close = |one: &&Ranked| rounded(best.confidence - one.confidence) < thresholds.margin;
        let close: Vec<Ranked> = self.ranked.iter().take_while(close).cloned().collect();
        if close.len() > 1 { Err(Refusal::Ambiguous { between: close }) } else { Ok(best) }
    }
}

/// In thousandths and within 0 to 1, so that the last bits of a computation never show; what is no number is 0.
pub(super) fn rounded(confidence: f64) -> f64 {
    if confidence.is_nan() { 0.0 } else { (confidence.clamp(0.0, 1.0) * 1000.0).round() / 1000.0 }
}

/// Why no candidate is taken.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Several fit about as well.
    Ambiguous {
        /// These, the best first.
        between: Vec<Ranked>,
    },
    /// The one that fits best by its words is the opposite of what the sentence asks for.
    Opposite {
        /// The word that turns the sentence around.
        word: String,
        /// That candidate.
        nearest: Ranked,
    },
    /// None fits well enough.
    NothingFits {
        /// The one that fits best, if one does at all.
        nearest: Option<Ranked>,
    },
}

impl Refusal {
    /// The refusal as an error about a sentence; `what` says what the candidates are, like `page`.
    pub fn fault(&self, what: &str, sentence: &str) -> Fault {
        let sentence = shortened(sentence);
        match self {
            Refusal::Ambiguous { between } => {
                let names: Vec<String> = between.iter().map(|one| format!("`{}`", one.name)).collect();
                let message = format!("several {what}s fit `{sentence}` about as well: {}", names.join(", "));
                Fault::new(Code::AmbiguousSentence, message)
                    .help(format!("say more about the {what}, or name it"))
            }
            Refusal::Opposite { word, nearest } => {
                let name = &nearest.name;
                let message =
                    format!("no {what} fits `{sentence}`: `{name}` does, but for `{}`", shortened(word));
                Fault::new(Code::NothingFits, message).help(format!(
                    "say what is to be done instead; without that word `{name}` would be taken, which may be the \
                     opposite of what is meant"
                ))
            }
            Refusal::NothingFits { nearest } => {
                let fault = Fault::new(Code::NothingFits, format!("no {what} fits `{sentence}`"));
                match nearest {
                    Some(nearest) => fault.help(format!(
                        "the nearest is `{}`, and that is not near enough; name it if it is meant",
                        nearest.name
                    )),
                    None => fault.help(format!("use words of the {what}'s name or description")),
                }
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, ranked) = match self {
            Refusal::Ambiguous { between } => ("several fit about as well: ", between.as_slice()),
            Refusal::Opposite { word, nearest } => {
                write!(f, "`{}` turns around what is nearest: ", shortened(word))?;
                ("", std::slice::from_ref(nearest))
            }
            Refusal::NothingFits { nearest: None } => ("nothing fits", &[][..]),
            Refusal::NothingFits { nearest: Some(nearest) } => {
                ("nothing fits well enough; nearest: ", std::slice::from_ref(nearest))
            }
        };
        f.write_str(start)?;
        ranked.iter().enumerate().try_for_each(|(number, one)| {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{} ({:.3})", one.name, one.confidence)
        })
    }
}

impl std::error::Error for Refusal {}

/// Why there is no ranking.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// A language model gave no usable answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// There are no embeddings.
    #[error("there are no embeddings: {0}")]
    Embedder(#[source] ModelError),
    /// The embeddings can't be compared.
    #[error("the embeddings can't be compared: {0}")]
    Embedding(Why),
    /// A combination without parts, or without weights.
    #[error("a combination needs a part with a weight above 0")]
    NoParts,
}

/// A ranking, once it is there.
pub type Selecting<'a> = Pin<Box<dyn Future<Output = Result<Selection, SelectError>> + Send + 'a>>;

/// Ranks candidates by how well they fit a sentence.
pub trait Selector: Send + Sync {
    /// The ranking. The same sentence and candidates give the same ranking, as far as what is asked does.
    fn select<'a>(&'a self, sentence: &'a str, candidates: &'a [Candidate]) -> Selecting<'a>;
}

impl<S: Selector + ?Sized> Selector for &S {
    fn select<'a>(&'a self, sentence: &'a str, candidates: &'a [Candidate]) -> Selecting<'a> {
        (**self).select(sentence, candidates)
    }
}

impl<S: Selector + ?Sized> Selector for Box<S> {
    fn select<'a>(&'a self, sentence: &'a str, candidates: &'a [Candidate]) -> Selecting<'a> {
        (**self).select(sentence, candidates)
    }
}
