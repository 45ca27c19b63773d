//! The arguments of the commands on simulated apps: `exec`, `ablation`, `explore`.
//!
//! Knows seeds and faults; must never know of a real device.

use super::models::ModelArgs;
use super::{FormatArg, SessionArgs};
use clap::{Args, ValueEnum};
use intentgate::executor::machine::Budgets;
use std::path::PathBuf;

pub(super) const EXEC_HELP: &str = "\
The app is simulated from its model. What it really performed is known, and confirms critical actions.
It ends after 100 actions (--steps), with more than 20 failures (--failures), more than 10 blocked proposals, 5 decisions
in a row that led to no action, or 5 observations in a row that failed; the account says which. Where no way to the goal is
known, what `intentgate plan` says from there stands under the account.

Examples:
  intentgate exec --app app.json --spec reserve.intent --model model.json
  intentgate exec --app app.json --spec reserve.intent --model model.json --faults each=10 --seed 7 --html run.html
  intentgate exec --app app.json --spec guard.intent --model model.json --to Settings --faults missing=20,crash=5

Exit status: 0 the goal is reached, on evidence, 1 it is not, 2 the input could not be used.";

/// A text that says something.
fn something(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("it says nothing".to_owned()) } else { Ok(text.to_owned()) }
}

#[derive(Debug, Args)]
pub(crate) struct ExecArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// The model of the app, a JSON file: the simulated app is one, and plans are made on it
    #[arg(long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// A page to get to, instead of the end of the specification; of several the cheapest
    #[arg(long, value_name = "PAGE")]
    pub(crate) to: Vec<String>,
    /// A primary function to perform, instead of the end of the specification; several in their order, and all of them
    /// after `--to`, wherever that stands
    #[arg(long = "function", value_name = "CALL")]
    pub(crate) functions: Vec<String>,
    /// The task in words, for the account; without this, the name of the specification's file
    #[arg(long, value_name = "TEXT", value_parser = something)]
    pub(crate) sentence: Option<String>,
    /// What happens by chance: the same seed gives the same run
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Faults of the app, in percent of the actions: `missing=5,no_change=5`, or `each=8`, which is six kinds, so that
    /// 48 percent of the actions have one, and 8 percent of the results are others than the first declared
    #[arg(long, value_name = "KIND=PERCENT")]
    pub(crate) faults: Option<String>,
    /// Without plans: the agent takes the known way that it took least
    #[arg(long)]
    pub(crate) no_plan: bool,
    /// Without getting back and trying again
    #[arg(long)]
    pub(crate) no_recovery: bool,
    /// How many plans the judge chooses from
    #[arg(long, value_name = "NUMBER", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) candidates: u32,
    /// Actions at most, those of getting back included
    #[arg(long, value_name = "NUMBER", default_value_t = Budgets::default().steps, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) steps: u32,
    /// Failures at most: with one more it gives up
    #[arg(long, value_name = "NUMBER", default_value_t = Budgets::default().failures)]
    pub(crate) failures: u32,
    /// Where the session's record goes, for `intentgate replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Where a report of the run goes: one HTML file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

pub(super) const ABLATION_HELP: &str = "\
Examples:
  intentgate ablation
  intentgate ablation --tasks 200 --seed 7 --faults each=10 --format markdown

The same seed gives the same figures. 1,000 tasks, each by five variants, take a little more than two minutes of one
processor in an optimised build; all processors share them.

Exit status: 0 it was measured, 1 a critical action was performed that the gate had not allowed, 2 the input could
not be used.";

/// How a table is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For documents
    Markdown,
}

#[derive(Debug, Args)]
pub(crate) struct AblationArgs {
    /// How many tasks each variant is given
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) tasks: u32,
    /// From which apps, tasks and faults are made
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Faults of the apps, in percent of the actions; `each=8` is six kinds, so that 48 percent of the actions have
    /// one, and 8 percent of the results are others than the first declared
    #[arg(long, value_name = "KIND=PERCENT", default_value = "each=8")]
    pub(crate) faults: String,
    /// For people, for programs, or for documents
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: TableFormat,
}

pub(super) const EXPLORE_HELP: &str = "\
Examples:
  intentgate explore --model model.json --app app.json --goal 'find a free table' --ordinary 'tap \"Book a table\"'
  intentgate explore --model model.json --app app.json --goal 'see the settings' --knowledge known.json -o grown.json

The model is the app that is simulated; the exploration starts with its first page and with what the knowledge holds.
Critical actions, and what may be one by its words, are left alone and named: `Book a table` has the word `book`.
A step that the vocabulary declares, or that --ordinary names, is an ordinary one. Without --app every action that
the model names is taken for a critical one.

Exit status: 0 it was explored, 2 the input could not be used.";

#[derive(Debug, Args)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The vocabulary, which says what is critical; without it every action that the model names is
    #[arg(long, value_name = "FILE")]
    pub(crate) app: Option<PathBuf>,
    /// What the exploration is for, in a sentence
    #[arg(long, value_name = "SENTENCE", value_parser = something)]
    pub(crate) goal: String,
    /// An event of the model that is an ordinary step whatever its words say; may be repeated
    #[arg(long, value_name = "EVENT")]
    pub(crate) ordinary: Vec<String>,
    /// Gestures at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) steps: u32,
    /// What happens by chance: the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Faults of the app, in percent of the gestures: `each=10`, `missing=5,no_change=5`
    #[arg(long, value_name = "KIND=PERCENT")]
    pub(crate) faults: Option<String>,
    /// Knowledge to start with, and to write what was learnt to
    #[arg(long, value_name = "FILE")]
    pub(crate) knowledge: Option<PathBuf>,
    /// Where the grown model goes
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}
