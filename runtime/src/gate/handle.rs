//! The gate in front of functions: [`Gate`], and what `#[gated]` calls.
//!
//! A [`Gate`] shares a session between those who observe and those who act. It is never locked while an
//! effect runs: it is entered before, left after, and what was judged is handed over in between.

use super::{Begun, EffectError, Outcome, Permit, Refused, Running, Stale, Verdict};
use crate::Session;
use crate::session::Observed;
use crate::typed::{Observation, Proposal};
use intentgate_engine::diagnostic::{Code, Fault};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

/// Why a gated function did not run, or did not end well.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GateError {
    /// It seems to lead away from the task; proposing the same again passes. It did not run.
    #[error("{0}")]
    Advised(Refused),
    /// It may not run, and did not.
    #[error("{0}")]
    Blocked(Refused),
    /// It could not be judged, and did not run.
    #[error("{0}")]
    Fault(Fault),
    /// It ran, and its end could not be noted.
    #[error("the effect ended, and the gate could not note it: {0}")]
    Unfinished(Fault),
}

impl GateError {
    /// What the gate said, if it refused.
    pub fn refused(&self) -> Option<&Refused> {
        match self {
            GateError::Advised(refused) | GateError::Blocked(refused) => Some(refused),
            GateError::Fault(_) | GateError::Unfinished(_) => None,
        }
    }
}

/// An error of an effect: it says whether the effect may have happened all the same.
///
/// ```
/// use intentgate::{EffectFailure, GateError};
///
/// #[derive(Debug)]
/// enum PayError { Refused(GateError), Declined, NoAnswer }
///
/// impl From<GateError> for PayError {
///     fn from(error: GateError) -> PayError { PayError::Refused(error) }
/// }
///
/// impl EffectFailure for PayError {
///     fn surely_not_performed(&self) -> bool {
///         match self {
///             PayError::Declined => true,
///             // No answer says nothing.
///             PayError::Refused(_) | PayError::NoAnswer => false,
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't say whether the effect may have happened",
    label = "the error of a gated function implements `EffectFailure`",
    note = "`impl EffectFailure for {Self} {{}}` takes every error for one after which it is unknown"
)]
pub trait EffectFailure {
    /// Whether the effect surely did not happen. If it may have, the action is blocked until the host
    /// resolves it.
    fn surely_not_performed(&self) -> bool {
        false
    }
}

/// What was refused was not performed.
impl EffectFailure for GateError {
    fn surely_not_performed(&self) -> bool {
        !matches!(self, GateError::Unfinished(_))
    }
}

impl<E> EffectFailure for EffectError<E> {
    fn surely_not_performed(&self) -> bool {
        matches!(self, EffectError::NotPerformed(_))
    }
}

impl Session {
    /// Asks whether an action may run, and begins it: what `#[gated]` does before the body.
    ///
    /// # Errors
    /// The refusal, or why the action could not be judged. Nothing has begun then.
    pub fn enter<P: Proposal>(&mut self, action: P) -> Result<(P::Judged, Begun), GateError> {
        let permit = match self.propose(action).map_err(GateError::Fault)? {
            Verdict::Allow(permit) => permit,
            Verdict::Advise(refused) => return Err(GateError::Advised(refused)),
            Verdict::Block(refused) => return Err(GateError::Blocked(refused)),
        };
        match self.begin(permit).map_err(GateError::Fault)? {
            Ok(running) => Ok(running.into_parts()),
            Err(Stale { action, feedback }) => Err(GateError::Blocked(Refused { feedback, action })),
        }
    }

    /// Says how an effect ended: what `#[gated]` does after the body. The same as [`Session::finish`].
    ///
    /// # Errors
    /// As [`Session::finish`].
    pub fn leave(&mut self, begun: Begun, outcome: Outcome) -> Result<(), Fault> {
        self.finish(begun, outcome)
    }
}

/// A session that is shared: observed and asked from several places, while effects run.
///
/// A trigger, a clock or a record that asks its own gate gets an error in place of a deadlock.
#[derive(Debug, Clone)]
pub struct Gate(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    session: Mutex<Session>,
    /// The thread that has the session now.
    holder: Mutex<Option<ThreadId>>,
}

