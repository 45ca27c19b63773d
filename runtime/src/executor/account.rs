//! What a run says of itself: what was done, on which evidence it is called a success, what was tried and
//! failed.

use super::machine::{Counters, Phase, Signal, Spent};
use super::screen::outline::visible;
use super::task::{Status, SubTask};
use crate::session::Evidence;
use intentgate_engine::input;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What came of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// What was expected.
    Success,
    /// Nothing changed.
    NoChange,
    /// Something else.
    Fail,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Success => "success",
            Comparison::NoChange => "no change",
            Comparison::Fail => "fail",
        })
    }
}

/// An action that was allowed, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// What was done.
    pub event: String,
    /// The event as the model has it, values left open.
    pub template: String,
    /// The action, as the gate knows it.
    pub action: String,
    /// Whether it is a critical one.
    pub critical: bool,
    /// On this page.
    pub from: String,
    /// To this one; nothing if that is not known.
    pub to: Option<String>,
    /// What came of it.
    pub comparison: Comparison,
    /// What was not as expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Whether it belongs to getting back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recovery: bool,
    /// Why the agent did it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum Outcome {
    /// It goes on.
    UnderWay,
    /// The goal held before anything was done: nothing was done for it.
    HeldBefore,
    /// The goal is reached, on the evidence.
    Success,
    /// The agent says that it is done; nothing else does.
    Claimed,
    /// It can't be done: a prohibition is in the way.
    Forbidden {
        /// Which.
        because: String,
    },
    /// The agent gave up, or nothing more could be tried.
    GaveUp {
        /// Why.
        because: String,
    },
    /// It is unknown whether a critical action was performed; the host has to find out.
    Unclear {
        /// Which.
        action: String,
    },
    /// A budget was used up.
    Spent {
        /// Which.
        budget: Spent,
        /// What was last in the way, if anything was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<String>,
    },
}

impl Outcome {
    /// Whether the goal is reached, on evidence.
    pub fn is_success(&self) -> bool {
        matches!(self, Outcome::Success | Outcome::HeldBefore)
    }

    /// Why it ended so, where something says it. It may have several lines, and come from an app or an agent.
    pub fn because(&self) -> Option<&str> {
        match self {
            Outcome::Forbidden { because } | Outcome::GaveUp { because } => Some(because),
            Outcome::Spent { because, .. } => because.as_deref(),
            Outcome::UnderWay
            | Outcome::HeldBefore
            | Outcome::Success
            | Outcome::Claimed
            | Outcome::Unclear { .. } => None,
        }
    }

    /// How it ended, without what [`Outcome::because`] says.
    pub fn ending(&self) -> String {
        match self {
            Outcome::UnderWay => "under way".to_owned(),
            Outcome::HeldBefore => "the goal held before anything was done".to_owned(),
            Outcome::Success => "success".to_owned(),
            Outcome::Claimed => "the agent says that it is done; nothing else does".to_owned(),
            Outcome::Forbidden { .. } => "forbidden".to_owned(),
            Outcome::GaveUp { .. } => "given up".to_owned(),
            Outcome::Unclear { action } => format!("it is unknown whether {action} was performed"),
            Outcome::Spent { budget, because: None } => format!("given up: the run took {budget}"),
            Outcome::Spent { budget, because: Some(_) } => {
                format!("given up: the run took {budget}; the last")
            }
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.ending())?;
        self.because().map_or(Ok(()), |because| write!(f, ": {because}"))
    }
}

/// A line of a run's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number, from 0.
    pub seq: u32,
    /// The phase.
    pub phase: Phase,
    /// How it ended.
    pub signal: Signal,
    /// The page, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// What happened, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What the gate said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The screen as a list of elements, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<String>,
}

/// Everything that is to be said of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Account {
    /// The task.
    pub sentence: String,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// What was achieved, with the rule and the values that made it true.
    pub evidence: Vec<Evidence>,
    /// The parts of the task.
    pub sub_tasks: Vec<SubTask>,
    /// What was done, failures included, in order.
    pub steps: Vec<Done>,
    /// What was used of the budgets.
    pub counters: Counters,
    /// Everything that happened.
    pub log: Vec<Entry>,
}

/// How many characters of a foreign text an account tells.
const LENGTH: usize = 400;

fn shown(text: &str) -> String {
    visible(text, LENGTH)
}

/// Why something ended so, whole: behind it, or if it has several lines or is long, below it on lines of their own.
/// The mark at their beginning tells them from the account's own.
fn reason(f: &mut fmt::Formatter<'_>, between: &str, because: &str) -> fmt::Result {
    let lines = || because.lines().filter(|line| !line.trim().is_empty());
    if lines().count() < 2 && because.chars().count() <= LENGTH {
        return writeln!(f, "{between}{}", shown(because));
    }
    writeln!(f)?;
    lines().try_for_each(|line| writeln!(f, "  | {}", input::on_one_line(line.trim_end())))
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", shown(&self.sentence), shown(&self.outcome.ending()))?;
        match self.outcome.because() {
            Some(because) => reason(f, ": ", because)?,
            None => writeln!(f)?,
        }
        for part in self.sub_tasks.iter().filter(|_| self.sub_tasks.len() > 1) {
            let status = match part.status {
                Status::Open => "not begun",
                Status::UnderWay => "not reached",
                Status::HeldBefore => "held before",
                Status::Done => "done",
                Status::Claimed => "done, says the agent",
            };
            writeln!(f, "  {}: {status}", shown(&part.sentence))?;
        }
        for (number, step) in self.steps.iter().enumerate() {
            let critical = if step.critical { " (critical)" } else { "" };
            let back = if step.recovery { " (getting back)" } else { "" };
            write!(f, "{:>3}. {}{critical}{back}: {}", number + 1, shown(&step.event), step.comparison)?;
            match &step.because {
                Some(because) => reason(f, ", ", because)?,
                None => writeln!(f)?,
            }
        }
        for evidence in &self.evidence {
            let values = evidence
                .values
                .iter()
                .map(|(path, value)| format!("{} = {}", shown(path), shown(&value.to_string())));
            let values: Vec<String> = values.collect();
            let with = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
            writeln!(f, "{} is achieved by {}{with}", shown(&evidence.objective), shown(&evidence.rule))?;
        }
        let Counters { steps, failures, recovered, replans, advised, blocks, .. } = self.counters;
        writeln!(
            f,
            "{steps} actions, {failures} failures, {recovered} recovered, {replans} new plans, {advised} advised \
             against, {blocks} blocked"
        )
    }
}
