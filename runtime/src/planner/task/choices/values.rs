//! The values of a variable that make a difference to the rules.
//!
//! Knows where constraints turn and which values they can't tell apart; must never know which transition asks.

use super::Sources;
use super::rules::{Used, Wanted};
use crate::planner::compile::{Scene, Values};
use crate::planner::model::{Linked, Stated};
use intentgate_engine::boundary::{any_value, beside, turning_points};
use intentgate_engine::eval::semantics;
use intentgate_engine::ir::{Operand, Operator};
use intentgate_engine::json::Node;
use intentgate_engine::schema::{VariableId, VariableType};
use intentgate_engine::truth::Truth;
use intentgate_engine::value::Value;
use std::collections::HashMap;

/// The most values of a variable that are tried.
const MOST_VALUES: usize = 24;

impl Sources<'_> {
    /// The values at which constraints on a variable turn, and those of variables that it is compared with;
    /// nothing if no rule looks at it.
    pub(super) fn candidates(&self, id: VariableId) -> Vec<Value> {
        if !self.is_looked_at(id) {
            return Vec::new();
        }
        let vocabulary = self.vocabulary();
        let kind = vocabulary.variable(id).variable_type();
        let joined = self.joined(id);
        let on_them = joined.iter().flat_map(|variable| self.on(*variable));
        let mut values: Vec<Value> =
            on_them.flat_map(|(set, one, _)| turning_points(one, set.bindings(), kind)).collect();
        // What is known of those that it is compared with, now or by a transition.
        values.extend(self.given(&joined));
        match kind {
            VariableType::Boolean => values.extend([true, false].map(Value::Boolean)),
            VariableType::Enum(enumeration) => {
                let all = enumeration.names().filter_map(|name| enumeration.enumerator(name));
                values.extend(all.map(Value::Enum));
            }
            VariableType::Text => values.extend([Value::text("another"), Value::text("other")]),
            VariableType::Number | VariableType::Date | VariableType::Time => values.extend(any_value(kind)),
        }
        // Variables that are compared need values that differ, as many as there are of them.
        let mut next = any_value(kind);
        for _ in joined.iter().skip(1) {
            next = next.and_then(|value| beside(&value, kind, true));
            values.extend(next.clone());
        }
        let mut distinct: Vec<Value> = Vec::new();
        for value in values {
            if value.is_writable() && !distinct.contains(&value) && distinct.len() < MOST_VALUES {
                distinct.push(value);
            }
        }
        distinct
    }

    /// A variable and those that it is compared with, directly or by others.
    fn joined(&self, id: VariableId) -> Vec<VariableId> {
        let mut joined = vec![id];
        let mut next = 0;
        while let Some(variable) = joined.get(next).copied() {
            next += 1;
            for other in self.on(variable).flat_map(|(_, one, _)| one.variables()) {
                if !joined.contains(&other) {
                    joined.push(other);
                }
            }
        }
        joined
    }

    /// What transitions state of variables.
    fn stated(&self, joined: &[VariableId]) -> impl Iterator<Item = (&Linked, VariableId)> {
        let links =
            self.model.transitions.iter().filter_map(|one| Some((one.action(), one.link.as_deref()?)));
        let stated = links.flat_map(move |(action, link)| {
            let arguments =
                link.arguments.iter().map(move |one| (one, self.argument_variable(action, &one.name)));
            let others = link.causes.iter().chain(&link.observes);
            arguments.chain(others.map(|one| (one, self.variable(&one.name).ok())))
        });
        stated.filter_map(|(one, id)| Some((one, id.filter(|id| joined.contains(id))?)))
    }

    /// The values of variables that nobody chooses freely: what is known of them, and what transitions state.
    fn given(&self, joined: &[VariableId]) -> Vec<Value> {
        let mut values: Vec<Value> = joined.iter().filter_map(|id| self.session.fact(*id).value).collect();
        for (one, id) in self.stated(joined) {
            let nodes: &[Node] = match &one.stated {
                Stated::Value(node) => std::slice::from_ref(node),
                Stated::Choose(Some(nodes)) | Stated::Expect(Some(nodes)) => nodes,
                Stated::Choose(None) | Stated::Expect(None) | Stated::Variable(_) => &[],
            };
            let kind = self.vocabulary().variable(id).variable_type();
            values.extend(nodes.iter().filter_map(|node| self.typed(node, &one.name, kind).ok().flatten()));
        }
        values
    }

    /// Of the values that can be chosen freely, where variables have to be equal: of those that no constant tells
    /// apart one and a spare one, the same for all these variables, and every value that they are given otherwise. To
    /// put the one for the others in all places at once leaves true what is true; nothing where it may not.
    pub(super) fn told_apart_together(
        &self,
        id: VariableId,
        values: &[Value],
    ) -> Option<Vec<(Option<Value>, bool)>> {
        // The same text may be spelled in several ways.
        if matches!(self.vocabulary().variable(id).variable_type(), VariableType::Text) {
            return None;
        }
        let mut joined = self.joined(id);
        joined.sort_unstable();
        let (equal, alone): (Vec<Used>, Vec<Used>) = joined
            .iter()
            .flat_map(|id| self.on(*id))
            .partition(|(_, one, _)| matches!(one.operand(), Operand::Variable(_)));
        let fits = |(_, one, wanted): &Used| {
            one.operator() == Operator::Equal && matches!(wanted, Wanted::True | Wanted::Permits)
        };
        let copied = self.stated(&joined).any(|(one, _)| matches!(one.stated, Stated::Variable(_)));
        if equal.is_empty() || copied || !equal.iter().all(fits) {
            return None;
        }
        let given = self.given(&joined);
        let spares = usize::from(joined.iter().any(|id| self.may_have_to_differ(*id)));
        let first = joined.first().map(|first| self.candidates(*first)).unwrap_or_default();
        let mut classes: HashMap<Vec<Truth>, usize> = HashMap::new();
        let mut kept: Vec<(Value, bool)> = Vec::new();
        for value in first {
            let known: Values = joined.iter().map(|id| (*id, value.clone())).collect();
            let number = classes.entry(self.truths(&known, &alone)).or_default();
            if *number <= spares || given.contains(&value) {
                kept.push((value.clone(), *number > 0 && !given.contains(&value)));
            }
            *number += 1;
        }
        // What is put for another has to be there for each of the variables.
        if !kept.iter().all(|(value, _)| values.contains(value)) {
            return None;
        }
        Some(kept.into_iter().map(|(value, spare)| (Some(value), spare)).collect())
    }

    /// What constraints come to with some values.
    fn truths(&self, known: &Values, constraints: &[Used]) -> Vec<Truth> {
        let measure = self.session.evaluator.measure();
        let scene = Scene { measure, ..Scene::new(self.vocabulary(), known) };
        let truths = constraints.iter();
        truths.map(|(set, one, _)| semantics::constraint(&scene, set.bindings(), one, false)).collect()
    }

    /// Whether it matters that a value is another than before: the gate lets a critical action pass again only where
    /// something is, and other values may be reset by it.
    fn may_have_to_differ(&self, id: VariableId) -> bool {
        let vocabulary = self.vocabulary();
        vocabulary.actions().any(|(action, _)| self.session.history.variables(action).contains(&id))
            || vocabulary.variables().any(|(_, variable)| variable.reset_by().contains(&id))
    }

    /// Without the values that are worse than another in every respect, and of those that no constraint tells apart
    /// only the first, and where it matters a spare one. The first of all stays: it may be what is expected.
    pub(super) fn told_apart(
        &self,
        id: VariableId,
        values: Vec<Option<Value>>,
    ) -> Vec<(Option<Value>, bool)> {
        let on_it: Vec<Used> = self.on(id).collect();
        // A value may matter to what it is compared with.
        if on_it.iter().any(|(_, one, _)| matches!(one.operand(), Operand::Variable(_))) {
            return values.into_iter().map(|value| (value, false)).collect();
        }
        let spares = usize::from(self.may_have_to_differ(id));
        let merits = |value: &Option<Value>| {
            let known = value.iter().map(|value| (id, value.clone())).collect();
            let truths =
                self.truths(&known, &on_it).into_iter().zip(&on_it).map(|(truth, (_, _, wanted))| {
                    let merit = match truth {
                        Truth::False => 0_i8,
                        Truth::Unknown => 1,
                        Truth::True => 2,
                    };
                    match wanted {
                        Wanted::True => vec![merit],
                        Wanted::False => vec![-merit],
                        Wanted::Either | Wanted::Permits => vec![merit, -merit],
                    }
                });
            std::iter::once(i8::from(value.is_some())).chain(truths.flatten()).collect::<Vec<i8>>()
        };
        let merits: Vec<Vec<i8>> = values.iter().map(merits).collect();
        let as_good = |one: &[i8], other: &[i8]| one.iter().zip(other).all(|(one, other)| one >= other);
        // How many as good ones come before it; nothing if another one is better.
        let place_in_class = |place: usize, own: &[i8]| {
            let better = |merits: &Vec<i8>| merits != own && as_good(merits, own);
            if merits.iter().any(better) {
                return None;
            }
            Some(merits.iter().take(place).filter(|merits| *merits == own).count())
        };
        let numbered = values.into_iter().zip(&merits).enumerate();
        let kept = numbered.filter_map(|(place, (value, own))| match place_in_class(place, own) {
            Some(0) => Some((value, false)),
            Some(number) if number <= spares => Some((value, true)),
            _ if place == 0 => Some((value, false)),
            _ => None,
        });
        kept.collect()
    }
}
