//! The one helper of the tests: a case in, its outcome as text out.
//!
//! A case is a text with sections, each behind a line `== name`: `app` (a vocabulary; without it
//! `corpus/app.json`), `spec`, `policy` (any number), `trace`, and `options` (a line each: `today=…`,
//! `zone=…`, `strict`, `param name=value`). The outcome is what a person would read: rendered
//! diagnostics, then verdicts and feedback.
#![forbid(unsafe_code)]

pub mod command;
pub mod exported;
mod halves;
pub mod random;
pub mod reference;
pub mod server;
pub mod shipped;
pub mod tasks;

pub use halves::halves;
use intentgate::Session;
use intentgate::engine::check;
use intentgate::engine::diagnostic::{Code, Problems, render};
use intentgate::engine::ir::Specification;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::session::record::Line;
use intentgate::session::{SessionBuilder, StartError};
use intentgate::testing::{self, Played};
use std::path::PathBuf;
use std::sync::Arc;

/// The vocabulary of cases without one.
pub const APP: &str = include_str!("../corpus/app.json");

/// The root of the project.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default()
}

/// A case, in parts.
#[derive(Debug, Clone, Default)]
pub struct Case {
    /// The vocabulary.
    pub app: String,
    /// The specification.
    pub spec: Option<String>,
    /// The policies.
    pub policies: Vec<String>,
    /// The trace.
    pub trace: Option<String>,
    /// Options, a line each.
    pub options: Vec<String>,
}

impl Case {
    /// Reads a case from its sections.
    pub fn parse(text: &str) -> Case {
        let mut case = Case { app: APP.to_owned(), ..Case::default() };
        let mut section = String::new();
        let mut body = String::new();
        // Line ends stay as they are.
        for line in text.split_inclusive('\n').chain(["== end"]) {
            if let Some(name) = line.strip_prefix("== ") {
                case.put(&section, std::mem::take(&mut body));
                name.trim().clone_into(&mut section);
            } else {
                body.push_str(line);
            }
        }
        case
    }

    /// Puts the body of a section where it belongs.
    pub fn put(&mut self, section: &str, body: String) {
        match section {
            "app" => self.app = body,
            "spec" => self.spec = Some(body),
            "policy" => self.policies.push(body),
            "trace" => self.trace = Some(body),
            "options" => self.options.extend(body.lines().map(str::to_owned)),
            _ => {}
        }
    }

    /// Runs the case.
    pub fn run(&self) -> Outcome {
        let mut outcome = Outcome::default();
        self.run_into(&mut outcome);
        outcome
    }

    fn run_into(&self, outcome: &mut Outcome) {
        let limits = Limits::default();
        let vocabulary = match Vocabulary::from_json(&Source::new("app.json", self.app.as_str()), &limits) {
            Ok(vocabulary) => Arc::new(vocabulary),
            Err(problems) => return outcome.problems(&problems),
        };
        let Some(spec) = &self.spec else { return };
        let mut sets: Vec<Arc<Specification>> = Vec::new();
        let checked = check::specification(&Source::new("spec.intent", spec.as_str()), &vocabulary, &limits);
        let policies = self.policies.iter().enumerate().map(|(index, text)| {
            let name =
                if index == 0 { "policy.intent".to_owned() } else { format!("policy{}.intent", index + 1) };
            check::policy(&Source::new(name, text.as_str()), &vocabulary, &limits)
        });
        let mut wrong = false;
        for checked in std::iter::once(checked).chain(policies) {
            match checked {
                Ok(checked) => {
                    outcome.problems(&checked.warnings);
                    sets.push(Arc::new(checked.specification));
                }
                Err(problems) => {
                    outcome.problems(&problems);
                    wrong = true;
                }
            }
        }
        let mut sets = sets.into_iter();
        let (false, Some(specification)) = (wrong, sets.next()) else { return };
        let mut builder = Session::builder(specification);
        for policy in sets {
            builder = builder.policy(policy);
        }
        if let Some(trace) = &self.trace {
            self.play(builder, trace, outcome);
        } else if self.options.iter().any(|option| option.starts_with("param")) {
            self.play(builder, "", outcome);
        }
    }

    fn play(&self, mut builder: SessionBuilder, trace: &str, outcome: &mut Outcome) {
        let (mut today, mut zone) = ("2026-11-21", "UTC");
        for option in &self.options {
            if let Some(date) = option.strip_prefix("today=") {
                today = date;
            } else if let Some(name) = option.strip_prefix("zone=") {
                zone = name;
            } else if option == "strict" {
                builder = builder.strict(true);
            } else if let Some((name, value)) =
                option.strip_prefix("param ").and_then(|text| text.split_once('='))
            {
                builder = builder.parameter(name, value);
            }
        }
        let (Ok(today), Ok(zone)) = (today.parse(), zone.parse()) else {
            return outcome.text.push_str("the options of this case can't be used\n");
        };
        let played = testing::play(builder.today(today).zone(zone), trace);
        outcome.played(&played);
    }
}

/// What came of a case.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// As a person would read it.
    pub text: String,
    /// Every code, in order.
    pub codes: Vec<Code>,
    /// Whether something was an error, or could not be used.
    pub failed: bool,
    /// The verdicts of the proposals, in order.
    pub verdicts: Vec<&'static str>,
    /// The record as JSON lines.
    pub record: Vec<String>,
    /// Whether the task is complete.
    pub done: bool,
    /// Whether something was blocked.
    pub blocked: bool,
}

impl Outcome {
    fn problems(&mut self, problems: &Problems) {
        self.failed |= problems.has_errors();
        self.codes.extend(problems.items().iter().map(|item| item.code()));
        self.text.push_str(&render::plain(problems));
    }

    fn played(&mut self, played: &Played) {
        match played.not_started().map(StartError::parts) {
            Some(Ok(problems)) => return self.problems(problems),
            Some(Err(fault)) => self.codes.push(fault.code),
            None => {}
        }
        for line in played.lines().iter().filter(|line| line.event != "start") {
            self.codes.extend(&line.codes);
            self.verdicts.extend(line.verdict);
        }
        if let Some(problems) = played.problems() {
            self.failed |= problems.has_errors();
            self.codes.extend(problems.items().iter().map(|item| item.code()));
        }
        self.text.push_str(&played.to_string());
        self.record = played.lines().iter().map(Line::to_json).collect();
        self.done = played.is_done();
        self.blocked = played.is_blocked();
    }
}
