//! From a sentence to a specification that holds up: the intent encoder (VeriSafe Agent, section 5.1).
//!
//! A language model drafts; the draft is mended where that is mechanical, read and checked, and diagnostics go back as
//! they are. A second call says in plain words what it asks for, a third compares that with the sentence, and
//! differences go back. Then the analysis: what can't be met, says nothing, never ends or goes against a policy is not
//! accepted. What comes out is an [`Encoded`], which nothing else makes, or a [`NotEncoded`] with everything that was
//! tried. [`Experience`] keeps what turned out right, [`Encoder::majority`] asks several times and counts by meaning.
//!
//! Models are asked only here, before a session starts; deciding needs none. Knows the session below it and nothing of
//! planners, devices and files.
//!
//! ```
//! use intentgate::engine::{limits::Limits, schema::Vocabulary, span::Source};
//! use intentgate::intent::Encoder;
//! use intentgate::language_model::Scripted;
//! use std::sync::Arc;
//!
//! let app = r#"{"app": "Door", "states": [{"name": "Door", "description": "the front door",
//!     "variables": [{"locked": "Boolean"}]}], "actions": [{"name": "Leave", "description": "leave the house"}]}"#;
//! let vocabulary = Arc::new(Vocabulary::from_json(&Source::new("app.json", app), &Limits::default())?);
//! // In place of a model: what it drafts, how it reads that, and how it compares.
//! let model = Scripted::new([
//!     "```\nDoor(locked == True) -> Leave\nLeave -> Done\n```",
//!     "Leave only while the front door is locked. The task ends when the house was left.",
//!     r#"{"same": true, "differences": []}"#,
//! ]);
//! let encoder = Encoder::new(&model, &vocabulary);
//! # let encoder = if cfg!(feature = "z3") { encoder } else { encoder.without_analysis() };
//! let encoded = pollster::block_on(encoder.encode("Leave the house, but lock the door first"))?;
//! assert_eq!(encoded.text(), "Door(locked = true) -> Leave\nLeave -> Done\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod data;
pub mod describe;
mod experience;
pub mod grammar;
mod majority;
mod meaning;
mod mend;
mod prompt;
mod reading;
mod sound;
mod template;
mod verdict;
mod work;

pub use account::{Account, Answer, Attempt, Call, Outcome, Purpose};
pub use experience::{Confirmation, Entry, Example, Experience};
pub use majority::{Class, Compared, Disagreement, Majority, Votes};
pub use meaning::{Meaning, same};
pub use mend::{Mend, Mended, Slip, mended};
pub use sound::Soundness;
pub use template::Sentence;
pub use verdict::Verdict;

use crate::language_model::{LanguageModel, ModelError, Schema};
use crate::session::{Session, SessionBuilder};
use chrono::NaiveDate;
use describe::Description;
use intentgate_engine::diagnostic::{Code, Fault, Problems};
use intentgate_engine::ir::Specification;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use std::pin::Pin;
use std::sync::Arc;

/// The outcome of an encoding, once it is there. No particular runtime is needed to wait for it.
pub type Encoding<'a> = Pin<Box<dyn Future<Output = Result<Encoded, NotEncoded>> + Send + 'a>>;

/// How much an encoding may cost. What is reached ends it, without a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Drafts; 5.
    pub drafts: usize,
    /// Calls of models, all purposes together; 20.
    pub calls: usize,
    /// Tokens read and written, as far as the models say how many: no call is made once so many were. Without a limit
    /// if nothing is given.
    pub tokens: Option<u64>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { drafts: 5, calls: 20, tokens: None }
    }
}

/// Who puts a draft back into words for the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Decoding {
    /// A model, which sees the specification and not the sentence (the published way); the words of the rules are shown
    /// besides.
    #[default]
    ByModel,
    /// The rules alone: one call less for each draft.
    ByRules,
}

/// Encodes sentences for one app.
#[derive(Clone)]
pub struct Encoder<'a> {
    drafter: &'a dyn LanguageModel,
    decoder: &'a dyn LanguageModel,
    checker: &'a dyn LanguageModel,
    vocabulary: Arc<Vocabulary>,
    policies: Vec<Arc<Specification>>,
    experience: Option<&'a Experience>,
    examples: usize,
    today: Option<NaiveDate>,
    budget: Budget,
    decoding: Decoding,
    standing: bool,
    analysed: bool,
    limits: Limits,
    temperature: f64,
    seed: Option<u64>,
    grammar: Option<String>,
    schema: Option<Schema>,
}

