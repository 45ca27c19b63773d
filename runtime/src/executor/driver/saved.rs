//! Runs that are saved between two steps, and resumed.
//!
//! What was about to be done is not kept: a resumed run looks at the device first. What had begun and was not
//! compared stays as the session keeps it: of a critical action the host has to find out.

use super::evidence::{Begun, Known, Owed};
use super::{Driver, Options, ShownValues, look};
use crate::Update;
use crate::executor::account::{Done, Entry, Outcome};
use crate::executor::agent::Agent;
use crate::executor::device::Device;
use crate::executor::locate::Locator;
use crate::executor::machine::Machine;
use crate::executor::task::{Status, Task};
use crate::planner::{Model, PageId, TransitionId};
use crate::session::{Saved, Session};
use intentgate_engine::diagnostic::{Code, Diagnostic, Fault, Problems};
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{VariableId, Vocabulary};
use intentgate_engine::span::{Source, Span};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the form.
const VERSION: u32 = 1;

/// A run, as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedRun {
    version: u32,
    /// The user's words and those of the parts: what the run is for.
    sentences: Vec<String>,
    machine: Machine,
    /// The session: restored with [`SessionBuilder::restore`](crate::SessionBuilder::restore).
    pub session: Saved,
    /// The model in our JSON form.
    model: serde_json::Value,
    locator: Locator,
    parts: Vec<Status>,
    part: usize,
    performed: usize,
    visited: Vec<String>,
    /// The model's variables, by name.
    values: serde_json::Map<String, serde_json::Value>,
    /// What was tried in vain in which situation, and what was blocked in which.
    tried: Vec<(String, String, u32)>,
    barred: Vec<(String, String, String)>,
    /// Transitions that failed, by their places.
    suspects: BTreeMap<usize, u32>,
    /// Critical actions of which nothing was seen, and the paths of what should have been.
    owed: BTreeMap<String, SavedOwed>,
    /// Critical actions of which it was told that they had not been performed.
    denied: BTreeSet<String>,
    /// What had begun, and nobody knew yet what came of it.
    begun: Option<SavedBegun>,
    /// Where actions were known to lead when the run began.
    trusted: BTreeSet<(String, String, String)>,
    /// How long it took so far.
    seconds: i64,
    acted: bool,
    outcome: Outcome,
    feedback: Vec<String>,
    steps: Vec<Done>,
    log: Vec<Entry>,
}

/// As [`Owed`], variables by their paths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedOwed {
    known: BTreeMap<String, serde_json::Value>,
    shown: ShownValues,
}

/// As [`Begun`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedBegun {
    step: Done,
    owed: SavedOwed,
    counts: bool,
}

impl<'a> Driver<'a> {
    /// The run as it is now.
    pub fn save(&self) -> SavedRun {
        let (model, session) = (self.model.vocabulary(), self.session.vocabulary());
        let tried =
            self.tried.iter().map(|((situation, event), count)| (situation.clone(), event.clone(), *count));
        let barred = self
            .barred
            .iter()
            .map(|((situation, action), why)| (situation.clone(), action.clone(), why.clone()));
        let (mut tried, mut barred): (Vec<_>, Vec<_>) = (tried.collect(), barred.collect());
        tried.sort();
        barred.sort();
        SavedRun {
            version: VERSION,
            sentences: sentences(&self.task),
            values: self
                .values
                .iter()
                .map(|(id, value)| (model.path(*id).to_owned(), serde_json::json!(value)))
                .collect(),
            tried,
            barred,
            suspects: self.suspects.iter().map(|(id, count)| (id.index(), *count)).collect(),
            owed: self
                .owed
                .iter()
                .map(|(action, owed)| (action.clone(), saved_owed(owed, session)))
                .collect(),
            denied: self.denied.clone(),
            begun: self.begun.as_ref().map(|begun| SavedBegun {
                step: begun.step.clone(),
                owed: saved_owed(&begun.owed, session),
                counts: begun.counts,
            }),
            trusted: self
                .trusted
                .iter()
                .map(|(from, event, to)| {
                    let name = |page: &PageId| self.model.page_name(*page).to_owned();
                    (name(from), event.clone(), name(to))
                })
                .collect(),
            seconds: self.spent,
            machine: self.machine.clone(),
            session: self.session.save(),
            model: serde_json::json!(self.model.declaration()),
            locator: self.locator.clone(),
            parts: self.task.sub_tasks.iter().map(|part| part.status).collect(),
            part: self.part,
            performed: self.performed,
            visited: self.visited.iter().map(|page| self.model.page_name(*page).to_owned()).collect(),
            acted: self.acted,
            outcome: self.outcome.clone(),
            feedback: self.feedback.clone(),
            steps: self.steps.clone(),
            log: self.log.clone(),
        }
    }

