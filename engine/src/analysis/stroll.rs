//! Plans without the solver: what a goal needs is achieved first, with values that the constants suggest,
//! and every step is tried out with the evaluator's rules.
//!
//! What is found is a plan. What is not found may exist all the same.

use super::guess::Values;
use super::question::{Literal, Question, Want};
use super::situation::Scene;
use super::{Analyst, Plan, RuleId, Step, situation};
use crate::eval::semantics;
use crate::ir::{Head, Objective};
use crate::schema::{ActionId, StateId, VariableId};
use crate::truth::Truth;
use std::collections::BTreeSet;

/// How far what is needed may lead.
const MOST_DEPTH: usize = 300;
/// How many rules are tried in vain.
const MOST_VAIN: usize = 12;

/// Where a stroll stands.
#[derive(Default, Clone)]
struct Place {
    achieved: BTreeSet<(usize, Objective)>,
    observed: BTreeSet<StateId>,
    /// The arguments of what was performed.
    arguments: Values,
    complete: bool,
}

struct Stroll<'a> {
    barred: &'a BTreeSet<ActionId>,
    /// Whether the task may become complete on the way.
    ends: bool,
    place: Place,
    steps: Vec<Step>,
    /// What is being achieved, each for the sake of the one before.
    under_way: Vec<Head>,
    /// The rules that were tried in vain.
    vain: usize,
}

impl Analyst {
    /// A plan for a goal of the specification from the start.
    pub(super) fn stroll(&self, goal: Head, barred: &BTreeSet<ActionId>) -> Option<Plan> {
        let (place, steps, under_way) = (Place::default(), Vec::new(), Vec::new());
        let mut stroll = Stroll { barred, ends: goal == Head::Done, place, steps, under_way, vain: 0 };
        let reached = self.go(&mut stroll, goal, &[]);
        reached.then_some(Plan { steps: stroll.steps })
    }

    /// Achieves something by one of its rules, an action with arguments as they are wanted later.
    fn go(&self, stroll: &mut Stroll, head: Head, wanted: &[Literal]) -> bool {
        let around = stroll.under_way.len() >= MOST_DEPTH || stroll.under_way.contains(&head);
        if around || head.action().is_some_and(|action| stroll.barred.contains(&action)) {
            return false;
        }
        stroll.under_way.push(head);
        let (before, steps) = (stroll.place.clone(), stroll.steps.len());
        let reached = self.concluding(0, head).into_iter().any(|id| {
            let reached = stroll.vain < MOST_VAIN && self.go_by(stroll, id, head, wanted).is_some();
            if !reached {
                stroll.vain += 1;
                stroll.place.clone_from(&before);
                stroll.steps.truncate(steps);
            }
            reached
        });
        stroll.under_way.pop();
        reached
    }

    fn go_by(&self, stroll: &mut Stroll, id: RuleId, head: Head, wanted: &[Literal]) -> Option<()> {
        let attempted = head.action();
        let mut question = Question::default();
        let mut risen: BTreeSet<Objective> = BTreeSet::new();
        let mut needed: Vec<ActionId> = Vec::new();
        self.gather(id, stroll, &mut question, &mut risen, &mut needed);
        for action in needed.into_iter().filter(|action| Some(*action) != attempted) {
            if stroll.place.achieved.contains(&(0, Objective::Action(action))) {
                continue;
            }
            let wanted = self.wanted_of(&question, action);
            if !self.go(stroll, Head::Objective(Objective::Action(action)), &wanted) {
                return None;
            }
        }
        if let Some(action) = attempted {
            if stroll.place.complete {
                return None;
            }
            self.ask_cleared(action, &mut question);
            wanted.iter().for_each(|literal| question.also(literal.clone()));
        }
        let place = &stroll.place;
        let achieved = |set: usize, objective: Objective, so: bool| match objective {
            Objective::Action(_) => place.achieved.contains(&(0, objective)) == so,
            Objective::Milestone(_) => {
                (place.achieved.contains(&(set, objective)) || (set == 0 && risen.contains(&objective))) == so
            }
        };
        let ground = self.ground.as_ref()?;
        let sets = self.problem.sets();
        let measure = self.setting.measure.as_ref();
        // Arguments that no action was performed with are unknown.
        let unknown = |id: VariableId| {
            let of = self.argument_of(id);
            of.is_some() && of != attempted && !place.arguments.contains_key(&id)
        };
        let values = ground.find_with(sets, measure, &question, &achieved, &place.arguments, &unknown)?;
        self.try_out(stroll, id, head, values, &question)
    }

