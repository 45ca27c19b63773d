//! The arguments of the commands that read specifications, or write for them, without playing anything: `check`, `fmt`,
//! `explain`, `describe`, `grammar`.
//!
//! Knows vocabularies and specifications; must never know models, of apps or of language.

use super::{FormatArg, SessionArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const CHECK_HELP: &str = "\
Examples:
  intentgate check --app app.json reserve.intent pay.intent
  intentgate check --app app.json --policy limits.intent --format json

Exit status: 0 no errors, 1 errors, 2 the input could not be used.";

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The vocabulary, a JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) app: PathBuf,
    /// A policy to check; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// Specifications to check; without any, and without policies, the vocabulary alone
    #[arg(value_name = "SPEC")]
    pub(crate) specs: Vec<PathBuf>,
}

pub(super) const FMT_HELP: &str = "\
Examples:
  intentgate fmt reserve.intent
  intentgate fmt --write *.intent
  intentgate fmt --check *.intent

Exit status: 0 fine, 1 with --check something is not canonical, 2 the input could not be used.";

#[derive(Debug, Args)]
pub(crate) struct FmtArgs {
    /// Write the files anew
    #[arg(long, conflicts_with = "check")]
    pub(crate) write: bool,
    /// Print the names of files that are not canonical
    #[arg(long)]
    pub(crate) check: bool,
    /// Mathematical symbols instead of ASCII
    #[arg(long)]
    pub(crate) symbols: bool,
    /// `json` prints the JSON form
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// Specifications or policies
    #[arg(required = true, value_name = "SPEC")]
    pub(crate) specs: Vec<PathBuf>,
}

pub(super) const EXPLAIN_HELP: &str = "\
Examples:
  intentgate explain --app app.json --spec reserve.intent
  intentgate explain --app app.json --spec reserve.intent --policy limits.intent --format json";

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

pub(super) const DESCRIBE_HELP: &str = "\
Examples:
  intentgate describe --app app.json reserve.intent
  intentgate describe --app app.json --policy limits.intent --today 2026-11-21 --param to=Bob pay.intent
  intentgate describe --app app.json --policy limits.intent

Parameters without a value stay open; without --today dates stay relative. Without a specification the
policies are described by themselves.

Exit status: 0 it is described, 2 the input could not be used.";

#[derive(Debug, Args)]
pub(crate) struct DescribeArgs {
    /// The vocabulary, a JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) app: PathBuf,
    /// A policy; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Vec<PathBuf>,
    /// A value for a parameter; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Today, to say what relative dates are
    #[arg(long, value_name = "DATE")]
    pub(crate) today: Option<String>,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// The specification
    #[arg(required_unless_present = "policy", value_name = "SPEC")]
    pub(crate) spec: Option<PathBuf>,
}

pub(super) const GRAMMAR_HELP: &str = "\
Examples:
  intentgate grammar --app app.json > app.gbnf
  intentgate grammar --app app.json --as lark --milestones 2 --params
  intentgate grammar --app app.json --as json-schema --milestone Found --milestone Chosen
  intentgate grammar --app app.json --kind policy

The first line says which errors what follows the grammar can still have. Parameters are named by their
type: $text_to, $number_budget.

Exit status: 0 it is written, 2 the input could not be used.";

/// A form of a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GrammarForm {
    /// Grammars of llama.cpp
    Gbnf,
    /// Lark
    Lark,
    /// JSON Schema, of the JSON form
    JsonSchema,
}

/// What a grammar is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GrammarKind {
    /// Specifications with an end
    Task,
    /// Specifications without one
    Standing,
    /// Rules for `Never` only
    Policy,
}

#[derive(Debug, Args)]
pub(crate) struct GrammarArgs {
    /// The vocabulary, a JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) app: PathBuf,
    /// The form
    #[arg(long = "as", value_enum, default_value = "gbnf")]
    pub(crate) form: GrammarForm,
    /// What is to be written
    #[arg(long, value_enum, default_value = "task")]
    pub(crate) kind: GrammarKind,
    /// How many milestones there may be: M1, M2, and so on
    #[arg(long, value_name = "NUMBER", default_value_t = 0, conflicts_with = "milestone")]
    pub(crate) milestones: usize,
    /// A milestone by its name, in the order in which they are reached; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) milestone: Vec<String>,
    /// Let rules have labels
    #[arg(long)]
    pub(crate) labels: bool,
    /// Let parameters be used
    #[arg(long)]
    pub(crate) params: bool,
}
