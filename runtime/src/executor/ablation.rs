//! What plans, recovery and knowledge do for runs: the same tasks with and without them, on simulated apps with
//! faults (Agent-SAMA, ablation).
//!
//! Apps, tasks and faults are made from seeds: the same settings give the same figures. It is a simulation, and
//! says so. Of every run the record of its session and the ledger of its app are kept, so that whoever wants to
//! can judge anew whether what was really performed had been allowed.

mod agent;
mod apps;
mod table;

pub use agent::FollowOrTry;
pub use apps::{Generated, task};
pub use table::{Rates, Row, Table};

use super::account::Account;
use super::device::simulated::{Fact, Faults, SimulatedApp};
use super::driver::{Driver, Options};
use super::task::{Aim, Task};
use crate::planner::Model;
use crate::session::record::Line;
use crate::testing::Lines;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// What a run has, and what it goes without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// The whole model, plans and recovery.
    Full,
    /// Without plans: what is known here and was tried least.
    WithoutPlan,
    /// Without getting back and trying again: it plans anew from wherever it is.
    WithoutRecovery,
    /// Half of the ways between pages are not in the model.
    HalfKnown,
    /// The same, after an earlier run of it with other faults, with what that learnt.
    Learnt,
}

impl Variant {
    /// All of them, in the order of the table.
    pub const ALL: [Variant; 5] =
        [Variant::Full, Variant::WithoutPlan, Variant::WithoutRecovery, Variant::HalfKnown, Variant::Learnt];
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Variant::Full => "full",
            Variant::WithoutPlan => "without plan",
            Variant::WithoutRecovery => "without recovery",
            Variant::HalfKnown => "half of the ways known",
            Variant::Learnt => "the same, one run later",
        })
    }
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// How many tasks each variant is given.
    pub tasks: u32,
    /// From which apps, tasks and faults are made.
    pub seed: u64,
    /// How often which fault happens.
    pub faults: Faults,
}

/// A run, and everything that is needed to judge it anew.
#[derive(Debug)]
pub struct Ran {
    /// What it had.
    pub variant: Variant,
    /// What it says of itself.
    pub account: Account,
    /// The critical actions that were really performed.
    pub ledger: Vec<Fact>,
    /// The record of its session.
    pub record: Vec<Line>,
    /// The model at its end.
    pub model: Model,
    /// The steps of the plan on the whole model, were there no faults.
    pub optimum: usize,
}

impl Ran {
    /// Critical actions that were really performed without having been allowed: the gesture of a fact is the one
    /// that was begun as that number, and has to be that action. There should be none.
    pub fn violations(&self) -> impl Iterator<Item = &Fact> {
        let begun: Vec<&Line> = self.begun().collect();
        self.ledger.iter().filter(move |fact| {
            let line = fact.attempt.checked_sub(1).and_then(|place| begun.get(place));
            line.is_none_or(|line| line.action.as_deref() != Some(fact.action.as_str()))
        })
    }

    /// How many critical actions were really performed that had been performed before: no task needs one twice.
    pub fn repeated(&self) -> usize {
        let before =
            |place: usize, action: &str| self.ledger.iter().take(place).any(|fact| fact.action == action);
        self.ledger.iter().enumerate().filter(|(place, fact)| before(*place, &fact.action)).count()
    }

    /// The lines of the record by which something was begun, one for each gesture.
    pub fn begun(&self) -> impl Iterator<Item = &Line> {
        self.record.iter().filter(|line| line.event == "begin" && line.codes.is_empty())
    }
}

/// Why there is nothing to measure: a mistake of this module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it can't be measured: {0}")]
pub struct Unmade(pub String);

impl Settings {
    /// The seed of a task, by its number.
    pub fn seed_of(&self, number: u32) -> u64 {
        // Neighbouring seeds give other tasks, not the same ones later.
        let mut dice = super::device::simulated::Dice(self.seed ^ (u64::from(number) << 32));
        dice.below(usize::MAX) as u64
    }

    /// Runs every variant on a task.
    ///
    /// # Errors
    /// The task can't be made.
    pub async fn runs(&self, number: u32) -> Result<Vec<Ran>, Unmade> {
        let seed = self.seed_of(number);
        let generated = task(seed)?;
        let mut runs = Vec::with_capacity(Variant::ALL.len());
        for variant in Variant::ALL {
            runs.push(generated.run(variant, self.faults, seed).await?);
        }
        Ok(runs)
    }

    /// Runs every variant on the tasks of these numbers. Takes some tens of milliseconds for each.
    ///
    /// # Errors
    /// A task can't be made.
    pub async fn measure(&self, numbers: impl IntoIterator<Item = u32>) -> Result<Table, Unmade> {
        let mut table = Table::new(*self);
        for number in numbers {
            table.take(&self.runs(number).await?);
        }
        Ok(table)
    }
}

impl Generated {
    /// A run of the task. Variants with the same seed meet the same app, and the same dice for its faults.
    ///
    /// # Errors
    /// The session can't start.
    pub async fn run(&self, variant: Variant, faults: Faults, seed: u64) -> Result<Ran, Unmade> {
        let known = match variant {
            Variant::Full | Variant::WithoutPlan | Variant::WithoutRecovery => self.model.clone(),
            Variant::HalfKnown => self.half(),
            Variant::Learnt => self.attempt(variant, self.half(), faults, !seed).await?.model,
        };
        self.attempt(variant, known, faults, seed).await
    }

    async fn attempt(
        &self,
        variant: Variant,
        known: Model,
        faults: Faults,
        seed: u64,
    ) -> Result<Ran, Unmade> {
        let lines = Lines::default();
        let session = self.session().record(lines.clone()).start();
        let session = session.map_err(|error| Unmade(error.to_string()))?;
        let vocabulary = Arc::clone(session.vocabulary());
        let mut device = SimulatedApp::new(self.model.clone(), vocabulary, seed).faults(faults).screens();
        let options = Options {
            plans: variant != Variant::WithoutPlan,
            recovers: variant != Variant::WithoutRecovery,
            confirm: Some(Box::new(device.confirm())),
            log_screens: false,
            ..Options::default()
        };
        let mut agent = FollowOrTry::default();
        let task = Task::new(self.sentence.clone(), Aim::Complete);
        let driver = Driver::new(&mut device, &mut agent, session, known, task, options);
        let mut driver = driver.map_err(|problems| Unmade(problems.to_string()))?;
        driver.run().await;
        let (account, _, model) = driver.into_parts();
        let (ledger, record) = (device.ledger(), lines.take());
        Ok(Ran { variant, account, ledger, record, model, optimum: self.optimum })
    }
}
