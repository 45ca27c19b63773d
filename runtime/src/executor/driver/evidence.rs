//! What shows that something was performed, what is still owed, and what had begun when a run was cut off.
//!
//! Knows values, pages and the gate's facts. What an agent says of its own doing is no evidence here, nor what was known
//! or shown before.

use super::compare::{Compared, Seen};
use super::{Driver, Pending, ShownValues, Signal, saved};
use crate::executor::account::{Comparison, Done, Outcome as End};
use crate::executor::task::Aim;
use crate::planner::Goal;
use intentgate_engine::schema::VariableId;
use intentgate_engine::value::Value;

/// What should be seen after something, and what the gate knew of it before.
pub(super) type Known = Vec<(VariableId, Option<Value>)>;

/// A critical action that was performed, and nothing shows it yet.
pub(super) struct Owed {
    /// What should be seen; nothing if nobody can tell any more.
    pub(super) known: Known,
    /// The values that were shown before.
    pub(super) shown: ShownValues,
}

/// What has begun, until it is known what came of it.
pub(super) struct Begun {
    /// What will be said of it, if nobody looks.
    pub(super) step: Done,
    pub(super) owed: Owed,
    /// Whether it is the next of the functions that the task asks for.
    pub(super) counts: bool,
}

impl Driver<'_> {
    /// What should be seen after something, as the gate knows it now.
    pub(super) fn known_of(&self, watched: &[VariableId]) -> Known {
        watched.iter().map(|id| (*id, self.session.fact(*id).value.clone())).collect()
    }

    /// Whether what is seen shows that it was performed: something new that the app says, or another page to which the
    /// model says that it leads.
    pub(super) fn proves(&self, pending: &Pending, seen: &Seen, uncovered: bool) -> bool {
        if pending.transition.is_none() {
            return false;
        }
        let page = seen.located.page();
        let success = seen.compared.comparison == Comparison::Success;
        let expected = pending.allowed.iter().any(|allowed| page == Some(allowed.as_str()));
        // Another page that is known may show what was there before; one that nobody knows may be called otherwise each
        // time.
        let fresh = (expected || !self.is_charted(&seen.located)) && self.is_fresh(&pending.known);
        // Going back may have led to where one was before.
        if uncovered || fresh {
            return fresh;
        }
        let mut watched = pending.known.iter();
        let news = !pending.known.is_empty() && watched.all(|(id, _)| self.is_news(pending, *id, page));
        let led = expected && page != pending.from_name.as_deref();
        success && (news || (led && self.locator.is_sure(&self.model, &self.shown)))
    }

    /// Whether all that should be seen was reported, and is not what the gate knew before.
    fn is_fresh(&self, known: &Known) -> bool {
        let fresh = |(id, before): &(VariableId, Option<Value>)| {
            let now = self.session.fact(*id).value;
            self.reported.contains(id) && now.is_some() && now != *before
        };
        !known.is_empty() && known.iter().all(fresh)
    }

    /// Whether a value was reported since an action was performed; of a critical one, that was not shown before, and on
    /// the same page not known either.
    pub(super) fn is_news(&self, pending: &Pending, id: VariableId, page: Option<&str>) -> bool {
        if !self.reported.contains(&id) || pending.action.critical().is_none() {
            return self.reported.contains(&id);
        }
        let path = self.session.vocabulary().path(id);
        let other = self.values_shown.get(&path) != pending.shown.get(&path);
        let known =
            pending.known.iter().any(|(known, value)| *known == id && self.session.fact(id).value == *value);
        other && (!known || page != pending.from_name.as_deref())
    }

    /// Whether a critical action was performed without a sign of it, and none came since.
    pub(super) fn owes(&self, action: &str) -> bool {
        self.owed.contains_key(action)
    }

    /// What is shown right after an action may be the sign of it.
    pub(super) fn settle_debts(&mut self) {
        let shows = |(id, before): &(VariableId, Option<Value>), owed: &Owed| {
            let path = self.session.vocabulary().path(*id);
            let now = self.values_shown.get(&path).filter(|value| !value.is_null());
            now.is_some() && now != owed.shown.get(&path) && self.session.fact(*id).value != *before
        };
        let owed = self.owed.iter().filter(|(_, owed)| !owed.known.is_empty());
        let paid = owed.filter(|(_, owed)| owed.known.iter().all(|known| shows(known, owed)));
        let paid: Vec<String> = paid.map(|(action, _)| action.clone()).collect();
        paid.iter().for_each(|action| drop(self.owed.remove(action)));
    }

    /// What is shown after another gesture may be of another time.
    pub(super) fn forget_signs(&mut self) {
        self.owed.values_mut().for_each(|owed| owed.known.clear());
    }

    /// Whether it is the next of the functions that the task asks for, with the arguments that it asks for.
    pub(super) fn counts(&self, pending: &Pending) -> bool {
        let Some(Aim::Goal(Goal::Functions(calls))) =
            self.task.sub_tasks.get(self.part).map(|part| &part.aim)
        else {
            return false;
        };
        let (Some(call), Some(id)) = (calls.get(self.performed), pending.transition) else { return false };
        let function = self.model.transition(id).and_then(|one| one.function());
        let function = function.map(|id| self.model.vocabulary().action(id).name());
        let asked = || self.model.step(id, Some(call)).is_some_and(|step| step.event == pending.event);
        function == Some(call.function.as_str()) && (pending.follows || asked())
    }

    /// What has begun, as long as nobody looked.
    pub(super) fn begun_of(&self, pending: &Pending) -> Begun {
        let because = Some("nobody looked at what came of it".to_owned());
        let compared = Compared { comparison: Comparison::Fail, because };
        let owed = Owed { known: pending.known.clone(), shown: pending.shown.clone() };
        Begun { step: self.done(pending, compared, None), owed, counts: self.counts(pending) }
    }

    /// Something had begun, and whoever waited for it went away: an ordinary step may be done again, of a critical
    /// action the host has to find out.
    pub(super) fn cut_off(&mut self) -> (Signal, String) {
        let Some(Begun { step, .. }) = self.begun.take() else { return (Signal::Replan, String::new()) };
        let (action, critical) = (step.action.clone(), step.critical);
        let said = step.because.clone().unwrap_or_default();
        self.steps.push(step);
        self.plan = None;
        if critical {
            self.outcome = End::Unclear { action };
            return (Signal::Unclear, said);
        }
        match saved::forget_ordinary(&mut self.session) {
            Ok(()) => (Signal::Replan, said),
            Err(fault) => {
                self.outcome = End::GaveUp { because: fault.to_string() };
                (Signal::Unclear, fault.to_string())
            }
        }
    }

    /// What had begun when the run was saved: the host has found out what came of a critical action, or has to.
    pub(super) fn resume_begun(&mut self, begun: Begun) {
        let Begun { mut step, owed, counts } = begun;
        let settled = !self.session.unsettled().any(|name| name == step.action);
        let performed = settled && self.session.is_achieved(&step.action);
        let said = match (step.critical, settled, performed) {
            (false, ..) => "the run was cut off before it was looked at what came of it",
            (true, false, _) => "it is unknown whether it was performed: the host has to settle that",
            (true, true, true) => "the run was cut off; it was performed, says the host",
            (true, true, false) => "the run was cut off; it was not performed, says the host",
        };
        step.because = Some(said.to_owned());
        if step.critical && performed {
            step.comparison = Comparison::Success;
            self.performed += usize::from(counts);
            self.owed.insert(step.action.clone(), owed);
        }
        self.machine.gesture();
        self.steps.push(step);
    }
}
