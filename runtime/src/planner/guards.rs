//! Guards that can never hold.
//!
//! What a variable can ever be is known if its value at the start is, and every update gives it a constant or a
//! variable of which it is known. Those values are tried. Parameters of functions and all other variables may be
//! anything; of guards that name them the solver is asked, where there is one.

use super::Model;
use super::compile::{Domain, Scene, Values, domains};
use super::model::{TransitionId, conditions};
use intentgate_engine::compile::bind::Bindings;
use intentgate_engine::eval::semantics;
use intentgate_engine::ir::{Constraint, Operand, Specification};
use intentgate_engine::schema::VariableId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most combinations of values that are tried, over all guards; of the rest nothing is said.
const MOST_COMBINATIONS: usize = 1 << 20;
/// The most guards of which the solver is asked.
const MOST_ASKED: usize = 256;

/// What may still be done.
struct Left {
    combinations: usize,
    questions: usize,
}

/// The transitions whose guards never hold, each with the reason.
pub(super) fn dead(model: &Model) -> Vec<(TransitionId, String)> {
    let known = known(model);
    let mut left = Left { combinations: MOST_COMBINATIONS, questions: MOST_ASKED };
    // Many transitions share a guard: it is tried once.
    let mut tried: BTreeMap<(&str, u32), Option<String>> = BTreeMap::new();
    let guards = model.transitions().filter_map(|(id, one)| Some((id, one, one.guard.as_ref()?)));
    let dead = guards.filter_map(|(id, transition, guard)| {
        let app = model.pages.get(transition.from.index()).map_or(0, |page| page.app);
        let key = (transition.guard(), u32::try_from(app).unwrap_or(u32::MAX));
        // Functions may have parameters of the same name: those guards are not shared.
        let why = match transition.function {
            None => tried.entry(key).or_insert_with(|| never(model, guard, &known, &mut left)).clone(),
            Some(_) => never(model, guard, &known, &mut left),
        };
        Some((id, why?))
    });
    dead.collect()
}

/// What each variable can ever be, of those of which it is known.
fn known(model: &Model) -> BTreeMap<VariableId, Domain> {
    let initial: BTreeMap<_, _> = model.initial.iter().cloned().collect();
    let mut open: BTreeSet<VariableId> =
        initial.iter().filter(|(_, value)| value.is_none()).map(|(id, _)| *id).collect();
    let mut copies: BTreeMap<VariableId, BTreeSet<VariableId>> = BTreeMap::new();
    for (to, operand) in model.transitions.iter().flat_map(|one| &one.update) {
        if let Operand::Variable(from) = operand {
            copies.entry(*from).or_default().insert(*to);
        }
    }
    // What is no variable of the model is a parameter.
    let parameters = copies.keys().filter(|from| !initial.contains_key(from));
    let mut spread: Vec<VariableId> = parameters.chain(&open).copied().collect();
    while let Some(from) = spread.pop() {
        let targets = copies.get(&from).into_iter().flatten();
        spread.extend(targets.copied().filter(|to| open.insert(*to)));
    }
    // Where there are too many values nothing is said.
    let mut domains = domains(model, &initial, &[]).unwrap_or_default();
    domains.retain(|id, _| !open.contains(id));
    domains
}

/// Why a guard never holds; nothing if it may.
fn never(
    model: &Model,
    guard: &Arc<Specification>,
    known: &BTreeMap<VariableId, Domain>,
    left: &mut Left,
) -> Option<String> {
    let all = conditions(guard);
    let closed = |one: &&Constraint| one.variables().all(|id| known.contains_key(&id));
    let constraints: Vec<&Constraint> = all.iter().copied().filter(closed).collect();
    let variables: BTreeSet<VariableId> = constraints.iter().flat_map(|one| one.variables()).collect();
    if !constraints.is_empty() && !can_hold(model, guard, &constraints, &variables, known, left) {
        let ranges = variables.iter().map(|id| {
            let values = known.get(id).into_iter().flatten().take(6).flatten();
            let values: Vec<String> = values.map(ToString::to_string).collect();
            let more = if known.get(id).is_some_and(|all| all.len() > 6) { " and others" } else { "" };
            format!("`{}` is only ever {}{more}", model.variable_name(*id), values.join(", "))
        });
        return Some(ranges.collect::<Vec<_>>().join("; "));
    }
    // Every value was tried if all are known.
    if constraints.len() == all.len() || left.questions == 0 {
        return None;
    }
    left.questions -= 1;
    contradiction(guard)
}

/// Whether constraints hold for some of the values; yes where there are too many to try.
fn can_hold(
    model: &Model,
    guard: &Specification,
    constraints: &[&Constraint],
    variables: &BTreeSet<VariableId>,
    known: &BTreeMap<VariableId, Domain>,
    left: &mut Left,
) -> bool {
    let Ok(bindings) = Bindings::new(guard, Default::default(), &[]) else { return true };
    let domains: Vec<(VariableId, &Domain)> =
        variables.iter().filter_map(|id| Some((*id, known.get(id)?))).collect();
    let count = domains.iter().try_fold(1_usize, |count, (_, domain)| count.checked_mul(domain.len()));
    let Some(count) = count.filter(|count| *count <= left.combinations) else { return true };
    left.combinations -= count;
    (0..count).any(|number| {
        let mut rest = number;
        let mut values = Values::new();
        for (id, domain) in &domains {
            let value = domain.get(rest % domain.len().max(1)).cloned().flatten();
            rest /= domain.len().max(1);
            values.extend(value.map(|value| (*id, value)));
        }
        let scene = Scene::new(&model.vocabulary, &values);
        constraints.iter().all(|one| semantics::constraint(&scene, &bindings, one, false).is_true())
    })
}

/// Whether the constraints of a guard exclude one another, whatever the values.
#[cfg(feature = "z3")]
fn contradiction(guard: &Arc<Specification>) -> Option<String> {
    use intentgate_engine::analysis::{Analyst, Answer, RuleId};
    let rule = RuleId { set: 0, rule: 0 };
    let asked = Analyst::ask(guard, &[], &Default::default(), |analyst| analyst.can_hold(rule));
    // A solver that is not usable, or reaches a limit, says nothing.
    matches!(asked, Ok(Answer::No(_))).then(|| "its constraints exclude one another".to_owned())
}

#[cfg(not(feature = "z3"))]
fn contradiction(_: &Arc<Specification>) -> Option<String> {
    None
}
