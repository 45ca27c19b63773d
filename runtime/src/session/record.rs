//! The record: one JSON line for the start and for every input, written after its effect.
//!
//! It holds everything that the session was given, so that it replays to the same bytes by itself. A
//! line that can't be written ends the session's decisions: nothing happens off the record.

use super::history::Evidence;
use super::{Observed, Session};
use crate::Action;
use crate::Update;
use crate::action::{Argument, Arguments};
use crate::gate::feedback::{Feedback, FeedbackKind};
use crate::gate::{Outcome, Stale, Verdict};
use chrono::{DateTime, SecondsFormat, Utc};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::ir::Specification;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::value::Value;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::io;

/// Takes the lines of a record.
pub trait Record: Send {
    /// Takes one line. What it does with it has to be done when it returns: an error stops the session.
    ///
    /// # Errors
    /// If the line could not be kept.
    fn line(&mut self, line: &Line) -> io::Result<()>;
}

/// Writes JSON lines, each flushed.
#[derive(Debug)]
pub struct JsonLines<W>(pub W);

impl<W: io::Write + Send> Record for JsonLines<W> {
    fn line(&mut self, line: &Line) -> io::Result<()> {
        writeln!(self.0, "{}", line.to_json())?;
        self.0.flush()
    }
}

/// One line of a record.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// Its number, from 0 for the start.
    pub seq: u64,
    /// `start`, `observe`, `propose`, `execute`, `begin`, `finish` or `resolve`.
    pub event: &'static str,
    /// The action, for a proposal, a permit or a resolution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// `allow`, `advise` or `block`, where something was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// How the effect ended, where one ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Why, as stable codes.
    pub codes: Vec<Code>,
    /// What the gate says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
    /// How many changes there were.
    pub epoch: u64,
    /// What is achieved, in order, without `Done`.
    pub achieved: Vec<String>,
    /// Whether the task is complete.
    pub done: bool,
    /// Why what this line achieved is achieved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// The hash of the specification.
    pub spec: String,
    /// Hashes of vocabulary and policies, and the measure behind `~`: in the start line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hashes: Option<Hashes>,
    /// What the session was given, in the canonical form of a trace.
    pub input: Input,
}

impl Line {
    /// The line as JSON, without a line end.
    pub fn to_json(&self) -> String {
        // Plain data with text keys: writing it can't fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What a session is bound to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Hashes {
    /// Of the vocabulary.
    pub vocabulary: String,
    /// Of the specification.
    pub spec: String,
    /// Of the policies, in order.
    pub policies: Vec<String>,
    /// The name of the measure behind `~`.
    pub similarity: String,
}

/// An input in the canonical form of a trace, with the clock reading it was judged at.
#[derive(Debug, Clone)]
pub struct Input {
    kind: Kind,
    at: Option<String>,
}

#[derive(Debug, Clone)]
enum Kind {
    Start(Box<RawValue>),
    Observe(Updates),
    Propose(Box<Proposal>),
    Execute { permit: String, outcome: Outcome },
    Begin { permit: String },
    Finish { permit: String, outcome: Outcome },
    Resolve { action: String, outcome: Outcome },
    Replace(Replacement),
}

/// Another specification, as a replay needs it.
#[derive(Debug, Clone, Serialize)]
struct Replacement {
    name: String,
    text: String,
    parameters: serde_json::Map<String, serde_json::Value>,
    consent: bool,
}

#[derive(Debug, Clone)]
struct Proposal {
    action: String,
    critical: bool,
    arguments: Arguments,
    updates: Updates,
    trigger_failed: Option<String>,
    outcome: Option<Outcome>,
    hold: Option<String>,
}

/// Assignments by source, state and variable, with their names.
#[derive(Debug, Clone)]
struct Updates(Vec<(ValueSource, States)>);

#[derive(Debug, Clone, Default)]
struct States(Vec<(String, Vec<Entry>)>);

/// A variable of a state, and its value.
type Entry = (String, Option<Value>);

impl Updates {
    fn new(vocabulary: &Vocabulary, assignments: &[Assignment]) -> Updates {
        let mut groups = Vec::new();
        for source in [ValueSource::App, ValueSource::Agent, ValueSource::Inferred] {
            let mut states = States::default();
            for assignment in assignments.iter().filter(|assignment| assignment.source == source) {
                let variable = vocabulary.variable(assignment.variable);
                let state = vocabulary.state(variable.state()).name();
                let entry = (variable.name().to_owned(), assignment.value.clone());
                match states.0.iter_mut().find(|(name, _)| name == state) {
                    Some((_, entries)) => entries.push(entry),
                    None => states.0.push((state.to_owned(), vec![entry])),
                }
            }
            if !states.0.is_empty() {
                groups.push((source, states));
            }
        }
        Updates(groups)
    }

