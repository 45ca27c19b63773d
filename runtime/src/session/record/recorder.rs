//! The lines of a session's record, one behind the other.
//!
//! Knows what a session has come to; must never change that, but ends its decisions when a line is lost.

use super::input::{Input, Kind, Replacement, Updates};
use super::{Hashes, Line, Record};
use crate::Update;
use crate::gate::feedback::{Feedback, FeedbackKind};
use crate::gate::{Outcome, Stale, Verdict};
use crate::session::{Observed, Session};
use chrono::{DateTime, SecondsFormat, Utc};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::ir::Specification;
use serde_json::value::RawValue;

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
