//! The action of a reply: one call of the published functions, or `FINISH`.

use super::problem::ReplyProblem;
use super::sections::label;
use crate::executor::device::{Direction, Distance, Gesture, Target};
use serde::Serialize;

/// What a model was offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offer {
    /// How many tags its screen has, from 1.
    pub tags: usize,
    /// Whether it may ask for a grid over the screen.
    pub grid: bool,
}

/// What a model wants to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AgentAction {
    /// `tap(5)`
    Tap(u32),
    /// `text("Hello, world!")`
    Text(String),
    /// `long_press(5)`
    LongPress(u32),
    /// `swipe(21, "up", "medium")`
    Swipe {
        /// The element.
        tag: u32,
        /// Where to.
        direction: Direction,
        /// How far.
        distance: Distance,
    },
    /// `back()`
    Back,
    /// `grid()`: a grid over the screen, for what has no tag.
    Grid,
    /// `FINISH`: the task is done, or nothing can be done.
    Finish,
}

impl AgentAction {
    /// The gesture that performs it; nothing for a grid and for the end.
    pub fn gesture(&self) -> Option<Gesture> {
        match self {
            AgentAction::Tap(tag) => Some(Gesture::Tap(Target::Tag(*tag))),
            AgentAction::Text(text) => Some(Gesture::Text(text.clone())),
            AgentAction::LongPress(tag) => Some(Gesture::LongPress(Target::Tag(*tag))),
            AgentAction::Swipe { tag, direction, distance } => {
                Some(Gesture::Swipe { target: Target::Tag(*tag), direction: *direction, distance: *distance })
            }
            AgentAction::Back => Some(Gesture::Back),
            AgentAction::Grid | AgentAction::Finish => None,
        }
    }
}

/// The functions, by all their names, and how they are called.
const FUNCTIONS: [(&str, &str); 10] = [
    ("tap", "tap(5)"),
    ("text", "text(\"Hello, world!\")"),
    ("long_press", "long_press(5)"),
    ("longpress", "long_press(5)"),
    ("swipe", "swipe(21, \"up\", \"medium\")"),
    ("back", "back()"),
    ("grid", "grid()"),
    ("finish", "FINISH"),
    ("exit", "FINISH"),
    ("stop", "FINISH"),
];

/// What may stand around a call.
const AROUND: [char; 3] = ['`', '*', '_'];

/// Reads the action at the start of a text, up to the next label or the end. The rest begins there.
pub(super) fn read<'t>(text: &'t str, offer: &Offer) -> Result<(AgentAction, &'t str), ReplyProblem> {
    let start = before_call(text);
    if start.is_empty() || label(start.lines().next().unwrap_or("")).is_some() {
        return Err(ReplyProblem::Missing { section: super::Section::Action });
    }
    let end = start.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(start.len());
    let (name, after) = start.split_at(end);
    let lower = name.to_ascii_lowercase();
    let spaced = after.trim_start_matches([' ', '\t']);
    let Some(arguments) = spaced.strip_prefix('(') else {
        if lower == "finish" {
            return Ok((AgentAction::Finish, ended(after)?));
        }
        return Err(ReplyProblem::NotACall { found: up_to_label(start).to_owned() });
    };
    let known = FUNCTIONS.iter().find(|(function, _)| *function == lower && (offer.grid || lower != "grid"));
    let Some((function, wanted)) = known else {
        return Err(ReplyProblem::UnknownAction { name: name.to_owned(), grid: offer.grid });
    };
    if *function == "text" {
        let (text, left) = quoted(arguments)?;
        return Ok((AgentAction::Text(text), left));
    }
    let unclosed = || ReplyProblem::Unclosed { found: up_to_label(start).to_owned() };
    let close = arguments.find([')', '\n']).ok_or_else(unclosed)?;
    let (inside, left) = arguments.split_at(close);
    let left = left.strip_prefix(')').ok_or_else(unclosed)?;
    let parts: Vec<&str> = inside.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let wrong = || ReplyProblem::Arguments { action: name_of(wanted), wanted, found: inside.to_owned() };
    let action = match (*function, parts.as_slice()) {
        ("tap", [element]) => AgentAction::Tap(tag(element, offer).ok_or_else(wrong)??),
        ("long_press" | "longpress", [element]) => {
            AgentAction::LongPress(tag(element, offer).ok_or_else(wrong)??)
        }
        ("swipe", [element, direction, distance]) => AgentAction::Swipe {
            tag: tag(element, offer).ok_or_else(wrong)??,
            direction: named(direction, Direction::ALL, Direction::name)
                .ok_or_else(|| ReplyProblem::Direction { found: bare(direction).to_owned() })?,
            distance: named(distance, Distance::ALL, Distance::name)
                .ok_or_else(|| ReplyProblem::Distance { found: bare(distance).to_owned() })?,
        },
        ("back", []) => AgentAction::Back,
        ("grid", []) => AgentAction::Grid,
        ("finish" | "exit" | "stop", []) => AgentAction::Finish,
        _ => return Err(wrong()),
    };
    Ok((action, ended(left)?))
}