    /// The first source's update under `key`, its source unless it is the app, and the rest.
    fn write<M: SerializeMap>(&self, map: &mut M, key: &str) -> Result<(), M::Error> {
        let none = (ValueSource::App, States::default());
        let (first, rest) = self.0.split_first().unwrap_or((&none, &[]));
        map.serialize_entry(key, &first.1)?;
        if first.0 != ValueSource::App {
            map.serialize_entry("source", &first.0)?;
        }
        if !rest.is_empty() {
            map.serialize_entry("also", &Rest(rest))?;
        }
        Ok(())
    }
}

impl Serialize for States {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Variables<'a>(&'a [Entry]);
        impl Serialize for Variables<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
            }
        }
        serializer.collect_map(self.0.iter().map(|(name, entries)| (name, Variables(entries))))
    }
}

struct Rest<'a>(&'a [(ValueSource, States)]);

impl Serialize for Rest<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Group<'a> {
            source: ValueSource,
            update: &'a States,
        }
        serializer.collect_seq(self.0.iter().map(|(source, update)| Group { source: *source, update }))
    }
}

impl Serialize for Proposal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Form<'a>(&'a Arguments);
        impl Serialize for Form<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(Some(self.0.iter().len()))?;
                for (name, argument) in self.0.iter() {
                    match argument {
                        Argument::Typed(value) => map.serialize_entry(name, value)?,
                        Argument::Free(value) => map.serialize_entry(name, value)?,
                    }
                }
                map.end()
            }
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("action", &self.action)?;
        if self.critical {
            map.serialize_entry("critical", &true)?;
        }
        if self.arguments.iter().len() > 0 {
            map.serialize_entry("arguments", &Form(&self.arguments))?;
        }
        self.updates.write(&mut map, "update")?;
        if let Some(why) = &self.trigger_failed {
            map.serialize_entry("trigger_failed", why)?;
        }
        if let Some(outcome) = self.outcome {
            map.serialize_entry("outcome", &outcome)?;
        }
        if let Some(hold) = &self.hold {
            map.serialize_entry("hold", hold)?;
        }
        map.end()
    }
}

impl Serialize for Input {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Settled<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            permit: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            action: Option<&'a str>,
            outcome: Outcome,
        }
        let mut map = serializer.serialize_map(None)?;
        match &self.kind {
            Kind::Start(start) => map.serialize_entry("start", start)?,
            Kind::Observe(updates) => updates.write(&mut map, "observe")?,
            Kind::Propose(proposal) => map.serialize_entry("propose", proposal)?,
            Kind::Execute { permit, outcome } => {
                map.serialize_entry("execute", permit)?;
                map.serialize_entry("outcome", outcome)?;
            }
            Kind::Begin { permit } => map.serialize_entry("begin", permit)?,
            Kind::Finish { permit, outcome } => {
                let settled = Settled { permit: Some(permit), action: None, outcome: *outcome };
                map.serialize_entry("finish", &settled)?;
            }
            Kind::Replace(replacement) => map.serialize_entry("replace", replacement)?,
            Kind::Resolve { action, outcome } => {
                let settled = Settled { permit: None, action: Some(action), outcome: *outcome };
                map.serialize_entry("resolve", &settled)?;
            }
        }
        if let Some(at) = &self.at {
            map.serialize_entry("at", at)?;
        }
        map.end()
    }
}

impl Input {
    /// The proposal of an action.
    pub(crate) fn proposal(vocabulary: &Vocabulary, action: &Action) -> Input {
        let proposal = Proposal {
            action: action.name().to_owned(),
            critical: action.0.claims_critical,
            arguments: action.0.arguments.clone(),
            updates: Updates::new(vocabulary, &action.merged_update()),
            trigger_failed: action.0.trigger_failed.clone(),
            outcome: None,
            hold: None,
        };
        Input { kind: Kind::Propose(Box::new(proposal)), at: None }
    }

