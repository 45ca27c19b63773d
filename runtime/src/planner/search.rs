//! Plans on a model: to pages, through functions, to a condition.

use super::Model;
use super::alternatives::several;
use super::compile::{Assigned, Graph};
use super::frontier::{Effort, Way};
use super::model::{Call, PageId, TransitionId};
use super::packed::{Packed, Table, Word};
use super::routes::Router;
use super::task::Asked;
use intentgate_engine::diagnostic::{Code, Fault, Problems};
use intentgate_engine::input;
use intentgate_engine::schema::VariableId;
use intentgate_engine::value::Value;
use std::collections::BTreeMap;
use std::fmt;

/// Where a plan starts.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The page; the model's start without this.
    pub page: Option<PageId>,
    /// Variables that are known to be otherwise than when the app starts.
    pub values: BTreeMap<VariableId, Option<Value>>,
}

impl Start {
    /// The page.
    pub(super) fn page(&self, model: &Model) -> PageId {
        self.page.unwrap_or(model.start)
    }

    /// The value of every variable.
    pub(super) fn values(&self, model: &Model) -> Assigned {
        let mut values: Assigned = model.initial.iter().cloned().collect();
        values.extend(self.values.iter().map(|(id, value)| (*id, value.clone())));
        values
    }
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
    /// States that are expanded; 10,000,000. In a plan to a completion also how often the evaluator is asked
    /// whether a step passes, which takes microseconds.
    pub expansions: usize,
    /// Bytes that are held; 1 GiB. A state takes 5 to 16 bytes where every transition costs the same and a
    /// state takes no more than 32 bits, up to 60 otherwise.
    pub bytes: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { expansions: 10_000_000, bytes: 1 << 30 }
    }
}

/// A step of a plan.
#[derive(Debug, Clone, PartialEq)]
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
    /// What the gate is asked, in a plan to the completion of a task.
    pub asked: Option<Asked>,
}

/// A cheapest plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// Its steps.
    pub steps: Vec<Step>,
    /// What they cost together.
    pub cost: u64,
}

/// What a search finds.
#[derive(Debug, Clone, PartialEq)]
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

/// Several plans, the cheapest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Several {
    /// The plans.
    pub paths: Vec<Path>,
    /// Whether a bound was reached before all were found that were asked for.
    pub limited: bool,
}

/// Plans on a model.
#[derive(Debug)]
pub struct Planner<'m> {
    pub(super) model: &'m Model,
    /// For goals that are pages, where the model has no guards; made when it is first needed.
    router: Option<Option<Router>>,
    pub(super) effort: Effort,
}

/// What a state has to be.
pub(super) enum Aim {
    /// On one of these pages.
    Pages(Vec<bool>),
    /// Everything done.
    Progress(usize),
    /// A condition holds.
    Condition(Vec<Table>),
}

impl Aim {
    fn holds<W: Word>(&self, graph: &Graph, state: W) -> bool {
        match self {
            Aim::Pages(pages) => pages.get(state.get(graph.page())).is_some_and(|target| *target),
            Aim::Progress(whole) => state.get(graph.progress()) == *whole,
            Aim::Condition(tables) => tables.iter().all(|table| table.holds(state)),
        }
    }
}

