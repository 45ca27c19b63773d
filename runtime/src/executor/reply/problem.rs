//! What is wrong with a reply, in words for the model that wrote it.

use crate::executor::device::{Direction, Distance};
use crate::executor::screen::outline::foreign;
use serde::Serialize;
use std::fmt;

/// A part of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Section {
    /// `Observation:`
    Observation,
    /// `Thought:`
    Thought,
    /// `Action:`
    Action,
    /// `Summary:`
    Summary,
    /// `Precondition:`
    Precondition,
    /// `Postcondition:`
    Postcondition,
    /// `Decision:`
    Decision,
    /// `Documentation:`
    Documentation,
}

impl Section {
    /// All of them.
    pub(super) const ALL: [Section; 8] = [
        Section::Observation,
        Section::Thought,
        Section::Action,
        Section::Summary,
        Section::Precondition,
        Section::Postcondition,
        Section::Decision,
        Section::Documentation,
    ];

    /// As it is written before the colon.
    pub fn name(self) -> &'static str {
        match self {
            Section::Observation => "Observation",
            Section::Thought => "Thought",
            Section::Action => "Action",
            Section::Summary => "Summary",
            Section::Precondition => "Precondition",
            Section::Postcondition => "Postcondition",
            Section::Decision => "Decision",
            Section::Documentation => "Documentation",
        }
    }
}

/// Why a reply can't be used. As a text it tells the model what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReplyProblem {
    /// It says nothing.
    Empty,
    /// It is too long to be read.
    TooLong {
        /// Its length in bytes.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// A part is not there, or empty.
    Missing {
        /// Which.
        section: Section,
    },
    /// A part is there twice.
    Repeated {
        /// Which.
        section: Section,
    },
    /// More than one action.
    SeveralActions {
        /// What follows the first.
        found: String,
    },
    /// Neither a call nor `FINISH`.
    NotACall {
        /// What is there.
        found: String,
    },
    /// There is no such action.
    UnknownAction {
        /// Its name.
        name: String,
        /// Whether the screen can be divided into a grid.
        grid: bool,
    },
    /// The arguments don't fit.
    Arguments {
        /// The action.
        action: &'static str,
        /// How it is called.
        wanted: &'static str,
        /// What is there.
        found: String,
    },
    /// A text without quotation marks.
    Unquoted {
        /// What is there.
        found: String,
    },
    /// A call without an end.
    Unclosed {
        /// What is there.
        found: String,
    },
    /// More than the call.
    AfterAction {
        /// What follows it.
        found: String,
    },
    /// The screen doesn't have that tag.
    NoSuchTag {
        /// The tag.
        tag: String,
        /// How many there are, from 1.
        tags: usize,
    },
    /// No direction.
    Direction {
        /// What is there.
        found: String,
    },
    /// No distance.
    Distance {
        /// What is there.
        found: String,
    },
    /// None of the decisions.
    Decision {
        /// What is there.
        found: String,
    },
    /// A document that speaks of a tag.
    NotGeneral {
        /// What it says.
        found: String,
    },
}

/// A part of the model's own words, for a sentence to it.
fn said(text: &str) -> String {
    foreign(text.trim(), 120)
}

impl fmt::Display for ReplyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplyProblem::Empty => f.write_str("The reply is empty. Answer in the given format."),
            ReplyProblem::TooLong { bytes, limit } => {
                write!(f, "The reply has {bytes} bytes; {limit} are read. Answer in a few sentences.")
            }
            ReplyProblem::Missing { section } => {
                write!(
                    f,
                    "The reply has no `{0}:`. Write it at the start of a line: `{0}: …`.",
                    section.name()
                )
            }
            ReplyProblem::Repeated { section } => {
                write!(f, "The reply has `{}:` more than once. Write it once.", section.name())
            }
            ReplyProblem::SeveralActions { found } => write!(
                f,
                "Only one action can be taken at a time, and after the first there is {}. Write the first one \
                 alone.",
                said(found)
            ),
            ReplyProblem::NotACall { found } => write!(
                f,
                "After `Action:` there has to be a function call, such as tap(5), or FINISH, and nothing else; \
                 there is {}.",
                said(found)
            ),
            ReplyProblem::UnknownAction { name, grid } => {
                let grid = if *grid { ", grid()" } else { "" };
                write!(
                    f,
                    "There is no function {}. There are tap(element), text(\"…\"), long_press(element), \
                     swipe(element, \"direction\", \"distance\"), back(){grid}, and FINISH.",
                    said(name)
                )
            }
            ReplyProblem::Arguments { action, wanted, found } => {
                write!(f, "{action} is called as {wanted}; its arguments are {}.", said(found))
            }
            ReplyProblem::Unquoted { found } => write!(
                f,
                "The text has to stand in double quotation marks, as in text(\"Hello, world!\"); there is {}.",
                said(found)
            ),
            ReplyProblem::Unclosed { found } => {
                write!(
                    f,
                    "The call has no end: {}. Close its quotation mark and its parenthesis.",
                    said(found)
                )
            }
            ReplyProblem::AfterAction { found } => write!(
                f,
                "After the function call there is {}. Write nothing but the call after `Action:`.",
                said(found)
            ),
            ReplyProblem::NoSuchTag { tag, tags: 0 } => {
                write!(f, "There is no element {}: the screen has no numeric tags.", said(tag))
            }
            ReplyProblem::NoSuchTag { tag, tags } => {
                write!(
                    f,
                    "There is no element {}: the numeric tags on the screen go from 1 to {tags}.",
                    said(tag)
                )
            }
            ReplyProblem::Direction { found } => {
                let known = Direction::ALL.map(Direction::name).join(", ");
                write!(f, "{} is no direction. Write one of {known}, in quotation marks.", said(found))
            }
            ReplyProblem::Distance { found } => {
                let known = Distance::ALL.map(Distance::name).join(", ");
                write!(f, "{} is no distance. Write one of {known}, in quotation marks.", said(found))
            }
            ReplyProblem::Decision { found } => write!(
                f,
                "{} is no decision. Write one of BACK, INEFFECTIVE, CONTINUE and SUCCESS after `Decision:`, and \
                 nothing else.",
                said(found)
            ),
            ReplyProblem::NotGeneral { found } => write!(
                f,
                "The documentation says {}. Numeric tags change from screen to screen: say \"the UI element\" \
                 instead.",
                said(found)
            ),
        }
    }
}

impl std::error::Error for ReplyProblem {}
