//! A checked model.

use intentgate_engine::ir::{Constraint, Operand, PredicateKind, Specification};
use intentgate_engine::schema::{ActionId, VariableId, Vocabulary};
use intentgate_engine::span::Span;
use intentgate_engine::value::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A page of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub(super) u32);

/// A transition of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransitionId(pub(super) u32);

impl PageId {
    /// Its number, from 0, in the order of the declaration.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    /// Its number, from 0, in the order of the declaration.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a transition is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Origin {
    /// Somebody wrote it down.
    #[default]
    Declared,
    /// An analysis of the program found it: it may not be possible.
    Static,
    /// It was seen.
    Observed,
}

impl Origin {
    /// All of them.
    pub(super) const ALL: [Origin; 3] = [Origin::Declared, Origin::Static, Origin::Observed];

    /// As files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Declared => "declared",
            Origin::Static => "static",
            Origin::Observed => "observed",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A page: a screen of an app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) span: Span,
}

impl Page {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it shows.
    pub fn description(&self) -> &str {
        &self.description
    }
}

/// A way from a page to a page.
#[derive(Debug, Clone)]
pub struct Transition {
    pub(super) from: PageId,
    pub(super) to: PageId,
    pub(super) event: String,
    pub(super) function: Option<ActionId>,
    pub(super) guard: Option<Arc<Specification>>,
    pub(super) guard_text: String,
    pub(super) update: Vec<(VariableId, Operand)>,
    pub(super) update_text: String,
    pub(super) cost: u32,
    pub(super) origin: Origin,
    pub(super) count: u64,
}

impl Transition {
    /// The page on which it is possible.
    pub fn from(&self) -> PageId {
        self.from
    }

    /// The page to which it leads.
    pub fn to(&self) -> PageId {
        self.to
    }

    /// What a user does, in words.
    pub fn event(&self) -> &str {
        &self.event
    }

    /// The primary function that it performs.
    pub fn function(&self) -> Option<ActionId> {
        self.function
    }

    /// When it is possible, as it is written; empty if always.
    pub fn guard(&self) -> &str {
        &self.guard_text
    }

    /// What it changes, as it is written; empty if nothing.
    pub fn update(&self) -> &str {
        &self.update_text
    }

    /// What it costs.
    pub fn cost(&self) -> u32 {
        self.cost
    }

    /// Where it is known from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// How often it was observed.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// The constraints of a condition, all of which have to hold.
pub(super) fn conditions(condition: &Specification) -> Vec<&Constraint> {
    let rule = condition.rules().first();
    let predicates = rule.map_or(&[][..], |rule| condition.body(rule)).iter();
    let states = predicates.filter(|predicate| matches!(predicate.kind(), PredicateKind::State { .. }));
    states.flat_map(|predicate| condition.constraints(predicate)).collect()
}

/// A primary function with the values of its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The function.
    pub function: String,
    /// The values of its parameters, by their names.
    pub arguments: Vec<(String, Value)>,
}

impl Call {
    /// A function without parameters.
    pub fn new(function: impl Into<String>) -> Call {
        Call { function: function.into(), arguments: Vec::new() }
    }

    /// With the value of a parameter.
    #[must_use]
    pub fn with(mut self, parameter: impl Into<String>, value: Value) -> Call {
        self.arguments.push((parameter.into(), value));
        self
    }
}

/// An app: its pages, what it remembers, and how one gets from page to page.
#[derive(Debug, Clone)]
pub struct Model {
    pub(super) app: String,
    pub(super) vocabulary: Arc<Vocabulary>,
    pub(super) start: PageId,
    pub(super) pages: Vec<Page>,
    pub(super) by_name: HashMap<String, PageId>,
    pub(super) initial: Vec<(VariableId, Option<Value>)>,
    pub(super) transitions: Vec<Transition>,
}

impl Model {
    /// The name under which its variables form a state of the vocabulary: what guards don't have to say.
    pub const STATE: &str = "App";

    /// The app's name.
    pub fn app(&self) -> &str {
        &self.app
    }

    /// Its variables, as the state `App`, and its primary functions, as actions with their parameters.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The page on which it starts.
    pub fn start(&self) -> PageId {
        self.start
    }

    /// The variables, with their values when the app starts.
    pub fn initial(&self) -> &[(VariableId, Option<Value>)] {
        &self.initial
    }

    /// All pages, in order.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = (PageId, &Page)> {
        self.pages
            .iter()
            .enumerate()
            .map(|(number, page)| (PageId(u32::try_from(number).unwrap_or(u32::MAX)), page))
    }

    /// All transitions, in order.
    pub fn transitions(&self) -> impl ExactSizeIterator<Item = (TransitionId, &Transition)> {
        let numbered = self.transitions.iter().enumerate();
        numbered.map(|(number, one)| (TransitionId(u32::try_from(number).unwrap_or(u32::MAX)), one))
    }

    /// The name of a page.
    pub fn page_name(&self, id: PageId) -> &str {
        self.pages.get(id.index()).map_or("", Page::name)
    }

    /// A transition.
    pub fn transition(&self, id: TransitionId) -> Option<&Transition> {
        self.transitions.get(id.index())
    }

    /// The page of that name.
    pub fn find_page(&self, name: &str) -> Option<PageId> {
        self.by_name.get(name).copied()
    }

    /// A variable of the model.
    pub fn find_variable(&self, name: &str) -> Option<VariableId> {
        self.vocabulary.find_variable(self.vocabulary.find_state(Self::STATE)?, name)
    }
}
