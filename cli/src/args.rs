//! The arguments of the command.

mod plan;

use clap::{Args, Parser, Subcommand, ValueEnum};
pub(crate) use plan::{Pddl, PlanArgs};
use std::num::NonZeroUsize;
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
    /// Describe in plain English what a specification enforces, for a person to confirm
    #[command(after_help = DESCRIBE_HELP)]
    Describe(DescribeArgs),
    /// Write the grammar of specifications over a vocabulary, for constrained decoding
    #[command(after_help = GRAMMAR_HELP)]
    Grammar(GrammarArgs),
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
    /// Make a specification of a sentence, by a language model
    #[command(after_help = ENCODE_HELP)]
    Encode(EncodeArgs),
    /// Plan on a model of an app: to pages, through functions, or to the end of a specification
    #[command(after_help = plan::HELP)]
    Plan(PlanArgs),
    /// Perform a task on a simulated app, through the gate
    #[command(after_help = EXEC_HELP)]
    Exec(ExecArgs),
    /// Measure what plans, recovery and knowledge do, on simulated apps
    #[command(after_help = ABLATION_HELP)]
    Ablation(AblationArgs),
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

const DESCRIBE_HELP: &str = "\
Examples:
  intentgate describe --app app.json reserve.intent
  intentgate describe --app app.json --policy limits.intent --today 2026-11-21 --param to=Bob pay.intent
  intentgate describe --app app.json --policy limits.intent

Parameters without a value stay open; without --today dates stay relative. Without a specification the
policies are described by themselves.

Exit status: 0 it is described, 2 the input could not be used.";

const GRAMMAR_HELP: &str = "\
Examples:
  intentgate grammar --app app.json > app.gbnf
  intentgate grammar --app app.json --as lark --milestones 2 --params
  intentgate grammar --app app.json --as json-schema --milestone Found --milestone Chosen
  intentgate grammar --app app.json --kind policy

The first line says which errors what follows the grammar can still have. Parameters are named by their
type: $text_to, $number_budget.

Exit status: 0 it is written, 2 the input could not be used.";

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

const ENCODE_HELP: &str = "\
The specification goes to standard output, how it came about to standard error.

Examples:
  intentgate encode --app app.json 'Reserve restaurant R before 7 PM' > reserve.intent
  intentgate encode --app app.json --policy limits.intent --today 2026-11-21 --record talk.jsonl 'Send Bob 20 euros'
  intentgate encode --app app.json --policy limits.intent --today 2026-11-21 --replay talk.jsonl 'Send Bob 20 euros'
  intentgate encode --app app.json --param restaurant=R --param 'time=7 pm' 'Reserve {restaurant} before {time}'
  intentgate encode --app app.json --experience past.jsonl --confirm --samples 5 'Reserve restaurant R before 7 PM'

The model: INTENTGATE_MODEL_URL (what stands before /chat/completions), INTENTGATE_MODEL (its name there),
INTENTGATE_MODEL_KEY (if the server wants one), INTENTGATE_MODEL_SECONDS (how long an answer may take; 300).
A recording replays only what is asked in the same words: the same sentence, app, policies, experience, day and options.
Exit status: 0 accepted, 1 not accepted, 2 the input could not be used.";

const EXEC_HELP: &str = "\
The app is simulated from its model. What it really performed is known, and confirms critical actions.

Examples:
  intentgate exec --app app.json --spec reserve.intent --model model.json
  intentgate exec --app app.json --spec reserve.intent --model model.json --faults each=10 --seed 7 --html run.html
  intentgate exec --app app.json --spec guard.intent --model model.json --to Settings --faults missing=20,crash=5

Exit status: 0 the goal is reached, on evidence, 1 it is not, 2 the input could not be used.";

const ABLATION_HELP: &str = "\
Examples:
  intentgate ablation
  intentgate ablation --tasks 200 --seed 7 --faults each=10 --format markdown

Exit status: 0 it was measured, 1 a critical action was performed that the gate had not allowed, 2 the input could
not be used.";

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

