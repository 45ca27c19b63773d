//! How similar two sentences are, by their words.

use intentgate_engine::text::{LocalSimilarity, Similarity, normal};
use intentgate_engine::truth::Truth;
use std::collections::BTreeMap;

/// How much of the similarity comes from the words; the rest from the names of what an entry uses.
const WORDS: f64 = 0.75;
/// What a short word counts: mostly it is one that every sentence has.
const SHORT: f64 = 0.2;

/// Sentences, and how many of them have a word.
pub(super) struct Words {
    sentences: usize,
    having: BTreeMap<String, usize>,
}

impl Words {
    pub(super) fn new<'a>(sentences: impl Iterator<Item = &'a str>) -> Words {
        let mut words = Words { sentences: 0, having: BTreeMap::new() };
        for sentence in sentences {
            words.sentences += 1;
            for word in split(sentence) {
                *words.having.entry(word).or_default() += 1;
            }
        }
        words
    }

    /// From 0, nothing in common, to 1: what they have in common of what both say, by the weights of the words, and how
    /// many of the names the sentence has.
    pub(super) fn similarity(&self, one: &str, other: &str, names: &[String]) -> f64 {
        let (one, other) = (split(one), split(other));
        let weigh = |words: &[String]| words.iter().map(|word| self.weight(word)).sum::<f64>();
        let common = |some: &[String], others: &[String]| {
            let shared = some.iter().filter(|word| others.iter().any(|other| alike(word, other)));
            shared.map(|word| self.weight(word)).sum::<f64>()
        };
        let all = weigh(&one) + weigh(&other);
        if all <= 0.0 {
            return 0.0;
        }
        let said = (common(&one, &other) + common(&other, &one)) / all;
        let mut named: Vec<String> = names.iter().flat_map(|name| split(name)).collect();
        named.sort();
        named.dedup();
        let met = named.iter().filter(|word| one.iter().any(|other| alike(word, other))).count();
        let share = if named.is_empty() { said } else { ratio(met, named.len()) };
        WORDS * said + (1.0 - WORDS) * share
    }

    /// A word that few sentences have says more.
    fn weight(&self, word: &str) -> f64 {
        let having = self.having.get(word).copied().unwrap_or_default();
        let rare = 1.0 + (ratio(self.sentences + 1, having + 1)).ln();
        if word.chars().count() <= 3 { SHORT * rare } else { rare }
    }
}

/// Whether a sentence has a word of a name or of a description, short ones apart.
pub(super) fn names(sentence: &str, about: &str) -> bool {
    let (sentence, about) = (split(sentence), split(about));
    let long = |word: &&String| word.chars().count() > 3;
    about.iter().filter(long).any(|word| sentence.iter().any(|other| alike(word, other)))
}

fn alike(one: &str, other: &str) -> bool {
    let stem = |word: &str| word.strip_suffix('s').filter(|stem| stem.len() > 3).unwrap_or(word).to_owned();
    one == other
        || stem(one) == stem(other)
        || LocalSimilarity.similar(one, other) == Truth::True
        // `reserve`, `reservation`
        || (one.chars().count() >= 5
            && other.chars().count() >= 5
            && one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count() >= 6)
}

#[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// The words of a sentence or of an identifier, in lower case, each once.
fn split(text: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut lower = false;
    for c in normal::nfc(text).chars().take(4_000) {
        if c.is_uppercase() && lower {
            spaced.push(' ');
        }
        lower = c.is_lowercase();
        spaced.push(if c.is_alphanumeric() { c } else { ' ' });
    }
    let mut words: Vec<String> = normal::fold(&spaced).split(' ').map(str::to_owned).collect();
    words.retain(|word| !word.is_empty());
    words.sort();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_ask_for_the_same_are_more_alike() {
        let known =
            ["Reserve restaurant R before 7 PM", "Cancel my reservation for tomorrow", "Send Bob 20 euros"];
        let words = Words::new(known.into_iter());
        let names = ["ReserveInfo".to_owned(), "time".to_owned()];
        let near = words.similarity("Reserve Chez Panisse before 8 PM", known[0], &names);
        let far = words.similarity("Reserve Chez Panisse before 8 PM", known[2], &["Transfer".to_owned()]);
        assert!(near > 0.3 && far < 0.2, "{near} {far}");
        assert!(words.similarity("", "", &[]).abs() < 1e-9);
        assert!(names_of("make a reservation", "ReserveInfo"));
        assert!(!names_of("send a mail", "ReserveInfo"));
    }

    fn names_of(sentence: &str, about: &str) -> bool {
        names(sentence, about)
    }
}
