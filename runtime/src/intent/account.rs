//! What happened on the way from a sentence to a specification, as data.

use super::mend::Mend;
use super::sound::Soundness;
use super::verdict::Verdict;
use crate::language_model::{ModelError, Reply, Request, Usage};
use intentgate_engine::input::on_one_line;
use serde::Serialize;
use std::fmt;

/// What a model was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To write a specification.
    Draft,
    /// To say a specification in plain words.
    Decode,
    /// To compare these words with the sentence.
    Compare,
}

/// A call of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Call {
    /// What for.
    pub purpose: Purpose,
    /// Which model.
    pub model: String,
    /// The draft that it was about, from 1.
    pub draft: usize,
    /// What it was asked.
    pub request: Request,
    /// What it answered.
    pub answer: Answer,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// An answer.
    Reply(Reply),
    /// None.
    Error(ModelError),
}

/// A draft, and what was found about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attempt {
    /// What the model answered.
    pub answer: String,
    /// What was mended mechanically.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mends: Vec<Mend>,
    /// The specification after these mends.
    pub text: String,
    /// The specification in plain words, if it came so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a draft.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
#[non_exhaustive]
pub enum Outcome {
    /// The answer was cut off.
    CutOff,
    /// It doesn't pass the check.
    Unchecked {
        /// The diagnostics, as people see them.
        diagnostics: String,
        /// Their codes.
        codes: Vec<intentgate_engine::diagnostic::Code>,
    },
    /// Its parameters are not those of the sentence, or their values don't fit.
    Parameters {
        /// What is wrong with them.
        wrong: Vec<String>,
    },
    /// It says something else than the sentence.
    Misread {
        /// What the checker said.
        verdict: Verdict,
    },
    /// It can't be met, says nothing, never ends, or goes against a policy; or nobody could find out.
    Unsound {
        /// What was found.
        findings: Vec<String>,
    },
    /// It is an earlier draft again.
    Again {
        /// Which, from 1.
        draft: usize,
    },
    /// A model gave no usable answer about it, or the budget was spent.
    Unfinished,
    /// It was accepted.
    Accepted {
        /// What the analysis says.
        analysis: Soundness,
    },
}

/// Everything that was said and done, in order.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Account {
    /// The sentence, places in braces.
    pub sentence: String,
    /// How many past successes were shown with it.
    pub examples: usize,
    /// The drafts.
    pub attempts: Vec<Attempt>,
    /// The calls.
    pub calls: Vec<Call>,
}

impl Account {
    /// What it cost, as far as that is known.
    pub fn usage(&self) -> Usage {
        let replies = self.calls.iter().filter_map(|call| match &call.answer {
            Answer::Reply(reply) => Some(reply.usage),
            Answer::Error(_) => None,
        });
        replies.fold(Usage::default(), Usage::plus)
    }

    /// How many calls were made for a purpose.
    pub fn count(&self, purpose: Purpose) -> usize {
        self.calls.iter().filter(|call| call.purpose == purpose).count()
    }
}

/// For people: each draft, its mends, and what came of it. What was said from outside is indented line by line, and what
/// can't be seen is escaped, so that it can't pose as anything else.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "sentence: {}", on_one_line(&self.sentence))?;
        if self.examples > 0 {
            let more = if self.examples == 1 { "success as an example" } else { "successes as examples" };
            writeln!(f, "with {} earlier {more}", self.examples)?;
        }
        for (number, attempt) in self.attempts.iter().enumerate() {
            writeln!(f, "draft {}:", number + 1)?;
            attempt.fmt(f)?;
        }
        let counts = [Purpose::Draft, Purpose::Decode, Purpose::Compare].map(|purpose| self.count(purpose));
        let [drafts, decoded, compared] = counts;
        write!(f, "calls: {drafts} for drafts, {decoded} to decode, {compared} to compare")?;
        let usage = self.usage();
        match usage.input_tokens.zip(usage.output_tokens) {
            Some((input, output)) => writeln!(f, "; {input} tokens in, {output} out"),
            None => writeln!(f),
        }
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        indented(f, &self.answer)?;
        for mend in &self.mends {
            writeln!(f, "  mended {mend}")?;
        }
        if let Some(reading) = &self.reading {
            writeln!(f, "  in plain words:")?;
            indented(f, reading)?;
        }
        match &self.outcome {
            Outcome::CutOff => writeln!(f, "  the answer was cut off"),
            Outcome::Unchecked { diagnostics, .. } => {
                writeln!(f, "  the checker says:")?;
                indented(f, diagnostics)
            }
            Outcome::Parameters { wrong } => {
                writeln!(f, "  its parameters don't fit:")?;
                wrong.iter().try_for_each(|line| indented(f, line))
            }
            Outcome::Misread { verdict } => {
                writeln!(f, "  it differs from the sentence:")?;
                verdict.differences.iter().try_for_each(|line| indented(f, line))
            }
            Outcome::Unsound { findings } => {
                writeln!(f, "  the analysis says:")?;
                findings.iter().try_for_each(|text| indented(f, text))
            }
            Outcome::Again { draft } => writeln!(f, "  it is draft {draft} again"),
            Outcome::Unfinished => writeln!(f, "  it was not judged to the end"),
            Outcome::Accepted { analysis } => {
                writeln!(f, "  accepted; {analysis}")
            }
        }
    }
}

/// Words from outside, each line behind the same space.
pub(super) fn indented(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.trim_end().lines().try_for_each(|line| writeln!(f, "    {}", on_one_line(line)))
}

impl Outcome {
    /// In a sentence, for people; nothing where there is nothing to say.
    pub(super) fn told(&self) -> Option<String> {
        match self {
            Outcome::CutOff => Some("the last answer was cut off".to_owned()),
            Outcome::Unchecked { diagnostics, codes } => {
                let mut codes: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
                codes.sort_unstable();
                codes.dedup();
                // `error[E0312]: no rule concludes …`
                let first = diagnostics.lines().next().and_then(|line| line.split_once("]: "));
                let first = first.map_or("", |(_, message)| message);
                Some(match codes.as_slice() {
                    [code] => format!("the last draft has an error, {code}: {first}"),
                    codes => format!("the last draft has errors, {}; the first: {first}", codes.join(", ")),
                })
            }
            Outcome::Parameters { wrong } => Some(format!("of the last draft: {}", wrong.join("; "))),
            Outcome::Misread { verdict } => {
                Some(format!("the last draft says something else: {}", verdict.differences.join("; ")))
            }
            Outcome::Unsound { findings } => {
                let first = findings.first().and_then(|text| text.lines().next()).unwrap_or_default();
                Some(format!("the last draft is no use: {first}"))
            }
            Outcome::Again { draft } => Some(format!("the last draft is draft {draft} again")),
            Outcome::Unfinished | Outcome::Accepted { .. } => None,
        }
    }
}
