//! Asking the agent, and what its decision is: a step of the model, a critical action, or an ordinary step under the
//! agent's name for it.
//!
//! Knows the agent, the model, the screen and the vocabulary. Must never perform anything, or take an agent's word for
//! what a gesture is.

use super::evidence::Known;
use super::{Driver, Pending, ShownValues, Signal};
use crate::executor::account::Outcome;
use crate::executor::agent::{AgentError, Briefing, Decided, Decision, Move};
use crate::executor::bind;
use crate::executor::device::Gesture;
use crate::executor::task::{Aim, Status};
use crate::executor::touch::{Scene, Touched};
use crate::planner::{Origin, PageId, Step, Transition, TransitionId};
use crate::{Action, Update};
use intentgate_engine::schema::VariableId;

/// How often the same is tried in the same situation.
const TRIES: u32 = 5;

impl Driver<'_> {
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
        let Decided { decision, why, assume, expect } = decided;
        let read = |text: Option<String>| text.map(|text| self.conditions.read(&text)).transpose();
        let [assume, expect] = [read(assume), read(expect)];
        let assume = assume.map_err(|problems| problems.to_string())?;
        let expect = expect.map_err(|problems| problems.to_string())?;
        let (step, follows) = match decision {
            Decision::Follow => (next.ok_or("there is no plan to follow")?, true),
            Decision::Take(id) => match next {
                // With the values that the plan counts on.
                Some(next) if next.transition == id => (next, true),
                _ => (self.model.step(id, None).ok_or("there is no such transition")?, false),
            },
            Decision::Perform(own) => {
                let pending = self.own_move(*own, next)?;
                self.pending = Some(Pending { assume, expect, why, ..pending });
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
        let pending = self.taken(step)?;
        self.pending = Some(Pending { follows, assume, expect, why, ..pending });
        self.chosen()
    }

    /// A transition that is taken: with the values of a plan, or with what its link says for sure.
    fn taken(&self, step: Step) -> Result<Pending, String> {
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
        let gesture = bind::gesture(&step.event, self.shown.screen.as_ref());
        Ok(Pending {
            template,
            transition: Some(step.transition),
            planned: Some(step.to),
            allowed,
            watched: self.model.watched(step.transition, self.session.vocabulary()),
            counted_on: step.asked.map(|asked| asked.observes),
            learns: true,
            ..self.undecided(step.event, action, gesture)
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
    fn own_move(&self, own: Move, next: Option<Step>) -> Result<Pending, String> {
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
            let pending = self.taken(step.ok_or("there is no such transition")?)?;
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
            planned,
            allowed: own.to.into_iter().collect(),
            watched,
            learns,
            ..self.undecided(own.event, action, own.gesture)
        })
    }

    /// Something that is done here, of which nothing more is known.
    fn undecided(&self, event: String, action: Action, gesture: Gesture) -> Pending {
        Pending {
            template: event.clone(),
            event,
            transition: None,
            action,
            gesture,
            from: self.page,
            from_name: self.page_name().map(str::to_owned),
            planned: None,
            allowed: Vec::new(),
            watched: Vec::new(),
            known: Known::new(),
            counted_on: None,
            assume: None,
            expect: None,
            why: String::new(),
            learns: false,
            told: None,
            before: self.shown.clone(),
            situation: String::new(),
            permit: None,
            running: None,
            follows: false,
            in_doubt: false,
            shown: ShownValues::new(),
        }
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