/// The function's name in how it is called.
fn name_of(wanted: &'static str) -> &'static str {
    wanted.split_once('(').map_or(wanted, |(name, _)| name)
}

/// The text without what may stand before a call: spaces, Markdown, a fence, a number.
fn before_call(text: &str) -> &str {
    let mut text = text.trim_start();
    if let Some(fence) = text.strip_prefix("```") {
        // A fence may name a language.
        let line = fence.find('\n').map(|end| fence.split_at(end));
        text = match line {
            Some((language, rest)) if language.trim().chars().all(char::is_alphanumeric) => rest,
            _ => fence,
        };
    }
    let text = text.trim_start().trim_start_matches(AROUND).trim_start_matches("- ").trim_start_matches("> ");
    let text = match text.split_once(['.', ')']) {
        Some((number, rest)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest
        }
        _ => text,
    };
    text.trim_start().trim_start_matches(AROUND).trim_start_matches('"')
}

/// What is left after a call, if nothing is but Markdown and the next label.
fn ended(text: &str) -> Result<&str, ReplyProblem> {
    let end =
        text.trim_start_matches(|c: char| c.is_whitespace() || AROUND.contains(&c) || ".;\"".contains(c));
    // The label's own Markdown may have been taken for the call's: start again at its line.
    let skipped = text.len() - end.len();
    let line =
        text.get(..skipped).and_then(|before| before.rfind('\n')).map_or(skipped, |newline| newline + 1);
    let rest = text.get(line..).unwrap_or("");
    if end.is_empty() || label(rest.lines().next().unwrap_or("")).is_some() {
        return Ok(if end.is_empty() { "" } else { rest });
    }
    let found = up_to_label(end).trim().to_owned();
    if begins_with_action(end.trim_start_matches([',', '&', '+', '-', '>', ' ', '\n'])) {
        return Err(ReplyProblem::SeveralActions { found });
    }
    Err(ReplyProblem::AfterAction { found })
}

fn begins_with_action(text: &str) -> bool {
    let lower: String =
        text.trim_start_matches("and ").trim_start_matches("then ").chars().take(16).collect();
    let lower = lower.to_ascii_lowercase();
    let text = lower.trim_start_matches(|c: char| c.is_ascii_digit() || "`*_. ".contains(c));
    FUNCTIONS.iter().any(|(name, _)| {
        text.strip_prefix(name).is_some_and(|rest| {
            let rest = rest.trim_start();
            rest.starts_with('(') || (*name == "finish" && !rest.starts_with(char::is_alphanumeric))
        })
    })
}

/// The part of a text before the next line with a label.
fn up_to_label(text: &str) -> &str {
    let mut end = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number > 0 && label(line).is_some() {
            break;
        }
        end += line.len();
    }
    text.get(..end).unwrap_or(text).trim_end()
}

/// A tag: a number, which may have a name before it or quotation marks around it. Nothing if it is none.
fn tag(argument: &str, offer: &Offer) -> Option<Result<u32, ReplyProblem>> {
    let value = unnamed(argument);
    let value = value.strip_prefix("UID").or(value.strip_prefix("uid")).unwrap_or(value);
    let digits = bare(value);
    let number = digits.strip_prefix('-').unwrap_or(digits);
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let known = digits.parse::<u32>().ok().filter(|tag| (1..=offer.tags).contains(&(*tag as usize)));
    Some(known.ok_or_else(|| ReplyProblem::NoSuchTag { tag: digits.to_owned(), tags: offer.tags }))
}

/// An argument without the name that some models write before it: `element=5`.
fn unnamed(argument: &str) -> &str {
    match argument.split_once(['=', ':']) {
        Some((name, value)) if name.trim().chars().all(|c| c.is_ascii_alphabetic() || c == '_') => {
            value.trim()
        }
        _ => argument,
    }
}

/// A word without quotation marks.
fn bare(word: &str) -> &str {
    word.trim().trim_matches(['"', '\'', '“', '”', '‘', '’', '`']).trim()
}

fn named<T: Copy, const N: usize>(argument: &str, all: [T; N], name: fn(T) -> &'static str) -> Option<T> {
    let word = bare(unnamed(argument));
    all.into_iter().find(|one| word.eq_ignore_ascii_case(name(*one)))
}

/// The quoted text at the start of the arguments, and what is left after the call.
///
/// A quotation mark ends the text if a parenthesis follows it, and the call ends there. Where another action
/// follows, it ends there too, which is an error; else the mark is part of the text: models forget to escape.
fn quoted(arguments: &str) -> Result<(String, &str), ReplyProblem> {
    let start = arguments.trim_start();
    let start = match start.split_once(['=', ':']) {
        Some((name, value)) if name.trim().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') => {
            value.trim_start()
        }
        _ => start,
    };
    let unquoted = || ReplyProblem::Unquoted { found: up_to_label(arguments).to_owned() };
    let opening = start.chars().next().ok_or_else(unquoted)?;
    let closing = match opening {
        '"' | '\'' => opening,
        '“' => '”',
        '‘' => '’',
        '«' => '»',
        _ => return Err(unquoted()),
    };
    let inside = start.get(opening.len_utf8()..).unwrap_or("");
    let mut escaped = false;
    let mut first: Option<ReplyProblem> = None;
    for (at, c) in inside.char_indices() {
        if escaped || c == '\\' {
            escaped = !escaped;
            continue;
        }
        if c != closing {
            continue;
        }
        let after = inside.get(at + c.len_utf8()..).unwrap_or("").trim_start();
        let Some(left) = after.strip_prefix(')') else { continue };
        match ended(left) {
            Ok(left) => return Ok((unescaped(inside.get(..at).unwrap_or("")), left)),
            Err(error @ ReplyProblem::SeveralActions { .. }) => return Err(error),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(|| ReplyProblem::Unclosed { found: up_to_label(arguments).to_owned() }))
}

/// The text without its escapes: quotation marks, backslash, line end, tab. Other backslashes stay.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some(c @ ('"' | '\'' | '\\')) => plain.push(c),
            Some(c) => plain.extend(['\\', c]),
            None => plain.push('\\'),
        }
    }
    plain
}
