//! The loop: performs what each phase of the [`machine`](super::machine) stands for.
//!
//! Knows a device, an agent, a session and a model, all behind their own interfaces. Critical actions are judged
//! anew on a fresh screen right before they are performed, and reported as done only when what came of them was
//! seen: what may have happened is unknown to the gate, too.

mod act;
mod back;
mod compare;
mod decide;
mod evidence;
mod look;
mod plan;
mod saved;

pub use saved::SavedRun;

use super::account::{Account, Done, Entry, Outcome};
use super::agent::Agent;
use super::condition::{Condition, Conditions};
use super::device::{Device, Gesture, Observation};
use super::judge::{ByEvidence, Judge};
use super::locate::{Labeller, Locator};
use super::machine::{Budgets, Machine, Phase, Signal};
use super::reply::Documents;
use super::screen::Selector;
use super::screen::outline::Outline;
use super::task::{Status, Task};
use crate::gate::{Permit, Running};
use crate::planner::{Model, PageId, Path, Start, TransitionId};
use crate::session::Session;
use crate::{Action, Update};
use evidence::{Begun, Known, Owed};
use intentgate_engine::diagnostic::Problems;
use intentgate_engine::schema::VariableId;
use intentgate_engine::value::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

/// Finds out whether a critical action was performed, by asking a server, or a person: asked when it was tried, and once
/// more if it can't tell and what covered the screen is gone. Nothing if it can't tell.
pub type Confirm<'a> = Box<dyn FnMut(&Action, &Observation) -> Option<bool> + Send + 'a>;

/// Reads values of the vocabulary off what is shown.
pub type Reader<'a> = Box<dyn FnMut(&Observation) -> serde_json::Map<String, serde_json::Value> + Send + 'a>;

/// Keeps a run right before a critical action is performed, so that whoever goes on after a crash knows that it may have
/// been. If it can't be kept, the action is not performed.
pub type Journal<'a> = Box<dyn FnMut(&SavedRun) -> Result<(), String> + Send + 'a>;

/// How a run goes about its task.
pub struct Options<'a> {
    /// What it may take.
    pub budgets: Budgets,
    /// Whether ways are planned; else the agent is on its own.
    pub plans: bool,
    /// Whether it gets back to verified pages and tries again; else it goes on from wherever it is.
    pub recovers: bool,
    /// How often it is looked at what came of an action before it is called a failure, and at a page that nothing is
    /// known of before it is taken for one: 3.
    pub looks: u32,
    /// What is waited before it is looked at once more, and twice as long before the next time: half a second.
    pub pause: Duration,
    /// How many plans the judge chooses from (Agent-SAMA: 5).
    pub candidates: usize,
    /// Chooses between plans.
    pub judge: Box<dyn Judge + 'a>,
    /// Names screens that were not seen before; without it their titles and activities do.
    pub labeller: Option<Box<dyn Labeller + 'a>>,
    /// Finds out what the screen doesn't tell.
    pub confirm: Option<Confirm<'a>>,
    /// Reads values off what is shown, besides those that the device reports.
    pub reader: Option<Reader<'a>>,
    /// What is known of elements.
    pub documents: Documents,
    /// What helped with tasks like this one.
    pub cues: Vec<String>,
    /// Keeps the run before each critical action.
    pub journal: Option<Journal<'a>>,
    /// The elements that change by themselves, with what stands in them: a clock, a counter, an advertisement. A critical
    /// action is performed only on a screen that says, but for these, what it said when it was decided.
    pub volatile: Vec<Selector>,
    /// Whether the log holds the screens.
    pub log_screens: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            budgets: Budgets::default(),
            plans: true,
            recovers: true,
            looks: 3,
            pause: Duration::from_millis(500),
            candidates: 5,
            judge: Box::new(ByEvidence),
            labeller: None,
            confirm: None,
            reader: None,
            documents: Documents::default(),
            cues: Vec::new(),
            journal: None,
            volatile: Vec::new(),
            log_screens: true,
        }
    }
}

/// What is about to be done, or was done and not compared yet.
struct Pending {
    event: String,
    template: String,
    transition: Option<TransitionId>,
    action: Action,
    gesture: Gesture,
    /// The page from which it is done, and its name.
    from: Option<PageId>,
    from_name: Option<String>,
    /// The page to which a plan expects it to lead.
    planned: Option<PageId>,
    /// The pages to which it may lead; empty for any.
    allowed: Vec<String>,
    /// What the app should report after it, by the model or, without a transition, by the agent; and what the gate knew
    /// of that right before it was performed.
    watched: Vec<VariableId>,
    known: Known,
    /// The values on which a plan counts after it.
    counted_on: Option<Update>,
    /// What has to hold right before it, and after it.
    assume: Option<Condition>,
    expect: Option<Condition>,
    why: String,
    /// Whether the model learns where it leads under its name.
    learns: bool,
    /// What was told of it before it was performed: that it had been after all.
    told: Option<bool>,
    /// What was shown when it was decided.
    before: Observation,
    /// What the situation was when it was performed.
    situation: String,
    permit: Option<Permit>,
    running: Option<Running>,
    /// Whether the plan's next step was followed.
    follows: bool,
    /// Whether it was performed and something else came of it, which the gate has not been told yet.
    in_doubt: bool,
    /// The values that were shown right before it was performed, by path.
    shown: ShownValues,
}

