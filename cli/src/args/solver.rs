//! The arguments of `intentgate analyze` and `intentgate gen-tests`.
//!
//! Knows what a question to the solver may cost; must never know whether there is a solver in the build.

use super::{FormatArg, SessionArgs};
use clap::Args;
use std::path::PathBuf;

/// How much a question to the solver may cost.
#[derive(Debug, Args)]
pub(crate) struct SolverArgs {
    /// Steps of the solver for one check, the same on every machine; 1,000,000 without this
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) solver_steps: Option<u32>,
    /// Seconds for one check; 10 without this
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) solver_seconds: Option<u64>,
}

pub(super) const ANALYZE_HELP: &str = "\
Examples:
  intentgate analyze --app app.json reserve.intent
  intentgate analyze --app app.json --policy limits.intent --today 2026-11-21 --format json pay.intent
  intentgate analyze --app app.json --against old.intent new.intent

Exit status: 0 nothing to mend, 1 something is to mend, 2 the input could not be used. With --against:
0 each allows the same or less, 1 one may allow more, 2 the input could not be used.";

#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    /// The vocabulary, a JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) app: PathBuf,
    /// A policy; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Vec<PathBuf>,
    /// Today; without this, any day
    #[arg(long, value_name = "DATE")]
    pub(crate) today: Option<String>,
    /// Compare each specification with this one instead: does it allow less, more, the same?
    #[arg(long, value_name = "SPEC")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// Specifications
    #[arg(required = true, value_name = "SPEC")]
    pub(crate) specs: Vec<PathBuf>,
}

pub(super) const GEN_TESTS_HELP: &str = "\
Examples:
  intentgate gen-tests --app app.json --spec pay.intent --trace pay.tests.jsonl
  intentgate gen-tests --app app.json --spec pay.intent --rust tests/pay.rs
  intentgate gen-tests --app app.json --spec pay.intent --mutants given.jsonl

Without --trace, --rust and --mutants the test file goes to standard output. Without --today the tests are for
2000-01-01: each case says its day.

Exit status: 0 fine, 1 with --mutants a change that could show is not noticed, 2 the input could not be used.";

#[derive(Debug, Args)]
pub(crate) struct GenTestsArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// Write a test file, for `intentgate test`; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Write a Rust test file, which includes the other files by their paths; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) rust: Option<PathBuf>,
    /// Say which small changes of the specification no test would notice
    #[arg(long)]
    pub(crate) mutants: bool,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// Traces and test files that notice changes, too
    #[arg(requires = "mutants", value_name = "TRACE")]
    pub(crate) given: Vec<PathBuf>,
}
