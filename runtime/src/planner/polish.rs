//! A plan in better words (path polishing: SPlanner, section 3.2), by a language model, and only if every step is
//! still in it.
//!
//! What is checked, for a plan of n steps: the answer is a list of n numbered items; item k holds every text in
//! quotes and every number of step k, and at least half of its other words, by their stems; it holds more of step k
//! than of any other step, and no other step as a whole; it holds no negation and no alternative that step k doesn't
//! hold, and nothing that can't be seen. Case, quotes and order of words within an
//! item don't matter; an item may say more than its step. Else the plain plan is used. Knows paths and language
//! models, nothing of how paths are found.

use super::Path;
use super::select::words::Splitter;
use crate::language_model::ask::{AskError, Transcript, ask};
use crate::language_model::{LanguageModel, Request, fence};
use intentgate_engine::text::{lookalike, normal};
use serde::Serialize;

/// A plan in words, and whose.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Polished {
    /// The plan, a numbered line for each step.
    pub text: String,
    /// Why it is in its own words and not in the model's; nothing if it is in the model's.
    pub plain_because: Option<String>,
    /// What was said; nothing if nobody was asked.
    pub transcript: Option<Transcript>,
}

impl Polished {
    /// Whether the words are the model's.
    pub fn is_polished(&self) -> bool {
        self.plain_because.is_none()
    }
}

/// How long an item may be, in characters.
const LONGEST: usize = 400;

/// The plan in a model's words, or in its own if the model gives no usable ones in `tries` tries. Never fails: a
/// plan is a plan without polish, too.
pub async fn polish(model: &dyn LanguageModel, instruction: &str, path: &Path, tries: usize) -> Polished {
    let plain = path.to_string();
    let because =
        |why: String, transcript| Polished { text: plain.clone(), plain_because: Some(why), transcript };
    if path.steps.is_empty() {
        return because("there is nothing to polish".to_owned(), None);
    }
    let events: Vec<&str> = path.steps.iter().map(|step| step.event.as_str()).collect();
    match ask(model, request(instruction, &plain), tries, |answer| check(answer, &events)).await {
        Ok((items, transcript)) => {
            let lines = items.iter().enumerate().map(|(number, item)| format!("{}. {item}\n", number + 1));
            Polished { text: lines.collect(), plain_because: None, transcript: Some(transcript) }
        }
        Err(error) => {
            let why = error.to_string();
            let (AskError::Model { transcript, .. } | AskError::Unusable { transcript, .. }) = error;
            because(why, Some(*transcript))
        }
    }
}

fn request(instruction: &str, plain: &str) -> Request {
    let system = format!(
        "You put an execution plan for an app into clear, concise words for the agent that carries it out. Keep every \
         step, in its order, one numbered item a step. Keep names in quotes and numbers as they are. You may add what \
         the user's instruction says about a step.\n{}",
        fence::RULE
    );
    let user = format!(
        "The user's instruction:\n{}\n\nThe plan:\n{}\n\nAnswer with the numbered items only.",
        fence::Fenced::new("instruction", instruction, fence::LIMIT),
        fence::Fenced::new("plan", plain, 20_000),
    );
    Request::new().system(system).user(user).temperature(0.0)
}

/// The items of an answer, if they name the steps in their order.
fn check(answer: &str, events: &[&str]) -> Result<Vec<String>, String> {
    let items = items(answer)?;
    if items.len() != events.len() {
        return Err(format!(
            "the plan has {} steps, and the answer {} numbered items",
            events.len(),
            items.len()
        ));
    }
    let splitter = Splitter::new();
    for (number, (item, event)) in items.iter().zip(events).enumerate() {
        let wrong = |why: String| format!("item {}: {why}", number + 1);
        named(item, event, &splitter).map_err(wrong)?;
        for (other, what) in events.iter().enumerate().filter(|(_, other)| *other != event) {
            apart(item, event, what, &splitter).map_err(|why| wrong(format!("{why} {}", other + 1)))?;
        }
    }
    Ok(items)
}

