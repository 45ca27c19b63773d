//! Words: of identifiers, of sentences, and what they have in common.

use intentgate_engine::text::{lookalike, normal};
use snowball_stemmers_rs::{Algorithm, Stemmer};

/// Words that say nothing about what is meant.
const STOP: &[&str] = &[
    "a",
    "all",
    "am",
    "an",
    "and",
    "are",
    "as",
    "at",
    "be",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "for",
    "from",
    "have",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "let",
    "me",
    "my",
    "now",
    "of",
    "on",
    "or",
    "our",
    "please",
    "s",
    "so",
    "some",
    "something",
    "that",
    "the",
    "their",
    "them",
    "then",
    "these",
    "this",
    "those",
    "to",
    "us",
    "want",
    "was",
    "we",
    "what",
    "when",
    "where",
    "which",
    "who",
    "will",
    "with",
    "would",
    "you",
    "your",
];

/// Words of many sentences and names: they say a little.
const WEAK: &[&str] = &[
    "app", "bring", "change", "get", "give", "go", "look", "make", "more", "need", "open", "page", "put",
    "screen", "see", "set", "show", "somebody", "take", "tell", "turn", "use", "view",
];

/// Behind these stands a name of the user's own.
const NAMING: &[&str] = &["called", "named", "titled"];

/// Words that mean about the same where programs are talked about.
const SYNONYMS: &[&[&str]] = &[
    &["photo", "picture", "image", "snapshot"],
    &["setting", "preference", "option", "configure"],
    &["delete", "remove", "erase"],
    &["add", "create", "new", "insert"],
    &["edit", "modify", "change", "update"],
    &["search", "find"],
    &["message", "sms", "text"],
    &["song", "track"],
    &["folder", "directory"],
    &["select", "choose", "pick"],
    &["mail", "email"],
    &["movie", "film", "video"],
    &["compress", "zip"],
    &["trash", "bin"],
    &["frequently", "faq"],
];

/// A word.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::planner) struct Word {
    /// As it stands, in lower case.
    pub(in crate::planner) text: String,
    /// Its stem.
    pub(in crate::planner) stem: String,
    /// What it says about what is meant if a candidate has it: 1, or less.
    pub(in crate::planner) weight: f64,
    /// What it says about how little is understood if no candidate has it.
    pub(in crate::planner) unknown: f64,
    /// Whether it is the user's own data: in quotes, or a name.
    pub(in crate::planner) data: bool,
}

/// Takes words apart.
pub(in crate::planner) struct Splitter {
    stemmer: Stemmer,
    synonyms: Vec<Vec<String>>,
}

impl Splitter {
    /// For English; words of other languages are compared as they are.
    pub(in crate::planner) fn new() -> Splitter {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut splitter = Splitter { stemmer, synonyms: Vec::new() };
        splitter.synonyms = SYNONYMS.iter().map(|group| splitter.stems(group)).collect();
        splitter
    }

    /// Further words that mean about the same.
    pub(in crate::planner) fn add_synonyms(&mut self, group: &[&str]) {
        let group = self.stems(group);
        self.synonyms.push(group);
    }

    fn stems(&self, words: &[&str]) -> Vec<String> {
        words.iter().map(|word| self.stem(&word.to_lowercase())).collect()
    }

    fn stem(&self, word: &str) -> String {
        // Longer ones, and those of other letters, are no English words.
        let english = word.len() <= 40 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        match word {
            // A page of settings is no place where just anything is set.
            "setting" | "settings" => "setting".to_owned(),
            _ if english => self.stemmer.stem(word).into_owned(),
            _ => word.to_owned(),
        }
    }

    /// Whether two words, in lower case, have the same stem.
    pub(super) fn same_stem(&self, one: &str, other: &str) -> bool {
        self.stem(one) == self.stem(other)
    }

    /// The stems of an identifier or a description: `SelectTimeZone` is three, `FAQActivity` two, `wifi6` two.
    pub(in crate::planner) fn of_name(&self, name: &str) -> Vec<String> {
        let words = lowered(name).into_iter();
        words.filter(|word| !STOP.contains(&word.as_str())).map(|word| self.stem(&word)).collect()
    }

    /// The words of a sentence that say something, at most 200. What stands in quotes, behind `called`, numbers, and
    /// names (capitals inside a sentence) are the user's own data: they say little about what is meant.
    pub(in crate::planner) fn of_sentence(&self, sentence: &str) -> Vec<Word> {
        let sentence = normal::typographic(&plain(sentence));
        let mut words = Vec::new();
        let (mut quote, mut naming) = (None, false);
        for piece in sentence.split_whitespace() {
            let opens = piece.chars().next().filter(|c| quote.is_none() && matches!(c, '"' | '\''));
            quote = quote.or(opens);
            let data = quote.is_some() || naming;
            let bare = piece.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
            if quote.is_some_and(|quote| bare.ends_with(quote) && (opens.is_none() || bare.len() > 1)) {
                quote = None;
            }
            // A contraction is one word: `don't`.
            let contracted = bare.to_lowercase().ends_with("n't");
            let pieces = if contracted {
                vec![bare.trim_start_matches(['"', '\'', '(']).to_owned()]
            } else {
                split(piece)
            };
            for word in pieces {
                let name = !words.is_empty() && is_capitalized(&word);
                let text = word.to_lowercase();
                naming |= NAMING.contains(&text.as_str());
                if STOP.contains(&text.as_str()) || NAMING.contains(&text.as_str()) {
                    continue;
                }
                let number = text.starts_with(|c: char| c.is_ascii_digit());
                let (weight, unknown) = match data || number || WEAK.contains(&text.as_str()) {
                    true => (0.3, 0.06),
                    false if name => (1.0, 0.06),
                    false => (1.0, 0.6),
                };
                words.push(Word { stem: self.stem(&text), text, weight, unknown, data });
            }
            naming &= !piece.ends_with([',', ';', '.']);
        }
        words.truncate(200);
        words
    }

