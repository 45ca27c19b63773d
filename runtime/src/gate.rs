//! The gate: may this action run? (DESIGN 5, VeriSafe Agent 5.2.)
//!
//! Two levels. Ordinary actions pass unless every rule that they concern contradicts them; then the
//! gate advises, and insisting passes. Critical actions pass only if a rule for them is true and no
//! prohibition stands; insisting never helps. No error, missing part or limit ends in an allow: a
//! [`Permit`] is made in one place, behind all checks. Must never perform an effect by itself.

pub mod feedback;
pub(crate) mod handle;
pub mod permit;
pub mod wording;

use crate::Action;
use crate::session::{Advised, Session, TriggerError};
use crate::typed::Proposal;
use feedback::{Feedback, FeedbackKind, RuleReport, contradictions, nearest_first, rule_report};
pub use handle::{EffectFailure, Gate, GateError, Held};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::Mark;
use intentgate_engine::schema::ActionId;
use intentgate_engine::text::lookalike;
pub use permit::{Begun, EffectError, Gated, Outcome, Permit, Running, Stale};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the gate says of an action.
#[derive(Debug)]
#[must_use]
pub enum Verdict<P: Proposal = Action> {
    /// It may run, once, in this situation.
    Allow(Permit<P>),
    /// It seems to lead away from the task. Nothing was changed; proposing the same again passes.
    Advise(Refused),
    /// It may not run. Nothing was changed; proposing the same again does not help.
    Block(Refused),
}

/// An action that may not run now, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// What the gate says.
    pub feedback: Box<Feedback>,
    /// The action, as it was judged.
    pub action: Action,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.feedback.fmt(f)
    }
}

impl std::error::Error for Refused {}

impl<P: Proposal> Verdict<P> {
    /// The verdict on an action that was made of a `P`.
    fn of(verdict: Verdict) -> Verdict<P> {
        match verdict {
            Verdict::Allow(permit) => Verdict::Allow(permit.of()),
            Verdict::Advise(refused) => Verdict::Advise(refused),
            Verdict::Block(refused) => Verdict::Block(refused),
        }
    }

    /// The permit, if it is an allow.
    ///
    /// # Errors
    /// The refusal, if it is not.
    pub fn allowed(self) -> Result<Permit<P>, Refused> {
        match self {
            Verdict::Allow(permit) => Ok(permit),
            Verdict::Advise(refused) | Verdict::Block(refused) => Err(refused),
        }
    }

    /// `allow`, `advise` or `block`.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Allow(_) => "allow",
            Verdict::Advise(_) => "advise",
            Verdict::Block(_) => "block",
        }
    }

    /// The feedback, if there is any.
    pub fn feedback(&self) -> Option<&Feedback> {
        match self {
            Verdict::Allow(permit) => permit.note(),
            Verdict::Advise(refused) | Verdict::Block(refused) => Some(&refused.feedback),
        }
    }
}

impl Session {
    /// Asks whether an action may run. Nothing is changed by asking. An allow carries a permit for
    /// [`Session::begin`]. Costs what the action's update touches.
    ///
    /// # Errors
    /// An action made for another vocabulary; no more texts can be remembered; the record can't be
    /// written. None of them is an allow.
    pub fn propose<P: Proposal>(&mut self, action: P) -> Result<Verdict<P>, Fault> {
        let action = action.into_action(self.vocabulary())?;
        self.propose_held(action, None).map(Verdict::of)
    }

    /// As [`Session::propose`], with the name under which a record and a trace know the permit.
    pub(crate) fn propose_held(&mut self, action: Action, hold: Option<&str>) -> Result<Verdict, Fault> {
        let mut decided = self.decide(action);
        if self.recorder.is_some()
            && let Ok(verdict) = &mut decided
        {
            self.record_proposal(verdict, hold)?;
        }
        decided
    }

    pub(crate) fn decide(&mut self, mut action: Action) -> Result<Verdict, Fault> {
        self.check_vocabulary(action.0.vocabulary)?;
        self.tick();
        if self.broken {
            return Ok(block(action, Code::SessionBroken, Vec::new()));
        }
        self.run_trigger(&mut action);
        if let Some(failed) = action.0.trigger_failed.clone() {
            self.advised = None;
            return Ok(block(action, Code::TriggerFailed, vec![wording::foreign(&failed)]));
        }
        let mark = self.overlay(&action)?;
        // Whatever comes of this proposal, it stands between an advice and its repetition.
        let advised = self.advised.take();
        let verdict = match action.0.critical {
            Some(id) => self.judge_critical(id, action),
            None => self.judge_step(action, advised),
        };
        self.take_back(mark);
        Ok(verdict)
    }

    /// Adds what the action's trigger says it would change.
    fn run_trigger(&self, action: &mut Action) {
        // What it said of an earlier situation is void.
        let stated = action.0.stated_count;
        action.0.overlay.truncate(stated);
        let Some((_, trigger)) = self.triggers.iter().find(|(name, _)| name == action.name()) else { return };
        action.0.trigger_failed = None;
        // A trigger that panics has failed; the session is untouched.
        let said = catch_unwind(AssertUnwindSafe(|| trigger(&action.0.arguments, &self.evaluator)));
        let said = said.unwrap_or_else(|_| Err(TriggerError("it panicked".to_owned())));
        let update = match said {
            Ok(update) if self.check_vocabulary(update.vocabulary).is_ok() => update,
            Ok(_) => {
                action.0.trigger_failed = Some("its update was made for another vocabulary".to_owned());
                return;
            }
            Err(error) => {
                action.0.trigger_failed = Some(error.0);
                return;
            }
        };
        // Behind what is stated, so that it wins: the app knows what its own action changes.
        action.0.overlay.extend(update.assignments);
    }

