//! Several selectors together.

use super::{Candidate, Ranked, SelectError, Selecting, Selection, Selector, Thresholds, rounded};
use std::fmt;

/// Ranks by the weighted mean of what several selectors say. The candidate that all of them rank first rises by a
/// quarter of what it lacks. A selector that fails is an error of the whole: what was to be asked is not left out.
pub struct Combined {
    parts: Vec<(Box<dyn Selector>, f64)>,
    thresholds: Thresholds,
}

/// How much of what is lacking agreement adds.
const AGREED: f64 = 0.25;

impl Default for Combined {
    fn default() -> Combined {
        Combined { parts: Vec::new(), thresholds: Combined::THRESHOLDS }
    }
}

impl Combined {
    /// The thresholds that it has without others.
    pub const THRESHOLDS: Thresholds = Thresholds { least: 0.5, margin: 0.08 };

    /// Of nothing yet.
    pub fn new() -> Combined {
        Combined::default()
    }

    /// With a further selector, which counts as much as its weight says; 0 or less is not at all.
    #[must_use]
    pub fn with(mut self, selector: impl Selector + 'static, weight: f64) -> Combined {
        if weight.is_finite() && weight > 0.0 {
            self.parts.push((Box::new(selector), weight));
        }
        self
    }

    /// With other thresholds.
    #[must_use]
    pub fn thresholds(mut self, thresholds: Thresholds) -> Combined {
        self.thresholds = thresholds;
        self
    }

    async fn rank(&self, sentence: &str, candidates: &[Candidate]) -> Result<Selection, SelectError> {
        let mut said = Vec::new();
        for (part, weight) in &self.parts {
            said.push((part.select(sentence, candidates).await?, *weight));
        }
        let whole: f64 = said.iter().map(|(_, weight)| weight).sum();
        if whole <= 0.0 {
            return Err(SelectError::NoParts);
        }
        let agreed = agreed(&said);
        let ranked = candidates.iter().enumerate().map(|(index, candidate)| {
            let found = |selection: &Selection| {
                selection.ranked.iter().find(|one| one.index == index).map_or(0.0, |one| one.confidence)
            };
            let mean = said.iter().map(|(selection, weight)| weight * found(selection)).sum::<f64>() / whole;
            let raised = if agreed == Some(index) { mean + (1.0 - mean) * AGREED } else { mean };
            let each = said.iter().map(|(selection, _)| format!("{:.3}", found(selection)));
            let mut reasoning = each.collect::<Vec<_>>().join(" and ");
            if agreed == Some(index) {
                reasoning.push_str(", and all rank it first");
            }
            // What one knows to be the opposite, the others don't make good.
            let mut ranked = said.iter().flat_map(|(selection, _)| &selection.ranked);
            let against = ranked.find_map(|one| one.against.clone().filter(|_| one.index == index));
            Ranked { index, name: candidate.name.clone(), confidence: rounded(raised), reasoning, against }
        });
        let mut selection = Selection::new(ranked, self.thresholds);
        selection.transcript = said.into_iter().find_map(|(one, _)| one.transcript);
        Ok(selection)
    }
}

/// What every selector ranks first, alone, if there are several selectors.
fn agreed(said: &[(Selection, f64)]) -> Option<usize> {
    let mut firsts = said.iter().map(|(selection, _)| {
        let first = selection.ranked.first()?;
        let tied = selection.ranked.get(1).is_some_and(|second| second.confidence >= first.confidence);
        (!tied).then_some(first.index)
    });
    let first = firsts.next()??;
    (said.len() > 1 && firsts.all(|other| other == Some(first))).then_some(first)
}

impl Selector for Combined {
    fn select<'a>(&'a self, sentence: &'a str, candidates: &'a [Candidate]) -> Selecting<'a> {
        Box::pin(self.rank(sentence, candidates))
    }
}

impl fmt::Debug for Combined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights: Vec<f64> = self.parts.iter().map(|(_, weight)| *weight).collect();
        f.debug_struct("Combined").field("weights", &weights).field("thresholds", &self.thresholds).finish()
    }
}
