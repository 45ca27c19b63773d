//! The gate again, slowly and obviously, over the naive evaluator: what every verdict has to be.
//!
//! Written from the rules, not from the code. It remembers what was observed and computes everything
//! else anew; laying an update over is cloning.

use intentgate::engine::eval::naive::Naive;
use intentgate::engine::eval::semantics::View;
use intentgate::engine::eval::{Assignment, RuleSet, ValueSource};
use intentgate::engine::ir::{Objective, Operand, PredicateKind};
use intentgate::engine::schema::{ActionId, MaxAge, VariableId, Vocabulary};
use intentgate::engine::text::LocalSimilarity;
use intentgate::engine::value::Value;
use intentgate::{Action, Outcome};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a permit remembers.
#[derive(Debug, Clone)]
pub struct Held {
    action: Action,
    epoch: u64,
    begun: u64,
}

/// An effect that has begun.
#[derive(Debug, Clone)]
struct Flying {
    action: Action,
    judged: BTreeMap<VariableId, Option<Value>>,
    observed: Vec<VariableId>,
    suspended: Vec<VariableId>,
}

/// The reference.
#[derive(Debug, Clone)]
pub struct Reference {
    vocabulary: Arc<Vocabulary>,
    sets: Arc<[RuleSet]>,
    /// The naive evaluator, with what is committed.
    pub naive: Naive,
    strict: bool,
    /// How many changes there were.
    pub epoch: u64,
    begun: u64,
    executed: BTreeMap<ActionId, BTreeMap<VariableId, Option<Value>>>,
    unsettled: Vec<Flying>,
    advised: Option<(Action, u64, u64)>,
    set_at: BTreeMap<VariableId, u64>,
}

impl Reference {
    /// Nothing was observed yet.
    pub fn new(vocabulary: Arc<Vocabulary>, sets: Arc<[RuleSet]>, strict: bool) -> Reference {
        let naive = Naive::new(Arc::clone(&vocabulary), Arc::clone(&sets), Arc::new(LocalSimilarity));
        Reference {
            vocabulary,
            sets,
            naive,
            strict,
            epoch: 0,
            begun: 0,
            executed: BTreeMap::new(),
            unsettled: Vec::new(),
            advised: None,
            set_at: BTreeMap::new(),
        }
    }

    fn facts(&self, naive: &Naive) -> Vec<intentgate::engine::eval::Fact> {
        self.vocabulary.variables().map(|(id, _)| naive.fact(id)).collect()
    }

    /// Old values count no longer.
    fn age(&mut self) {
        let before = self.facts(&self.naive);
        for (id, variable) in self.vocabulary.clone().variables() {
            if let Some(MaxAge::Epochs(limit)) = variable.max_age()
                && self.epoch - self.set_at.get(&id).copied().unwrap_or(0) > limit
                && self.naive.fact(id).value.is_some()
            {
                self.naive.expire(id);
            }
        }
        let after = self.facts(&self.naive);
        self.epoch += before.iter().zip(&after).filter(|(before, after)| before != after).count() as u64;
    }

    fn commit(&mut self, assignments: &[Assignment], counts: bool) {
        let before = self.facts(&self.naive);
        self.naive.apply(assignments);
        self.epoch += u64::from(counts || before != self.facts(&self.naive));
        for assignment in assignments {
            self.set_at.insert(assignment.variable, self.epoch);
        }
    }

    fn settle(&mut self) {
        let count = |naive: &Naive| {
            let milestones = self.sets.first().map_or(0, |set| set.specification().milestones().len());
            let ids = self.sets.iter().flat_map(|set| set.specification().rules());
            let objectives = ids.filter_map(|rule| match rule.head() {
                intentgate::engine::ir::Head::Objective(o @ Objective::Milestone(_)) => Some(o),
                _ => None,
            });
            (milestones, objectives.filter(|o| naive.is_achieved(*o)).count(), naive.is_done())
        };
        let before = count(&self.naive);
        self.naive.settle();
        self.epoch += u64::from(before != count(&self.naive));
    }

    /// An observation.
    pub fn observe(&mut self, assignments: &[Assignment]) {
        self.age();
        self.commit(assignments, false);
        for flying in &mut self.unsettled {
            flying.observed.extend(assignments.iter().map(|assignment| assignment.variable));
        }
        self.settle();
    }

    /// The overlay of an action: its arguments, the missing ones unknown, and its update.
    fn overlay(&self, action: &Action) -> Vec<Assignment> {
        let mut overlay = Vec::new();
        if let Some(id) = action.critical() {
            for variable in self.vocabulary.state(self.vocabulary.action(id).arguments()).variables() {
                let name = self.vocabulary.variable(variable).name();
                let value = action.arguments().get(name).map(|argument| match argument {
                    intentgate::Argument::Typed(value) => value.clone(),
                    intentgate::Argument::Free(_) => unreachable!("declared arguments are typed"),
                });
                overlay.push(Assignment { variable, value, source: ValueSource::App });
            }
        }
        overlay.extend_from_slice(action.update());
        overlay
    }

