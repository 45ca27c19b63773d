//! Words that differ in accents alone.
//!
//! An accent may be left out, never exchanged ("pêche", "péché"), and only
//! where leaving it out makes no other word: in many languages a mark on the
//! last vowel changes the tense ("cancelo", "canceló"), and an umlaut the
//! number or the word ("zahlen", "zählen").

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The shortest word that may drop an accent without being listed.
const SHORTEST: usize = 5;

/// Words commonly written without their marks, whatever the marks.
const OPTIONAL: [&str; 47] = [
    "andre",
    "beyonce",
    "bogota",
    "bjork",
    "brasilia",
    "cafe",
    "cafes",
    "canape",
    "cancun",
    "chloe",
    "citroen",
    "cliche",
    "cliches",
    "curacao",
    "dusseldorf",
    "facade",
    "fiance",
    "fiancee",
    "gewurztraminer",
    "goteborg",
    "haagen",
    "jagermeister",
    "jose",
    "koln",
    "lubeck",
    "malmo",
    "matinee",
    "medellin",
    "motorhead",
    "munchen",
    "munster",
    "noel",
    "nurnberg",
    "osterreich",
    "puree",
    "reykjavik",
    "sao",
    "saute",
    "sautee",
    "smorgasbord",
    "souffle",
    "touche",
    "tubingen",
    "uber",
    "wurzburg",
    "zoe",
    "zurich",
];

/// Words that are another word without their marks.
const DISTINCT: [&str; 27] = [
    "ancora",
    "calculo",
    "canto",
    "continuo",
    "deposito",
    "diagnostico",
    "ejercito",
    "expose",
    "exposes",
    "haler",
    "intimo",
    "jeune",
    "jeunes",
    "limite",
    "limites",
    "numero",
    "practico",
    "publico",
    "publica",
    "resume",
    "resumes",
    "roder",
    "secretaria",
    "tache",
    "taches",
    "termino",
    "ultimo",
];

/// Whether one word is the other without accents, and still the same word.
pub(super) fn same_but_for_accents(left: &str, right: &str) -> bool {
    let (marked, bare) = if bare_letters(left) == right {
        (left, right)
    } else if bare_letters(right) == left {
        (right, left)
    } else {
        return false;
    };
    if OPTIONAL.contains(&bare) {
        return true;
    }
    bare.chars().count() >= SHORTEST
        && !DISTINCT.contains(&bare)
        && !has_umlaut(marked)
        && !marks_last_vowel(marked)
}

/// The word with the marks on Latin letters removed; marks of other scripts
/// make other letters and stay.
fn bare_letters(word: &str) -> String {
    let mut latin = false;
    word.nfd()
        .filter(|c| {
            if is_combining_mark(*c) {
                !(latin && ('\u{300}'..='\u{36f}').contains(c))
            } else {
                latin = c.is_ascii_alphabetic();
                true
            }
        })
        .collect::<String>()
        .nfc()
        .collect()
}

fn has_umlaut(word: &str) -> bool {
    word.contains(['ä', 'ö', 'ü', 'å', 'ø', 'ő', 'ű'])
}

fn marks_last_vowel(word: &str) -> bool {
    let mut marked = false;
    let mut vowel = false;
    for c in word.nfd() {
        if is_combining_mark(c) {
            marked |= vowel;
        } else if "aeiouy".contains(c) {
            vowel = true;
            marked = false;
        } else {
            vowel = false;
        }
    }
    marked
}
