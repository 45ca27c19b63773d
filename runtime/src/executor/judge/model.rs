//! Scores by a language model (Agent-SAMA, judges of candidate plans), every number checked.
//!
//! Knows what is judged and language models. Must never add, change or leave out a plan.

use super::{ByEvidence, Case, Judge, Judged, Judging, Score};
use crate::language_model::ask::{TRIES, ask};
use crate::language_model::fence::{self, Fenced};
use crate::language_model::{LanguageModel, Request, json};
use crate::planner::{Model, Path};
use intentgate_engine::json::Node;
use serde_json::json as value;
use std::fmt::Write;

/// What the model may give at most.
const MOST: f64 = 10.0;
/// How many steps of a plan are told.
const STEPS: usize = 40;

/// Asks a language model for three scores of each plan, from 0 to 10: goal relevance, efficiency, robustness. An
/// answer with another number of plans, or with numbers beyond that, is handed back, a few times; where none can be
/// used, [`ByEvidence`] judges, and [`Judged::note`] says why.
#[derive(Debug, Clone)]
pub struct ByModel<M> {
    model: M,
    tries: usize,
}

impl<M: LanguageModel> ByModel<M> {
    /// Asks a model.
    pub fn new(model: M) -> ByModel<M> {
        ByModel { model, tries: TRIES }
    }

    /// Asks so often, at most.
    #[must_use]
    pub fn tries(mut self, tries: usize) -> ByModel<M> {
        self.tries = tries;
        self
    }

    async fn judge(&self, case: &Case<'_>) -> Judged {
        let check = |answer: &str| scores(&json(answer)?, case.plans.len());
        match ask(&self.model, request(case), self.tries, check).await {
            Ok((scores, _)) => Judged { scores, note: None },
            Err(error) => Judged {
                scores: ByEvidence::judge(case.model, case.plans),
                note: Some(format!(
                    "judged by the evidence, as the language model could not be used: {error}"
                )),
            },
        }
    }
}

impl<M: LanguageModel> Judge for ByModel<M> {
    fn scores<'a>(&'a mut self, case: &'a Case<'a>) -> Judging<'a> {
        Box::pin(self.judge(case))
    }
}

fn request(case: &Case<'_>) -> Request {
    let system = format!(
        "You judge candidate plans for a task in mobile apps. Give each plan three scores from 0 to {MOST}: \
         `relevance`, how much of it serves the goal; `efficiency`, how directly it gets there; `robustness`, how \
         likely it still works when a page looks otherwise than expected.\n{}",
        fence::RULE
    );
    let mut user = format!("The task:\n{}\n", Fenced::new("task", case.sentence, fence::LIMIT));
    if case.sub_task.sentence != case.sentence {
        let part = Fenced::new("sub-task", &case.sub_task.sentence, fence::LIMIT);
        let _ = writeln!(user, "The part of it that the plans are for:\n{part}");
    }
    for (number, plan) in case.plans.iter().enumerate() {
        let plan = Fenced::new("plan", &told(case.model, plan), 2 * fence::LIMIT);
        let _ = writeln!(user, "Plan {}:\n{plan}", number + 1);
    }
    let _ = write!(
        user,
        "Answer with JSON only, one entry for each of the {} plans, in their order, like:\n{{\"plans\": \
         [{{\"relevance\": 8, \"efficiency\": 6.5, \"robustness\": 7}}]}}",
        case.plans.len()
    );
    Request::new().system(system).user(user).schema("scores", schema(case.plans.len())).temperature(0.0)
}

/// A line for each step: what is done, where it leads, how often that was seen.
fn told(model: &Model, plan: &Path) -> String {
    let mut text = format!("cost {}\n", plan.cost);
    for step in plan.steps.iter().take(STEPS) {
        let seen = model.transition(step.transition).map_or(0, crate::planner::Transition::count);
        let surprise = step.asked.as_ref().is_some_and(|asked| asked.unexpected);
        let surprise = if surprise { ", counting on a result that is not expected first" } else { "" };
        let (from, to) = (model.page_name(step.from), model.page_name(step.to));
        let _ = writeln!(text, "on {from}: {}, to {to} (seen {seen} times{surprise})", step.event);
    }
    if let Some(more @ 1..) = plan.steps.len().checked_sub(STEPS) {
        let _ = writeln!(text, "and {more} steps more");
    }
    text
}

fn schema(plans: usize) -> serde_json::Value {
    let score = value!({"type": "number", "minimum": 0, "maximum": MOST});
    let entry = value!({
        "type": "object", "additionalProperties": false,
        "required": ["relevance", "efficiency", "robustness"],
        "properties": {"relevance": score, "efficiency": score, "robustness": score},
    });
    value!({
        "type": "object", "additionalProperties": false, "required": ["plans"],
        "properties": {"plans": {"type": "array", "minItems": plans, "maxItems": plans, "items": entry}},
    })
}

fn scores(answer: &Node, plans: usize) -> Result<Vec<Score>, String> {
    let entries = answer.get("plans").and_then(|list| list.array("`plans`").ok());
    let entries = entries.ok_or("there has to be an object with the list `plans`")?;
    if entries.len() != plans {
        let found = entries.len();
        return Err(format!(
            "there are {plans} plans, and the answer has {found} entries; give one for each"
        ));
    }
    let score = |(number, entry): (usize, &Node)| {
        let read = |key: &str| {
            let number = number + 1;
            let node = entry.get(key).ok_or_else(|| format!("plan {number} has no `{key}`"))?;
            let given = node.to_value().as_f64().filter(|given| (0.0..=MOST).contains(given));
            given
                .map(|given| given / MOST)
                .ok_or_else(|| format!("`{key}` of plan {number} has to be a number from 0 to {MOST}"))
        };
        Ok(Score {
            relevance: read("relevance")?,
            efficiency: read("efficiency")?,
            robustness: read("robustness")?,
        })
    };
    entries.iter().enumerate().map(score).collect()
}
