//! [`crate::ir`] to a network: flat arrays from variables to constraints to predicates to rules.
//!
//! Identical constraints and predicates are interned and shared between rules, policies included.
//! Knows the shape of the evaluation, never a value that was observed.

pub mod bind;
pub(crate) mod intern;
mod layout;

use crate::ir::{Objective, Operator};
use crate::schema::{ActionId, VariableId};
use chrono::{NaiveDate, NaiveTime};
pub(crate) use intern::{Interner, Symbol};
use rust_decimal::Decimal;

/// A value as the evaluator holds it: texts as symbols, enumerators as places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Slot {
    #[default]
    Unknown,
    Text(Symbol),
    Number(Decimal),
    Boolean(bool),
    Enum(u16),
    Date(NaiveDate),
    Time(NaiveTime),
}

/// A shared constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Check {
    /// The variable, or the state for [`OperandKind::Observed`].
    pub(crate) variable: u32,
    /// What the kind says.
    pub(crate) operand: u32,
    pub(crate) operator: Operator,
    pub(crate) kind: OperandKind,
    pub(crate) ignore_case: bool,
}

/// What the operand of a [`Check`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum OperandKind {
    /// The constant of that number.
    Constant,
    /// The variable of that number.
    Variable,
    /// The list of that number.
    List,
    /// None: true once a variable of the state has been observed.
    Observed,
}

/// Where a truth goes: to one number, or to a run of numbers in [`Network::fans`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Target(u32);

const FAN: u32 = 1 << 31;

/// What a gate stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head(u32);

const PROHIBITION: u32 = 1 << 31;

impl Head {
    pub(crate) fn rule(objective: usize) -> Head {
        Head(number(objective))
    }

    pub(crate) fn prohibition(scope: usize) -> Head {
        Head(number(scope) | PROHIBITION)
    }

    /// The objective of a rule, or the scope of a prohibition.
    pub(crate) fn index(self) -> usize {
        (self.0 & !PROHIBITION) as usize
    }

    pub(crate) fn is_prohibition(self) -> bool {
        self.0 & PROHIBITION != 0
    }
}

/// Counters of unmet parts: false ones in the upper, unknown ones in the lower half.
pub(crate) const FALSE_PART: u32 = 1 << 16;
/// See [`FALSE_PART`].
pub(crate) const UNKNOWN_PART: u32 = 1;

/// The immutable part of an evaluator.
#[derive(Debug, Clone, Default)]
pub(crate) struct Network {
    pub(crate) checks: Box<[Check]>,
    /// Where each check's truth goes: predicates.
    pub(crate) check_targets: Box<[Target]>,
    /// Where each predicate's truth goes: gates.
    pub(crate) predicate_targets: Box<[Target]>,
    /// Runs of numbers, each after its length.
    pub(crate) fans: Box<[u32]>,
    /// For each variable, where its run in `variable_checks` starts; one more at the end.
    pub(crate) variable_starts: Box<[u32]>,
    pub(crate) variable_checks: Box<[u32]>,
    /// For each state, the check that it has been observed, or `u32::MAX`; empty if there is none.
    pub(crate) observed_checks: Box<[u32]>,
    pub(crate) constants: Box<[Slot]>,
    pub(crate) lists: Box<[Box<[Slot]>]>,
    pub(crate) heads: Box<[Head]>,
    /// The rule behind each gate, counted over specification and policies.
    pub(crate) gate_rules: Box<[u32]>,
    /// For each objective, `Done` last, the gates of its rules.
    pub(crate) alternatives: Runs,
    /// For each scope, that of all actions last, the gates of its prohibitions.
    pub(crate) prohibitions: Runs,
    /// For each objective, the gates that have it as a part.
    pub(crate) objective_gates: Runs,
    /// Counters at the start, when nothing was observed.
    pub(crate) predicate_start: Box<[u32]>,
    pub(crate) gate_start: Box<[u32]>,
    /// For each gate, how many objectives its body has.
    pub(crate) gate_objectives: Box<[u16]>,
    pub(crate) actions: usize,
    pub(crate) objectives: usize,
}

/// Lists of numbers, one behind the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs {
    starts: Box<[u32]>,
    items: Box<[u32]>,
}

impl Runs {
    pub(crate) fn new(lists: &[Vec<u32>]) -> Runs {
        let mut starts = vec![0];
        let mut items = Vec::new();
        for list in lists {
            items.extend_from_slice(list);
            starts.push(number(items.len()));
        }
        Runs { starts: starts.into_boxed_slice(), items: items.into_boxed_slice() }
    }

    pub(crate) fn get(&self, index: usize) -> &[u32] {
        match (self.starts.get(index), self.starts.get(index + 1)) {
            (Some(start), Some(end)) => self.items.get(*start as usize..*end as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.starts.len() + self.items.len()) * 4
    }
}

impl Network {
    /// The number of `Done` among the objectives.
    pub(crate) fn done(&self) -> usize {
        self.objectives
    }

    /// The scope of prohibitions that concern every critical action.
    pub(crate) fn every_action(&self) -> usize {
        self.actions
    }

    /// Objectives are numbered: actions first, then milestones.
    pub(crate) fn objective(&self, objective: Objective) -> usize {
        match objective {
            Objective::Action(ActionId(id)) => id as usize,
            Objective::Milestone(id) => self.actions + id.index(),
        }
    }

    #[inline]
    pub(crate) fn targets<'n>(&'n self, target: &'n Target) -> &'n [u32] {
        if target.0 & FAN == 0 {
            return std::slice::from_ref(&target.0);
        }
        let at = (target.0 & !FAN) as usize;
        let length = self.fans.get(at).copied().unwrap_or(0) as usize;
        self.fans.get(at + 1..at + 1 + length).unwrap_or(&[])
    }

    /// The checks that depend on a variable.
    #[inline]
    pub(crate) fn checks_of(&self, variable: VariableId) -> &[u32] {
        match (self.variable_starts.get(variable.index()), self.variable_starts.get(variable.index() + 1)) {
            (Some(start), Some(end)) => {
                self.variable_checks.get(*start as usize..*end as usize).unwrap_or(&[])
            }
            _ => &[],
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.checks)
            + size_of_val(&*self.check_targets)
            + size_of_val(&*self.predicate_targets)
            + size_of_val(&*self.fans)
            + size_of_val(&*self.variable_starts)
            + size_of_val(&*self.variable_checks)
            + size_of_val(&*self.observed_checks)
            + size_of_val(&*self.constants)
            + self.lists.iter().map(|list| size_of_val(&**list) + size_of_val(list)).sum::<usize>()
            + size_of_val(&*self.heads)
            + size_of_val(&*self.gate_rules)
            + self.alternatives.bytes()
            + self.prohibitions.bytes()
            + self.objective_gates.bytes()
            + size_of_val(&*self.predicate_start)
            + size_of_val(&*self.gate_start)
            + size_of_val(&*self.gate_objectives)
    }
}

/// Sizes are bounded by the limits of the readers, far below 2^31.
fn number(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX) & !FAN
}
