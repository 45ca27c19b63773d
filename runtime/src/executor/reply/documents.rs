//! What is known of elements: a document for each, kept under its published name (AppAgent, section 3.2).

use super::call::AgentAction;
use super::problem::ReplyProblem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was done with an element: each has its own text in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interaction {
    /// It was tapped.
    Tap,
    /// A text was typed into it.
    Text,
    /// It was swiped up or down.
    VSwipe,
    /// It was swiped to the left or right.
    HSwipe,
    /// It was pressed long.
    LongPress,
}

impl Interaction {
    /// All of them, in the published order.
    pub const ALL: [Interaction; 5] = [
        Interaction::Tap,
        Interaction::Text,
        Interaction::VSwipe,
        Interaction::HSwipe,
        Interaction::LongPress,
    ];

    /// What an action does with its element; nothing if it has none.
    pub fn of(action: &AgentAction) -> Option<Interaction> {
        match action {
            AgentAction::Tap(_) => Some(Interaction::Tap),
            AgentAction::Text(_) => Some(Interaction::Text),
            AgentAction::LongPress(_) => Some(Interaction::LongPress),
            AgentAction::Swipe { direction, .. } if direction.is_vertical() => Some(Interaction::VSwipe),
            AgentAction::Swipe { .. } => Some(Interaction::HSwipe),
            AgentAction::Back | AgentAction::Grid | AgentAction::Finish => None,
        }
    }
}

/// What is known of one element: a text for each interaction, empty if nothing is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Document {
    /// What tapping it does.
    pub tap: String,
    /// What is typed into it.
    pub text: String,
    /// What swiping it up or down does.
    pub v_swipe: String,
    /// What swiping it to the left or right does.
    pub h_swipe: String,
    /// What pressing it long does.
    pub long_press: String,
}

impl Document {
    /// The text for an interaction; nothing if there is none.
    pub fn get(&self, interaction: Interaction) -> Option<&str> {
        let text = match interaction {
            Interaction::Tap => &self.tap,
            Interaction::Text => &self.text,
            Interaction::VSwipe => &self.v_swipe,
            Interaction::HSwipe => &self.h_swipe,
            Interaction::LongPress => &self.long_press,
        };
        Some(text.as_str()).filter(|text| !text.is_empty())
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        Interaction::ALL.iter().all(|interaction| self.get(*interaction).is_none())
    }

    fn slot(&mut self, interaction: Interaction) -> &mut String {
        match interaction {
            Interaction::Tap => &mut self.tap,
            Interaction::Text => &mut self.text,
            Interaction::VSwipe => &mut self.v_swipe,
            Interaction::HSwipe => &mut self.h_swipe,
            Interaction::LongPress => &mut self.long_press,
        }
    }

    /// Takes over what a newer document says, and keeps the rest. A newer text replaces an older one: as
    /// published, the model that wrote it was shown the older one and has combined both. Returns what was
    /// replaced by something else, with the older texts.
    pub fn merge(&mut self, newer: &Document) -> Vec<(Interaction, String)> {
        let mut replaced = Vec::new();
        for interaction in Interaction::ALL {
            let Some(text) = newer.get(interaction) else { continue };
            let slot = self.slot(interaction);
            if slot != text {
                let older = std::mem::replace(slot, text.to_owned());
                replaced.extend(Some((interaction, older)).filter(|(_, older)| !older.is_empty()));
            }
        }
        replaced
    }
}

/// The documents of an app's elements, by their published names ([`crate::executor::screen::Screen::uid`]).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Documents(BTreeMap<String, Document>);

impl Documents {
    /// What is known of an element.
    pub fn get(&self, uid: &str) -> Option<&Document> {
        self.0.get(uid)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Document)> {
        self.0.iter().map(|(uid, document)| (uid.as_str(), document))
    }

    /// Writes down what an interaction with an element does. Returns the text that was there before and is
    /// another one.
    ///
    /// # Errors
    /// The text says nothing, is too long, or speaks of numeric tags: it has to be good on every screen.
    pub fn learn(
        &mut self,
        uid: &str,
        interaction: Interaction,
        text: &str,
    ) -> Result<Option<String>, ReplyProblem> {
        let text = text.trim();
        super::bounded(text)?;
        if text.len() > LONGEST {
            return Err(ReplyProblem::TooLong { bytes: text.len(), limit: LONGEST });
        }
        general(text)?;
        let mut newer = Document::default();
        text.clone_into(newer.slot(interaction));
        let replaced = self.0.entry(uid.to_owned()).or_default().merge(&newer);
        Ok(replaced.into_iter().next().map(|(_, older)| older))
    }

    /// Takes over what newer documents say, and keeps the rest, see [`Document::merge`].
    pub fn merge(&mut self, newer: &Documents) {
        for (uid, document) in newer.0.iter().filter(|(_, document)| !document.is_empty()) {
            self.0.entry(uid.clone()).or_default().merge(document);
        }
    }
}

/// Bytes of one text.
const LONGEST: usize = 2_000;

/// Words after which a number is a tag.
const NAMED: [&str; 12] = [
    "tag", "tags", "tagged", "label", "labeled", "labelled", "element", "elements", "number", "numbered",
    "uid", "numeric",
];

/// Whether a document is good on every screen: it names no element by a tag, as in `element 5`, `the button
/// labeled with the number '12'` or `[5]`.
pub(super) fn general(text: &str) -> Result<(), ReplyProblem> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| {
        let digits = word.trim_matches(|c: char| !c.is_alphanumeric());
        (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    for (at, word) in words.iter().enumerate().filter(|(_, word)| number(word)) {
        let before = words.get(at.saturating_sub(4)..at).unwrap_or(&[]);
        let marked = word.starts_with('#') || (word.starts_with('[') && word.contains(']'));
        if marked || speaks_of_tags(before) {
            let found = words.get(at.saturating_sub(4)..=at).unwrap_or(&[]).join(" ");
            return Err(ReplyProblem::NotGeneral { found });
        }
    }
    Ok(())
}

/// Whether words before a number make a tag of it: one of the names, and after it only small words.
fn speaks_of_tags(before: &[&str]) -> bool {
    let lower = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    for word in before.iter().rev().map(lower) {
        if NAMED.contains(&word.as_str()) {
            return true;
        }
        if !["with", "the", "as", "by", "is", "a", "no", "nr", "of", ""].contains(&word.as_str()) {
            return false;
        }
    }
    false
}
