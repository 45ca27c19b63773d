//! The arguments of the command.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

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
    #[command(after_help = RUN_HELP)]
    Run(RunArgs),
    /// Check specifications and policies against a vocabulary
    #[command(after_help = CHECK_HELP)]
    Check(CheckArgs),
    /// Print the canonical text of specifications, comments kept
    #[command(after_help = FMT_HELP)]
    Fmt(FmtArgs),
    /// Print the roadmap of a specification: what each rule asks for
    #[command(after_help = EXPLAIN_HELP)]
    Explain(ExplainArgs),
    /// Explain a code, like E0301
    #[command(after_help = "Examples:\n  intentgate explain-code E0301\n  intentgate explain-code --list")]
    ExplainCode(CodeArgs),
    /// Ask what specifications can do and can't; needs a build with the feature `z3`
    #[command(after_help = ANALYZE_HELP)]
    Analyze(AnalyzeArgs),
    /// Write tests of a specification from its own logic; needs a build with the feature `z3`
    #[command(after_help = GEN_TESTS_HELP)]
    GenTests(GenTestsArgs),
    /// Play test files: traces that say what they expect
    #[command(after_help = TEST_HELP)]
    Test(TestArgs),
    /// Plan on a model of an app
    #[command(after_help = PLAN_HELP)]
    Plan(PlanArgs),
    /// Draw a model of an app, as SVG, Graphviz DOT or Mermaid
    #[command(after_help = "Examples:\n  intentgate graph --model model.json --as svg > model.svg")]
    Graph(GraphArgs),
    /// Make a model of what other tools write: ICCBot, DroidBot, PDDL
    #[command(after_help = IMPORT_HELP)]
    Import(ImportArgs),
    /// Write a model for other tools: PDDL, pictures, JSON
    #[command(after_help = EXPORT_HELP)]
    Export(ExportArgs),
    /// Explore a simulated app with a goal in mind, and keep what was learnt
    #[command(after_help = EXPLORE_HELP)]
    Explore(ExploreArgs),
    /// Replay records; each has to come out the same bytes
    #[command(after_help = REPLAY_HELP)]
    Replay(ReplayArgs),
    /// Print completions for a shell
    Completions(CompletionArgs),
}

const RUN_HELP: &str = "\
Examples:
  intentgate run --app app.json --spec reserve.intent --today 2026-11-21 trace.jsonl
  intentgate run --app app.json --spec pay.intent --policy limits.intent --param to=Bob trace.jsonl
  my-agent | intentgate run --app app.json --spec reserve.intent --format json -

Exit status: 0 nothing was blocked, 1 something was blocked, 2 the input could not be used.";

const CHECK_HELP: &str = "\
Examples:
  intentgate check --app app.json reserve.intent pay.intent
  intentgate check --app app.json --policy limits.intent --format json

Exit status: 0 no errors, 1 errors, 2 the input could not be used.";

const FMT_HELP: &str = "\
Examples:
  intentgate fmt reserve.intent
  intentgate fmt --write *.intent
  intentgate fmt --check *.intent

Exit status: 0 fine, 1 with --check something is not canonical, 2 the input could not be used.";

const EXPLAIN_HELP: &str = "\
Examples:
  intentgate explain --app app.json --spec reserve.intent
  intentgate explain --app app.json --spec reserve.intent --policy limits.intent --format json";

const ANALYZE_HELP: &str = "\
Examples:
  intentgate analyze --app app.json reserve.intent
  intentgate analyze --app app.json --policy limits.intent --today 2026-11-21 --format json pay.intent
  intentgate analyze --app app.json --against old.intent new.intent

Exit status: 0 nothing to mend, 1 something is to mend, 2 the input could not be used. With --against:
0 each allows the same or less, 1 one may allow more, 2 the input could not be used.";

const GEN_TESTS_HELP: &str = "\
Examples:
  intentgate gen-tests --app app.json --spec pay.intent --trace pay.tests.jsonl
  intentgate gen-tests --app app.json --spec pay.intent --rust tests/pay.rs
  intentgate gen-tests --app app.json --spec pay.intent --mutants given.jsonl

Without --trace, --rust and --mutants the test file goes to standard output. Without --today the tests are for
2000-01-01: each case says its day.

