//! Who decides what is done next: an agent, told everything that is known, and asked for one step at a time.
//!
//! Knows plans, screens and what the gate said. Must never perform anything, and never decide whether it may
//! be: every decision passes the gate.

mod model;
mod prompt;

pub use model::ModelAgent;

use super::account::Done;
use super::device::{Gesture, Observation};
use super::reply::Documents;
use super::task::SubTask;
use crate::gate::feedback::RuleReport;
use crate::planner::{Model, Path, Step, TransitionId};
use crate::{Action, Update};
use intentgate_engine::schema::Vocabulary;
use std::collections::VecDeque;
use std::future::{Future, ready};
use std::pin::Pin;

/// What an agent is told.
#[derive(Debug)]
pub struct Briefing<'a> {
    /// The whole task, in the user's words.
    pub sentence: &'a str,
    /// The part of it that is under way.
    pub sub_task: &'a SubTask,
    /// The page, if it is known.
    pub page: Option<&'a str>,
    /// The model, with the pages around.
    pub model: &'a Model,
    /// What the gate knows: states, critical actions.
    pub vocabulary: &'a Vocabulary,
    /// What the device shows.
    pub shown: &'a Observation,
    /// The rest of the plan, its next step first, if there is one.
    pub plan: Option<&'a Path>,
    /// Why there is no plan, if one was looked for in vain.
    pub no_plan: Option<&'a str>,
    /// The transitions that are known from here, each with what is done, most often seen first.
    pub known: &'a [(TransitionId, String)],
    /// Every rule, and what holds of it.
    pub roadmap: &'a [RuleReport],
    /// What was said of decisions since the last action: advice, refusals, what could not be used.
    pub feedback: &'a [String],
    /// What is known of elements.
    pub documents: &'a Documents,
    /// What helped with tasks like this one.
    pub cues: &'a [String],
    /// What was done so far.
    pub done: &'a [Done],
}

impl Briefing<'_> {
    /// The plan's next step.
    pub fn next(&self) -> Option<&Step> {
        self.plan?.steps.first()
    }
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// The plan's next step. After advice against it, this insists.
    Follow,
    /// A transition of the model.
    Take(TransitionId),
    /// Something of the agent's own.
    Perform(Box<Move>),
    /// This part of the task is done.
    Finish,
    /// It can't be done.
    GiveUp(String),
}

/// A gesture, and what it is to the gate.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// What is done, in words: the event under which the model remembers it.
    pub event: String,
    /// The gesture.
    pub gesture: Gesture,
    /// What the gate is asked; without it, an action that is called like the event, with no update.
    pub action: Option<Action>,
    /// What is expected to be seen after it.
    pub observes: Option<Update>,
    /// The page to which it is expected to lead; any without this.
    pub to: Option<String>,
}

/// A decision, with its reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// What is to be done.
    pub decision: Decision,
    /// Why.
    pub why: String,
    /// What has to hold right before it is performed, on the screen as it is then, as
    /// [`Conditions::read`](super::condition::Conditions::read) takes it (Agent-SAMA: pre-condition).
    pub assume: Option<String>,
    /// What has to hold after it (Agent-SAMA: post-condition).
    pub expect: Option<String>,
}

impl From<Decision> for Decided {
    fn from(decision: Decision) -> Decided {
        Decided { decision, why: String::new(), assume: None, expect: None }
    }
}

/// Why an agent has no decision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// What it says can't be used; it is told, and asked again.
    #[error("{0}")]
    Unusable(String),
    /// It can't be asked.
    #[error("the agent is not available: {0}")]
    Unavailable(String),
}

/// What is on its way.
pub type Deciding<'a> = Pin<Box<dyn Future<Output = Result<Decided, AgentError>> + Send + 'a>>;

/// Decides on the next step.
pub trait Agent: Send {
    /// Its name, for records.
    fn name(&self) -> &str;

    /// The next step. Asked again after advice, a refusal, or what could not be used, with that under
    /// `feedback`.
    fn decide<'a>(&'a mut self, briefing: &'a Briefing<'a>) -> Deciding<'a>;
}

/// Follows the plan; gives up where there is none, and where the plan's next step is the one that was refused or
/// advised against, and nothing else is shown by now.
#[derive(Debug, Clone, Default)]
pub struct FollowPlan {
    /// What it decided last, and on what.
    last: Option<(String, Observation)>,
}

impl FollowPlan {
    /// Whether there is a next step that was not refused, or advised against, on what is shown.
    pub(super) fn follows(&mut self, briefing: &Briefing<'_>) -> bool {
        let next = briefing.next().map(|step| (step.event.clone(), briefing.shown.clone()));
        let follows = next.is_some() && (briefing.feedback.is_empty() || self.last != next);
        self.last = next;
        follows
    }
}

impl Agent for FollowPlan {
    fn name(&self) -> &str {
        "plan"
    }

    fn decide<'a>(&'a mut self, briefing: &'a Briefing<'a>) -> Deciding<'a> {
        let said = || briefing.feedback.last().map(String::as_str).or(briefing.no_plan);
        let decision = match self.follows(briefing) {
            true => Decision::Follow,
            false => Decision::GiveUp(said().unwrap_or("there is no plan to follow").to_owned()),
        };
        Box::pin(ready(Ok(decision.into())))
    }
}

/// Decisions in a fixed order.
#[derive(Debug, Clone, Default)]
pub struct Scripted {
    decisions: VecDeque<Decided>,
    /// What it was told each time: page and feedback.
    pub told: Vec<(Option<String>, Vec<String>)>,
}

impl Scripted {
    /// These decisions; then it gives up.
    pub fn new<D: Into<Decided>>(decisions: impl IntoIterator<Item = D>) -> Scripted {
        Scripted { decisions: decisions.into_iter().map(Into::into).collect(), told: Vec::new() }
    }
}

impl Agent for Scripted {
    fn name(&self) -> &str {
        "script"
    }

    fn decide<'a>(&'a mut self, briefing: &'a Briefing<'a>) -> Deciding<'a> {
        self.told.push((briefing.page.map(str::to_owned), briefing.feedback.to_vec()));
        let end = || Decision::GiveUp("the script is over".to_owned()).into();
        Box::pin(ready(Ok(self.decisions.pop_front().unwrap_or_else(end))))
    }
}

/// Takes the known transition that was taken least in this run: an agent without a plan.
#[derive(Debug, Clone, Default)]
pub struct Wander;

impl Agent for Wander {
    fn name(&self) -> &str {
        "wander"
    }

    fn decide<'a>(&'a mut self, briefing: &'a Briefing<'a>) -> Deciding<'a> {
        let taken = |event: &str| {
            let here = briefing.done.iter().filter(|done| Some(done.from.as_str()) == briefing.page);
            here.filter(|done| done.template == event).count() + briefing.feedback.len()
        };
        // What was refused is not tried again at once.
        let refused = |event: &str| briefing.feedback.iter().any(|said| said.contains(event));
        let open = briefing.known.iter().filter(|(_, event)| !refused(event));
        let decision = match open.min_by_key(|(_, event)| taken(event)) {
            Some((id, _)) => Decision::Take(*id),
            None => Decision::GiveUp("nothing is left to try here".to_owned()),
        };
        Box::pin(ready(Ok(decision.into())))
    }
}
