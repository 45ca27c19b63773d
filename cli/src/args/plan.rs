//! The arguments of `intentgate plan`.
//!
//! Knows which goals exclude one another; must never know how a plan is made.

use super::{FormatArg, ModelArgs, SessionArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const HELP: &str = "\
Examples:
  intentgate plan --model model.json --to Settings
  intentgate plan --model model.json --from Gallery --condition 'front = true, flash = off'
  intentgate plan --model model.json --function take_photo --function 'record_video(duration=10, front=true)'
  intentgate plan --model model.json --to Settings --guide
  intentgate plan --model model.json --task 'take a photo, then open the gallery'
  intentgate plan --model model.json --to Settings --external 'fast-downward {domain} {problem} --search \"astar(blind())\"'
  intentgate plan --model model.json --app app.json --spec reserve.intent --trace-out plan.jsonl

With --spec the plan ends where the task is complete, and the gate lets every step pass: --trace-out writes it as a
trace for `intentgate run`. With --trace it goes on behind what that trace plays.

Exit status: 0 there is a plan, or nothing to do, 1 there is none: no path is known, it is forbidden or advised against,
a limit was reached, 2 the input could not be used.";

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// A page to go to; of several the cheapest
    #[arg(long, value_name = "PAGE", required_unless_present_any = ["functions", "condition", "task", "spec"])]
    pub(crate) to: Vec<String>,
    /// Go to all of them, in whatever order is cheapest
    #[arg(long, requires = "to")]
    pub(crate) all: bool,
    /// A primary function to perform, like `record_video(duration=10)`; several in their order
    #[arg(long = "function", value_name = "CALL", conflicts_with_all = ["to", "condition"])]
    pub(crate) functions: Vec<String>,
    /// Constraints on the model's variables that are to hold
    #[arg(long, value_name = "CONSTRAINTS", conflicts_with = "to")]
    pub(crate) condition: Option<String>,
    /// What is to be done, in a sentence, understood by its words: `take a photo, then open the gallery`
    #[arg(long, value_name = "SENTENCE", conflicts_with_all = ["to", "functions", "condition", "guide"])]
    pub(crate) task: Option<String>,
    /// Have the sentence understood by the language model that INTENTGATE_MODEL_URL, INTENTGATE_MODEL and
    /// INTENTGATE_MODEL_KEY name, and what it says checked; needs a build with the feature `openai`
    #[arg(long, requires = "task")]
    pub(crate) by_model: bool,
    #[command(flatten)]
    pub(crate) completion: TaskArgs,
    /// Today; of a sentence the day that its `today` is, of a specification as in `intentgate run`
    #[arg(long, value_name = "DATE")]
    pub(crate) today: Option<String>,
    /// Up to so many plans, the best first
    #[arg(
        long,
        value_name = "NUMBER",
        conflicts_with_all = ["task", "guide"],
        value_parser = clap::value_parser!(u32).range(1..=1_000)
    )]
    pub(crate) alternatives: Option<u32>,
    /// The most states that are looked at, 10,000,000 without this; with --spec, of questions to the gate, 1,000,000
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) expansions: Option<u32>,
    #[command(flatten)]
    pub(crate) external: ExternalArgs,
    /// Print the navigation guide: the next action, the steps, the pages around
    #[arg(long)]
    pub(crate) guide: bool,
    /// How many steps around the guide shows
    #[arg(long, default_value_t = 1)]
    pub(crate) hops: usize,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

/// A plan to the end of a specification.
#[derive(Debug, Args)]
pub(crate) struct TaskArgs {
    /// The vocabulary of the specification, a JSON file
    #[arg(long, value_name = "FILE", requires = "spec")]
    pub(crate) app: Option<PathBuf>,
    /// Plan to the end of this specification
    #[arg(
        long,
        value_name = "FILE",
        requires = "app",
        conflicts_with_all = ["to", "all", "functions", "condition", "task", "guide", "hops"]
    )]
    pub(crate) spec: Option<PathBuf>,
    /// A policy; may be given several times
    #[arg(long, value_name = "FILE", requires = "spec")]
    pub(crate) policy: Vec<PathBuf>,
    /// A value for a parameter; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", requires = "spec")]
    pub(crate) parameters: Vec<String>,
    /// The time zone, like Asia/Seoul; without this, the machine's
    #[arg(long, requires = "spec")]
    pub(crate) zone: Option<String>,
    /// Heed advice of any concerned rule that is violated, not only of all
    #[arg(long, requires = "spec")]
    pub(crate) strict: bool,
    /// A trace that is played first: the plan goes on from there
    #[arg(long, value_name = "TRACE", requires = "spec")]
    pub(crate) trace: Option<PathBuf>,
    /// Where the plan goes as a trace, for `intentgate run`; with `-` it goes to standard output, and the
    /// plan in words to standard error
    #[arg(long, value_name = "FILE", requires = "spec")]
    pub(crate) trace_out: Option<PathBuf>,
}

/// How a problem is written for another planner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pddl {
    /// Plain STRIPS, with guards and updates
    Strips,
    /// The published form: pages and connections
    Pddl,
}

/// Another planner.
#[derive(Debug, Args)]
pub(crate) struct ExternalArgs {
    /// Ask another planner: its command line, with `{domain}`, `{problem}`, `{plan}` and `{folder}`; no shell reads it
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "to",
        conflicts_with_all = ["all", "functions", "condition", "task", "spec", "alternatives", "expansions"]
    )]
    pub(crate) external: Option<String>,
    /// How the problem is written for it
    #[arg(long = "dialect", value_enum, default_value = "strips", requires = "external")]
    pub(crate) dialect: Pddl,
    /// Seconds that it may take
    #[arg(
        long = "external-seconds",
        value_name = "SECONDS",
        default_value_t = 60,
        requires = "external",
        value_parser = clap::value_parser!(u64).range(1..=86_400)
    )]
    pub(crate) seconds: u64,
}

impl PlanArgs {
    /// The session whose task is to be completed, if there is one.
    pub(crate) fn session(&self) -> Option<SessionArgs> {
        let TaskArgs { app, spec, policy, parameters, zone, strict, .. } = &self.completion;
        Some(SessionArgs {
            app: app.clone()?,
            spec: spec.clone()?,
            policy: policy.clone(),
            parameters: parameters.clone(),
            today: self.today.clone(),
            zone: zone.clone(),
            strict: *strict,
        })
    }
}
