//! What the rules look at, and how that helps to let actions pass.
//!
//! Knows rules and what follows from them; must never know transitions, nor try a value.

use super::Sources;
use intentgate_engine::eval::RuleSet;
use intentgate_engine::ir::{Constraint, Head, Objective, PredicateKind, Rule, Specification};
use intentgate_engine::schema::{ActionId, VariableId};
use std::collections::BTreeSet;

/// How a constraint helps to let actions pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// If it is true.
    True,
    /// If it is false: it belongs to a prohibition.
    False,
    /// Either way: what it concludes is named in a prohibition.
    Either,
    /// As before, but it concludes that an action may be performed, which is up to the plan.
    Permits,
}

/// A constraint of a rule set, and how it helps.
pub(super) type Used<'a> = (&'a RuleSet, &'a Constraint, Wanted);

impl<'a> Sources<'a> {
    /// Whether a rule that matters to the end of the task looks at a variable.
    pub(super) fn is_looked_at(&self, id: VariableId) -> bool {
        let state = self.vocabulary().variable(id).state();
        self.session.evaluator.sets().iter().any(|set| {
            let specification = set.specification();
            let numbers = relevant(specification, &self.performed).into_iter();
            let mut rules = numbers.filter_map(|number| specification.rules().get(number));
            rules.any(|rule| {
                specification.body(rule).iter().any(|predicate| match predicate.kind() {
                    PredicateKind::State { state: asked, constraints: (_, 0) } => asked == state,
                    _ => {
                        let constraints = specification.constraints(predicate).iter();
                        constraints.flat_map(Constraint::variables).any(|variable| variable == id)
                    }
                })
            })
        })
    }

    /// The constraints on a variable, of every rule set.
    pub(super) fn on(&self, id: VariableId) -> impl Iterator<Item = Used<'a>> {
        self.bodies.iter().copied().filter(move |(_, one, _)| one.variables().any(|variable| variable == id))
    }
}

/// Every constraint of every rule set, with how it helps.
pub(super) fn bodies(sets: &[RuleSet]) -> Vec<Used<'_>> {
    let mut dreaded: BTreeSet<Objective> = BTreeSet::new();
    let rules =
        || sets.iter().flat_map(|set| set.specification().rules().iter().map(move |rule| (set, rule)));
    // What prohibitions name, and what leads to that.
    loop {
        let before = dreaded.len();
        for (set, rule) in rules() {
            let leads = match rule.head() {
                Head::Never => true,
                Head::Objective(objective) => dreaded.contains(&objective),
                Head::Done => false,
            };
            let named =
                set.specification().body(rule).iter().filter_map(|predicate| match predicate.kind() {
                    PredicateKind::Objective(objective) => Some(objective),
                    PredicateKind::State { .. } => None,
                });
            if leads {
                dreaded.extend(named);
            }
        }
        if dreaded.len() == before {
            break;
        }
    }
    let wanted = |head: Head| match head {
        Head::Never => Wanted::False,
        Head::Objective(objective @ Objective::Action(_)) if dreaded.contains(&objective) => Wanted::Permits,
        Head::Objective(objective) if dreaded.contains(&objective) => Wanted::Either,
        Head::Objective(_) | Head::Done => Wanted::True,
    };
    let constraints = rules().flat_map(|(set, rule)| {
        let specification = set.specification();
        let body = specification.body(rule).iter();
        let constraints = body.flat_map(|predicate| specification.constraints(predicate));
        constraints.map(move |one| (set, one, rule.head()))
    });
    constraints.map(|(set, one, head)| (set, one, wanted(head))).collect()
}

/// The rules that can matter to the end of the task: those for `Done`, for what transitions perform, for what these
/// name, and prohibitions.
fn relevant(specification: &Specification, performed: &BTreeSet<ActionId>) -> BTreeSet<usize> {
    let mut heads = vec![Head::Done];
    heads.extend(performed.iter().map(|id| Head::Objective(Objective::Action(*id))));
    let mut rules = BTreeSet::new();
    let named = |rule: &Rule| {
        specification.body(rule).iter().filter_map(|predicate| match predicate.kind() {
            PredicateKind::Objective(objective) => Some(Head::Objective(objective)),
            PredicateKind::State { state, .. } => {
                // Arguments are known once their action was performed.
                let action = specification.vocabulary().state(state).arguments_of()?;
                Some(Head::Objective(Objective::Action(action)))
            }
        })
    };
    for (number, rule) in specification.rules().iter().enumerate() {
        if rule.head() == Head::Never {
            rules.insert(number);
            heads.extend(named(rule));
        }
    }
    while let Some(head) = heads.pop() {
        for (number, rule) in specification.rules().iter().enumerate() {
            if rule.head() == head && rules.insert(number) {
                heads.extend(named(rule));
            }
        }
    }
    rules
}
