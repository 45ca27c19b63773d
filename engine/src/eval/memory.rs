//! The mutable part of an evaluator: what is held, what is true, counters and the undo log.
//!
//! Knows the compiled network; must never know rules, nor when something is committed.
#![expect(
    clippy::indexing_slicing,
    reason = "every number here was made by the compiler for tables of these very lengths; checks on the hot path \
              would hide a broken network instead of showing it"
)]

mod compare;
mod count;

use super::{Full, Mark, ValueSource};
use crate::compile::{Check, Interner, Network, OperandKind, Slot, Symbol};
use crate::ir::Operator;
use crate::schema::{StateId, VariableId, Vocabulary};
use crate::text::Similarity;
use crate::truth::Truth;
use crate::value::{Text, Value};
use compare::same;
use count::truth;
use hashbrown::HashMap;
use std::sync::Arc;

/// What is held for a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) slot: Slot,
    pub(super) source: ValueSource,
    pub(super) counts: bool,
}

#[derive(Debug, Clone)]
enum Undo {
    Observed(u32),
    Cell(u32, Cell),
    Check(u32, Truth),
}

#[derive(Debug, Clone)]
pub(super) struct Memory {
    pub(super) interner: Interner,
    measure: Arc<dyn Similarity>,
    /// Answers of `~`, `in` and `contains`, by check and symbols.
    answers: HashMap<(Operator, bool, Symbol, Symbol), Truth>,
    cells: Box<[Cell]>,
    /// Whether each variable demands the app's values.
    demands: Box<[bool]>,
    /// The state of each variable.
    states: Box<[u32]>,
    /// Whether a variable of each state has been observed.
    observed: Box<[bool]>,
    truths: Box<[Truth]>,
    predicates: Box<[u32]>,
    gates: Box<[u32]>,
    /// How many objectives of each gate's body are not achieved.
    open_objectives: Box<[u16]>,
    /// Whether each gate is a live rule: its head not achieved, every objective in its body is.
    pub(super) live: Box<[bool]>,
    achieved: Box<[bool]>,
    doubted: Box<[bool]>,
    true_gates: Box<[u32]>,
    standing: Box<[u32]>,
    /// Gates of milestones and `Done` that became true and were not settled.
    pub(super) ripe: Vec<u32>,
    undo: Vec<Undo>,
    tentative: bool,
    pub(super) stamps: Box<[u32]>,
    pub(super) round: u32,
    pub(super) concerned: Vec<u32>,
    /// Texts of the update that is being applied.
    pub(super) symbols: Vec<Symbol>,
    pub(super) changed: Vec<u32>,
}

impl Memory {
    pub(super) fn new(
        network: &Network,
        vocabulary: &Vocabulary,
        interner: Interner,
        measure: Arc<dyn Similarity>,
    ) -> Memory {
        let empty = Cell { slot: Slot::Unknown, source: ValueSource::App, counts: true };
        let mut truths = vec![Truth::Unknown; network.checks.len()].into_boxed_slice();
        for (truth, check) in truths.iter_mut().zip(&network.checks) {
            if check.kind == OperandKind::Observed {
                *truth = Truth::False;
            }
        }
        let mut standing = vec![0; network.actions + 1].into_boxed_slice();
        for (head, parts) in network.heads.iter().zip(&network.gate_start) {
            if head.is_prohibition() && !truth(*parts).is_false() {
                standing[head.index()] += 1;
            }
        }
        Memory {
            interner,
            measure,
            answers: HashMap::new(),
            cells: vec![empty; vocabulary.variables.len()].into_boxed_slice(),
            demands: vocabulary.variables.iter().map(|variable| variable.app_only).collect(),
            states: vocabulary.variables.iter().map(|variable| variable.state.0).collect(),
            observed: vec![false; vocabulary.states.len()].into_boxed_slice(),
            truths,
            predicates: network.predicate_start.clone(),
            gates: network.gate_start.clone(),
            open_objectives: network.gate_objectives.clone(),
            live: network
                .heads
                .iter()
                .zip(&network.gate_objectives)
                .map(|(head, open)| !head.is_prohibition() && *open == 0)
                .collect(),
            achieved: vec![false; network.objectives + 1].into_boxed_slice(),
            doubted: vec![false; network.actions].into_boxed_slice(),
            true_gates: vec![0; network.objectives + 1].into_boxed_slice(),
            standing,
            ripe: Vec::new(),
            undo: Vec::new(),
            tentative: false,
            stamps: vec![0; network.heads.len()].into_boxed_slice(),
            round: 0,
            concerned: Vec::new(),
            symbols: Vec::new(),
            changed: Vec::new(),
        }
    }

