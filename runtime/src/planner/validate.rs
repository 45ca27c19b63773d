//! Whether a plan is one: every step possible when it comes, the goal reached at its end.
//!
//! Knows nothing of packed states: it is what a search is checked against, ours or another's.

use super::compile::{Scene, Values, arguments};
use super::search::{Goal, PlanError, Start};
use super::{Call, Model, PageId, TransitionId};
use intentgate_engine::diagnostic::{Code, Fault};
use std::collections::BTreeSet;

/// Where a plan has come to.
struct Place<'m> {
    model: &'m Model,
    page: PageId,
    values: Values,
    visited: BTreeSet<PageId>,
    performed: usize,
}

impl Model {
    /// Follows the steps of a plan.
    ///
    /// # Errors
    /// The first step that is not possible, a function that was not asked for, a goal that is not reached.
    pub fn validate(&self, start: &Start, goal: &Goal, steps: &[TransitionId]) -> Result<(), PlanError> {
        let calls: &[Call] = match goal {
            Goal::Functions(calls) => calls,
            Goal::Any(_) | Goal::All(_) | Goal::Condition(_) => &[],
        };
        let given = arguments(self, calls).map_err(Fault::from)?;
        let page = start.page(self);
        let values = start.values(self).into_iter().filter_map(|(id, value)| Some((id, value?))).collect();
        let mut place = Place { model: self, page, values, visited: BTreeSet::from([page]), performed: 0 };
        let nothing = Values::new();
        for (number, id) in steps.iter().enumerate() {
            let wrong = |why: &str| Fault::new(Code::NoPlan, format!("step {} {why}", number + 1));
            let transition = self.transition(*id).ok_or_else(|| wrong("is no transition"))?;
            if transition.from != place.page {
                return Err(wrong("does not start where the one before ends").into());
            }
            let mut with = &nothing;
            if let Some(function) = transition.function {
                let name = self.vocabulary.action(function).name();
                if calls.get(place.performed).is_none_or(|call| call.function != name) {
                    return Err(wrong("performs what was not asked for").into());
                }
                with = given.get(place.performed).unwrap_or(&nothing);
                place.performed += 1;
            }
            let scene = place.scene(with);
            if !scene.allows(transition) {
                return Err(wrong("is not possible there").into());
            }
            let set = transition.update.iter().map(|(variable, operand)| (*variable, scene.value(operand)));
            for (variable, value) in set.collect::<Vec<_>>() {
                match value {
                    Some(value) => drop(place.values.insert(variable, value)),
                    None => drop(place.values.remove(&variable)),
                }
            }
            place.page = transition.to;
            place.visited.insert(transition.to);
        }
        if place.reaches(goal)? {
            return Ok(());
        }
        Err(Fault::new(Code::NoPlan, "the plan does not reach its goal").into())
    }
}

impl Place<'_> {
    fn scene<'a>(&'a self, given: &'a Values) -> Scene<'a> {
        Scene { given, ..Scene::new(&self.model.vocabulary, &self.values) }
    }

    fn reaches(&self, goal: &Goal) -> Result<bool, PlanError> {
        Ok(match goal {
            Goal::Any(pages) => pages.contains(&self.page),
            Goal::All(pages) => pages.iter().all(|page| self.visited.contains(page)),
            Goal::Functions(calls) => self.performed == calls.len(),
            Goal::Condition(text) => self.scene(&Values::new()).meets(&self.model.condition(text)?),
        })
    }
}
