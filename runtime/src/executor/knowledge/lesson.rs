//! What a run leaves behind.

use super::{Knowledge, Sequence, SequenceStep, merge};
use crate::executor::account::{Account, Comparison, Outcome};
use crate::executor::locate::Locator;
use crate::planner::{Model, Origin};
use serde_json::Value;
use std::collections::BTreeMap;

/// A run, and what there was before it.
#[derive(Debug, Clone, Copy)]
pub struct Lesson<'a> {
    /// What the run says of itself.
    pub account: &'a Account,
    /// The model with which it started: what had been counted then is not counted again.
    pub before: &'a Model,
    /// The model at its end.
    pub model: &'a Model,
    /// The canonical text of the specification.
    pub specification: Option<&'a str>,
    /// The screens that it saw.
    pub locator: Option<&'a Locator>,
}

/// Why nothing is learnt from a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("only what succeeded on evidence is learnt; the run ended otherwise: {outcome}")]
pub struct NotLearnt {
    /// How it ended.
    pub outcome: Outcome,
}

impl Knowledge {
    /// Takes in a run that succeeded on evidence: its sequence, its specification, and what it saw.
    ///
    /// # Errors
    /// Any other outcome, also a goal that held before anything was done, or one that the agent claims: of such a
    /// run, only what it saw is knowledge, see [`Knowledge::grow`].
    pub fn learn(&mut self, lesson: &Lesson) -> Result<(), NotLearnt> {
        let account = lesson.account;
        if account.outcome != Outcome::Success {
            return Err(NotLearnt { outcome: account.outcome.clone() });
        }
        self.grow(lesson.before, lesson.model, lesson.locator);
        let app = self.apps.entry(lesson.model.app().to_owned()).or_default();
        let came =
            account.steps.iter().filter(|step| step.comparison == Comparison::Success && !step.recovery);
        let steps: Vec<SequenceStep> = came
            .map(|step| SequenceStep {
                from: step.from.clone(),
                event: step.template.clone(),
                to: step.to.clone(),
            })
            .collect();
        let once = BTreeMap::from([(account.sentence.clone(), 1)]);
        if let Some(text) = lesson.specification {
            merge::counts(app.specifications.entry(text.to_owned()).or_default(), &once);
        }
        if !steps.is_empty() {
            let cost = u64::from(account.counters.steps);
            merge::sequence(&mut app.sequences, &Sequence { steps, sentences: once, cost });
        }
        Ok(())
    }

    /// Takes in what was seen, however a run ended: pages, transitions and counts that a model has and had not
    /// before, and screens.
    pub fn grow(&mut self, before: &Model, after: &Model, locator: Option<&Locator>) {
        let app = self.apps.entry(after.app().to_owned()).or_default();
        let mut grown = serde_json::to_value(after.declaration()).unwrap_or_default();
        if !app.model.is_null() {
            uncount(&mut grown, before);
        }
        merge::model(&mut app.model, &grown);
        if let Some(locator) = locator {
            app.locator.merge(locator);
        }
    }
}

/// Takes off what had been counted before.
fn uncount(grown: &mut Value, before: &Model) {
    let prefixed = before.apps().len() > 1;
    let counted = |app: &str, one: &Value| {
        let text = |key: &str| one.get(key).and_then(Value::as_str).unwrap_or_default();
        let page = |key: &str| match prefixed && !text(key).contains('.') {
            true => format!("{app}.{}", text(key)),
            false => text(key).to_owned(),
        };
        let (from, to) = (page("from"), page("to"));
        let same = before.transitions().find(|(_, known)| {
            known.event() == text("event")
                && before.page_name(known.from()) == from
                && before.page_name(known.to()) == to
                && known.origin() == Origin::Observed
        });
        same.map_or(0, |(_, known)| known.count())
    };
    let take_off = |app: &str, list: Option<&mut Value>| {
        for one in list.and_then(Value::as_array_mut).into_iter().flatten() {
            let had = counted(app, one);
            let count = one.get("count").and_then(Value::as_u64).unwrap_or(0);
            if let Some(one) = one.as_object_mut() {
                one.insert("count".to_owned(), count.saturating_sub(had).into());
            }
        }
    };
    take_off("", grown.get_mut("transitions"));
    take_off("", grown.get_mut("handovers"));
    for app in grown.get_mut("apps").and_then(Value::as_array_mut).into_iter().flatten() {
        let name = app.get("app").and_then(Value::as_str).unwrap_or_default().to_owned();
        take_off(&name, app.get_mut("transitions"));
    }
}