    pub(super) fn measure(&self) -> &dyn Similarity {
        self.measure.as_ref()
    }

    pub(super) fn cell(&self, VariableId(id): VariableId) -> Cell {
        self.cells[id as usize]
    }

    pub(super) fn observed(&self, StateId(state): StateId) -> bool {
        self.observed[state as usize]
    }

    pub(super) fn achieved(&self, objective: usize) -> bool {
        self.achieved[objective]
    }

    pub(super) fn doubted(&self, action: usize) -> bool {
        self.doubted[action]
    }

    pub(super) fn true_gates(&self, objective: usize) -> u32 {
        self.true_gates[objective]
    }

    pub(super) fn standing(&self, scope: usize) -> u32 {
        self.standing[scope]
    }

    pub(super) fn gate(&self, gate: u32) -> Truth {
        truth(self.gates[gate as usize])
    }

    pub(super) fn truth(&self, check: u32) -> Truth {
        self.truths[check as usize]
    }

    /// From here on changes can be taken back.
    pub(super) fn mark(&mut self) -> Mark {
        self.tentative = true;
        Mark { undo: self.undo.len(), ripe: self.ripe.len() }
    }

    /// Takes back everything since the mark, last first.
    pub(super) fn rollback(&mut self, network: &Network, mark: Mark) {
        self.tentative = false;
        while self.undo.len() > mark.undo {
            match self.undo.pop() {
                Some(Undo::Observed(state)) => self.observed[state as usize] = false,
                Some(Undo::Cell(id, cell)) => self.cells[id as usize] = cell,
                Some(Undo::Check(check, truth)) => self.set_truth(network, check, truth),
                None => break,
            }
        }
        self.tentative = !self.undo.is_empty();
        self.ripe.truncate(mark.ripe);
    }

    /// The symbol of a text for a variable: without a search where the variable holds that very text.
    #[inline]
    pub(super) fn symbol(&mut self, id: VariableId, text: &Text) -> Result<Symbol, Full> {
        match self.cell(id).slot {
            Slot::Text(held) if self.interner.holds(held, text) => Ok(held),
            _ => self.interner.intern(text),
        }
    }

    /// The slot of a value, its text interned.
    pub(super) fn slot(&mut self, value: Option<&Value>) -> Result<Slot, Full> {
        match value {
            None => Ok(Slot::Unknown),
            Some(Value::Text(text)) => self.interner.intern(text).map(Slot::Text),
            Some(value) => Ok(Slot::plain(value)),
        }
    }

    /// Whether a variable accepts values of a source.
    #[inline(always)]
    fn accepts(&self, id: u32, source: ValueSource) -> bool {
        source == ValueSource::App || !self.demands[id as usize]
    }

    /// Sets a variable; whether what is known of it changed.
    ///
    /// Inlined with what follows: a cell that goes through memory in parts costs more than its checks.
    #[inline(always)]
    pub(super) fn set(&mut self, network: &Network, id: u32, slot: Slot, source: ValueSource) -> bool {
        let old = self.cells[id as usize];
        let counts = self.accepts(id, source);
        let new = Cell { slot, source, counts };
        if old.source == source && old.counts == counts && same(&old.slot, &slot) {
            return false;
        }
        self.replace(network, id, old, new);
        true
    }

