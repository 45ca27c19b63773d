//! Guards and conditions as tables over the places of values in their domains.
//!
//! Knows packed fields and what the language says of values; must never know the order of a search.

use super::{Domain, Graph, NOTHING, Scene, Unpacked, Values};
use crate::planner::model::{Model, Transition, conditions};
use crate::planner::packed::{Edge, Field, More, Table};
use intentgate_engine::compile::bind::Bindings;
use intentgate_engine::eval::semantics;
use intentgate_engine::ir::{Constraint, Operand, Specification};
use intentgate_engine::schema::VariableId;
use intentgate_engine::value::Value;
use std::collections::BTreeMap;

/// The most combinations of values of which guards are tables, over all transitions.
pub(super) const MOST_COMBINATIONS: usize = 1 << 24;

impl Graph {
    /// Which combinations of values a constraint allows; nothing if none.
    pub(super) fn table(
        &self,
        model: &Model,
        specification: &Specification,
        constraint: &Constraint,
        given: &Values,
    ) -> Option<Table> {
        let bindings = Bindings::new(specification, Default::default(), &[]).ok()?;
        let mut joined = constraint.variables().filter_map(|id| Some((id, self.fields.get(&id)?)));
        let (one, other) = (joined.next(), joined.next());
        let holds = |values: &Values| {
            let scene = Scene { given, ..Scene::new(&model.vocabulary, values) };
            semantics::constraint(&scene, &bindings, constraint, false).is_true()
        };
        let mut allowed: Vec<u64> = Vec::new();
        let mut add = |place: usize, so: bool| {
            if allowed.len() <= place / 64 {
                allowed.resize(place / 64 + 1, 0);
            }
            if let Some(word) = allowed.get_mut(place / 64) {
                *word |= u64::from(so) << (place % 64);
            }
        };
        let Some((first, (field, domain))) = one else {
            // Arguments alone.
            add(0, holds(&Values::new()));
            return allowed.first().is_some_and(|word| *word == 1).then_some(Table {
                one: Field::default(),
                other: None,
                allowed,
            });
        };
        // One place for both: making it anew takes longer than looking at it.
        let mut values = Values::new();
        let set = |values: &mut Values, id: VariableId, value: &Option<Value>| match value {
            Some(value) => drop(values.insert(id, value.clone())),
            None => drop(values.remove(&id)),
        };
        for (place, value) in domain.iter().enumerate() {
            set(&mut values, first, value);
            match &other {
                None => add(place, holds(&values)),
                Some((second, (_, others))) => {
                    for (offset, other) in others.iter().enumerate() {
                        set(&mut values, *second, other);
                        add(place * others.len() + offset, holds(&values));
                    }
                }
            }
        }
        let other = other.map(|(_, (field, domain))| (*field, domain.len()));
        allowed.iter().any(|word| *word != 0).then_some(Table { one: *field, other, allowed })
    }

    /// The values of some variables, by their places in their domains, for which a transition without a function
    /// is possible, and what they become; nothing if they are more than `most`.
    pub(in crate::planner) fn combinations(
        &self,
        model: &Model,
        transition: &Transition,
        variables: &[VariableId],
        most: usize,
    ) -> Option<Vec<(Vec<usize>, Vec<usize>)>> {
        let domains = variables.iter().map(|id| self.fields.get(id).map(|(_, domain)| domain));
        let domains: Vec<&Domain> = domains.collect::<Option<_>>()?;
        let count = domains.iter().try_fold(1_usize, |count, domain| count.checked_mul(domain.len()))?;
        if count > most {
            return None;
        }
        let mut found = Vec::new();
        for number in 0..count {
            let mut rest = number;
            let places: Vec<usize> = domains
                .iter()
                .map(|domain| {
                    let place = rest % domain.len();
                    rest /= domain.len();
                    place
                })
                .collect();
            let mut values = Values::new();
            for ((id, domain), place) in variables.iter().zip(&domains).zip(&places) {
                values.extend(domain.get(*place)?.iter().map(|value| (*id, value.clone())));
            }
            let scene = Scene::new(&model.vocabulary, &values);
            if !scene.allows(transition) {
                continue;
            }
            let mut after = places.clone();
            for (variable, operand) in &transition.update {
                let value = scene.value(operand);
                let at = variables.iter().position(|id| id == variable)?;
                let place = domains.get(at)?.iter().position(|known| *known == value)?;
                *after.get_mut(at)? = place;
            }
            found.push((places, after));
        }
        Some(found)
    }

    /// What has to hold in a state for constraints to hold, all of them; nothing if they never do.
    ///
    /// # Errors
    /// Too many combinations of values.
    pub(in crate::planner) fn condition(
        &self,
        model: &Model,
        condition: &Specification,
    ) -> Result<Option<Vec<Table>>, Unpacked> {
        if table_size(condition, |id| self.fields.get(&id).map_or(1, |(_, domain)| domain.len()))
            > MOST_COMBINATIONS
        {
            return Err(Unpacked::Guards);
        }
        let constraints = conditions(condition).into_iter();
        Ok(constraints.map(|constraint| self.table(model, condition, constraint, &NOTHING)).collect())
    }
}

/// A condition that allows one value only is a matter of bits.
pub(super) fn require(edge: &mut Edge<u128>, more: &mut More<u128>, table: Table) {
    let single =
        table.other.is_none() && table.allowed.iter().map(|word| word.count_ones()).sum::<u32>() == 1;
    let place = table.allowed.iter().enumerate().find(|(_, word)| **word != 0);
    match place {
        Some((word, bits)) if single && edge.mask & table.one.all() == 0 => {
            edge.mask |= table.one.all();
            edge.bits |= table.one.put(word * 64 + bits.trailing_zeros() as usize);
        }
        _ => more.tables.push(table),
    }
}

/// Of how many combinations of values the tables of a condition are.
fn table_size(condition: &Specification, size: impl Fn(VariableId) -> usize) -> usize {
    let sizes = conditions(condition)
        .into_iter()
        .map(|one| one.variables().map(&size).fold(1_usize, usize::saturating_mul));
    sizes.fold(0_usize, usize::saturating_add)
}

/// Whether the tables of all guards and copies can be made in a bounded time.
pub(super) fn bounded(model: &Model, domains: &BTreeMap<VariableId, Domain>) -> Result<(), Unpacked> {
    let guards = model.transitions.iter().filter_map(|one| one.guard.as_deref());
    let size = |id| domains.get(&id).map_or(1, Vec::len);
    let all = guards.map(|guard| table_size(guard, size)).fold(0_usize, usize::saturating_add);
    // What is copied is a table, too.
    let updates = model.transitions.iter().flat_map(|transition| &transition.update);
    let copied =
        updates.map(|(_, operand)| if let Operand::Variable(from) = operand { size(*from) } else { 0 });
    let all = copied.fold(all, usize::saturating_add);
    if all > MOST_COMBINATIONS { Err(Unpacked::Guards) } else { Ok(()) }
}
