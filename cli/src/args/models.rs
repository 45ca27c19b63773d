//! The arguments of the commands for models of apps: `graph`, `import`, `export`, and where a model comes from.
//!
//! Knows pages and forms of files; must never know specifications.

use super::FormatArg;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// A model, and where somebody is in it.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// The model, a JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// The page on which to start; without this, the model's start
    #[arg(long, value_name = "PAGE")]
    pub(crate) from: Option<String>,
    /// A variable that is otherwise than when the app starts; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

/// How a model is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Picture {
    /// Graphviz
    Dot,
    /// A flow chart in Markdown
    Mermaid,
    /// A picture for browsers
    Svg,
}

#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Mark a cheapest way to a page; of several the cheapest
    #[arg(long, value_name = "PAGE")]
    pub(crate) to: Vec<String>,
    /// How it is drawn; without this, DOT
    #[arg(long = "as", value_enum, default_value = "dot")]
    pub(crate) picture: Picture,
}

pub(super) const IMPORT_HELP: &str = "\
The model goes to standard output, what was kept and left out to standard error.

Examples:
  intentgate import CTG.xml > model.json
  intentgate import droidbot_out/ --by state -o model.json
  intentgate import droidbot_out/utg.js --start MainActivity
  intentgate import domain.pddl problem.pddl

Exit status: 0 there is a model, 2 the input could not be used.";

/// A form of other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Foreign {
    /// ICCBot's component transition graph, `CTG.xml`
    Iccbot,
    /// The folder of a DroidBot run
    Droidbot,
    /// DroidBot's transition graph, `utg.js`
    Utg,
    /// A planning problem, with or without its domain
    Pddl,
}

/// What counts as a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// An activity
    Activity,
    /// What is visible, without texts
    State,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The form; without this it is recognised by what the file holds
    #[arg(long, value_enum)]
    pub(crate) from: Option<Foreign>,
    /// What counts as a page of a DroidBot run
    #[arg(long, value_enum, default_value = "activity")]
    pub(crate) by: By,
    /// The page on which the app starts; without this, as the file says or the likely one
    #[arg(long, value_name = "PAGE")]
    pub(crate) start: Option<String>,
    /// The app's name; without this, as the file says
    #[arg(long, value_name = "NAME")]
    pub(crate) app: Option<String>,
    /// Where the model goes; without this, standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The report, for people or for programs
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// A file, the folder of a DroidBot run, or domain and problem; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

pub(super) const EXPORT_HELP: &str = "\
Examples:
  intentgate export --as pddl --model model.json --to Settings --out-dir planning/
  intentgate export --as strips --model model.json --from Gallery --to Settings
  intentgate export --as svg --model model.json --to Settings -o model.svg

Exit status: 0 it is written, 2 the input could not be used.";

/// A form in which a model is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Export {
    /// Domain and problem in the published form: pages and connections
    Pddl,
    /// Domain and problem in plain STRIPS, with guards and updates
    Strips,
    /// Graphviz
    Dot,
    /// A flow chart in Markdown
    Mermaid,
    /// A picture for browsers
    Svg,
    /// Our own form
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// What is written
    #[arg(long = "as", value_enum)]
    pub(crate) form: Export,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// A page to go to: the goal of a planning problem, the end of a plan in a picture; of several one
    #[arg(long, value_name = "PAGE")]
    pub(crate) to: Vec<String>,
    /// The file; without this, standard output
    #[arg(short = 'o', long, value_name = "FILE", conflicts_with = "out_dir")]
    pub(crate) output: Option<PathBuf>,
    /// The folder for files named like the app, such as `<app>-domain.pddl` and `<app>-problem.pddl`
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out_dir: Option<PathBuf>,
}
