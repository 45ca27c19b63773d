//! Passing the gate, acting and comparing.

use super::plan::owed;
use super::{Compared, Driver, Owed, Pending, Signal, Values, saved};
use crate::executor::account::{Comparison, Done, Outcome as End};
use crate::executor::device::{Gesture, Observation, Performed};
use crate::executor::locate::{Located, beacon};
use crate::executor::task::Aim;
use crate::executor::touch::{self, Scene, Touched};
use crate::gate::{Outcome, Running, Verdict};
use crate::planner::Goal;
use crate::{Action, Argument, Update};
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::schema::VariableId;

/// What was seen after an action.
struct Seen {
    compared: Compared,
    located: Located,
    /// Whether nothing changed.
    nothing: bool,
}

/// Why nothing was seen.
enum Unseen {
    Device(String),
    Fault(Fault),
}

impl Driver<'_> {
    pub(super) fn propose(&mut self) -> (Signal, String) {
        let Some(pending) = &self.pending else { return self.refuse("nothing was decided".to_owned()) };
        let action = pending.action.clone();
        let key = (self.situation(), spelled(&action));
        if self.barred.contains(&key) {
            return self.refuse(format!("`{}` is blocked in this situation", action.name()));
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
        pending.situation = self.situation();
        self.feedback.clear();
        self.reported.clear();
        if let Err(said) = self.keep_journal(&pending) {
            let finished = self.session.finish(running, Outcome::NotPerformed);
            let because = finished.err().map_or(said, |fault| fault.to_string());
            self.outcome = End::GaveUp { because: because.clone() };
            return (Signal::Unclear, because);
        }
        match self.device.perform(&pending.gesture) {
            Err(error) if error.performed() == Performed::No => {
                let said = error.to_string();
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
            // What came of it is looked at, also where it may have failed.
            performed => {
                self.acted = true;
                pending.running = Some(running);
                self.pending = Some(pending);
                (Signal::Performed, performed.err().map(|error| error.to_string()).unwrap_or_default())
            }
        }
    }

    /// Whether two looks say the same, but for texts that change by themselves.
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
        let same = shown.page == pending.before.page && key(&shown) == key(&pending.before);
        let unchanged = same && self.says_the_same(&shown, &pending.before);
        let titled = |shown: &Observation| shown.screen.as_ref().map(beacon);
        let elsewhere = shown.page != pending.before.page || titled(&shown) != titled(&pending.before);
        self.take_in(shown).map_err(|fault| fault.to_string())?;
        let (before, now) = (pending.before.screen.as_ref(), self.shown.screen.as_ref());
        let other = match pending.action.critical() {
            Some(_) => !unchanged,
            // What an ordinary step was decided on may still be on its way: it is decided once more, and then done.
            None => elsewhere || (!same && self.machine.counters().decisions == 0),
        };
        if other || !touch::means_the_same(&pending.gesture, before, now) {
            let said = "the screen is not what it was decided on".to_owned();
            self.feedback.push(said.clone());
            return Err(said);
        }
        // On another page, what is critical on any page is.
        let page = self.page.filter(|_| same);
        self.disguised(pending, &pending.action, Scene { page, ..self.scene() })?;
        pending.before = self.shown.clone();
        pending.shown = self.values_shown.clone();
        Ok(())
    }

    pub(super) async fn compare(&mut self) -> (Signal, String) {
        let Some(mut pending) = self.pending.take() else { return (Signal::Fail, String::new()) };
        let Some(running) = pending.running.take() else { return (Signal::Fail, String::new()) };
        let critical = pending.action.critical().is_some();
        let believed = self.values.clone();
        let mut seen = self.seen(&pending, &believed).await;
        for _ in 1..self.options.looks {
            if matches!(&seen, Ok(seen) if seen.compared.comparison == Comparison::Success) {
                break;
            }
            // The app may not be ready yet; whether it can wait or not, it is looked at once more.
            let _ = self.device.perform(&Gesture::Wait(self.options.pause));
            self.values.clone_from(&believed);
            seen = self.seen(&pending, &believed).await;
        }
        let Seen { mut compared, located, nothing } = match seen {
            Ok(seen) => seen,
            Err(Unseen::Device(said)) => {
                self.values = believed;
                let performed = if critical { self.confirmed(&pending.action) } else { Some(false) };
                return self.conclude(pending, running, performed, Signal::Unobservable, said);
            }
            Err(Unseen::Fault(fault)) => {
                self.outcome = End::GaveUp { because: fault.to_string() };
                return self.conclude(pending, running, None, Signal::Unclear, fault.to_string());
            }
        };
        let success = compared.comparison == Comparison::Success;
        if !nothing && let Err(fault) = self.forget_unseen(&pending) {
            self.outcome = End::GaveUp { because: fault.to_string() };
            return self.conclude(pending, running, None, Signal::Unclear, fault.to_string());
        }
        // What was seen is evidence, whether it was expected or not.
        self.page = match (located.page(), pending.from) {
            (None, _) => None,
            (Some(to), Some(from)) if !nothing || success => {
                self.model.observe(from, &pending.template, to);
                Some(self.model.add_page(to))
            }
            (Some(page), _) => Some(self.model.add_page(page)),
        };
        let performed = match (critical, success) {
            (false, _) => Some(success),
            // Who can tell better than the screen is asked. Where nothing new says that it was, it isn't known.
            (true, true) => {
                self.confirmed(&pending.action).or(pending.is_proven_by(located.page()).then_some(true))
            }
            (true, false) => self.confirmed(&pending.action),
        };
        if success && performed == Some(false) {
            let because = Some("it was not performed, says who can tell".to_owned());
            compared = Compared { comparison: Comparison::Fail, because };
        }
        let success = compared.comparison == Comparison::Success;
        let signal = match compared.comparison {
            Comparison::Success => Signal::Success,
            Comparison::NoChange => Signal::NoChange,
            Comparison::Fail => Signal::Fail,
        };
        if performed.is_none() {
            let because = Some("nobody can tell whether it was performed".to_owned());
            compared = Compared { comparison: Comparison::Fail, because };
        }
        let said = compared.because.clone().unwrap_or_default();
        self.keep(&pending, compared);
        if success {
            self.advance(&pending)
        } else {
            self.in_vain(&pending)
        }
        self.conclude(pending, running, performed, signal, said)
    }

    /// What should be seen after it and was not isn't what it was before.
    fn forget_unseen(&mut self, pending: &Pending) -> Result<(), Fault> {
        let observed = pending.observes.iter().flat_map(Update::assignments).map(|one| one.variable);
        let unseen = observed.filter(|id| !self.is_news(pending, *id));
        let known = unseen.filter(|id| self.session.fact(*id).value.is_some());
        let forgotten: Vec<VariableId> = known.collect();
        match forgotten.is_empty() {
            true => Ok(()),
            false => saved::make_unknown(&mut self.session, forgotten),
        }
    }

    /// Looks at what came of it, and compares. What the model's variables are is what the app says, else what the
    /// transition makes of them if it did what was expected, else what they were if nothing changed; else unknown.
    async fn seen(&mut self, pending: &Pending, believed: &Values) -> Result<Seen, Unseen> {
        let shown = self.device.observe().map_err(|error| Unseen::Device(error.to_string()))?;
        let predicted =
            pending.transition.map_or_else(|| believed.clone(), |id| self.model.after(id, believed));
        self.values.clone_from(&predicted);
        let same = shown.page == pending.before.page
            && shown.values == pending.before.values
            && self.says_the_same(&shown, &pending.before);
        let reported = self.reported.clone();
        self.take_in(shown).map_err(Unseen::Fault)?;
        if same {
            // What was shown before shows nothing of what came of it.
            self.reported = reported;
        }
        let located = self.place().await;
        let mut compared = self.judge(pending, located.page());
        if compared.comparison == Comparison::Success && predicted != self.values {
            let because = Some("the app's variables are not what they should be".to_owned());
            compared = Compared { comparison: Comparison::Fail, because };
        }
        let nothing = same && (*believed == self.values || predicted == self.values);
        if compared.comparison == Comparison::Fail && nothing {
            compared.comparison = Comparison::NoChange;
        }
        if compared.comparison != Comparison::Success {
            for (id, value) in &mut self.values {
                let (before, after) = (believed.get(id), predicted.get(id));
                if before != after && Some(&*value) == after {
                    *value = if nothing { before.cloned().flatten() } else { None };
                }
            }
        }
        Ok(Seen { compared, located, nothing })
    }

    /// Reports to the gate what came of it. What nobody can tell of a critical action is unknown to the gate, and ends
    /// the run. Of an ordinary step that something else came of it is settled by getting back.
    fn conclude(
        &mut self,
        pending: Pending,
        running: Running,
        performed: Option<bool>,
        signal: Signal,
        said: String,
    ) -> (Signal, String) {
        let critical = pending.action.critical().is_some();
        let outcome = match performed {
            Some(true) => Outcome::Done,
            Some(false) if critical || signal == Signal::NoChange => Outcome::NotPerformed,
            _ => Outcome::Unknown,
        };
        let finished = self.session.finish(running, outcome);
        if performed.is_none() {
            self.outcome = End::Unclear { action: pending.action.name().to_owned() };
            return (Signal::Unclear, said);
        }
        if let Err(fault) = finished {
            self.outcome = End::GaveUp { because: fault.to_string() };
            return (Signal::Unclear, fault.to_string());
        }
        // What a critical action did is not done again.
        if critical && performed == Some(true) && signal != Signal::Success {
            self.plan = None;
            let observes = pending.observes.iter().flat_map(Update::assignments);
            let variables: Vec<VariableId> = observes.map(|one| one.variable).collect();
            let owed = Owed { variables, shown: pending.shown.clone() };
            self.owed.insert(pending.action.name().to_owned(), owed);
            return (Signal::Replan, said);
        }
        self.pending = Some(Pending { in_doubt: outcome == Outcome::Unknown, ..pending });
        (signal, said)
    }

    fn confirmed(&mut self, action: &Action) -> Option<bool> {
        let confirm = self.options.confirm.as_mut()?;
        confirm(action, &self.shown)
    }

    /// Whether what came of it is what was expected.
    pub(super) fn judge(&self, pending: &Pending, page: Option<&str>) -> Compared {
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
                .filter(|one| one.value.is_some() && !self.is_news(pending, one.variable));
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

    /// Whether a value was reported since an action was performed; of a critical one, that was not shown before.
    fn is_news(&self, pending: &Pending, id: VariableId) -> bool {
        let path = self.session.vocabulary().path(id);
        let other = self.values_shown.get(&path) != pending.shown.get(&path);
        self.reported.contains(&id) && (pending.action.critical().is_none() || other)
    }

    /// What was expected came: the plan goes on, unless it leads on from somewhere else.
    pub(super) fn advance(&mut self, pending: &Pending) {
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
}

/// An action with its arguments, to know it again.
fn spelled(action: &Action) -> String {
    format!("{} {:?}", action.name(), action.arguments())
}
