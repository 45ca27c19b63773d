//! Demonstrations: what somebody did, taken in without performing anything (AppAgent, section 3.2).

use super::learner::{Learner, News};
use super::{Change, Possible, Reflector, choose, package, reflect};
use crate::executor::device::{Gesture, Observation, Target};
use crate::executor::locate::Locator;
use crate::executor::reply::{Decision, Documents};
use crate::executor::screen::Screen;
use crate::planner::Model;
use serde::{Deserialize, Serialize};

/// What was shown, and what was done then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demonstrated {
    /// What was shown before.
    pub shown: Observation,
    /// What was done.
    pub gesture: Gesture,
}

/// Takes in a demonstration: what was done on what, in order, and what was shown at its end. Steps that changed
/// nothing, or that touch what can't be told, teach nothing. Nothing is performed, so nothing is left alone.
pub async fn demonstrate(
    goal: &str,
    steps: &[Demonstrated],
    end: &Observation,
    reflector: &mut dyn Reflector,
    (model, documents, locator): (Model, Documents, Locator),
) -> (Model, Documents, Locator, News) {
    let mut learner = Learner::new(model, documents, locator);
    let after = steps.iter().skip(1).map(|step| &step.shown).chain([end]);
    for (step, after) in steps.iter().zip(after) {
        let Some(from) = learner.locate(&step.shown) else { continue };
        let Some(to) = learner.locate(after) else { continue };
        let Some(possible) = done(step) else { continue };
        let known = learner.documents.get(&possible.uid).and_then(|known| known.get(possible.interaction));
        let first = steps.first().and_then(|first| package(&first.shown));
        let foreign = package(after).is_some_and(|package| Some(package) != first);
        let (before, possible) = (&step.shown, &possible);
        let change = Change { goal, possible, from: &from, to: &to, before, after, foreign, known };
        let reflection = match change.is_nothing() {
            true => reflect::ineffective(),
            false => reflector.reflect(&change).await,
        };
        if reflection.decision != Decision::Ineffective {
            learner.arrive(&from, &possible.event, &to);
            learner.document(possible, reflection.documentation.as_deref());
        }
    }
    let Learner { model, documents, locator, news } = learner;
    (model, documents, locator, news)
}

/// What a gesture is, among what can be done on its screen.
fn done(step: &Demonstrated) -> Option<Possible> {
    match &step.gesture {
        Gesture::Back => Some(Possible::back()),
        Gesture::Event(event) => Some(Possible::plain(event, step.gesture.clone())),
        gesture => {
            let screen = step.shown.screen.as_ref()?;
            let touched = element(screen, gesture.target()?)?;
            let kind = std::mem::discriminant(gesture);
            let mut offered = choose::offered(screen, false).into_iter();
            offered.find(|one| {
                let same = one.gesture.target().and_then(|target| element(screen, target));
                std::mem::discriminant(&one.gesture) == kind && same == Some(touched)
            })
        }
    }
}

fn element(screen: &Screen, target: &Target) -> Option<crate::executor::screen::ElementId> {
    match target {
        Target::Element(selector) => screen.find(selector).ok(),
        Target::Tag(tag) => screen.tagged().get(*tag),
        Target::Point(_) | Target::Pixel(_) => None,
    }
}
