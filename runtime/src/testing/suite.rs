//! Test files: traces that say what they expect, many cases in one file.
//!
//! A line `{"case": "…"}` starts a case with a session of its own; an event may say what verdict it expects,
//! and a line `{"expect": …}` what has come of it so far. Only here: what a live session reads says what
//! happens, never what should.

use super::Lines;
use crate::session::replay::{Player, day};
use crate::session::{SessionBuilder, StartError};
use chrono::NaiveDate;
use intentgate_engine::diagnostic::{Code, Diagnostic, Fault, Problems};
use intentgate_engine::json::{self, Kind, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::{Source, Span};
use intentgate_engine::suggest;
use serde::Serialize;
use std::fmt;

/// A test file.
#[derive(Debug, Clone)]
pub struct Suite {
    name: String,
    limits: Limits,
    cases: Vec<Case>,
}

/// A session, what happens in it, and what is expected.
#[derive(Debug, Clone)]
struct Case {
    name: String,
    line: usize,
    today: Option<NaiveDate>,
    parameters: Vec<(String, String)>,
    lines: Vec<Line>,
}

#[derive(Debug, Clone)]
struct Line {
    source: Source,
    number: usize,
    /// What happens, if something does.
    event: Option<Node>,
    expected: Vec<Expectation>,
}

/// What is expected of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Expectation {
    Verdict(String),
    Achieved(String, bool, Span),
    Done(bool),
}

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseResult {
    /// The case.
    pub case: String,
    /// The line at which it starts, from 1.
    pub line: usize,
    /// What is otherwise than expected.
    pub failures: Vec<Failure>,
    /// The verdicts, in order.
    #[serde(skip)]
    pub verdicts: Vec<&'static str>,
    /// Whether the task is complete.
    #[serde(skip)]
    pub done: bool,
}

/// Something that is otherwise than expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The line, from 1.
    pub line: usize,
    /// What was expected.
    pub expected: String,
    /// What came.
    pub found: String,
    /// What the gate said, if it refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}, found {}", self.line, self.expected, self.found)?;
        let feedback = self.feedback.iter().flat_map(|feedback| feedback.lines());
        feedback.into_iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

/// Why a test file can't be played.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A line that can't be used.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// A session that can't start, and the case that it is for.
    #[error("{0}: {1}")]
    Start(String, StartError),
}

const CASE_KEYS: &[&str] = &["case", "today", "parameters"];
const EXPECT_KEYS: &[&str] = &["achieved", "open", "done"];
const VERDICTS: &[&str] = &["allow", "advise", "block"];

