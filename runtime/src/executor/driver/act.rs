//! Passing the gate, and acting.

use super::compare::Compared;
use super::plan::owed;
use super::{Driver, Pending, Signal};
use crate::executor::account::{Comparison, Outcome as End};
use crate::executor::condition::Condition;
use crate::executor::device::{DeviceError, Observation, Performed};
use crate::executor::locate::label;
use crate::executor::screen::outline::foreign;
use crate::executor::touch::{self, Scene, Touched};
use crate::gate::feedback::{Feedback, RuleReport};
use crate::gate::{Outcome, Verdict};
use crate::{Action, Argument};
use intentgate_engine::truth::Truth;

/// Characters of a rule's name that are told.
const NAME: usize = 80;

impl Driver<'_> {
    pub(super) fn propose(&mut self) -> (Signal, String) {
        let Some(pending) = &self.pending else { return self.refuse("nothing was decided".to_owned()) };
        let action = pending.action.clone();
        let key = (self.situation(), spelled(&action));
        if let Some(why) = self.barred.get(&key) {
            let said = format!("`{}` is blocked in this situation: {why}", action.name());
            return self.refuse(said);
        }
        if self.owes(action.name()) {
            self.plan = None;
            return self.refuse(owed(action.name()));
        }
        // What is touched is what the gate is asked, whoever decided it and however it is called.
        if let Err(said) = self.disguised(pending, &action, self.scene()) {
            self.plan = None;
            return self.refuse(said);
        }
        match self.session.propose(action) {
            Ok(Verdict::Allow(permit)) => {
                if let Some(pending) = &mut self.pending {
                    pending.permit = Some(permit);
                }
                (Signal::Allowed, String::new())
            }
            Ok(Verdict::Advise(refused)) => {
                let said = refused.to_string();
                self.feedback.push(said.clone());
                (Signal::Advised, said)
            }
            Ok(Verdict::Block(refused)) => {
                let said = refused.to_string();
                self.feedback.push(said.clone());
                self.barred.insert(key, in_short(&refused.feedback));
                // A plan that the gate does not let through is none.
                self.plan = None;
                self.pending = None;
                (Signal::Blocked, said)
            }
            Err(fault) => self.refuse(fault.to_string()),
        }
    }

    /// Whether a gesture is a critical action, and the gate would be asked for something else.
    fn disguised(&self, pending: &Pending, action: &Action, scene: Scene) -> Result<(), String> {
        let touched = scene.touched(&pending.gesture, pending.transition)?;
        let Some(id) = scene.critical_of(touched) else { return Ok(()) };
        let vocabulary = self.session.vocabulary();
        let name = vocabulary.action(id).name();
        if action.critical() != Some(id) {
            return Err(format!(
                "this is the critical action `{name}`, and can't be done under another name"
            ));
        }
        let Touched::Transition(transition) = touched else { return Ok(()) };
        let linked = self.model.linked_action(transition, &pending.event, &self.values, vocabulary);
        let linked = linked.ok_or("there is no such transition")?.map_err(|fault| fault.to_string())?;
        let other = |(name, value): &(&str, &Argument)| action.arguments().get(name) != Some(*value);
        match linked.arguments().iter().find(other) {
            Some((argument, _)) => {
                Err(format!("this is `{name}` with another `{argument}`: {}", spelled(&linked)))
            }
            None => Ok(()),
        }
    }

    pub(super) fn act(&mut self) -> (Signal, String) {
        let Some(mut pending) = self.pending.take() else { return (Signal::NotPerformed, String::new()) };
        if let Err(said) = self.look_again(&mut pending) {
            return (Signal::Replan, said);
        }
        let Some(permit) = pending.permit.take() else {
            self.pending = Some(pending);
            return (Signal::Stale, "it has to be allowed first".to_owned());
        };
        let running = match self.session.begin(permit) {
            Ok(Ok(running)) => running,
            Ok(Err(stale)) => {
                self.pending = Some(pending);
                return (Signal::Stale, stale.to_string());
            }
            Err(fault) => {
                self.outcome = End::GaveUp { because: fault.to_string() };
                return (Signal::Unclear, fault.to_string());
            }
        };
        // Who can tell may have learnt by now that it was performed when it was tried before.
        if pending.action.critical().is_some() && self.denied.contains(pending.action.name()) {
            pending.told = self.confirmed(&pending.action);
            if pending.told.is_none() {
                let said =
                    format!("nobody can tell any more whether `{}` was performed", pending.action.name());
                let finished = self.session.finish(running, Outcome::Unknown);
                let because = finished.err().map_or(said, |fault| fault.to_string());
                self.outcome = End::Unclear { action: pending.action.name().to_owned() };
                return (Signal::Unclear, because);
            }
        }
        pending.situation = self.situation();
        self.feedback.clear();
        self.reported.clear();
        pending.known = self.known_of(&pending.watched);
        self.begun = Some(self.begun_of(&pending));
        // Whoever goes on after a crash is told that something was done.
        let acted = std::mem::replace(&mut self.acted, true);
        if let Err(said) = self.keep_journal(&pending) {
            (self.acted, self.begun) = (acted, None);
            let finished = self.session.finish(running, Outcome::NotPerformed);
            let because = finished.err().map_or(said, |fault| fault.to_string());
            self.outcome = End::GaveUp { because: because.clone() };
            return (Signal::Unclear, because);
        }
        let reached = touch::reaches(&pending.gesture, self.shown.screen.as_ref());
        let performed = match (pending.told, reached) {
            (Some(true), _) => Ok(()),
            (_, Err(reason)) => Err(DeviceError::Failed { reason, performed: Performed::No }),
            (_, Ok(())) => {
                self.forget_signs();
                self.device.perform(&touch::pinned(&pending.gesture, self.shown.screen.as_ref()))
            }
        };
        pending.told = pending.told.filter(|told| *told);
        match performed {
            Err(error) if error.performed() == Performed::No => {
                let said = error.to_string();
                (self.acted, self.begun) = (acted, None);
                if let Err(fault) = self.session.finish(running, Outcome::NotPerformed) {
                    self.outcome = End::GaveUp { because: fault.to_string() };
                    return (Signal::Unclear, fault.to_string());
                }
                let compared = Compared { comparison: Comparison::Fail, because: Some(said.clone()) };
                self.in_vain(&pending);
                self.keep(&pending, compared, self.steps.len());
                self.pending = Some(pending);
                (Signal::NotPerformed, said)
            }
            // What came of it is looked at, also where it may have failed.
            performed => {
                pending.running = Some(running);
                self.pending = Some(pending);
                (Signal::Performed, performed.err().map(|error| error.to_string()).unwrap_or_default())
            }
        }
    }

    /// Whether two looks are the same, but for what changes by itself.
    pub(super) fn is_same(&self, one: &Observation, other: &Observation) -> bool {
        one.page == other.page && one.values == other.values && self.says_the_same(one, other)
    }

    /// Whether two screens say the same, but for what changes by itself.
    pub(super) fn says_the_same(&self, one: &Observation, other: &Observation) -> bool {
        let said = |shown: &Observation| {
            shown.screen.as_ref().map(|screen| touch::said(screen, &self.options.volatile))
        };
        said(one) == said(other)
    }

    /// Keeps the run before a critical action.
    fn keep_journal(&mut self, pending: &Pending) -> Result<(), String> {
        let Some(mut journal) = self.options.journal.take() else { return Ok(()) };
        let kept = match pending.action.critical() {
            Some(_) => journal(&self.save()).map_err(|said| format!("the run could not be kept: {said}")),
            None => Ok(()),
        };
        self.options.journal = Some(journal);
        kept
    }

    /// What is touched has to be what it was when it was decided, and a critical action is performed only on the very
    /// screen that it was decided on.
    fn look_again(&mut self, pending: &mut Pending) -> Result<(), String> {
        let shown = self.device.observe().map_err(|error| error.to_string())?;
        let key = |shown: &Observation| shown.screen.as_ref().map(|screen| screen.key().as_str().to_owned());
        let unchanged = shown.page == pending.before.page && self.says_the_same(&shown, &pending.before);
        let same = unchanged || (shown.page == pending.before.page && key(&shown) == key(&pending.before));
        let titled = |shown: &Observation| shown.screen.as_ref().map(label);
        let elsewhere = shown.page != pending.before.page || titled(&shown) != titled(&pending.before);
        self.take_in(shown).map_err(|fault| fault.to_string())?;
        let (before, now) = (pending.before.screen.as_ref(), self.shown.screen.as_ref());
        let other = match pending.action.critical() {
            Some(_) => !unchanged,
            // What an ordinary step was decided on may still be on its way: it is decided once more, and then done.
            None => elsewhere || (!same && self.machine.counters().decisions == 0),
        };
        let volatile = &self.options.volatile;
        if other || !touch::means_the_same(&pending.gesture, before, now, volatile) {
            let difference =
                before.zip(now).and_then(|(before, now)| touch::difference(before, now, volatile));
            let how = difference.map(|how| format!(": {how}")).unwrap_or_default();
            let said = format!("the screen is not what `{}` was decided on{how}", pending.event);
            self.feedback.push(said.clone());
            return Err(said);
        }
        if let Some(assume) = &pending.assume {
            let page = self.page.filter(|_| same).map(|page| self.model.page_name(page));
            let truth = self.conditions.holds(assume, &self.session, page, &self.shown);
            if !truth.is_true() {
                let said = unmet(assume, truth);
                self.feedback.push(said.clone());
                return Err(said);
            }
        }
        // On another page, what is critical on any page is.
        let page = self.page.filter(|_| same);
        self.disguised(pending, &pending.action, Scene { page, ..self.scene() })?;
        pending.before = self.shown.clone();
        pending.shown = self.values_shown.clone();
        Ok(())
    }
}

/// What stands in the way, in one line: the prohibitions, or what the nearest rule asks for and doesn't hold.
fn in_short(feedback: &Feedback) -> String {
    let name = |rule: &RuleReport| foreign(&rule.rule, NAME);
    let names = |rules: &[RuleReport]| rules.iter().map(name).collect::<Vec<_>>().join(" and ");
    match (feedback.prohibitions.as_slice(), feedback.alternatives.first()) {
        ([], Some(nearest)) => format!("{} asks for {}", name(nearest), nearest.unmet().join(", ")),
        ([], None) => "its conditions don't hold".to_owned(),
        (prohibitions, _) => format!("it is prohibited by {}", names(prohibitions)),
    }
}

/// A condition that does not hold, in words.
pub(super) fn unmet(condition: &Condition, truth: Truth) -> String {
    let so = if truth.is_false() { "does not hold" } else { "is unknown" };
    format!("{} {so}", condition.text())
}

/// An action with its arguments, to know it again.
fn spelled(action: &Action) -> String {
    format!("{} {:?}", action.name(), action.arguments())
}
