//! The mutable part of an evaluator: what is held, what is true, counters and the undo log.
#![expect(
    clippy::indexing_slicing,
    reason = "every number here was made by the compiler for tables of these very lengths; checks on the hot path \
              would hide a broken network instead of showing it"
)]

use super::{Full, Mark, ValueSource};
use crate::compile::{Check, FALSE_PART, Interner, Network, OperandKind, Slot, Symbol, UNKNOWN_PART};
use crate::ir::Operator;
use crate::schema::{StateId, VariableId, Vocabulary};
use crate::text::{self, Similarity};
use crate::truth::Truth;
use crate::value::{Text, Value};
use hashbrown::HashMap;
use rust_decimal::Decimal;
use std::cmp::Ordering;
use std::sync::Arc;

/// How many answers of text comparisons are remembered.
const CACHED: usize = 1 << 16;

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
    pub(super) cells: Box<[Cell]>,
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

fn truth(parts: u32) -> Truth {
    if parts == 0 {
        Truth::True
    } else if parts >= FALSE_PART {
        Truth::False
    } else {
        Truth::Unknown
    }
}

/// Whether two slots hold the same value; numbers of the same spelling are seen at once.
#[inline]
fn same(left: &Slot, right: &Slot) -> bool {
    match (left, right) {
        (Slot::Number(left), Slot::Number(right)) => order(left, right) == Ordering::Equal,
        (left, right) => left == right,
    }
}

/// The order of two numbers, quickly where they have as many digits behind the point.
#[inline]
fn order(left: &Decimal, right: &Decimal) -> Ordering {
    if left.scale() == right.scale() { left.mantissa().cmp(&right.mantissa()) } else { left.cmp(right) }
}

