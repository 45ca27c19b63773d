//! Runs that are saved between two steps, and resumed.
//!
//! What was about to be done is not kept: a resumed run looks at the device first. What had begun and was not
//! compared stays as the session keeps it: of a critical action the host has to find out.

use super::{Driver, Options};
use crate::executor::account::{Done, Entry, Outcome};
use crate::executor::agent::Agent;
use crate::executor::device::Device;
use crate::executor::locate::Locator;
use crate::executor::machine::Machine;
use crate::executor::task::{Status, Task};
use crate::planner::Model;
use crate::session::{Saved, Session};
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::{Source, Span};
use serde::{Deserialize, Serialize};

/// The version of the form.
const VERSION: u32 = 1;

/// A run, as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedRun {
    version: u32,
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
    acted: bool,
    outcome: Outcome,
    feedback: Vec<String>,
    steps: Vec<Done>,
    log: Vec<Entry>,
}

impl<'a> Driver<'a> {
    /// The run as it is now.
    pub fn save(&self) -> SavedRun {
        SavedRun {
            version: VERSION,
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

    /// Goes on with a run that was saved: with its session, restored, and the same task.
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
        if saved.parts.len() != task.sub_tasks.len() {
            return Err(refuse("the saved run is one of another task"));
        }
        let model = Source::new("saved run", saved.model.to_string());
        let model = Model::from_json(&model, &Limits::default())?;
        // What was not compared: of ordinary steps nothing is kept, and they may be done again.
        let ordinary: Vec<String> = session
            .unsettled()
            .filter(|name| session.vocabulary().find_action(name).is_none())
            .map(str::to_owned)
            .collect();
        for name in ordinary {
            session.resolve(&name, false).map_err(|fault| refuse(&fault.to_string()))?;
        }
        let mut driver = Driver::new(device, agent, session, model, task, options)?;
        for (part, status) in driver.task.sub_tasks.iter_mut().zip(&saved.parts) {
            part.status = *status;
        }
        driver.machine = saved.machine.resumed();
        driver.locator = saved.locator;
        driver.visited = saved.visited.iter().filter_map(|page| driver.model.find_page(page)).collect();
        (driver.part, driver.performed, driver.acted) = (saved.part, saved.performed, saved.acted);
        (driver.outcome, driver.feedback) = (saved.outcome, saved.feedback);
        (driver.steps, driver.log) = (saved.steps, saved.log);
        Ok(driver)
    }
}
