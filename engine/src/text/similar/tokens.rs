//! Cutting a text into tokens.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::words;

/// A token and its distance from the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// What was read.
    pub(super) token: Token,
    /// Whether white space stands before it.
    pub(super) spaced: bool,
}

/// One unit of meaning; equal tokens mean the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A run of letters.
    Word(Word),
    /// Digits, with points and commas as written where they are ambiguous.
    Number(String),
    /// An address, a path or an identifier: equal only to itself.
    Exact(String),
    /// A character that carries meaning.
    Symbol(char),
    /// Punctuation that is dropped unless its place gives it meaning.
    Soft(char),
    /// A place in a row, as in "2nd".
    Ordinal(u32),
    /// A day, its year if given.
    Date {
        /// The year, if given.
        year: Option<u32>,
        /// The month, from 1.
        month: u32,
        /// The day, or none for a whole month.
        day: Option<u32>,
    },
    /// A time of day; not `certain` if it may be before or after noon.
    Clock {
        /// Minutes since midnight.
        minutes: u32,
        /// Whether the half of the day is known.
        certain: bool,
    },
    /// An amount of money, by currency sign.
    Money {
        /// The sign.
        sign: char,
        /// The digits.
        amount: String,
    },
    /// A telephone number: its digits.
    Phone(String),
    /// Two letters joined by "&" or "and".
    Letters {
        /// The letters, lower-case.
        text: String,
        /// Whether they were written without spaces.
        tight: bool,
    },
}

/// A run of letters and its case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// The letters in lower case.
    pub(super) text: String,
    /// Whether every letter was written in lower case.
    pub(super) lower: bool,
    /// Whether the first letter was written in upper case.
    pub(super) capital: bool,
    /// Whether it is in capitals although the text is not.
    pub(super) acronym: bool,
    /// Whether the whole text is in capitals, so that case tells nothing.
    pub(super) shouted: bool,
    /// Whether a hyphen joins it to the word before.
    pub(super) glued: bool,
    /// The letters as written, for units, in which case is meaning.
    pub(super) written: String,
}

impl Token {
    /// The lower-case text of a word.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(&word.text),
            _ => None,
        }
    }

    /// The digits of a number written with nothing but digits.
    pub(super) fn digits(&self) -> Option<&str> {
        match self {
            Token::Number(raw) if raw.bytes().all(|b| b.is_ascii_digit()) => Some(raw),
            _ => None,
        }
    }
}

/// The token at `at`, if any.
pub(super) fn token(items: &[Item], at: usize) -> Option<&Token> {
    items.get(at).map(|item| &item.token)
}

/// Whether the item at `at` follows the one before without white space.
pub(super) fn tight(items: &[Item], at: usize) -> bool {
    items.get(at).is_some_and(|item| !item.spaced)
}

/// Cuts a text into tokens, soft punctuation included.
pub(super) fn scan(text: &str) -> Vec<Item> {
    let text: String = text.nfc().collect();
    let shouted = !text.chars().any(char::is_lowercase);
    let mut items = Vec::new();
    for chunk in text.split_whitespace() {
        let first = items.len();
        if is_exact(chunk) {
            push(&mut items, Token::Exact(chunk.to_owned()));
        } else {
            scan_chunk(chunk, shouted, &mut items);
        }
        if let Some(item) = items.get_mut(first) {
            item.spaced = true;
        }
    }
    items
}

fn push(items: &mut Vec<Item>, token: Token) {
    items.push(Item { token, spaced: false });
}

