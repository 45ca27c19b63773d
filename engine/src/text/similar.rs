//! Whether two texts are spelling or format variants of one another: the
//! measure behind the operator `~`.
//!
//! A text is read as a list of tokens in which variants coincide: dates, times,
//! amounts, numbers, words. Two texts are similar when the lists agree, except
//! for one spelling slip in one long lower-case word. There is no score and no
//! threshold, so that a long text never outweighs a changed digit in it.

mod accents;
mod amounts;
mod dates;
mod slips;
mod tokens;
mod words;

use unicode_normalization::UnicodeNormalization;

use crate::truth::Truth;
use tokens::{Item, Token, Word};

/// The longest text, in bytes, that is compared other than for equality.
pub const MAX_BYTES: usize = 4096;

/// A measure of similarity between texts.
///
/// An implementation must be symmetric and must accept every text as similar to
/// itself.
pub trait Similarity: Send + Sync + std::fmt::Debug {
    /// A stable name and version, written into records, e.g. "local-1".
    fn name(&self) -> &str;

    /// Whether the texts mean the same; unknown when the measure cannot tell,
    /// as for a missing backend or an input too long.
    fn similar(&self, left: &str, right: &str) -> Truth;
}

/// The default measure: deterministic, local, and conservative.
///
/// It accepts variants of case, spacing, punctuation, accent, typography and
/// format, and one slip in a common English word. It answers unknown only for
/// unequal texts of which one is longer than [`MAX_BYTES`].
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalSimilarity;

impl Similarity for LocalSimilarity {
    fn name(&self) -> &str {
        "local-1"
    }

    fn similar(&self, left: &str, right: &str) -> Truth {
        if left == right {
            return Truth::True;
        }
        if left.len() > MAX_BYTES || right.len() > MAX_BYTES {
            return Truth::Unknown;
        }
        if left.nfc().eq(right.nfc()) || agree(&read(left), &read(right)) {
            Truth::True
        } else {
            Truth::False
        }
    }
}

/// Whether a word, in lower case, negates: `not`, `without`, `doesn't`, `kein`.
pub fn negates(word: &str) -> bool {
    words::negates(word)
}

/// Reads a text as the list of tokens that decides similarity.
///
/// The order of the passes matters: a pass sees the tokens the earlier ones
/// left, and a number that belongs to a date must not become an amount.
fn read(text: &str) -> Vec<Item> {
    let items = tokens::scan(text);
    let items = amounts::join_phones(items);
    let items = amounts::join_ordinals(items);
    let items = dates::join_clocks(items);
    let items = dates::join_dates(items);
    let items = words::settle(items);
    let items = amounts::join_money(items);
    let items = amounts::settle_units(items);
    tokens::drop_soft(items)
}

/// Whether two token lists agree, one slip allowed.
fn agree(left: &[Item], right: &[Item]) -> bool {
    // A text of nothing but dropped punctuation is not a variant of anything.
    if left.is_empty() || right.is_empty() {
        return false;
    }
    let (mut i, mut j) = (0, 0);
    let mut slipped = false;
    let titles = (words::is_title(left), words::is_title(right));
    loop {
        match (left.get(i), right.get(j)) {
            (None, None) => return true,
            (Some(a), Some(b)) => {
                let place = Place {
                    leading: is_leading(left, i) && is_leading(right, j),
                    followed: i + 1 < left.len() && j + 1 < right.len(),
                    titles,
                };
                if same(&a.token, &b.token, place) {
                    i += 1;
                    j += 1;
                } else if joins(left, i, &b.token) {
                    i += 2;
                    j += 1;
                } else if joins(right, j, &a.token) {
                    i += 1;
                    j += 2;
                } else if !slipped && slips(&a.token, &b.token) {
                    slipped = true;
                    i += 1;
                    j += 1;
                } else {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// Where in the texts a pair of tokens stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// At the beginning of both texts, but for an article.
    leading: bool,
    /// Followed by another token in both texts.
    followed: bool,
    /// Whether each of the texts is written as a title.
    titles: (bool, bool),
}

fn is_leading(items: &[Item], at: usize) -> bool {
    let led = |token: &Token| token.word() == Some("the");
    at == 0 || (at == 1 && items.first().is_some_and(|item| led(&item.token)))
}

fn same(left: &Token, right: &Token, place: Place) -> bool {
    match (left, right) {
        (Token::Word(a), Token::Word(b)) => words::same(a, b, place.titles),
        // "R&D Bistro" may be written "RD Bistro"; alone, or as a label behind
        // a word as in "Option A&B", the two letters stay apart.
        (Token::Letters { text, tight: true }, Token::Word(word))
        | (Token::Word(word), Token::Letters { text, tight: true }) => {
            place.leading
                && place.followed
                && !word.glued
                && *text == word.text
                && !words::is_short_word(text)
        }
        (Token::Letters { text: a, .. }, Token::Letters { text: b, .. }) => a == b,
        _ => left == right,
    }
}

/// Whether the hyphenated words at `at` are the other text's closed compound.
fn joins(items: &[Item], at: usize, closed: &Token) -> bool {
    let (Some(Token::Word(first)), Some(Token::Word(second)), Token::Word(closed)) =
        (items.get(at).map(|item| &item.token), items.get(at + 1).map(|item| &item.token), closed)
    else {
        return false;
    };
    second.glued && !first.glued && !closed.glued && words::closes(first, second, closed)
}

fn slips(left: &Token, right: &Token) -> bool {
    let open = |word: &Word| word.lower && !word.glued;
    match (left, right) {
        (Token::Word(a), Token::Word(b)) => open(a) && open(b) && slips::is_slip(&a.text, &b.text),
        _ => false,
    }
}
