//! Cheapest paths over packed states.

use super::Model;
use super::compile::{Graph, State, Unpacked};
use super::model::{Call, PageId, TransitionId, conditions};
use intentgate_engine::check;
use intentgate_engine::diagnostic::{Code, Fault, Problems};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::VariableId;
use intentgate_engine::span::Source;
use intentgate_engine::value::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::fmt;

/// Where a plan starts.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The page; the model's start without this.
    pub page: Option<PageId>,
    /// Variables that are known to be otherwise than when the app starts.
    pub values: BTreeMap<VariableId, Option<Value>>,
}

/// What a plan is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// To be on one of these pages.
    Any(Vec<PageId>),
    /// To have been on all of these pages; at most 60.
    All(Vec<PageId>),
    /// To have performed these primary functions, in this order (SPlanner, section 3.2).
    Functions(Vec<Call>),
    /// That constraints on the model's variables hold, as guards are written.
    Condition(String),
}

/// How much a search may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// States that are expanded; 10,000,000. Memory grows with it: about 64 bytes a state.
    pub expansions: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { expansions: 10_000_000 }
    }
}

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The transition.
    pub transition: TransitionId,
    /// From this page.
    pub from: PageId,
    /// To this page.
    pub to: PageId,
    /// What is done, with the arguments in their places.
    pub event: String,
    /// The primary function that is performed, if one is.
    pub function: Option<String>,
}

/// A cheapest plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// Its steps.
    pub steps: Vec<Step>,
    /// What they cost together.
    pub cost: u64,
}

/// What a search finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The start is on a page that will do.
    AlreadyThere,
    /// The condition holds, or everything has been performed, before anything is done.
    TrueFromTheStart,
    /// A cheapest path.
    Path(Path),
    /// No path is known: what is not in the model may exist.
    NoKnownPath,
    /// The limit was reached.
    Limit,
}

/// Why a goal can't be planned for.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// Constraints that can't be used.
    #[error(transparent)]
    Condition(#[from] Problems),
    /// A call that fits no function, or a model that is too large to pack.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Plans on a model.
#[derive(Debug)]
pub struct Planner<'m> {
    model: &'m Model,
}

impl<'m> Planner<'m> {
    /// For a model.
    pub fn new(model: &'m Model) -> Planner<'m> {
        Planner { model }
    }

    /// A cheapest plan. Of equally cheap ones the one that is reached
    /// first, by the order of the declaration. Takes time in proportion to
    /// the states that are reached, times the edges of a page.
    ///
    /// # Errors
    /// Constraints that can't be used, a call of no function or with other parameters, a model whose state takes
    /// more than 128 bits.
    pub fn plan(&self, start: &Start, goal: &Goal, bounds: &Bounds) -> Result<Found, PlanError> {
        let model = self.model;
        let (calls, visits): (&[Call], &[PageId]) = match goal {
            Goal::Functions(calls) => (calls, &[]),
            Goal::All(pages) => (&[], pages),
            Goal::Any(_) | Goal::Condition(_) => (&[], &[]),
        };
        if visits.len() > 60 {
            let message = "a plan visits at most 60 pages";
            return Err(Fault::new(Code::TooLarge, message).help("plan for some of them first").into());
        }
        let mut values: BTreeMap<VariableId, Option<Value>> = model.initial.iter().cloned().collect();
        values.extend(start.values.iter().map(|(id, value)| (*id, value.clone())));
        let page = start.page.unwrap_or(model.start);
        let graph = Graph::new(model, &values, calls, visits).map_err(|unpacked| match unpacked {
            Unpacked::TooLarge => Fault::new(Code::TooLarge, "a state of the model takes more than 128 bits")
                .help("split the model, or give its variables fewer values"),
            Unpacked::Call(why) => Fault::new(Code::UnknownFunction, why),
        })?;
        // Every variable has a place for its value at the start.
        let Some(first) = graph.pack(page, &values, visits) else { return Ok(Found::NoKnownPath) };
        let search = Search { model, graph: &graph, first, bounds };
        match goal {
            Goal::Any(pages) => {
                if pages.contains(&page) {
                    return Ok(Found::AlreadyThere);
                }
                Ok(search.run(calls, |state| pages.iter().any(|page| graph.page(state) == page.index())))
            }
            Goal::All(pages) => {
                // A page that is named twice is visited once.
                let places = pages
                    .iter()
                    .enumerate()
                    .filter(|(at, page)| pages.iter().position(|p| p == *page) == Some(*at));
                let whole: usize = places.map(|(at, _)| 1 << at).sum();
                if graph.progress(first) == whole {
                    return Ok(Found::AlreadyThere);
                }
                Ok(search.run(calls, |state| graph.progress(state) == whole))
            }
            Goal::Functions(calls) => {
                if calls.is_empty() {
                    return Ok(Found::TrueFromTheStart);
                }
                Ok(search.run(calls, |state| graph.progress(state) == calls.len()))
            }
            Goal::Condition(text) => {
                let rule = Source::new("condition", format!("{}({text}) -> Done\n", Model::STATE));
                let checked = check::specification(&rule, &model.vocabulary, &Limits::default())?;
                let specification = checked.specification;
                let Some(holds) = graph.condition(model, &specification, conditions(&specification)) else {
                    return Ok(Found::NoKnownPath);
                };
                if holds(first) {
                    return Ok(Found::TrueFromTheStart);
                }
                Ok(search.run(calls, holds))
            }
        }
    }
}

struct Search<'a> {
    model: &'a Model,
    graph: &'a Graph,
    first: State,
    bounds: &'a Bounds,
}

