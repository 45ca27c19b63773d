//! Can an objective be reached, and in which order? A search over sets of achieved objectives, a check for
//! each step.

use super::{Analyst, Answer, Claims, Found, Part, Reason, RuleId, Situation, Trouble, situation};
use crate::diagnostic::Fault;
use crate::ir::{Head, Objective};
use crate::schema::{ActionId, StateId, VariableId};
use crate::solve::{Claim, Limit, Model, Raw};
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

/// Where a search starts, and where it stands.
#[derive(Clone, Default)]
pub(super) struct Node {
    /// What is achieved in each specification; actions are performed for all of them.
    pub(super) achieved: BTreeSet<(usize, Objective)>,
    /// The arguments with which actions were performed.
    pub(super) arguments: BTreeMap<VariableId, Value>,
    /// States of which something has been observed.
    pub(super) observed: BTreeSet<StateId>,
    /// What was achieved before the search.
    pub(super) given: BTreeSet<(usize, Objective)>,
    /// What is known, and stays so where it can; nothing if that doesn't matter.
    pub(super) present: BTreeMap<VariableId, Value>,
    /// The goals that were reached, by their places.
    reached: BTreeSet<usize>,
    /// The last step.
    last: Option<Model>,
    plan: Plan,
    /// What each step concludes, and what its rules speak of.
    spoken: Vec<(Head, BTreeSet<VariableId>)>,
}

/// What is searched for, and from where.
pub(super) struct Task<'a> {
    pub(super) start: &'a Node,
    /// What is to be achieved.
    pub(super) goals: &'a [Goal],
    /// A moment of the first specification that is to come instead.
    pub(super) moment: Option<&'a Moment<'a>>,
    /// What is not performed.
    pub(super) barred: &'a BTreeSet<ActionId>,
}

/// What is asked of the end of a way.
pub(super) struct Moment<'a> {
    /// What is concluded, or would be.
    pub(super) head: Head,
    /// Whether that may complete the task.
    pub(super) ends: bool,
    /// The critical action that is attempted.
    pub(super) attempted: Option<ActionId>,
    /// The rules whose objectives are needed, or some of them.
    pub(super) needs: &'a [RuleId],
    /// What is so, and what that speaks of.
    pub(super) claims: &'a dyn Fn(&mut Analyst) -> (Claims, BTreeSet<VariableId>),
}

impl Task<'_> {
    fn is_reached(&self, node: &Node) -> bool {
        self.moment.is_none() && node.reached.len() == self.goals.len()
    }

    /// Whether a goal ends the task, so that what completes it does not end the way too early.
    pub(super) fn ends(&self, set: usize) -> bool {
        self.moment.is_some_and(|moment| moment.ends) || self.goals.contains(&(set, Head::Done))
    }
}

/// What steps have in common.
#[derive(Clone, Default)]
struct Manner {
    /// Nothing: each step for itself may have any today and parameters, and any arguments of earlier
    /// actions that their rules allow. So more can be reached than can be, and a no is a no.
    free: bool,
    /// Today and the parameters, if not those of the first step.
    bound: Option<Model>,
    /// Arguments with which actions are performed.
    arguments: BTreeMap<VariableId, Value>,
}