/// Drops soft punctuation, except where it may separate numbers or change the
/// reach of a negation ("No, send it").
pub(super) fn drop_soft(mut items: Vec<Item>) -> Vec<Item> {
    while matches!(items.last(), Some(item) if matches!(item.token, Token::Soft(_))) {
        items.pop();
    }
    let negated = items.iter().any(|item| words::is_negation(&item.token));
    let number = |at: Option<usize>| {
        at.and_then(|at| token(&items, at))
            .is_some_and(|token| matches!(token, Token::Number(_) | Token::Money { .. }))
    };
    let letter = |at: Option<usize>| {
        at.and_then(|at| token(&items, at))
            .and_then(Token::word)
            .is_some_and(|word| word.chars().count() == 1)
    };
    let keep: Vec<bool> = items
        .iter()
        .enumerate()
        .map(|(at, item)| {
            let (before, after) = (at.checked_sub(1), at.checked_add(1));
            let between = number(before) && number(after);
            let minus = number(before) || number(after) || (letter(before) && letter(after));
            match item.token {
                Token::Soft('"' | '\'') => between,
                Token::Soft('-') => negated || minus,
                Token::Soft(_) => negated || between,
                _ => true,
            }
        })
        .collect();
    items
        .into_iter()
        .zip(keep)
        .filter_map(|(item, keep)| {
            let token = match item.token {
                Token::Soft(c) => keep.then_some(Token::Symbol(c))?,
                token => token,
            };
            Some(Item { token, ..item })
        })
        .collect()
}

/// The plain character a typographic variant stands for.
fn plain(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{ff07}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{ff02}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{3002}' | '\u{ff0e}' => '.',
        '\u{ff0c}' => ',',
        '\u{ff01}' => '!',
        '\u{ff1f}' => '?',
        '\u{ff1a}' => ':',
        '\u{ff1b}' => ';',
        '\u{ff08}' => '(',
        '\u{ff09}' => ')',
        '\u{ff06}' => '&',
        _ => c,
    }
}

/// Whether a chunk between spaces is an address, a path, a file name, a handle
/// or an identifier, in which every character counts.
fn is_exact(chunk: &str) -> bool {
    if chunk.contains(['@', '_', '\\', '`', '=', '~']) {
        return true;
    }
    let numeric = |c: char| c.is_ascii_digit();
    if chunk.len() > 1
        && chunk.contains('/')
        && !chunk.trim_end_matches([',', '.', ';']).chars().all(|c| numeric(c) || c == '/')
    {
        return true;
    }
    let chars: Vec<char> = chunk.chars().collect();
    let letter = |c: char| c.is_alphabetic();
    let mut upper = false;
    let mut lower = false;
    let mut inner_digit = false;
    let mut inner_point = false;
    for window in chars.windows(3) {
        if let [a, b, c] = *window {
            inner_point |= matches!(b, '.' | ':')
                && a.is_alphanumeric()
                && c.is_alphanumeric()
                && !(numeric(a) && numeric(c));
        }
    }
    let mut seen = 0;
    for c in &chars {
        upper |= c.is_uppercase();
        lower |= c.is_lowercase();
        seen = match seen {
            0 if letter(*c) => 1,
            1 if numeric(*c) => 2,
            2 if letter(*c) => 3,
            other => other,
        };
        inner_digit |= seen == 3;
    }
    (inner_point && initials(chunk).is_none()) || (inner_digit && upper && lower)
}

/// The chunk without the points of "U.S.", "J.R.R." or "7 p.m.", if it is that.
fn initials(chunk: &str) -> Option<String> {
    let body = chunk.trim_matches([',', ';', ':', '!', '"', '(', ')']);
    let letters = body.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
    let lower_case = ["a.m", "a.m.", "p.m", "p.m."].contains(&letters.to_lowercase().as_str());
    let parts: Vec<&str> = letters.trim_end_matches('.').split('.').collect();
    let upper_case = letters.len() == body.len()
        && parts.len() > 1
        && parts.iter().all(|part| {
            let mut chars = part.chars();
            chars.next().is_some_and(char::is_uppercase) && chars.next().is_none()
        });
    (lower_case || upper_case).then(|| chunk.replace('.', ""))
}