impl Suite {
    /// Reads a test file. A trace without a `case` is one case.
    ///
    /// # Errors
    /// Lines that are no JSON objects, keys that are unknown in a `case` or an `expect`, a file without
    /// events. Events themselves are read when they are played: what they may say depends on the session.
    pub fn read(file: &Source, limits: &Limits) -> Result<Suite, Problems> {
        let mut cases: Vec<Case> = Vec::new();
        for (index, text) in file.text().lines().enumerate() {
            let number = index + 1;
            if text.trim_start_matches('\u{feff}').trim().is_empty() {
                continue;
            }
            let source = Source::new(file.name(), text).at_line(number);
            let node = json::parse(&source, &Limits { bytes: limits.line, ..*limits })?;
            let problem = |diagnostic| Problems::one(source.clone(), diagnostic);
            if node.get("case").is_some() {
                let case = case(&node, number).map_err(problem)?;
                if cases.iter().any(|other| other.name == case.name) {
                    let message = format!("there is a case `{}` already", case.name);
                    let diagnostic = Diagnostic::new(Code::UnusableEvent, node.span, message);
                    return Err(problem(diagnostic.help("give it another name")));
                }
                cases.push(case);
                continue;
            }
            let line = line(node, &source, number).map_err(problem)?;
            match cases.last_mut() {
                Some(case) => case.lines.push(line),
                None => cases.push(Case {
                    name: file.name().to_owned(),
                    line: number,
                    today: None,
                    parameters: Vec::new(),
                    lines: vec![line],
                }),
            }
        }
        if cases.iter().all(|case| case.lines.is_empty()) {
            let message = format!("`{}` holds no events", file.name());
            let diagnostic = Diagnostic::new(Code::EmptyTrace, Span::default(), message);
            let diagnostic = diagnostic.help("a case starts with {\"case\": \"…\"}, events follow it");
            return Err(Problems::one(Source::new(file.name(), ""), diagnostic));
        }
        Ok(Suite { name: file.name().to_owned(), limits: *limits, cases })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Plays every case in a session of its own. Time stands still unless an event says otherwise.
    ///
    /// # Errors
    /// A session that can't start, an event that can't be used.
    pub fn play(&self, start: impl Fn() -> SessionBuilder) -> Result<Vec<CaseResult>, SuiteError> {
        self.cases.iter().map(|case| case.play(start(), &self.limits, true)).collect()
    }

    /// Whether a case expects something or, where none does, a verdict is another one than in the sessions of
    /// another builder: so this file would notice what has changed.
    #[cfg(feature = "z3")]
    pub(super) fn notices(
        &self,
        before: &[CaseResult],
        start: impl Fn() -> SessionBuilder,
    ) -> Result<bool, SuiteError> {
        let fine = self.cases.iter().zip(before).filter(|(_, before)| before.failures.is_empty());
        for (case, before) in fine {
            let mut case = case.clone();
            let builder = start();
            // What has changed may have lost a parameter.
            case.parameters.retain(|(name, _)| builder.declares(name));
            let after = case.play(builder, &self.limits, false)?;
            let expects = case.lines.iter().any(|line| !line.expected.is_empty());
            let differs = (&after.verdicts, after.done) != (&before.verdicts, before.done);
            if if expects { !after.failures.is_empty() } else { differs } {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Case {
    /// `strict`: an objective has to be known to be expected.
    fn play(
        &self,
        mut builder: SessionBuilder,
        limits: &Limits,
        strict: bool,
    ) -> Result<CaseResult, SuiteError> {
        if let Some(today) = self.today {
            builder = builder.today(today);
        }
        for (name, value) in &self.parameters {
            builder = builder.without_parameter(name).parameter(name, value);
        }
        let record = Lines::default();
        let (builder, clock) = builder.standing_still(NaiveDate::default());
        let session = builder.record(record.clone()).start();
        let session = session.map_err(|error| {
            SuiteError::Start(format!("case `{}` in line {}", self.name, self.line), error)
        })?;
        let mut player = Player::new(session, Some(clock), *limits);
        record.take();
        let mut outcome = CaseResult {
            case: self.name.clone(),
            line: self.line,
            failures: Vec::new(),
            verdicts: Vec::new(),
            done: false,
        };
        for line in &self.lines {
            let mut said = Vec::new();
            let problem = |diagnostic| Problems::one(line.source.clone(), diagnostic);
            if let Some(event) = &line.event {
                player.play_node(event).map_err(problem)?;
                said = record.take();
            }
            let verdict = said.iter().rev().find_map(|said| said.verdict);
            outcome.verdicts.extend(verdict);
            for expectation in &line.expected {
                let session = player.session();
                let (holds, found) = match expectation {
                    Expectation::Verdict(expected) => {
                        (verdict == Some(expected.as_str()), verdict.unwrap_or("no verdict").to_owned())
                    }
                    Expectation::Achieved(name, expected, span) => {
                        if strict && session.find_objective(name).is_none() {
                            let message = format!("`{name}` is no objective of the specification");
                            let diagnostic = Diagnostic::new(Code::UnusableEvent, *span, message);
                            let known = session.objectives();
                            let help = suggest::known(name, "objectives", known.iter().map(String::as_str));
                            return Err(problem(diagnostic.help(help)).into());
                        }
                        let achieved = session.is_achieved(name);
                        (achieved == *expected, achieved_text(name, achieved))
                    }
                    Expectation::Done(expected) => {
                        let done = session.is_done();
                        (done == *expected, Expectation::Done(done).to_string())
                    }
                };
                if !holds {
                    let feedback = said.iter().find_map(|said| said.feedback.as_ref());
                    outcome.failures.push(Failure {
                        line: line.number,
                        expected: expectation.to_string(),
                        found,
                        feedback: feedback.map(ToString::to_string),
                    });
                }
            }
        }
        outcome.done = player.session().is_done();
        Ok(outcome)
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::Verdict(verdict) => f.write_str(verdict),
            Expectation::Achieved(name, achieved, _) => f.write_str(&achieved_text(name, *achieved)),
            Expectation::Done(true) => f.write_str("a complete task"),
            Expectation::Done(false) => f.write_str("an open task"),
        }
    }
}

fn achieved_text(name: &str, achieved: bool) -> String {
    if achieved { format!("{name} achieved") } else { format!("{name} not achieved") }
}

/// `{"case": "…", "today": "…", "parameters": {…}}`
fn case(node: &Node, line: usize) -> Result<Case, Diagnostic> {
    let mut case = Case { name: String::new(), line, today: None, parameters: Vec::new(), lines: Vec::new() };
    for member in node.object("a case")? {
        let value = &member.value;
        match member.key.as_str() {
            "case" => value.string("`case`")?.clone_into(&mut case.name),
            "today" => {
                let read = day(value.string("`today`")?);
                case.today = Some(read.map_err(|fault: Fault| fault.at(value.span))?);
            }
            "parameters" => {
                for parameter in value.object("`parameters`")? {
                    let text = parameter.value.string("a parameter")?.to_owned();
                    case.parameters.push((parameter.key.clone(), text));
                }
            }
            _ => return Err(member.unknown(CASE_KEYS)),
        }
    }
    Ok(case)
}

/// An event with what is expected of it, or what is expected by then.
fn line(mut node: Node, source: &Source, number: usize) -> Result<Line, Diagnostic> {
    let mut expected = Vec::new();
    let mut event = true;
    if let Some(expect) = node.get("expect").cloned() {
        if let Kind::Object(members) = &mut node.kind {
            members.retain(|member| member.key != "expect");
            event = !members.is_empty();
        }
        expected = if event { vec![verdict(&expect)?] } else { state(&expect)? };
    }
    Ok(Line { source: source.clone(), number, event: event.then_some(node), expected })
}

fn verdict(node: &Node) -> Result<Expectation, Diagnostic> {
    let verdict = node.string("what is expected of an event")?;
    if VERDICTS.contains(&verdict) {
        return Ok(Expectation::Verdict(verdict.to_owned()));
    }
    let message = "what is expected of an event is a verdict";
    Err(Diagnostic::new(Code::UnusableEvent, node.span, message)
        .help("verdicts are \"allow\", \"advise\" and \"block\"")
        .help("what has come of it stands in a line of its own, like {\"expect\": {\"done\": true}}"))
}

/// `{"achieved": ["…"], "open": ["…"], "done": true}`
fn state(node: &Node) -> Result<Vec<Expectation>, Diagnostic> {
    let mut expected = Vec::new();
    for member in node.object("what is expected by then")? {
        match member.key.as_str() {
            "done" => expected.push(Expectation::Done(member.value.boolean("`done`")?)),
            key @ ("achieved" | "open") => {
                for objective in member.value.array("a list of objectives")? {
                    let name = objective.string("an objective")?.to_owned();
                    expected.push(Expectation::Achieved(name, key == "achieved", objective.span));
                }
            }
            _ => return Err(member.unknown(EXPECT_KEYS)),
        }
    }
    Ok(expected)
}