impl<'a> Encoder<'a> {
    /// One model for everything.
    pub fn new(model: &'a dyn LanguageModel, vocabulary: &Arc<Vocabulary>) -> Encoder<'a> {
        Encoder {
            drafter: model,
            decoder: model,
            checker: model,
            vocabulary: Arc::clone(vocabulary),
            policies: Vec::new(),
            experience: None,
            examples: 3,
            today: None,
            budget: Budget::default(),
            decoding: Decoding::default(),
            standing: false,
            analysed: true,
            limits: Limits::default(),
            temperature: 0.0,
            seed: None,
            grammar: None,
            schema: None,
        }
    }

    /// Another model to put drafts back into words: the published decoder is one of its own.
    #[must_use]
    pub fn decoder(mut self, model: &'a dyn LanguageModel) -> Encoder<'a> {
        self.decoder = model;
        self
    }

    /// Another model to compare: the published checker is one of its own.
    #[must_use]
    pub fn checker(mut self, model: &'a dyn LanguageModel) -> Encoder<'a> {
        self.checker = model;
        self
    }

    /// A policy that the gate will hold besides: models see it, and what goes against it is not accepted.
    #[must_use]
    pub fn policy(mut self, policy: Arc<Specification>) -> Encoder<'a> {
        self.policies.push(policy);
        self
    }

    /// Past successes: the most similar ones, at most so many, are offered as examples. Without this it starts cold.
    #[must_use]
    pub fn experience(mut self, experience: &'a Experience, examples: usize) -> Encoder<'a> {
        (self.experience, self.examples) = (Some(experience), examples);
        self
    }

    /// The day that `today` is. Without this models are not told, and the analysis takes any day.
    #[must_use]
    pub fn today(mut self, today: NaiveDate) -> Encoder<'a> {
        self.today = Some(today);
        self
    }

    /// How much it may cost.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Encoder<'a> {
        self.budget = budget;
        self
    }

    /// Who puts drafts back into words.
    #[must_use]
    pub fn decoding(mut self, decoding: Decoding) -> Encoder<'a> {
        self.decoding = decoding;
        self
    }

    /// Whether a specification without an end may come out, for a sentence that only says what may be done.
    #[must_use]
    pub fn standing(mut self, standing: bool) -> Encoder<'a> {
        self.standing = standing;
        self
    }

    /// Accepts without the analysis, which then is not asked, and says so ([`Soundness::LeftOut`]). Without this, an
    /// encoder of a program without a solver (feature `z3`) accepts nothing, and asks no model.
    #[must_use]
    pub fn without_analysis(mut self) -> Encoder<'a> {
        self.analysed = false;
        self
    }

    /// The limits of readers.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Encoder<'a> {
        self.limits = limits;
        self
    }

    /// How freely drafts vary, 0 without this, and where chance starts.
    #[must_use]
    pub fn sampling(mut self, temperature: f64, seed: Option<u64>) -> Encoder<'a> {
        (self.temperature, self.seed) = (temperature, seed);
        self
    }

    /// A grammar of drafts in GBNF, for models that can be held to one. Drafts are checked all the same.
    #[must_use]
    pub fn grammar(mut self, grammar: impl Into<String>) -> Encoder<'a> {
        self.grammar = Some(grammar.into());
        self
    }

    /// A JSON Schema of drafts, for models that can be held to one: they then answer in the JSON form.
    #[must_use]
    pub fn schema(mut self, name: impl Into<String>, schema: serde_json::Value) -> Encoder<'a> {
        self.schema = Some(Schema { name: name.into(), schema });
        self
    }

    /// A specification for a sentence.
    ///
    /// # Errors
    /// There is none that passed everything; see [`Why`].
    pub fn encode<'e>(&'e self, sentence: impl Into<Sentence>) -> Encoding<'e> {
        let sentence = sentence.into();
        Box::pin(async move { work::encode(self, sentence).await })
    }
}