Exit status: 0 fine, 1 with --mutants a change that could show is not noticed, 2 the input could not be used.";

const TEST_HELP: &str = "\
Examples:
  intentgate test --app app.json --spec pay.intent pay.tests.jsonl
  intentgate test --app app.json --spec pay.intent --policy limits.intent --format json *.tests.jsonl

A test file:
  {\"case\": \"cheap enough\", \"today\": \"2026-11-21\", \"parameters\": {\"to\": \"Bob\"}}
  {\"observe\": {\"Bill\": {\"total\": 80}}}
  {\"propose\": {\"action\": \"Pay\", \"arguments\": {\"amount\": 80}}, \"expect\": \"allow\"}
  {\"expect\": {\"achieved\": [\"Pay\"], \"open\": [\"Known\"], \"done\": false}}

Exit status: 0 all came as expected, 1 something did not, 2 the input could not be used.";

const EXPLORE_HELP: &str = "\
Examples:
  intentgate explore --model model.json --app app.json --goal 'find a free table'
  intentgate explore --model model.json --app app.json --goal 'see the settings' --knowledge known.json -o grown.json

The model is the app that is simulated; the exploration starts with its first page and with what the knowledge holds.
Critical actions, and what may be one by its words, are left alone and named.

Exit status: 0 it was explored, 2 the input could not be used.";

const PLAN_HELP: &str = "\
Examples:
  intentgate plan --model model.json --to Settings
  intentgate plan --model model.json --from Gallery --condition 'front = true, flash = off'
  intentgate plan --model model.json --function take_photo --function 'record_video(duration=10, front=true)'
  intentgate plan --model model.json --to Settings --guide
  intentgate plan --model model.json --task 'take a photo, then open the gallery'

Exit status: 0 there is a plan, or nothing to do, 1 no path is known, 2 the input could not be used.";

const IMPORT_HELP: &str = "\
The model goes to standard output, what was kept and left out to standard error.

Examples:
  intentgate import CTG.xml > model.json
  intentgate import droidbot_out/ --by state -o model.json
  intentgate import droidbot_out/utg.js --start MainActivity
  intentgate import domain.pddl problem.pddl

Exit status: 0 there is a model, 2 the input could not be used.";

const EXPORT_HELP: &str = "\
Examples:
  intentgate export --as pddl --model model.json --to Settings --out-dir planning/
  intentgate export --as strips --model model.json --from Gallery --to Settings
  intentgate export --as svg --model model.json --to Settings -o model.svg

Exit status: 0 it is written, 2 the input could not be used.";

const REPLAY_HELP: &str = "\
Examples:
  intentgate run --app app.json --spec reserve.intent --format json trace.jsonl > record.jsonl
  intentgate replay record.jsonl

Exit status: 0 all came out the same, 1 one did not, 2 the input could not be used.";

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

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

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

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// A page to go to; of several the cheapest
    #[arg(long, value_name = "PAGE", required_unless_present_any = ["functions", "condition", "task"])]
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
    /// The day that the task's `today` is; without this, it has none
    #[arg(long, value_name = "DATE", requires = "task")]
    pub(crate) today: Option<String>,
    /// Print the navigation guide: the next action, the steps, the pages around
    #[arg(long)]
    pub(crate) guide: bool,
    /// How many steps around the guide shows
    #[arg(long, default_value_t = 1)]
    pub(crate) hops: usize,
    #[command(flatten)]
    pub(crate) format: FormatArg,
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
    /// How it is drawn
    #[arg(long = "as", value_enum, default_value = "dot")]
    pub(crate) picture: Picture,
}

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

#[derive(Debug, Args)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The vocabulary; without it no action is known to be critical, and words alone tell
    #[arg(long, value_name = "FILE")]
    pub(crate) app: Option<PathBuf>,
    /// What the exploration is for, in a sentence
    #[arg(long, value_name = "SENTENCE")]
    pub(crate) goal: String,
    /// Gestures at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) steps: u32,
    /// The seed of what happens by chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Faults in percent of the gestures: `5` for each kind, or `missing=5,crash=2`
    #[arg(long, value_name = "PERCENT")]
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
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// Records; `-` is standard input
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) records: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
