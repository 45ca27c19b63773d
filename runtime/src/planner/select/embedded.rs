//! Selection by the nearness of embeddings (Agent+P, section 4.2).

use super::words::{Splitter, spaced};
use super::{Candidate, Ranked, SelectError, Selecting, Selection, Selector, Thresholds, opposite};
use crate::language_model::ModelError;
use std::pin::Pin;

/// Embeddings, once they are there: one for each text, in order.
pub type Embedding<'a> = Pin<Box<dyn Future<Output = Result<Vec<Vec<f32>>, ModelError>> + Send + 'a>>;

/// Makes vectors of texts. The model behind it is the user's.
pub trait Embedder: Send + Sync {
    /// A vector for each text, all of the same length.
    fn embed<'a>(&'a self, texts: &'a [String]) -> Embedding<'a>;
}

/// Ranks by the cosine between the sentence's vector and each candidate's. Names come apart before they are
/// embedded: `Select Time Zone Activity: …`. The confidence is the cosine, 0 where it is negative; how high it gets
/// is a matter of the model, and so are the thresholds.
#[derive(Debug, Clone)]
pub struct Embedded<E> {
    embedder: E,
    thresholds: Thresholds,
}

impl<E: Embedder> Embedded<E> {
    /// Near for models of sentences: related texts have a cosine above 0.5, and several hundredths tell them apart.
    pub const THRESHOLDS: Thresholds = Thresholds { least: 0.5, margin: 0.03 };

    /// With the embedder's vectors.
    pub fn new(embedder: E) -> Embedded<E> {
        Embedded { embedder, thresholds: Self::THRESHOLDS }
    }

    /// With other thresholds.
    #[must_use]
    pub fn thresholds(mut self, thresholds: Thresholds) -> Embedded<E> {
        self.thresholds = thresholds;
        self
    }

    async fn rank(&self, sentence: &str, candidates: &[Candidate]) -> Result<Selection, SelectError> {
        let texts: Vec<String> =
            std::iter::once(sentence.to_owned()).chain(candidates.iter().map(text)).collect();
        let vectors = self.embedder.embed(&texts).await.map_err(SelectError::Embedder)?;
        if vectors.len() != texts.len() {
            let why = format!("{} vectors for {} texts", vectors.len(), texts.len());
            return Err(SelectError::Embedding(why.into()));
        }
        let Some((asked, known)) = vectors.split_first() else {
            return Err(SelectError::Embedding("no vectors".into()));
        };
        // A sentence and its negation have about the same vector.
        let splitter = Splitter::new();
        let turns = opposite::turns(&splitter, sentence);
        let ranked = candidates.iter().zip(known).enumerate().map(|(index, (candidate, vector))| {
            let confidence = cosine(asked, vector).map_err(|why| SelectError::Embedding(why.into()))?;
            let reasoning = format!("cosine {confidence:.3}");
            let against = opposite::against(&splitter, &turns, candidate);
            Ok(Ranked { index, name: candidate.name.clone(), confidence, reasoning, against })
        });
        Ok(Selection::new(ranked.collect::<Result<Vec<_>, SelectError>>()?, self.thresholds))
    }
}

fn text(candidate: &Candidate) -> String {
    let name = spaced(&candidate.name);
    if candidate.description.is_empty() { name } else { format!("{name}: {}", candidate.description) }
}

fn cosine(one: &[f32], other: &[f32]) -> Result<f64, String> {
    if one.len() != other.len() {
        return Err(format!("vectors of {} and of {} numbers", one.len(), other.len()));
    }
    let product = |one: &[f32], other: &[f32]| -> f64 {
        one.iter().zip(other).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum()
    };
    let length = (product(one, one) * product(other, other)).sqrt();
    let cosine = product(one, other) / length;
    if cosine.is_finite() {
        Ok(cosine)
    } else {
        Err("a vector of nothing, or with what is no number".to_owned())
    }
}

impl<E: Embedder> Selector for Embedded<E> {
    fn select<'a>(&'a self, sentence: &'a str, candidates: &'a [Candidate]) -> Selecting<'a> {
        Box::pin(self.rank(sentence, candidates))
    }
}
