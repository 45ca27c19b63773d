//! Comparing what came of an action with what was expected, and telling the gate.

use super::act::unmet;
use super::evidence::Owed;
use super::{Driver, Pending, Signal, Values, saved};
use crate::executor::account::{Comparison, Done, Outcome as End};
use crate::executor::locate::Located;
use crate::gate::{Outcome, Running};
use crate::planner::PageId;
use crate::{Action, Update};
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::schema::VariableId;

/// How much longer one waits for what came of a critical action.
const PATIENCE: u32 = 2;
/// What is said of what was found where going back led.
pub(super) const UNCOVERED: &str = "seen when what covered it was gone";

/// What came of it, and why it is not as expected.
pub(super) struct Compared {
    pub(super) comparison: Comparison,
    pub(super) because: Option<String>,
}

/// What was seen after an action.
pub(super) struct Seen {
    pub(super) compared: Compared,
    pub(super) located: Located,
    /// Whether nothing changed.
    nothing: bool,
}

/// Why nothing was seen.
pub(super) enum Unseen {
    Device(String),
    Fault(Fault),
}

impl Driver<'_> {
    pub(super) async fn compare(&mut self) -> (Signal, String) {
        let Some(mut pending) = self.pending.take() else { return self.cut_off() };
        let Some(running) = pending.running.take() else { return self.cut_off() };
        let critical = pending.action.critical().is_some();
        let (believed, place) = (self.values.clone(), self.steps.len());
        let mut seen = self.looked(&pending, &believed).await;
        // Who can tell is asked, whatever is seen.
        let asked = pending.told.take();
        let mut told = if critical { asked.or_else(|| self.confirmed(&pending.action)) } else { None };
        let mut uncovered = false;
        let shown = matches!(&seen, Ok(now) if self.proves(&pending, now, false));
        if critical && !shown && told != Some(false) {
            (seen, uncovered) = self.uncover(&pending, &believed, seen).await;
        }
        if uncovered && told.is_none() {
            told = self.confirmed(&pending.action);
        }
        let seen = match seen {
            Ok(seen) => seen,
            Err(unseen) => return self.conclude_unseen(pending, running, believed, (unseen, told, place)),
        };
        if !seen.nothing
            && let Err(fault) = self.forget_unseen(&pending, seen.located.page())
        {
            return self.conclude_unseen(pending, running, believed, (Unseen::Fault(fault), told, place));
        }
        let proven = self.proves(&pending, &seen, uncovered);
        let Seen { mut compared, located, nothing } = seen;
        let success = compared.comparison == Comparison::Success;
        // What was seen is evidence, whether it was expected or not; what was found behind something else only if it was,
        // and where a critical action leads is what is declared.
        if let (Some(to), Some(from)) = (located.page(), pending.from)
            && pending.learns
            && (success || !(nothing || uncovered || critical))
        {
            self.model.observe(from, &pending.template, to);
        }
        self.stand_on(&located);
        let performed = match (critical, told, proven) {
            (false, ..) => Some(success),
            (true, Some(false), true) => None,
            (true, told, proven) => told.or(proven.then_some(true)),
        };
        if told == Some(false) {
            self.denied.insert(pending.action.name().to_owned());
        }
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
            let why = match told {
                Some(_) => "the screen shows that it was performed, and who can tell says that it was not",
                None => "nobody can tell whether it was performed",
            };
            let before = compared.because.map(|because| format!("{because}; ")).unwrap_or_default();
            let because = Some(format!("{before}{why}: the host has to settle that"));
            compared = Compared { comparison: Comparison::Fail, because };
        } else if success && uncovered {
            compared.because = Some(UNCOVERED.to_owned());
        }
        let said = compared.because.clone().unwrap_or_default();
        self.keep(&pending, compared, place);
        if success {
            self.advance(&pending)
        } else {
            self.in_vain(&pending)
        }
        self.conclude(pending, running, (performed, proven), signal, said)
    }

    /// Looks at what came of it, more than once if it is not what was expected: the app may not be ready yet.
    async fn looked(&mut self, pending: &Pending, believed: &Values) -> Result<Seen, Unseen> {
        let mut seen = self.seen(pending, believed).await;
        // What can't be undone takes its time, and must not be disturbed.
        let patience = if pending.action.critical().is_some() { PATIENCE } else { 1 };
        for look in 1..self.options.looks.saturating_mul(patience) {
            if matches!(&seen, Ok(seen) if seen.compared.comparison == Comparison::Success) {
                break;
            }
            self.wait(look);
            self.values.clone_from(believed);
            seen = self.seen(pending, believed).await;
        }
        seen
    }

    /// Nothing can be seen of what came of it.
    fn conclude_unseen(
        &mut self,
        pending: Pending,
        running: Running,
        believed: Values,
        (unseen, told, place): (Unseen, Option<bool>, usize),
    ) -> (Signal, String) {
        let (said, signal, performed) = match unseen {
            Unseen::Device(said) => {
                self.values = believed;
                let performed = if pending.action.critical().is_some() { told } else { Some(false) };
                (said, Signal::Unobservable, performed)
            }
            Unseen::Fault(fault) => {
                self.outcome = End::GaveUp { because: fault.to_string() };
                (fault.to_string(), Signal::Unclear, None)
            }
        };
        self.page = None;
        let because = Some(said.clone());
        self.keep(&pending, Compared { comparison: Comparison::Fail, because }, place);
        self.conclude(pending, running, (performed, false), signal, said)
    }

    /// What should be seen after it and was not isn't what it was before.
    fn forget_unseen(&mut self, pending: &Pending, page: Option<&str>) -> Result<(), Fault> {
        let unseen = pending.known.iter().map(|(id, _)| *id).filter(|id| !self.is_news(pending, *id, page));
        let known = unseen.filter(|id| self.session.fact(*id).value.is_some());
        let forgotten: Vec<VariableId> = known.collect();
        match forgotten.is_empty() {
            true => Ok(()),
            false => saved::make_unknown(&mut self.session, forgotten),
        }
    }

    /// Looks at what came of it, and compares. What the model's variables are is what the app says, else what the
    /// transition makes of them if it did what was expected, else what they were if nothing changed; else unknown.
    pub(super) async fn seen(&mut self, pending: &Pending, believed: &Values) -> Result<Seen, Unseen> {
        let shown = self.device.observe().map_err(|error| Unseen::Device(error.to_string()))?;
        let predicted =
            pending.transition.map_or_else(|| believed.clone(), |id| self.model.after(id, believed));
        self.values.clone_from(&predicted);
        let same = self.is_same(&shown, &pending.before);
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
        (performed, proven): (Option<bool>, bool),
        signal: Signal,
        said: String,
    ) -> (Signal, String) {
        self.begun = None;
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
            if !proven {
                let owed = Owed { known: pending.known, shown: pending.shown };
                self.owed.insert(pending.action.name().to_owned(), owed);
            }
            return (Signal::Replan, said);
        }
        self.pending = Some(Pending { in_doubt: outcome == Outcome::Unknown, ..pending });
        (signal, said)
    }

    pub(super) fn confirmed(&mut self, action: &Action) -> Option<bool> {
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
        if pending.allowed.is_empty() && pending.transition.is_some() && pending.action.critical().is_some() {
            return fail("nothing declares where it leads".to_owned());
        }
        let mut watched = pending.known.iter().map(|(id, _)| *id);
        if let Some(unseen) = watched.find(|id| !self.is_news(pending, *id, page)) {
            return fail(format!("{} was not observed", self.session.vocabulary().path(unseen)));
        }
        if let Some(expect) = &pending.expect {
            let truth = self.conditions.holds(expect, &self.session, page, &self.shown);
            if !truth.is_true() {
                return fail(unmet(expect, truth));
            }
        }
        Compared { comparison: Comparison::Success, because: None }
    }

    /// What was expected came: the plan goes on, unless it leads on from somewhere else, or counts on other values.
    pub(super) fn advance(&mut self, pending: &Pending) {
        if let Some(page) = self.page {
            self.visited.push(page);
        }
        self.performed += usize::from(self.counts(pending));
        let counted_on = pending.counted_on.iter().flat_map(Update::assignments);
        let mut counted_on = counted_on.filter(|one| one.value.is_some());
        let as_counted_on = counted_on.all(|one| self.session.fact(one.variable).value == one.value);
        match pending.follows && self.page == pending.planned && as_counted_on {
            true => self.followed += 1,
            false => self.plan = None,
        }
    }

    /// It was tried in this situation, and is trusted less.
    pub(super) fn in_vain(&mut self, pending: &Pending) {
        *self.tried.entry((pending.situation.clone(), pending.event.clone())).or_default() += 1;
        if let Some(id) = pending.transition {
            *self.suspects.entry(id).or_default() += 1;
        }
    }

    /// Keeps what came of it, at its place among the steps.
    pub(super) fn keep(&mut self, pending: &Pending, compared: Compared, place: usize) {
        let done = self.done(pending, compared, self.page);
        self.steps.insert(place.min(self.steps.len()), done);
    }

    pub(super) fn done(&self, pending: &Pending, compared: Compared, to: Option<PageId>) -> Done {
        let name = |page| self.model.page_name(page).to_owned();
        Done {
            event: pending.event.clone(),
            template: pending.template.clone(),
            action: pending.action.name().to_owned(),
            critical: pending.action.critical().is_some(),
            from: pending.from.map(name).unwrap_or_default(),
            to: to.map(name),
            comparison: compared.comparison,
            because: compared.because,
            recovery: false,
            why: pending.why.clone(),
        }
    }
}