/// A state that was reached, by which edge and from where.
struct Reached {
    state: State,
    before: usize,
    edge: (u32, u32),
    cost: u64,
}

impl Search<'_> {
    fn run(&self, calls: &[Call], is_goal: impl Fn(State) -> bool) -> Found {
        let mut reached: Vec<Reached> =
            vec![Reached { state: self.first, before: usize::MAX, edge: (0, 0), cost: 0 }];
        let mut best: HashMap<State, u64> = HashMap::from([(self.first, 0)]);
        // The cheapest first, then what was reached first.
        let mut open = BinaryHeap::from([Reverse((0_u64, 0_usize))]);
        let mut expanded = 0;
        while let Some(Reverse((cost, at))) = open.pop() {
            let Some(Reached { state, .. }) = reached.get(at) else { continue };
            let state = *state;
            if best.get(&state).is_some_and(|best| *best < cost) {
                continue;
            }
            if is_goal(state) {
                return Found::Path(self.path(&reached, at, calls));
            }
            expanded += 1;
            if expanded > self.bounds.expansions {
                return Found::Limit;
            }
            let page = self.graph.page(state);
            for (number, edge) in self.graph.edges.get(page).map_or(&[][..], Vec::as_slice).iter().enumerate()
            {
                let Some(next) = edge.follow(state) else { continue };
                let cost = cost + u64::from(edge.cost);
                if best.get(&next).is_some_and(|best| *best <= cost) {
                    continue;
                }
                best.insert(next, cost);
                let edge =
                    (u32::try_from(page).unwrap_or(u32::MAX), u32::try_from(number).unwrap_or(u32::MAX));
                open.push(Reverse((cost, reached.len())));
                reached.push(Reached { state: next, before: at, edge, cost });
            }
        }
        Found::NoKnownPath
    }

    fn path(&self, reached: &[Reached], at: usize, calls: &[Call]) -> Path {
        let mut steps = Vec::new();
        let mut next = reached.get(at);
        let cost = next.map_or(0, |last| last.cost);
        while let Some(Reached { before, edge: (page, number), .. }) = next {
            let from = reached.get(*before);
            let edge = self.graph.edges.get(*page as usize).and_then(|edges| edges.get(*number as usize));
            if let (Some(from), Some(edge)) = (from, edge) {
                let call = calls.get(self.graph.progress(from.state));
                steps.extend(self.step(edge.transition, call));
            }
            next = from;
        }
        steps.reverse();
        Path { steps, cost }
    }

    fn step(&self, id: TransitionId, call: Option<&Call>) -> Option<Step> {
        let transition = self.model.transition(id)?;
        let call = call.filter(|_| transition.function.is_some());
        let mut event = transition.event.clone();
        for (name, value) in call.iter().flat_map(|call| &call.arguments) {
            let text = match value {
                Value::Text(text) => text.as_str().to_owned(),
                other => other.to_string(),
            };
            event = event.replace(&format!("{{{name}}}"), &text);
        }
        Some(Step {
            transition: id,
            from: transition.from,
            to: transition.to,
            event,
            function: call.map(|call| call.function.clone()),
        })
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps
            .iter()
            .enumerate()
            .try_for_each(|(number, step)| writeln!(f, "{}. {}", number + 1, step.event))
    }
}
