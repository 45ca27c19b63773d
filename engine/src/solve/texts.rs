//! Texts: finite sets of them where that is exact, strings where it is not.
//!
//! Variables and parameters that are compared with one another belong to one class. A class that only
//! asks for equality, or that no comparison of two variables joins, distinguishes no more texts than its
//! constants and one other for each of its members.

use super::terms::Members;
use crate::comparison::compare;
use crate::operator::Operator;
use crate::text::Similarity;
use crate::truth::Truth;
use crate::value::{Text, Value};

/// What the texts of a class range over.
#[derive(Debug, Clone)]
pub(super) enum TextSort {
    /// These texts: the constants, then others.
    Finite { members: Members, texts: Vec<Text> },
    /// All texts.
    Open,
}

/// What is known of a class before its sort is made.
#[derive(Debug, Clone, Default)]
pub(super) struct Class {
    /// The constants, each once, in the order of their use.
    pub(super) constants: Vec<Text>,
    /// How many variables and parameters it has.
    pub(super) members: usize,
    /// Whether only equality is asked for.
    pub(super) equality: bool,
    /// Whether a comparison joins two of its members.
    pub(super) joined: bool,
}

/// The most constants and members of a class whose texts are listed, and the most texts of one that a
/// comparison joins, where every pair counts.
const MOST: (usize, usize, usize) = (64, 16, 24);

impl Class {
    pub(super) fn add(&mut self, constant: &Text) {
        if !self.constants.contains(constant) {
            self.constants.push(constant.clone());
        }
    }

    /// Whether no other texts can matter than those of [`Class::listed`].
    pub(super) fn is_exact(&self) -> bool {
        let most = if self.joined { MOST.2 } else { MOST.0 };
        self.equality && self.constants.len() <= most && self.members <= MOST.1
    }

    /// The sort of the class: all texts if it is not exact and not `closed`.
    pub(super) fn sort(&self, name: &str, measure: &dyn Similarity, closed: bool) -> TextSort {
        if !self.is_exact() && !closed {
            return TextSort::Open;
        }
        let texts = self.listed(measure);
        TextSort::Finite { members: Members::new(name, texts.len()), texts }
    }

    /// The constants, texts made of them if more than equality is asked for, and others.
    fn listed(&self, measure: &dyn Similarity) -> Vec<Text> {
        let most = if self.joined { MOST.2 } else { 2 * MOST.0 };
        let mut texts: Vec<Text> = self.constants.iter().take(most).cloned().collect();
        if !self.equality {
            texts.extend(candidates(&self.constants).iter().map(|candidate| Text::new(candidate)));
            let mut seen = hashbrown::HashSet::new();
            texts.retain(|text| seen.insert(text.clone()));
            texts.truncate(most);
        }
        let others = if self.joined { self.members.clamp(1, MOST.1) } else { 1 };
        for _ in 0..others {
            texts.push(other(&texts, measure));
        }
        texts
    }
}

/// Readable texts that may do: the constants, in other cases, two of them together, plain words.
pub(super) fn candidates(constants: &[Text]) -> Vec<String> {
    let mut candidates: Vec<String> = constants.iter().map(|constant| constant.as_str().to_owned()).collect();
    let pairs = constants.iter().enumerate().flat_map(|(place, first)| {
        let rest = constants.iter().skip(place + 1);
        rest.map(move |second| format!("{} {}", first.as_str(), second.as_str()))
    });
    candidates.extend(pairs.take(64));
    candidates.extend(constants.iter().map(|constant| constant.as_str().to_lowercase()));
    candidates.extend(constants.iter().map(|constant| constant.as_str().to_uppercase()));
    // A part of a constant may be what is asked for.
    candidates.extend(
        constants.iter().flat_map(|constant| constant.as_str().split_whitespace()).map(str::to_owned),
    );
    candidates.extend(WORDS.iter().take(3).map(|word| (*word).to_owned()));
    let mut seen = hashbrown::HashSet::new();
    candidates.retain(|candidate| seen.insert(candidate.clone()));
    candidates
}

/// Plain short words, for texts that are none of the constants.
const WORDS: &[&str] = &["other", "another", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

/// A text that differs from others in every way: not equal, not alike, not similar, in any case.
fn other(texts: &[Text], measure: &dyn Similarity) -> Text {
    let different = |word: &Text| {
        let value = Value::Text(word.clone());
        texts.iter().all(|text| {
            let text = Value::Text(text.clone());
            compare(Operator::Equal, &value, &text, true, measure) == Truth::False
                && compare(Operator::Similar, &value, &text, true, measure) == Truth::False
        })
    };
    let plain = WORDS.iter().map(|word| Text::new(word));
    let numbered = (1..).map(|number| Text::new(&format!("text {number}")));
    plain.chain(numbered.take(10_000)).find(different).unwrap_or_else(|| Text::new("something else"))
}
