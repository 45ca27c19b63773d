//! Constraints, predicates and rules as claims: what is fixed for all questions, and what was encoded so far.
//!
//! Knows the parts of a problem; must never know how a rule or a value is written for the solver.

mod ask;
mod claim;
mod rules;
mod variables;

use super::check::{self, Bounds};
use super::classes::Classes;
use super::constraints::Truths;
use super::model::{Model, Raw};
use super::terms::{self, DAYS, Members};
use super::texts::{Class, TextSort};
use crate::compile::bind::Given;
use crate::ir::{Constraint, Operand, Operator, Specification};
use crate::schema::{Enumeration, StateId, VariableId, Vocabulary};
use crate::text::{self, Similarity};
use crate::value::Text;
pub use ask::Answer;
use chrono::NaiveDate;
pub use claim::Claim;
pub(super) use claim::{conjunction, disjunction};
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
pub(super) use variables::{Parameter, Slot};
use z3::Solver;
use z3::ast::{Bool, Int};

/// The first day of the year 2000: today, where any day will do.
const ANY_DAY: i64 = 730_120;

/// What is fixed for all questions to a problem.
#[derive(Clone)]
pub struct Setting {
    /// Today; any day if there is none.
    pub today: Option<NaiveDate>,
    /// Values of parameters; those that are not given may have any.
    pub parameters: Vec<(String, Given)>,
    /// The measure behind `~`.
    pub measure: Arc<dyn Similarity>,
    /// How much a question may cost.
    pub bounds: Bounds,
    /// Whether texts range over a list of likely ones even where others could matter: a yes is a yes then,
    /// and quickly found; a no says nothing unless [`Problem::is_exact`].
    pub closed: bool,
}

impl Default for Setting {
    fn default() -> Setting {
        let measure = Arc::new(text::LocalSimilarity);
        Setting { today: None, parameters: Vec::new(), measure, bounds: Bounds::default(), closed: true }
    }
}

/// A constraint that was encoded.
#[derive(Debug, Clone)]
pub(super) struct Encoded {
    pub(super) constraint: Constraint,
    pub(super) set: usize,
    /// Whether it is about arguments as they were performed.
    pub(super) committed: bool,
    pub(super) truths: Truths,
    /// Whether the theory may be wrong about it.
    pub(super) open: bool,
}

/// Rule sets of one vocabulary, encoded as they are asked about.
pub struct Problem {
    pub(super) solver: Solver,
    pub(super) vocabulary: Arc<Vocabulary>,
    sets: Vec<Arc<Specification>>,
    pub(super) setting: Setting,
    pub(super) today: Int,
    pub(super) slots: BTreeMap<VariableId, Slot>,
    /// Arguments as they were when their action was performed: what milestones and the end of the task
    /// see while an action is attempted with others.
    pub(super) committed: BTreeMap<VariableId, Slot>,
    /// Whether what is encoded now sees those.
    pub(super) sees_committed: bool,
    pub(super) parameters: BTreeMap<Text, Parameter>,
    pub(super) observed: BTreeMap<StateId, Bool>,
    pub(super) encoded: Vec<Encoded>,
    /// Where a constraint stands in `encoded`, by what it says.
    pub(super) places: HashMap<(usize, bool, VariableId, Operator, Operand), usize>,
    enumerations: Vec<(Arc<Enumeration>, Members)>,
    texts: HashMap<usize, TextSort>,
    classes: Classes,
    guards: HashMap<Bool, Bool>,
    /// The texts that are tried first for a term.
    pub(super) candidates: HashMap<z3::ast::String, Vec<String>>,
    /// What witnesses should be like, if they can.
    wishes: Vec<Bool>,
    asked: u32,
}

impl Problem {
    /// Specifications and policies of one vocabulary.
    pub fn new(sets: &[Arc<Specification>], setting: Setting) -> Option<Problem> {
        let vocabulary = Arc::clone(sets.first()?.vocabulary());
        let solver = Solver::new();
        check::bound(&solver, &setting.bounds);
        let today = Int::new_const("today");
        solver.assert(today.ge(DAYS.0));
        solver.assert(today.le(DAYS.1));
        let mut wishes = Vec::new();
        match setting.today {
            Some(day) => solver.assert(today.eq(terms::days(day))),
            None => wishes.push(today.eq(ANY_DAY)),
        }
        let mut problem = Problem {
            solver,
            vocabulary,
            sets: sets.to_vec(),
            classes: Classes::of(sets, &setting.parameters),
            setting,
            today,
            slots: BTreeMap::new(),
            committed: BTreeMap::new(),
            sees_committed: false,
            parameters: BTreeMap::new(),
            observed: BTreeMap::new(),
            encoded: Vec::new(),
            places: HashMap::new(),
            enumerations: Vec::new(),
            texts: HashMap::new(),
            guards: HashMap::new(),
            candidates: HashMap::new(),
            wishes,
            asked: 0,
        };
        for set in 0..problem.sets.len() {
            problem.milestones(set);
        }
        Some(problem)
    }

    /// The rule sets.
    pub fn sets(&self) -> &[Arc<Specification>] {
        &self.sets
    }

    /// Whether every no is a no.
    pub fn is_exact(&self) -> bool {
        !self.setting.closed || self.classes.classes.iter().all(Class::is_exact)
    }

    /// How many checks were made.
    pub fn asked(&self) -> u32 {
        self.asked
    }

    /// The values of a model.
    pub fn decode(&self, raw: &Raw) -> Option<Model> {
        Model::decode(self, raw)
    }

    pub(super) fn enumerations(&self) -> impl Iterator<Item = &(Arc<Enumeration>, Members)> {
        self.enumerations.iter()
    }
}
