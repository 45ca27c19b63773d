//! Words: their variants in spelling, abbreviation and form.

use super::accents;
use super::tokens::{Item, Token, Word, token};

/// British spellings and the American ones they stand for. Words that differ
/// in meaning in either country ("metre", "tyre", "storey") are left out.
const SPELLINGS: [(&str, &str); 62] = [
    ("aeroplane", "airplane"),
    ("aluminium", "aluminum"),
    ("analogue", "analog"),
    ("apologise", "apologize"),
    ("armour", "armor"),
    ("authorise", "authorize"),
    ("authorised", "authorized"),
    ("behaviour", "behavior"),
    ("cancelled", "canceled"),
    ("cancelling", "canceling"),
    ("catalogue", "catalog"),
    ("catalogues", "catalogs"),
    ("centimetre", "centimeter"),
    ("centimetres", "centimeters"),
    ("centre", "center"),
    ("centres", "centers"),
    ("colour", "color"),
    ("coloured", "colored"),
    ("colours", "colors"),
    ("customise", "customize"),
    ("customised", "customized"),
    ("defence", "defense"),
    ("dialogue", "dialog"),
    ("doughnut", "donut"),
    ("doughnuts", "donuts"),
    ("favourite", "favorite"),
    ("favourites", "favorites"),
    ("flavour", "flavor"),
    ("flavours", "flavors"),
    ("fulfil", "fulfill"),
    ("grey", "gray"),
    ("harbour", "harbor"),
    ("honour", "honor"),
    ("humour", "humor"),
    ("jewellery", "jewelry"),
    ("kilometre", "kilometer"),
    ("kilometres", "kilometers"),
    ("labelled", "labeled"),
    ("labour", "labor"),
    ("licence", "license"),
    ("litre", "liter"),
    ("litres", "liters"),
    ("modelling", "modeling"),
    ("neighbour", "neighbor"),
    ("neighbourhood", "neighborhood"),
    ("neighbours", "neighbors"),
    ("offence", "offense"),
    ("optimise", "optimize"),
    ("organisation", "organization"),
    ("organise", "organize"),
    ("organised", "organized"),
    ("organiser", "organizer"),
    ("personalise", "personalize"),
    ("pyjamas", "pajamas"),
    ("realise", "realize"),
    ("recognise", "recognize"),
    ("synchronise", "synchronize"),
    ("theatre", "theater"),
    ("theatres", "theaters"),
    ("traveller", "traveler"),
    ("travelling", "traveling"),
    ("yoghurt", "yogurt"),
];

/// Spellings that tell one name from another, once capitalised.
const SPELLINGS_OF_NAMES: [&str; 4] = ["grey", "harbour", "honour", "labour"];

/// Pairs of words that are also written as one.
const COMPOUNDS: [(&str, &str); 10] = [
    ("e", "mail"),
    ("log", "in"),
    ("log", "out"),
    ("sign", "in"),
    ("sign", "out"),
    ("sign", "up"),
    ("t", "shirt"),
    ("web", "site"),
    ("wi", "fi"),
    ("x", "ray"),
];

/// First parts that make another word when a hyphen is dropped ("re-sign").
const NEVER_CLOSED: [&str; 28] = [
    "a", "all", "an", "anti", "co", "counter", "de", "dis", "em", "en", "ex", "im", "in", "ir", "may", "mis",
    "no", "non", "not", "now", "off", "on", "out", "over", "re", "the", "un", "under",
];

/// Words whose capitals make another word ("US", "us").
const ACRONYMS: [&str; 16] =
    ["aids", "am", "cat", "hi", "id", "in", "it", "me", "ok", "or", "pin", "pm", "ram", "sat", "us", "who"];

const TENS: [&str; 9] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"];

/// Whether a token negates, so that punctuation may change what it reaches.
pub(super) fn is_negation(token: &Token) -> bool {
    token.word().is_some_and(negates)
}

