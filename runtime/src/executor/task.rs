//! What a run is for: sub-tasks in order, each with its reason (Agent-SAMA, planner agent).

mod split;

pub use split::{Divided, Split};

use crate::planner::Goal;
use serde::{Deserialize, Serialize};

/// What a sub-task is to reach.
#[derive(Debug, Clone, PartialEq)]
pub enum Aim {
    /// The completion of the session's specification.
    Complete,
    /// A goal on the model: pages, functions, a condition on its variables.
    Goal(Goal),
    /// Whatever the agent takes for it.
    Open,
}

/// How far a sub-task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not begun.
    #[default]
    Open,
    /// Under way.
    UnderWay,
    /// Reached before anything was done for it.
    HeldBefore,
    /// Reached.
    Done,
    /// Reached, says the agent; nothing else does.
    Claimed,
}

/// A part of a task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubTask {
    /// What it is, in words.
    pub sentence: String,
    /// Why it is a part of the task.
    pub rationale: String,
    /// What it is to reach.
    #[serde(skip)]
    pub aim: Aim,
    /// How far it is.
    pub status: Status,
}

impl SubTask {
    /// A sub-task.
    pub fn new(sentence: impl Into<String>, rationale: impl Into<String>, aim: Aim) -> SubTask {
        let (sentence, rationale) = (sentence.into(), rationale.into());
        SubTask { sentence, rationale, aim, status: Status::Open }
    }
}

/// A task.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The user's words.
    pub sentence: String,
    /// Its parts, in order.
    pub sub_tasks: Vec<SubTask>,
}

impl Task {
    /// A task with one part.
    pub fn new(sentence: impl Into<String>, aim: Aim) -> Task {
        let sentence = sentence.into();
        let whole = SubTask::new(sentence.clone(), "it is the whole task", aim);
        Task { sentence, sub_tasks: vec![whole] }
    }

    /// With another part.
    #[must_use]
    pub fn then(mut self, sub_task: SubTask) -> Task {
        self.sub_tasks.push(sub_task);
        self
    }
}
