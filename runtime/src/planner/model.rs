//! A checked model.

use intentgate_engine::ir::{Constraint, Operand, PredicateKind, Specification};
use intentgate_engine::json::Node;
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
    pub(super) app: usize,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) span: Span,
}

impl Page {
    /// Its name; where there are several apps, `App.Page`.
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
    /// Where it is written.
    pub(super) span: Span,
    /// Where its guard is written.
    pub(super) guard_span: Span,
    pub(super) update: Vec<(VariableId, Operand)>,
    pub(super) update_text: String,
    pub(super) cost: u32,
    pub(super) origin: Origin,
    pub(super) count: u64,
    pub(super) link: Option<Arc<Link>>,
}

/// What a transition is to the gate.
#[derive(Debug, Clone, Default)]
pub(super) struct Link {
    /// The action; the event without this.
    pub(super) action: Option<String>,
    /// The arguments of the action, by name.
    pub(super) arguments: Vec<Linked>,
    /// The update that comes with it, by `State.variable`.
    pub(super) causes: Vec<Linked>,
    /// What is seen after it, by `State.variable`.
    pub(super) observes: Vec<Linked>,
}

/// What a transition gives a variable of the vocabulary, or an argument.
#[derive(Debug, Clone)]
pub(super) struct Linked {
    pub(super) name: String,
    pub(super) stated: Stated,
    pub(super) span: Span,
}

/// As [`super::declare::Said`]; any value where there is no list.
#[derive(Debug, Clone)]
pub(super) enum Stated {
    Value(Node),
    Choose(Option<Vec<Node>>),
    Expect(Option<Vec<Node>>),
    Variable(VariableId),
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

    /// Whether it only leads from page to page: it says nothing to the gate, performs no function and changes
    /// no variable.
    pub fn is_plain(&self) -> bool {
        self.link.is_none() && self.function.is_none() && self.update.is_empty()
    }

    /// The action as the gate knows it.
    pub fn action(&self) -> &str {
        self.link.as_ref().and_then(|link| link.action.as_deref()).unwrap_or(&self.event)
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

/// An app, or several: pages, what is remembered, and how one gets from page to page.
#[derive(Debug, Clone)]
pub struct Model {
    /// The name of the app, or of all of them.
    pub(super) app: String,
    /// The names of the apps.
    pub(super) apps: Vec<String>,
    pub(super) vocabulary: Arc<Vocabulary>,
    pub(super) start: PageId,
    /// The page on which each app starts.
    pub(super) starts: Vec<PageId>,
    pub(super) pages: Vec<Page>,
    pub(super) by_name: HashMap<String, PageId>,
    /// Where the functions are written, in their order.
    pub(super) functions: Vec<Span>,
    pub(super) initial: Vec<(VariableId, Option<Value>)>,
    pub(super) transitions: Vec<Transition>,
}

impl Model {
    /// The state of the vocabulary that the variables of a single app form: what guards don't have to say. Of
    /// several apps each has a state of its name.
    pub const STATE: &str = "App";

    /// The names of the apps, in order.
    pub fn apps(&self) -> impl ExactSizeIterator<Item = &str> {
        self.apps.iter().map(String::as_str)
    }

    /// The page on which an app starts.
    pub fn start_of(&self, app: &str) -> Option<PageId> {
        self.starts.get(self.apps.iter().position(|known| known == app)?).copied()
    }

    /// The app of a page.
    pub fn app_of(&self, page: PageId) -> &str {
        let app = self.pages.get(page.index()).and_then(|page| self.apps.get(page.app));
        app.map_or("", String::as_str)
    }

    /// The name of the app, or of all of them.
    pub fn app(&self) -> &str {
        &self.app
    }

    /// The state of the vocabulary for an app's variables.
    pub(super) fn state_name(apps: &[String], app: usize) -> &str {
        match apps {
            [_] => Model::STATE,
            apps => apps.get(app).map_or("", String::as_str),
        }
    }

    /// Its variables, as states, and its primary functions, as actions with their parameters.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// Where a function is written.
    pub(super) fn function_span(&self, id: ActionId) -> Span {
        self.functions.get(id.index()).copied().unwrap_or_default()
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

    /// The page of that name; of several apps `App.Page`, or the page's own name if only one has it.
    pub fn find_page(&self, name: &str) -> Option<PageId> {
        if let Some(page) = self.by_name.get(name) {
            return Some(*page);
        }
        let own = |page: &Page| page.name.split_once('.').is_some_and(|(_, own)| own == name);
        let mut found = self.pages().filter(|(_, page)| self.apps.len() > 1 && own(page)).map(|(id, _)| id);
        let first = found.next();
        if found.next().is_some() { None } else { first }
    }

    /// Whether several apps have a page of that name.
    pub(crate) fn has_page_of_several(&self, name: &str) -> bool {
        let own = |page: &Page| page.name.split_once('.').is_some_and(|(_, own)| own == name);
        self.apps.len() > 1 && self.pages().filter(|(_, page)| own(page)).count() > 1
    }

    /// A variable of the model; of several apps `App.variable`, or its own name if only one has it.
    pub fn find_variable(&self, name: &str) -> Option<VariableId> {
        if self.apps.len() > 1
            && let Some((state, name)) = name.split_once('.')
        {
            return self.vocabulary.find_variable(self.vocabulary.find_state(state)?, name);
        }
        let states = (0..self.apps.len()).map(|app| Model::state_name(&self.apps, app));
        let states = states.filter_map(|state| self.vocabulary.find_state(state));
        let mut found = states.filter_map(|state| self.vocabulary.find_variable(state, name));
        let first = found.next();
        if found.next().is_some() { None } else { first }
    }

    /// The name of a variable, as [`Model::find_variable`] finds it.
    pub fn variable_name(&self, id: VariableId) -> String {
        match self.apps.len() {
            1 => self.vocabulary.variable(id).name().to_owned(),
            _ => self.vocabulary.path(id),
        }
    }
}