/// Whether a word in lower case negates.
pub(super) fn negates(word: &str) -> bool {
    const NEGATIONS: [&str; 34] = [
        "ain't", "aucun", "cannot", "except", "hardly", "jamais", "kein", "keine", "ne", "nein", "neither",
        "never", "nicht", "nie", "no", "nobody", "non", "none", "nor", "not", "nothing", "nowhere", "nunca",
        "não", "ohne", "pas", "sans", "senza", "sin", "stop", "unless", "without", "не", "нет",
    ];
    NEGATIONS.contains(&word) || word.ends_with("n't")
}

/// Whether two letters are a word or an abbreviation of their own.
pub(super) fn is_short_word(text: &str) -> bool {
    const SHORT: [&str; 34] = [
        "ad", "ai", "am", "an", "as", "at", "be", "by", "do", "ex", "go", "he", "hi", "hr", "id", "if", "in",
        "is", "it", "me", "my", "no", "of", "ok", "on", "or", "pc", "pm", "pr", "qa", "so", "to", "tv", "us",
    ];
    SHORT.contains(&text) || ["up", "vr", "we"].contains(&text)
}

/// Whether two words are one, by case, accent and apostrophe.
///
/// `titles` tells of each text whether it is written as a title.
pub(super) fn same(left: &Word, right: &Word, titles: (bool, bool)) -> bool {
    if left.text == right.text {
        let plain = |word: &Word| !word.acronym && !word.shouted;
        let split = (left.acronym && plain(right)) || (right.acronym && plain(left));
        return !(split && ACRONYMS.contains(&left.text.as_str()));
    }
    accents::same_but_for_accents(&left.text, &right.text)
        || (titles.0 && drops_apostrophe(left, right))
        || (titles.1 && drops_apostrophe(right, left))
}

/// Whether `bare` is the name `owner` without the apostrophe of its "'s".
fn drops_apostrophe(owner: &Word, bare: &Word) -> bool {
    // Contractions, and owners of whom there may be several: "User's", "Users".
    const NO_NAMES: [&str; 46] = [
        "admin", "author", "boy", "buyer", "child", "client", "customer", "day", "doctor", "driver",
        "editor", "employee", "friend", "girl", "group", "guest", "he", "here", "host", "how", "it", "kid",
        "let", "manager", "member", "order", "owner", "parent", "patient", "player", "seller", "sender",
        "she", "student", "teacher", "team", "that", "there", "this", "user", "week", "what", "when",
        "where", "who", "why",
    ];
    let Some(stem) = owner.text.strip_suffix("'s") else {
        return false;
    };
    owner.capital && !owner.shouted && !NO_NAMES.contains(&stem) && bare.text.strip_suffix('s') == Some(stem)
}

/// Whether the words are capitalised as those of a title or a name are; a lone
/// word needs a capital within ("McDonald's").
pub(super) fn is_title(items: &[Item]) -> bool {
    let mut words = items.iter().filter_map(|item| match &item.token {
        Token::Word(word) => Some(word),
        _ => None,
    });
    let linking = |word: &Word| matches!(word.text.as_str(), "a" | "and" | "in" | "of" | "the");
    let inner = |word: &Word| word.written.chars().skip(1).any(char::is_uppercase);
    match (words.clone().count(), words.next()) {
        (1, Some(word)) => inner(word),
        (_, first) => {
            first.is_some_and(|word| word.capital || linking(word))
                && words.all(|word| word.capital || linking(word))
        }
    }
}

/// Whether "wi-fi" is "wifi", for these parts.
pub(super) fn closes(first: &Word, second: &Word, closed: &Word) -> bool {
    // Of names, "Anne-Marie" and "Annemarie" are two.
    closed.text.chars().count() >= 4
        && !second.capital
        && !NEVER_CLOSED.contains(&first.text.as_str())
        && closed.text.strip_prefix(first.text.as_str()) == Some(&second.text)
}

