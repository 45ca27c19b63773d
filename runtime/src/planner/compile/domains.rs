//! What each variable can ever be: its values at the start, the constants of updates, the arguments of calls, and what
//! it is copied from.
//!
//! Knows updates; must never know guards, which only take away.

use super::{Unpacked, Values};
use crate::planner::model::Model;
use intentgate_engine::ir::{Element, Operand};
use intentgate_engine::schema::VariableId;
use intentgate_engine::value::Value;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// The most values of a variable.
pub(super) const MOST_VALUES: usize = 16_384;

/// What a variable can be; nothing where it is unknown.
pub(in crate::planner) type Domain = Vec<Option<Value>>;

/// The value of every variable; nothing where it is unknown.
pub(in crate::planner) type Assigned = BTreeMap<VariableId, Option<Value>>;

/// What each variable can ever be.
///
/// # Errors
/// A variable that can be too much.
pub(in crate::planner) fn domains(
    model: &Model,
    start: &Assigned,
    arguments: &[Values],
) -> Result<BTreeMap<VariableId, Domain>, Unpacked> {
    let mut growing = Growing::default();
    for (id, value) in start {
        growing.add(model, *id, value.clone())?;
    }
    for (variable, operand) in model.transitions.iter().flat_map(|transition| &transition.update) {
        match operand {
            Operand::Single(Element::Value(value)) => growing.add(model, *variable, Some(value.clone()))?,
            Operand::Variable(other) => {
                if growing.copied.entry(*other).or_default().insert(*variable) {
                    for given in arguments.iter().filter_map(|given| given.get(other)) {
                        growing.add(model, *variable, Some(given.clone()))?;
                    }
                }
            }
            Operand::Single(_) | Operand::List(_) => {}
        }
    }
    growing.spread(model)
}

/// What variables can be, as far as it was found out.
#[derive(Default)]
struct Growing {
    sets: BTreeMap<VariableId, (Domain, HashSet<Option<Value>>)>,
    /// To which variables each is copied.
    copied: BTreeMap<VariableId, BTreeSet<VariableId>>,
}

impl Growing {
    fn add(&mut self, model: &Model, id: VariableId, value: Option<Value>) -> Result<(), Unpacked> {
        let (domain, known) = self.sets.entry(id).or_default();
        if known.insert(value.clone()) {
            domain.push(value);
        }
        if domain.len() > MOST_VALUES {
            return Err(Unpacked::Values(model.variable_name(id)));
        }
        Ok(())
    }

    /// Each value goes where it is copied, once.
    fn spread(mut self, model: &Model) -> Result<BTreeMap<VariableId, Domain>, Unpacked> {
        // How many of its values each variable has passed on.
        let mut passed: BTreeMap<VariableId, usize> = BTreeMap::new();
        let mut open: VecDeque<VariableId> = self.copied.keys().copied().collect();
        while let Some(from) = open.pop_front() {
            let values = self.sets.get(&from).map_or(&[][..], |(domain, _)| domain);
            let done = passed.insert(from, values.len()).unwrap_or_default();
            let new = values.get(done..).unwrap_or_default().to_vec();
            let Some(targets) = self.copied.get(&from).cloned().filter(|_| !new.is_empty()) else { continue };
            for to in targets {
                for value in &new {
                    self.add(model, to, value.clone())?;
                }
                open.push_back(to);
            }
        }
        Ok(self.sets.into_iter().map(|(id, (domain, _))| (id, domain)).collect())
    }
}