/// A session, until this is dropped.
#[derive(Debug)]
pub struct Held<'a> {
    session: MutexGuard<'a, Session>,
    holder: &'a Mutex<Option<ThreadId>>,
}

impl Deref for Held<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl DerefMut for Held<'_> {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        *self.holder.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl From<Session> for Gate {
    fn from(session: Session) -> Gate {
        Gate::new(session)
    }
}

impl Gate {
    /// Shares a session.
    pub fn new(session: Session) -> Gate {
        Gate(Arc::new(Shared { session: Mutex::new(session), holder: Mutex::new(None) }))
    }

    /// The session, until the guard is dropped. Don't hold it while an effect runs.
    ///
    /// # Errors
    /// If this thread has it already; if a panic interrupted the session in the middle of a change: nothing
    /// is decided from then on.
    pub fn session(&self) -> Result<Held<'_>, Fault> {
        let Shared { session, holder } = &*self.0;
        let here = std::thread::current().id();
        let held = *holder.lock().unwrap_or_else(PoisonError::into_inner);
        if held == Some(here) {
            return Err(Fault::new(Code::GateHeld, "this thread has the session of this gate already")
                .help("let go of what `Gate::session` gave; a trigger looks at the facts that it is given"));
        }
        let session = session.lock().map_err(|_| {
            Fault::new(Code::SessionBroken, "a panic interrupted this session, so nothing more is decided")
                .help("start a new one; `SessionBuilder::restore` takes up what was saved")
        })?;
        *holder.lock().unwrap_or_else(PoisonError::into_inner) = Some(here);
        Ok(Held { session, holder })
    }

    /// See [`Session::observe`].
    ///
    /// # Errors
    /// As there, and as [`Gate::session`].
    pub fn observe(&self, observation: &(impl Observation + ?Sized)) -> Result<Observed, Fault> {
        self.session()?.observe(observation)
    }

    /// See [`Session::propose`].
    ///
    /// # Errors
    /// As there, and as [`Gate::session`].
    pub fn propose<P: Proposal>(&self, action: P) -> Result<Verdict<P>, Fault> {
        self.session()?.propose(action)
    }

    /// See [`Session::begin`].
    ///
    /// # Errors
    /// As there, and as [`Gate::session`].
    pub fn begin<P: Proposal>(&self, permit: Permit<P>) -> Result<Result<Running<P>, Stale>, Fault> {
        self.session()?.begin(permit)
    }

    /// See [`Session::finish`].
    ///
    /// # Errors
    /// As there, and as [`Gate::session`].
    pub fn finish(&self, running: impl Into<Begun>, outcome: Outcome) -> Result<(), Fault> {
        self.session()?.finish(running, outcome)
    }

    /// See [`Session::resolve`].
    ///
    /// # Errors
    /// As there, and as [`Gate::session`].
    pub fn resolve(&self, action: &str, performed: bool) -> Result<(), Fault> {
        self.session()?.resolve(action, performed)
    }

    /// See [`Session::enter`].
    ///
    /// # Errors
    /// As there, and as [`Gate::session`].
    pub fn enter<P: Proposal>(&self, action: P) -> Result<(P::Judged, Begun), GateError> {
        self.session().map_err(GateError::Fault)?.enter(action)
    }

    /// See [`Session::leave`].
    ///
    /// # Errors
    /// As there, and as [`Gate::session`].
    pub fn leave(&self, begun: Begun, outcome: Outcome) -> Result<(), Fault> {
        self.session()?.leave(begun, outcome)
    }
}

/// The end of a gated function: notes the outcome, and hands the result on.
#[doc(hidden)]
pub fn leave<T, E: EffectFailure + From<GateError>>(
    result: Result<T, E>,
    leave: impl FnOnce(Outcome) -> Result<(), Fault>,
) -> Result<T, E> {
    let outcome = match &result {
        Ok(_) => Outcome::Done,
        Err(error) if error.surely_not_performed() => Outcome::NotPerformed,
        Err(_) => Outcome::Unknown,
    };
    match (leave(outcome), result) {
        (Ok(()), result) => result,
        // The effect's own error says more.
        (Err(_), Err(error)) => Err(error),
        (Err(fault), Ok(_)) => Err(GateError::Unfinished(fault).into()),
    }
}