impl Plan {
    /// Whether today, the parameters, and the arguments of what was performed are the same in all steps.
    fn is_of_one_session(&self) -> bool {
        let mut today = None;
        let mut parameters: BTreeMap<&str, &Value> = BTreeMap::new();
        let mut performed: Vec<(String, &Situation)> = Vec::new();
        self.steps.iter().all(|Step { situation, achieves, critical }| {
            let same_day = situation.today.is_none_or(|day| *today.get_or_insert(day) == day);
            let same = situation
                .parameters
                .iter()
                .all(|(name, value)| *parameters.entry(name).or_insert(value) == value);
            let as_performed = situation.values.iter().all(|(path, value)| {
                let by = performed.iter().find(|(prefix, _)| path.starts_with(prefix));
                by.is_none_or(|(_, then)| then.value(path) == Some(value))
            });
            if *critical {
                performed.push((format!("{achieves}."), situation));
            }
            same_day && same && as_performed
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
        self.can_reach_from(&Node::default(), goals, &BTreeSet::new())
    }

    /// From where a search starts, without performing `barred` actions.
    pub(super) fn can_reach_from(
        &mut self,
        start: &Node,
        goals: &[Goal],
        barred: &BTreeSet<ActionId>,
    ) -> Result<Answer<Plan>, Fault> {
        self.find_way(&Task { start, goals, moment: None, barred })
    }

    pub(super) fn find_way(&mut self, task: &Task) -> Result<Answer<Plan>, Fault> {
        let from_nothing = task.start.present.is_empty() && task.start.given.is_empty();
        if let (true, [(0, goal)], None, 1) = (from_nothing, task.goals, task.moment, self.specifications)
            && let Some(plan) = self.stroll(*goal, task.barred)
        {
            return Ok(Answer::Yes(plan));
        }
        self.twice(|analyst| match analyst.reach(task) {
            Ok(answer) => Ok(answer),
            Err(Trouble::Limit(limit)) => Ok(Answer::Unknown(limit)),
            Err(Trouble::Bug(fault)) => Err(fault),
        })
    }

    fn reach(&mut self, task: &Task) -> Result<Answer<Plan>, Trouble> {
        let free = Manner { free: true, ..Manner::default() };
        let end = match self.search(task, &free)? {
            Answer::Yes(end) => end,
            Answer::No(reason) => return Ok(Answer::No(reason)),
            Answer::Unknown(limit) => return Ok(Answer::Unknown(limit)),
        };
        let (end, spared) = self.without_detours(task, end)?;
        if end.plan.is_of_one_session() && !self.asks_for_observations() {
            return Ok(Answer::Yes(self.shown(end)));
        }
        // What the last step asks of earlier ones may do for all, or else what the first step has.
        let arguments = end.last.as_ref().map(|last| self.arguments_in(last, &end));
        let as_last = Manner { free: false, bound: end.last, arguments: arguments.unwrap_or_default() };
        let direct = Task { barred: &spared, ..*task };
        let tasks = if spared == *task.barred { vec![task] } else { vec![&direct, task] };
        for task in tasks {
            for manner in [&as_last, &Manner::default()] {
                if let Answer::Yes(end) = self.search(task, manner)? {
                    return Ok(Answer::Yes(self.shown(end)));
                }
            }
        }
        // Other values might do.
        Ok(Answer::Unknown(Limit::Checks))
    }

    /// The plan of a way. With what earlier actions were performed is shown where it is spoken of.
    fn shown(&self, end: Node) -> Plan {
        let mut plan = end.plan;
        let Some(vocabulary) = self.vocabulary() else { return plan };
        for (step, (head, spoken)) in plan.steps.iter_mut().zip(&end.spoken) {
            let matters = |id: VariableId| {
                let of = self.argument_of(id);
                spoken.contains(&id) || of.is_none() || of == head.action()
            };
            step.situation.values.retain(|(path, _)| vocabulary.find_path(path).is_none_or(matters));
        }
        plan
    }

    /// The same end without actions that are not needed for it, and what is not performed then.
    fn without_detours(&mut self, task: &Task, mut end: Node) -> Result<(Node, BTreeSet<ActionId>), Trouble> {
        let free = Manner { free: true, ..Manner::default() };
        let (needed, mut barred) = (self.always_needed(task), task.barred.clone());
        let performed = |node: &Node| -> Vec<ActionId> {
            let given = node.achieved.difference(&node.given);
            given.filter_map(|(_, objective)| Head::Objective(*objective).action()).collect()
        };
        for action in performed(&end) {
            if needed.contains(&action) || !performed(&end).contains(&action) {
                continue;
            }
            barred.insert(action);
            match self.walk(&Task { barred: &barred, ..*task }, &free, true)? {
                Answer::Yes(other) => end = other,
                Answer::No(_) | Answer::Unknown(_) => drop(barred.remove(&action)),
            }
        }
        Ok((end, barred))
    }

    /// The arguments of what was performed, as a step has them.
    fn arguments_in(&self, model: &Model, node: &Node) -> BTreeMap<VariableId, Value> {
        let Some(vocabulary) = self.vocabulary() else { return BTreeMap::new() };
        let of_performed = |id: VariableId| {
            let of = vocabulary.state(vocabulary.variable(id).state()).arguments_of();
            of.is_some_and(|action| node.achieved.contains(&(0, Objective::Action(action))))
        };
        let known = model.values.iter().chain(&model.committed);
        known.filter(|(id, _)| of_performed(**id)).map(owned).collect()
    }

    fn search(&mut self, task: &Task, manner: &Manner) -> Result<Answer<Node>, Trouble> {
        let straight = self.walk(task, manner, true)?;
        let settled = task.moment.is_none() && task.goals.len() == 1 && !self.actions_hinder(task);
        if settled || straight.is_yes() { Ok(straight) } else { self.walk(task, manner, false) }
    }

    /// Looks for a way: `straight` on, performing the first thing that can be performed and never asking
    /// what would be without it, or along all ways, the shortest ones first.
    fn walk(&mut self, task: &Task, manner: &Manner, straight: bool) -> Result<Answer<Node>, Trouble> {
        let Task { start, goals, moment, barred } = *task;
        let needed: Vec<(Vec<ActionId>, Vec<Objective>)> =
            (0..self.specifications).map(|set| self.needed(set, task)).collect();
        let mut open = VecDeque::from([start.clone()]);
        let mut seen = BTreeSet::new();
        let mut reasons: BTreeSet<Part> = BTreeSet::new();
        let mut checks = 0;
        while let Some(node) = open.pop_front() {
            if !seen.insert((node.achieved.clone(), node.reached.clone())) {
                continue;
            }
            let mut found = Vec::new();
            if let Some(moment) = moment {
                checks += 1;
                match self.moment(&node, moment, manner)? {
                    Ok(next) => return Ok(Answer::Yes(next)),
                    Err(reason) => found.push(Err(reason)),
                }
            }
            // What no action performs.
            for (place, goal) in goals.iter().enumerate() {
                let performed = matches!(goal.1, Head::Objective(Objective::Action(_)));
                if !performed && !node.reached.contains(&place) {
                    checks += 1;
                    match self.arrive(&node, Some(place), *goal, manner)? {
                        Ok(next) if task.is_reached(&next) => return Ok(Answer::Yes(next)),
                        next => found.push(next),
                    }
                }
            }
            let mut performed = false;
            for (set, (actions, _)) in needed.iter().enumerate() {
                // Once a task is complete, its rules allow nothing more.
                let complete = node.reached.iter().any(|place| goals.get(*place) == Some(&(set, Head::Done)));
                if complete || (straight && performed) {
                    continue;
                }
                for action in actions {
                    if node.achieved.contains(&(0, Objective::Action(*action))) || barred.contains(action) {
                        continue;
                    }
                    checks += 1;
                    if checks > self.bounds().checks {
                        return Ok(Answer::Unknown(Limit::Checks));
                    }
                    match self.perform(&node, task, set, *action, manner)? {
                        Ok(next) if task.is_reached(&next) => return Ok(Answer::Yes(next)),
                        next => {
                            performed |= next.is_ok();
                            found.push(next);
                        }
                    }
                    if straight && performed {
                        break;
                    }
                }
            }
            // A milestone may need other values than what comes after it: it is achieved first.
            for (set, (_, milestones)) in needed.iter().enumerate() {
                let moves = |found: &[Result<Node, Reason>]| straight && found.iter().any(Result::is_ok);
                for milestone in milestones {
                    if moves(&found) || node.achieved.contains(&(set, *milestone)) {
                        continue;
                    }
                    checks += 1;
                    if checks > self.bounds().checks {
                        return Ok(Answer::Unknown(Limit::Checks));
                    }
                    found.push(self.arrive(&node, None, (set, Head::Objective(*milestone)), manner)?);
                }
            }
            // Only where there is no way on, what stands in the way is a reason.
            let stuck = found.iter().all(Result::is_err);
            if straight && !stuck {
                // What was performed, or else what was reached first.
                let on = if performed { found.pop() } else { found.into_iter().find(Result::is_ok) };
                open.extend(on.and_then(Result::ok));
                continue;
            }
            for next in found {
                match next {
                    Ok(next) => open.push_back(next),
                    Err(reason) if stuck => reasons.extend(reason.parts),
                    Err(_) => {}
                }
            }
        }
        if self.milestones_hinder(task) {
            // Which milestones are achieved on the way depends on the examples: another way may do.
            return Ok(Answer::Unknown(Limit::Checks));
        }
        Ok(Answer::No(Reason { parts: reasons.into_iter().collect() }))
    }

    /// A situation in which one of the rules for a goal is true, and no critical action is in play.
    fn arrive(
        &mut self,
        node: &Node,
        place: Option<usize>,
        goal: Goal,
        manner: &Manner,
    ) -> Result<Result<Node, Reason>, Trouble> {
        let (set, head) = goal;
        let mut reason = Reason::default();
        for id in self.concluding(set, head) {
            let mut claims = self.body(id);
            self.stand(node, None, manner, &mut claims);
            if head != Head::Done {
                self.not_done(set, None, &mut claims);
            }
            let spoken = self.variables(id);
            match self.find_near(&claims.claims, &spoken, &node.present, None)? {
                Found::Example(raw, model) => {
                    let mut next = self.after(node, (&raw, model), goal, &claims, &spoken);
                    next.reached.extend(place);
                    return Ok(Ok(next));
                }
                Found::Nothing(core) => reason.parts.extend(claims.reason(&core).parts),
            }
        }
        Ok(Err(reason))
    }

    /// The moment that is searched for, if it can come now.
    fn moment(
        &mut self,
        node: &Node,
        moment: &Moment,
        manner: &Manner,
    ) -> Result<Result<Node, Reason>, Trouble> {
        let (mut claims, spoken) = (moment.claims)(self);
        self.stand(node, moment.attempted, manner, &mut claims);
        if !moment.ends {
            self.not_done(0, None, &mut claims);
        }
        Ok(match self.find_near(&claims.claims, &spoken, &node.present, moment.attempted)? {
            Found::Example(raw, model) => {
                Ok(self.after(node, (&raw, model), (0, moment.head), &claims, &spoken))
            }
            Found::Nothing(core) => Err(claims.reason(&core)),
        })
    }

    /// A situation in which an action may be performed by a rule of a specification, and what follows.
    fn perform(
        &mut self,
        node: &Node,
        task: &Task,
        set: usize,
        action: ActionId,
        manner: &Manner,
    ) -> Result<Result<Node, Reason>, Trouble> {
        let goal = (set, Head::Objective(Objective::Action(action)));
        // What completes the task ends the way, unless that was the goal.
        let may_complete = task.ends(set) || task.goals.contains(&goal);
        let mut reason = Reason::default();
        for id in self.concluding(set, goal.1) {
            let mut claims = self.body(id);
            let mut spoken = self.variables(id);
            self.clear(action, None, &mut claims, &mut spoken);
            self.stand(node, Some(action), manner, &mut claims);
            for (id, value) in &manner.arguments {
                if self.argument_of(*id) == Some(action) {
                    claims.push(self.problem.is(*id, value), None);
                    spoken.insert(*id);
                }
            }
            self.not_done(set, None, &mut claims);
            if !may_complete {
                self.not_done(set, Some(action), &mut claims);
            }
            match self.find_near(&claims.claims, &spoken, &node.present, Some(action))? {
                Found::Example(raw, model) => {
                    let mut next = self.after(node, (&raw, model), goal, &claims, &spoken);
                    next.achieved.insert((0, Objective::Action(action)));
                    if self.settle(&mut next)?.contains(&set) && !may_complete {
                        let ends = self.concluding(set, Head::Done);
                        reason.parts.extend(self.wholes(&ends));
                        continue;
                    }
                    if !manner.free {
                        let given = next.last.iter().flat_map(|model| &model.values);
                        let given = given.filter(|(id, _)| self.argument_of(**id) == Some(action));
                        next.arguments.extend(given.map(owned));
                    }
                    next.reached.extend(task.goals.iter().position(|other| *other == goal));
                    return Ok(Ok(next));
                }
                Found::Nothing(core) => reason.parts.extend(claims.reason(&core).parts),
            }
        }
        Ok(Err(reason))
    }

    /// What is true by itself once an action is performed: milestones are achieved. Gives the specifications
    /// that are complete.
    fn settle(&self, node: &mut Node) -> Result<Vec<usize>, Trouble> {
        let Some(model) = &node.last else { return Ok(Vec::new()) };
        let bindings = self.bindings(model)?;
        let mut complete = Vec::new();
        // What was attempted is committed now, as what was performed before.
        let mut values: BTreeMap<VariableId, Value> = model.committed.iter().map(owned).collect();
        values.extend(model.values.iter().map(owned));
        let (observed, measure) = (model.observed.iter().copied().collect(), self.setting.measure.as_ref());
        for (set, bindings) in bindings.iter().enumerate().take(self.specifications) {
            let Some(specification) = self.set(set) else { continue };
            let achieved = &mut node.achieved;
            if situation::settle(specification, bindings, set, &values, &observed, achieved, measure) {
                complete.push(set);
            }
        }
        Ok(complete)
    }

    /// Where the search stands after a step.
    fn after(
        &self,
        node: &Node,
        (raw, model): (&Raw, Model),
        goal: Goal,
        claims: &Claims,
        spoken: &BTreeSet<VariableId>,
    ) -> Node {
        let mut next = node.clone();
        let mut step = self.step(node, raw, &model, goal);
        step.situation.similarity = claims.ask_for_similar();
        next.plan.steps.push(step);
        next.spoken.push((goal.1, spoken.clone()));
        for set in 0..self.specifications {
            let achieved = self.problem.achieved_in(raw, set, &self.objectives(set));
            next.achieved.extend(achieved.into_iter().map(|objective| situation::entry(set, objective)));
        }
        if !node.present.is_empty() {
            next.present.extend(model.values.iter().map(owned));
        }
        if let Some(vocabulary) = self.vocabulary() {
            let known = model.values.keys().map(|id| vocabulary.variable(*id).state());
            next.observed.extend(known.chain(model.observed.iter().copied()));
        }
        next.last = Some(model);
        next
    }

    /// An example as [`Analyst::find`] gives it, in which as much as can be is as it was.
    fn find_near(
        &mut self,
        claims: &[Claim],
        spoken: &BTreeSet<VariableId>,
        present: &BTreeMap<VariableId, Value>,
        attempted: Option<ActionId>,
    ) -> Result<Found, Trouble> {
        // Arguments of other actions are as they were performed.
        let present: Vec<(VariableId, &Value)> = present
            .iter()
            .map(|(id, value)| (*id, value))
            .filter(|(id, _)| self.argument_of(*id).is_none_or(|of| Some(of) == attempted))
            .collect();
        if present.is_empty() {
            return self.find(claims, spoken);
        }
        let spoken: BTreeSet<VariableId> =
            spoken.iter().copied().chain(present.iter().map(|(id, _)| *id)).collect();
        let mut kept: Vec<Claim> = present.iter().map(|(id, value)| self.problem.is(*id, value)).collect();
        let mut given_up: Vec<Claim> = Vec::new();
        let mut best = loop {
            let all: Vec<Claim> = claims.iter().chain(&kept).cloned().collect();
            match self.find(&all, &spoken)? {
                Found::Nothing(core) => {
                    let mut vain: Vec<usize> =
                        core.iter().filter_map(|place| place.checked_sub(claims.len())).collect();
                    if vain.is_empty() {
                        return Ok(Found::Nothing(core));
                    }
                    vain.sort_unstable();
                    given_up.extend(vain.into_iter().rev().map(|place| kept.remove(place)));
                }
                found => break found,
            }
        };
        // Not all of a core was in the way.
        for claim in given_up {
            kept.push(claim);
            let all: Vec<Claim> = claims.iter().chain(&kept).cloned().collect();
            match self.find(&all, &spoken)? {
                Found::Nothing(_) => drop(kept.pop()),
                found => best = found,
            }
        }
        Ok(best)
    }

    /// The action whose argument a variable is.
    pub(super) fn argument_of(&self, id: VariableId) -> Option<ActionId> {
        let vocabulary = self.vocabulary()?;
        vocabulary.state(vocabulary.variable(id).state()).arguments_of()
    }

    /// What is achieved where the search stands, and with which arguments.
    fn stand(&mut self, node: &Node, attempted: Option<ActionId>, manner: &Manner, claims: &mut Claims) {
        let mut objectives: BTreeSet<(usize, Objective)> = BTreeSet::new();
        for set in 0..self.specifications {
            let milestones = self.objectives(set).into_iter();
            let milestones = milestones.filter(|objective| matches!(objective, Objective::Milestone(_)));
            objectives.extend(milestones.map(|milestone| (set, milestone)));
        }
        // Policies may name actions that no specification concludes.
        let Some(vocabulary) = self.vocabulary().cloned() else { return };
        objectives.extend(vocabulary.actions().map(|(id, _)| (0, Objective::Action(id))));
        for (set, objective) in objectives {
            let was = self.problem.was_achieved(set, objective);
            let was = if node.achieved.contains(&(set, objective)) { was } else { was.negate() };
            claims.push(was, None);
        }
        let first = node.last.as_ref().filter(|_| !manner.free);
        if let Some(bound) = manner.bound.as_ref().or(first) {
            for claim in self.problem.bound(bound.today, &bound.parameters) {
                claims.push(claim, None);
            }
        }
        if !manner.free {
            for state in &node.observed {
                claims.push(self.problem.was_observed(*state), None);
            }
        }
        if manner.free {
            for (set, objective) in node.achieved.difference(&node.given) {
                self.achieved_by_rules(*set, *objective, claims);
            }
        }
        // Arguments are known once their action was performed, and stay what they were.
        let mut sights: Vec<(VariableId, bool)> =
            self.problem.committed().into_iter().map(|id| (id, true)).collect();
        let encoded = self.problem.constraints().flat_map(|(_, constraint)| constraint.variables());
        sights.extend(encoded.map(|id| (id, false)));
        sights.sort_unstable();
        sights.dedup();
        for (id, committed) in sights {
            let Some(of) = self.argument_of(id) else { continue };
            if Some(of) == attempted && !committed {
                continue;
            }
            let performed = node.achieved.contains(&(0, Objective::Action(of)));
            // Those that were performed before the search started are given.
            let given = node.arguments.get(&id);
            let claim = match (manner.free && performed && given.is_none(), committed) {
                (true, true) => continue,
                (true, false) => self.problem.as_committed(id),
                (false, true) => self.problem.was_given(id, given),
                (false, false) => match given {
                    Some(value) => self.problem.is(id, value),
                    None => self.problem.known(id).negate(),
                },
            };
            claims.push(claim, None);
        }
    }

    /// What one of the rules for an objective asked of arguments, and the prohibitions of an action of its
    /// own.
    fn achieved_by_rules(&mut self, set: usize, objective: Objective, claims: &mut Claims) {
        let head = Head::Objective(objective);
        let action = match objective {
            Objective::Action(action) => Some(action),
            Objective::Milestone(_) => None,
        };
        let sets = if action.is_some() { 0..self.specifications } else { set..set + 1 };
        let rules: Vec<RuleId> = sets.flat_map(|set| self.concluding(set, head)).collect();
        let mut ways = Vec::new();
        for id in &rules {
            let (said, _) = self.of_arguments(*id, action);
            if rules.len() > 1 {
                ways.push(Claim::all(&said.claims));
            } else {
                // One way: each of its parts is a reason of its own.
                said.claims.into_iter().zip(said.parts).for_each(|(claim, parts)| claims.push(claim, parts));
            }
        }
        if !ways.is_empty() {
            claims.push(Claim::any(&ways), self.wholes(&rules));
        }
        let Some(action) = action else { return };
        for id in self.prohibitions(action) {
            if self.of_arguments(id, Some(action)).1 {
                claims.push(self.problem.cleared(id.set, id.rule, action), Some(self.whole(id)));
            }
        }
    }

    /// The parts of a rule that are about arguments alone, which stay what they were, and whether there are
    /// no others but that an action was attempted.
    fn of_arguments(&mut self, id: RuleId, attempted: Option<ActionId>) -> (Claims, bool) {
        let Claims { claims, parts } = self.body(id);
        let attempted = attempted.zip(self.set(id.set)).map(|(action, specification)| {
            specification.objective_name(Objective::Action(action)).to_owned()
        });
        let mut about = Vec::new();
        self.each(id, |constraint, text| {
            let alone = constraint.map(|constraint| {
                constraint.variables().all(|variable| self.argument_of(variable).is_some())
            });
            about.push((alone == Some(true), alone.unwrap_or(attempted.as_ref() == Some(&text))));
        });
        let whole = about.iter().all(|(_, whole)| *whole);
        let mut said = Claims::default();
        for ((claim, parts), (about, _)) in claims.into_iter().zip(parts).zip(about) {
            if about {
                said.push(claim, parts);
            }
        }
        (said, whole)
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

    fn step(&self, node: &Node, raw: &Raw, model: &Model, (set, head): Goal) -> Step {
        let of = self.set(set);
        let mut name = of.map_or_else(String::new, |specification| specification.head_name(head).to_owned());
        if let (true, Head::Done, Some(specification)) = (self.specifications > 1, head, of) {
            name = format!("{name} of {}", specification.source().name());
        }
        let critical = matches!(head, Head::Objective(Objective::Action(_)));
        Step { situation: self.situation(raw, model, &node.observed), achieves: name, critical }
    }
}

fn owned((id, value): (&VariableId, &Value)) -> (VariableId, Value) {
    (*id, value.clone())
}