impl<'m> Planner<'m> {
    /// For a model.
    pub fn new(model: &'m Model) -> Planner<'m> {
        Planner { model, router: None, effort: Effort::default() }
    }

    /// What the last search took.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// A cheapest plan. Of equally cheap ones always the same. Takes time in proportion to the states that are
    /// reached, times the edges of a page; in a model without guards, where every transition costs the same, in
    /// proportion to the pages around both ends.
    ///
    /// # Errors
    /// Constraints that can't be used, a call of no function or with other parameters, a model whose state takes
    /// more than 128 bits.
    pub fn plan(&mut self, start: &Start, goal: &Goal, bounds: &Bounds) -> Result<Found, PlanError> {
        if let Goal::Any(pages) = goal
            && let Some(router) = self.router.get_or_insert_with(|| Router::new(self.model))
        {
            let page = start.page(self.model);
            let mut way = Vec::new();
            return Ok(match router.route(page, pages, &mut way) {
                true if way.is_empty() => Found::AlreadyThere,
                true => {
                    let cost = u64::from(router.cost()).saturating_mul(way.len() as u64);
                    let steps = way.into_iter().filter_map(|id| self.model.step(id, None));
                    Found::Path(Path { steps: steps.collect(), cost })
                }
                false => Found::NoKnownPath,
            });
        }
        let (found, several) = self.search(start, goal, 1, bounds)?;
        Ok(match several.paths.into_iter().next() {
            Some(path) => Found::Path(path),
            None if several.limited => Found::Limit,
            None => found,
        })
    }

    /// Up to `most` plans, the cheapest first, none with the same state twice. Each further one takes at most a few
    /// times what the first one takes, and mostly about as much; where that is not enough, it says so by
    /// [`Several::limited`].
    ///
    /// # Errors
    /// As [`Planner::plan`].
    pub fn plans(
        &mut self,
        start: &Start,
        goal: &Goal,
        most: usize,
        bounds: &Bounds,
    ) -> Result<Several, PlanError> {
        Ok(self.search(start, goal, most, bounds)?.1)
    }

    /// What there is to say if there is no plan, and plans.
    fn search(
        &mut self,
        start: &Start,
        goal: &Goal,
        most: usize,
        bounds: &Bounds,
    ) -> Result<(Found, Several), PlanError> {
        let model = self.model;
        self.effort = Effort::default();
        let (calls, visits): (&[Call], &[PageId]) = match goal {
            Goal::Functions(calls) => (calls, &[]),
            Goal::All(pages) => (&[], pages),
            Goal::Any(_) | Goal::Condition(_) => (&[], &[]),
        };
        if visits.len() > 60 {
            let message = "a plan visits at most 60 pages";
            return Err(Fault::new(Code::TooLarge, message).help("plan for some of them first").into());
        }
        let condition = match goal {
            Goal::Condition(text) => Some(model.condition(text)?),
            Goal::Any(_) | Goal::All(_) | Goal::Functions(_) => None,
        };
        let values = start.values(model);
        let graph = Graph::new(model, &values, calls, visits, false).map_err(Fault::from)?;
        let none = |found| Ok((found, Several::default()));
        // Every variable has a place for its value at the start.
        let Some(first) = graph.pack(start.page(model), &values, visits) else {
            return none(Found::NoKnownPath);
        };
        let (aim, at_once) = match goal {
            Goal::Any(pages) => {
                let target = |page: usize| pages.iter().any(|target| target.index() == page);
                (Aim::Pages((0..model.pages.len()).map(target).collect()), Found::AlreadyThere)
            }
            Goal::All(pages) => {
                // A page that is named twice is visited once.
                let first_place = |page: &PageId| pages.iter().position(|other| other == page);
                let places = pages.iter().enumerate().filter(|(at, page)| first_place(page) == Some(*at));
                (Aim::Progress(places.map(|(at, _)| 1 << at).sum()), Found::AlreadyThere)
            }
            Goal::Functions(calls) => (Aim::Progress(calls.len()), Found::TrueFromTheStart),
            Goal::Condition(_) => {
                let tables = match condition {
                    Some(condition) => graph.condition(model, &condition).map_err(Fault::from)?,
                    None => None,
                };
                let Some(tables) = tables else { return none(Found::NoKnownPath) };
                (Aim::Condition(tables), Found::TrueFromTheStart)
            }
        };
        if aim.holds(&graph, first) {
            return none(at_once);
        }
        let several = match graph.bits {
            0..=32 => self.ways::<u32>(&graph, &aim, first, calls, most, bounds),
            33..=64 => self.ways::<u64>(&graph, &aim, first, calls, most, bounds),
            _ => self.ways::<u128>(&graph, &aim, first, calls, most, bounds),
        };
        Ok((Found::NoKnownPath, several))
    }

    fn ways<W: Word>(
        &mut self,
        graph: &Graph,
        aim: &Aim,
        first: u128,
        calls: &[Call],
        most: usize,
        bounds: &Bounds,
    ) -> Several {
        let edges = graph.edges.narrow::<W>();
        let is_goal = |state: W| aim.holds(graph, state);
        let mut space = Packed::new(&edges, graph.page(), graph.bits, is_goal);
        let first = W::narrow(first);
        let (ways, limited) = several(&mut space, first, most, bounds, &mut self.effort);
        let paths = ways.into_iter().map(|way| self.path(graph, &way, first, calls));
        Several { paths: paths.collect(), limited }
    }

    fn path<W: Word>(&self, graph: &Graph, way: &Way<W>, first: W, calls: &[Call]) -> Path {
        let mut before = first;
        let steps = way.steps.iter().filter_map(|(edge, next)| {
            let call = calls.get(before.get(graph.progress()));
            before = *next;
            self.model.step(*graph.transitions.get(*edge as usize)?, call)
        });
        Path { steps: steps.collect(), cost: way.cost }
    }
}

impl Model {
    /// A transition as a step of a plan, with the arguments of the call that it performs.
    pub(crate) fn step(&self, id: TransitionId, call: Option<&Call>) -> Option<Step> {
        let transition = self.transition(id)?;
        let call = call.filter(|_| transition.function.is_some());
        let arguments = call.iter().flat_map(|call| &call.arguments);
        Some(Step {
            transition: id,
            from: transition.from,
            to: transition.to,
            event: match transition.event.trim().is_empty() {
                false => filled(&transition.event, arguments.map(|(name, value)| (name.as_str(), value))),
                // An edge may be known before what it takes is (Agent+P, section 4.1).
                true => {
                    format!(
                        "get from {} to {}",
                        self.page_name(transition.from),
                        self.page_name(transition.to)
                    )
                }
            },
            function: call.map(|call| call.function.clone()),
            asked: None,
        })
    }
}

/// A text with values in the places that name them: `{name}`.
pub(super) fn filled<'v>(text: &str, values: impl Iterator<Item = (&'v str, &'v Value)>) -> String {
    let values: Vec<(&str, &Value)> = values.collect();
    placed(text, |name| {
        let (_, value) = values.iter().find(|(known, _)| *known == name)?;
        Some(match value {
            Value::Text(text) => text.as_str().to_owned(),
            other => other.to_string(),
        })
    })
}

/// A text with what is known in the places that name it: `{name}`. What stands for a name is not looked at again.
pub(super) fn placed(text: &str, known: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let named = behind.split_once('}').and_then(|(name, rest)| Some((known(name)?, rest)));
        match named {
            Some((value, behind)) => {
                filled.push_str(&value);
                rest = behind;
            }
            None => {
                filled.push('{');
                rest = behind;
            }
        }
    }
    filled.push_str(rest);
    filled
}

/// A line for each step, numbered; what can't be seen is escaped.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps
            .iter()
            .enumerate()
            .try_for_each(|(number, step)| writeln!(f, "{}. {}", number + 1, input::on_one_line(&step.event)))
    }
}
