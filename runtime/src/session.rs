//! One session per task: what was observed and achieved, and the gate in front of it.
//!
//! [`Session`] owns all state. Deciding is in [`crate::gate`]; recording in [`record`]. Must never
//! know a model or a device; the solver is asked in `replace` alone, and never for a decision.

mod builder;
pub mod clock;
pub mod event;
mod history;
pub(crate) use history::rule_variables;
mod observe;
pub mod record;
mod replace;
pub mod replay;
mod saved;

use crate::gate::feedback::{self, RuleReport};
use crate::gate::permit::Flight;
use crate::typed::Spec;
use crate::{Action, Arguments, Update};
pub(crate) use builder::Start;
pub use builder::{SessionBuilder, StartError};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use clock::Clock;
pub use history::Evidence;
use history::History;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::{Assignment, Evaluator, Fact};
use intentgate_engine::ir::{self, Objective, Specification};
use intentgate_engine::schema::{MaxAge, VariableId, Vocabulary};
use intentgate_engine::value::Value;
pub use observe::Observed;
use record::Recorder;
pub use replace::Consent;
pub use saved::Saved;
use std::sync::Arc;
#[cfg(feature = "z3")]
pub(crate) use {builder::spelled, saved::spelled as spelled_value};

/// Computes, before an action runs, the update it would cause (VeriSafe Agent 4.2.2).
pub type Trigger = Box<dyn Fn(&Arguments, &dyn Facts) -> Result<Update, TriggerError> + Send>;

/// Why a trigger can't say what an action would change; the action is blocked then.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct TriggerError(pub String);

impl From<Fault> for TriggerError {
    fn from(fault: Fault) -> TriggerError {
        TriggerError(fault.to_string())
    }
}

/// What a trigger may look at.
pub trait Facts {
    /// The vocabulary, to build updates.
    fn vocabulary(&self) -> &Vocabulary;
    /// The value of `State.variable`, if it is known.
    fn value(&self, path: &str) -> Option<Value>;
}

impl Facts for Evaluator {
    fn vocabulary(&self) -> &Vocabulary {
        Evaluator::vocabulary(self)
    }

    fn value(&self, path: &str) -> Option<Value> {
        Evaluator::fact(self, Evaluator::vocabulary(self).find_path(path)?).value
    }
}

/// When a value of a variable with a greatest age was set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Age {
    variable: VariableId,
    limit: MaxAge,
    epoch: u64,
    at: DateTime<Utc>,
}

/// The last advice: proposing the same again, with nothing else in between, is insisting.
#[derive(Debug, Clone)]
pub(crate) struct Advised {
    pub(crate) action: Action,
    pub(crate) epoch: u64,
    pub(crate) activity: u64,
}

/// A task under the gate.
pub struct Session {
    /// Different for every session of a process: permits are good for their own only.
    pub(crate) identity: u64,
    pub(crate) evaluator: Evaluator,
    pub(crate) start: Start,
    /// Counts every change of what is known or achieved.
    pub(crate) epoch: u64,
    /// Counts effects that began: what was judged before is stale after.
    pub(crate) activity: u64,
    pub(crate) history: History,
    pub(crate) flights: Vec<Flight>,
    pub(crate) next_flight: u64,
    /// Emptied lists, to be filled again without allocating.
    pub(crate) spare: Vec<Vec<VariableId>>,
    pub(crate) advised: Option<Advised>,
    pub(crate) insisted: u64,
    pub(crate) triggers: Vec<(String, Trigger)>,
    ages: Vec<Age>,
    timed: bool,
    clock: Box<dyn Clock>,
    time: DateTime<Utc>,
    /// The last reading that belongs into the record and is not in it yet.
    pub(crate) reading: Option<DateTime<Utc>>,
    pub(crate) recorder: Option<Recorder>,
    /// Whether the record could not be written.
    pub(crate) broken: bool,
    /// Whether an action was performed.
    pub(crate) acted: bool,
}