/// Whether an item says its own step and not another one.
fn apart(item: &str, event: &str, other: &str, splitter: &Splitter) -> Result<(), &'static str> {
    let stems = |text: &str| splitter.of_name(&folded(text));
    let (said, own, other) = (stems(item), stems(event), stems(other));
    let has = |stems: &[String], stem: &String| stems.iter().any(|one| splitter.likeness(one, stem) > 0.0);
    let kept = |wanted: &[String]| wanted.iter().filter(|stem| has(&said, stem)).count();
    let (mine, others) = (kept(&own), kept(&other));
    // Shares, compared without division.
    if others * own.len() > mine * other.len() {
        return Err("it is rather step");
    }
    let more = other.iter().any(|stem| !has(&own, stem));
    let equally = others * own.len() == mine * other.len();
    match (more && others == other.len(), equally && mine < own.len()) {
        (true, _) => Err("it also says step"),
        (_, true) => Err("it might as well be step"),
        (false, false) => Ok(()),
    }
}

/// The numbered lines, each with the lines that follow it; what stands before the first is dropped.
fn items(answer: &str) -> Result<Vec<String>, String> {
    let mut items: Vec<String> = Vec::new();
    for line in answer.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("```")) {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest =
            line.get(digits..).filter(|_| digits > 0).and_then(|rest| rest.strip_prefix(['.', ')', ':']));
        match (rest, items.last_mut()) {
            (Some(rest), _) => {
                let number = line.get(..digits).and_then(|number| number.parse::<usize>().ok());
                if number != Some(items.len() + 1) {
                    return Err(format!("item {} has another number", items.len() + 1));
                }
                items.push(rest.trim().to_owned());
            }
            (None, Some(last)) => {
                last.push(' ');
                last.push_str(line);
            }
            (None, None) => {}
        }
    }
    Ok(items)
}

/// Whether an item says what a step does.
fn named(item: &str, event: &str, splitter: &Splitter) -> Result<(), String> {
    if item.chars().count() > LONGEST.max(2 * event.chars().count()) {
        return Err("it is too long".to_owned());
    }
    if lookalike::has_hidden(item) {
        return Err("it has characters that can't be seen".to_owned());
    }
    let (said, wanted) = (folded(item), folded(event));
    for target in quoted(event) {
        if !normal::occurs(&folded(&target), &said) {
            return Err(format!("it does not name {}", fence::quoted(&target, 60)));
        }
    }
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | ':' | '\''));
        let words = words.map(|word| word.trim_matches(['.', ':', '\'']).to_owned());
        words.filter(|word| !word.is_empty()).collect()
    };
    let (said, wanted) = (words(&said), words(&wanted));
    let number = |word: &&String| word.starts_with(|c: char| c.is_ascii_digit());
    if let Some(number) = wanted.iter().filter(number).find(|number| !said.contains(number)) {
        return Err(format!("it does not say {}", fence::quoted(number, 60)));
    }
    const TURNS: &[&str] =
        &["not", "no", "never", "without", "skip", "avoid", "instead", "or", "unless", "cannot", "except"];
    let turns = |word: &&String| TURNS.contains(&word.as_str()) || word.ends_with("n't");
    if let Some(turn) = said.iter().filter(turns).find(|turn| !wanted.contains(turn)) {
        return Err(format!("it says `{turn}`, and the step doesn't"));
    }
    let stems = |words: &[String]| splitter.of_name(&words.join(" "));
    let (said, wanted) = (stems(&said), stems(&wanted));
    let kept = wanted.iter().filter(|stem| said.iter().any(|one| splitter.likeness(one, stem) > 0.0)).count();
    if 2 * kept < wanted.len() {
        Err(format!("it has little to do with {}", fence::quoted(event, 120)))
    } else {
        Ok(())
    }
}

fn folded(text: &str) -> String {
    normal::fold(&normal::typographic(text))
}

/// The texts in double quotes.
fn quoted(text: &str) -> Vec<String> {
    let text = normal::typographic(text);
    let pieces: Vec<&str> = text.split('"').collect();
    // The last piece stands behind the last quote, or behind one that is never closed.
    let inside = pieces.len().saturating_sub(1) / 2;
    pieces
        .into_iter()
        .skip(1)
        .step_by(2)
        .take(inside)
        .filter(|piece| !piece.trim().is_empty())
        .map(str::to_owned)
        .collect()
}
