//! The incremental evaluator: an update costs what it touches.
//!
//! [`Evaluator`] holds what was observed and what follows from it, at *rule level*: a value counts if
//! it is known, comes from a source that its variable accepts, and has not aged. Nothing here decides
//! about actions: that is the gate's. Tentative updates are taken back through an undo log. Must never
//! know the solver.

mod concern;
mod memory;
pub mod naive;
pub mod semantics;
mod update;

use crate::compile::bind::{BindError, Bindings, Given, unused};
pub use crate::compile::intern::Full;
use crate::compile::{Interner, Network, Slot, Symbol};
use crate::ir::{Element, Objective, Specification};
use crate::limits::Limits;
use crate::schema::{ActionId, StateId, VariableId, VariableType, Vocabulary};
use crate::text::Similarity;
use crate::truth::Truth;
use crate::value::{Enumerator, Value};
use chrono::NaiveDate;
pub use concern::Concern;
use memory::Memory;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
pub use update::Assignment;

/// Who says that a variable has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueSource {
    /// The app itself: the default for observations and for what a trigger reports.
    #[default]
    App,
    /// The agent says so.
    Agent,
    /// Something concluded it, a screen reader for one.
    Inferred,
}

/// What is known of a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// The value; nothing if it is unknown.
    pub value: Option<Value>,
    /// Who said so.
    pub source: ValueSource,
    /// Whether it counts at rule level: its variable accepts the source, and it has not aged.
    pub counts: bool,
}

/// A place in the undo log to go back to.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Mark {
    undo: usize,
    ripe: usize,
}

/// A milestone, or the task, that has just been achieved, and the rule that was true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Achieved {
    /// The milestone; nothing for `Done`.
    pub objective: Option<Objective>,
    /// The rule, counted over specification and policies.
    pub rule: usize,
}

/// One of the rule sets that are evaluated together, with its bindings.
#[derive(Debug, Clone)]
pub struct RuleSet {
    specification: Arc<Specification>,
    bindings: Bindings,
    /// The number of its first rule, counted over all sets.
    first: usize,
}

impl RuleSet {
    /// The specification or policy.
    pub fn specification(&self) -> &Arc<Specification> {
        &self.specification
    }

    /// Today and parameters.
    pub fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// The number of its first rule, counted over all sets.
    pub fn first_rule(&self) -> usize {
        self.first
    }
}

/// Evaluates a specification and its policies.
#[derive(Debug, Clone)]
pub struct Evaluator {
    vocabulary: Arc<Vocabulary>,
    sets: Arc<[RuleSet]>,
    network: Arc<Network>,
    memory: Memory,
}

impl Evaluator {
    /// Compiles a specification and policies for one session. Takes time in proportion to their size.
    ///
    /// # Errors
    /// Parameters without a value, values for no parameter or of the wrong type, dates beyond the
    /// calendar.
    pub fn new(
        specification: Arc<Specification>,
        policies: &[Arc<Specification>],
        today: NaiveDate,
        given: &[(String, Given)],
        measure: Arc<dyn Similarity>,
        limits: &Limits,
    ) -> Result<Evaluator, BindError> {
        let vocabulary = Arc::clone(specification.vocabulary());
        let all: Vec<Arc<Specification>> =
            std::iter::once(specification).chain(policies.iter().map(Arc::clone)).collect();
        let borrowed: Vec<&Specification> = all.iter().map(AsRef::as_ref).collect();
        if let Some(fault) = unused(given, &borrowed) {
            return Err(BindError::Fault(fault));
        }
        let mut sets = Vec::with_capacity(all.len());
        let mut first = 0;
        for specification in all {
            let bindings = Bindings::new(&specification, today, given)?;
            let rules = specification.rules().len();
            sets.push(RuleSet { specification, bindings, first });
            first += rules;
        }
        let mut interner = Interner::new(limits.texts);
        let pairs: Vec<(&Specification, &Bindings)> =
            sets.iter().map(|set| (set.specification.as_ref(), &set.bindings)).collect();
        let network = Network::build(&vocabulary, &pairs, &mut interner);
        interner.seal();
        let memory = Memory::new(&network, &vocabulary, interner, measure);
        Ok(Evaluator { vocabulary, sets: sets.into(), network: Arc::new(network), memory })
    }

    /// The vocabulary.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The specification first, then the policies.
    pub fn sets(&self) -> &[RuleSet] {
        &self.sets
    }

    /// The set that a rule, counted over all sets, belongs to, and its number there.
    pub fn locate(&self, rule: usize) -> Option<(&RuleSet, usize)> {
        let set = self.sets.iter().rev().find(|set| set.first <= rule)?;
        Some((set, rule - set.first))
    }

    /// The measure behind `~`.
    pub fn measure(&self) -> &dyn Similarity {
        self.memory.measure()
    }

    /// What is known of a variable.
    pub fn fact(&self, id: VariableId) -> Fact {
        let cell = self.memory.cell(id);
        Fact { value: self.value(id, cell.slot), source: cell.source, counts: cell.counts }
    }

    /// Whether what is known of a variable differs from a value, without making texts.
    pub fn snapshot(&self, id: VariableId) -> Snapshot {
        Snapshot(self.memory.cell(id).slot)
    }

