//! Builds a [`Network`].

use super::bind::Bindings;
use super::{
    Check, FALSE_PART, FAN, Head, Interner, Network, OperandKind, Runs, Slot, Target, UNKNOWN_PART, number,
};
use crate::ir::{self, Element, Objective, Operand, PredicateKind, Specification};
use crate::schema::{StateId, VariableId, Vocabulary};
use crate::value::Value;
use hashbrown::HashMap;

impl Network {
    /// Compiles a specification and its policies, each with its bindings. Takes time in proportion
    /// to their size.
    pub(crate) fn build(
        vocabulary: &Vocabulary,
        sets: &[(&Specification, &Bindings)],
        interner: &mut Interner,
    ) -> Network {
        let milestones = sets.first().map_or(0, |(specification, _)| specification.milestones.len());
        let mut builder = Builder {
            vocabulary,
            interner,
            network: Network {
                actions: vocabulary.actions.len(),
                objectives: vocabulary.actions.len() + milestones,
                ..Network::default()
            },
            checks: Ids::default(),
            constants: Ids::default(),
            lists: Ids::default(),
            predicates: HashMap::new(),
            check_edges: Vec::new(),
            predicate_edges: Vec::new(),
            predicate_start: Vec::new(),
            gates: Vec::new(),
            objective_edges: Vec::new(),
        };
        let mut rule_number = 0;
        for (specification, bindings) in sets {
            for rule in specification.rules() {
                builder.rule(specification, bindings, rule, rule_number);
                rule_number += 1;
            }
        }
        builder.finish()
    }
}