fn part(truth: Truth) -> u32 {
    const PARTS: [u32; 3] = [FALSE_PART, UNKNOWN_PART, 0];
    PARTS[truth as usize]
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

    /// Sets a variable; whether what is known of it changed.
    ///
    /// Inlined with what follows: a cell that goes through memory in parts costs more than its checks.
    #[inline(always)]
    pub(super) fn set(&mut self, network: &Network, id: u32, slot: Slot, source: ValueSource) -> bool {
        let old = self.cells[id as usize];
        let counts = source == ValueSource::App || !self.demands[id as usize];
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
        let counts = old.source == ValueSource::App || !self.demands[id as usize];
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

    #[inline]
    fn change(&mut self, network: &Network, check: u32, new: Truth) {
        let old = self.truths[check as usize];
        if old != new {
            if self.tentative {
                self.undo.push(Undo::Check(check, old));
            }
            self.set_truth(network, check, new);
        }
    }

    fn set_truth(&mut self, network: &Network, check: u32, new: Truth) {
        let old = std::mem::replace(&mut self.truths[check as usize], new);
        let delta = part(new).wrapping_sub(part(old));
        for predicate in network.targets(&network.check_targets[check as usize]) {
            let before = self.predicates[*predicate as usize];
            let after = before.wrapping_add(delta);
            self.predicates[*predicate as usize] = after;
            let (before, after) = (truth(before), truth(after));
            if before != after {
                let delta = part(after).wrapping_sub(part(before));
                for gate in network.targets(&network.predicate_targets[*predicate as usize]) {
                    self.add(network, *gate, delta);
                }
            }
        }
    }

    /// Changes the unmet parts of a gate, and what hangs on its truth.
    fn add(&mut self, network: &Network, gate: u32, delta: u32) {
        let before = self.gates[gate as usize];
        let after = before.wrapping_add(delta);
        self.gates[gate as usize] = after;
        let (before, after) = (truth(before), truth(after));
        if before == after {
            return;
        }
        let head = network.heads[gate as usize];
        if head.is_prohibition() {
            let standing = &mut self.standing[head.index()];
            if before.is_false() {
                *standing += 1;
            } else if after.is_false() {
                *standing -= 1;
            }
        } else if after.is_true() {
            self.true_gates[head.index()] += 1;
            if head.index() >= network.actions && !self.achieved[head.index()] {
                self.ripe.push(gate);
            }
        } else if before.is_true() {
            self.true_gates[head.index()] -= 1;
        }
    }

    /// Marks an objective, or `Done`, as achieved.
    pub(super) fn achieve(&mut self, network: &Network, objective: usize) {
        if std::mem::replace(&mut self.achieved[objective], true) {
            return;
        }
        let doubted = self.doubted.get(objective).copied().unwrap_or(false);
        for gate in network.alternatives.get(objective) {
            self.live[*gate as usize] = false;
        }
        for gate in network.objective_gates.get(objective) {
            let head = network.heads[*gate as usize];
            let was = if doubted && head.is_prohibition() { UNKNOWN_PART } else { FALSE_PART };
            let open = &mut self.open_objectives[*gate as usize];
            *open -= 1;
            self.live[*gate as usize] = !head.is_prohibition() && *open == 0 && !self.achieved[head.index()];
            self.add(network, *gate, 0_u32.wrapping_sub(was));
        }
    }

    /// Says whether it is unknown if an action was performed: prohibitions that name it are unknown in
    /// that part.
    pub(super) fn doubt(&mut self, network: &Network, action: usize, doubt: bool) {
        if std::mem::replace(&mut self.doubted[action], doubt) == doubt || self.achieved[action] {
            return;
        }
        let delta = UNKNOWN_PART.wrapping_sub(FALSE_PART);
        let delta = if doubt { delta } else { 0_u32.wrapping_sub(delta) };
        for gate in network.objective_gates.get(action) {
            if network.heads[*gate as usize].is_prohibition() {
                self.add(network, *gate, delta);
            }
        }
    }

    /// The truth of a check now. `raw` takes values that don't count at rule level as they are.
    pub(super) fn evaluate(&mut self, network: &Network, check: u32, raw: bool) -> Truth {
        let at = check;
        let check = network.checks[check as usize];
        let left = self.effective(check.variable, raw);
        match check.kind {
            OperandKind::Constant => self.compare(&check, &left, &network.constants[check.operand as usize]),
            OperandKind::Variable => {
                let right = self.effective(check.operand, raw);
                self.compare(&check, &left, &right)
            }
            OperandKind::List => {
                let equal = Check { operator: Operator::Equal, ..check };
                let list = &network.lists[check.operand as usize];
                let found = Truth::any(list.iter().map(|right| self.compare(&equal, &left, right)));
                if check.operator == Operator::NotIn { found.negate() } else { found }
            }
            OperandKind::Observed => self.truths[at as usize],
        }
    }

    fn effective(&self, variable: u32, raw: bool) -> Slot {
        let cell = self.cells[variable as usize];
        if cell.counts || raw { cell.slot } else { Slot::Unknown }
    }

    #[inline]
    fn compare(&mut self, check: &Check, left: &Slot, right: &Slot) -> Truth {
        let order = match (left, right) {
            (Slot::Text(left), Slot::Text(right)) => return self.compare_texts(check, *left, *right),
            (Slot::Number(left), Slot::Number(right)) => order(left, right),
            (Slot::Boolean(left), Slot::Boolean(right)) => left.cmp(right),
            (Slot::Enum(left), Slot::Enum(right)) => left.cmp(right),
            (Slot::Date(left), Slot::Date(right)) => left.cmp(right),
            (Slot::Time(left), Slot::Time(right)) => left.cmp(right),
            _ => return Truth::Unknown,
        };
        Truth::known(match check.operator {
            Operator::Equal | Operator::In => order == Ordering::Equal,
            Operator::NotEqual | Operator::NotIn => order != Ordering::Equal,
            Operator::Less => order == Ordering::Less,
            Operator::LessEqual => order != Ordering::Greater,
            Operator::Greater => order == Ordering::Greater,
            Operator::GreaterEqual => order != Ordering::Less,
            // The checker lets these through for texts alone.
            Operator::Similar | Operator::Contains | Operator::NotContains => return Truth::Unknown,
        })
    }

    fn compare_texts(&mut self, check: &Check, left: Symbol, right: Symbol) -> Truth {
        match check.operator {
            Operator::Equal => self.interner.equal(left, right, check.ignore_case),
            Operator::NotEqual => self.interner.equal(left, right, check.ignore_case).negate(),
            Operator::NotIn => self.answer(Operator::In, check.ignore_case, left, right).negate(),
            Operator::NotContains => self.answer(Operator::In, check.ignore_case, right, left).negate(),
            Operator::Contains => self.answer(Operator::In, check.ignore_case, right, left),
            operator @ (Operator::In | Operator::Similar) => {
                self.answer(operator, check.ignore_case, left, right)
            }
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                Truth::Unknown
            }
        }
    }

    /// `~` and occurrence, remembered.
    fn answer(&mut self, operator: Operator, ignore_case: bool, left: Symbol, right: Symbol) -> Truth {
        let key = (operator, ignore_case, left, right);
        if let Some(truth) = self.answers.get(&key) {
            return *truth;
        }
        let (left, right) = (self.interner.text(left), self.interner.text(right));
        let truth = match operator {
            Operator::Similar => text::similar(left, right, self.measure.as_ref()),
            _ => text::within(left, right, ignore_case),
        };
        if self.answers.len() >= CACHED {
            self.answers.clear();
        }
        self.answers.insert(key, truth);
        truth
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
            + size_of_val(&*self.open_objectives)
            + size_of_val(&*self.achieved)
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
