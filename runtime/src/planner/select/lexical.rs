//! Selection by words: no model, no network, the same answer everywhere.

use super::words::{Splitter, Word};
use super::{Candidate, Ranked, Selecting, Selection, Selector, Thresholds, opposite};
use std::collections::BTreeMap;
use std::fmt;

/// Ranks by the words that a sentence and a candidate have in common.
///
/// Identifiers come apart (`SelectTimeZoneActivity`), words are compared by their English stems, a few synonyms, a
/// slip of one letter in long words, and common beginnings. A word counts by how few candidates have it, so that
/// `Activity` says nothing; the words of a name count for more than those of a description. The confidence is how
/// much of the sentence the candidate explains, and how much of its name is asked for.
///
/// Takes time in proportion to the words of the sentence times those of the candidates. It knows no meaning: that
/// "zip" has to do with compressing is in its list, that "how loud" has to do with volume is not.
pub struct Lexical {
    splitter: Splitter,
    thresholds: Thresholds,
}

/// What a word of a description counts, compared with one of a name.
const DESCRIPTION: f64 = 0.75;
/// How much of the confidence is how much of the sentence is explained; the rest is how much of the name is asked for.
const EXPLAINED: f64 = 0.7;

impl Default for Lexical {
    fn default() -> Lexical {
        Lexical { splitter: Splitter::new(), thresholds: Lexical::THRESHOLDS }
    }
}

impl Lexical {
    /// The thresholds that it has without others.
    pub const THRESHOLDS: Thresholds = Thresholds { least: 0.3, margin: 0.08 };

    /// For English sentences.
    pub fn new() -> Lexical {
        Lexical::default()
    }

    /// With other thresholds.
    #[must_use]
    pub fn thresholds(mut self, thresholds: Thresholds) -> Lexical {
        self.thresholds = thresholds;
        self
    }

    /// With further words that mean about the same in the app.
    #[must_use]
    pub fn synonyms(mut self, words: &[&str]) -> Lexical {
        self.splitter.add_synonyms(words);
        self
    }

    /// The ranking, at once.
    pub fn rank(&self, sentence: &str, candidates: &[Candidate]) -> Selection {
        let words = self.splitter.of_sentence(sentence);
        let known: Vec<Known> = candidates.iter().map(|candidate| self.known(candidate)).collect();
        let rarity = Rarity::new(&known);
        let asked: Vec<Asked<'_>> = words.iter().map(|word| self.asked(word, &rarity)).collect();
        let turns = opposite::turns(&self.splitter, sentence);
        let ranked = candidates.iter().zip(&known).enumerate().map(|(index, (candidate, known))| {
            let (confidence, reasoning) = self.fit(&asked, known, &rarity);
            let against = opposite::against(&self.splitter, &turns, candidate);
            Ranked { index, name: candidate.name.clone(), confidence, reasoning, against }
        });
        Selection::new(ranked, self.thresholds)
    }

    pub(in crate::planner) fn splitter(&self) -> &Splitter {
        &self.splitter
    }

    fn known(&self, candidate: &Candidate) -> Known {
        Known {
            name: self.splitter.of_name(&candidate.name),
            description: self.splitter.of_name(&candidate.description),
        }
    }

    /// A word of the sentence with what it counts.
    fn asked<'w>(&self, word: &'w Word, rarity: &Rarity<'_>) -> Asked<'w> {
        let alike = rarity.stems().map(|stem| (self.splitter.likeness(&word.stem, stem), rarity.of(stem)));
        let best = alike.filter(|(likeness, _)| *likeness > 0.0);
        let best = best.max_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let counts = match best {
            Some((_, rarity)) => word.weight * rarity,
            None => word.unknown * rarity.rarest(),
        };
        Asked { word, counts }
    }

    fn fit(&self, asked: &[Asked<'_>], known: &Known, rarity: &Rarity<'_>) -> (f64, String) {
        let best = |stem: &str, stems: &[String]| {
            stems.iter().map(|other| self.splitter.likeness(stem, other)).fold(0.0, f64::max)
        };
        let mut explained = Vec::new();
        let (mut got, mut all) = (0.0, 0.0);
        for Asked { word, counts } in asked {
            let likeness =
                best(&word.stem, &known.name).max(DESCRIPTION * best(&word.stem, &known.description));
            if likeness > 0.0 {
                explained.push(word.text.as_str());
            }
            got += counts * likeness;
            all += counts;
        }
        if got <= 0.0 {
            return (0.0, String::new());
        }
        let (mut wanted, mut whole) = (0.0, 0.0);
        for stem in &known.name {
            let likeness = asked.iter().map(|asked| self.splitter.likeness(&asked.word.stem, stem));
            wanted += rarity.of(stem) * likeness.fold(0.0, f64::max);
            whole += rarity.of(stem);
        }
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let confidence = EXPLAINED * share(got, all) + (1.0 - EXPLAINED) * share(wanted, whole);
        (confidence, format!("it has to do with {}", explained.join(", ")))
    }
}

/// The stems of a candidate.
struct Known {
    name: Vec<String>,
    description: Vec<String>,
}

/// A word of the sentence, and what it counts.
struct Asked<'w> {
    word: &'w Word,
    counts: f64,
}

/// How few candidates have a stem.
struct Rarity<'k> {
    candidates: f64,
    having: BTreeMap<&'k str, f64>,
}

impl<'k> Rarity<'k> {
    fn new(known: &'k [Known]) -> Rarity<'k> {
        let mut having: BTreeMap<&str, f64> = BTreeMap::new();
        for one in known {
            let mut stems: Vec<&str> = one.name.iter().chain(&one.description).map(String::as_str).collect();
            stems.sort_unstable();
            stems.dedup();
            for stem in stems {
                *having.entry(stem).or_default() += 1.0;
            }
        }
        Rarity { candidates: known.iter().map(|_| 1.0).sum(), having }
    }

    fn stems(&self) -> impl Iterator<Item = &'k str> {
        self.having.keys().copied()
    }

    /// As in BM25: near 0 for what all have.
    fn of(&self, stem: &str) -> f64 {
        self.weigh(self.having.get(stem).copied().unwrap_or(1.0))
    }

    fn rarest(&self) -> f64 {
        self.weigh(1.0)
    }

    fn weigh(&self, having: f64) -> f64 {
        (1.0 + (self.candidates - having + 0.5) / (having + 0.5)).ln()
    }
}

impl Selector for Lexical {
    fn select<'a>(&'a self, sentence: &'a str, candidates: &'a [Candidate]) -> Selecting<'a> {
        Box::pin(async move { Ok(self.rank(sentence, candidates)) })
    }
}

impl fmt::Debug for Lexical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lexical").field("thresholds", &self.thresholds).finish_non_exhaustive()
    }
}
