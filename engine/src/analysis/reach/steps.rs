//! One step of a search: a situation in which something is achieved, and where the search stands after it.
//!
//! Knows rules and where the search stands; must never know which step is tried next.

use super::{Goal, Manner, Moment, Node, Task, owned};
use crate::analysis::{Analyst, Claims, Found, Reason, Trouble, situation};
use crate::ir::{Head, Objective};
use crate::schema::{ActionId, VariableId};
use crate::solve::{Model, Raw};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};

impl Analyst {
    /// A situation in which one of the rules for a goal is true, and no critical action is in play.
    pub(super) fn arrive(
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
    pub(super) fn moment(
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
    pub(super) fn perform(
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
}
