//! Updates, tentative ones and their end, and what follows when they are committed.

use super::{Achieved, Evaluator, Full, Mark, Snapshot, ValueSource};
use crate::compile::Slot;
use crate::ir::{MilestoneId, Objective};
use crate::schema::{ActionId, StateId, VariableId};
use crate::truth::Truth;
use crate::value::Value;

/// One variable gets one value, or becomes unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub variable: VariableId,
    /// The value; nothing for unknown.
    pub value: Option<Value>,
    /// Who says so.
    pub source: ValueSource,
}

impl Evaluator {
    /// From here on [`Evaluator::apply`] can be taken back.
    pub fn mark(&mut self) -> Mark {
        self.memory.mark()
    }

    /// Takes back everything since the mark. Costs what was touched.
    pub fn rollback(&mut self, mark: Mark) {
        self.memory.rollback(&self.network, mark);
    }

    /// Sets variables, then resets those that declare it: when a variable's value changes, the ones
    /// that name it under `reset_by` become unknown, unless this update sets them, and so on. Whether
    /// anything changed. `keep` are snapshots that stay valid.
    ///
    /// # Errors
    /// If no more texts can be remembered; nothing was changed then.
    pub fn apply<'a>(
        &mut self,
        assignments: impl Iterator<Item = &'a Assignment> + Clone,
        keep: impl Iterator<Item = Snapshot> + Clone,
    ) -> Result<bool, Full> {
        self.memory.symbols.clear();
        for assignment in assignments.clone() {
            if let Some(Value::Text(text)) = &assignment.value {
                let symbol = match self.memory.symbol(assignment.variable, text) {
                    Ok(symbol) => symbol,
                    Err(Full) => {
                        self.memory.release_texts(keep.clone().filter_map(Snapshot::symbol));
                        self.memory.symbol(assignment.variable, text)?
                    }
                };
                self.memory.symbols.push(symbol);
            }
        }
        let mut any = false;
        let resets = !self.vocabulary.resets.is_empty();
        self.memory.changed.clear();
        let mut texts = 0;
        for Assignment { variable: VariableId(id), value, source } in assignments.clone() {
            let slot = match value {
                None => Slot::Unknown,
                Some(Value::Text(_)) => {
                    texts += 1;
                    self.memory.symbols.get(texts - 1).map_or(Slot::Unknown, |symbol| Slot::Text(*symbol))
                }
                Some(value) => Slot::plain(value),
            };
            if resets && self.memory.cell(VariableId(*id)).slot != slot {
                self.memory.changed.push(*id);
            }
            any |= self.memory.set(&self.network, *id, slot, *source);
        }
        if resets {
            any |= self.reset(assignments);
        }
        Ok(any)
    }

    /// Makes unknown what the changed variables reset. Ends because only a known variable changes.
    fn reset<'a>(&mut self, explicit: impl Iterator<Item = &'a Assignment> + Clone) -> bool {
        let mut any = false;
        let mut changed = std::mem::take(&mut self.memory.changed);
        while let Some(by) = changed.pop() {
            for id in self.vocabulary.resets(VariableId(by)) {
                let known = self.memory.cell(*id).slot != Slot::Unknown;
                if known && !explicit.clone().any(|assignment| assignment.variable == *id) {
                    self.memory.set(&self.network, id.0, Slot::Unknown, ValueSource::App);
                    changed.push(id.0);
                    any = true;
                }
            }
        }
        self.memory.changed = changed;
        any
    }

    /// Makes the value of a variable count no longer at rule level, because it has aged. Whether that
    /// changed anything.
    pub fn expire(&mut self, VariableId(id): VariableId) -> bool {
        self.memory.expire(&self.network, id)
    }

    /// Makes a value count again that [`Evaluator::expire`] made count no longer.
    pub fn resume(&mut self, VariableId(id): VariableId) {
        self.memory.resume(&self.network, id);
    }

    /// The variables whose values differ from those at the mark.
    pub fn changed_since(&self, mark: Mark) -> impl Iterator<Item = VariableId> {
        self.memory.changed_since(mark).map(VariableId)
    }

    /// Achieves every milestone, and `Done`, that has a true rule, until nothing follows. To be called
    /// when what was applied is committed. Reports what was achieved to `each`, in a fixed order.
    pub fn settle(&mut self, mut each: impl FnMut(Achieved)) {
        while let Some(first) = self.memory.ripe.iter().copied().min() {
            self.memory.ripe.retain(|gate| *gate != first);
            let objective = self.network.heads.get(first as usize).map_or(0, |head| head.index());
            if self.memory.gate(first) != Truth::True || self.memory.achieved(objective) {
                continue;
            }
            self.memory.achieve(&self.network, objective);
            let milestone =
                objective.checked_sub(self.network.actions).filter(|_| objective < self.network.done());
            let objective = milestone
                .and_then(|id| u32::try_from(id).ok())
                .map(|id| Objective::Milestone(MilestoneId(id)));
            each(Achieved { objective, rule: self.rule_of(first) });
        }
    }

    /// A critical action was performed: its objective is achieved for good.
    pub fn achieve(&mut self, action: ActionId) {
        self.memory.doubt(&self.network, action.index(), false);
        self.memory.achieve(&self.network, action.index());
    }

    /// It is unknown, or known again, whether a critical action was performed. While it is unknown,
    /// prohibitions that name the action are unknown in that part.
    pub fn doubt(&mut self, action: ActionId, doubt: bool) {
        self.memory.doubt(&self.network, action.index(), doubt);
    }

    /// Restores that a variable of a state of a saved session was observed.
    pub fn restore_observed(&mut self, state: StateId) {
        self.memory.observe(&self.network, state.0);
    }

    /// Restores an achieved milestone, or `Done` for nothing, of a saved session.
    pub fn restore_achieved(&mut self, objective: Option<Objective>) {
        let objective = objective.map_or(self.network.done(), |objective| self.network.objective(objective));
        self.memory.achieve(&self.network, objective);
    }
}
