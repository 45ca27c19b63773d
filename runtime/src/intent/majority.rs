//! Several samples of one sentence, counted by what they mean (VeriSafe Agent, section 8.2, "majority at N").

use super::account::{Account, indented};
use super::meaning::{Meaning, same};
use super::{Encoded, Encoder, NotEncoded, Sentence, Why};
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::input::on_one_line;
use intentgate_engine::ir::Specification;
use serde::Serialize;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// How freely samples vary: at 0 they would all be the same.
const TEMPERATURE: f64 = 0.7;

/// How specifications were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// By meaning, with the solver.
    ByMeaning,
    /// By their text in a normal form: this program was built without the solver (feature `z3`). Two that mean the same
    /// may count as different.
    ByText,
}

/// Samples that mean the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Class {
    /// Their numbers, from 1.
    pub samples: Vec<usize>,
    /// The specification of the first of them.
    pub text: String,
}

/// Where two classes part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The first samples of the two classes.
    pub between: (usize, usize),
    /// The situation that shows it, if one was found.
    pub shown: Option<String>,
}

/// How the samples came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Votes {
    /// How many samples were wanted: more than half of them decide.
    pub samples: usize,
    /// How many were taken: the others could not have changed what comes out.
    pub taken: usize,
    /// How they were compared.
    pub compared: Compared,
    /// The classes, the largest first; of equally large ones the earlier.
    pub classes: Vec<Class>,
    /// Samples without a specification, with the reason.
    pub failed: Vec<(usize, String)>,
    /// Where the largest class parts from each of the others.
    pub disagreements: Vec<Disagreement>,
}

/// A specification that more than half of the samples mean.
#[derive(Debug, Clone)]
pub struct Majority {
    /// The first sample of the largest class.
    pub encoded: Encoded,
    /// How the samples came out.
    pub votes: Votes,
    /// Everything that was said and done, for each sample one.
    pub accounts: Vec<Account>,
}

impl Encoder<'_> {
    /// Encodes a sentence so often, and takes the meaning that more than half of the samples have. A sample that fails
    /// counts, and is of nobody's meaning. Each sample has a budget of its own and a seed of its own. It ends as soon as
    /// no further sample can change what comes out, and when a model can't be asked at all.
    ///
    /// # Errors
    /// There is no such meaning, or no sample came to a specification.
    pub async fn majority(
        &self,
        sentence: impl Into<Sentence>,
        samples: NonZeroUsize,
    ) -> Result<Majority, NotEncoded> {
        let sentence = sentence.into();
        let mut count = Count::default();
        for number in 0..samples.get() {
            let seed = self.seed.unwrap_or_default().wrapping_add(u64::try_from(number).unwrap_or_default());
            let temperature =
                if samples.get() > 1 && self.temperature <= 0.0 { TEMPERATURE } else { self.temperature };
            let sampler = self.clone().sampling(temperature, Some(seed));
            let sample = sampler.encode(sentence.clone()).await;
            if let Err(fault) = count.add(number + 1, sample, &self.policies) {
                let (why, accounts) = (Box::new(Why::Fault(fault)), count.accounts);
                return Err(NotEncoded { why, accounts, votes: None });
            }
            if count.is_settled(samples.get()) {
                break;
            }
        }
        count.close(self, samples.get())
    }
}

#[derive(Default)]
struct Count {
    held: Vec<(usize, Encoded)>,
    /// Those of one meaning, by their places.
    classes: Vec<Vec<usize>>,
    failed: Vec<(usize, Why)>,
    accounts: Vec<Account>,
}

impl Count {
    fn add(
        &mut self,
        number: usize,
        sample: Result<Encoded, NotEncoded>,
        policies: &[Arc<Specification>],
    ) -> Result<(), Fault> {
        match sample {
            Ok(encoded) => {
                let class = self.class(&encoded, policies)?;
                match self.classes.get_mut(class) {
                    Some(class) => class.push(self.held.len()),
                    None => self.classes.push(vec![self.held.len()]),
                }
                self.accounts.push(encoded.account().clone());
                self.held.push((number, encoded));
            }
            Err(failed) => {
                self.accounts.extend(failed.accounts);
                self.failed.push((number, *failed.why));
            }
        }
        Ok(())
    }

