//! Plans to the completion of a specification that the gate lets through: over pages, variables, what is
//! observed and what is achieved together.
//!
//! What a step would change is asked of the very evaluator that a session decides with, so that a plan is
//! allowed by construction, policies included. Knows what sessions know; must never change one. Two things
//! it can't foresee: triggers that the app registers, and values that are too old after some time.

mod choices;
mod progress;
mod reach;
mod told;

use super::alternatives::several;
use super::compile::Graph;
use super::frontier::{Effort, Space, Way};
use super::model::{Model, TransitionId};
use super::packed::Field;
use super::packed::Word;
use super::search::{Bounds, Path, Planner, Start, Step, filled};
use crate::session::Session;
use crate::{Action, Update};
use choices::{Choice, Choices};
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::value::Value;
use progress::Progress;
use reach::may_end;
use serde::Serialize;
use std::collections::BTreeSet;
pub use told::{Told, ToldStep};

/// What a plan counts on at one of its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What is proposed to the gate, with the values that were chosen.
    pub action: Action,
    /// What is expected to be seen after it.
    pub observes: Update,
    /// Whether something else is expected first: the plan counts on a result that is not the first declared.
    pub unexpected: bool,
}

/// A prohibition that stands in the way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Prohibition {
    /// The name of its specification or policy.
    pub source: String,
    /// The line, from 1.
    pub line: usize,
    /// Its label, or its number.
    pub rule: String,
    /// Its text.
    pub text: String,
}

/// What comes of planning for a task.
#[derive(Debug, Clone, PartialEq)]
pub enum Completion {
    /// The task is complete before anything is done.
    TrueFromTheStart,
    /// A cheapest plan that the gate lets through.
    Path(Path),
    /// There would be a plan, but for these prohibitions: each of them is in the way even where the others are
    /// not. Plans that count on results that are not declared first don't get around them.
    Forbidden(Vec<Prohibition>),
    /// The gate advises against a step of every plan that is known; with insisting this one would pass.
    AgainstAdvice(Path),
    /// No plan is known: what is not in the model may exist.
    NoKnownPath,
    /// A bound was reached.
    Limit,
}

/// What the gate is not asked about.
#[derive(Debug, Clone, Default)]
struct Waived {
    advice: bool,
    /// Whether a plan may count on results that are not declared first.
    surprises: bool,
    /// Whether a critical action may be performed more than once on the way.
    again: bool,
    /// Prohibitions, by their numbers over all rule sets.
    prohibitions: BTreeSet<usize>,
}

impl Planner<'_> {
    /// A plan to the completion of a session's task, from what is known and achieved now. The session is only
    /// looked at. Of what may turn out in several ways plans count on the result that is declared first, and on
    /// others only where nothing else leads to the end, on as few as possible; the cheapest of those is found.
    ///
    /// # Errors
    /// What transitions say of the vocabulary doesn't fit it; too many values to choose from; a model that is
    /// too large to pack.
    pub fn complete(
        &mut self,
        start: &Start,
        session: &Session,
        bounds: &Bounds,
    ) -> Result<Completion, Fault> {
        if session.is_done() {
            return Ok(Completion::TrueFromTheStart);
        }
        let mut search = Search::new(self.model, start, session)?;
        if !may_end(self.model, start.page(self.model), session) {
            self.effort = Effort::default();
            return Ok(Completion::NoKnownPath);
        }
        let found = search.complete(bounds);
        self.effort = search.effort;
        // What was not finished proves nothing.
        Ok(found.unwrap_or(Completion::Limit))
    }

    /// Up to `most` plans to the completion of a session's task, the cheapest first. They count on the results that
    /// are declared first; on others only where there is no plan without.
    ///
    /// # Errors
    /// As [`Planner::complete`].
    pub fn completions(
        &mut self,
        start: &Start,
        session: &Session,
        most: usize,
        bounds: &Bounds,
    ) -> Result<super::Several, Fault> {
        if session.is_done() {
            return Ok(super::Several::default());
        }
        let mut search = Search::new(self.model, start, session)?;
        let mut several = super::Several::default();
        if !may_end(self.model, start.page(self.model), session) {
            self.effort = Effort::default();
            return Ok(several);
        }
        for (surprises, again) in [(false, false), (false, true), (true, false), (true, true)] {
            let (paths, limited) =
                search.ways(Waived { surprises, again, ..Waived::default() }, most, bounds);
            several = super::Several { paths, limited };
            if !several.paths.is_empty() || limited {
                break;
            }
        }
        self.effort = search.effort;
        Ok(several)
    }
}

/// What a surprise costs: more than any way of millions of steps at the highest cost.
const SURPRISE: u64 = 1 << 54;

/// Everything that stays the same from search to search.
struct Search<'a> {
    model: &'a Model,
    graph: Graph,
    first: u128,
    choices: Choices,
    progress: Progress<'a>,
    effort: Effort,
}