/// Values that were shown, by path.
type ShownValues = BTreeMap<String, serde_json::Value>;

/// What the model's variables are believed to be.
type Values = BTreeMap<VariableId, Option<Value>>;

/// A run.
pub struct Driver<'a> {
    device: &'a mut dyn Device,
    agent: &'a mut dyn Agent,
    session: Session,
    model: Model,
    conditions: Conditions,
    options: Options<'a>,
    machine: Machine,
    locator: Locator,
    task: Task,
    /// The place of the sub-task that is under way.
    part: usize,
    outcome: Outcome,
    shown: Observation,
    page: Option<PageId>,
    values: Values,
    plan: Option<Path>,
    /// How many steps of the plan are done.
    followed: usize,
    pending: Option<Pending>,
    feedback: Vec<String>,
    /// What was tried in which situation, and how often in vain.
    tried: HashMap<(String, String), u32>,
    /// What the gate blocked in which situation, and why.
    barred: HashMap<(String, String), String>,
    /// Why it could not be got back, the last time that it was tried, and why there is no plan.
    stuck: Option<String>,
    no_plan: Option<String>,
    /// Transitions that failed, and how often.
    suspects: HashMap<TransitionId, u32>,
    /// What was reported since the last action.
    reported: BTreeSet<VariableId>,
    /// Critical actions that were performed without what should be seen after them, and what that is.
    owed: BTreeMap<String, Owed>,
    /// Critical actions of which it was told that they had not been performed.
    denied: BTreeSet<String>,
    /// What has begun, until it is known what came of it.
    begun: Option<Begun>,
    /// The values that the last look showed.
    values_shown: ShownValues,
    /// Where actions were known to lead when the run began, by evidence.
    trusted: HashSet<(PageId, String, PageId)>,
    /// Pages that were on the way, for goals that are several pages, and functions that were performed.
    visited: Vec<PageId>,
    performed: usize,
    steps: Vec<Done>,
    log: Vec<Entry>,
    /// Whether anything was done for the sub-task.
    acted: bool,
    /// When it began, by the session's clock; before it was resumed, how long it had taken.
    started: Option<i64>,
    spent_before: i64,
    /// How long it has taken so far, in seconds.
    spent: i64,
}