    /// Goes on with a run that was saved: with its session, restored, and the same task. What it may take is what the
    /// options say now; what it has taken counts.
    ///
    /// # Errors
    /// A version that is not known, a model that can't be read, another task.
    pub fn resume(
        device: &'a mut dyn Device,
        agent: &'a mut dyn Agent,
        mut session: Session,
        saved: SavedRun,
        task: Task,
        options: Options<'a>,
    ) -> Result<Driver<'a>, Problems> {
        let refuse = |message: &str| {
            let mut problems = Problems::new(Source::new("saved run", ""));
            problems.push(Diagnostic::new(Code::NoPlan, Span::default(), message));
            problems
        };
        if saved.version != VERSION {
            return Err(refuse("the saved run is of a version that is not known"));
        }
        if saved.sentences != sentences(&task) || saved.parts.len() != task.sub_tasks.len() {
            return Err(refuse("the saved run is one of another task"));
        }
        let model = Source::new("saved run", saved.model.to_string());
        let model = Model::from_json(&model, &Limits::default())?;
        // What was not compared: ordinary steps may be done again.
        forget_ordinary(&mut session).map_err(|fault| refuse(&fault.to_string()))?;
        let budgets = options.budgets;
        let mut driver = Driver::new(device, agent, session, model, task, options)?;
        for (part, status) in driver.task.sub_tasks.iter_mut().zip(&saved.parts) {
            part.status = *status;
        }
        driver.machine = saved.machine.resumed();
        driver.machine.budgets = budgets;
        driver.locator = saved.locator;
        driver.visited = saved.visited.iter().filter_map(|page| driver.model.find_page(page)).collect();
        for (path, value) in &saved.values {
            let vocabulary = driver.model.vocabulary();
            if let Some(id) = vocabulary.find_path(path) {
                let kind = vocabulary.variable(id).variable_type();
                let value = look::typed(value, path, kind).map_err(|fault| refuse(&fault.to_string()))?;
                driver.values.insert(id, value);
            }
        }
        driver.tried =
            saved.tried.into_iter().map(|(situation, event, count)| ((situation, event), count)).collect();
        driver.barred =
            saved.barred.into_iter().map(|(situation, action, why)| ((situation, action), why)).collect();
        let transitions: Vec<TransitionId> = driver.model.transitions().map(|(id, _)| id).collect();
        let suspects = saved.suspects.into_iter();
        driver.suspects =
            suspects.filter_map(|(place, count)| Some((*transitions.get(place)?, count))).collect();
        for (action, owed) in saved.owed {
            let owed = read_owed(owed, driver.session.vocabulary());
            driver.owed.insert(action, owed);
        }
        driver.denied = saved.denied;
        let known = |(from, event, to): (String, String, String)| {
            Some((driver.model.find_page(&from)?, event, driver.model.find_page(&to)?))
        };
        driver.trusted = saved.trusted.into_iter().filter_map(known).collect();
        driver.spent_before = saved.seconds;
        (driver.part, driver.performed, driver.acted) = (saved.part, saved.performed, saved.acted);
        (driver.outcome, driver.feedback) = (saved.outcome, saved.feedback);
        (driver.steps, driver.log) = (saved.steps, saved.log);
        if let Some(SavedBegun { step, owed, counts }) = saved.begun {
            let owed = read_owed(owed, driver.session.vocabulary());
            driver.resume_begun(Begun { step, owed, counts });
        }
        Ok(driver)
    }
}

/// An ordinary step of which nobody knows what came of it may be done again; what it may have changed is unknown.
pub(super) fn forget(session: &mut Session, action: &str) -> Result<(), Fault> {
    let changed: Vec<VariableId> = session.in_doubt(action).collect();
    session.resolve(action, false)?;
    make_unknown(session, changed)
}

/// As [`forget`], of every ordinary step that is not settled.
pub(super) fn forget_ordinary(session: &mut Session) -> Result<(), Fault> {
    let ordinary = |name: &&str| session.vocabulary().find_action(name).is_none();
    let names: Vec<String> = session.unsettled().filter(ordinary).map(str::to_owned).collect();
    names.iter().try_for_each(|name| forget(session, name))
}

/// What these variables were is known no longer.
pub(super) fn make_unknown(session: &mut Session, variables: Vec<VariableId>) -> Result<(), Fault> {
    let unknown = |variable| Assignment { variable, value: None, source: ValueSource::App };
    let update = Update::from_assignments(session.vocabulary(), variables.into_iter().map(unknown).collect());
    session.observe(&update).map(drop)
}

fn saved_owed(owed: &Owed, vocabulary: &Vocabulary) -> SavedOwed {
    let known = owed.known.iter().map(|(id, value)| (vocabulary.path(*id), serde_json::json!(value)));
    SavedOwed { known: known.collect(), shown: owed.shown.clone() }
}

/// What can't be found can't be seen either.
fn read_owed(owed: SavedOwed, vocabulary: &Vocabulary) -> Owed {
    let read = |(path, value): (&String, &serde_json::Value)| {
        let id = vocabulary.find_path(path)?;
        let value = look::typed(value, path, vocabulary.variable(id).variable_type()).ok()?;
        Some((id, value))
    };
    let known: Option<Known> = owed.known.iter().map(read).collect();
    Owed { known: known.unwrap_or_default(), shown: owed.shown }
}

/// What a task is, in words.
fn sentences(task: &Task) -> Vec<String> {
    let parts = task.sub_tasks.iter().map(|part| part.sentence.clone());
    [task.sentence.clone()].into_iter().chain(parts).collect()
}
