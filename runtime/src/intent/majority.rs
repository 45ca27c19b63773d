//! Several samples of one sentence, counted by what they mean (VeriSafe Agent, section 8.2, "majority at N").

use super::account::{Account, indented};
use super::meaning::{Meaning, same};
use super::{Encoded, Encoder, NotEncoded, Sentence, Why};
use intentgate_engine::input::on_one_line;
use serde::Serialize;
use std::fmt;
use std::num::NonZeroUsize;

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
    /// How many samples there were.
    pub samples: usize,
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
    /// counts, and is of nobody's meaning. Each sample has a budget of its own and a seed of its own.
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
            count.add(number + 1, sampler.encode(sentence.clone()).await);
        }
        count.close(self, samples.get())
    }
}

#[derive(Default)]
struct Count {
    held: Vec<(usize, Encoded)>,
    failed: Vec<(usize, Why)>,
    accounts: Vec<Account>,
}

impl Count {
    fn add(&mut self, number: usize, sample: Result<Encoded, NotEncoded>) {
        match sample {
            Ok(encoded) => {
                self.accounts.push(encoded.account().clone());
                self.held.push((number, encoded));
            }
            Err(failed) => {
                self.accounts.extend(failed.accounts);
                self.failed.push((number, *failed.why));
            }
        }
    }

    fn close(self, encoder: &Encoder<'_>, samples: usize) -> Result<Majority, NotEncoded> {
        let Count { held, failed, accounts } = self;
        let fail = |why: Why, votes| NotEncoded { why: Box::new(why), accounts: accounts.clone(), votes };
        // The first of each class, and who else is in it.
        let mut classes: Vec<(&Encoded, Vec<usize>)> = Vec::new();
        for (number, encoded) in &held {
            let mut found = None;
            for (place, (first, _)) in classes.iter().enumerate() {
                let meaning = same(first.specification(), encoded.specification(), &encoder.policies);
                if meaning.map_err(|fault| fail(Why::Fault(fault), None))? == Meaning::Same {
                    found = Some(place);
                    break;
                }
            }
            match found.and_then(|place| classes.get_mut(place)) {
                Some((_, numbers)) => numbers.push(*number),
                None => classes.push((encoded, vec![*number])),
            }
        }
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
            compared: if cfg!(feature = "z3") { Compared::ByMeaning } else { Compared::ByText },
            classes: classes
                .iter()
                .map(|(first, samples)| Class { samples: samples.clone(), text: first.text().to_owned() })
                .collect(),
            failed: failed.iter().map(|(number, why)| (*number, why.to_string())).collect(),
            disagreements,
        };
        match (classes.first(), failed.first()) {
            (Some((first, numbers)), _) if numbers.len() * 2 > samples => {
                Ok(Majority { encoded: (*first).clone(), votes, accounts })
            }
            // One sample alone fails for its own reason.
            (None, Some((_, why))) if samples == 1 => Err(fail(why.clone(), Some(Box::new(votes)))),
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
        writeln!(f, "{} {samples}, {how}", self.samples)?;
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
