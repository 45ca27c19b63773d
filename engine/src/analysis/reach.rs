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

/// Where a search stands.
#[derive(Clone, Default)]
struct Node {
    achieved: BTreeSet<Objective>,
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
        self.twice(|analyst| analyst.reach(goal))
    }

    fn reach(&mut self, goal: Head) -> Result<Answer<Plan>, Fault> {
        // Without holding today and parameters to what they were in an earlier step more can be reached:
        // a no is a no.
        let mut answer = self.search(goal, false);
        if let Ok(Answer::Yes(plan)) = &answer
            && !plan.is_of_one_session()
        {
            answer = match self.search(goal, true) {
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

    fn search(&mut self, goal: Head, held: bool) -> Result<Answer<Plan>, Trouble> {
        let actions = self.needed_actions(goal);
        let mut open = VecDeque::from([Node { held, ..Node::default() }]);
        let mut seen: BTreeSet<BTreeSet<Objective>> = BTreeSet::new();
        let mut reasons: BTreeSet<Part> = BTreeSet::new();
        let mut checks = 0;
        while let Some(node) = open.pop_front() {
            if !seen.insert(node.achieved.clone()) {
                continue;
            }
            // The goal itself, if no action performs it.
            if !matches!(goal, Head::Objective(Objective::Action(_))) {
                checks += 1;
                match self.arrive(&node, goal)? {
                    Ok(step) => {
                        let mut plan = node.plan;
                        plan.steps.push(step);
                        return Ok(Answer::Yes(plan));
                    }
                    Err(reason) => reasons.extend(reason.parts),
                }
            }
            for action in &actions {
                if node.achieved.contains(&Objective::Action(*action)) {
                    continue;
                }
                checks += 1;
                if checks > self.bounds().checks {
                    return Ok(Answer::Unknown(Limit::Checks));
                }
                match self.perform(&node, goal, *action)? {
                    Ok(next) if goal == Head::Objective(Objective::Action(*action)) => {
                        return Ok(Answer::Yes(next.plan));
                    }
                    Ok(next) => open.push_back(next),
                    Err(reason) => reasons.extend(reason.parts),
                }
            }
        }
        if self.milestones_hinder() {
            // Which milestones are achieved on the way depends on the examples: another way may do.
            return Ok(Answer::Unknown(Limit::Checks));
        }
        Ok(Answer::No(Reason { parts: reasons.into_iter().collect() }))
    }

    /// A situation in which one of the rules for a head is true, and no critical action is in play.
    fn arrive(&mut self, node: &Node, goal: Head) -> Result<Result<Step, Reason>, Trouble> {
        let rules = self.concluding(goal);
        let mut reason = Reason::default();
        for id in rules {
            let mut claims = self.body(id);
            self.stand(node, None, &mut claims);
            if goal != Head::Done {
                self.not_done(None, &mut claims);
            }
            let spoken = self.variables(id);
            match self.find(&claims.claims, &spoken)? {
                Found::Example(raw, model) => return Ok(Ok(self.step(&raw, &model, goal))),
                Found::Nothing(core) => reason.parts.extend(claims.reason(&core).parts),
            }
        }
        Ok(Err(reason))
    }

    /// A situation in which an action may be performed, and what follows.
    fn perform(
        &mut self,
        node: &Node,
        goal: Head,
        action: ActionId,
    ) -> Result<Result<Node, Reason>, Trouble> {
        let head = Head::Objective(Objective::Action(action));
        let mut reason = Reason::default();
        for id in self.concluding(head) {
            let mut claims = self.body(id);
            let mut spoken = self.variables(id);
            self.clear(action, &mut claims, &mut spoken);
            self.stand(node, Some(action), &mut claims);
            self.not_done(None, &mut claims);
            // What completes the task ends the way, unless that was the goal.
            if goal != Head::Done && goal != head {
                self.not_done(Some(action), &mut claims);
            }
            let (raw, model) = match self.find(&claims.claims, &spoken)? {
                Found::Example(raw, model) => (raw, model),
                Found::Nothing(core) => {
                    reason.parts.extend(claims.reason(&core).parts);
                    continue;
                }
            };
            let mut next = node.clone();
            next.plan.steps.push(self.step(&raw, &model, head));
            let objectives = self.objectives();
            next.achieved.extend(self.problem.achieved_in(&raw, 0, &objectives));
            next.achieved.insert(Objective::Action(action));
            next.bound = Some(model.clone());
            next.arguments.insert(action, model);
            return Ok(Ok(next));
        }
        Ok(Err(reason))
    }

    /// What is achieved where the search stands, and with which arguments.
    fn stand(&mut self, node: &Node, attempted: Option<ActionId>, claims: &mut Claims) {
        let mut objectives = self.objectives();
        // Policies may name actions that the specification never concludes.
        if let Some(vocabulary) = self.vocabulary().cloned() {
            objectives.extend(vocabulary.actions().map(|(id, _)| Objective::Action(id)));
        }
        let objectives: BTreeSet<Objective> = objectives.into_iter().collect();
        for objective in objectives {
            let was = self.problem.was_achieved(0, objective);
            let was = if node.achieved.contains(&objective) { was } else { was.negate() };
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
    fn not_done(&mut self, performed: Option<ActionId>, claims: &mut Claims) {
        for id in self.concluding(Head::Done) {
            let body = match performed {
                Some(action) => self.problem.body_after(id.set, id.rule, action),
                None => self.problem.committed_body(id.set, id.rule),
            };
            claims.push(body.negate(), Some(self.whole(id)));
        }
    }

    fn step(&self, raw: &Raw, model: &Model, head: Head) -> Step {
        let name =
            self.set(0).map_or_else(String::new, |specification| specification.head_name(head).to_owned());
        let critical = matches!(head, Head::Objective(Objective::Action(_)));
        Step { situation: self.situation(raw, model), achieves: name, critical }
    }

    /// The critical actions that rules on the way to a goal name, in the order of the vocabulary.
    fn needed_actions(&self, goal: Head) -> Vec<ActionId> {
        let mut needed: BTreeSet<ActionId> = BTreeSet::new();
        let mut heads = vec![goal];
        let mut seen = vec![goal];
        while let Some(head) = heads.pop() {
            if let Head::Objective(Objective::Action(action)) = head {
                needed.insert(action);
            }
            for id in self.concluding(head) {
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
