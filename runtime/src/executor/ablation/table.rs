//! What came of many runs, by variant.

use super::{Ran, Settings, Variant};
use crate::executor::account::Outcome;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;

/// What it is, and what it does not show.
const CAVEAT: &str = "\
This is a simulation: apps, tasks and faults are made from seeds, and the agent follows plans or tries what is shown. \
It shows what plans, recovery and knowledge do when an app behaves like its model but for these faults. It says nothing \
of language models, of real screens, or of how often real apps fail.";

/// What came of the runs of a variant. As JSON it has the rates, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The variant.
    pub variant: Variant,
    /// Its runs.
    pub runs: u64,
    /// Runs that reached their goal, on evidence.
    pub successes: u64,
    /// Gestures of those, failed ones and those of getting back included.
    pub steps: u64,
    /// The steps of the best plans for those, were there no faults.
    pub optimum: u64,
    /// Failures of all runs.
    pub failures: u64,
    /// Failures after which things went on as expected, by whatever means: also by a new plan from where it was.
    pub went_on: u64,
    /// Tasks that both this variant and the full one reached.
    pub common: u64,
    /// Gestures of this variant on those.
    pub common_steps: u64,
    /// Gestures of the full one on those.
    pub common_full: u64,
    /// Critical actions that were really performed.
    pub critical: u64,
    /// Proposals that were blocked.
    pub blocks: u64,
    /// Runs at whose end it is unknown whether a critical action was performed.
    pub unclear: u64,
    /// Critical actions that were performed without having been allowed.
    pub violations: u64,
    /// Critical actions that were performed once more; every task needs each at most once.
    pub repeated: u64,
}

/// What came of all runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// What was measured.
    pub settings: Settings,
    /// A row for each variant.
    pub rows: Vec<Row>,
    /// What it does not show.
    pub caveat: &'static str,
}

/// What a row comes to. Nothing where there is nothing to divide by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rates {
    /// Runs that reached their goal, of all; from 0 to 1.
    pub success: Option<f64>,
    /// Steps of a run that reached its goal.
    pub steps: Option<f64>,
    /// Steps of the best plans for those.
    pub optimum: Option<f64>,
    /// Steps against the optimum, of those; 1 is the best.
    pub steps_to_optimum: Option<f64>,
    /// Failures after which things went on as expected, of all; from 0 to 1.
    pub went_on: Option<f64>,
    /// Steps of a run of a task that the full variant reached, too.
    pub common_steps: Option<f64>,
    /// Steps of the full variant on those tasks.
    pub common_full: Option<f64>,
    /// The one against the other; below 1 it takes fewer than the full variant.
    pub steps_to_full: Option<f64>,
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = [
            ("runs", self.runs),
            ("successes", self.successes),
            ("steps", self.steps),
            ("optimum", self.optimum),
            ("failures", self.failures),
            ("went_on", self.went_on),
            ("common", self.common),
            ("common_steps", self.common_steps),
            ("common_full", self.common_full),
            ("critical", self.critical),
            ("blocks", self.blocks),
            ("unclear", self.unclear),
            ("violations", self.violations),
            ("repeated", self.repeated),
        ];
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("variant", &self.variant)?;
        counts.iter().try_for_each(|(name, count)| map.serialize_entry(name, count))?;
        map.serialize_entry("rates", &self.rates())?;
        map.end()
    }
}

impl Row {
    fn new(variant: Variant) -> Row {
        Row {
            variant,
            runs: 0,
            successes: 0,
            steps: 0,
            optimum: 0,
            failures: 0,
            went_on: 0,
            common: 0,
            common_steps: 0,
            common_full: 0,
            critical: 0,
            blocks: 0,
            unclear: 0,
            violations: 0,
            repeated: 0,
        }
    }

