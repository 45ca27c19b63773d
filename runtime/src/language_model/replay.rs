//! A model that answers from what was recorded.

use super::scripted::lock;
use super::{Answering, LanguageModel, Message, ModelError, Reply, Request};
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::span::{Source, Span};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::Mutex;

/// Answers from the lines of a [`super::Recording`], without asking anybody. The same request several times gets
/// its answers in the order in which they were recorded; a request that was not recorded, or not as often, is an
/// error that says what is nearest. Nothing is answered approximately.
#[derive(Debug)]
pub struct Replay {
    name: String,
    recorded: Vec<Recorded>,
    by_key: HashMap<String, Vec<usize>>,
    /// How often each key was asked.
    asked: Mutex<HashMap<String, usize>>,
}

#[derive(Debug)]
struct Recorded {
    line: usize,
    request: Request,
    answer: Result<Reply, ModelError>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    key: String,
    model: String,
    request: Request,
    reply: Option<Reply>,
    error: Option<ModelError>,
}

impl Replay {
    /// Reads recorded lines; empty ones are skipped.
    ///
    /// # Errors
    /// Every line that is none of a recording, and every key that isn't its request's.
    pub fn from_lines(source: &Source) -> Result<Replay, Problems> {
        let mut problems = Problems::new(source.clone());
        let mut replay = Replay {
            name: "replay".to_owned(),
            recorded: Vec::new(),
            by_key: HashMap::new(),
            asked: Mutex::default(),
        };
        let mut start = 0;
        for (number, text) in source.text().split_inclusive('\n').enumerate() {
            let span = Span::new(start, start + text.trim_end().len());
            start += text.len();
            if text.trim().is_empty() {
                continue;
            }
            match line(text) {
                Ok(line) => replay.add(number + 1, line),
                Err(why) => problems.push(
                    Diagnostic::new(Code::BadRecording, span, why)
                        .help("record it again; a line is not meant to be changed by hand"),
                ),
            }
        }
        if problems.has_errors() { Err(problems) } else { Ok(replay) }
    }

    fn add(&mut self, number: usize, line: (String, String, Recorded)) {
        let (key, model, recorded) = line;
        self.name = model;
        self.by_key.entry(key).or_default().push(self.recorded.len());
        self.recorded.push(Recorded { line: number, ..recorded });
    }

    /// How many recorded answers have not been asked for.
    pub fn left(&self) -> usize {
        let asked = lock(&self.asked);
        let used = |(key, places): (&String, &Vec<usize>)| {
            places.len() - asked.get(key).copied().unwrap_or_default().min(places.len())
        };
        self.by_key.iter().map(used).sum()
    }

    fn next(&self, request: &Request) -> Result<Reply, ModelError> {
        let key = request.key();
        let Some(places) = self.by_key.get(&key) else {
            return Err(ModelError::NotRecorded { why: self.nearest(request).into() });
        };
        let mut asked = lock(&self.asked);
        let times = asked.entry(key).or_default();
        let next = places.get(*times).and_then(|place| self.recorded.get(*place));
        *times += 1;
        match next {
            Some(recorded) => recorded.answer.clone(),
            None => {
                let why = format!("it is asked {} times, and was recorded {} times", times, places.len());
                Err(ModelError::NotRecorded { why: why.into() })
            }
        }
    }

    /// The recorded request that agrees longest with this one, and where they part.
    fn nearest(&self, request: &Request) -> String {
        let alike = |recorded: &Recorded| {
            let pairs = recorded.request.messages.iter().zip(&request.messages);
            let same = pairs.clone().take_while(|(one, other)| one == other).count();
            let (one, other) =
                pairs.skip(same).map(|(one, other)| (one.words(), other.words())).next().unwrap_or_default();
            (same, one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count())
        };
        // Of equally near ones the first.
        let nearest = self.recorded.iter().rev().max_by_key(|recorded| alike(recorded));
        let Some(nearest) = nearest else { return "nothing was".to_owned() };
        let (same, letters) = alike(nearest);
        let excerpt = |messages: &[Message]| match messages.get(same) {
            Some(message) => {
                let words: String = message.words().chars().skip(letters.saturating_sub(10)).collect();
                format!("`{}`", shortened(&words))
            }
            None => "nothing".to_owned(),
        };
        let (then, now) = (excerpt(&nearest.request.messages), excerpt(&request.messages));
        let line = nearest.line;
        if then == now {
            return format!(
                "the nearest, in line {line}, has the same words and other options, pictures or roles"
            );
        }
        format!(
            "the nearest, in line {line}, parts in message {}: {then} was recorded, {now} is asked",
            same + 1
        )
    }
}

/// A line, by its key and the name of its model.
fn line(text: &str) -> Result<(String, String, Recorded), String> {
    let line: Line =
        serde_json::from_str(text).map_err(|error| format!("not a line of a recording: {error}"))?;
    let answer = match (line.reply, line.error) {
        (Some(reply), None) => Ok(reply),
        (None, Some(error)) => Err(error),
        _ => return Err("a line holds either a `reply` or an `error`".to_owned()),
    };
    if line.key != line.request.key() {
        return Err("the `key` is not that of the `request`".to_owned());
    }
    Ok((line.key, line.model, Recorded { line: 0, request: line.request, answer }))
}

impl LanguageModel for Replay {
    /// That of the model that was recorded last.
    fn name(&self) -> &str {
        &self.name
    }

    fn answer<'a>(&'a self, request: &'a Request) -> Answering<'a> {
        Box::pin(async move { self.next(request) })
    }
}
