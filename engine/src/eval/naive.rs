//! The slow, obvious evaluator: it keeps what was observed and computes everything anew.
//!
//! For tests: the incremental evaluator has to agree with it, and nothing else may use it to decide.

use super::{Assignment, Concern, Fact, RuleSet, ValueSource, semantics};
use crate::ir::{Head, Objective, PredicateKind};
use crate::schema::{ActionId, StateId, VariableId, Vocabulary};
use crate::text::Similarity;
use crate::truth::Truth;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Everything that was observed and achieved, and nothing derived. Cloning it is its undo log.
#[derive(Debug, Clone)]
pub struct Naive {
    vocabulary: Arc<Vocabulary>,
    sets: Arc<[RuleSet]>,
    measure: Arc<dyn Similarity>,
    facts: BTreeMap<VariableId, Fact>,
    observed: BTreeSet<StateId>,
    achieved: BTreeSet<Objective>,
    doubted: BTreeSet<ActionId>,
    done: bool,
}

impl Naive {
    /// Nothing was observed yet.
    pub fn new(vocabulary: Arc<Vocabulary>, sets: Arc<[RuleSet]>, measure: Arc<dyn Similarity>) -> Naive {
        Naive {
            vocabulary,
            sets,
            measure,
            facts: BTreeMap::new(),
            observed: BTreeSet::new(),
            achieved: BTreeSet::new(),
            doubted: BTreeSet::new(),
            done: false,
        }
    }

    /// Sets variables and resets those that declare it.
    pub fn apply(&mut self, assignments: &[Assignment]) {
        let value_of =
            |facts: &BTreeMap<VariableId, Fact>, id| facts.get(&id).and_then(|fact| fact.value.clone());
        let before = self.facts.clone();
        for assignment in assignments {
            let variable = self.vocabulary.variable(assignment.variable);
            let counts = assignment.source == ValueSource::App || !variable.demands_app();
            if counts && assignment.value.is_some() {
                self.observed.insert(variable.state());
            }
            let fact = Fact { value: assignment.value.clone(), source: assignment.source, counts };
            self.facts.insert(assignment.variable, fact);
        }
        let explicit = |id: VariableId| assignments.iter().any(|assignment| assignment.variable == id);
        let mut changed: Vec<VariableId> = assignments
            .iter()
            .map(|assignment| assignment.variable)
            .filter(|id| value_of(&before, *id) != value_of(&self.facts, *id))
            .collect();
        while let Some(by) = changed.pop() {
            for (id, variable) in self.vocabulary.clone().variables() {
                let resets = variable.reset_by().contains(&by) && !explicit(id);
                if resets && value_of(&self.facts, id).is_some() {
                    let unknown = Fact { value: None, source: ValueSource::App, counts: true };
                    self.facts.insert(id, unknown);
                    changed.push(id);
                }
            }
        }
    }

    /// Makes a value count no longer.
    pub fn expire(&mut self, id: VariableId) {
        if let Some(fact) = self.facts.get_mut(&id) {
            fact.counts = false;
        }
    }

    /// Makes a value count again, if its source does.
    pub fn resume(&mut self, id: VariableId) {
        let demands = self.vocabulary.variable(id).demands_app();
        if let Some(fact) = self.facts.get_mut(&id) {
            fact.counts = fact.source == ValueSource::App || !demands;
        }
    }

    /// Achieves every milestone, and `Done`, that has a true rule, until nothing follows.
    pub fn settle(&mut self) {
        loop {
            let before = (self.achieved.len(), self.done);
            for set in self.sets.clone().iter() {
                for rule in set.specification().rules() {
                    let truth = semantics::body(self, set.specification(), set.bindings(), rule);
                    match rule.head() {
                        Head::Objective(objective @ Objective::Milestone(_)) if truth.is_true() => {
                            self.achieved.insert(objective);
                        }
                        Head::Done if truth.is_true() => self.done = true,
                        _ => {}
                    }
                }
            }
            if before == (self.achieved.len(), self.done) {
                return;
            }
        }
    }

    /// A critical action was performed.
    pub fn achieve(&mut self, action: ActionId) {
        self.doubted.remove(&action);
        self.achieved.insert(Objective::Action(action));
    }

    /// It is unknown, or known again, whether a critical action was performed.
    pub fn doubt(&mut self, action: ActionId, doubt: bool) {
        if doubt {
            self.doubted.insert(action);
        } else {
            self.doubted.remove(&action);
        }
    }

    /// Whether an objective is achieved.
    pub fn is_achieved(&self, objective: Objective) -> bool {
        self.achieved.contains(&objective)
    }

    /// Whether the task is complete.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The rules for an action that are true, counted over all sets.
    pub fn true_rules(&self, action: ActionId) -> Vec<usize> {
        self.rules(
            |head| head == Head::Objective(Objective::Action(action)),
            |set, rule| semantics::body(self, set.specification(), set.bindings(), rule).is_true(),
        )
    }

    /// The prohibitions that concern an action and are not false, counted over all sets.
    pub fn standing_prohibitions(&self, action: ActionId) -> Vec<usize> {
        self.rules(
            |head| head == Head::Never,
            |set, rule| {
                semantics::concerns(set.specification(), rule, action)
                    && !semantics::prohibition(self, set.specification(), set.bindings(), rule, action)
                        .is_false()
            },
        )
    }

    fn rules(
        &self,
        head: impl Fn(Head) -> bool,
        fits: impl Fn(&RuleSet, &crate::ir::Rule) -> bool,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        for set in self.sets.iter() {
            for (index, rule) in set.specification().rules().iter().enumerate() {
                if head(rule.head()) && fits(set, rule) {
                    found.push(set.first_rule() + index);
                }
            }
        }
        found
    }

    /// What the live rules say of an update of these variables, laid over before.
    pub fn concern(&self, touched: &[VariableId]) -> Concern {
        let mut concern = Concern { concerned: 0, violated: 0 };
        for set in self.sets.iter() {
            for rule in set.specification().rules() {
                let live = match rule.head() {
                    Head::Never => false,
                    Head::Done => !self.done,
                    Head::Objective(objective) => !self.achieved.contains(&objective),
                };
                let body = set.specification().body(rule);
                let ready = body.iter().all(|predicate| match predicate.kind() {
                    PredicateKind::Objective(objective) => self.achieved.contains(&objective),
                    PredicateKind::State { .. } => true,
                });
                if !live || !ready {
                    continue;
                }
                let truths: Vec<Truth> = body
                    .iter()
                    .flat_map(|predicate| set.specification().constraints(predicate))
                    .filter(|constraint| constraint.variables().any(|id| touched.contains(&id)))
                    .map(|constraint| semantics::constraint(self, set.bindings(), constraint, true))
                    .collect();
                concern.concerned += usize::from(!truths.is_empty());
                concern.violated += usize::from(truths.contains(&Truth::False));
            }
        }
        concern
    }
}

impl semantics::View for Naive {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn fact(&self, id: VariableId) -> Fact {
        let unknown = Fact { value: None, source: ValueSource::App, counts: true };
        self.facts.get(&id).cloned().unwrap_or(unknown)
    }

    fn observed(&self, state: StateId) -> bool {
        self.observed.contains(&state)
    }

    fn objective(&self, objective: Objective) -> Truth {
        match objective {
            _ if self.achieved.contains(&objective) => Truth::True,
            Objective::Action(action) if self.doubted.contains(&action) => Truth::Unknown,
            _ => Truth::False,
        }
    }

    fn measure(&self) -> &dyn Similarity {
        self.measure.as_ref()
    }
}