impl SessionArgs {
    /// The files that it names.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> + Clone {
        [&self.app, &self.spec].into_iter().chain(&self.policy).map(PathBuf::as_path)
    }
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

/// What drafts are held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Constrained {
    /// A grammar of llama.cpp, in the field `grammar`
    Gbnf,
    /// A JSON Schema: drafts are in the JSON form
    JsonSchema,
}

/// From 1 to 25.
fn samples(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().and_then(NonZeroUsize::new).filter(|number| number.get() <= 25);
    number.ok_or_else(|| "it is a number from 1 to 25".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct EncodeArgs {
    /// The vocabulary, a JSON file
    #[arg(long, value_name = "FILE")]
    pub(crate) app: PathBuf,
    /// A policy; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Vec<PathBuf>,
    /// A value for a place in the sentence, which is then a template; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// A template that the sentence fits: its values become parameters
    #[arg(long, value_name = "TEMPLATE", conflicts_with = "parameters")]
    pub(crate) template: Option<String>,
    /// Today; without this, the machine's date
    #[arg(long, value_name = "DATE")]
    pub(crate) today: Option<String>,
    /// Answer from a recorded conversation instead of asking a model
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub(crate) replay: Option<PathBuf>,
    /// Write the conversation down
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Past successes, JSON lines: the most similar ones are offered as examples
    #[arg(long, value_name = "FILE")]
    pub(crate) experience: Option<PathBuf>,
    /// Ask, once it is described, whether it is what is meant, and then keep it with the past successes
    #[arg(long, requires = "experience")]
    pub(crate) confirm: bool,
    /// With `--confirm`: it is what is meant, don't ask
    #[arg(long, requires = "confirm")]
    pub(crate) yes: bool,
    /// How often the sentence is encoded, up to 25 times; more than half of the samples have to mean the same
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = samples)]
    pub(crate) samples: NonZeroUsize,
    /// How many drafts are judged at most
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    pub(crate) drafts: usize,
    /// How many calls of models are made at most, for a sample
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    pub(crate) calls: usize,
    /// How many tokens are read and written at most, as far as the model says so
    #[arg(long, value_name = "NUMBER")]
    pub(crate) tokens: Option<u64>,
    /// Accept a specification without an end, for a sentence that only says what may be done
    #[arg(long)]
    pub(crate) standing: bool,
    /// Accept without the analysis: whether it can be met and keeps to the policies is not looked at
    #[arg(long)]
    pub(crate) without_analysis: bool,
    /// Hold drafts to a grammar of the vocabulary: by a JSON Schema, or by GBNF as llama.cpp's server takes it
    #[arg(long, value_name = "FORM", conflicts_with_all = ["parameters", "template"])]
    pub(crate) constrained: Option<Constrained>,
    /// Print every draft, what was mended, and what was found about it
    #[arg(long)]
    pub(crate) transcript: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    /// What is to be done
    #[arg(value_name = "SENTENCE")]
    pub(crate) sentence: String,
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
pub(crate) struct ExecArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// The model of the app, a JSON file: the simulated app is one, and plans are made on it
    #[arg(long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// A page to get to, instead of the end of the specification; of several the cheapest
    #[arg(long, value_name = "PAGE")]
    pub(crate) to: Vec<String>,
    /// A primary function to perform, instead of the end of the specification; several in their order
    #[arg(long = "function", value_name = "CALL")]
    pub(crate) functions: Vec<String>,
    /// The task in words, for the account; without this, the name of the specification's file
    #[arg(long, value_name = "TEXT")]
    pub(crate) sentence: Option<String>,
    /// What happens by chance: the same seed gives the same run
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Faults of the app, in percent of the actions: `each=10`, `missing=5,no_change=5`
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
    /// Where the session's record goes, for `intentgate replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Where a report of the run goes: one HTML file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

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
    /// Faults of the apps, in percent of the actions
    #[arg(long, value_name = "KIND=PERCENT", default_value = "each=8")]
    pub(crate) faults: String,
    /// For people, for programs, or for documents
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: TableFormat,
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
