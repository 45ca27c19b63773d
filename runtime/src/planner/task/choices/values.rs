//! The values of a variable that make a difference to the rules.
//!
//! Knows where constraints turn and which values they can't tell apart; must never know which transition asks.

use super::Sources;
use super::rules::{Used, Wanted};
use crate::planner::compile::Scene;
use crate::planner::model::Stated;
use intentgate_engine::boundary::{any_value, beside, turning_points};
use intentgate_engine::eval::semantics;
use intentgate_engine::ir::Operand;
use intentgate_engine::json::Node;
use intentgate_engine::schema::{VariableId, VariableType};
use intentgate_engine::truth::Truth;
use intentgate_engine::value::Value;

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
        let mut joined = vec![id];
        let mut next = 0;
        let mut values: Vec<Value> = Vec::new();
        while let Some(variable) = joined.get(next).copied() {
            next += 1;
            for (set, constraint, _) in self.on(variable) {
                for other in
                    constraint.variables().filter(|other| !joined.contains(other)).collect::<Vec<_>>()
                {
                    joined.push(other);
                }
                values.extend(turning_points(constraint, set.bindings(), kind));
            }
        }
        // What is known of those that it is compared with, now or by a transition.
        let known = joined.iter().filter_map(|id| self.session.fact(*id).value);
        values.extend(known);
        let linked = self.model.transitions.iter().filter_map(|one| one.link.as_deref());
        let stated = linked.flat_map(|link| link.causes.iter().chain(&link.observes));
        for one in stated.filter(|one| self.variable(&one.name).is_ok_and(|id| joined.contains(&id))) {
            let nodes: &[Node] = match &one.stated {
                Stated::Value(node) => std::slice::from_ref(node),
                Stated::Choose(Some(nodes)) | Stated::Expect(Some(nodes)) => nodes,
                Stated::Choose(None) | Stated::Expect(None) | Stated::Variable(_) => &[],
            };
            values.extend(nodes.iter().filter_map(|node| self.typed(node, &one.name, kind).ok().flatten()));
        }
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
            let measure = self.session.evaluator.measure();
            let scene = Scene { measure, ..Scene::new(self.vocabulary(), &known) };
            let truths = on_it.iter().map(|(set, one, wanted)| {
                let merit = match semantics::constraint(&scene, set.bindings(), one, false) {
                    Truth::False => 0_i8,
                    Truth::Unknown => 1,
                    Truth::True => 2,
                };
                match wanted {
                    Wanted::True => vec![merit],
                    Wanted::False => vec![-merit],
                    Wanted::Either => vec![merit, -merit],
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
