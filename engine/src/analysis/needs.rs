//! What rules say of a search before it starts, by the names in them alone: what a goal needs, what can stand in
//! the way of what.

use super::reach::{Goal, Moment, Task};
use super::{Analyst, RuleId};
use crate::ir::{Head, Objective, PredicateKind};
use crate::schema::ActionId;
use std::collections::{BTreeMap, BTreeSet};

impl Analyst {
    /// The critical actions that rules of a specification on the way to its goals name, in the order of the
    /// vocabulary, and the milestones. What is attempted at the end is not performed before.
    pub(super) fn needed(&self, set: usize, task: &Task) -> (Vec<ActionId>, Vec<Objective>) {
        let mut needed: BTreeSet<ActionId> = BTreeSet::new();
        let mut heads: Vec<Head> =
            task.goals.iter().filter(|goal| goal.0 == set).map(|goal| goal.1).collect();
        if let Some(moment) = task.moment {
            heads.extend(moment.needs.iter().flat_map(|id| self.named(*id)));
        }
        let mut seen: Vec<Head> = Vec::new();
        while let Some(head) = heads.pop() {
            if seen.contains(&head) {
                continue;
            }
            seen.push(head);
            if let Head::Objective(Objective::Action(action)) = head {
                needed.insert(action);
            }
            heads.extend(self.concluding(set, head).into_iter().flat_map(|id| self.named(id)));
        }
        if let Some(attempted) = task.moment.and_then(|moment| moment.attempted) {
            needed.remove(&attempted);
        }
        let mut milestones: Vec<Objective> = seen
            .into_iter()
            .filter(|head| !task.goals.contains(&(set, *head)))
            .filter_map(|head| match head {
                Head::Objective(objective @ Objective::Milestone(_)) => Some(objective),
                _ => None,
            })
            .collect();
        milestones.sort_unstable();
        (needed.into_iter().collect(), milestones)
    }

    /// The objectives that a rule names. Arguments are known once their action was performed.
    pub(super) fn named(&self, id: RuleId) -> Vec<Head> {
        let Some(specification) = self.set(id.set) else { return Vec::new() };
        let Some(rule) = specification.rules().get(id.rule) else { return Vec::new() };
        let predicates = specification.body(rule).iter();
        let named = predicates.filter_map(|predicate| match predicate.kind() {
            PredicateKind::Objective(objective) => Some(Head::Objective(objective)),
            PredicateKind::State { state, .. } => {
                let of = specification.vocabulary().state(state).arguments_of();
                of.map(|action| Head::Objective(Objective::Action(action)))
            }
        });
        named.collect()
    }

    /// The actions without which a goal can't be reached, as far as the names of objectives tell.
    pub(super) fn always_needed(&self, task: &Task) -> BTreeSet<ActionId> {
        let mut known = BTreeMap::new();
        let goals: Vec<Goal> = match task.moment {
            None => task.goals.to_vec(),
            // Of a moment the rule is known if it is one.
            Some(Moment { needs: [id], .. }) => {
                self.named(*id).into_iter().map(|head| (id.set, head)).collect()
            }
            Some(_) => Vec::new(),
        };
        goals.into_iter().flat_map(|goal| self.needed_for(goal, &mut known)).collect()
    }

    fn needed_for(&self, goal: Goal, known: &mut BTreeMap<Goal, BTreeSet<ActionId>>) -> BTreeSet<ActionId> {
        if let Some(needed) = known.get(&goal) {
            return needed.clone();
        }
        let (set, head) = goal;
        known.insert(goal, BTreeSet::new());
        let mut needed: Option<BTreeSet<ActionId>> = None;
        for id in self.concluding(set, head) {
            let named = self.named(id).into_iter();
            let by_rule: BTreeSet<ActionId> =
                named.flat_map(|head| self.needed_for((set, head), known)).collect();
            needed =
                Some(needed.map_or(by_rule.clone(), |all| all.intersection(&by_rule).copied().collect()));
        }
        let mut needed = needed.unwrap_or_default();
        needed.extend(head.action());
        known.insert(goal, needed.clone());
        needed
    }

    /// Whether something that was performed can stand in the way of something else: a prohibition names two
    /// objectives, or one that no action is attempted for; or the end of a task names one.
    pub(super) fn actions_hinder(&self, task: &Task) -> bool {
        self.rules().into_iter().any(|id| {
            let named: BTreeSet<Head> = self.named(id).into_iter().collect();
            match self.head(id) {
                Some(Head::Never) => named.len() > 1 || named.iter().any(|head| head.action().is_none()),
                Some(Head::Done) => id.set < self.specifications && !task.ends(id.set) && !named.is_empty(),
                _ => false,
            }
        })
    }

    /// Whether a milestone can stand in the way of something: a prohibition names it, or the end of a task.
    pub(super) fn milestones_hinder(&self, task: &Task) -> bool {
        let hinders = |id: &RuleId| match self.head(*id) {
            Some(Head::Never) => true,
            Some(Head::Done) => id.set < self.specifications && !task.ends(id.set),
            _ => false,
        };
        let mut rules = self.rules().into_iter().filter(hinders);
        rules.any(|id| self.named(id).iter().any(|head| head.action().is_none()))
    }

    /// Whether a rule asks whether something of a state was observed: what once was stays so.
    pub(super) fn asks_for_observations(&self) -> bool {
        self.problem.sets().iter().any(|set| {
            let mut predicates = set.rules().iter().flat_map(|rule| set.body(rule));
            predicates.any(|part| matches!(part.kind(), PredicateKind::State { constraints: (_, 0), .. }))
        })
    }
}
