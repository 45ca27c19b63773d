//! The agent of all variants: they differ in what it is told, not in what it does with it.

use crate::executor::agent::{Agent, Briefing, Deciding, Decision, FollowPlan, Move};
use crate::executor::bind;
use crate::executor::device::Gesture;
use std::future::ready;

/// Follows the plan; where there is none, tries what was tried least of what is shown and known on the page.
#[derive(Debug, Clone, Default)]
pub struct FollowOrTry(FollowPlan);

impl Agent for FollowOrTry {
    fn name(&self) -> &str {
        "plan, or try"
    }

    fn decide<'a>(&'a mut self, briefing: &'a Briefing<'a>) -> Deciding<'a> {
        let decision = match self.0.follows(briefing) {
            true => Decision::Follow,
            false => attempt(briefing),
        };
        Box::pin(ready(Ok(decision.into())))
    }
}

fn attempt(briefing: &Briefing) -> Decision {
    let screen = briefing.shown.screen.as_ref();
    let shown = screen.iter().flat_map(|screen| screen.elements());
    let mut events: Vec<&str> = shown
        .filter(|(_, element)| element.flags.clickable && !element.text.is_empty())
        .map(|(_, element)| element.text.as_str())
        .collect();
    // Something covers the page, or there is nothing on it.
    if events.is_empty() {
        return perform("go back", Gesture::Back);
    }
    let known = briefing.known.iter().map(|(_, event)| event.as_str());
    known.for_each(|event| {
        if !events.contains(&event) {
            events.push(event);
        }
    });
    let times = |event: &str| {
        let here = briefing.done.iter().filter(|done| Some(done.from.as_str()) == briefing.page);
        here.filter(|done| done.template == event).count()
    };
    // What was refused is passed over: after so many refusals, so many of the least tried are.
    events.sort_by_key(|event| times(event));
    let Some(event) = events.get(briefing.feedback.len()) else {
        return Decision::GiveUp("nothing is left to try here".to_owned());
    };
    match briefing.known.iter().find(|(_, known)| known == event) {
        Some((id, _)) => Decision::Take(*id),
        None => perform(event, bind::gesture(event, screen)),
    }
}

fn perform(event: &str, gesture: Gesture) -> Decision {
    let event = event.to_owned();
    Decision::Perform(Box::new(Move { event, gesture, action: None, observes: None, to: None }))
}
