//! Passing the gate, acting, comparing, and getting back.

use super::{Compared, Driver, Pending, Signal};
use crate::executor::account::{Comparison, Done, Outcome as End};
use crate::executor::bind;
use crate::executor::device::{Gesture, Performed};
use crate::executor::locate::Located;
use crate::executor::task::Aim;
use crate::gate::{Outcome, Running, Verdict};
use crate::planner::{Bounds, Found, Goal, PageId, Planner, Start, TransitionId};
use crate::{Action, EffectError};

/// The most steps of getting back.
const MOST_BACK: usize = 8;

impl Driver<'_> {
    pub(super) fn propose(&mut self) -> (Signal, String) {
        let Some(pending) = &self.pending else { return self.refuse("nothing was decided".to_owned()) };
        let action = pending.action.clone();
        let key = (self.situation(), spelled(&action));
        if self.barred.contains(&key) {
            return self.refuse(format!("`{}` is blocked in this situation", action.name()));
        }
        // What is touched is what the gate is asked, whoever decided it and however it is called.
        if let Err(said) = self.disguised(&pending.gesture, &action, pending.transition) {
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
                self.barred.insert(key);
                // A plan that the gate does not let through is none.
                self.plan = None;
                self.pending = None;
                (Signal::Blocked, said)
            }
            Err(fault) => self.refuse(fault.to_string()),
        }
    }

    /// Whether a gesture is a critical action, and the gate would be asked for something else.
    fn disguised(&self, gesture: &Gesture, action: &Action, of: Option<TransitionId>) -> Result<(), String> {
        let critical = self.scene().critical(gesture, of)?;
        match critical {
            Some(id) if action.critical() != Some(id) => {
                let name = self.session.vocabulary().action(id).name();
                Err(format!("this is the critical action `{name}`, and can't be done under another name"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn act(&mut self) -> (Signal, String) {
        let Some(mut pending) = self.pending.take() else { return (Signal::NotPerformed, String::new()) };
        if pending.action.critical().is_some()
            && let Err(said) = self.look_again(&pending)
        {
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
        pending.situation = self.situation();
        self.acted = true;
        self.feedback.clear();
        match self.device.perform(&pending.gesture) {
            Ok(()) => {
                pending.running = Some(running);
                self.pending = Some(pending);
                (Signal::Performed, String::new())
            }
            Err(error) => {
                let said = error.to_string();
                match EffectError::from(error) {
                    EffectError::NotPerformed(_) => {
                        if let Err(fault) = self.session.finish(running, Outcome::NotPerformed) {
                            self.outcome = End::GaveUp { because: fault.to_string() };
                            return (Signal::Unclear, fault.to_string());
                        }
                        let compared = Compared { comparison: Comparison::Fail, because: Some(said.clone()) };
                        self.in_vain(&pending);
                        self.keep(&pending, compared);
                        self.pending = Some(pending);
                        (Signal::NotPerformed, said)
                    }
                    // What came of it is looked at.
                    _ => {
                        pending.running = Some(running);
                        self.pending = Some(pending);
                        (Signal::Performed, said)
                    }
                }
            }
        }
    }

    /// A critical action is performed on the page that it was decided on, and nowhere else.
    fn look_again(&mut self, pending: &Pending) -> Result<(), String> {
        let shown = self.device.observe().map_err(|error| error.to_string())?;
        let key = |shown: &crate::executor::device::Observation| {
            shown.screen.as_ref().map(|screen| screen.key().as_str().to_owned())
        };
        let same = shown.page == pending.before.page && key(&shown) == key(&pending.before);
        self.take_in(shown).map_err(|fault| fault.to_string())?;
        match same {
            true => Ok(()),
            false => Err("the screen is another one than it was decided on".to_owned()),
        }
    }

    pub(super) async fn compare(&mut self) -> (Signal, String) {
        let Some(mut pending) = self.pending.take() else { return (Signal::Fail, String::new()) };
        let Some(running) = pending.running.take() else { return (Signal::Fail, String::new()) };
        let critical = pending.action.critical().is_some();
        let shown = match self.device.observe() {
            Ok(shown) => shown,
            Err(error) => {
                let said = error.to_string();
                let performed = if critical { self.confirmed(&pending.action) } else { Some(false) };
                return self.conclude(pending, running, performed, Signal::Unobservable, said);
            }
        };
        let before = pending.before.clone();
        let believed = self.values.clone();
        if let Some(id) = pending.transition {
            self.values = self.model.after(id, &believed);
        }
        let predicted = self.values.clone();
        if let Err(fault) = self.take_in(shown) {
            self.outcome = End::GaveUp { because: fault.to_string() };
            return self.conclude(pending, running, None, Signal::Unclear, fault.to_string());
        }
        let located = self.place().await;
        let name = match &located {
            Located::Known(page) | Located::New(page) => Some(page.clone()),
            Located::Nowhere => None,
        };
        let nothing = self.shown == before && believed == self.values;
        let mut compared = self.judge(&pending, name.as_deref());
        if compared.comparison == Comparison::Success && predicted != self.values {
            let because = Some("the app's variables are not what they should be".to_owned());
            compared = Compared { comparison: Comparison::Fail, because };
        }
        if compared.comparison == Comparison::Fail && nothing {
            compared.comparison = Comparison::NoChange;
        }
        let success = compared.comparison == Comparison::Success;
        if !success && self.values == predicted && nothing {
            self.values = believed;
        }
        // What was seen is evidence, whether it was expected or not.
        self.page = match (&located, pending.from) {
            (Located::Nowhere, _) => None,
            (_, Some(from)) if !nothing || success => name.as_deref().map(|to| {
                self.model.observe(from, &pending.template, to);
                self.model.add_page(to)
            }),
            (Located::Known(page) | Located::New(page), _) => Some(self.model.add_page(page)),
        };
        let performed = match (critical, success) {
            // Where nothing says what is to be seen, seeing something proves nothing.
            (true, true) if pending.proves_nothing() => self.confirmed(&pending.action),
            (_, true) => Some(true),
            (true, false) => self.confirmed(&pending.action),
            (false, false) => Some(false),
        };
        let signal = match compared.comparison {
            Comparison::Success => Signal::Success,
            Comparison::NoChange => Signal::NoChange,
            Comparison::Fail => Signal::Fail,
        };
        let said = compared.because.clone().unwrap_or_default();
        self.keep(&pending, compared);
        if success {
            self.advance(&pending)
        } else {
            self.in_vain(&pending)
        }
        self.conclude(pending, running, performed, signal, said)
    }

    /// Reports to the gate what came of it. What nobody can tell is unknown to the gate, and ends the run.
    fn conclude(
        &mut self,
        pending: Pending,
        running: Running,
        performed: Option<bool>,
        signal: Signal,
        said: String,
    ) -> (Signal, String) {
        let outcome = match performed {
            Some(true) => Outcome::Done,
            Some(false) => Outcome::NotPerformed,
            None => Outcome::Unknown,
        };
        let finished = self.session.finish(running, outcome);
        if outcome == Outcome::Unknown {
            self.outcome = End::Unclear { action: pending.action.name().to_owned() };
            return (Signal::Unclear, said);
        }
        if let Err(fault) = finished {
            self.outcome = End::GaveUp { because: fault.to_string() };
            return (Signal::Unclear, fault.to_string());
        }
        // What a critical action did is not done again.
        if pending.action.critical().is_some() && performed == Some(true) && signal != Signal::Success {
            self.plan = None;
            return (if signal == Signal::Unobservable { signal } else { Signal::Success }, said);
        }
        self.pending = Some(pending);
        (signal, said)
    }

    fn confirmed(&mut self, action: &Action) -> Option<bool> {
        let confirm = self.options.confirm.as_mut()?;
        confirm(action, &self.shown)
    }

    /// Whether what came of it is what was expected.
    fn judge(&self, pending: &Pending, page: Option<&str>) -> Compared {
        let fail = |because: String| Compared { comparison: Comparison::Fail, because: Some(because) };
        let is_page = |wanted: &String| page == Some(wanted.as_str());
        if !pending.allowed.is_empty() && !pending.allowed.iter().any(is_page) {
            let wanted = pending.allowed.join(" or ");
            return fail(format!("it leads to {}, not to {wanted}", page.unwrap_or("nowhere")));
        }
        if let Some(observes) = &pending.observes {
            let vocabulary = self.session.vocabulary();
            let mut unseen = observes
                .assignments()
                .iter()
                .filter(|one| one.value.is_some() && self.session.fact(one.variable).value.is_none());
            if let Some(one) = unseen.next() {
                return fail(format!("{} was not observed", vocabulary.path(one.variable)));
            }
        }
        if let Some(expect) = &pending.expect {
            let truth = self.conditions.holds(expect, &self.session, page, &self.shown);
            if !truth.is_true() {
                let so = if truth.is_false() { "does not hold" } else { "is unknown" };
                return fail(format!("{} {so}", expect.text()));
            }
        }
        Compared { comparison: Comparison::Success, because: None }
    }

    /// What was expected came: the plan goes on, unless it leads on from somewhere else.
    fn advance(&mut self, pending: &Pending) {
        if let Some(page) = self.page {
            self.visited.push(page);
        }
        if let Some(Aim::Goal(Goal::Functions(calls))) =
            self.task.sub_tasks.get(self.part).map(|part| &part.aim)
        {
            let wanted = calls.get(self.performed).map(|call| call.function.as_str());
            let performed = pending.transition.and_then(|id| self.model.transition(id)?.function());
            let performed = performed.map(|id| self.model.vocabulary().action(id).name());
            self.performed += usize::from(wanted.is_some() && wanted == performed);
        }
        match pending.follows && self.page == pending.planned {
            true => self.followed += 1,
            false => self.plan = None,
        }
    }

    /// It was tried in this situation, and is trusted less.
    fn in_vain(&mut self, pending: &Pending) {
        *self.tried.entry((pending.situation.clone(), pending.event.clone())).or_default() += 1;
        if let Some(id) = pending.transition {
            *self.suspects.entry(id).or_default() += 1;
        }
    }

    fn keep(&mut self, pending: &Pending, compared: Compared) {
        let name = |page| self.model.page_name(page).to_owned();
        self.steps.push(Done {
            event: pending.event.clone(),
            template: pending.template.clone(),
            action: pending.action.name().to_owned(),
            critical: pending.action.critical().is_some(),
            from: pending.from.map(name).unwrap_or_default(),
            to: self.page.map(name),
            comparison: compared.comparison,
            because: compared.because,
            recovery: false,
            why: pending.why.clone(),
        });
    }

    /// Back to where it was decided, and once more; after failures in a row, a new plan from there.
    pub(super) async fn recover(&mut self) -> (Signal, String) {
        let Some(failed) = self.pending.take().filter(|_| self.options.recovers) else {
            self.plan = None;
            return (Signal::Replan, String::new());
        };
        match self.back_to(&failed).await {
            Ok(()) if !self.machine.escalates() => {
                self.pending = Some(Pending { before: self.shown.clone(), ..failed });
                (Signal::Retry, String::new())
            }
            back => {
                self.plan = None;
                (Signal::Replan, back.err().unwrap_or_default())
            }
        }
    }

    /// Gets back to the page that was verified last: by the model's own ways, or by going back.
    async fn back_to(&mut self, failed: &Pending) -> Result<(), String> {
        let target = failed.from.ok_or("it is not known where that was")?;
        for _ in 0..MOST_BACK {
            let shown = self.device.observe().map_err(|error| error.to_string())?;
            self.take_in(shown).map_err(|fault| fault.to_string())?;
            self.locate().await;
            if self.page == Some(target) {
                let possible = failed.transition.is_none_or(|id| {
                    let start = Start { page: self.page, values: self.values.clone() };
                    self.model.is_possible(&start, id)
                });
                return if possible { Ok(()) } else { Err("it is not possible any more".to_owned()) };
            }
            let (event, gesture) = self.way_back(target).ok_or("no way back is known")?;
            let action = Action::named(self.session.vocabulary(), &event).build();
            let action = action.map_err(|fault| fault.to_string())?;
            self.disguised(&gesture, &action, None)?;
            // Getting back passes the gate like everything else.
            let verdict = self.session.propose(action.clone()).map_err(|fault| fault.to_string())?;
            let permit = verdict.allowed().map_err(|refused| refused.to_string())?;
            let begun = self.session.begin(permit).map_err(|fault| fault.to_string())?;
            let running = begun.map_err(|stale| stale.to_string())?;
            let from = self.page;
            let performed = self.device.perform(&gesture);
            let outcome = match &performed {
                Ok(()) => Outcome::Done,
                Err(error) if error.performed() == Performed::No => Outcome::NotPerformed,
                Err(_) => Outcome::Done,
            };
            self.session.finish(running, outcome).map_err(|fault| fault.to_string())?;
            let hopeless = outcome == Outcome::NotPerformed;
            let name = |page| self.model.page_name(page).to_owned();
            let comparison = if performed.is_ok() { Comparison::Success } else { Comparison::Fail };
            self.steps.push(Done {
                event: event.clone(),
                template: event,
                action: action.name().to_owned(),
                critical: false,
                from: from.map(name).unwrap_or_default(),
                to: None,
                comparison,
                because: performed.err().map(|error| error.to_string()),
                recovery: true,
                why: "back to the last page that was verified".to_owned(),
            });
            if hopeless {
                return Err("it could not be gone back".to_owned());
            }
        }
        Err(format!("it could not get back within {MOST_BACK} steps"))
    }

    /// The next step towards a page, of those that change nothing for the gate; from a page that nothing is known
    /// of, going back.
    fn way_back(&self, target: PageId) -> Option<(String, Gesture)> {
        let back = ("go back".to_owned(), Gesture::Back);
        let Some(page) = self.page else { return Some(back) };
        if !self.model.transitions().any(|(_, transition)| transition.from() == page) {
            return Some(back);
        }
        let harmless = self.model.only(|transition| transition.is_plain());
        let start = Start { page: Some(page), values: self.values.clone() };
        let found = Planner::new(&harmless).plan(&start, &Goal::Any(vec![target]), &Bounds::default());
        let Ok(Found::Path(path)) = found else { return None };
        let step = path.steps.first()?;
        Some((step.event.clone(), bind::gesture(&step.event, self.shown.screen.as_ref())))
    }
}

/// An action with its arguments, to know it again.
fn spelled(action: &Action) -> String {
    format!("{} {:?}", action.name(), action.arguments())
}
