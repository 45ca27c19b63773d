//! What a model answers that acts on screens: a reply with one action, a reflection on what an action did,
//! and what is learned of elements (AppAgent, sections 3.2 and 3.3).
//!
//! Knows texts and the published formats. Must never know which model answered, or perform anything. A reply
//! is taken as it is meant where that is certain, and is a [`ReplyProblem`] otherwise: its words are what
//! the model is told. Nothing is guessed, so that a text on the screen that a model repeats is no action.

mod call;
mod documents;
mod problem;
mod reflection;
mod sections;

pub use call::{AgentAction, Offer};
pub use documents::{Document, Documents, Interaction};
pub use problem::{ReplyProblem, Section};
pub use reflection::{Decision, Reflection};

use sections::Sections;
use serde::Serialize;

/// Bytes of a reply that is read.
const LONGEST: usize = 64 << 10;

/// A model's reply: `Observation:`, `Thought:`, `Action:`, `Summary:`, and what has to hold before and after the action, in
/// any order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// What it sees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observation: Option<String>,
    /// Why it does what it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thought: Option<String>,
    /// What it does.
    pub action: AgentAction,
    /// What it has done so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What has to hold right before the action, in the language of specifications.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precondition: Option<String>,
    /// What has to hold after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postcondition: Option<String>,
}

impl Reply {
    /// Reads a reply. `Action:` has to be there, once, at the start of a line, with one call or `FINISH` and
    /// nothing else; the other parts may be missing. Markdown around labels and calls doesn't matter.
    ///
    /// # Errors
    /// What the model has to mend.
    pub fn parse(text: &str, offer: &Offer) -> Result<Reply, ReplyProblem> {
        let mut sections = Sections::read(text, Some(offer))?;
        Ok(Reply {
            action: sections.action.take().ok_or(ReplyProblem::Missing { section: Section::Action })?,
            observation: sections.take(Section::Observation),
            thought: sections.take(Section::Thought),
            summary: sections.take(Section::Summary),
            precondition: sections.take(Section::Precondition),
            postcondition: sections.take(Section::Postcondition),
        })
    }
}

/// Refuses what is too long or says nothing.
fn bounded(text: &str) -> Result<(), ReplyProblem> {
    if text.len() > LONGEST {
        return Err(ReplyProblem::TooLong { bytes: text.len(), limit: LONGEST });
    }
    if text.trim().is_empty() { Err(ReplyProblem::Empty) } else { Ok(()) }
}