    /// Whether what is known of a variable differs from a snapshot, for all that the variable tells
    /// apart: texts that it takes for the same, or that look alike, don't.
    pub fn differs(&self, id: VariableId, then: Snapshot) -> bool {
        match (self.memory.cell(id).slot, then.0) {
            (Slot::Text(now), Slot::Text(then)) if now != then => {
                let text = |symbol| self.memory.interner.text(symbol);
                self.tells_apart(id, text(now), text(then))
            }
            (now, then) => now != then,
        }
    }

    /// As [`Evaluator::differs`], from a value.
    pub fn differs_from(&self, id: VariableId, then: Option<&Value>) -> bool {
        match (self.fact(id).value, then) {
            (Some(Value::Text(now)), Some(Value::Text(then))) if now != *then => {
                self.tells_apart(id, now.as_str(), then.as_str())
            }
            (now, then) => now.as_ref() != then,
        }
    }

    fn tells_apart(&self, id: VariableId, one: &str, other: &str) -> bool {
        crate::text::equal(one, other, self.vocabulary.variable(id).ignores_case()).is_false()
    }

    /// The value that a snapshot holds of a variable.
    pub fn snapshot_value(&self, id: VariableId, snapshot: Snapshot) -> Option<Value> {
        self.value(id, snapshot.0)
    }

    /// The snapshot of a value.
    ///
    /// # Errors
    /// If no more texts can be remembered.
    pub fn snapshot_of(&mut self, value: Option<&Value>) -> Result<Snapshot, Full> {
        self.memory.slot(value).map(Snapshot)
    }

    fn value(&self, id: VariableId, slot: Slot) -> Option<Value> {
        Some(match slot {
            Slot::Unknown => return None,
            Slot::Text(symbol) => Value::Text(self.memory.interner.shared(symbol)),
            Slot::Number(number) => Value::Number(number),
            Slot::Boolean(value) => Value::Boolean(value),
            Slot::Date(date) => Value::Date(date),
            Slot::Time(time) => Value::Time(time),
            Slot::Enum(index) => match self.vocabulary.variable(id).variable_type() {
                VariableType::Enum(enumeration) => Value::Enum(Enumerator {
                    index,
                    name: enumeration.names.get(usize::from(index))?.clone(),
                }),
                _ => return None,
            },
        })
    }

    /// Whether a variable of the state has been observed, by a source that counts.
    pub fn is_observed(&self, state: StateId) -> bool {
        self.memory.observed(state)
    }

    /// Whether an objective is achieved.
    pub fn is_achieved(&self, objective: Objective) -> bool {
        self.memory.achieved(self.network.objective(objective))
    }

    /// Whether a rule for `Done` has been true.
    pub fn is_done(&self) -> bool {
        self.memory.achieved(self.network.done())
    }

    /// Whether a rule for the action is true now, tentative updates included.
    pub fn is_ready(&self, action: ActionId) -> bool {
        self.memory.true_gates(action.index()) > 0
    }

    /// The rules for an action that are true now, counted over all sets, in order.
    pub fn true_rules(&self, action: ActionId) -> impl Iterator<Item = usize> {
        let gates = self.network.alternatives.get(action.index()).iter();
        gates.filter(|gate| self.memory.gate(**gate).is_true()).map(|gate| self.rule_of(*gate))
    }

    /// The rules for an action, counted over all sets, in order.
    pub fn rules_for(&self, action: ActionId) -> impl Iterator<Item = usize> {
        self.network.alternatives.get(action.index()).iter().map(|gate| self.rule_of(*gate))
    }

    /// Whether a prohibition that concerns the action is not false now.
    pub fn is_prohibited(&self, action: ActionId) -> bool {
        self.memory.standing(action.index()) + self.memory.standing(self.network.every_action()) > 0
    }

    /// The prohibitions that concern the action and are not false now, counted over all sets.
    pub fn standing_prohibitions(&self, action: ActionId) -> impl Iterator<Item = usize> {
        let own = self.network.prohibitions.get(action.index()).iter();
        let general = self.network.prohibitions.get(self.network.every_action()).iter();
        own.chain(general).filter(|gate| !self.memory.gate(**gate).is_false()).map(|gate| self.rule_of(*gate))
    }

    fn rule_of(&self, gate: u32) -> usize {
        self.network.gate_rules.get(gate as usize).map_or(0, |rule| *rule as usize)
    }

    /// The value of an element of a rule set's constraint.
    pub fn element(&self, set: &RuleSet, element: &Element) -> Option<Value> {
        set.bindings.value(element)
    }

    /// Bytes of the compiled network, of the counters, and of what is held for variables.
    pub fn bytes(&self) -> (usize, usize, usize) {
        let (counters, cells) = self.memory.bytes();
        (self.network.bytes(), counters, cells)
    }
}

/// A value that was held at some moment, cheap to copy and to compare within one evaluator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot(Slot);

impl Snapshot {
    pub(crate) fn symbol(self) -> Option<Symbol> {
        match self.0 {
            Slot::Text(symbol) => Some(symbol),
            _ => None,
        }
    }
}

impl semantics::View for Evaluator {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn fact(&self, id: VariableId) -> Fact {
        Evaluator::fact(self, id)
    }

    fn observed(&self, state: StateId) -> bool {
        self.is_observed(state)
    }

    fn objective(&self, objective: Objective) -> Truth {
        match objective {
            _ if self.is_achieved(objective) => Truth::True,
            Objective::Action(action) if self.memory.doubted(action.index()) => Truth::Unknown,
            _ => Truth::False,
        }
    }

    fn measure(&self) -> &dyn Similarity {
        self.memory.measure()
    }
}
