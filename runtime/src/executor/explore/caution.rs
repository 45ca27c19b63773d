//! What an exploration leaves alone.
//!
//! Knows the vocabulary's critical actions, the model, and words. Without a specification nothing can allow a
//! critical action, and on a screen that nobody has declared an element says what it does by its words alone: what
//! may be critical is taken for it.

use super::Possible;
use crate::planner::select::{Candidate, Lexical};
use crate::planner::{Model, Origin};
use intentgate_engine::schema::Vocabulary;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;

/// Why something is left alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Danger {
    /// The model says that it is this critical action.
    Critical(String),
    /// It is called like this critical action, or nearly.
    NearName(String),
    /// It has words of this critical action's name.
    SharesWords(String),
    /// It has a word for what can't be undone.
    Word(String),
}

impl fmt::Display for Danger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Danger::Critical(action) => write!(f, "it is the critical action {action}"),
            Danger::NearName(action) => write!(f, "it is called like the critical action {action}"),
            Danger::SharesWords(action) => write!(f, "it has words of the critical action {action}"),
            Danger::Word(word) => write!(f, "`{word}` may be something that can't be undone"),
        }
    }
}

/// What is left alone, beside what is critical.
#[derive(Debug, Clone)]
pub struct Caution {
    /// What the host says of the app: which transitions are critical.
    pub declared: Option<Model>,
    /// Words for what can't be undone, in lower case; whole words of a label are compared.
    pub words: Vec<String>,
    /// Events that are ordinary steps whatever their words say, unless they are critical actions.
    pub ordinary: BTreeSet<String>,
}

/// Words by which apps call what can't be undone.
const WORDS: &[&str] = &[
    "accept",
    "agree",
    "allow",
    "approve",
    "authorize",
    "book",
    "buy",
    "call",
    "cancel",
    "checkout",
    "clear",
    "confirm",
    "delete",
    "discard",
    "donate",
    "erase",
    "install",
    "invite",
    "order",
    "pay",
    "post",
    "publish",
    "purchase",
    "remove",
    "rent",
    "reserve",
    "reset",
    "save",
    "sell",
    "send",
    "share",
    "sign",
    "submit",
    "subscribe",
    "transfer",
    "uninstall",
    "unsubscribe",
    "withdraw",
];

impl Default for Caution {
    fn default() -> Caution {
        let words = WORDS.iter().map(|word| (*word).to_owned()).collect();
        Caution { declared: None, words, ordinary: BTreeSet::new() }
    }
}

impl Caution {
    /// Why something is not done on a page; nothing if it may be. What performs a critical action is one on every page; a
    /// declared transition is an ordinary one where the vocabulary declares its step; of all others the words decide.
    pub fn judge(
        &self,
        vocabulary: &Vocabulary,
        model: &Model,
        page: &str,
        possible: &Possible,
    ) -> Option<Danger> {
        let critical =
            |name: &str| vocabulary.find_action(name).map(|id| vocabulary.action(id).name().to_owned());
        let near =
            |name: &str| vocabulary.near_action(name).map(|id| vocabulary.action(id).name().to_owned());
        let mut ordinary = self.ordinary.contains(&possible.event);
        for model in [Some(model), self.declared.as_ref()].into_iter().flatten() {
            let page = model.find_page(page);
            for (_, one) in model.transitions().filter(|(_, one)| one.event() == possible.event) {
                // What is critical on one page may be so on each.
                if let Some(action) = critical(one.action()).or_else(|| near(one.action())) {
                    return Some(Danger::Critical(action));
                }
                let declared = Some(one.from()) == page && one.origin() == Origin::Declared;
                ordinary |= declared && vocabulary.find_step(one.action()).is_some();
            }
        }
        for name in possible.names() {
            if let Some(action) = critical(name).or_else(|| near(name)) {
                return Some(Danger::NearName(action));
            }
        }
        if ordinary || possible.is_plain() {
            return None;
        }
        possible.names().find_map(|name| self.in_words(vocabulary, name))
    }

    fn in_words(&self, vocabulary: &Vocabulary, name: &str) -> Option<Danger> {
        let words = || name.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        if let Some(word) = words().find(|word| self.words.contains(word)) {
            return Some(Danger::Word(word));
        }
        let actions = vocabulary.actions().map(|(_, action)| Candidate::new(action.name(), ""));
        let ranked = Lexical::new().rank(name, &actions.collect::<Vec<_>>()).ranked;
        ranked.into_iter().next().map(|best| Danger::SharesWords(best.name))
    }
}
