//! Finding a way, and asking the agent.

use super::evidence::Known;
use super::{Driver, Pending, Signal};
use crate::executor::account::Outcome;
use crate::executor::agent::{AgentError, Briefing, Decided, Decision, Move};
use crate::executor::bind;
use crate::executor::condition::Condition;
use crate::executor::judge::Case;
use crate::executor::task::{Aim, Status};
use crate::executor::touch::{Scene, Touched};
use crate::planner::{
    Bounds, Completion, Goal, Model, Origin, PageId, Path, Planner, Start, Step, Transition, TransitionId,
};
use crate::{Action, Update};
use intentgate_engine::schema::VariableId;
use std::collections::{HashMap, HashSet};

/// What a transition costs more for each time that it failed.
const DISTRUST: u32 = 5;
/// How often the same is tried in the same situation.
const TRIES: u32 = 5;
/// States, or questions to the evaluator, that a plan may take.
const EXPANSIONS: usize = 1_000_000;

impl Driver<'_> {
    pub(super) async fn find_way(&mut self) -> (Signal, String) {
        self.no_plan = None;
        let Some(part) = self.task.sub_tasks.get(self.part) else { return (Signal::Reached, String::new()) };
        if part.status == Status::Open {
            (self.acted, self.performed) = (false, 0);
            self.visited = self.page.into_iter().collect();
        }
        if self.is_reached() {
            return self.next_part();
        }
        if let Some(part) = self.task.sub_tasks.get_mut(self.part) {
            part.status = Status::UnderWay;
        }
        if !self.options.plans {
            self.plan = None;
            return (Signal::Unplanned, String::new());
        }
        if self.page.is_none() {
            self.plan = None;
            return self.unplanned("the page can't be told, so no way can be planned".to_owned());
        }
        if let Some(next) = self.rest().and_then(|rest| rest.steps.first().cloned())
            && Some(next.from) == self.page
            && self.is_possible(&next)
        {
            return (Signal::Planned, String::new());
        }
        self.plan_anew().await
    }

    /// What is left of the plan.
    fn rest(&self) -> Option<Path> {
        let plan = self.plan.as_ref()?;
        let steps = plan.steps.get(self.followed..)?.to_vec();
        (!steps.is_empty()).then_some(Path { steps, cost: plan.cost })
    }

    fn is_possible(&self, step: &Step) -> bool {
        let start = Start { page: self.page, values: self.values.clone() };
        self.model.is_possible(&start, step.transition)
    }

    /// The goal is reached: what holds before anything was done was not done for it.
    fn next_part(&mut self) -> (Signal, String) {
        let acted = self.acted;
        if let Some(part) = self.task.sub_tasks.get_mut(self.part) {
            part.status = if acted { Status::Done } else { Status::HeldBefore };
        }
        self.plan = None;
        self.part += 1;
        if self.part < self.task.sub_tasks.len() {
            return (Signal::NextSubTask, String::new());
        }
        (Signal::Reached, String::new())
    }

    fn is_reached(&self) -> bool {
        let Some(part) = self.task.sub_tasks.get(self.part) else { return true };
        match &part.aim {
            Aim::Complete => self.session.is_done(),
            Aim::Open => false,
            Aim::Goal(goal) => match (self.remaining(goal), self.page) {
                (Goal::Any(pages), Some(page)) => pages.contains(&page),
                (Goal::All(pages), _) => pages.is_empty(),
                (Goal::Functions(calls), _) => calls.is_empty(),
                (condition @ Goal::Condition(_), page) => {
                    let start = Start { page, values: self.values.clone() };
                    self.model.validate(&start, &condition, &[]).is_ok()
                }
                (Goal::Any(_), None) => false,
            },
        }
    }

    /// What is left of a goal.
    fn remaining(&self, goal: &Goal) -> Goal {
        match goal {
            Goal::All(pages) => {
                Goal::All(pages.iter().copied().filter(|page| !self.visited.contains(page)).collect())
            }
            Goal::Functions(calls) => Goal::Functions(calls.get(self.performed..).unwrap_or(&[]).to_vec()),
            other => other.clone(),
        }
    }

    /// No way is known; an agent may find one.
    fn unplanned(&mut self, said: String) -> (Signal, String) {
        let owed = self.owed.keys().map(|action| owed(action)).filter(|owed| *owed != said);
        let besides: String = owed.chain(self.stuck.clone()).map(|said| format!("; {said}")).collect();
        let said = format!("{said}{besides}");
        self.no_plan = Some(said.clone());
        (Signal::Unplanned, said)
    }

    async fn plan_anew(&mut self) -> (Signal, String) {
        (self.plan, self.followed) = (None, 0);
        let start = Start { page: self.page, values: self.values.clone() };
        // Evidence counts, and what failed is taken for dearer than it is.
        let model = self
            .model
            .weighed()
            .with_costs(|id| self.suspects.get(&id).map_or(0, |count| count.saturating_mul(DISTRUST)));
        let mut planner = Planner::new(&model);
        let bounds = Bounds { expansions: EXPANSIONS, ..Bounds::default() };
        let most = self.options.candidates.max(1);
        let aim = self.task.sub_tasks.get(self.part).map_or(Aim::Open, |part| part.aim.clone());
        let plans = match &aim {
            Aim::Open => return (Signal::Unplanned, String::new()),
            Aim::Goal(goal) => {
                let goal = self.remaining(goal);
                planner.plans(&start, &goal, most, &bounds).map_err(|error| error.to_string())
            }
            Aim::Complete => match planner.complete(&start, &self.session, &bounds) {
                Ok(Completion::Path(path)) => {
                    // Others are looked for as long as the first took, a few times over.
                    let expansions = planner.effort().expanded.saturating_mul(most).max(200);
                    let bounds = Bounds { expansions, ..bounds };
                    let others = planner.completions(&start, &self.session, most, &bounds);
                    let others = others.map_err(|error| error.to_string());
                    others.map(|others| match others.paths.is_empty() {
                        true => crate::planner::Several { paths: vec![path], limited: true },
                        false => others,
                    })
                }
                Ok(Completion::TrueFromTheStart) => return self.next_part(),
                Ok(Completion::Forbidden(prohibitions)) => {
                    let named =
                        prohibitions.iter().map(|one| format!("{} ({}:{})", one.rule, one.source, one.line));
                    let because = named.collect::<Vec<_>>().join(", ");
                    self.outcome = Outcome::Forbidden { because: because.clone() };
                    return (Signal::Impossible, because);
                }
                Ok(Completion::AgainstAdvice(_)) => {
                    return self.unplanned("the gate advises against every way that is known".to_owned());
                }
                Ok(Completion::NoKnownPath) => return self.unplanned(self.no_way()),
                Ok(Completion::Limit) => {
                    return self.unplanned("the search for a way was not finished".to_owned());
                }
                Err(fault) => Err(fault.to_string()),
            },
        };
        match plans {
            Ok(several) if several.paths.is_empty() => self.unplanned(self.no_way()),
            Ok(several) => {
                let (best, note) = self.judged(&model, &several.paths).await;
                let note = note.map(|note| format!("; {note}")).unwrap_or_default();
                let said = format!("{} of {} plans{note}", best + 1, several.paths.len());
                let plan = several.paths.into_iter().nth(best);
                if let Some(owed) = plan.as_ref().and_then(|plan| self.owed_in(plan)) {
                    return self.unplanned(owed);
                }
                self.plan = plan;
                (Signal::Planned, said)
            }
            Err(error) => self.unplanned(error),
        }
    }

    fn no_way(&self) -> String {
        format!("no way to the goal is known from `{}`", self.page_name().unwrap_or_default())
    }

    /// Why a plan is none: it performs once more what was performed.
    fn owed_in(&self, plan: &Path) -> Option<String> {
        let mut steps = plan.steps.iter().filter_map(|step| step.asked.as_ref());
        steps.find(|asked| self.owes(asked.action.name())).map(|asked| owed(asked.action.name()))
    }

    /// The place of the plan that the judge likes best, and what it has to say.
    async fn judged(&mut self, model: &Model, plans: &[Path]) -> (usize, Option<String>) {
        let Some(sub_task) = self.task.sub_tasks.get(self.part) else { return (0, None) };
        // There is nothing to choose.
        if plans.len() < 2 {
            return (0, None);
        }
        let case = Case { sentence: &self.task.sentence, sub_task, model, plans };
        let judged = self.options.judge.scores(&case).await;
        (judged.best(), judged.note)
    }

    pub(super) async fn decide(&mut self) -> (Signal, String) {
        let rest = self.rest();
        let known = self.known();
        let roadmap = self.session.roadmap();
        let Some(sub_task) = self.task.sub_tasks.get(self.part) else {
            return (Signal::Claimed, String::new());
        };
        let briefing = Briefing {
            sentence: &self.task.sentence,
            sub_task,
            page: self.page.map(|page| self.model.page_name(page)),
            model: &self.model,
            vocabulary: self.session.vocabulary(),
            shown: &self.shown,
            plan: rest.as_ref(),
            no_plan: self.no_plan.as_deref(),
            known: &known,
            roadmap: &roadmap,
            feedback: &self.feedback,
            documents: &self.options.documents,
            cues: &self.options.cues,
            done: &self.steps,
        };
        let decided = match self.agent.decide(&briefing).await {
            Ok(decided) => decided,
            Err(AgentError::Unusable(said)) => return self.refuse(said),
            Err(error @ AgentError::Unavailable(_)) => {
                self.outcome = Outcome::GaveUp { because: error.to_string() };
                return (Signal::GaveUp, error.to_string());
            }
        };
        let next = rest.and_then(|rest| rest.steps.into_iter().next());
        match self.pending_of(decided, next) {
            Ok((signal, said)) => (signal, said),
            Err(said) => self.refuse(said),
        }
    }

    /// What an agent says can't be used: it is told why.
    pub(super) fn refuse(&mut self, said: String) -> (Signal, String) {
        self.feedback.push(said.clone());
        (Signal::Unusable, said)
    }

    /// The transitions from here, the most often seen first.
    fn known(&self) -> Vec<(TransitionId, String)> {
        let from_here = self.model.transitions().filter(|(_, one)| Some(one.from()) == self.page);
        let mut known: Vec<(u64, TransitionId, String)> =
            from_here.map(|(id, one)| (one.count(), id, one.event().to_owned())).collect();
        known.sort_by_key(|(count, id, _)| (std::cmp::Reverse(*count), *id));
        known.into_iter().map(|(_, id, event)| (id, event)).collect()
    }

    fn pending_of(&mut self, decided: Decided, next: Option<Step>) -> Result<(Signal, String), String> {
        let expect = match &decided.expect {
            Some(text) => Some(self.conditions.read(text).map_err(|problems| problems.to_string())?),
            None => None,
        };
        let (step, follows) = match decided.decision {
            Decision::Follow => (next.ok_or("there is no plan to follow")?, true),
            Decision::Take(id) => match next {
                // With the values that the plan counts on.
                Some(next) if next.transition == id => (next, true),
                _ => (self.model.step(id, None).ok_or("there is no such transition")?, false),
            },
            Decision::Perform(own) => {
                self.pending = Some(self.own_move(*own, next, expect, decided.why)?);
                return self.chosen();
            }
            Decision::Finish => {
                return Ok(match self.task.sub_tasks.get(self.part).map(|part| &part.aim) {
                    // Nothing but the agent can tell.
                    Some(Aim::Open) => self.claimed(),
                    _ => return Err("the goal is not reached: nothing says that it is".to_owned()),
                });
            }
            Decision::GiveUp(because) => {
                self.outcome = Outcome::GaveUp { because: because.clone() };
                return Ok((Signal::GaveUp, because));
            }
        };
        let pending = self.taken(step, expect, decided.why)?;
        self.pending = Some(Pending { follows, ..pending });
        self.chosen()
    }

    /// A transition that is taken: with the values of a plan, or with what its link says for sure.
    fn taken(&self, step: Step, expect: Option<Condition>, why: String) -> Result<Pending, String> {
        let transition = self.model.transition(step.transition).ok_or("there is no such transition")?;
        if Some(transition.from()) != self.page {
            return Err(format!("`{}` is not possible on this page", step.event));
        }
        let template = transition.event().to_owned();
        let action = match &step.asked {
            Some(asked) => asked.action.clone(),
            None => {
                let vocabulary = self.session.vocabulary();
                let linked = self.model.linked_action(step.transition, &step.event, &self.values, vocabulary);
                linked.ok_or("there is no such transition")?.map_err(|fault| fault.to_string())?
            }
        };
        let allowed = self.allowed(transition.from(), &template, step.to, action.critical().is_some());
        Ok(Pending {
            gesture: bind::gesture(&step.event, self.shown.screen.as_ref()),
            template,
            transition: Some(step.transition),
            action,
            from: self.page,
            from_name: self.page_name().map(str::to_owned),
            planned: Some(step.to),
            allowed,
            watched: self.model.watched(step.transition, self.session.vocabulary()),
            known: Known::new(),
            counted_on: step.asked.map(|asked| asked.observes),
            learns: true,
            told: None,
            event: step.event,
            expect,
            why,
            before: self.shown.clone(),
            situation: String::new(),
            permit: None,
            running: None,
            follows: false,
            in_doubt: false,
            shown: Default::default(),
        })
    }

    /// The pages to which it may lead: where it is declared to, and, for what can be done again, where the plan expects it
    /// to, and where it was known to lead when the run began.
    fn allowed(&self, from: PageId, template: &str, planned: PageId, critical: bool) -> Vec<String> {
        let declared = |page: PageId| {
            let mut known = self.model.transitions().map(|(_, one)| one);
            known.any(|one| {
                (one.from(), one.event(), one.to()) == (from, template, page)
                    && one.origin() != Origin::Observed
            })
        };
        let trusted = |page: PageId| !critical && self.trusted.contains(&(from, template.to_owned(), page));
        let successors = self.model.successors(from, template).into_iter().map(|(page, _)| page);
        let expected = |page: PageId| !critical && page == planned;
        let allowed = successors.filter(|page| expected(*page) || declared(*page) || trusted(*page));
        allowed.map(|page| self.model.page_name(page).to_owned()).collect()
    }

    fn claimed(&mut self) -> (Signal, String) {
        if let Some(part) = self.task.sub_tasks.get_mut(self.part) {
            part.status = Status::Claimed;
        }
        self.part += 1;
        if self.part < self.task.sub_tasks.len() {
            return (Signal::NextSubTask, String::new());
        }
        self.outcome = Outcome::Claimed;
        (Signal::Claimed, String::new())
    }

    /// Where a gesture is about to be performed.
    pub(super) fn scene(&self) -> Scene<'_> {
        let vocabulary = self.session.vocabulary();
        Scene { model: &self.model, vocabulary, page: self.page, screen: self.shown.screen.as_ref() }
    }

    /// A gesture of the agent's own is what it touches: a transition of the model, a critical action, or else an
    /// ordinary step under the agent's name for it.
    fn own_move(
        &self,
        own: Move,
        next: Option<Step>,
        expect: Option<Condition>,
        why: String,
    ) -> Result<Pending, String> {
        let scene = self.scene();
        let preferred = next.as_ref().map(|next| next.transition);
        let touched = scene.touched(&own.gesture, preferred)?;
        let critical = scene.critical(&own.gesture, preferred)?;
        // Where it leads is learnt under a name that says what is done.
        let learns = scene.performs(&own.event, &own.gesture);
        let vocabulary = self.session.vocabulary();
        let claimed = own.action.as_ref().and_then(Action::critical);
        // What an agent says is said by an agent. Of something critical it may say which arguments it has.
        let said =
            own.action.map(Action::said_by_agent).filter(|_| critical.is_none() || claimed == critical);
        let here = |id: &TransitionId| self.model.transition(*id).map(Transition::from) == self.page;
        if let Touched::Transition(id) = touched
            && (said.is_none() || (critical.is_some() && here(&id)))
        {
            let planned = next.filter(|next| next.transition == id);
            let planned = planned.filter(|next| scene.performs(&next.event, &own.gesture));
            let follows = planned.is_some();
            let step = planned.or_else(|| self.model.step(id, None));
            let pending = self.taken(step.ok_or("there is no such transition")?, expect, why)?;
            let event = if pending.event.contains('{') { own.event } else { pending.event.clone() };
            let action = match said {
                Some(action) => action,
                None if follows => pending.action.clone(),
                None => {
                    let linked = self.model.linked_action(id, &event, &self.values, vocabulary);
                    linked.ok_or("there is no such transition")?.map_err(|fault| fault.to_string())?
                }
            };
            return Ok(Pending { gesture: own.gesture, event, action, follows, ..pending });
        }
        let action = match (said, touched) {
            (Some(action), _) => Ok(action),
            (None, Touched::Named(id)) => Action::named(vocabulary, vocabulary.action(id).name()).build(),
            (None, _) => Action::named(vocabulary, &own.event).build(),
        };
        let action = action.map_err(|fault| fault.to_string())?;
        let mut watched: Vec<VariableId> =
            own.observes.iter().flat_map(Update::assignments).map(|one| one.variable).collect();
        if let Touched::Transition(id) = touched {
            watched.extend(self.model.watched(id, vocabulary));
        }
        let planned = own.to.as_deref().and_then(|to| self.model.find_page(to));
        Ok(Pending {
            template: own.event.clone(),
            event: own.event,
            transition: None,
            action,
            gesture: own.gesture,
            from: self.page,
            from_name: self.page_name().map(str::to_owned),
            planned,
            allowed: own.to.into_iter().collect(),
            watched,
            known: Known::new(),
            counted_on: None,
            learns,
            told: None,
            expect,
            why,
            before: self.shown.clone(),
            situation: String::new(),
            permit: None,
            running: None,
            follows: false,
            in_doubt: false,
            shown: Default::default(),
        })
    }

    /// Nothing is tried for ever.
    fn chosen(&mut self) -> Result<(Signal, String), String> {
        let Some(pending) = &self.pending else { return Err("nothing was decided".to_owned()) };
        let event = pending.event.clone();
        let key = (self.situation(), event.clone());
        if self.tried.get(&key).is_some_and(|count| *count >= TRIES) {
            return Err(format!("`{event}` was tried {TRIES} times in this very situation"));
        }
        Ok((Signal::Chosen, event))
    }
}

/// What is said of a critical action that was performed, and nothing shows it.
pub(super) fn owed(action: &str) -> String {
    format!(
        "`{action}` was performed, and what should be seen after it was not: it is not performed once more"
    )
}

/// Where actions lead by evidence: where they were seen to lead more than once, and at least half as often as elsewhere.
pub(super) fn trusted(model: &Model) -> HashSet<(PageId, String, PageId)> {
    let mut most: HashMap<(PageId, &str), u64> = HashMap::new();
    for (_, one) in model.transitions() {
        let most = most.entry((one.from(), one.event())).or_default();
        *most = (*most).max(one.count());
    }
    let often = |one: &Transition| {
        let most = most.get(&(one.from(), one.event())).copied().unwrap_or(0);
        one.count() >= 2 && one.count().saturating_mul(2) >= most
    };
    let seen = model.transitions().map(|(_, one)| one).filter(|one| often(one));
    seen.map(|one| (one.from(), one.event().to_owned(), one.to())).collect()
}