    /// What a rule asks for, with what its milestones ask for that are not achieved, and the actions that
    /// they name.
    fn gather(
        &self,
        id: RuleId,
        stroll: &Stroll,
        question: &mut Question,
        risen: &mut BTreeSet<Objective>,
        needed: &mut Vec<ActionId>,
    ) {
        self.ask_body(id, question);
        for head in self.named(id) {
            match head {
                Head::Objective(Objective::Action(action)) if !needed.contains(&action) => {
                    needed.push(action)
                }
                Head::Objective(milestone @ Objective::Milestone(_)) => {
                    if stroll.place.achieved.contains(&(0, milestone)) || !risen.insert(milestone) {
                        continue;
                    }
                    if let Some(rule) = self.concluding(0, head).first() {
                        self.gather(*rule, stroll, question, risen, needed);
                    }
                }
                _ => {}
            }
        }
    }

    /// What a question asks of the arguments of an action, and of nothing else.
    fn wanted_of(&self, question: &Question, action: ActionId) -> Vec<Literal> {
        let mut wanted = Vec::new();
        for clause in &question.clauses {
            if let [literal @ Literal::Constraint { constraint, want: Want::Holds, .. }] =
                clause.any.as_slice()
                && constraint.variables().all(|id| self.argument_of(id) == Some(action))
            {
                wanted.push(literal.clone());
            }
        }
        wanted
    }

    /// What a step comes to, if the gate lets it pass.
    fn try_out(
        &self,
        stroll: &mut Stroll,
        id: RuleId,
        head: Head,
        values: Values,
        question: &Question,
    ) -> Option<()> {
        let ground = self.ground.as_ref()?;
        let (specification, bindings) = (self.set(0)?, ground.bindings.first()?);
        let (vocabulary, measure) = (specification.vocabulary(), self.setting.measure.as_ref());
        let attempted = head.action();
        let of_attempted =
            |variable: VariableId| attempted.is_some() && self.argument_of(variable) == attempted;
        let rule = specification.rules().get(id.rule)?;
        let place = &mut stroll.place;
        // First it is seen, without what is attempted.
        let seen: Values = values
            .iter()
            .filter(|(id, _)| !of_attempted(**id))
            .map(|(id, value)| (*id, value.clone()))
            .collect();
        place.observed.extend(seen.keys().map(|id| vocabulary.variable(*id).state()));
        let done = self.settles(place, &seen)?;
        if done && head != Head::Done {
            return None;
        }
        let scene = |values| Scene::of_values(vocabulary, values, measure);
        let body = semantics::body(
            &scene(&values).with(0, &place.observed, &place.achieved),
            specification,
            bindings,
            rule,
        );
        if !body.is_true() {
            return None;
        }
        let names = place.achieved.iter().filter(|(set, _)| *set == 0);
        let names = names.map(|(_, objective)| specification.objective_name(*objective).to_owned()).collect();
        if let Some(action) = attempted {
            for prohibition in self.prohibitions(action) {
                let set = self.set(prohibition.set)?;
                let view = scene(&values).with(prohibition.set, &place.observed, &place.achieved);
                let (rule, bindings) =
                    (set.rules().get(prohibition.rule)?, ground.bindings.get(prohibition.set)?);
                if semantics::prohibition(&view, set, bindings, rule, action) != Truth::False {
                    return None;
                }
            }
            place.achieved.insert((0, Objective::Action(action)));
            let arguments = values.iter().filter(|(id, _)| of_attempted(**id));
            place.arguments.extend(arguments.map(|(id, value)| (*id, value.clone())));
            place.observed.extend(place.arguments.keys().map(|id| vocabulary.variable(*id).state()));
            place.complete = self.settles(place, &values)?;
            // What completes the task ends the way.
            if place.complete && !stroll.ends && stroll.under_way.len() > 1 {
                return None;
            }
        } else if let Head::Objective(milestone) = head
            && !place.achieved.contains(&(0, milestone))
        {
            return None;
        }
        // With what earlier actions were performed matters where it is spoken of.
        let mut shown = values;
        shown.retain(|id, _| {
            of_attempted(*id) || self.argument_of(*id).is_none() || question.spoken.contains(id)
        });
        stroll.steps.push(Step {
            situation: ground.situation(self.problem.sets(), shown, names, question.asks_for_similar()),
            achieves: specification.head_name(head).to_owned(),
            critical: attempted.is_some(),
        });
        Some(())
    }

    /// What is achieved by what is known, besides what is achieved.
    pub(super) fn risen(
        &self,
        values: &Values,
        achieved: &BTreeSet<(usize, Objective)>,
    ) -> Option<BTreeSet<(usize, Objective)>> {
        let mut place = Place { achieved: achieved.clone(), ..Place::default() };
        self.settles(&mut place, values)?;
        Some(place.achieved.difference(achieved).copied().collect())
    }

    /// What is true by itself is achieved; whether the task is complete.
    fn settles(&self, place: &mut Place, values: &Values) -> Option<bool> {
        let (specification, bindings) = (self.set(0)?, self.ground.as_ref()?.bindings.first()?);
        let measure = self.setting.measure.as_ref();
        let Place { achieved, observed, .. } = place;
        Some(situation::settle(specification, bindings, 0, values, observed, achieved, measure))
    }
}