/// Gives words their one form.
pub(super) fn settle(items: Vec<Item>) -> Vec<Item> {
    let items = join_letters(move_article(items));
    let mut settled: Vec<Item> = Vec::with_capacity(items.len());
    let mut at = 0;
    while let Some(item) = items.get(at) {
        let mut used = 1;
        match &item.token {
            Token::Symbol('&') => settled.push(worded(item, "and")),
            Token::Word(word) => {
                let next = token(&items, at + 1);
                if let Some(closed) = compound(word, next) {
                    settled.push(worded(item, &closed));
                    used = 2;
                } else if let Some(positive) = contraction(&word.text) {
                    settled.push(worded(item, positive));
                    settled.push(worded(item, "not"));
                } else {
                    let token = numeral(word, settled.last(), next)
                        .or_else(|| abbreviation(word, &items, at).map(|full| named(word, full)))
                        .or_else(|| spelling(word).map(|spelt| named(word, spelt)));
                    settled.push(Item {
                        token: token.unwrap_or_else(|| item.token.clone()),
                        spaced: item.spaced,
                    });
                }
            }
            _ => settled.push(item.clone()),
        }
        at += used;
    }
    settled
}

fn named(word: &Word, text: &str) -> Token {
    Token::Word(Word { text: text.to_owned(), ..word.clone() })
}

/// A word in place of the item, open to no slip.
fn worded(item: &Item, text: &str) -> Item {
    Item {
        token: Token::Word(Word {
            text: text.to_owned(),
            lower: false,
            capital: false,
            acronym: false,
            shouted: false,
            glued: false,
            written: text.to_owned(),
        }),
        spaced: item.spaced,
    }
}

/// Moves an article from the end, as catalogues put it, to the beginning.
fn move_article(mut items: Vec<Item>) -> Vec<Item> {
    while matches!(items.last(), Some(item) if matches!(item.token, Token::Soft(_))) {
        items.pop();
    }
    let article = items.last().and_then(|item| item.token.word());
    let words = items.iter().filter(|item| item.token.word().is_some()).count();
    let enough = match article {
        Some("the") => words >= 2,
        Some("a" | "an") => words >= 3,
        _ => false,
    };
    let set_off = items.len().checked_sub(2).and_then(|at| token(&items, at));
    let led = items
        .first()
        .and_then(|item| item.token.word())
        .is_some_and(|word| matches!(word, "the" | "a" | "an"));
    if enough
        && !led
        && matches!(set_off, Some(Token::Soft(',' | '(')))
        && let Some(article) = items.pop()
    {
        items.pop();
        items.insert(0, article);
    }
    items
}

/// Joins the initials of "J. R. R." and the two letters of "R&D".
fn join_letters(items: Vec<Item>) -> Vec<Item> {
    super::amounts::join(items, |items, at| {
        let letter = |at: usize| match token(items, at) {
            Some(Token::Word(word)) if word.text.chars().count() == 1 => Some(word),
            _ => None,
        };
        let first = letter(at)?;
        let pointed = |at: usize| {
            letter(at).filter(|word| word.capital && matches!(token(items, at + 1), Some(Token::Soft('.'))))
        };
        let initials: Vec<&Word> = (0..4).map_while(|step| pointed(at + 2 * step)).collect();
        if initials.len() >= 2 {
            let text: String = initials.iter().map(|word| word.text.as_str()).collect();
            return Some((named(first, &text), 2 * initials.len()));
        }
        let second = letter(at + 2)?;
        let sign = token(items, at + 1) == Some(&Token::Symbol('&'));
        let spelt = token(items, at + 1).and_then(Token::word) == Some("and");
        let spaced = |at: usize| items.get(at).is_some_and(|item| item.spaced);
        (sign || spelt).then(|| {
            let text = format!("{}{}", first.text, second.text);
            let tight = sign && !spaced(at + 1) && !spaced(at + 2);
            (Token::Letters { text, tight }, 3)
        })
    })
}

