//! Whether the end of a task can be reached at all, values left aside: what is on no page that can be got to is performed
//! in no plan.
//!
//! Knows pages, actions that are unsettled, and which objectives rules name; must never know a value, nor ask the gate.

use crate::planner::model::{Model, PageId};
use crate::session::Session;
use intentgate_engine::ir::{Head, Objective, PredicateKind};
use std::collections::BTreeSet;

/// Whether nothing speaks against it. Takes time in proportion to the model's size and to that of the rules, squared.
pub(super) fn may_end(model: &Model, from: PageId, session: &Session) -> bool {
    let mut reached = performed(model, from, session);
    let rules: Vec<(Head, Vec<Objective>)> = session
        .evaluator
        .sets()
        .iter()
        .flat_map(|set| {
            let specification = set.specification();
            specification.rules().iter().map(move |rule| {
                let named = specification.body(rule).iter().filter_map(|predicate| match predicate.kind() {
                    PredicateKind::Objective(objective) => Some(objective),
                    PredicateKind::State { .. } => None,
                });
                (rule.head(), named.collect())
            })
        })
        .collect();
    let known = |reached: &BTreeSet<Objective>, objective: &Objective| {
        reached.contains(objective) || session.evaluator.is_achieved(*objective)
    };
    loop {
        let before = reached.len();
        for (head, named) in &rules {
            if !named.iter().all(|objective| known(&reached, objective)) {
                continue;
            }
            match head {
                Head::Done => return true,
                Head::Objective(milestone @ Objective::Milestone(_)) => drop(reached.insert(*milestone)),
                Head::Objective(Objective::Action(_)) | Head::Never => {}
            }
        }
        if reached.len() == before {
            return false;
        }
    }
}

/// The critical actions on pages that can be got to without what is unsettled.
fn performed(model: &Model, from: PageId, session: &Session) -> BTreeSet<Objective> {
    let settled = |name: &str| session.unsettled().all(|unsettled| unsettled != name);
    let open: Vec<_> = model.transitions().filter(|(_, one)| settled(one.action())).collect();
    let mut ways = vec![Vec::new(); model.pages.len()];
    for (_, transition) in &open {
        if let Some(ways) = ways.get_mut(transition.from().index()) {
            ways.push(*transition);
        }
    }
    let mut pages = BTreeSet::from([from]);
    let mut next = vec![from];
    let mut found = BTreeSet::new();
    while let Some(page) = next.pop() {
        for transition in ways.get(page.index()).into_iter().flatten() {
            let action = session.vocabulary().find_action(transition.action());
            found.extend(action.map(Objective::Action));
            if pages.insert(transition.to()) {
                next.push(transition.to());
            }
        }
    }
    found
}