impl<'a> Driver<'a> {
    /// A run of a task. The session is the gate; the model may be empty but for a page, and grows.
    ///
    /// # Errors
    /// The session's vocabulary can't be joined with the screen.
    pub fn new(
        device: &'a mut dyn Device,
        agent: &'a mut dyn Agent,
        session: Session,
        model: Model,
        task: Task,
        options: Options<'a>,
    ) -> Result<Driver<'a>, Problems> {
        let conditions = Conditions::new(session.vocabulary())?;
        let values = Start::default().valuation(&model);
        let trusted = plan::trusted(&model);
        Ok(Driver {
            device,
            agent,
            session,
            conditions,
            machine: Machine::new(options.budgets),
            options,
            locator: Locator::default(),
            task,
            part: 0,
            outcome: Outcome::UnderWay,
            shown: Observation::default(),
            page: None,
            values,
            model,
            plan: None,
            followed: 0,
            pending: None,
            feedback: Vec::new(),
            tried: HashMap::new(),
            barred: HashMap::new(),
            stuck: None,
            no_plan: None,
            suspects: HashMap::new(),
            reported: BTreeSet::new(),
            owed: BTreeMap::new(),
            denied: BTreeSet::new(),
            begun: None,
            values_shown: ShownValues::new(),
            trusted,
            visited: Vec::new(),
            performed: 0,
            steps: Vec::new(),
            log: Vec::new(),
            acted: false,
            started: None,
            spent_before: 0,
            spent: 0,
        })
    }

    /// With the screens that are known from earlier runs.
    #[must_use]
    pub fn with_locator(mut self, locator: Locator) -> Driver<'a> {
        self.locator = locator;
        self
    }

    /// The phase that comes next.
    pub fn phase(&self) -> Phase {
        self.machine.phase()
    }

    /// The model, with what was seen.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What is known of the screens that were seen.
    pub fn locator(&self) -> &Locator {
        &self.locator
    }

    /// Performs the next phase; the one after it. At the end nothing more happens.
    pub async fn step(&mut self) -> Phase {
        let phase = self.machine.phase();
        if phase == Phase::Finish {
            return phase;
        }
        // What was performed is looked at, however late it is.
        let (signal, text) = match phase != Phase::Compare && self.is_over() {
            true => (Signal::TimeUp, String::new()),
            false => match phase {
                Phase::Observe => self.look(),
                Phase::Locate => self.locate().await,
                Phase::Plan => self.find_way().await,
                Phase::Decide => self.decide().await,
                Phase::Propose => self.propose(),
                Phase::Act => self.act(),
                Phase::Compare => self.compare().await,
                Phase::Recover => self.recover().await,
                Phase::Finish => return phase,
            },
        };
        self.note(phase, signal, text);
        let next = match self.machine.on(signal) {
            Ok(next) => next,
            Err(unexpected) => {
                self.outcome = Outcome::GaveUp { because: unexpected.to_string() };
                Phase::Finish
            }
        };
        if next == Phase::Finish {
            self.end();
        }
        next
    }

    /// Goes on until the end, and says what came of it.
    pub async fn run(&mut self) -> Account {
        while self.machine.phase() != Phase::Finish {
            self.step().await;
        }
        self.account()
    }

    /// What there is to say so far.
    pub fn account(&self) -> Account {
        Account {
            sentence: self.task.sentence.clone(),
            outcome: self.outcome.clone(),
            evidence: self.session.evidence(),
            sub_tasks: self.task.sub_tasks.clone(),
            steps: self.steps.clone(),
            counters: self.machine.counters(),
            log: self.log.clone(),
        }
    }

    /// Ends the run, and gives back the session and the model.
    pub fn into_parts(mut self) -> (Account, Session, Model) {
        // What was begun and not compared stays unknown to the gate.
        self.pending = None;
        (self.account(), self.session, self.model)
    }

    /// Whether the time is over, by the session's own clock.
    fn is_over(&mut self) -> bool {
        self.session.tick();
        let now = self.session.read_seconds();
        let started = *self.started.get_or_insert(now);
        self.spent = self.spent_before.saturating_add(now.saturating_sub(started));
        self.spent > i64::from(self.options.budgets.seconds)
    }

    fn note(&mut self, phase: Phase, signal: Signal, text: String) {
        let looked = matches!(phase, Phase::Observe | Phase::Compare) && self.options.log_screens;
        let screen = self.shown.screen.as_ref().filter(|_| looked);
        let verdict = match signal {
            Signal::Allowed => Some("allow".to_owned()),
            Signal::Advised => Some("advise".to_owned()),
            Signal::Blocked => Some("block".to_owned()),
            _ => None,
        };
        self.log.push(Entry {
            seq: u32::try_from(self.log.len()).unwrap_or(u32::MAX),
            phase,
            signal,
            page: self.page_name().map(str::to_owned),
            text,
            verdict,
            screen: screen.map(|screen| screen.outline(&Outline::default())),
        });
    }

    fn page_name(&self) -> Option<&str> {
        self.page.map(|page| self.model.page_name(page))
    }

    /// How it ended.
    fn end(&mut self) {
        // Nobody looks any more at what came of an ordinary step.
        if let Some(failed) = self.pending.take().filter(|pending| pending.in_doubt)
            && let Err(fault) = saved::forget(&mut self.session, failed.action.name())
        {
            self.outcome = Outcome::GaveUp { because: fault.to_string() };
        }
        if let Some(budget) = self.machine.spent() {
            let last = self.log.last().map(|entry| &entry.text).filter(|text| !text.is_empty());
            let because = self.feedback.last().or(self.no_plan.as_ref()).or(last).cloned();
            self.outcome = Outcome::Spent { budget, because };
        }
        if self.outcome == Outcome::UnderWay {
            let all = |status: Status| self.task.sub_tasks.iter().all(|part| part.status == status);
            let reached = self
                .task
                .sub_tasks
                .iter()
                .all(|part| matches!(part.status, Status::Done | Status::HeldBefore | Status::Claimed));
            self.outcome = match reached {
                true if self.task.sub_tasks.iter().any(|part| part.status == Status::Claimed) => {
                    Outcome::Claimed
                }
                true if all(Status::HeldBefore) => Outcome::HeldBefore,
                true => Outcome::Success,
                false => Outcome::GaveUp { because: "not every part of the task was reached".to_owned() },
            };
        }
    }

    /// What makes a situation what it is: the page, what it shows, what the model's variables are, what is known.
    fn situation(&self) -> String {
        let key = self.shown.screen.as_ref().map(|screen| screen.key().as_str().to_owned());
        let values: Vec<String> = self.values.values().map(|value| format!("{value:?}")).collect();
        let achieved = self.session.achieved().join(",");
        format!("{:?} {:?} {} {achieved} {}", self.page_name(), key, values.join(","), self.session.epoch())
    }
}