/// A specification that passed the check, the comparison with its sentence and, unless the host does without, the
/// analysis. Only an [`Encoder`] makes one.
#[derive(Debug, Clone)]
pub struct Encoded {
    specification: Arc<Specification>,
    policies: Vec<Arc<Specification>>,
    values: Vec<(String, String)>,
    today: Option<NaiveDate>,
    reading: String,
    description: Description,
    analysis: Soundness,
    warnings: Problems,
    account: Account,
}

impl Encoded {
    /// The specification.
    pub fn specification(&self) -> &Arc<Specification> {
        &self.specification
    }

    /// The specification in its canonical spelling.
    pub fn text(&self) -> &str {
        self.specification.source().text()
    }

    /// What it asks for, in the words that were compared with the sentence.
    pub fn reading(&self) -> &str {
        &self.reading
    }

    /// What is enforced, policies included, in words that no model chose: what to show to a user who is to confirm it.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// What the analysis says, or that it was left out.
    pub fn analysis(&self) -> &Soundness {
        &self.analysis
    }

    /// The checker's warnings and notes.
    pub fn warnings(&self) -> &Problems {
        &self.warnings
    }

    /// The values of its parameters, by name, as far as the sentence came with them.
    pub fn values(&self) -> &[(String, String)] {
        &self.values
    }

    /// Everything that was said and done.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// A session under it and the policies, with the values of its parameters, and on the day if there was one.
    pub fn session(&self) -> SessionBuilder {
        let mut builder = Session::builder(Arc::clone(&self.specification));
        if let Some(today) = self.today {
            builder = builder.today(today);
        }
        for policy in &self.policies {
            builder = builder.policy(Arc::clone(policy));
        }
        self.values.iter().fold(builder, |builder, (name, value)| builder.parameter(name, value))
    }
}

/// Why there is no specification.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// None of the drafts held up.
    #[error("none of {drafts} drafts holds up")]
    Drafts {
        /// How many there were.
        drafts: usize,
    },
    /// The calls of the budget are spent.
    #[error("{calls} calls of models were made, which is the limit")]
    Calls {
        /// The limit.
        calls: usize,
    },
    /// The tokens of the budget are spent.
    #[error("{tokens} tokens are used, and the limit is {limit}")]
    Tokens {
        /// How many were used.
        tokens: u64,
        /// The limit.
        limit: u64,
    },
    /// A model gave no answer.
    #[error("{0}")]
    Model(#[source] ModelError),
    /// A model gave no usable answer to a question about a draft.
    #[error("no usable answer about a draft: {feedback}")]
    Unusable {
        /// What it was asked for.
        purpose: Purpose,
        /// What was wrong with its last answer.
        feedback: String,
    },
    /// The samples don't agree: no class of one meaning holds more than half of them.
    #[error("{samples} samples, and no meaning that more than half of them have")]
    NoMajority {
        /// How many there were.
        samples: usize,
    },
    /// The encoder can't be used so, or solver and evaluator disagree.
    #[error("{0}")]
    Fault(Fault),
}

/// No specification, and everything that was tried.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{why}")]
pub struct NotEncoded {
    why: Box<Why>,
    accounts: Vec<Account>,
    votes: Option<Box<Votes>>,
}

impl NotEncoded {
    fn new(why: Why, account: Account) -> NotEncoded {
        NotEncoded { why: Box::new(why), accounts: vec![account], votes: None }
    }

    /// Why there is none.
    pub fn why(&self) -> &Why {
        &self.why
    }

    /// Everything that was said and done, for each sample one.
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// How the samples came out, if there were several.
    pub fn votes(&self) -> Option<&Votes> {
        self.votes.as_deref()
    }

    /// As a fault, E0830, with what was wrong with the last draft.
    pub fn fault(&self) -> Fault {
        if let Why::Fault(fault) = &*self.why {
            return fault.clone();
        }
        let fault =
            Fault::new(Code::NotEncoded, format!("the sentence became no specification: {}", self.why));
        let last = self.accounts.last().and_then(|account| account.attempts.last());
        match last.and_then(|attempt| attempt.outcome.told()) {
            Some(told) => fault.help(told),
            None => fault,
        }
    }
}