fn scan_chunk(chunk: &str, shouted: bool, items: &mut Vec<Item>) {
    let undotted = initials(chunk).filter(|_| chunk.contains('.'));
    let chars: Vec<char> = undotted.as_deref().unwrap_or(chunk).chars().map(plain).collect();
    // A face such as ":)" is a symbol, not punctuation.
    let bare = chars.len() > 1 && !chars.iter().any(|c| c.is_alphanumeric());
    let mut at = 0;
    let mut glued = false;
    while let Some(&c) = chars.get(at) {
        let before = at.checked_sub(1).and_then(|at| chars.get(at)).copied();
        if c.is_ascii_digit() {
            let end = number_end(&chars, at);
            push(items, Token::Number(number(&chars, at, end)));
            at = end;
        } else if is_letter(c) {
            let end = word_end(&chars, at);
            push(items, Token::Word(word(&chars, at, end, shouted, glued)));
            at = end;
            glued = false;
        } else if chars.get(at..at + 3) == Some(&['.', '.', '.']) || c == '\u{2026}' {
            push(items, Token::Symbol('\u{2026}'));
            at += if c == '.' { 3 } else { 1 };
        } else if bare {
            push(items, Token::Symbol(c));
            at += 1;
        } else {
            let after = chars.get(at + 1).copied();
            if c == '-' && joins_letters(&chars, at) {
                // "30-day" is "30 day", not one word.
                glued = before.is_some_and(is_letter);
            } else {
                push(items, mark(c, before, after));
            }
            at += 1;
        }
    }
}

fn is_letter(c: char) -> bool {
    !c.is_ascii_digit() && (c.is_alphanumeric() || is_combining_mark(c))
}

/// The end of a number; a point or comma belongs to it between digits.
fn number_end(chars: &[char], start: usize) -> usize {
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let mut end = start;
    while digit(end) || (matches!(chars.get(end), Some('.' | ',')) && digit(end + 1)) {
        end += 1;
    }
    end
}

fn number(chars: &[char], start: usize, end: usize) -> String {
    let raw: String = chars.iter().take(end).skip(start).collect();
    super::amounts::canonical(&raw).unwrap_or(raw)
}

/// The end of a word; an apostrophe belongs to it between letters.
fn word_end(chars: &[char], start: usize) -> usize {
    let letter = |at: usize| chars.get(at).copied().is_some_and(is_letter);
    let mut end = start;
    while letter(end) || (chars.get(end) == Some(&'\'') && letter(end + 1)) {
        end += 1;
    }
    end
}

fn word(chars: &[char], start: usize, end: usize, shouted: bool, glued: bool) -> Word {
    let written: String = chars.iter().take(end).skip(start).collect();
    let lower = !written.chars().any(char::is_uppercase);
    let capitals = !written.chars().any(char::is_lowercase);
    Word {
        text: written.to_lowercase().nfc().collect(),
        lower,
        capital: written.chars().next().is_some_and(char::is_uppercase),
        acronym: !lower && capitals && !shouted && written.chars().nth(1).is_some(),
        shouted,
        glued,
        written,
    }
}

/// Whether the hyphen at `at` joins two words, or a number and a word.
fn joins_letters(chars: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| chars.get(at)).copied();
    let rest = chars.get(at + 1..).unwrap_or_default();
    let lower = rest.iter().take_while(|c| c.is_lowercase()).count();
    match before {
        Some(c) if c.is_ascii_digit() => lower >= 3,
        Some(c) => is_letter(c) && rest.first().copied().is_some_and(is_letter),
        None => false,
    }
}

/// The token of a character that is neither letter nor digit, by its place.
fn mark(c: char, before: Option<char>, after: Option<char>) -> Token {
    let letter = |c: Option<char>| c.is_some_and(is_letter);
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let closing = |c: Option<char>| matches!(c, None | Some('"' | '\'' | ')' | '!' | '.' | ','));
    let soft = match c {
        '.' => before.is_some() && !digit(after) && before != Some('.'),
        ',' => before.is_some() && !digit(after),
        ';' | ':' => before.is_some() && closing(after) && after != Some(')'),
        // A minus sign has no white space behind it, a dash has.
        '-' if before.is_none() && after.is_some() && !letter(after) => {
            return Token::Symbol('\u{2212}');
        }
        '-' => before.is_none() && after.is_none(),
        '(' => letter(after) && !matches!(before, Some(':' | ';')),
        ')' => letter(before) || matches!(before, Some('.' | '"' | '\'' | '!')),
        '!' => letter(before) && closing(after),
        '\u{a1}' => before.is_none() && letter(after),
        '"' | '\'' => !digit(before),
        _ => false,
    };
    if soft { Token::Soft(c) } else { Token::Symbol(c) }
}
