//! Permits and the life of an effect: begin, and one of three ends.
//!
//! A permit is proof of an allow, good for one execution in the situation it was given for. From
//! `begin` on the outcome is unknown until `finish` says otherwise: an effect that is dropped, or that
//! unwinds, leaves its action blocked until the host resolves it.

use super::{Refused, Verdict, note};
use crate::action::Ticket;
use crate::gate::feedback::Feedback;
use crate::session::{Session, record};
use crate::typed::{Proposal, TypedAction};
use crate::{Action, Arguments};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::Snapshot;
use intentgate_engine::schema::VariableId;
use intentgate_engine::value::Text;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Proof of an allow verdict. It can't be made, copied or changed elsewhere, and it owns the action
/// that was judged.
///
/// ```compile_fail
/// fn twice(permit: intentgate::Permit, session: &mut intentgate::Session) {
///     let _ = session.begin(permit);
///     let _ = session.begin(permit); // used after move
/// }
/// ```
#[must_use = "a permit is good for one execution: begin it, or drop it"]
pub struct Permit<P: Proposal = Action> {
    pub(super) action: Action,
    /// What was proposed: a function that takes a `Permit<Pay>` can be called for no other action.
    proposal: PhantomData<fn() -> P>,
}

impl<P: Proposal> std::fmt::Debug for Permit<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Permit").field(&self.action).finish()
    }
}

impl<P: Proposal> Permit<P> {
    /// The action that may run.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// The arguments that were judged.
    pub fn arguments(&self) -> &Arguments {
        self.action.arguments()
    }

    /// Gives the permit up; the action can be proposed again.
    #[must_use]
    pub fn cancel(mut self) -> Action {
        self.action.0.ticket = Ticket::default();
        self.action
    }

    /// Something worth knowing: that the agent insisted, that the task is complete already.
    pub fn note(&self) -> Option<&Feedback> {
        self.action.0.ticket.note.as_deref()
    }

    /// Names it in the record.
    pub(crate) fn set_hold(&mut self, name: &str) {
        self.action.0.ticket.hold = Some(name.into());
    }
}

impl Permit {
    pub(super) fn new(action: Action) -> Permit {
        Permit { action, proposal: PhantomData }
    }

    /// The permit for an action that was made of a `P`.
    pub(super) fn of<P: Proposal>(self) -> Permit<P> {
        Permit { action: self.action, proposal: PhantomData }
    }

    /// The permit for an action that was proposed by name, as that of the type with that name: what an
    /// agent's tool call was allowed to do, for a function that takes a `Permit<Pay>`.
    ///
    /// # Errors
    /// The permit itself, if it is for another action.
    pub fn typed<A: TypedAction>(self) -> Result<Permit<A>, Permit> {
        let same = self.action.0.name == Text::new(A::NAME);
        if same && self.action.critical().is_some() == A::CRITICAL { Ok(self.of()) } else { Err(self) }
    }
}

/// How an effect ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was performed.
    #[default]
    Done,
    /// It was surely not performed.
    #[serde(rename = "failure", alias = "not_performed")]
    NotPerformed,
    /// It may have been performed.
    Unknown,
}

/// An effect that has begun. Dropping it leaves its outcome unknown.
#[must_use = "say how it ended with `finish`; dropped, its outcome is unknown and the action stays blocked"]
pub struct Running<P: Proposal = Action> {
    arguments: P::Judged,
    begun: Begun,
}

/// An effect that has begun and was handed its arguments. Dropping it leaves its outcome unknown.
#[derive(Debug)]
#[must_use = "say how it ended with `finish`; dropped, its outcome is unknown and the action stays blocked"]
pub struct Begun {
    session: u64,
    flight: u64,
    name: Text,
    hold: Option<Box<str>>,
}

impl<P: Proposal> Running<P> {
    pub(crate) fn flight(&self) -> u64 {
        self.begun.flight
    }

    /// The arguments that were judged: what is to be done.
    pub fn arguments(&self) -> &P::Judged {
        &self.arguments
    }