    /// What is seen.
    pub(crate) fn observation(vocabulary: &Vocabulary, update: &Update) -> Input {
        Input { kind: Kind::Observe(Updates::new(vocabulary, &update.assignments)), at: None }
    }

    /// What it says of variables, by `State.variable`.
    pub fn values(&self) -> Vec<(String, Option<Value>)> {
        let updates = match &self.kind {
            Kind::Observe(updates) => updates,
            Kind::Propose(proposal) => &proposal.updates,
            _ => return Vec::new(),
        };
        let states = updates.0.iter().flat_map(|(_, states)| &states.0);
        states
            .flat_map(|(state, entries)| {
                entries.iter().map(move |(name, value)| (format!("{state}.{name}"), value.clone()))
            })
            .collect()
    }

    /// As a JSON line, without a line end.
    pub fn to_json(&self) -> String {
        // Plain data with text keys: writing it can't fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Writes the record of one session.
pub(crate) struct Recorder {
    sink: Box<dyn Record>,
    seq: u64,
    /// How much of the history was told.
    told: usize,
    hash: String,
}

impl Recorder {
    pub(crate) fn new(sink: Box<dyn Record>, hash: String) -> Recorder {
        Recorder { sink, seq: 0, told: 0, hash }
    }
}

/// A reading, in UTC: zones have had offsets that RFC 3339 can't write.
fn time_text(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// What of a line is particular to its event.
#[derive(Default)]
struct Particular {
    event: &'static str,
    action: Option<String>,
    verdict: Option<&'static str>,
    outcome: Option<Outcome>,
    feedback: Option<Feedback>,
}

impl Session {
    pub(crate) fn record_start(&mut self, hashes: Hashes, start: Box<RawValue>) -> Result<(), Fault> {
        let particular = Particular { event: "start", ..Particular::default() };
        self.record_line(particular, Kind::Start(start), Some(hashes))
    }

    pub(crate) fn record_observation(&mut self, update: &Update, observed: &Observed) -> Result<(), Fault> {
        if self.recorder.is_none() {
            return Ok(());
        }
        let updates = Updates::new(self.vocabulary(), &update.assignments);
        let feedback = observed.feedback.as_deref().cloned();
        let particular = Particular { event: "observe", feedback, ..Particular::default() };
        self.record_line(particular, Kind::Observe(updates), None)
    }

    /// Records a proposal whose permit is kept, or that was refused.
    pub(crate) fn record_proposal(&mut self, verdict: &mut Verdict, hold: Option<&str>) -> Result<(), Fault> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let name = hold.map_or_else(|| format!("#{}", recorder.seq), str::to_owned);
        let allowed = matches!(verdict, Verdict::Allow(_));
        let action = match &*verdict {
            Verdict::Allow(permit) => permit.action(),
            Verdict::Advise(refused) | Verdict::Block(refused) => &refused.action,
        };
        let mut input = Input::proposal(self.vocabulary(), action);
        if let Kind::Propose(proposal) = &mut input.kind {
            proposal.hold = (hold.is_some() || allowed).then(|| name.clone());
        }
        let particular = Particular {
            event: "propose",
            action: Some(action.name().to_owned()),
            verdict: Some(verdict.word()),
            outcome: None,
            feedback: verdict.feedback().cloned(),
        };
        if let Verdict::Allow(permit) = verdict {
            permit.set_hold(&name);
        }
        self.record_line(particular, input.kind, None)
    }

    /// Records a proposal that was allowed, and how its effect ended.
    pub(crate) fn record_gated(
        &mut self,
        mut input: Input,
        note: Option<Feedback>,
        outcome: Outcome,
    ) -> Result<(), Fault> {
        let mut action = None;
        if let Kind::Propose(proposal) = &mut input.kind {
            proposal.outcome = (outcome != Outcome::Done).then_some(outcome);
            action = Some(proposal.action.clone());
        }
        let particular = Particular {
            event: "propose",
            action,
            verdict: Some("allow"),
            outcome: Some(outcome),
            feedback: note,
        };
        self.record_line(particular, input.kind, None)
    }

    pub(crate) fn record_begin(
        &mut self,
        hold: Option<&str>,
        action: &str,
        stale: Option<&Stale>,
    ) -> Result<(), Fault> {
        let kind = Kind::Begin { permit: hold.unwrap_or_default().to_owned() };
        self.record_permit("begin", action, kind, stale, None)
    }

    pub(crate) fn record_execute(
        &mut self,
        hold: &str,
        action: &str,
        outcome: Outcome,
        stale: Option<&Stale>,
    ) -> Result<(), Fault> {
        let kind = Kind::Execute { permit: hold.to_owned(), outcome };
        self.record_permit("execute", action, kind, stale, stale.is_none().then_some(outcome))
    }

    fn record_permit(
        &mut self,
        event: &'static str,
        action: &str,
        kind: Kind,
        stale: Option<&Stale>,
        outcome: Option<Outcome>,
    ) -> Result<(), Fault> {
        if self.recorder.is_none() {
            return Ok(());
        }
        let particular = Particular {
            event,
            action: Some(action.to_owned()),
            verdict: stale.map(|_| "block"),
            outcome,
            feedback: stale.map(|stale| Feedback { kind: FeedbackKind::Block, ..(*stale.feedback).clone() }),
        };
        self.record_line(particular, kind, None)
    }

    pub(crate) fn record_finish(
        &mut self,
        hold: Option<&str>,
        action: &str,
        outcome: Outcome,
    ) -> Result<(), Fault> {
        if self.recorder.is_none() {
            return Ok(());
        }
        let kind = Kind::Finish { permit: hold.unwrap_or_default().to_owned(), outcome };
        let action = Some(action.to_owned());
        let particular =
            Particular { event: "finish", action, outcome: Some(outcome), ..Particular::default() };
        self.record_line(particular, kind, None)
    }

    pub(crate) fn record_resolve(&mut self, action: &str, outcome: Outcome) -> Result<(), Fault> {
        let particular = Particular {
            event: "resolve",
            action: Some(action.to_owned()),
            outcome: Some(outcome),
            ..Particular::default()
        };
        self.record_line(particular, Kind::Resolve { action: action.to_owned(), outcome }, None)
    }

    /// Records that another specification has taken over, with the first `known` entries of the history.
    pub(crate) fn record_replacement(
        &mut self,
        new: &Specification,
        consent: bool,
        known: usize,
    ) -> Result<(), Fault> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        recorder.hash.clone_from(&self.start.hashes.spec);
        recorder.told = known;
        let replacement = Replacement {
            name: new.source().name().to_owned(),
            text: new.source().text().to_owned(),
            parameters: self.start.spelled_parameters(),
            consent,
        };
        let particular = Particular { event: "replace", ..Particular::default() };
        self.record_line(particular, Kind::Replace(replacement), Some(self.start.hashes.clone()))
    }

    fn record_line(
        &mut self,
        particular: Particular,
        kind: Kind,
        hashes: Option<Hashes>,
    ) -> Result<(), Fault> {
        // Behind a line that is lost nothing may follow.
        if self.broken {
            return Ok(());
        }
        let Some(mut recorder) = self.recorder.take() else { return Ok(()) };
        let evidence = self
            .history
            .achieved()
            .skip(recorder.told)
            .map(|entry| self.history.evidence(&self.evaluator, entry))
            .collect();
        let line = Line {
            seq: recorder.seq,
            event: particular.event,
            action: particular.action,
            verdict: particular.verdict,
            outcome: particular.outcome,
            codes: particular.feedback.as_ref().map_or(Vec::new(), |feedback| feedback.codes.clone()),
            feedback: particular.feedback,
            epoch: self.epoch,
            achieved: self.achieved(),
            done: self.is_done(),
            evidence,
            spec: recorder.hash.clone(),
            hashes,
            input: Input { kind, at: self.reading.take().map(time_text) },
        };
        recorder.told = self.history.count();
        recorder.seq += 1;
        let written = recorder.sink.line(&line);
        self.recorder = Some(recorder);
        written.map_err(|error| {
            self.broken = true;
            Fault::new(Code::RecordFailed, format!("the record could not be written: {error}"))
                .help("what was decided before is in it; start a new session where it can be kept")
        })
    }
}
