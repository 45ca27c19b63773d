//! Plans to a completion as data: what each step proposes and what it counts on, as a trace says it.

use super::{Asked, Completion, Prohibition};
use crate::planner::{Model, Path, Step};
use crate::session::record::Input;
use intentgate_engine::schema::Vocabulary;
use serde::Serialize;

/// What came of planning for a task, as data.
#[derive(Debug, Clone, Serialize)]
pub struct Told {
    /// `found`, `true_from_the_start`, `forbidden`, `against_advice`, `no_known_path` or `limit`.
    pub outcome: &'static str,
    /// What the steps cost together; nothing without a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// The steps; empty without a plan.
    pub steps: Vec<ToldStep>,
    /// The prohibitions that are in the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prohibitions: Vec<Prohibition>,
}

/// A step of a plan to a completion. As JSON it has the keys `propose` and `observe` of a trace.
#[derive(Debug, Clone, Serialize)]
pub struct ToldStep {
    /// What is done, in words.
    pub event: String,
    /// On this page.
    pub from: String,
    /// It leads to this page.
    pub to: String,
    /// What it costs.
    pub cost: u32,
    /// Whether it is a critical action.
    pub critical: bool,
    /// Whether the plan counts on a result that is not the first declared.
    pub unexpected: bool,
    /// What is proposed to the gate.
    #[serde(flatten)]
    pub proposal: Input,
    /// What is expected to be seen after it; nothing if nothing is.
    #[serde(flatten)]
    pub observation: Option<Input>,
}

impl Asked {
    /// What is proposed to the gate, as a line of a trace has it.
    pub fn proposal(&self, vocabulary: &Vocabulary) -> Input {
        Input::proposal(vocabulary, &self.action)
    }

    /// What is expected to be seen, as a line of a trace has it; nothing if nothing is.
    pub fn observation(&self, vocabulary: &Vocabulary) -> Option<Input> {
        let something = !self.observes.assignments.is_empty();
        something.then(|| Input::observation(vocabulary, &self.observes))
    }
}

impl Path {
    /// The steps of a plan to a completion as data. Steps of other plans propose nothing and are left out.
    pub fn told(&self, model: &Model, vocabulary: &Vocabulary) -> Vec<ToldStep> {
        self.steps.iter().filter_map(|step| told(model, vocabulary, step)).collect()
    }

    /// A plan to a completion as a trace: a line for each proposal, and one for what is expected to be seen
    /// after it. Played from where the plan starts it completes the task, and the gate lets every line pass.
    pub fn trace(&self, vocabulary: &Vocabulary) -> String {
        let asked = self.steps.iter().filter_map(|step| step.asked.as_ref());
        let lines = asked.flat_map(|asked| {
            std::iter::once(asked.proposal(vocabulary)).chain(asked.observation(vocabulary))
        });
        lines.map(|line| line.to_json() + "\n").collect()
    }
}

impl Completion {
    /// The plan, one that needs insisting included.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Completion::Path(path) | Completion::AgainstAdvice(path) => Some(path),
            Completion::TrueFromTheStart
            | Completion::Forbidden(_)
            | Completion::NoKnownPath
            | Completion::Limit => None,
        }
    }

    /// The whole answer as data.
    pub fn told(&self, model: &Model, vocabulary: &Vocabulary) -> Told {
        let path = self.path();
        Told {
            outcome: match self {
                Completion::TrueFromTheStart => "true_from_the_start",
                Completion::Path(_) => "found",
                Completion::Forbidden(_) => "forbidden",
                Completion::AgainstAdvice(_) => "against_advice",
                Completion::NoKnownPath => "no_known_path",
                Completion::Limit => "limit",
            },
            cost: path.map(|path| path.cost),
            steps: path.map_or_else(Vec::new, |path| path.told(model, vocabulary)),
            prohibitions: match self {
                Completion::Forbidden(prohibitions) => prohibitions.clone(),
                _ => Vec::new(),
            },
        }
    }
}

fn told(model: &Model, vocabulary: &Vocabulary, step: &Step) -> Option<ToldStep> {
    let asked = step.asked.as_ref()?;
    Some(ToldStep {
        event: step.event.clone(),
        from: model.page_name(step.from).to_owned(),
        to: model.page_name(step.to).to_owned(),
        cost: model.transition(step.transition)?.cost(),
        critical: asked.action.critical().is_some(),
        unexpected: asked.unexpected,
        proposal: asked.proposal(vocabulary),
        observation: asked.observation(vocabulary),
    })
}