    /// Lays the action's arguments and update over the store.
    pub(crate) fn overlay(&mut self, action: &Action) -> Result<Option<Mark>, Fault> {
        if action.0.overlay.is_empty() {
            return Ok(None);
        }
        let mark = self.evaluator.mark();
        match Session::apply(&mut self.evaluator, &self.history, &self.flights, action.0.overlay.iter()) {
            Ok(_) => Ok(Some(mark)),
            Err(fault) => {
                self.evaluator.rollback(mark);
                Err(fault)
            }
        }
    }

    fn take_back(&mut self, mark: Option<Mark>) {
        if let Some(mark) = mark {
            self.evaluator.rollback(mark);
        }
    }

    /// Rule level: this alone decides critical actions.
    fn judge_critical(&mut self, id: ActionId, action: Action) -> Verdict {
        if self.is_unsettled(&action) {
            return block(action, Code::Unsettled, Vec::new());
        }
        if self.is_done() {
            return block(action, Code::TaskComplete, Vec::new());
        }
        let ready = self.evaluator.is_ready(id);
        let prohibited = self.evaluator.is_prohibited(id);
        let repeated = ready && self.history.repeats(&self.evaluator, id);
        if ready && !prohibited && !repeated {
            return Verdict::Allow(self.permit(action, None));
        }
        let mut codes = Vec::new();
        let mut alternatives: Vec<RuleReport> = Vec::new();
        if !ready {
            let reports =
                self.evaluator.rules_for(id).filter_map(|rule| rule_report(&self.evaluator, rule, None));
            alternatives = reports.collect();
            nearest_first(&mut alternatives);
            codes.push(if alternatives.is_empty() { Code::NoRule } else { Code::Unmet });
        }
        if prohibited {
            codes.push(Code::Prohibited);
        }
        if repeated {
            codes.push(Code::Repeated);
            let rules = self.evaluator.true_rules(id);
            alternatives = rules.filter_map(|rule| rule_report(&self.evaluator, rule, None)).collect();
        }
        let prohibitions = self
            .evaluator
            .standing_prohibitions(id)
            .filter_map(|rule| rule_report(&self.evaluator, rule, Some(id)))
            .collect();
        let feedback = Feedback {
            kind: FeedbackKind::Block,
            action: Some(action.name().to_owned()),
            codes,
            alternatives,
            prohibitions,
            notes: Vec::new(),
        };
        Verdict::Block(Refused { feedback: Box::new(feedback), action })
    }

    /// Predicate level: ordinary actions.
    fn judge_step(&mut self, action: Action, advised: Option<Advised>) -> Verdict {
        if let Some(near) = action.0.near {
            let critical = self.vocabulary().action(near).name();
            let told = lookalike::telling_characters(action.name(), critical).join(", ");
            let because = if action.name().is_ascii() { String::new() } else { format!(", without {told}") };
            let note = format!("The critical action is called {}{because}.", wording::foreign(critical));
            return block(action, Code::NearName, vec![note]);
        }
        if action.0.claims_critical {
            return block(action, Code::Undeclared, Vec::new());
        }
        if self.vocabulary().is_closed() && !action.0.declared {
            return block(action, Code::Closed, Vec::new());
        }
        if self.is_unsettled(&action) {
            return block(action, Code::Unsettled, Vec::new());
        }
        if self.is_done() {
            let note = note(&action, Code::AfterDone);
            return Verdict::Allow(self.permit(action, Some(note)));
        }
        let touched = action.update().iter().map(|assignment| assignment.variable);
        if !self.evaluator.is_suspect(touched, self.start.strict) {
            return Verdict::Allow(self.permit(action, None));
        }
        let insists = advised.is_some_and(|before| {
            before.action == action && before.epoch == self.epoch && before.activity == self.activity
        });
        if insists {
            self.insisted += 1;
            let note = note(&action, Code::Insisted);
            return Verdict::Allow(self.permit(action, Some(note)));
        }
        let alternatives = contradictions(&self.evaluator, action.update());
        let advice = Feedback::new(FeedbackKind::Advice, Some(action.name()), Code::Suspect);
        let feedback = Feedback { alternatives, ..advice };
        self.advised = Some(Advised { action: action.clone(), epoch: self.epoch, activity: self.activity });
        Verdict::Advise(Refused { feedback: Box::new(feedback), action })
    }

    /// The one place where permits are made: after every check.
    fn permit(&self, mut action: Action, note: Option<Box<Feedback>>) -> Permit {
        let ticket = &mut action.0.ticket;
        (ticket.session, ticket.epoch, ticket.activity) = (self.identity, self.epoch, self.activity);
        (ticket.note, ticket.hold) = (note, None);
        Permit::new(action)
    }
}

fn block(action: Action, code: Code, notes: Vec<String>) -> Verdict {
    let feedback = Feedback { notes, ..Feedback::new(FeedbackKind::Block, Some(action.name()), code) };
    Verdict::Block(Refused { feedback: Box::new(feedback), action })
}

fn note(action: &Action, code: Code) -> Box<Feedback> {
    Box::new(Feedback::new(FeedbackKind::Note, Some(action.name()), code))
}