    /// The verdict on a proposal, and the permit.
    pub fn propose(&mut self, action: &Action) -> (&'static str, Option<Held>) {
        self.age();
        let advised = self.advised.take();
        let permit = Some(Held { action: action.clone(), epoch: self.epoch, begun: self.begun });
        if self.unsettled.iter().any(|flying| flying.action.name() == action.name()) {
            return ("block", None);
        }
        let mut laid = self.naive.clone();
        laid.apply(&self.overlay(action));
        let Some(id) = action.critical() else {
            if self.naive.is_done() {
                return ("allow", permit);
            }
            let touched: Vec<VariableId> = action.update().iter().map(|a| a.variable).collect();
            let concern = laid.concern(&touched);
            let against =
                if self.strict { concern.violated > 0 } else { concern.violated == concern.concerned };
            if concern.concerned == 0 || !against {
                return ("allow", permit);
            }
            if advised.is_some_and(|(before, epoch, begun)| {
                before == *action && epoch == self.epoch && begun == self.begun
            }) {
                return ("allow", permit);
            }
            self.advised = Some((action.clone(), self.epoch, self.begun));
            return ("advise", None);
        };
        if self.naive.is_done() {
            return ("block", None);
        }
        let rules = laid.true_rules(id);
        let differs = |rule: &usize| match self.executed.get(&id) {
            None => true,
            Some(then) => self.rule_variables(*rule).iter().any(|variable| {
                match (then.get(variable).cloned().flatten(), laid.fact(*variable).value) {
                    (Some(Value::Text(then)), Some(Value::Text(now))) => {
                        let ignores = self.vocabulary.variable(*variable).ignores_case();
                        intentgate::engine::text::equal(then.as_str(), now.as_str(), ignores).is_false()
                    }
                    (then, now) => then != now,
                }
            }),
        };
        if rules.iter().any(differs) && laid.standing_prohibitions(id).is_empty() {
            ("allow", permit)
        } else {
            ("block", None)
        }
    }

    fn rule_variables(&self, rule: usize) -> Vec<VariableId> {
        let Some(set) = self.sets.iter().rev().find(|set| set.first_rule() <= rule) else {
            return Vec::new();
        };
        let specification = set.specification();
        let rule = &specification.rules()[rule - set.first_rule()];
        let mut variables = Vec::new();
        for predicate in specification.body(rule) {
            if let PredicateKind::State { state, .. } = predicate.kind() {
                if specification.constraints(predicate).is_empty() {
                    variables.extend(self.vocabulary.state(state).variables());
                }
                for constraint in specification.constraints(predicate) {
                    variables.push(constraint.variable());
                    if let Operand::Variable(other) = constraint.operand() {
                        variables.push(*other);
                    }
                }
            }
        }
        variables
    }

    /// Uses a permit; whether it was stale.
    pub fn execute(&mut self, held: Held, outcome: Outcome) -> bool {
        self.age();
        if held.epoch != self.epoch || held.begun != self.begun {
            return true;
        }
        self.begun += 1;
        let mut laid = self.naive.clone();
        laid.apply(&self.overlay(&held.action));
        let judged = self.vocabulary.variables().map(|(id, _)| (id, laid.fact(id).value)).collect();
        // What the effect changes is not known from here on.
        let changes = |id: &VariableId| {
            let (before, after) = (self.naive.fact(*id), laid.fact(*id));
            before.value.is_some() && before.counts && before.value != after.value
        };
        let suspended: Vec<VariableId> =
            self.vocabulary.variables().map(|(id, _)| id).filter(changes).collect();
        for id in &suspended {
            self.naive.expire(*id);
        }
        self.unsettled.push(Flying { action: held.action, judged, observed: Vec::new(), suspended });
        let critical = self.unsettled.last().and_then(|flying| flying.action.critical());
        if let Some(id) = critical {
            self.naive.doubt(id, true);
        }
        self.end(self.unsettled.len() - 1, outcome);
        false
    }

    fn end(&mut self, index: usize, outcome: Outcome) {
        let critical = self.unsettled[index].action.critical();
        match outcome {
            Outcome::Unknown => {}
            Outcome::NotPerformed => {
                let flying = self.unsettled.remove(index);
                for id in flying.suspended.iter().filter(|id| !flying.observed.contains(id)) {
                    self.naive.resume(*id);
                }
                if let Some(id) = critical {
                    self.naive.doubt(id, false);
                }
            }
            Outcome::Done => {
                let Flying { action, judged, observed, .. } = self.unsettled.remove(index);
                let mut overlay = self.overlay(&action);
                overlay.retain(|assignment| !observed.contains(&assignment.variable));
                self.commit(&overlay, critical.is_some());
                if let Some(id) = critical {
                    self.naive.achieve(id);
                    self.executed.insert(id, judged);
                }
                self.settle();
            }
        }
    }

    /// Settles an unknown outcome; whether there was one.
    pub fn resolve(&mut self, action: &str, performed: bool) -> bool {
        self.age();
        let Some(index) = self.unsettled.iter().position(|flying| flying.action.name() == action) else {
            return false;
        };
        self.end(index, if performed { Outcome::Done } else { Outcome::NotPerformed });
        true
    }
}
