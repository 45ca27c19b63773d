//! Sentences, and sentences with places for values: "Reserve {restaurant} before {time}".
//!
//! A place in braces becomes the parameter of its name. Knows sentences and names, nothing of vocabularies.

use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::input::shortened;
use intentgate_engine::suggest;
use intentgate_engine::value::is_name;

/// What is to be encoded: a sentence, or a template with or without values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    parts: Vec<Part>,
    values: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Words(String),
    Place(String),
}

impl Sentence {
    /// A sentence; braces in it are braces.
    pub fn new(text: impl Into<String>) -> Sentence {
        Sentence { parts: vec![Part::Words(text.into())], values: Vec::new() }
    }

    /// A template: `{name}` is a place for a value, `{{` and `}}` are braces.
    ///
    /// # Errors
    /// E0833: a brace without the other one, or a place whose name is none.
    pub fn template(text: &str) -> Result<Sentence, Fault> {
        let mut parts = Vec::new();
        let mut words = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            words.push_str(before);
            if let Some(after) = from.strip_prefix("{{").or_else(|| from.strip_prefix("}}")) {
                words.push_str(from.get(..1).unwrap_or_default());
                rest = after;
                continue;
            }
            let inside = from.strip_prefix('{').and_then(|from| from.split_once('}'));
            let Some((name, after)) = inside else {
                let message = format!("`{}` has a brace without the other one", shortened(text));
                return Err(
                    Fault::new(Code::BadTemplate, message).help("a brace that is none is written twice")
                );
            };
            if !is_name(name.trim()) {
                let message = format!("`{}` is no name for a place", shortened(name));
                return Err(Fault::new(Code::BadTemplate, message).help("a place is written {restaurant}"));
            }
            parts.push(Part::Words(std::mem::take(&mut words)));
            parts.push(Part::Place(name.trim().to_owned()));
            rest = after;
        }
        words.push_str(rest);
        parts.push(Part::Words(words));
        Ok(Sentence { parts, values: Vec::new() })
    }

    /// With a value for a place, as somebody writes it: `R`, `7 pm`.
    ///
    /// # Errors
    /// E0322: there is no such place, or it has a value.
    pub fn with(mut self, name: &str, value: &str) -> Result<Sentence, Fault> {
        if !self.places().contains(&name) {
            let message = format!("the sentence has no place `{{{}}}`", shortened(name));
            let help = suggest::known(name, "places", self.places());
            return Err(Fault::new(Code::UnusedParameter, message).help(help));
        }
        if self.values.iter().any(|(known, _)| known == name) {
            let message = format!("`{name}` has two values");
            return Err(Fault::new(Code::UnusedParameter, message));
        }
        self.values.push((name.to_owned(), value.to_owned()));
        Ok(self)
    }

    /// With the values that a sentence has where the template has places: of "Reserve {restaurant} before {time}" and
    /// "Reserve R before 7 PM", `R` and `7 PM`. Case and spacing of the words between don't matter.
    ///
    /// # Errors
    /// E0833: the sentence doesn't fit, or fits in several ways.
    pub fn of(self, concrete: &str) -> Result<Sentence, Fault> {
        let misfit = |why: &str| {
            let message = format!("`{}` {why} `{}`", shortened(concrete), shortened(&self.to_string()));
            Fault::new(Code::BadTemplate, message)
        };
        let mut found = Vec::new();
        // The stop at the end is the template's where it has one, else a part of the value.
        let stops = matches!(self.parts.last(), Some(Part::Words(words)) if words.trim_end().ends_with('.'));
        let said = concrete.trim();
        let said = if stops { said.strip_suffix('.').unwrap_or(said) } else { said };
        let chars: Vec<char> = said.chars().collect();
        fits(&self.parts, &chars, &mut Vec::new(), &mut found);
        found.dedup();
        match found.as_slice() {
            [values] => Ok(Sentence { values: values.clone(), ..self }),
            [] => Err(misfit("does not fit")),
            _ => Err(misfit("fits in several ways").help("give the values by name")),
        }
    }

    /// The names of the places, each once.
    pub fn places(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for part in &self.parts {
            if let Part::Place(name) = part
                && !names.contains(&name.as_str())
            {
                names.push(name);
            }
        }
        names
    }

    /// The values that are given.
    pub fn values(&self) -> &[(String, String)] {
        &self.values
    }
}