fn compound(first: &Word, next: Option<&Token>) -> Option<String> {
    let second = next?.word()?;
    let known = COMPOUNDS.contains(&(first.text.as_str(), second));
    (known && !first.glued).then(|| format!("{}{second}", first.text))
}

/// What "not" is added to in a contraction.
fn contraction(word: &str) -> Option<&'static str> {
    Some(match word {
        "don't" | "dont" => "do",
        "doesn't" | "doesnt" => "does",
        "didn't" | "didnt" => "did",
        "isn't" | "isnt" => "is",
        "aren't" | "arent" => "are",
        "wasn't" | "wasnt" => "was",
        "weren't" => "were",
        "won't" => "will",
        "wouldn't" | "wouldnt" => "would",
        "shouldn't" | "shouldnt" => "should",
        "couldn't" | "couldnt" => "could",
        "hasn't" | "hasnt" => "has",
        "haven't" | "havent" => "have",
        "hadn't" => "had",
        "mustn't" => "must",
        _ => return None,
    })
}

/// A number written as a word. "one" is left a word: "no one".
fn numeral(word: &Word, before: Option<&Item>, next: Option<&Token>) -> Option<Token> {
    const CARDINALS: [&str; 11] =
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    const ORDINALS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        "eleventh", "twelfth",
    ];
    let before = before.map(|item| &item.token);
    let part = word.glued
        || before.and_then(Token::word).is_some_and(|word| TENS.contains(&word))
        || matches!(next, Some(Token::Word(next)) if next.glued && TENS.contains(&next.text.as_str()));
    // "a second" is a time and "a third" a share.
    let share = before
        .and_then(Token::word)
        .is_some_and(|word| matches!(word, "a" | "one" | "per" | "each" | "every" | "split"));
    if part || share || matches!(before, Some(Token::Number(_))) {
        return None;
    }
    let place = |list: &[&str]| list.iter().position(|name| *name == word.text);
    if let Some(place) = place(&CARDINALS) {
        return Some(Token::Number((place + 2).to_string()));
    }
    let place = u32::try_from(place(&ORDINALS)?).ok()?;
    Some(Token::Ordinal(place + 1))
}

fn spelling(word: &Word) -> Option<&'static str> {
    if word.text == "can't" {
        return Some("cannot");
    }
    let name = word.capital && SPELLINGS_OF_NAMES.contains(&word.text.as_str());
    let (_, american) = SPELLINGS.iter().find(|(british, _)| *british == word.text && !name)?;
    Some(american)
}

/// The full word, where its place leaves no doubt which it is.
fn abbreviation(word: &Word, items: &[Item], at: usize) -> Option<&'static str> {
    if word.glued {
        return None;
    }
    let after = match token(items, at + 1) {
        Some(Token::Soft('.')) => at + 2,
        _ => at + 1,
    };
    let next = token(items, after);
    let before = at.checked_sub(1).and_then(|at| token(items, at));
    let street = matches!(before, Some(Token::Word(_) | Token::Ordinal(_)))
        && matches!(next, None | Some(Token::Soft(',') | Token::Number(_)));
    let last = matches!(before, Some(Token::Word(_))) && next.is_none();
    let title = at == 0 && matches!(next, Some(Token::Word(_) | Token::Symbol('&')));
    let full = match word.text.as_str() {
        "st" if street => "street",
        "ave" | "av" if street => "avenue",
        "blvd" => "boulevard",
        "rd" if street => "road",
        "ln" if street => "lane",
        "sq" if street => "square",
        "hwy" => "highway",
        "apt" if matches!(next, Some(Token::Number(_))) => "apartment",
        "st" if title => "saint",
        "dr" if title => "doctor",
        "mt" if title => "mount",
        "mr" if title => "mister",
        "prof" if title => "professor",
        "vs" => "versus",
        "bros" if at > 0 => "brothers",
        "dept" => "department",
        "ltd" if last => "limited",
        "inc" if last => "incorporated",
        "corp" if last => "corporation",
        _ => return None,
    };
    Some(full)
}