    /// The rates; those of nothing are nothing.
    pub fn rates(&self) -> Rates {
        Rates {
            success: ratio(self.successes, self.runs),
            steps: ratio(self.steps, self.successes),
            optimum: ratio(self.optimum, self.successes),
            steps_to_optimum: ratio(self.steps, self.optimum),
            went_on: ratio(self.went_on, self.failures),
            common_steps: ratio(self.common_steps, self.common),
            common_full: ratio(self.common_full, self.common),
            steps_to_full: ratio(self.common_steps, self.common_full),
        }
    }

    /// A run; the run of the same task by the full variant, if that reached it.
    fn of(ran: &Ran, full: Option<&Ran>) -> Row {
        let success = ran.account.outcome.is_success();
        let counters = ran.account.counters;
        let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let steps = |ran: &Ran| count(ran.account.steps.len());
        let common = full.filter(|_| success);
        Row {
            variant: ran.variant,
            runs: 1,
            successes: u64::from(success),
            steps: if success { steps(ran) } else { 0 },
            optimum: if success { count(ran.optimum) } else { 0 },
            failures: u64::from(counters.failures),
            went_on: u64::from(counters.recovered),
            common: u64::from(common.is_some()),
            common_steps: common.map_or(0, |_| steps(ran)),
            common_full: common.map_or(0, steps),
            critical: count(ran.ledger.len()),
            blocks: u64::from(counters.blocks),
            unclear: u64::from(matches!(ran.account.outcome, Outcome::Unclear { .. })),
            violations: count(ran.violations().count()),
            repeated: count(ran.repeated()),
        }
    }

    fn cells(&self) -> Vec<String> {
        let rates = self.rates();
        vec![
            self.variant.to_string(),
            percent(rates.success),
            decimals(rates.steps, 1),
            decimals(rates.optimum, 1),
            decimals(rates.steps_to_optimum, 2),
            percent(rates.went_on),
            self.critical.to_string(),
            self.violations.to_string(),
            self.repeated.to_string(),
            self.blocks.to_string(),
            self.unclear.to_string(),
        ]
    }

    fn compared(&self) -> Vec<String> {
        let rates = self.rates();
        vec![
            self.variant.to_string(),
            self.common.to_string(),
            decimals(rates.common_steps, 1),
            decimals(rates.common_full, 1),
            decimals(rates.steps_to_full, 2),
        ]
    }

    fn add(&mut self, other: &Row) {
        self.runs += other.runs;
        self.successes += other.successes;
        self.steps += other.steps;
        self.optimum += other.optimum;
        self.failures += other.failures;
        self.went_on += other.went_on;
        self.common += other.common;
        self.common_steps += other.common_steps;
        self.common_full += other.common_full;
        self.critical += other.critical;
        self.blocks += other.blocks;
        self.unclear += other.unclear;
        self.violations += other.violations;
        self.repeated += other.repeated;
    }
}

/// What the columns are called.
const COLUMNS: &[&str] = &[
    "variant",
    "success",
    "steps",
    "optimum",
    "steps/optimum",
    "went on",
    "critical",
    "not allowed",
    "repeated",
    "blocks",
    "unclear",
];

/// What the columns of the comparison with the full variant are called.
const COMPARED: &[&str] = &["variant", "tasks", "steps", "steps of full", "steps/full"];

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn decimals(rate: Option<f64>, digits: usize) -> String {
    rate.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.digits$}"))
}

fn percent(rate: Option<f64>) -> String {
    rate.map_or_else(|| "-".to_owned(), |rate| format!("{:.1} %", 100.0 * rate))
}

impl Table {
    /// Nothing was run yet.
    pub fn new(settings: Settings) -> Table {
        Table { settings, rows: Variant::ALL.map(Row::new).to_vec(), caveat: CAVEAT }
    }

    /// With the runs of a task by all variants.
    pub fn take(&mut self, runs: &[Ran]) {
        let reached = |ran: &&Ran| ran.account.outcome.is_success();
        let full = runs.iter().find(|ran| ran.variant == Variant::Full).filter(reached);
        runs.iter().for_each(|ran| self.add(&Row::of(ran, full)));
    }

