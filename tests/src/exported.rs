//! Exported grammars, read again as text: what they produce, and what they accept.
//!
//! Knows the notations alone, nothing of how they were written.

pub mod gbnf;
pub mod lark;
mod pattern;
pub mod schema;

use crate::random::Dice;
use std::collections::{BTreeSet, HashMap};

/// A part of a grammar.
#[derive(Debug, Clone)]
pub enum Part {
    /// A text.
    Text(Vec<char>),
    /// One character of these ranges, or of none of them.
    Class(bool, Vec<(char, char)>),
    /// A symbol.
    Symbol(String),
    /// One after the other.
    Sequence(Vec<Part>),
    /// One of them.
    Choice(Vec<Part>),
    /// So often.
    Repeat(Box<Part>, usize, Option<usize>),
}

/// A grammar.
#[derive(Debug, Clone)]
pub struct Grammar {
    /// The symbol that everything starts from.
    pub start: &'static str,
    /// What the symbols stand for.
    pub symbols: HashMap<String, Part>,
}

/// Characters that a negated class is tried with.
const ODD: &[char] =
    &['a', 'Z', '5', ' ', '\'', '/', 'é', 'ß', '中', '😀', '-', '>', ')', ',', '#', '[', '.'];

impl Grammar {
    /// A grammar, all of whose symbols stand for something.
    ///
    /// # Panics
    /// If one does not, or stands for nothing that can be written.
    pub fn new(start: &'static str, symbols: HashMap<String, Part>) -> Grammar {
        let grammar = Grammar { start, symbols };
        for (name, part) in &grammar.symbols {
            grammar.closed(name, part);
        }
        grammar
    }

    fn closed(&self, name: &str, part: &Part) {
        match part {
            Part::Symbol(symbol) => assert!(self.symbols.contains_key(symbol), "{name} names {symbol}"),
            Part::Sequence(parts) | Part::Choice(parts) => {
                assert!(!parts.is_empty(), "{name} is empty");
                parts.iter().for_each(|part| self.closed(name, part));
            }
            Part::Repeat(part, ..) => self.closed(name, part),
            Part::Text(text) => assert!(!text.is_empty(), "{name} has an empty text"),
            Part::Class(_, ranges) => assert!(!ranges.is_empty(), "{name} has an empty class"),
        }
    }

    /// A random sentence.
    pub fn produce(&self, dice: &mut Dice) -> String {
        let mut text = String::new();
        self.write(&Part::Symbol(self.start.to_owned()), dice, &mut text);
        text
    }

    fn write(&self, part: &Part, dice: &mut Dice, text: &mut String) {
        match part {
            Part::Text(characters) => text.extend(characters),
            Part::Class(negated, ranges) => text.push(member(*negated, ranges, dice)),
            Part::Symbol(name) => self.write(&self.symbols[name], dice, text),
            Part::Sequence(parts) => parts.iter().for_each(|part| self.write(part, dice, text)),
            Part::Choice(parts) => self.write(&parts[dice.below(parts.len())], dice, text),
            Part::Repeat(part, least, most) => {
                // Mostly short; long enough now and then that bounds are met.
                let more = if dice.chance(5) { dice.below(40) } else { dice.below(3) };
                let count = (least + more).min(most.unwrap_or(usize::MAX));
                (0..count).for_each(|_| self.write(part, dice, text));
            }
        }
    }

    /// Whether a text is a sentence of the grammar.
    pub fn accepts(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let mut reader = Reader { grammar: self, text: &text, known: HashMap::new() };
        reader.symbol(self.start, 0).contains(&text.len())
    }

    /// How far a text is one, for a message.
    pub fn accepted_part(&self, text: &str) -> String {
        let characters: Vec<char> = text.chars().collect();
        let good = (0..=characters.len()).rev().find(|end| {
            let mut reader = Reader { grammar: self, text: &characters[..*end], known: HashMap::new() };
            reader.reach(&Part::Symbol(self.start.to_owned()), 0).iter().any(|at| at == end)
        });
        characters[..good.unwrap_or(0)].iter().collect()
    }
}

fn member(negated: bool, ranges: &[(char, char)], dice: &mut Dice) -> char {
    if negated {
        let fits: Vec<char> = ODD.iter().copied().filter(|c| !within(ranges, *c)).collect();
        return fits[dice.below(fits.len())];
    }
    let (first, last) = ranges[dice.below(ranges.len())];
    let span = u32::from(last) - u32::from(first) + 1;
    char::from_u32(u32::from(first) + dice.below(span as usize) as u32).unwrap_or(first)
}

fn within(ranges: &[(char, char)], c: char) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// Every place where a part that starts here may end; symbols are remembered.
struct Reader<'g> {
    grammar: &'g Grammar,
    text: &'g [char],
    known: HashMap<(String, usize), BTreeSet<usize>>,
}

impl Reader<'_> {
    fn symbol(&mut self, name: &str, at: usize) -> BTreeSet<usize> {
        let key = (name.to_owned(), at);
        if let Some(ends) = self.known.get(&key) {
            return ends.clone();
        }
        let grammar = self.grammar;
        let ends = self.reach(&grammar.symbols[name], at);
        self.known.insert(key, ends.clone());
        ends
    }

    fn reach(&mut self, part: &Part, at: usize) -> BTreeSet<usize> {
        match part {
            Part::Text(text) => {
                let fits = self.text.get(at..).is_some_and(|rest| rest.starts_with(text));
                fits.then_some(at + text.len()).into_iter().collect()
            }
            Part::Class(negated, ranges) => {
                let fits = self.text.get(at).is_some_and(|c| within(ranges, *c) != *negated);
                fits.then_some(at + 1).into_iter().collect()
            }
            Part::Symbol(name) => self.symbol(name, at),
            Part::Choice(parts) => parts.iter().flat_map(|part| self.reach(part, at)).collect(),
            Part::Sequence(parts) => {
                let mut ends = BTreeSet::from([at]);
                for part in parts {
                    ends = ends.into_iter().flat_map(|at| self.reach(part, at)).collect();
                }
                ends
            }
            Part::Repeat(part, least, most) => self.repeated(part, *least, *most, at),
        }
    }

    fn repeated(&mut self, part: &Part, least: usize, most: Option<usize>, at: usize) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        let mut ends = BTreeSet::from([at]);
        let mut count = 0;
        loop {
            if count >= least {
                ends.retain(|end| all.insert(*end));
            }
            if ends.is_empty() || most == Some(count) {
                return all;
            }
            ends = ends.into_iter().flat_map(|at| self.reach(part, at)).collect();
            count += 1;
        }
    }
}