    /// The arguments, for the effect, and what has to be finished.
    pub fn into_parts(self) -> (P::Judged, Begun) {
        (self.arguments, self.begun)
    }
}

impl<P: Proposal> std::fmt::Debug for Running<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Running").field(&self.begun).finish()
    }
}

impl<P: Proposal> From<Running<P>> for Begun {
    fn from(running: Running<P>) -> Begun {
        running.begun
    }
}

/// A permit that starts nothing, because something changed since it was given.
#[derive(Debug, Clone, PartialEq)]
pub struct Stale {
    /// The action, to be proposed again.
    pub action: Action,
    /// What the gate says.
    pub feedback: Box<Feedback>,
}

impl std::fmt::Display for Stale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the permit is stale: something changed since it was given; propose the action again")
    }
}

impl std::error::Error for Stale {}

/// An effect between begin and the moment its outcome is known.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    pub(crate) number: u64,
    pub(crate) action: Action,
    /// The rule that was true, for a critical action.
    pub(crate) rule: Option<usize>,
    /// The values that were judged.
    pub(crate) judged: Vec<(VariableId, Snapshot)>,
    /// What was observed since: it wins over the action's update.
    pub(crate) overridden: Vec<VariableId>,
    /// What the effect may have changed already: these values don't count until it is known.
    pub(crate) suspended: Vec<VariableId>,
}

impl Flight {
    pub(crate) fn snapshots(&self) -> impl Iterator<Item = Snapshot> + Clone {
        self.judged.iter().map(|(_, snapshot)| *snapshot)
    }
}

/// The error of an effect: it says whether the effect may have happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EffectError<E> {
    /// It was surely not performed.
    NotPerformed(E),
    /// It may have been performed.
    Unknown(E),
}

/// What came of an action that was gated in one call.
#[derive(Debug)]
#[must_use]
pub enum Gated<T, E> {
    /// It was allowed and performed.
    Done(T),
    /// It was allowed and not performed.
    NotPerformed(E),
    /// It was allowed and may have been performed; the action is blocked until the host resolves it.
    Unknown(E),
    /// It did not run.
    Advised(Refused),
    /// It did not run.
    Blocked(Refused),
}

impl<T, E> Gated<T, E> {
    /// The result of the effect, if it was performed.
    pub fn done(self) -> Option<T> {
        match self {
            Gated::Done(value) => Some(value),
            _ => None,
        }
    }
}

impl Session {
    /// Asks, begins, performs and finishes in one call. `effect` gets the arguments that were judged;
    /// it is run only under a permit. If it unwinds, its outcome is unknown, and the unwinding goes on.
    ///
    /// # Errors
    /// As [`Session::propose`].
    pub fn gate<P: Proposal, T, E>(
        &mut self,
        action: P,
        effect: impl FnOnce(&P::Judged) -> Result<T, EffectError<E>>,
    ) -> Result<Gated<T, E>, Fault> {
        let action = action.into_action(self.vocabulary())?;
        let mut verdict = self.decide(action)?;
        let permit: Permit<P> = match verdict {
            Verdict::Allow(permit) => permit.of(),
            Verdict::Advise(_) | Verdict::Block(_) => {
                self.record_proposal(&mut verdict, None)?;
                return Ok(match verdict {
                    Verdict::Advise(refused) => Gated::Advised(refused),
                    Verdict::Block(refused) => Gated::Blocked(refused),
                    // Refused above; what is not an allow runs nothing.
                    Verdict::Allow(Permit { action, .. }) => {
                        Gated::Blocked(Refused { feedback: note(&action, Code::Stale), action })
                    }
                });
            }
        };
        let input =
            self.recorder.is_some().then(|| record::Input::proposal(self.vocabulary(), permit.action()));
        let said = permit.note().cloned();
        // Nothing can have changed since the verdict, but only `begin` can say so.
        let running = match self.start_effect(permit)? {
            Ok(running) => running,
            Err(stale) => {
                return Ok(Gated::Blocked(Refused { feedback: stale.feedback, action: stale.action }));
            }
        };
        let flight = running.flight();
        let ended = catch_unwind(AssertUnwindSafe(|| effect(&running.arguments)));
        let outcome = match &ended {
            Ok(Ok(_)) => Outcome::Done,
            Ok(Err(EffectError::NotPerformed(_))) => Outcome::NotPerformed,
            Ok(Err(EffectError::Unknown(_))) | Err(_) => Outcome::Unknown,
        };
        let finished = self.end_flight(flight, outcome);
        let recorded = match input {
            Some(input) => self.record_gated(input, said, outcome),
            None => Ok(()),
        };
        match ended {
            Err(panic) => resume_unwind(panic),
            Ok(result) => {
                finished?;
                recorded?;
                Ok(match result {
                    Ok(value) => Gated::Done(value),
                    Err(EffectError::NotPerformed(error)) => Gated::NotPerformed(error),
                    Err(EffectError::Unknown(error)) => Gated::Unknown(error),
                })
            }
        }
    }

