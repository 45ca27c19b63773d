//! Can an objective be reached, and in which order? A search over sets of achieved objectives, a check for
//! each step.

use super::{Analyst, Answer, Claims, Found, Part, Reason, RuleId, Situation, Trouble};
use crate::diagnostic::Fault;
use crate::ir::{Head, Objective, PredicateKind};
use crate::schema::{ActionId, VariableId};
use crate::solve::{Limit, Model, Raw};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A sequence of situations at whose end something is achieved.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct Plan {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A situation, and what is achieved in it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Step {
    /// What is known.
    pub situation: Situation,
    /// The objective, or `Done`.
    pub achieves: String,
    /// Whether a critical action is performed.
    pub critical: bool,
}

/// A goal: the number of its specification, and what is to be achieved there.
pub(super) type Goal = (usize, Head);

/// Where a search stands.
#[derive(Clone, Default)]
struct Node {
    /// What is achieved in each specification; actions are performed for all of them.
    achieved: BTreeSet<(usize, Objective)>,
    /// The goals that were reached, by their places.
    reached: BTreeSet<usize>,
    /// The arguments with which actions were performed.
    arguments: BTreeMap<ActionId, Model>,
    /// Whether today and parameters stay what they were.
    held: bool,
    bound: Option<Model>,
    plan: Plan,
}

impl Plan {
    /// Whether today and the parameters are the same in all steps.
    fn is_of_one_session(&self) -> bool {
        let mut today = None;
        let mut parameters: BTreeMap<&str, &Value> = BTreeMap::new();
        self.steps.iter().map(|step| &step.situation).all(|situation| {
            let same_day = situation.today.is_none_or(|day| *today.get_or_insert(day) == day);
            same_day
                && situation
                    .parameters
                    .iter()
                    .all(|(name, value)| *parameters.entry(name).or_insert(value) == value)
        })
    }
}

impl Analyst {
    /// Whether the task can be completed, and how.
    ///
    /// # Errors
    /// Solver and evaluator disagree: a bug.
    pub fn can_complete(&mut self) -> Result<Answer<Plan>, Fault> {
        self.can_reach(Head::Done)
    }

    /// Whether an objective can be achieved before the task is complete, or the task be completed.
    ///
    /// # Errors
    /// As [`Analyst::can_complete`].
    pub fn can_reach(&mut self, goal: Head) -> Result<Answer<Plan>, Fault> {
        self.can_reach_all(&[(0, goal)])
    }

    pub(super) fn can_reach_all(&mut self, goals: &[Goal]) -> Result<Answer<Plan>, Fault> {
        self.twice(|analyst| analyst.reach(goals))
    }

    fn reach(&mut self, goals: &[Goal]) -> Result<Answer<Plan>, Fault> {
        // Without holding today and parameters to what they were in an earlier step more can be reached:
        // a no is a no.
        let mut answer = self.search(goals, false);
        if let Ok(Answer::Yes(plan)) = &answer
            && !plan.is_of_one_session()
        {
            answer = match self.search(goals, true) {
                // Other values than those of the first step might do.
                Ok(Answer::No(_)) => Ok(Answer::Unknown(Limit::Checks)),
                other => other,
            };
        }
        match answer {
            Ok(answer) => Ok(answer),
            Err(Trouble::Limit(limit)) => Ok(Answer::Unknown(limit)),
            Err(Trouble::Bug(fault)) => Err(fault),
        }
    }

    fn search(&mut self, goals: &[Goal], held: bool) -> Result<Answer<Plan>, Trouble> {
        let actions: Vec<Vec<ActionId>> =
            (0..self.specifications).map(|set| self.needed_actions(set, goals)).collect();
        let mut open = VecDeque::from([Node { held, ..Node::default() }]);
        let mut seen = BTreeSet::new();
        let mut reasons: BTreeSet<Part> = BTreeSet::new();
        let mut checks = 0;
        let is_last =
            |next: &Result<Node, Reason>| next.as_ref().is_ok_and(|next| next.reached.len() == goals.len());
        while let Some(node) = open.pop_front() {
            if !seen.insert((node.achieved.clone(), node.reached.clone())) {
                continue;
            }
            let mut found = Vec::new();
            // What no action performs.
            for (place, goal) in goals.iter().enumerate() {
                let performed = matches!(goal.1, Head::Objective(Objective::Action(_)));
                if !performed && !node.reached.contains(&place) {
                    checks += 1;
                    found.push(self.arrive(&node, place, *goal)?);
                }
            }
            if let Some(Ok(next)) = found.iter_mut().find(|next| is_last(next)) {
                return Ok(Answer::Yes(std::mem::take(&mut next.plan)));
            }
            for (set, actions) in actions.iter().enumerate() {
                // Once a task is complete, its rules allow nothing more.
                if node.reached.iter().any(|place| goals.get(*place) == Some(&(set, Head::Done))) {
                    continue;
                }
                for action in actions {
                    if node.achieved.contains(&(0, Objective::Action(*action))) {
                        continue;
                    }
                    checks += 1;
                    if checks > self.bounds().checks {
                        return Ok(Answer::Unknown(Limit::Checks));
                    }
                    found.push(self.perform(&node, goals, set, *action)?);
                }
            }
            // Only where there is no way on, what stands in the way is a reason.
            let stuck = found.iter().all(Result::is_err);
            for next in found {
                match next {
                    Ok(next) if next.reached.len() == goals.len() => return Ok(Answer::Yes(next.plan)),
                    Ok(next) => open.push_back(next),
                    Err(reason) if stuck => reasons.extend(reason.parts),
                    Err(_) => {}
                }
            }
        }
        if self.milestones_hinder() {
            // Which milestones are achieved on the way depends on the examples: another way may do.
            return Ok(Answer::Unknown(Limit::Checks));
        }
        Ok(Answer::No(Reason { parts: reasons.into_iter().collect() }))
    }

    /// A situation in which one of the rules for a goal is true, and no critical action is in play.
    fn arrive(&mut self, node: &Node, place: usize, goal: Goal) -> Result<Result<Node, Reason>, Trouble> {
        let (set, head) = goal;
        let mut reason = Reason::default();
        for id in self.concluding(set, head) {
            let mut claims = self.body(id);
            self.stand(node, None, &mut claims);
            if head != Head::Done {
                self.not_done(set, None, &mut claims);
            }
            let spoken = self.variables(id);
            match self.find(&claims.claims, &spoken)? {
                Found::Example(raw, model) => {
                    let mut next = self.after(node, &raw, &model, goal, &claims);
                    next.reached.insert(place);
                    return Ok(Ok(next));
                }
                Found::Nothing(core) => reason.parts.extend(claims.reason(&core).parts),
            }
        }
        Ok(Err(reason))
    }

    /// A situation in which an action may be performed by a rule of a specification, and what follows.
    fn perform(
        &mut self,
        node: &Node,
        goals: &[Goal],
        set: usize,
        action: ActionId,
    ) -> Result<Result<Node, Reason>, Trouble> {
        let goal = (set, Head::Objective(Objective::Action(action)));
        let mut reason = Reason::default();
        for id in self.concluding(set, goal.1) {
            let mut claims = self.body(id);
            let mut spoken = self.variables(id);
            self.clear(action, &mut claims, &mut spoken);
            self.stand(node, Some(action), &mut claims);
            self.not_done(set, None, &mut claims);
            // What completes the task ends the way, unless that was the goal.
            if !goals.contains(&(set, Head::Done)) && !goals.contains(&goal) {
                self.not_done(set, Some(action), &mut claims);
            }
            match self.find(&claims.claims, &spoken)? {
                Found::Example(raw, model) => {
                    let mut next = self.after(node, &raw, &model, goal, &claims);
                    next.achieved.insert((0, Objective::Action(action)));
                    next.arguments.insert(action, model);
                    next.reached.extend(goals.iter().position(|other| *other == goal));
                    return Ok(Ok(next));
                }
                Found::Nothing(core) => reason.parts.extend(claims.reason(&core).parts),
            }
        }
        Ok(Err(reason))
    }

    /// Where the search stands after a step.
    fn after(&self, node: &Node, raw: &Raw, model: &Model, goal: Goal, claims: &Claims) -> Node {
        let mut next = node.clone();
        let mut step = self.step(raw, model, goal);
        step.situation.similarity = claims.ask_for_similar();
        next.plan.steps.push(step);
        for set in 0..self.specifications {
            let achieved = self.problem.achieved_in(raw, set, &self.objectives(set));
            next.achieved.extend(achieved.into_iter().map(|objective| match objective {
                Objective::Action(_) => (0, objective),
                Objective::Milestone(_) => (set, objective),
            }));
        }
        next.bound = Some(model.clone());
        next
    }

    /// What is achieved where the search stands, and with which arguments.
    fn stand(&mut self, node: &Node, attempted: Option<ActionId>, claims: &mut Claims) {
        let mut objectives: BTreeSet<(usize, Objective)> = BTreeSet::new();
        for set in 0..self.specifications {
            let milestones = self.objectives(set).into_iter();
            let milestones = milestones.filter(|objective| matches!(objective, Objective::Milestone(_)));
            objectives.extend(milestones.map(|milestone| (set, milestone)));
        }
        // Policies may name actions that no specification concludes.
        if let Some(vocabulary) = self.vocabulary().cloned() {
            objectives.extend(vocabulary.actions().map(|(id, _)| (0, Objective::Action(id))));
        }
        for (set, objective) in objectives {
            let was = self.problem.was_achieved(set, objective);
            let was = if node.achieved.contains(&(set, objective)) { was } else { was.negate() };
            claims.push(was, None);
        }
        if let (true, Some(bound)) = (node.held, &node.bound) {
            for claim in self.problem.bound(bound) {
                claims.push(claim, None);
            }
        }
        let encoded: BTreeSet<VariableId> =
            self.problem.constraints().flat_map(|(_, constraint)| constraint.variables()).collect();
        let Some(vocabulary) = self.vocabulary().cloned() else { return };
        for id in self.problem.committed() {
            let of = vocabulary.state(vocabulary.variable(id).state()).arguments_of();
            let given = of.and_then(|action| node.arguments.get(&action)).and_then(|model| model.value(id));
            claims.push(self.problem.was_given(id, given), None);
        }
        for id in encoded {
            let state = vocabulary.variable(id).state();
            let Some(of) = vocabulary.state(state).arguments_of() else { continue };
            if Some(of) == attempted {
                continue;
            }
            // Arguments are known once their action was performed, and stay what they were.
            let claim = match node.arguments.get(&of).and_then(|model| model.value(id)) {
                Some(value) => self.problem.is(id, &value.clone()),
                None => self.problem.known(id).negate(),
            };
            claims.push(claim, None);
        }
    }

    /// The task is not complete, or not once an action is achieved.
    fn not_done(&mut self, set: usize, performed: Option<ActionId>, claims: &mut Claims) {
        for id in self.concluding(set, Head::Done) {
            let body = match performed {
                Some(action) => self.problem.body_after(id.set, id.rule, action),
                None => self.problem.committed_body(id.set, id.rule),
            };
            claims.push(body.negate(), Some(self.whole(id)));
        }
    }

    fn step(&self, raw: &Raw, model: &Model, (set, head): Goal) -> Step {
        let of = self.set(set);
        let mut name = of.map_or_else(String::new, |specification| specification.head_name(head).to_owned());
        if let (true, Head::Done, Some(specification)) = (self.specifications > 1, head, of) {
            name = format!("{name} of {}", specification.source().name());
        }
        let critical = matches!(head, Head::Objective(Objective::Action(_)));
        Step { situation: self.situation(raw, model), achieves: name, critical }
    }

    /// The critical actions that rules of a specification on the way to its goals name, in the order of the
    /// vocabulary.
    fn needed_actions(&self, set: usize, goals: &[Goal]) -> Vec<ActionId> {
        let mut needed: BTreeSet<ActionId> = BTreeSet::new();
        let mut heads: Vec<Head> = goals.iter().filter(|goal| goal.0 == set).map(|goal| goal.1).collect();
        let mut seen = heads.clone();
        while let Some(head) = heads.pop() {
            if let Head::Objective(Objective::Action(action)) = head {
                needed.insert(action);
            }
            for id in self.concluding(set, head) {
                let Some(specification) = self.set(id.set) else { continue };
                let Some(rule) = specification.rules().get(id.rule) else { continue };
                for predicate in specification.body(rule) {
                    // Arguments are known once their action was performed.
                    let of = match predicate.kind() {
                        PredicateKind::Objective(objective) => Some(Head::Objective(objective)),
                        PredicateKind::State { state, .. } => {
                            let of = specification.vocabulary().state(state).arguments_of();
                            of.map(|action| Head::Objective(Objective::Action(action)))
                        }
                    };
                    for head in of.into_iter().filter(|head| !seen.contains(head)).collect::<Vec<_>>() {
                        seen.push(head);
                        heads.push(head);
                    }
                }
            }
        }
        needed.into_iter().collect()
    }

    /// Whether a milestone can stand in the way of something: a prohibition names it.
    fn milestones_hinder(&self) -> bool {
        let never = |id: &RuleId| self.head(*id) == Some(Head::Never);
        self.rules().into_iter().filter(never).any(|id| {
            self.set(id.set).is_some_and(|specification| {
                let rule = specification.rules().get(id.rule);
                rule.is_some_and(|rule| {
                    specification.body(rule).iter().any(|predicate| {
                        matches!(predicate.kind(), PredicateKind::Objective(Objective::Milestone(_)))
                    })
                })
            })
        })
    }
}