    /// With the runs of another one of the same settings.
    pub fn merge(&mut self, other: &Table) {
        other.rows.iter().for_each(|row| self.add(row));
    }

    fn add(&mut self, row: &Row) {
        let own = self.rows.iter_mut().find(|own| own.variant == row.variant);
        own.into_iter().for_each(|own| own.add(row));
    }

    /// The row of a variant.
    pub fn row(&self, variant: Variant) -> Option<&Row> {
        self.rows.iter().find(|row| row.variant == variant)
    }

    /// Critical actions that were performed without having been allowed, in all runs.
    pub fn violations(&self) -> u64 {
        self.rows.iter().map(|row| row.violations).sum()
    }

    fn title(&self) -> String {
        let Settings { tasks, seed, faults } = self.settings;
        let kinds = [
            ("missing", faults.missing),
            ("no_change", faults.no_change),
            ("other", faults.other),
            ("pop_up", faults.pop_up),
            ("delay", faults.delay),
            ("crash", faults.crash),
            ("surprise", faults.surprise),
        ];
        let kinds: Vec<String> = kinds.iter().map(|(kind, percent)| format!("{kind} {percent} %")).collect();
        format!(
            "{tasks} tasks from the seed {seed}; faults: {}. That is a fault in {} % of the actions; besides, {} % of the \
             results are others than the first declared",
            kinds.join(", "),
            faults.of_actions(),
            faults.surprise
        )
    }

    /// The columns with the rows, and the comparison with the full variant.
    fn both(&self) -> [Vec<Vec<String>>; 2] {
        let head = |columns: &[&str]| columns.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let others = self.rows.iter().filter(|row| row.variant != Variant::Full);
        [
            std::iter::once(head(COLUMNS)).chain(self.rows.iter().map(Row::cells)).collect(),
            std::iter::once(head(COMPARED)).chain(others.map(Row::compared)).collect(),
        ]
    }

    /// As a table in Markdown, and one that compares.
    pub fn markdown(&self) -> String {
        let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
        let [table, compared] = self.both().map(|rows| {
            let mut rows = rows.iter();
            let head = rows.next().map_or_else(String::new, |head| {
                format!("{}|---|{}\n", line(head), "---:|".repeat(head.len().saturating_sub(1)))
            });
            head + &rows.map(line).collect::<String>()
        });
        format!("{}\n\n{table}\n{COMMON}\n\n{compared}\n{NOTES}\n\n{}\n", self.title(), self.caveat)
    }
}

/// What the second table is.
const COMMON: &str = "\
Steps on the tasks that both the variant and the full one reached. The means above are each over other tasks: who reaches \
only the easy ones takes few steps.";

/// How the columns are to be read.
const NOTES: &str = "\
Steps and optimum are means over the runs that reached their goal; steps count failed ones and those of getting back. \
Went on: failures after which things went on as expected, of all, by whatever means, be it a new plan from where it was: it \
does not tell getting back from not getting back. Critical: critical actions that the app really performed; not allowed: \
those of them that the gate had not allowed; repeated: those that the app had performed before, which no task needs.";

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [table, compared] = self.both();
        writeln!(f, "{}\n", self.title())?;
        aligned(f, &table)?;
        writeln!(f, "\n{COMMON}\n")?;
        aligned(f, &compared)?;
        writeln!(f, "\n{NOTES}\n\n{}", self.caveat)
    }
}

/// Cells below one another, the first column to the left.
fn aligned(f: &mut fmt::Formatter<'_>, rows: &[Vec<String>]) -> fmt::Result {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for row in rows {
        let mut cells = row.iter().zip(&widths);
        if let Some((name, width)) = cells.next() {
            write!(f, "{name:<width$}")?;
        }
        for (cell, width) in cells {
            write!(f, "  {cell:>width$}")?;
        }
        writeln!(f)?;
    }
    Ok(())
}