impl Session {
    /// Starts to build a session for a specification.
    pub fn builder(specification: impl Into<Spec>) -> SessionBuilder {
        SessionBuilder::new(specification.into())
    }

    /// The vocabulary.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.evaluator.vocabulary()
    }

    /// The specification.
    pub fn specification(&self) -> &Arc<Specification> {
        &self.start.specification
    }

    /// Today, as it was fixed when the session started.
    pub fn today(&self) -> NaiveDate {
        self.start.today
    }

    /// The zone that today was fixed in.
    pub fn zone(&self) -> Tz {
        self.start.zone
    }

    /// How many changes there were.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// How often an agent passed advice by insisting.
    pub fn insisted(&self) -> u64 {
        self.insisted
    }

    /// Whether the task is complete.
    pub fn is_done(&self) -> bool {
        self.evaluator.is_done()
    }

    /// Whether the objective of that name is achieved.
    pub fn is_achieved(&self, objective: &str) -> bool {
        self.find_objective(objective).is_some_and(|objective| self.evaluator.is_achieved(objective))
    }

    /// The names of what is achieved, in the order of achievement, without `Done`.
    pub fn achieved(&self) -> Vec<String> {
        let objectives = self.history.achieved().filter_map(|evidence| evidence.objective);
        objectives.map(|objective| self.start.specification.objective_name(objective).to_owned()).collect()
    }

    /// What was achieved, `Done` included, with the rule and the values that made it true.
    pub fn evidence(&self) -> Vec<Evidence> {
        self.history.achieved().map(|achieved| self.history.evidence(&self.evaluator, achieved)).collect()
    }

    /// The value of `State.variable`, if it is known.
    pub fn value(&self, path: &str) -> Option<Value> {
        Facts::value(&self.evaluator, path)
    }

    /// What is known of a variable.
    pub fn fact(&self, id: VariableId) -> Fact {
        self.evaluator.fact(id)
    }

    /// The roadmap: every rule and the state of its parts, the specification's first (VeriSafe Agent 6).
    pub fn roadmap(&self) -> Vec<RuleReport> {
        let rules: usize = self.evaluator.sets().iter().map(|set| set.specification().rules().len()).sum();
        (0..rules).filter_map(|rule| feedback::rule_report(&self.evaluator, rule, None)).collect()
    }

    /// The actions of which it is unknown whether they were performed, and those that are running.
    pub fn unsettled(&self) -> impl Iterator<Item = &str> {
        self.flights.iter().map(|flight| flight.action.name())
    }

    /// What an action that is not settled may have changed, and was not observed since.
    pub(crate) fn in_doubt(&self, action: &str) -> impl Iterator<Item = VariableId> {
        let flight = self.flights.iter().find(|flight| flight.action.name() == action);
        flight
            .into_iter()
            .flat_map(|flight| flight.suspended.iter().copied().filter(|id| !flight.overridden.contains(id)))
    }

    /// Bytes on the heap of the compiled rules, of their counters, and of what is held for variables.
    pub fn bytes(&self) -> (usize, usize, usize) {
        self.evaluator.bytes()
    }

    pub(crate) fn find_objective(&self, name: &str) -> Option<Objective> {
        if let Some(action) = self.vocabulary().find_action(name) {
            return Some(Objective::Action(action));
        }
        let specification = &self.start.specification;
        self.milestones().find(|objective| specification.objective_name(*objective) == name)
    }

    /// The names of all objectives: critical actions, and the milestones of the specification.
    pub(crate) fn objectives(&self) -> Vec<String> {
        let actions = self.vocabulary().actions().map(|(id, _)| Objective::Action(id));
        let objectives = actions.chain(self.milestones());
        let mut names: Vec<String> = objectives
            .map(|objective| self.start.specification.objective_name(objective).to_owned())
            .collect();
        names.dedup();
        names
    }

    /// The variables whose values grow old with changes: with how many, and how many there were since they were set.
    pub(crate) fn aging_with_changes(&self) -> impl Iterator<Item = (VariableId, u64, u64)> {
        self.ages.iter().filter_map(|age| match age.limit {
            MaxAge::Epochs(limit) => Some((age.variable, limit, self.epoch.saturating_sub(age.epoch))),
            MaxAge::Time(_) => None,
        })
    }

    /// The milestones of the specification, some of them several times.
    pub(crate) fn milestones(&self) -> impl Iterator<Item = Objective> {
        self.start.specification.rules().iter().filter_map(|rule| match rule.head() {
            ir::Head::Objective(objective @ Objective::Milestone(_)) => Some(objective),
            _ => None,
        })
    }

    /// Reads the clock where that matters.
    fn read_clock(&mut self) {
        if self.timed || self.recorder.is_some() {
            let reading = self.clock.now();
            self.time = self.time.max(reading.time);
            if reading.fresh {
                self.reading = Some(self.time);
            }
        }
    }

    /// What the clock shows, in seconds.
    pub(crate) fn read_seconds(&mut self) -> i64 {
        self.clock.now().time.max(self.time).timestamp()
    }

    /// Reads the clock, and lets old values count no longer.
    pub(crate) fn tick(&mut self) {
        self.read_clock();
        if self.ages.is_empty() {
            return;
        }
        // Each counts by itself, so that it makes no difference in how many steps they were noticed.
        let mut expired = 0;
        for age in &self.ages {
            let old = match age.limit {
                MaxAge::Epochs(epochs) => self.epoch.saturating_sub(age.epoch) > epochs,
                MaxAge::Time(limit) => (self.time - age.at).to_std().is_ok_and(|passed| passed > limit),
            };
            if old {
                expired += u64::from(self.evaluator.expire(age.variable));
            }
        }
        self.epoch += expired;
    }

    /// Lays assignments over the store. Whether anything changed.
    pub(crate) fn apply<'a>(
        evaluator: &mut Evaluator,
        history: &History,
        flights: &[Flight],
        assignments: impl Iterator<Item = &'a Assignment> + Clone,
    ) -> Result<bool, Fault> {
        let flying = flights.iter().flat_map(Flight::snapshots);
        evaluator.apply(assignments, history.snapshots().chain(flying)).map_err(|_| {
            Fault::new(Code::MemoryFull, "this session can't remember more different texts")
                .help("raise the limit `texts`, or start a new session")
        })
    }

    /// Commits assignments, counts the change, notes ages, and achieves what follows.
    pub(crate) fn commit(&mut self, assignments: &[Assignment], counts: bool) -> Result<bool, Fault> {
        let changed = Session::apply(&mut self.evaluator, &self.history, &self.flights, assignments.iter())?;
        self.epoch += u64::from(changed || counts);
        if !self.ages.is_empty() {
            for assignment in assignments {
                if let Some(age) = self.ages.iter_mut().find(|age| age.variable == assignment.variable) {
                    (age.epoch, age.at) = (self.epoch, self.time);
                }
            }
        }
        Ok(changed)
    }

    /// Achieves what follows from what is committed; how many objectives that were.
    pub(crate) fn settle(&mut self) -> usize {
        let before = self.history.count();
        let History { fresh, .. } = &mut self.history;
        fresh.clear();
        self.evaluator.settle(|achieved| fresh.push(achieved));
        if !self.history.fresh.is_empty() {
            self.epoch += 1;
            self.history.keep_fresh(&self.evaluator, self.epoch);
        }
        self.history.count() - before
    }

    pub(crate) fn check_vocabulary(&self, identity: u64) -> Result<(), Fault> {
        if identity == self.vocabulary().identity() {
            return Ok(());
        }
        Err(Fault::new(Code::UpdateState, "this was made for another vocabulary")
            .help("build actions and updates from the session's own vocabulary"))
    }

    pub(crate) fn broken_fault(&self) -> Option<Fault> {
        self.broken.then(|| {
            Fault::new(Code::RecordFailed, "the record could not be written, so nothing more is decided")
        })
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("epoch", &self.epoch)
            .field("achieved", &self.achieved())
            .field("done", &self.is_done())
            .finish_non_exhaustive()
    }
}