/// With places in braces.
impl std::fmt::Display for Sentence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            Part::Words(words) => f.write_str(words),
            Part::Place(name) => write!(f, "{{{name}}}"),
        })
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Sentence {
        Sentence::new(text)
    }
}

/// Ways in which several values for one place or several places side by side fit, of which two are enough to know that
/// there is more than one.
const MOST: usize = 2;
/// Longer sentences are not matched with templates.
const LONGEST: usize = 2_000;

type Values = Vec<(String, String)>;

fn fits(parts: &[Part], rest: &[char], values: &mut Values, found: &mut Vec<Values>) {
    if found.len() >= MOST || rest.len() > LONGEST {
        return;
    }
    match parts {
        [] if rest.is_empty() => found.push(values.clone()),
        [] => {}
        [Part::Words(words), parts @ ..] => {
            if let Some(rest) = without(rest, words, parts.is_empty()) {
                fits(parts, rest, values, found);
            }
        }
        [Part::Place(name), parts @ ..] => {
            for end in 1..=rest.len() {
                let (value, rest) = rest.split_at_checked(end).unwrap_or((rest, &[]));
                // Only where the words behind it can begin.
                let next = match parts.first() {
                    Some(Part::Words(words)) if !words.is_empty() => without(rest, words, parts.len() == 1),
                    _ => Some(rest),
                };
                let value: String = value.iter().collect();
                let edges = value.starts_with(char::is_whitespace) || value.ends_with(char::is_whitespace);
                let other = values.iter().any(|(known, held)| known == name && *held != value);
                if next.is_none() || edges || other {
                    continue;
                }
                let again = values.iter().any(|(known, _)| known == name);
                if !again {
                    values.push((name.clone(), value));
                }
                fits(parts, rest, values, found);
                if !again {
                    values.pop();
                }
            }
        }
    }
}

/// What is left behind some words; the last ones of a template may be without their final stop.
fn without<'a>(rest: &'a [char], words: &str, last: bool) -> Option<&'a [char]> {
    let folded = |c: &char| c.to_lowercase().collect::<String>();
    let mut rest = rest;
    let words = if last { words.trim_end() } else { words };
    let words = if last { words.strip_suffix('.').unwrap_or(words) } else { words };
    let mut wanted = words.chars().peekable();
    while let Some(c) = wanted.next() {
        if c.is_whitespace() {
            while wanted.peek().is_some_and(|c| c.is_whitespace()) {
                wanted.next();
            }
            let spaces = rest.iter().take_while(|c| c.is_whitespace()).count();
            rest = rest.get(spaces..).filter(|_| spaces > 0)?;
        } else {
            let [first, after @ ..] = rest else { return None };
            rest = (folded(first) == folded(&c)).then_some(after)?;
        }
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_and_what_fits_them() {
        let template = || Sentence::template("Reserve {restaurant} before {time}.").unwrap();
        assert_eq!(template().places(), ["restaurant", "time"]);
        let values = |sentence: &str| {
            template().of(sentence).map(|bound| {
                bound
                    .values()
                    .iter()
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect::<Vec<_>>()
                    .join(" ")
            })
        };
        assert_eq!(values("Reserve R before 7 PM").unwrap(), "restaurant=R time=7 PM");
        assert_eq!(
            values("reserve  Chez Panisse before 19:00.").unwrap(),
            "restaurant=Chez Panisse time=19:00"
        );
        let open = Sentence::template("Pay {who}").unwrap().of("Pay Acme Inc.").unwrap();
        assert_eq!(open.values(), [("who".to_owned(), "Acme Inc.".to_owned())]);
        assert_eq!(values("Book R before 7 PM").unwrap_err().code, Code::BadTemplate);
        assert_eq!(values("Reserve A before B before 7 PM").unwrap_err().code, Code::BadTemplate);
        let same = Sentence::template("{a} and {a}").unwrap();
        assert_eq!(same.clone().of("x and x").unwrap().values().len(), 1);
        assert!(same.of("x and y").is_err());
        assert!(Sentence::template("{a").is_err() && Sentence::template("{1a}").is_err());
        assert_eq!(Sentence::template("{{a}} {b}").unwrap().to_string(), "{a} {b}");
        assert!(template().with("restaurant", "R").unwrap().with("restaurant", "S").is_err());
        assert!(template().with("place", "R").is_err());
    }
}
