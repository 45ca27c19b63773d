//! Getting back to where things were as expected.

use super::compare::{Seen, UNCOVERED, Unseen};
use super::{Driver, Pending, Signal, Values, saved};
use crate::Action;
use crate::executor::account::{Comparison, Done, Outcome as End};
use crate::executor::bind;
use crate::executor::device::{DeviceError, Gesture, Performed};
use crate::executor::touch;
use crate::gate::Outcome;
use crate::planner::{Bounds, Found, Goal, PageId, Planner, Start, Transition};

/// The most steps of getting back.
const MOST_BACK: usize = 8;

/// The most steps of getting back in a row that change nothing.
const MOST_IDLE: usize = 2;
/// The most pages that may cover what a critical action led to.
const MOST_COVERS: usize = 3;

/// Where getting back ended.
enum Back {
    /// Where it was decided.
    There,
    /// Where it should have led: it had worked, and something covered it.
    Late,
}

impl Driver<'_> {
    /// Back to where it was decided, and once more; after failures in a row, a new plan from there.
    pub(super) async fn recover(&mut self) -> (Signal, String) {
        let Some(failed) = self.pending.take() else {
            self.plan = None;
            let forgotten = saved::forget_ordinary(&mut self.session);
            return (Signal::Replan, forgotten.err().map(|fault| fault.to_string()).unwrap_or_default());
        };
        let back = match self.options.recovers {
            true => self.back_to(&failed).await,
            false => Err(String::new()),
        };
        if let Ok(Back::Late) = back {
            if let Err(fault) = self.session.resolve(failed.action.name(), true) {
                return (Signal::Replan, fault.to_string());
            }
            let to = self.page_name().map(str::to_owned);
            if let Some(done) = self.steps.iter_mut().rev().find(|done| !done.recovery) {
                (done.comparison, done.to) = (Comparison::Success, to);
                done.because = Some(UNCOVERED.to_owned());
            }
            self.advance(&failed);
            return (Signal::Success, "it had worked".to_owned());
        }
        if self.is_in_doubt(&failed)
            && let Err(fault) = saved::forget(&mut self.session, failed.action.name())
        {
            self.outcome = End::GaveUp { because: fault.to_string() };
            return (Signal::Exhausted, fault.to_string());
        }
        self.stuck = back.as_ref().err().filter(|said| !said.is_empty()).cloned();
        match back {
            Ok(_) if !self.machine.escalates() && self.is_as_decided(&failed) => {
                self.pending = Some(Pending { before: self.shown.clone(), in_doubt: false, ..failed });
                (Signal::Retry, String::new())
            }
            back => {
                self.plan = None;
                (Signal::Replan, back.err().unwrap_or_default())
            }
        }
    }

    /// Gets back to the page that was verified last: by the model's own ways, or by going back.
    async fn back_to(&mut self, failed: &Pending) -> Result<Back, String> {
        let target = failed.from.ok_or("it is not known where that was")?;
        // Whether nothing was done but to uncover what is there, and how often in a row that changed nothing.
        let (mut uncovering, mut idle) = (true, 0);
        for number in 0..=MOST_BACK {
            let shown = self.device.observe().map_err(|error| error.to_string())?;
            let same = self.is_same(&shown, &self.shown);
            self.take_in(shown).map_err(|fault| fault.to_string())?;
            let from = self.page;
            let located = self.place().await;
            self.stand_on(&located);
            if number > 0 {
                self.led_back(from);
                idle = if same { idle + 1 } else { 0 };
            }
            if idle >= MOST_IDLE {
                return Err("going back changes nothing".to_owned());
            }
            if uncovering && self.is_in_doubt(failed) && self.page != Some(target) && self.had_worked(failed)
            {
                return Ok(Back::Late);
            }
            if self.page == Some(target) {
                let possible = failed.transition.is_none_or(|id| {
                    let start = Start { page: self.page, values: self.values.clone() };
                    self.model.is_possible(&start, id)
                });
                return if possible {
                    Ok(Back::There)
                } else {
                    Err("it is not possible any more".to_owned())
                };
            }
            if number == MOST_BACK {
                break;
            }
            let (event, gesture, leads) = self.way_back(target).ok_or("no way back is known")?;
            uncovering &= !leads;
            self.go_back(event, gesture)?;
        }
        Err(format!("it could not get back within {MOST_BACK} steps"))
    }

    /// Leaves what covers the page that a critical action led to, and looks at what is below; whether it left anything.
    pub(super) async fn uncover(
        &mut self,
        pending: &Pending,
        believed: &Values,
        mut seen: Result<Seen, Unseen>,
    ) -> (Result<Seen, Unseen>, bool) {
        let mut uncovered = false;
        for _ in 0..MOST_COVERS {
            let way = match &seen {
                Ok(now) => self.way_off(pending, now).inspect(|_| self.stand_on(&now.located)),
                Err(_) => None,
            };
            let from = self.page;
            let Some((event, gesture)) = way else { break };
            if self.go_back(event, gesture).is_err() {
                break;
            }
            uncovered = true;
            self.values.clone_from(believed);
            seen = self.seen(pending, believed).await;
            if let Ok(now) = &seen {
                self.stand_on(&now.located);
                self.led_back(from);
            }
        }
        (seen, uncovered)
    }

    /// How what covers the expected page is left: of a page that nothing is known to lead on from by going back, else by
    /// what is known to lead from it to where it should be.
    fn way_off(&self, pending: &Pending, seen: &Seen) -> Option<(String, Gesture)> {
        let back = ("go back".to_owned(), Gesture::Back);
        let page = match seen.located.page() {
            _ if seen.compared.comparison == Comparison::Success => return None,
            None => return pending.from.map(|_| back),
            Some(page) => page,
        };
        if pending.from_name.as_deref() == Some(page) || pending.allowed.iter().any(|one| one == page) {
            return None;
        }
        let Some(page) = self.model.find_page(page).filter(|page| self.leads_on(*page)) else {
            return Some(back);
        };
        let wanted = |page| pending.allowed.iter().any(|one| one == self.model.page_name(page));
        let ways =
            self.model.transitions().map(|(_, one)| one).filter(|one| one.from() == page && one.is_plain());
        let screen = self.shown.screen.as_ref();
        let gestures = ways.map(|one| (one.to(), one.event().to_owned(), bind::gesture(one.event(), screen)));
        let mut gestures = gestures.filter(|(to, _, gesture)| wanted(*to) || *gesture == Gesture::Back);
        gestures.next().map(|(_, event, gesture)| (event, gesture))
    }

    /// Whether the screen is what it was when something was decided: else it is decided once more.
    fn is_as_decided(&self, failed: &Pending) -> bool {
        let (before, now) = (failed.before.screen.as_ref(), self.shown.screen.as_ref());
        let critical = failed.action.critical().is_some();
        touch::means_the_same(&failed.gesture, before, now, &self.options.volatile)
            && (!critical || self.says_the_same(&failed.before, &self.shown))
    }

    /// Whether the gate doesn't know yet what came of it.
    fn is_in_doubt(&self, failed: &Pending) -> bool {
        failed.in_doubt && self.session.unsettled().any(|name| name == failed.action.name())
    }

    /// Whether what was expected is there after all.
    fn had_worked(&self, failed: &Pending) -> bool {
        // Going back may lead to where one was before: then only what the app says tells, if it matters.
        let name = self.page_name();
        let failed_at = self.steps.iter().rposition(|done| !done.recovery).unwrap_or(0);
        let mut before = self.steps.iter().take(failed_at);
        let been = before.any(|done| Some(done.from.as_str()) == name || done.to.as_deref() == name);
        let plain = |id| self.model.transition(id).is_some_and(Transition::is_plain);
        if been && failed.known.is_empty() && !failed.transition.is_some_and(plain) {
            return false;
        }
        let expected = self.page.map(|page| self.model.page_name(page));
        self.judge(failed, expected).comparison == Comparison::Success
    }

    /// A step of getting back, which passes the gate like everything else.
    fn go_back(&mut self, event: String, gesture: Gesture) -> Result<(), String> {
        let action = Action::named(self.session.vocabulary(), &event).build();
        let action = action.map_err(|fault| fault.to_string())?;
        if self.scene().critical(&gesture, None)?.is_some() {
            return Err(format!("`{event}` is critical here"));
        }
        // The same step may have failed before: it is done once more.
        if self.session.unsettled().any(|name| name == action.name()) {
            saved::forget(&mut self.session, action.name()).map_err(|fault| fault.to_string())?;
        }
        let verdict = self.session.propose(action.clone()).map_err(|fault| fault.to_string())?;
        let permit = verdict.allowed().map_err(|refused| refused.to_string())?;
        if !self.machine.gesture() {
            return Err("the run took as many actions as it may".to_owned());
        }
        let begun = self.session.begin(permit).map_err(|fault| fault.to_string())?;
        let running = begun.map_err(|stale| stale.to_string())?;
        self.forget_signs();
        let performed = match touch::reaches(&gesture, self.shown.screen.as_ref()) {
            Ok(()) => self.device.perform(&gesture),
            Err(reason) => Err(DeviceError::Failed { reason, performed: Performed::No }),
        };
        let hopeless = performed.as_ref().is_err_and(|error| error.performed() == Performed::No);
        let outcome = if hopeless { Outcome::NotPerformed } else { Outcome::Done };
        self.session.finish(running, outcome).map_err(|fault| fault.to_string())?;
        let name = |page| self.model.page_name(page).to_owned();
        self.steps.push(Done {
            event: event.clone(),
            template: event,
            action: action.name().to_owned(),
            critical: false,
            from: self.page.map(name).unwrap_or_default(),
            to: None,
            comparison: Comparison::Fail,
            because: performed.err().map(|error| error.to_string()),
            recovery: true,
            why: "back to the last page that was verified".to_owned(),
        });
        if hopeless { Err("it could not be gone back".to_owned()) } else { Ok(()) }
    }

    /// Where the last step of getting back led.
    fn led_back(&mut self, from: Option<PageId>) {
        let to = self.page_name().map(str::to_owned);
        let Some(done) = self.steps.last_mut() else { return };
        done.comparison = if self.page == from { Comparison::NoChange } else { Comparison::Success };
        done.to = to;
    }

    /// The next step towards a page, of those that change nothing for the gate, and whether the model knows where it
    /// leads; from a page that nothing is known of, going back.
    fn way_back(&self, target: PageId) -> Option<(String, Gesture, bool)> {
        let back = ("go back".to_owned(), Gesture::Back, false);
        let page = match self.page {
            Some(page) if self.leads_on(page) => page,
            _ => return Some(back),
        };
        let harmless = self.model.only(|transition| transition.is_plain());
        let start = Start { page: Some(page), values: self.values.clone() };
        let found = Planner::new(&harmless).plan(&start, &Goal::Any(vec![target]), &Bounds::default());
        let Ok(Found::Path(path)) = found else { return None };
        let step = path.steps.first()?;
        Some((step.event.clone(), bind::gesture(&step.event, self.shown.screen.as_ref()), true))
    }
}