/// Things that occur once, with their numbers.
struct Ids<T> {
    items: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Ids<T> {
    fn default() -> Ids<T> {
        Ids { items: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Ids<T> {
    fn of(&mut self, item: T) -> u32 {
        *self.numbers.entry(item).or_insert_with_key(|item| {
            self.items.push(item.clone());
            number(self.items.len() - 1)
        })
    }
}

struct Gate {
    head: Head,
    rule: u32,
    start: u32,
    objectives: u16,
}

struct Builder<'b> {
    vocabulary: &'b Vocabulary,
    interner: &'b mut Interner,
    network: Network,
    checks: Ids<Check>,
    constants: Ids<Slot>,
    lists: Ids<Box<[Slot]>>,
    predicates: HashMap<Box<[u32]>, u32>,
    /// (from, to) pairs, ascending in `to`.
    check_edges: Vec<(u32, u32)>,
    predicate_edges: Vec<(u32, u32)>,
    predicate_start: Vec<u32>,
    gates: Vec<Gate>,
    objective_edges: Vec<(u32, u32)>,
}

impl Builder<'_> {
    fn rule(
        &mut self,
        specification: &Specification,
        bindings: &Bindings,
        rule: &ir::Rule,
        rule_number: usize,
    ) {
        let mut predicates = Vec::new();
        let mut objectives = Vec::new();
        // The actions that a prohibition concerns: those it names, bare or by their arguments.
        let mut named = Vec::new();
        for predicate in specification.body(rule) {
            match predicate.kind() {
                PredicateKind::Objective(objective) => {
                    objectives.push(self.network.objective(objective));
                    if let Objective::Action(action) = objective {
                        named.push(action.index());
                    }
                }
                PredicateKind::State { state, .. } => {
                    predicates.push(self.predicate(specification, bindings, state, predicate));
                    if let Some(action) = self.vocabulary.state(state).arguments_of() {
                        named.push(action.index());
                    }
                }
            }
        }
        for list in [&mut objectives, &mut named] {
            list.sort_unstable();
            list.dedup();
        }
        predicates.sort_unstable();
        predicates.dedup();
        match rule.head() {
            ir::Head::Objective(objective) => {
                let head = Head::rule(self.network.objective(objective));
                self.gate(head, rule_number, &predicates, &objectives);
            }
            ir::Head::Done => {
                self.gate(Head::rule(self.network.done()), rule_number, &predicates, &objectives)
            }
            ir::Head::Never if named.is_empty() => {
                let head = Head::prohibition(self.network.every_action());
                self.gate(head, rule_number, &predicates, &objectives);
            }
            ir::Head::Never => {
                for action in named {
                    // The action being attempted counts as achieved.
                    let others: Vec<usize> = objectives.iter().copied().filter(|o| *o != action).collect();
                    self.gate(Head::prohibition(action), rule_number, &predicates, &others);
                }
            }
        }
    }

    fn gate(&mut self, head: Head, rule: usize, predicates: &[u32], objectives: &[usize]) {
        let gate = number(self.gates.len());
        let mut start = 0;
        for predicate in predicates {
            self.predicate_edges.push((*predicate, gate));
            let parts = self.predicate_start.get(*predicate as usize).copied().unwrap_or(FALSE_PART);
            start += if parts >= FALSE_PART { FALSE_PART } else { UNKNOWN_PART };
        }
        for objective in objectives {
            self.objective_edges.push((number(*objective), gate));
            start += FALSE_PART;
        }
        // Bodies are bounded by 65,000 predicates.
        let objectives = u16::try_from(objectives.len()).unwrap_or(u16::MAX);
        self.gates.push(Gate { head, rule: number(rule), start, objectives });
    }

    fn predicate(
        &mut self,
        specification: &Specification,
        bindings: &Bindings,
        state: StateId,
        predicate: &ir::Predicate,
    ) -> u32 {
        let constraints = specification.constraints(predicate);
        let mut checks: Vec<u32> = if constraints.is_empty() {
            vec![self.observed(state)]
        } else {
            constraints.iter().map(|constraint| self.check(bindings, constraint)).collect()
        };
        checks.sort_unstable();
        checks.dedup();
        if let Some(id) = self.predicates.get(checks.as_slice()) {
            return *id;
        }
        let id = number(self.predicate_start.len());
        let unknown = u32::try_from(checks.len()).unwrap_or(u32::MAX) * UNKNOWN_PART;
        self.predicate_start.push(if constraints.is_empty() { FALSE_PART } else { unknown });
        self.check_edges.extend(checks.iter().map(|check| (*check, id)));
        self.predicates.insert(checks.into_boxed_slice(), id);
        id
    }

    /// The check that a variable of the state has been observed.
    fn observed(&mut self, state: StateId) -> u32 {
        self.checks.of(Check {
            variable: state.0,
            operand: 0,
            operator: ir::Operator::Equal,
            kind: OperandKind::Observed,
            ignore_case: false,
        })
    }

    fn check(&mut self, bindings: &Bindings, constraint: &ir::Constraint) -> u32 {
        let declared = self.vocabulary.variable(constraint.variable());
        let mut ignore_case = declared.ignore_case;
        let (kind, operand) = match constraint.operand() {
            Operand::Single(element) => {
                let slot = self.slot(bindings, element);
                (OperandKind::Constant, self.constants.of(slot))
            }
            Operand::Variable(VariableId(other)) => {
                ignore_case |= self.vocabulary.variable(VariableId(*other)).ignore_case;
                (OperandKind::Variable, *other)
            }
            Operand::List(elements) => {
                let slots = elements.iter().map(|element| self.slot(bindings, element)).collect();
                (OperandKind::List, self.lists.of(slots))
            }
        };
        let VariableId(variable) = constraint.variable();
        self.checks.of(Check { variable, operand, operator: constraint.operator(), kind, ignore_case })
    }

    /// A value that can't be bound is unknown, so that nothing holds of it.
    fn slot(&mut self, bindings: &Bindings, element: &Element) -> Slot {
        match bindings.value(element) {
            Some(Value::Text(text)) => Slot::Text(self.interner.constant(&text)),
            Some(value) => Slot::plain(&value),
            None => Slot::Unknown,
        }
    }

    fn finish(self) -> Network {
        let Builder { vocabulary, mut network, checks, constants, lists, gates, .. } = self;
        let mut fans = Vec::new();
        network.check_targets = targets(checks.items.len(), &self.check_edges, &mut fans);
        network.predicate_targets = targets(self.predicate_start.len(), &self.predicate_edges, &mut fans);
        network.fans = fans.into_boxed_slice();
        let mut by_variable: Vec<(u32, u32)> = Vec::with_capacity(checks.items.len());
        let mut observed: Vec<u32> = Vec::new();
        for (check, id) in checks.items.iter().zip(0..) {
            if check.kind == OperandKind::Observed {
                observed.resize(vocabulary.states.len(), u32::MAX);
                if let Some(place) = observed.get_mut(check.variable as usize) {
                    *place = id;
                }
                continue;
            }
            by_variable.push((check.variable, id));
            if check.kind == OperandKind::Variable && check.operand != check.variable {
                by_variable.push((check.operand, id));
            }
        }
        (network.variable_starts, network.variable_checks) =
            grouped(vocabulary.variables.len(), &by_variable);
        network.observed_checks = observed.into_boxed_slice();
        let heads = || gates.iter().map(|gate| gate.head).zip(0..);
        let by_head = |prohibition: bool, count: usize| {
            let mut lists: Vec<Vec<u32>> = vec![Vec::new(); count];
            for (head, gate) in heads().filter(|(head, _)| head.is_prohibition() == prohibition) {
                if let Some(list) = lists.get_mut(head.index()) {
                    list.push(gate);
                }
            }
            Runs::new(&lists)
        };
        network.alternatives = by_head(false, network.objectives + 1);
        network.prohibitions = by_head(true, network.actions + 1);
        let mut by_objective: Vec<Vec<u32>> = vec![Vec::new(); network.objectives];
        for (objective, gate) in self.objective_edges {
            if let Some(list) = by_objective.get_mut(objective as usize) {
                list.push(gate);
            }
        }
        network.objective_gates = Runs::new(&by_objective);
        network.heads = gates.iter().map(|gate| gate.head).collect();
        network.gate_rules = gates.iter().map(|gate| gate.rule).collect();
        network.gate_start = gates.iter().map(|gate| gate.start).collect();
        network.gate_objectives = gates.iter().map(|gate| gate.objectives).collect();
        network.predicate_start = self.predicate_start.into_boxed_slice();
        network.checks = checks.items.into_boxed_slice();
        network.constants = constants.items.into_boxed_slice();
        network.lists = lists.items.into_boxed_slice();
        network
    }
}

impl Slot {
    /// The slot of a value that is no text.
    pub(crate) fn plain(value: &Value) -> Slot {
        match value {
            Value::Text(_) => Slot::Unknown,
            Value::Number(number) => Slot::Number(*number),
            Value::Boolean(value) => Slot::Boolean(*value),
            Value::Enum(enumerator) => Slot::Enum(enumerator.index),
            Value::Date(date) => Slot::Date(*date),
            Value::Time(time) => Slot::Time(*time),
        }
    }
}

/// Items by group: where each group starts, and one more; the items, each group in order.
fn grouped(groups: usize, pairs: &[(u32, u32)]) -> (Box<[u32]>, Box<[u32]>) {
    let mut starts = vec![0_u32; groups + 1];
    for (group, _) in pairs {
        if let Some(count) = starts.get_mut(*group as usize + 1) {
            *count += 1;
        }
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    let mut next = starts.clone();
    let mut items = vec![0_u32; pairs.len()];
    for (group, item) in pairs {
        if let Some(at) = next.get_mut(*group as usize) {
            if let Some(place) = items.get_mut(*at as usize) {
                *place = *item;
            }
            *at += 1;
        }
    }
    (starts.into_boxed_slice(), items.into_boxed_slice())
}

/// For each source, its single target or a fan of several.
fn targets(sources: usize, edges: &[(u32, u32)], fans: &mut Vec<u32>) -> Box<[Target]> {
    let (starts, items) = grouped(sources, edges);
    starts
        .windows(2)
        .map(|window| {
            let range = match window {
                [start, end] => *start as usize..*end as usize,
                _ => 0..0,
            };
            match items.get(range).unwrap_or(&[]) {
                [one] => Target(*one),
                several => {
                    let at = number(fans.len());
                    fans.push(number(several.len()));
                    fans.extend_from_slice(several);
                    Target(at | FAN)
                }
            }
        })
        .collect()
}