    /// How much two stems have in common, from 0 to 1: the same, the same meaning, a slip, the same beginning.
    pub(in crate::planner) fn likeness(&self, one: &str, other: &str) -> f64 {
        if one == other {
            return 1.0;
        }
        let both = |group: &&Vec<String>| {
            group.iter().any(|word| word == one) && group.iter().any(|word| word == other)
        };
        if self.synonyms.iter().any(|group| both(&group)) {
            return 0.85;
        }
        let digits = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
        if short.chars().count() < 4 || digits(short) || digits(long) {
            return 0.0;
        }
        if long.starts_with(short) && short.len() * 5 >= long.len() * 3 {
            return 0.7;
        }
        let same_start = one.chars().next() == other.chars().next();
        let near = short.chars().count() >= 5 && same_start && strsim::osa_distance(one, other) == 1;
        if near { 0.8 } else { 0.0 }
    }
}

/// Whether a word is written like a name: `Tokyo`, not `QR`.
fn is_capitalized(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(char::is_uppercase) && characters.next().is_some_and(char::is_lowercase)
}

/// The pieces of an identifier: at what is neither letter nor digit, between lower and upper case, before the last
/// capital of several, between letters and digits.
fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let characters: Vec<char> = text.chars().collect();
    for (at, c) in characters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| characters.get(at)).copied().unwrap_or(' ');
        let after = characters.get(at + 1).copied().unwrap_or(' ');
        let starts = (before.is_lowercase() && c.is_uppercase())
            || (before.is_uppercase() && c.is_uppercase() && after.is_lowercase())
            || (before.is_alphabetic() && c.is_numeric())
            || (before.is_numeric() && c.is_alphabetic());
        if starts || !c.is_alphanumeric() {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        if c.is_alphanumeric() {
            word.push(*c);
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// The words of an identifier or a description in lower case.
pub(super) fn lowered(name: &str) -> Vec<String> {
    split(&plain(name)).into_iter().map(|word| word.to_lowercase()).collect()
}

/// In NFC, without what can't be seen, and with Latin letters for those that look like them in words that have no
/// letters of their own: `nоt` with a Cyrillic `о` is `not`.
fn plain(text: &str) -> String {
    let text = normal::nfc(text);
    if text.is_ascii() {
        return text.into_owned();
    }
    let seen: String = text.chars().filter(|c| !lookalike::is_hidden(*c)).collect();
    let word = |word: &str| {
        let alike: String = word.chars().map(latin).collect();
        let is_latin = alike.chars().filter(|c| c.is_alphabetic()).all(|c| c.is_ascii());
        if is_latin { alike } else { word.to_owned() }
    };
    seen.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The ASCII letter that a letter looks like.
fn latin(c: char) -> char {
    if c.is_ascii() || !c.is_alphabetic() {
        return c;
    }
    let skeleton = lookalike::skeleton(c.encode_utf8(&mut [0; 4]));
    let mut letters = skeleton.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => letter,
        _ => c,
    }
}

/// An identifier as words: `Select Time Zone Activity`.
pub(in crate::planner) fn spaced(name: &str) -> String {
    split(&plain(name)).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_come_apart() {
        for (name, words) in [
            ("SelectTimeZoneActivity", "Select Time Zone Activity"),
            ("FAQActivity", "FAQ Activity"),
            ("take_photo", "take photo"),
            ("com.example.notes/.NoteList", "com example notes Note List"),
            ("wifi6Settings", "wifi 6 Settings"),
            ("", ""),
            ("ÄrgerÜben", "Ärger Üben"),
        ] {
            assert_eq!(spaced(name), words);
        }
    }

    #[test]
    fn words_are_alike_by_stem_meaning_slip_and_beginning() {
        let splitter = Splitter::new();
        for (one, other, likeness) in [
            ("photos", "photo", 1.0),
            ("pictures", "photo", 0.85),
            ("settigns", "settings", 0.8),
            ("calender", "calendar", 0.7),
            ("config", "configure", 0.7),
            ("cat", "car", 0.0),
            ("alarm", "album", 0.0),
            ("room101", "room102", 0.0),
        ] {
            let stem = |word: &str| splitter.stem(word);
            assert_eq!(splitter.likeness(&stem(one), &stem(other)), likeness, "{one} {other}");
        }
    }

    #[test]
    fn data_says_little() {
        let weights: Vec<(String, f64)> = Splitter::new()
            .of_sentence("Create a note called Plan B, then search for 'big cats' 12 times")
            .into_iter()
            .map(|word| (word.text, word.weight))
            .collect();
        let expected = [
            ("create", 1.0),
            ("note", 1.0),
            ("plan", 0.3),
            ("b", 0.3),
            ("search", 1.0),
            ("big", 0.3),
            ("cats", 0.3),
            ("12", 0.3),
            ("times", 1.0),
        ];
        assert_eq!(weights, expected.map(|(text, weight)| (text.to_owned(), weight)));
    }
}