    /// Consumes a permit. If anything changed since it was given it is stale and starts nothing.
    ///
    /// # Errors
    /// The record can't be written; the arguments don't make what the effect gets. Nothing has begun
    /// then.
    pub fn begin<P: Proposal>(&mut self, permit: Permit<P>) -> Result<Result<Running<P>, Stale>, Fault> {
        if let Some(fault) = self.broken_fault() {
            return Err(fault);
        }
        self.tick();
        let name = permit.action.0.name.clone();
        let hold = permit.action.0.ticket.hold.clone();
        let begun = self.start_effect(permit)?;
        self.record_begin(hold.as_deref(), name.as_str(), begun.as_ref().err())?;
        Ok(begun)
    }

    pub(crate) fn start_effect<P: Proposal>(
        &mut self,
        permit: Permit<P>,
    ) -> Result<Result<Running<P>, Stale>, Fault> {
        let Permit { mut action, .. } = permit;
        let Ticket { session, epoch, activity, hold, .. } = std::mem::take(&mut action.0.ticket);
        if session != self.identity || epoch != self.epoch || activity != self.activity {
            let mut feedback = note(&action, Code::Stale);
            feedback.notes.push(
                "The permit is stale: something changed since it was given. Propose the action again."
                    .to_owned(),
            );
            return Ok(Err(Stale { action, feedback }));
        }
        // Before anything begins: what can't be handed to the effect is not done.
        let arguments = P::judged(std::mem::take(&mut action.0.arguments))?;
        let begun = self.take_off(action, hold)?;
        Ok(Ok(Running { arguments, begun }))
    }

    /// From here on nobody knows whether the action is performed.
    fn take_off(&mut self, action: Action, hold: Option<Box<str>>) -> Result<Begun, Fault> {
        let (mut rule, mut judged) = (None, Vec::new());
        let mut suspended = self.spare.pop().unwrap_or_default();
        let mark = self.overlay(&action)?;
        if let Some(id) = action.0.critical {
            rule = self.evaluator.true_rules(id).next();
            judged = self.history.judge(&self.evaluator, id);
        }
        if let Some(mark) = mark {
            suspended.extend(self.evaluator.changed_since(mark));
        }
        self.take_back(mark);
        // From here on nobody knows whether these values, and the objective, are still what they were.
        suspended.retain(|id| self.evaluator.expire(*id));
        if let Some(id) = action.0.critical {
            self.evaluator.doubt(id, true);
        }
        self.activity += 1;
        self.next_flight += 1;
        let number = self.next_flight;
        let name = action.0.name.clone();
        self.flights.push(Flight { number, action, rule, judged, overridden: Vec::new(), suspended });
        Ok(Begun { session: self.identity, flight: number, name, hold })
    }