impl<'a> Search<'a> {
    fn new(model: &'a Model, start: &Start, session: &'a Session) -> Result<Search<'a>, Fault> {
        let values = start.values(model);
        let graph = Graph::new(model, &values, &[], &[], true).map_err(Fault::from)?;
        let choices = Choices::new(model, &graph, session)?;
        let progress = Progress::new(session, choices.touched());
        let first = graph.pack(start.page(model), &values, &[]).unwrap_or_default();
        Ok(Search { model, graph, first, choices, progress, effort: Effort::default() })
    }

    /// The answer; nothing if a bound was reached first.
    fn complete(&mut self, bounds: &Bounds) -> Option<Completion> {
        for surprises in [false, true] {
            let waived = Waived { surprises, ..Waived::default() };
            if let Some(path) = self.way(&waived, bounds)? {
                return Some(Completion::Path(path));
            }
            if let Some(forbidden) = self.in_the_way(&waived, bounds)? {
                return Some(Completion::Forbidden(forbidden));
            }
        }
        let waived = Waived { advice: true, surprises: true, ..Waived::default() };
        if let Some(path) = self.way(&waived, bounds)? {
            return Some(Completion::AgainstAdvice(path));
        }
        Some(match self.in_the_way(&waived, bounds)? {
            Some(forbidden) => Completion::Forbidden(forbidden),
            None => Completion::NoKnownPath,
        })
    }

    /// The prohibitions without which there is a way, each of them in the way even where the others are not; nothing if
    /// there is none without them either.
    fn in_the_way(&mut self, waived: &Waived, bounds: &Bounds) -> Option<Option<Vec<Prohibition>>> {
        let all = Progress::prohibitions(self.progress.session());
        let mut heeded = Waived { prohibitions: all.clone(), ..waived.clone() };
        if all.is_empty() || self.way(&heeded, bounds)?.is_none() {
            return Some(None);
        }
        // One after the other is heeded again, unless it alone is in the way then.
        for prohibition in &all {
            heeded.prohibitions.remove(prohibition);
            if self.way(&heeded, bounds)?.is_none() {
                heeded.prohibitions.insert(*prohibition);
            }
        }
        let session = self.progress.session();
        let named = heeded.prohibitions.into_iter().filter_map(|rule| Progress::prohibition(session, rule));
        Some(Some(named.collect()))
    }

    /// The cheapest way that performs each critical action once, else the cheapest one; nothing if a bound was reached
    /// first.
    fn way(&mut self, waived: &Waived, bounds: &Bounds) -> Option<Option<Path>> {
        for again in [false, true] {
            let (paths, limited) = self.ways(Waived { again, ..waived.clone() }, 1, bounds);
            match paths.into_iter().next() {
                Some(path) => return Some(Some(path)),
                None if limited => return None,
                None => {}
            }
        }
        Some(None)
    }

    fn ways(&mut self, waived: Waived, most: usize, bounds: &Bounds) -> (Vec<Path>, bool) {
        let start = self.progress.start(waived, bounds);
        let Search { model, graph, choices, progress, effort, .. } = self;
        let first = (self.first, start);
        let mut space = Both { graph, page: graph.page(), choices, progress };
        let (ways, limited) = several(&mut space, first, most, bounds, effort);
        (ways.into_iter().map(|way| path(model, graph, choices, &way)).collect(), limited)
    }
}

fn path(model: &Model, graph: &Graph, choices: &Choices, way: &Way<(u128, u32)>) -> Path {
    let steps = way.steps.iter().filter_map(|(number, _)| {
        let choice = choices.get(*number)?;
        let id = *graph.transitions.get(choice.edge as usize)?;
        model.asked_step(id, choice)
    });
    let steps: Vec<Step> = steps.collect();
    let costs = steps.iter().filter_map(|step| model.transition(step.transition));
    let cost = costs.fold(0_u64, |sum, transition| sum.saturating_add(u64::from(transition.cost)));
    Path { steps, cost }
}

impl Model {
    fn asked_step(&self, id: TransitionId, choice: &Choice) -> Option<Step> {
        let step = self.step(id, None)?;
        let values = choice.values.iter().flat_map(|(path, value)| {
            let own = path.split_once('.').map_or(path.as_str(), |(_, own)| own);
            [(own, value), (path.as_str(), value)]
        });
        let event = filled(&step.event, values.collect::<Vec<(&str, &Value)>>().into_iter());
        Some(Step { event, asked: Some(choice.asked.clone()), ..step })
    }
}

/// Pages and variables, and how far the task is.
struct Both<'s, 'a> {
    graph: &'s Graph,
    page: Field,
    choices: &'s Choices,
    progress: &'s mut Progress<'a>,
}

impl Space for Both<'_, '_> {
    type State = (u128, u32);

    fn hash((state, progress): (u128, u32)) -> u64 {
        Word::hash(state).rotate_left(17) ^ Word::hash(progress)
    }

    fn uniform(&self) -> Option<u64> {
        None
    }

    fn expand(&mut self, state: (u128, u32), each: &mut impl FnMut((u128, u32), u32, u64)) {
        let (place, progress) = state;
        for (number, edge) in self.graph.edges.of(place.get(self.page)) {
            let Some(next) = edge.follow(place) else { continue };
            for (label, choice) in self.choices.of(number) {
                if !choice.fits(place) || !self.progress.counts_on(choice) {
                    continue;
                }
                if let Some(after) = self.progress.advance(progress, label, choice) {
                    let surprise = if choice.asked.unexpected { SURPRISE } else { 0 };
                    each((next, after), label, u64::from(edge.cost) + surprise);
                }
            }
        }
    }

    fn is_goal(&self, (_, progress): (u128, u32)) -> bool {
        self.progress.is_done(progress)
    }

    fn is_spent(&self) -> bool {
        self.progress.is_spent()
    }
}
