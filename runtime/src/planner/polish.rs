//! A plan in better words (path polishing: SPlanner, section 3.2), by a language model, and only if every step is
//! still in it, in order, and nothing else.
//!
//! What is checked, for a plan of n steps: the answer is a list of n numbered lines; line k holds every word, number
//! and sign of step k, in its order, and what step k has in double quotes as it stands there; beside these it holds
//! only words of a closed list that ask for nothing: articles, `please`, `button`, `then`. Words for touching (`tap`,
//! `press`, `open`) may stand for each other, as often as the step has them; a step without any may get one. Case,
//! quotes and the punctuation of sentences don't matter. Nothing may be there that can't be seen. Else the plain plan
//! is used: a word too many is an action that nobody planned. Knows paths and language models, nothing of how paths
//! are found.

use super::Path;
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

/// Words for touching something: what is touched is in the step.
const TOUCHING: &[&str] = &["click", "open", "press", "tap", "touch"];
/// Words that ask for nothing wherever they stand.
const IDLE: &[&str] =
    &["a", "an", "and", "button", "icon", "it", "link", "page", "please", "screen", "tab", "the", "then"];
/// Words that ask for nothing at the start of a line. Elsewhere they may choose: `the next page`.
const LEADING: &[&str] = &["finally", "first", "next", "now"];

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
         step, in its order, one numbered line a step. Keep all words and numbers of a step, in their order, and what \
         stands in quotes as it is. Add nothing but articles and words like \"please\", \"then\", \"tap\", \"open\", \
         \"go to\", \"button\", \"icon\", \"page\".\n{}",
        fence::RULE
    );
    let user = format!(
        "The user's instruction:\n{}\n\nThe plan:\n{}\n\nAnswer with the numbered lines only.",
        fence::Fenced::new("instruction", instruction, fence::LIMIT),
        fence::Fenced::new("plan", plain, 20_000),
    );
    Request::new().system(system).user(user).temperature(0.0)
}

/// The items of an answer, if they say the steps in their order and nothing else.
fn check(answer: &str, events: &[&str]) -> Result<Vec<String>, String> {
    let items = items(answer)?;
    if items.len() != events.len() {
        return Err(format!(
            "the plan has {} steps, and the answer {} numbered items",
            events.len(),
            items.len()
        ));
    }
    for (number, (item, event)) in items.iter().zip(events).enumerate() {
        says(item, event).map_err(|why| format!("item {}: {why}", number + 1))?;
    }
    Ok(items)
}

/// The numbered lines; what stands before the first is dropped, and nothing may stand between or behind them.
fn items(answer: &str) -> Result<Vec<String>, String> {
    let mut items: Vec<String> = Vec::new();
    for line in answer.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("```")) {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest =
            line.get(digits..).filter(|_| digits > 0).and_then(|rest| rest.strip_prefix(['.', ')', ':']));
        match rest {
            Some(rest) => {
                let number = line.get(..digits).and_then(|number| number.parse::<usize>().ok());
                if number != Some(items.len() + 1) {
                    return Err(format!("item {} has another number", items.len() + 1));
                }
                items.push(rest.trim().to_owned());
            }
            None if items.is_empty() => {}
            None => return Err(format!("behind item {} stands a line without a number", items.len())),
        }
    }
    Ok(items)
}

/// Whether an item says what a step does, and nothing else.
fn says(item: &str, event: &str) -> Result<(), String> {
    if lookalike::has_hidden(item) || item.contains(char::is_control) {
        return Err("it has characters that can't be seen".to_owned());
    }
    let (whole, item_words) = (normal::nfc(&normal::typographic(item)).into_owned(), words(item));
    for target in quoted(event) {
        if !normal::occurs(&normal::nfc(&target), &whole) {
            return Err(format!("it does not name {}", fence::quoted(&target, 60)));
        }
    }
    let event_words = words(event);
    let is = |list: &[&str], word: &str| list.contains(&word);
    // What may be said otherwise or not at all.
    let loose = |word: &str| is(TOUCHING, word) || matches!(word, "a" | "an" | "the" | "and" | "then");
    let mut wanted = event_words.iter().filter(|word| !loose(word)).peekable();
    let mut before = "";
    for (at, word) in item_words.iter().enumerate() {
        if wanted.next_if(|next| *next == word).is_none() {
            let after = item_words.get(at + 1..).unwrap_or_default();
            let idle = is(IDLE, word)
                || is(TOUCHING, word)
                || (at == 0 && is(LEADING, word))
                || links(before, word, after);
            if !idle {
                return Err(format!("it says {} where the step doesn't", fence::quoted(word, 60)));
            }
        }
        before = word;
    }
    if let Some(word) = wanted.next() {
        return Err(format!("it does not say {} in its place", fence::quoted(word, 60)));
    }
    let touches = |words: &[String]| words.iter().filter(|word| is(TOUCHING, word)).count();
    let goes =
        item_words.windows(2).filter(|pair| matches!(pair, [go, to] if go == "go" && to == "to")).count();
    let own_goes = event_words.iter().filter(|word| *word == "go").count();
    let (said, planned) = (touches(&item_words) + goes.saturating_sub(own_goes), touches(&event_words));
    if said == planned || (planned == 0 && said == 1) {
        Ok(())
    } else {
        Err(format!("it touches something {said} times, and the step {planned} times"))
    }
}

/// `go to`, `tap on`, `on the screen`: the small words of these, which elsewhere may turn what is meant.
fn links(before: &str, word: &str, after: &[String]) -> bool {
    let place = || match after {
        [article, place, ..] => {
            matches!(article.as_str(), "the" | "this") && matches!(place.as_str(), "page" | "screen")
        }
        _ => false,
    };
    match word {
        "go" => after.first().is_some_and(|word| word == "to"),
        "to" => before == "go",
        "on" => TOUCHING.contains(&before) || place(),
        "of" => place(),
        "this" => matches!(before, "on" | "of"),
        _ => false,
    }
}

/// The words of a text in lower case, numbers as they are written; each sign that is no punctuation of sentences by
/// itself.
fn words(text: &str) -> Vec<String> {
    let text = normal::fold(&normal::typographic(text));
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let inside = !word.is_empty() && characters.peek().is_some_and(|next| next.is_alphanumeric());
        if c.is_alphanumeric() || (inside && matches!(c, '.' | ',' | ':' | '\'')) {
            word.push(c);
            continue;
        }
        words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        if !c.is_whitespace() && !matches!(c, '.' | ',' | ';' | ':' | '!' | '\'' | '"' | '(' | ')') {
            words.push(c.to_string());
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
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
