//! What a model makes of an action, from the screens before and after it (AppAgent, section 3.2).

use super::documents::general;
use super::problem::{ReplyProblem, Section};
use super::sections::Sections;
use serde::{Deserialize, Serialize};

/// What is done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Decision {
    /// It led where the task can't go on: go back, and don't do it again.
    Back,
    /// It changed nothing: don't do it again.
    Ineffective,
    /// It changed something that did not help: go on with other elements.
    Continue,
    /// It moved the task forward.
    Success,
}

impl Decision {
    /// All of them.
    pub const ALL: [Decision; 4] =
        [Decision::Back, Decision::Ineffective, Decision::Continue, Decision::Success];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Decision::Back => "BACK",
            Decision::Ineffective => "INEFFECTIVE",
            Decision::Continue => "CONTINUE",
            Decision::Success => "SUCCESS",
        }
    }
}

/// A model's reflection: `Decision:`, `Thought:`, `Documentation:`, in any order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reflection {
    /// What is done next.
    pub decision: Decision,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thought: Option<String>,
    /// What the element does; none where the action was ineffective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
}

impl Reflection {
    /// Reads a reflection. The documentation has to be there unless the action was ineffective, and must not
    /// speak of numeric tags.
    ///
    /// # Errors
    /// What the model has to mend.
    pub fn parse(text: &str) -> Result<Reflection, ReplyProblem> {
        let mut sections = Sections::read(text, None)?;
        let said = sections.need(Section::Decision)?;
        let word = said.trim_matches(|c: char| !c.is_alphanumeric());
        let decision = Decision::ALL.into_iter().find(|decision| word.eq_ignore_ascii_case(decision.name()));
        let decision = decision.ok_or(ReplyProblem::Decision { found: said.clone() })?;
        let documentation = match decision {
            Decision::Ineffective => None,
            _ => Some(sections.need(Section::Documentation)?),
        };
        if let Some(document) = &documentation {
            general(document)?;
        }
        Ok(Reflection { decision, thought: sections.take(Section::Thought), documentation })
    }
}