    /// Says how an effect ended. Done: its update is committed, except for what was observed
    /// meanwhile, and its objective achieved. NotPerformed: nothing was changed. Unknown: the action is
    /// blocked until [`Session::resolve`].
    ///
    /// # Errors
    /// If the effect was resolved before, or belongs to another session; if the record can't be
    /// written.
    pub fn finish(&mut self, running: impl Into<Begun>, outcome: Outcome) -> Result<(), Fault> {
        let begun = running.into();
        if let Some(fault) = self.broken_fault() {
            return Err(fault);
        }
        self.tick();
        if begun.session != self.identity {
            return Err(Fault::new(Code::NothingToResolve, "this effect belongs to another session"));
        }
        self.end_flight(begun.flight, outcome)?;
        self.record_finish(begun.hold.as_deref(), begun.name.as_str(), outcome)
    }

    /// Settles an action whose outcome is unknown, or that is running still, either way.
    ///
    /// # Errors
    /// If there is nothing to settle under that name; if the record can't be written.
    pub fn resolve(&mut self, action: &str, performed: bool) -> Result<(), Fault> {
        if let Some(fault) = self.broken_fault() {
            return Err(fault);
        }
        self.tick();
        let Some(number) =
            self.flights.iter().find(|flight| flight.action.name() == action).map(|f| f.number)
        else {
            let waiting: Vec<String> = self.unsettled().map(|name| format!("`{name}`")).collect();
            let shown = intentgate_engine::input::shortened(action);
            let fault = Fault::new(Code::NothingToResolve, format!("no outcome of `{shown}` is unknown"));
            return Err(if waiting.is_empty() {
                fault.help("nothing waits to be resolved")
            } else {
                fault.help(format!("what waits: {}", waiting.join(", ")))
            });
        };
        let outcome = if performed { Outcome::Done } else { Outcome::NotPerformed };
        self.end_flight(number, outcome)?;
        self.record_resolve(action, outcome)
    }

    /// Whether it is not known if the same action was performed before, or it is running.
    pub(crate) fn is_unsettled(&self, action: &Action) -> bool {
        self.flights.iter().any(|flight| flight.action.0.name == action.0.name)
    }

    pub(crate) fn end_flight(&mut self, number: u64, outcome: Outcome) -> Result<(), Fault> {
        let Some(index) = self.flights.iter().position(|flight| flight.number == number) else {
            return Err(Fault::new(Code::NothingToResolve, "this effect was settled before"));
        };
        if outcome == Outcome::Unknown {
            return Ok(());
        }
        let mut flight = self.flights.remove(index);
        let critical = flight.action.0.critical;
        if outcome == Outcome::NotPerformed {
            if let Some(id) = critical {
                self.evaluator.doubt(id, false);
            }
            for id in flight.suspended.iter().filter(|id| !flight.overridden.contains(id)) {
                self.evaluator.resume(*id);
            }
            self.history.recycle(flight.judged);
            flight.suspended.clear();
            self.spare.push(flight.suspended);
            return Ok(());
        }
        let overridden = std::mem::take(&mut flight.overridden);
        flight.action.0.overlay.retain(|assignment| !overridden.contains(&assignment.variable));
        self.acted = true;
        let mut committed = self.commit(&flight.action.0.overlay, critical.is_some());
        if committed.is_err() {
            // What can't be remembered is not what was remembered before: it is unknown.
            flight.action.0.overlay.iter_mut().for_each(|assignment| assignment.value = None);
            let forgotten = self.commit(&flight.action.0.overlay, critical.is_some());
            committed = committed.and(forgotten);
        }
        if let Some(id) = critical {
            let first = !self.evaluator.is_achieved(intentgate_engine::ir::Objective::Action(id));
            self.evaluator.achieve(id);
            if let (true, Some(rule)) = (first, flight.rule) {
                self.history.keep_action(id, rule, self.epoch, &flight.judged, &self.evaluator);
            }
            self.history.executed(id, std::mem::take(&mut flight.judged));
        }
        // What a reset would have made unknown, and was observed meanwhile, counts already.
        flight.suspended.clear();
        self.spare.push(flight.suspended);
        self.settle();
        committed.map(|_| ())
    }
}
