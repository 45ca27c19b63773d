//! An embedded gate between an AI agent and the actions that can't be undone.
//!
//! An app declares its states and critical actions; a user's intent is a specification over them; the
//! gate decides, before an action runs, whether it may, and says what is missing.
//!
//! ```
//! use intentgate::engine::{check, limits::Limits, schema::Vocabulary, span::Source};
//! use intentgate::{Action, Session, Update, Verdict};
//! use std::sync::Arc;
//!
//! let limits = Limits::default();
//! let app = Source::new("app.json", r#"{"app": "Door", "states": [
//!     {"name": "Door", "description": "the front door", "variables": [{"locked": "Boolean"}]}],
//!     "actions": [{"name": "Leave", "description": "leave the house"}]}"#);
//! let vocabulary = Arc::new(Vocabulary::from_json(&app, &limits)?);
//! let intent = Source::new("leave.intent", "Door(locked = true) -> Leave\nLeave -> Done");
//! let intent = check::specification(&intent, &vocabulary, &limits)?.specification;
//! let mut session = Session::builder(Arc::new(intent)).start()?;
//!
//! let Verdict::Block(refused) = session.propose(Action::named(&vocabulary, "Leave").build()?)? else {
//!     unreachable!("nothing was observed yet")
//! };
//! assert!(refused.to_string().contains("Door.locked has to be observed"));
//! session.observe(&Update::of(&vocabulary).set("Door.locked", true).build()?)?;
//! assert!(matches!(session.propose(refused.action)?, Verdict::Allow(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! - [`Session`] is one task: [`Session::observe`] what the world says, [`Session::propose`] or
//!   [`Session::gate`] what the agent wants to do.
//! - [`Verdict`], [`Permit`], [`Running`], [`Outcome`]: from the question to the end of the effect.
//! - [`gate::feedback`] is what the gate says, as data; [`gate::wording`] makes words of it.
//! - [`session::record`] writes everything down; [`session::replay`] plays it again.
//! - [`dispatch`] makes actions of tool calls.
//! - [`engine`] is the logic core: vocabulary, language, checker, evaluator.
//!
//! # What it does not do
//!
//! It performs no effect and observes nothing by itself. What it is told is what it knows: a value
//! that only the app may report is declared so (`"source": "app"`).
#![forbid(unsafe_code)]

mod action;
pub mod dispatch;
pub mod gate;
mod macros;
pub mod session;
pub mod testing;
pub mod typed;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use action::{Action, ActionBuilder, Argument, Arguments, Input, Update, UpdateBuilder};
pub use gate::{
    Begun, EffectError, EffectFailure, Gate, GateError, Gated, Outcome, Permit, Refused, Running, Stale,
    Verdict,
};
pub use intentgate_engine as engine;
pub use intentgate_macros::{CriticalAction, Enumeration, State, Step, gated};
pub use session::{Session, SessionBuilder};
pub use typed::{
    App, CriticalAction, Enumeration, FromState, FromVariable, Observation, Proposal, Spec, State, Step,
    TypedAction, Variable,
};

/// Types of other crates that stand in this one's interface.
pub use {chrono, chrono_tz, rust_decimal};

/// The examples of the README and of the documentation are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// As [`Readme`].
#[cfg(doctest)]
#[doc = include_str!("../../docs/macros.md")]
pub struct Macros;
