//! The arguments of `intentgate encode`.
//!
//! Knows how a sentence is encoded; must never know which language model does it: the environment says so.

use super::FormatArg;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;

pub(super) const HELP: &str = "\
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
