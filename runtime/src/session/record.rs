//! The record: one JSON line for the start and for every input, written after its effect.
//!
//! It holds everything that the session was given, so that it replays to the same bytes by itself. A
//! line that can't be written ends the session's decisions: nothing happens off the record. Knows what is on a line;
//! must never know where lines are kept.

mod input;
mod recorder;

use super::history::Evidence;
use crate::gate::Outcome;
use crate::gate::feedback::Feedback;
pub use input::Input;
use intentgate_engine::diagnostic::Code;
pub(crate) use recorder::Recorder;
use serde::Serialize;
use std::io;

/// Takes the lines of a record.
pub trait Record: Send {
    /// Takes one line. What it does with it has to be done when it returns: an error stops the session.
    ///
    /// # Errors
    /// If the line could not be kept.
    fn line(&mut self, line: &Line) -> io::Result<()>;
}

/// Writes JSON lines, each flushed.
#[derive(Debug)]
pub struct JsonLines<W>(pub W);

impl<W: io::Write + Send> Record for JsonLines<W> {
    fn line(&mut self, line: &Line) -> io::Result<()> {
        writeln!(self.0, "{}", line.to_json())?;
        self.0.flush()
    }
}

/// One line of a record.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// Its number, from 0 for the start.
    pub seq: u64,
    /// `start`, `observe`, `propose`, `execute`, `begin`, `finish` or `resolve`.
    pub event: &'static str,
    /// The action, for a proposal, a permit or a resolution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// `allow`, `advise` or `block`, where something was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// How the effect ended, where one ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why, as stable codes.
    pub codes: Vec<Code>,
    /// What the gate says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
    /// How many changes there were.
    pub epoch: u64,
    /// What is achieved, in order, without `Done`.
    pub achieved: Vec<String>,
    /// Whether the task is complete.
    pub done: bool,
    /// Why what this line achieved is achieved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// The hash of the specification.
    pub spec: String,
    /// Hashes of vocabulary and policies, and the measure behind `~`: in the start line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hashes: Option<Hashes>,
    /// What the session was given, in the canonical form of a trace.
    pub input: Input,
}

impl Line {
    /// The line as JSON, without a line end.
    pub fn to_json(&self) -> String {
        // Plain data with text keys: writing it can't fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What a session is bound to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Hashes {
    /// Of the vocabulary.
    pub vocabulary: String,
    /// Of the specification.
    pub spec: String,
    /// Of the policies, in order.
    pub policies: Vec<String>,
    /// The name of the measure behind `~`.
    pub similarity: String,
}
