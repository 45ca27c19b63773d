//! Plans for what a sentence asks, one after the other.

use super::Parsed;
use crate::planner::{Bounds, Call, Found, Goal, Model, Path, PlanError, Planner, Start};
use intentgate_engine::ir::{Element, Operand};
use intentgate_engine::schema::VariableId;
use intentgate_engine::value::Value;
use std::collections::BTreeMap;

/// A stretch of a plan: one goal in one app.
#[derive(Debug, Clone)]
pub struct Leg {
    /// The place of the app's model among those that were given.
    pub model: usize,
    /// From here.
    pub start: Start,
    /// What for.
    pub goal: Goal,
    /// What planning found.
    pub found: Found,
}

impl Parsed {
    /// A plan for every goal, in order; each starts where the one before it in the same app ends. Ends behind the
    /// first goal for which none is found: what follows would start nowhere. Each stretch is cheapest by itself, and
    /// functions that follow each other are one stretch.
    ///
    /// # Errors
    /// As [`Planner::plan`].
    pub fn plan(&self, models: &[(&Model, Start)], bounds: &Bounds) -> Result<Vec<Leg>, PlanError> {
        let mut starts: Vec<Start> = models.iter().map(|(_, start)| start.clone()).collect();
        let mut legs = Vec::new();
        for step in &self.steps {
            let Some(((model, _), start)) = models.get(step.model).zip(starts.get_mut(step.model)) else {
                continue;
            };
            for goal in step.goals() {
                let found = Planner::new(model).plan(start, &goal, bounds)?;
                let from = start.clone();
                match &found {
                    Found::Path(path) => after(model, start, path, &goal),
                    Found::AlreadyThere | Found::TrueFromTheStart => {}
                    Found::NoKnownPath | Found::Limit => {
                        legs.push(Leg { model: step.model, start: from, goal, found });
                        return Ok(legs);
                    }
                }
                legs.push(Leg { model: step.model, start: from, goal, found });
            }
        }
        Ok(legs)
    }
}

/// Where a path ends, and what the variables are then.
fn after(model: &Model, start: &mut Start, path: &Path, goal: &Goal) {
    let mut calls = match goal {
        Goal::Functions(calls) => calls.iter(),
        _ => [].iter(),
    };
    for step in &path.steps {
        start.page = Some(step.to);
        let call = step.function.as_ref().and_then(|_| calls.next());
        let Some(transition) = model.transition(step.transition) else { continue };
        let before: BTreeMap<VariableId, Option<Value>> =
            model.initial().iter().cloned().chain(start.values.clone()).collect();
        for (variable, operand) in &transition.update {
            let value = match operand {
                Operand::Single(Element::Value(value)) => Some(value.clone()),
                Operand::Variable(other) => {
                    let known = before.get(other).cloned();
                    known.unwrap_or_else(|| call.and_then(|call| argument(model, call, *other)))
                }
                Operand::Single(_) | Operand::List(_) => None,
            };
            start.values.insert(*variable, value);
        }
    }
}

fn argument(model: &Model, call: &Call, id: VariableId) -> Option<Value> {
    let name = model.vocabulary().variable(id).name();
    call.arguments.iter().find(|(parameter, _)| parameter == name).map(|(_, value)| value.clone())
}
