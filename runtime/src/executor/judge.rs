//! Which of several plans? Scores for how well each serves the goal, how efficient and how robust it is
//! (Agent-SAMA, five candidates and a judge).

mod model;

pub use model::ByModel;

use super::task::SubTask;
use crate::planner::{Model, Origin, PageId, Path};
use serde::Serialize;
use std::collections::HashSet;
use std::future::{Future, ready};
use std::pin::Pin;

/// The scores of a plan, from 0 to 1 each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// How much of it serves the goal: less where it counts on results that are not declared first.
    pub relevance: f64,
    /// How cheap it is, against the cheapest.
    pub efficiency: f64,
    /// How much of it was seen to work, and can be gone back on.
    pub robustness: f64,
}

impl Score {
    /// All together; relevance counts half.
    pub fn total(&self) -> f64 {
        0.5 * self.relevance + 0.25 * self.efficiency + 0.25 * self.robustness
    }
}

/// What is judged.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The whole task, in the user's words.
    pub sentence: &'a str,
    /// The part of it that the plans are for.
    pub sub_task: &'a SubTask,
    /// The model that the plans are paths of.
    pub model: &'a Model,
    /// The plans.
    pub plans: &'a [Path],
}

/// What a judge says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// A score for each plan, in their order.
    pub scores: Vec<Score>,
    /// What there is to say of how they came about: that another judge had to step in, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Judged {
    /// The place of the best plan; of equally good ones the first.
    pub fn best(&self) -> usize {
        let mut best = 0;
        for (place, score) in self.scores.iter().enumerate() {
            if self.scores.get(best).is_some_and(|known| score.total() > known.total() + 1e-9) {
                best = place;
            }
        }
        best
    }
}

/// What is on its way.
pub type Judging<'a> = Pin<Box<dyn Future<Output = Judged> + Send + 'a>>;

/// Chooses between plans. Plans are alternatives that the planner made; a judge adds none, and what it prefers
/// passes the gate like everything else.
pub trait Judge: Send {
    /// A score for each plan, in their order. A judge that can't judge says so in [`Judged::note`], and gives the
    /// scores of one that can.
    fn scores<'a>(&'a mut self, case: &'a Case<'a>) -> Judging<'a>;
}

/// By cost, by what was observed, and by whether one can go back: the same plans always get the same scores.
#[derive(Debug, Clone, Default)]
pub struct ByEvidence;

impl ByEvidence {
    /// The scores of plans of a model.
    pub fn judge(model: &Model, plans: &[Path]) -> Vec<Score> {
        let least = plans.iter().map(|plan| plan.cost.max(1)).min().unwrap_or(1);
        plans.iter().map(|plan| score(model, plan, least)).collect()
    }
}

impl Judge for ByEvidence {
    fn scores<'a>(&'a mut self, case: &'a Case<'a>) -> Judging<'a> {
        let scores = ByEvidence::judge(case.model, case.plans);
        Box::pin(ready(Judged { scores, note: None }))
    }
}

fn score(model: &Model, plan: &Path, least: u64) -> Score {
    let steps = plan.steps.len().max(1) as f64;
    let surprises =
        plan.steps.iter().filter(|step| step.asked.as_ref().is_some_and(|asked| asked.unexpected));
    let evidence = plan.steps.iter().filter_map(|step| model.transition(step.transition));
    let evidence: f64 = evidence
        .map(|transition| {
            let rivals = model.successors(transition.from(), transition.event());
            let all: u64 = rivals.iter().map(|(_, count)| count).sum();
            match transition.origin() {
                // How often it led there, of all times that it was done.
                Origin::Observed => (transition.count() + 1) as f64 / (all + 1) as f64,
                Origin::Declared => 0.8 / rivals.len().max(1) as f64,
                Origin::Static => 0.5 / rivals.len().max(1) as f64,
            }
        })
        .sum();
    let returns = plan.steps.iter().filter(|step| leads(model, step.to, step.from)).count() as f64;
    Score {
        relevance: 1.0 - (surprises.count() as f64 / steps),
        efficiency: least as f64 / plan.cost.max(1) as f64,
        robustness: 0.7 * (evidence / steps).min(1.0) + 0.3 * (returns / steps),
    }
}

/// Whether a page can be reached from another.
fn leads(model: &Model, from: PageId, to: PageId) -> bool {
    let mut reached = HashSet::from([from]);
    let mut open = vec![from];
    while let Some(page) = open.pop() {
        if page == to {
            return true;
        }
        for (_, transition) in model.transitions().filter(|(_, transition)| transition.from() == page) {
            if reached.insert(transition.to()) {
                open.push(transition.to());
            }
        }
    }
    false
}
