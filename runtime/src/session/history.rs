//! What was achieved on which evidence, and in which situation actions were executed.

use intentgate_engine::eval::{Achieved, Evaluator, Snapshot};
use intentgate_engine::ir::{Objective, PredicateKind};
use intentgate_engine::schema::{ActionId, VariableId};
use intentgate_engine::value::Value;
use serde::Serialize;
use std::collections::BTreeMap;

/// Why an objective is achieved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// The objective, or `Done`.
    pub objective: String,
    /// The rule that was true: its label, or `rule 3`.
    pub rule: String,
    /// The values that made it true, by `State.variable`.
    pub values: BTreeMap<String, Value>,
}

/// The rule that was true.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    /// By its number.
    Rule(usize),
    /// Of a specification that was replaced, by the place of its name.
    Replaced(usize),
}

/// An entry of the history.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// Nothing for `Done`.
    pub(crate) objective: Option<Objective>,
    pub(crate) rule: Origin,
    pub(crate) epoch: u64,
    first: usize,
    count: usize,
}

/// A variable and its value at some moment.
pub(crate) type Held = (VariableId, Snapshot);

#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    entries: Vec<Entry>,
    values: Vec<Held>,
    /// For each critical action, its rules' variables at its last execution.
    executed: Vec<Option<Vec<Held>>>,
    /// For each critical action, the variables of its rules.
    variables: Vec<Box<[VariableId]>>,
    /// The names of rules of specifications that were replaced.
    replaced: Vec<String>,
    /// Just achieved, not yet kept.
    pub(crate) fresh: Vec<Achieved>,
    /// Emptied lists, to be filled again without allocating.
    spare: Vec<Vec<Held>>,
}

