//! The arguments of the command: its subcommands, and what several of them share.
//!
//! Knows how arguments are written, and which go together; must never read what they name.

mod encode;
mod models;
mod plan;
mod run;
mod simulated;
mod solver;
mod specs;

use clap::{Args, Parser, Subcommand, ValueEnum};
pub(crate) use encode::{Constrained, EncodeArgs};
pub(crate) use models::{By, Export, ExportArgs, Foreign, GraphArgs, ImportArgs, ModelArgs, Picture};
pub(crate) use plan::{Pddl, PlanArgs};
pub(crate) use run::{ReplayArgs, RunArgs, TestArgs};
pub(crate) use simulated::{AblationArgs, ExecArgs, ExploreArgs, TableFormat};
#[cfg(feature = "z3")]
pub(crate) use solver::SolverArgs;
pub(crate) use solver::{AnalyzeArgs, GenTestsArgs};
pub(crate) use specs::{
    CheckArgs, DescribeArgs, ExplainArgs, FmtArgs, GrammarArgs, GrammarForm, GrammarKind,
};
use std::path::{Path, PathBuf};

/// A gate between an AI agent and the actions that can't be undone.
#[derive(Debug, Parser)]
#[command(name = "intentgate", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a trace through the gate, or gate a live session on standard input
    #[command(after_help = run::RUN_HELP)]
    Run(RunArgs),
    /// Check specifications and policies against a vocabulary
    #[command(after_help = specs::CHECK_HELP)]
    Check(CheckArgs),
    /// Print the canonical text of specifications, comments kept
    #[command(after_help = specs::FMT_HELP)]
    Fmt(FmtArgs),
    /// Print the roadmap of a specification: what each rule asks for
    #[command(after_help = specs::EXPLAIN_HELP)]
    Explain(ExplainArgs),
    /// Describe in plain English what a specification enforces, for a person to confirm
    #[command(after_help = specs::DESCRIBE_HELP)]
    Describe(DescribeArgs),
    /// Write the grammar of specifications over a vocabulary, for constrained decoding
    #[command(after_help = specs::GRAMMAR_HELP)]
    Grammar(GrammarArgs),
    /// Explain a code, like E0301
    #[command(after_help = "Examples:\n  intentgate explain-code E0301\n  intentgate explain-code --list")]
    ExplainCode(CodeArgs),
    /// Ask what specifications can do and can't; needs a build with the feature `z3`
    #[command(after_help = solver::ANALYZE_HELP)]
    Analyze(AnalyzeArgs),
    /// Write tests of a specification from its own logic; needs a build with the feature `z3`
    #[command(after_help = solver::GEN_TESTS_HELP)]
    GenTests(GenTestsArgs),
    /// Play test files: traces that say what they expect
    #[command(after_help = run::TEST_HELP)]
    Test(TestArgs),
    /// Make a specification of a sentence, by a language model
    #[command(after_help = encode::HELP)]
    Encode(EncodeArgs),
    /// Plan on a model of an app: to pages, through functions, or to the end of a specification
    #[command(after_help = plan::HELP)]
    Plan(PlanArgs),
    /// Perform a task on a simulated app, through the gate
    #[command(after_help = simulated::EXEC_HELP)]
    Exec(ExecArgs),
    /// Measure what plans, recovery and knowledge do, on simulated apps
    #[command(after_help = simulated::ABLATION_HELP)]
    Ablation(AblationArgs),
    /// Draw a model of an app, as SVG, Graphviz DOT or Mermaid
    #[command(after_help = "Examples:\n  intentgate graph --model model.json --as svg > model.svg")]
    Graph(GraphArgs),
    /// Make a model of what other tools write: ICCBot, DroidBot, PDDL
    #[command(after_help = models::IMPORT_HELP)]
    Import(ImportArgs),
    /// Write a model for other tools: PDDL, pictures, JSON
    #[command(after_help = models::EXPORT_HELP)]
    Export(ExportArgs),
    /// Explore a simulated app with a goal in mind, and keep what was learnt
    #[command(after_help = simulated::EXPLORE_HELP)]
    Explore(ExploreArgs),
    /// Replay records; each has to come out the same bytes
    #[command(after_help = run::REPLAY_HELP)]
    Replay(ReplayArgs),
    /// Print completions for a shell
    Completions(CompletionArgs),
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct FormatArg {
    /// For people, or for programs
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// What a session is made of.
#[derive(Debug, Args)]
pub(crate) struct SessionArgs {
    /// The vocabulary, a JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) app: PathBuf,
    /// The specification
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: PathBuf,
    /// A policy; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Vec<PathBuf>,
    /// A value for a parameter; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Today; without this, the machine's date in the zone
    #[arg(long, value_name = "DATE")]
    pub(crate) today: Option<String>,
    /// The time zone, like Asia/Seoul; without this, the machine's
    #[arg(long)]
    pub(crate) zone: Option<String>,
    /// Advise when any concerned rule is violated, not only when all are
    #[arg(long)]
    pub(crate) strict: bool,
}

impl SessionArgs {
    /// The files that it names.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> + Clone {
        [&self.app, &self.spec].into_iter().chain(&self.policy).map(PathBuf::as_path)
    }
}

#[derive(Debug, Args)]
pub(crate) struct CodeArgs {
    /// List all codes
    #[arg(long, conflicts_with = "code")]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// The code
    #[arg(required_unless_present = "list")]
    pub(crate) code: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