    /// Makes a value count no longer: it has aged.
    pub(super) fn expire(&mut self, network: &Network, id: u32) -> bool {
        let old = self.cells[id as usize];
        if old.slot == Slot::Unknown || !old.counts {
            return false;
        }
        self.replace(network, id, old, Cell { counts: false, ..old });
        true
    }

    /// Makes a value count again that did not, if its source does.
    pub(super) fn resume(&mut self, network: &Network, id: u32) {
        let old = self.cells[id as usize];
        let counts = self.accepts(id, old.source);
        if old.counts != counts {
            self.replace(network, id, old, Cell { counts, ..old });
        }
    }

    /// The variables that changed since the mark.
    pub(super) fn changed_since(&self, mark: Mark) -> impl Iterator<Item = u32> {
        let changed = |undo: &Undo| match undo {
            Undo::Cell(id, before) => (!same(&before.slot, &self.cells[*id as usize].slot)).then_some(*id),
            Undo::Observed(_) | Undo::Check(..) => None,
        };
        self.undo.iter().skip(mark.undo).filter_map(changed)
    }

    #[inline(always)]
    fn replace(&mut self, network: &Network, id: u32, old: Cell, new: Cell) {
        if self.tentative {
            self.undo.push(Undo::Cell(id, old));
        }
        self.cells[id as usize] = new;
        if new.counts && new.slot != Slot::Unknown {
            self.observe(network, self.states[id as usize]);
        }
        for check in network.checks_of(VariableId(id)) {
            // The new value is still at hand: it need not be read back.
            let truth = match (&network.checks[*check as usize], new.counts) {
                (check @ Check { kind: OperandKind::Constant, .. }, true) => {
                    self.compare(check, &new.slot, &network.constants[check.operand as usize])
                }
                _ => self.evaluate(network, *check, false),
            };
            self.change(network, *check, truth);
        }
    }

    /// A variable of the state has been observed.
    pub(super) fn observe(&mut self, network: &Network, state: u32) {
        if std::mem::replace(&mut self.observed[state as usize], true) {
            return;
        }
        if self.tentative {
            self.undo.push(Undo::Observed(state));
        }
        if let Some(check) = network.observed_checks.get(state as usize)
            && *check != u32::MAX
        {
            self.change(network, *check, Truth::True);
        }
    }

    /// Forgets texts that nothing refers to: neither a variable nor one of `also`.
    pub(super) fn release_texts(&mut self, also: impl Iterator<Item = Symbol>) {
        let held = self.cells.iter().filter_map(|cell| match cell.slot {
            Slot::Text(symbol) => Some(symbol),
            _ => None,
        });
        // While something is tentative, its old values are only in the log.
        let logged = self.undo.iter().filter_map(|undo| match undo {
            Undo::Cell(_, Cell { slot: Slot::Text(symbol), .. }) => Some(*symbol),
            _ => None,
        });
        let applied = self.symbols.iter().copied();
        let live: hashbrown::HashSet<Symbol> = held.chain(logged).chain(applied).chain(also).collect();
        self.interner.release(|symbol| live.contains(&symbol));
        // Symbols will be given again to other texts.
        self.answers.clear();
    }

    /// Bytes of counters and truths, and of what is held for variables.
    pub(super) fn bytes(&self) -> (usize, usize) {
        let counters = size_of_val(&*self.truths)
            + size_of_val(&*self.predicates)
            + size_of_val(&*self.gates)
            + size_of_val(&*self.open_objectives)
            + size_of_val(&*self.live)
            + size_of_val(&*self.achieved)
            + size_of_val(&*self.doubted)
            + size_of_val(&*self.true_gates)
            + size_of_val(&*self.standing)
            + size_of_val(&*self.stamps);
        let cells = size_of_val(&*self.cells)
            + size_of_val(&*self.demands)
            + size_of_val(&*self.states)
            + size_of_val(&*self.observed)
            + self.interner.bytes();
        (counters, cells)
    }
}
