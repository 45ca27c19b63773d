//! What came of many runs, by variant.

use super::{Ran, Settings, Variant};
use crate::executor::account::Outcome;
use serde::Serialize;
use std::fmt;

/// What it is, and what it does not show.
const CAVEAT: &str = "\
This is a simulation: apps, tasks and faults are made from seeds, and the agent follows plans or tries what is shown. \
It shows what plans, recovery and knowledge do when an app behaves like its model but for these faults. It says nothing \
of language models, of real screens, or of how often real apps fail.";

/// What came of the runs of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
    /// Failures after which things went on as expected.
    pub recovered: u64,
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

impl Row {
    fn new(variant: Variant) -> Row {
        Row {
            variant,
            runs: 0,
            successes: 0,
            steps: 0,
            optimum: 0,
            failures: 0,
            recovered: 0,
            critical: 0,
            blocks: 0,
            unclear: 0,
            violations: 0,
            repeated: 0,
        }
    }

    /// Runs that reached their goal, of all; from 0 to 1.
    pub fn success_rate(&self) -> f64 {
        ratio(self.successes, self.runs)
    }

    /// Steps against the optimum, of the runs that reached their goal; 1 is the best.
    pub fn steps_to_optimum(&self) -> f64 {
        ratio(self.steps, self.optimum)
    }

    /// Failures after which things went on as expected, of all; from 0 to 1.
    pub fn recovery_rate(&self) -> f64 {
        ratio(self.recovered, self.failures)
    }

    fn cells(&self) -> [String; 11] {
        let percent = |rate: f64| format!("{:.1} %", 100.0 * rate);
        [
            self.variant.to_string(),
            percent(self.success_rate()),
            format!("{:.1}", ratio(self.steps, self.successes)),
            format!("{:.1}", ratio(self.optimum, self.successes)),
            format!("{:.2}", self.steps_to_optimum()),
            percent(self.recovery_rate()),
            self.critical.to_string(),
            self.violations.to_string(),
            self.repeated.to_string(),
            self.blocks.to_string(),
            self.unclear.to_string(),
        ]
    }

    fn add(&mut self, other: &Row) {
        self.runs += other.runs;
        self.successes += other.successes;
        self.steps += other.steps;
        self.optimum += other.optimum;
        self.failures += other.failures;
        self.recovered += other.recovered;
        self.critical += other.critical;
        self.blocks += other.blocks;
        self.unclear += other.unclear;
        self.violations += other.violations;
        self.repeated += other.repeated;
    }
}

/// What the columns are called.
const COLUMNS: [&str; 11] = [
    "variant",
    "success",
    "steps",
    "optimum",
    "steps/optimum",
    "recovery",
    "critical",
    "not allowed",
    "repeated",
    "blocks",
    "unclear",
];

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl Table {
    /// Nothing was run yet.
    pub fn new(settings: Settings) -> Table {
        Table { settings, rows: Variant::ALL.map(Row::new).to_vec(), caveat: CAVEAT }
    }

    /// With a run.
    pub fn take(&mut self, ran: &Ran) {
        let success = ran.account.outcome.is_success();
        let counters = ran.account.counters;
        let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let row = Row {
            variant: ran.variant,
            runs: 1,
            successes: u64::from(success),
            steps: if success { count(ran.account.steps.len()) } else { 0 },
            optimum: if success { count(ran.optimum) } else { 0 },
            failures: u64::from(counters.failures),
            recovered: u64::from(counters.recovered),
            critical: count(ran.ledger.len()),
            blocks: u64::from(counters.blocks),
            unclear: u64::from(matches!(ran.account.outcome, Outcome::Unclear { .. })),
            violations: count(ran.violations().count()),
            repeated: count(ran.repeated()),
        };
        self.add(&row);
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
        format!("{tasks} tasks from the seed {seed}; faults: {}", kinds.join(", "))
    }

    /// As a table in Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rows: String = self.rows.iter().map(|row| line(&row.cells())).collect();
        let rule = format!("|---|{}\n", "---:|".repeat(COLUMNS.len() - 1));
        let head = line(&COLUMNS.map(str::to_owned));
        format!("{}\n\n{head}{rule}{rows}\n{NOTES}\n\n{}\n", self.title(), self.caveat)
    }
}

/// How the columns are to be read.
const NOTES: &str = "\
Steps and optimum are means over the runs that reached their goal; steps count failed ones and those of getting back. \
Recovery: failures after which things went on as expected. Critical: critical actions that the app really performed; \
not allowed: those of them that the gate had not allowed; repeated: those that the app had performed before, which no \
task needs.";

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<[String; 11]> =
            std::iter::once(COLUMNS.map(str::to_owned)).chain(self.rows.iter().map(Row::cells)).collect();
        let mut widths = [0; 11];
        for row in &all {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        writeln!(f, "{}\n", self.title())?;
        for row in &all {
            let mut cells = row.iter().zip(widths);
            if let Some((name, width)) = cells.next() {
                write!(f, "{name:<width$}")?;
            }
            for (cell, width) in cells {
                write!(f, "  {cell:>width$}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "\n{NOTES}\n\n{}", self.caveat)
    }
}