    /// Where the class of this meaning stands; behind the last if there is none yet.
    fn class(&self, encoded: &Encoded, policies: &[Arc<Specification>]) -> Result<usize, Fault> {
        for (place, class) in self.classes.iter().enumerate() {
            let first = class.first().and_then(|first| self.held.get(*first));
            let Some((_, first)) = first else { continue };
            if same(first.specification(), encoded.specification(), policies)? == Meaning::Same {
                return Ok(place);
            }
        }
        Ok(self.classes.len())
    }

    /// Whether no further sample can change what comes out: a meaning has more than half of them already, none can
    /// have that any more, or the model can't be asked.
    fn is_settled(&self, samples: usize) -> bool {
        let gone = self.failed.last().is_some_and(|(_, why)| matches!(why, Why::Model(_) | Why::Fault(_)));
        let left = samples.saturating_sub(self.held.len() + self.failed.len());
        let largest = self.classes.iter().map(Vec::len).max().unwrap_or_default();
        gone || largest * 2 > samples || (largest + left) * 2 <= samples
    }

    fn close(self, encoder: &Encoder<'_>, samples: usize) -> Result<Majority, NotEncoded> {
        let Count { held, classes, failed, accounts } = self;
        let fail = |why: Why, votes| NotEncoded { why: Box::new(why), accounts: accounts.clone(), votes };
        // The first of each class, and who is in it.
        let mut classes: Vec<(&Encoded, Vec<usize>)> = classes
            .iter()
            .filter_map(|class| {
                let members = class.iter().filter_map(|place| held.get(*place));
                let (_, first) = members.clone().next()?;
                Some((first, members.map(|(number, _)| *number).collect()))
            })
            .collect();
        classes.sort_by_key(|(_, numbers)| std::cmp::Reverse(numbers.len()));
        let mut disagreements = Vec::new();
        if let Some(((first, numbers), others)) = classes.split_first() {
            for (other, others) in others {
                let meaning = same(first.specification(), other.specification(), &encoder.policies);
                let shown = match meaning.map_err(|fault| fail(Why::Fault(fault), None))? {
                    Meaning::Differs { shown } => Some(shown),
                    Meaning::Same | Meaning::Unknown => None,
                };
                let first_of = |numbers: &[usize]| numbers.first().copied().unwrap_or_default();
                disagreements.push(Disagreement { between: (first_of(numbers), first_of(others)), shown });
            }
        }
        let votes = Votes {
            samples,
            taken: held.len() + failed.len(),
            compared: if cfg!(feature = "z3") { Compared::ByMeaning } else { Compared::ByText },
            classes: classes
                .iter()
                .map(|(first, samples)| Class { samples: samples.clone(), text: first.text().to_owned() })
                .collect(),
            failed: failed.iter().map(|(number, why)| (*number, why.to_string())).collect(),
            disagreements,
        };
        match (classes.first(), failed.last()) {
            (Some((first, numbers)), _) if numbers.len() * 2 > samples => {
                Ok(Majority { encoded: (*first).clone(), votes, accounts })
            }
            // One sample alone fails for its own reason, and what keeps all of them from being asked is the reason.
            (_, Some((_, why))) if samples == 1 || matches!(why, Why::Model(_) | Why::Fault(_)) => {
                Err(fail(why.clone(), Some(Box::new(votes))))
            }
            _ => Err(fail(Why::NoMajority { samples }, Some(Box::new(votes)))),
        }
    }
}

impl fmt::Display for Votes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.compared {
            Compared::ByMeaning => "compared by meaning",
            Compared::ByText => "compared by text: this program has no solver",
        };
        let samples = if self.samples == 1 { "sample" } else { "samples" };
        let taken = match self.taken {
            taken if taken < self.samples => format!(", {taken} of them taken"),
            _ => String::new(),
        };
        writeln!(f, "{} {samples}{taken}, {how}", self.samples)?;
        let listed = |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        for class in &self.classes {
            let samples = if class.samples.len() == 1 { "sample" } else { "samples" };
            writeln!(f, "  {samples} {}:", listed(&class.samples))?;
            indented(f, &class.text)?;
        }
        for (number, why) in &self.failed {
            writeln!(f, "  sample {number}: {}", on_one_line(why))?;
        }
        for Disagreement { between: (first, second), shown } in &self.disagreements {
            writeln!(f, "  sample {first} (the first) and sample {second} (the second) part:")?;
            let shown = shown.as_deref().unwrap_or("nobody could find out whether they mean the same");
            indented(f, shown)?;
        }
        Ok(())
    }
}
