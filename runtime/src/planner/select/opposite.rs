//! What turns a sentence around: negations, prevention, reversal. By their words alone "delete the account" and
//! "don't delete the account" are near neighbours.

use super::Candidate;
use super::words::{self, Splitter};
use intentgate_engine::text::similar;

/// Contractions as they are written without their apostrophe.
const CONTRACTED: &[&str] = &[
    "aint", "arent", "cant", "couldnt", "didnt", "doesnt", "dont", "hasnt", "havent", "isnt", "mustnt",
    "shouldnt", "wasnt", "wont", "wouldnt",
];

/// Words that ask that something doesn't happen.
const PREVENTING: &[&str] = &[
    "abort", "avoid", "block", "cancel", "cease", "decline", "dismiss", "forbid", "halt", "hinder",
    "prevent", "prohibit", "quit", "refuse", "reject", "skip", "stop",
];

/// Words that ask for what was before, or for something to be off.
const REVERSING: &[&str] = &[
    "deactivate",
    "disable",
    "discard",
    "keep",
    "off",
    "protect",
    "recall",
    "recover",
    "restore",
    "retain",
    "retract",
    "reverse",
    "revert",
    "rollback",
    "undelete",
    "undo",
    "withdraw",
];

/// Words that mean about the same turn: a candidate that has one of them says it.
const SAME: &[&[&str]] = &[
    &["abort", "cancel", "cease", "halt", "quit", "stop"],
    &["avoid", "block", "forbid", "hinder", "prevent", "prohibit"],
    &["decline", "dismiss", "refuse", "reject"],
    &["deactivate", "disable", "off"],
    &["recover", "restore", "undelete", "undo", "revert", "reverse", "rollback"],
    &["recall", "retract", "withdraw"],
    &["keep", "protect", "retain"],
];

/// Words of names that are actions: who gets there is about to do it.
const ACTIONS: &[&str] = &[
    "accept",
    "approve",
    "bid",
    "book",
    "booking",
    "buy",
    "call",
    "checkout",
    "clear",
    "confirm",
    "confirmation",
    "delete",
    "deletion",
    "deposit",
    "disable",
    "donate",
    "download",
    "enable",
    "erase",
    "execute",
    "format",
    "hire",
    "install",
    "invite",
    "order",
    "pay",
    "payment",
    "post",
    "publish",
    "purchase",
    "refund",
    "remove",
    "removal",
    "reserve",
    "reset",
    "run",
    "sell",
    "send",
    "share",
    "sign",
    "submit",
    "subscribe",
    "subscription",
    "transfer",
    "uninstall",
    "unsubscribe",
    "upload",
    "vote",
    "wipe",
    "withdraw",
    "withdrawal",
];

/// Words of names that are settings: they are the right place for either way.
const SETTINGS: &[&str] =
    &["configuration", "configure", "option", "options", "preference", "preferences", "setting", "settings"];

/// A word that turns what a sentence asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn {
    /// As it stands, in lower case.
    pub(super) word: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Negation,
    Preventing,
    Reversing,
}

/// The words of a sentence that turn it around, outside of the user's own data.
pub(super) fn turns(splitter: &Splitter, sentence: &str) -> Vec<Turn> {
    let words = splitter.of_sentence(sentence);
    let said = words.into_iter().filter(|word| !word.data);
    said.filter_map(|word| kind(splitter, &word.text).map(|kind| Turn { word: word.text, kind })).collect()
}

fn kind(splitter: &Splitter, word: &str) -> Option<Kind> {
    let has = |list: &[&str]| list.iter().any(|one| *one == word || splitter.same_stem(one, word));
    match word {
        _ if negates(word) => Some(Kind::Negation),
        _ if has(PREVENTING) => Some(Kind::Preventing),
        _ if has(REVERSING) => Some(Kind::Reversing),
        _ => None,
    }
}

fn negates(word: &str) -> bool {
    // `stop` negates and prevents; the candidate that stops something says so by that word.
    CONTRACTED.contains(&word) || (similar::negates(word) && word != "stop")
}

/// The first of the words that turn a sentence around which the candidate doesn't say, where that makes it the
/// opposite of what is asked for. A candidate for a setting is the place for either way, and so is one that names no
/// action where something is to be off, or as before.
pub(super) fn against(splitter: &Splitter, turns: &[Turn], candidate: &Candidate) -> Option<String> {
    if turns.is_empty() {
        return None;
    }
    let own = words::lowered(&format!("{} {}", candidate.name, candidate.description));
    let names = |list: &[&str]| own.iter().any(|word| list.contains(&word.as_str()));
    let (acts, sets) = (names(ACTIONS), names(SETTINGS));
    let says = |turn: &Turn| match turn.kind {
        Kind::Negation => own.iter().any(|word| negates(word)),
        Kind::Preventing | Kind::Reversing => {
            let near = |one: &str, other: &str| one == other || splitter.same_stem(one, other);
            let group = SAME.iter().find(|group| group.iter().any(|one| near(one, &turn.word)));
            let means = |word: &String| {
                near(word, &turn.word) || group.is_some_and(|group| group.iter().any(|one| near(one, word)))
            };
            own.iter().any(means)
        }
    };
    let fits = |turn: &Turn| says(turn) || (!acts && (sets || turn.kind == Kind::Reversing));
    turns.iter().find(|turn| !fits(turn)).map(|turn| turn.word.clone())
}