impl History {
    /// Reserves what the allowed path needs: it allocates nothing.
    pub(crate) fn new(evaluator: &Evaluator) -> History {
        let vocabulary = evaluator.vocabulary();
        let actions: Vec<ActionId> = vocabulary.actions().map(|(id, _)| id).collect();
        let variables: Vec<Box<[VariableId]>> = actions
            .iter()
            .map(|action| {
                let mut all: Vec<VariableId> =
                    evaluator.rules_for(*action).flat_map(|rule| rule_variables(evaluator, rule)).collect();
                all.sort_unstable();
                all.dedup();
                all.into_boxed_slice()
            })
            .collect();
        let longest = variables.iter().map(|list| list.len()).max().unwrap_or(0);
        let milestones = evaluator.sets().first().map_or(0, |set| set.specification().milestones().len());
        let held: usize = evaluator
            .sets()
            .first()
            .map_or(0, |set| set.specification().rules().len())
            .min(actions.len() + milestones + 1);
        History {
            entries: Vec::with_capacity(held + 1),
            values: Vec::with_capacity(held.saturating_mul(longest.max(8)).min(1 << 16)),
            executed: vec![None; actions.len()],
            variables,
            replaced: Vec::new(),
            fresh: Vec::with_capacity(8),
            spare: vec![Vec::with_capacity(longest), Vec::with_capacity(longest)],
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn achieved(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.entries.iter()
    }

    /// All values that are kept, so that their texts stay.
    pub(crate) fn snapshots(&self) -> impl Iterator<Item = Snapshot> + Clone {
        let executed = self.executed.iter().flatten().flatten();
        self.values.iter().chain(executed).map(|(_, snapshot)| *snapshot)
    }

    /// Keeps what was just achieved, with the values of now.
    pub(crate) fn keep_fresh(&mut self, evaluator: &Evaluator, epoch: u64) {
        for index in 0..self.fresh.len() {
            if let Some(Achieved { objective, rule }) = self.fresh.get(index).copied() {
                let first = self.values.len();
                hold_rule(evaluator, rule, &mut self.values);
                self.keep(objective, Origin::Rule(rule), epoch, first);
            }
        }
        self.fresh.clear();
    }

    /// Keeps that an action's objective is achieved, with the values that were judged.
    pub(crate) fn keep_action(
        &mut self,
        action: ActionId,
        rule: usize,
        epoch: u64,
        judged: &[Held],
        evaluator: &Evaluator,
    ) {
        let first = self.values.len();
        for variable in rule_variables(evaluator, rule) {
            let known = self.values.iter().skip(first).any(|(id, _)| *id == variable);
            if let (false, Some(held)) = (known, judged.iter().find(|(id, _)| *id == variable)) {
                self.values.push(*held);
            }
        }
        self.keep(Some(Objective::Action(action)), Origin::Rule(rule), epoch, first);
    }

    fn keep(&mut self, objective: Option<Objective>, rule: Origin, epoch: u64, first: usize) {
        let count = self.values.len() - first;
        self.entries.push(Entry { objective, rule, epoch, first, count });
    }

    /// Keeps an entry of a saved session.
    pub(crate) fn restore(
        &mut self,
        objective: Option<Objective>,
        rule: Origin,
        epoch: u64,
        values: &[Held],
    ) {
        let first = self.values.len();
        self.values.extend_from_slice(values);
        self.keep(objective, rule, epoch, first);
    }

    /// The place of the name of a rule of a specification that was replaced.
    pub(crate) fn replaced(&mut self, rule: &str) -> Origin {
        self.replaced.push(rule.to_owned());
        Origin::Replaced(self.replaced.len() - 1)
    }

    /// The name of the rule of an entry.
    pub(crate) fn rule_name(&self, evaluator: &Evaluator, entry: &Entry) -> String {
        match entry.rule {
            Origin::Rule(rule) => {
                let located = evaluator.locate(rule);
                located.map_or(String::new(), |(set, index)| set.specification().rule_name(index))
            }
            Origin::Replaced(place) => self.replaced.get(place).cloned().unwrap_or_default(),
        }
    }

    /// The variables of an action's rules.
    pub(crate) fn variables(&self, action: ActionId) -> &[VariableId] {
        self.variables.get(action.index()).map_or(&[], |list| &list[..])
    }

    pub(crate) fn held(&self, entry: &Entry) -> &[Held] {
        self.values.get(entry.first..entry.first + entry.count).unwrap_or(&[])
    }

    pub(crate) fn evidence(&self, evaluator: &Evaluator, entry: &Entry) -> Evidence {
        let objective = match (entry.objective, evaluator.sets().first()) {
            (Some(objective), Some(set)) => set.specification().objective_name(objective).to_owned(),
            _ => "Done".to_owned(),
        };
        let rule = self.rule_name(evaluator, entry);
        let values = self
            .held(entry)
            .iter()
            .filter_map(|(id, snapshot)| {
                Some((evaluator.vocabulary().path(*id), evaluator.snapshot_value(*id, *snapshot)?))
            })
            .collect();
        Evidence { objective, rule, values }
    }

    /// The values of an action's rules' variables now, the overlay included.
    pub(crate) fn judge(&mut self, evaluator: &Evaluator, action: ActionId) -> Vec<Held> {
        let mut held = self.spare.pop().unwrap_or_default();
        held.clear();
        held.extend(self.variables(action).iter().map(|id| (*id, evaluator.snapshot(*id))));
        held
    }

    /// An action was executed in the situation that was judged.
    pub(crate) fn executed(&mut self, action: ActionId, judged: Vec<Held>) {
        if let Some(place) = self.executed.get_mut(action.index())
            && let Some(old) = place.replace(judged)
        {
            self.spare.push(old);
        }
    }

    /// Whether these are values of all variables of the action's rules, and of no others.
    pub(crate) fn fits(&self, action: ActionId, held: &[Held]) -> bool {
        let wanted = self.variables(action);
        held.len() == wanted.len() && wanted.iter().all(|id| held.iter().any(|(known, _)| known == id))
    }

    /// Gives a list back.
    pub(crate) fn recycle(&mut self, judged: Vec<Held>) {
        self.spare.push(judged);
    }

    pub(crate) fn last_execution(&self, action: ActionId) -> Option<&[Held]> {
        self.executed.get(action.index())?.as_deref()
    }

    /// Whether the action was executed before and no variable of any of its true rules, the overlay
    /// included, differs from then.
    pub(crate) fn repeats(&self, evaluator: &Evaluator, action: ActionId) -> bool {
        let Some(executed) = self.last_execution(action) else {
            return false;
        };
        let differs = |rule: usize| {
            rule_variables(evaluator, rule).any(|id| {
                let then = executed.iter().find(|(known, _)| *known == id).map(|(_, snapshot)| *snapshot);
                then.is_none_or(|then| evaluator.differs(id, then))
            })
        };
        !evaluator.true_rules(action).any(differs)
    }
}

/// The variables that a rule looks at, some of them several times: those of its constraints, and, for
/// `State()`, all of that state.
pub(crate) fn rule_variables(evaluator: &Evaluator, rule: usize) -> impl Iterator<Item = VariableId> {
    let located = evaluator.locate(rule);
    let body = located.into_iter().flat_map(|(set, index)| {
        let specification = set.specification();
        specification.rules().get(index).into_iter().flat_map(move |rule| {
            specification.body(rule).iter().map(move |predicate| (specification, predicate))
        })
    });
    body.flat_map(|(specification, predicate)| {
        let whole = match predicate.kind() {
            PredicateKind::State { constraints: (_, 0), state } => Some(state),
            _ => None,
        };
        let whole = whole.into_iter().flat_map(|state| specification.vocabulary().state(state).variables());
        let named = specification.constraints(predicate).iter().flat_map(|constraint| constraint.variables());
        whole.chain(named)
    })
}

/// Adds the values of a rule's variables, each once.
fn hold_rule(evaluator: &Evaluator, rule: usize, into: &mut Vec<Held>) {
    let first = into.len();
    for id in rule_variables(evaluator, rule) {
        if !into.iter().skip(first).any(|(known, _)| *known == id) {
            into.push((id, evaluator.snapshot(id)));
        }
    }
}
