//! The arguments of `intentgate run`, `intentgate replay` and `intentgate test`: what is played through the gate.
//!
//! Knows sessions; must never know plans.

use super::{FormatArg, SessionArgs};
use clap::Args;
use std::path::PathBuf;

pub(super) const RUN_HELP: &str = "\
Examples:
  intentgate run --app app.json --spec reserve.intent --today 2026-11-21 trace.jsonl
  intentgate run --app app.json --spec pay.intent --policy limits.intent --param to=Bob trace.jsonl
  my-agent | intentgate run --app app.json --spec reserve.intent --format json -

Exit status: 0 nothing was blocked, 1 something was blocked, 2 the input could not be used.";

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// The trace, JSON lines; `-` is a live session: a line in, a line out
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
}

pub(super) const REPLAY_HELP: &str = "\
Examples:
  intentgate run --app app.json --spec reserve.intent --format json trace.jsonl > record.jsonl
  intentgate replay record.jsonl

Exit status: 0 all came out the same, 1 one did not, 2 the input could not be used.";

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// Records; `-` is standard input
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) records: Vec<PathBuf>,
}

pub(super) const TEST_HELP: &str = "\
Examples:
  intentgate test --app app.json --spec pay.intent pay.tests.jsonl
  intentgate test --app app.json --spec pay.intent --policy limits.intent --format json *.tests.jsonl

A test file:
  {\"case\": \"cheap enough\", \"today\": \"2026-11-21\", \"parameters\": {\"to\": \"Bob\"}}
  {\"observe\": {\"Bill\": {\"total\": 80}}}
  {\"propose\": {\"action\": \"Pay\", \"arguments\": {\"amount\": 80}}, \"expect\": \"allow\"}
  {\"expect\": {\"achieved\": [\"Pay\"], \"open\": [\"Known\"], \"done\": false}}

Exit status: 0 all came as expected, 1 something did not, 2 the input could not be used.";

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// Test files; `-` is standard input
    #[arg(required = true, value_name = "TESTS")]
    pub(crate) files: Vec<PathBuf>,
}
