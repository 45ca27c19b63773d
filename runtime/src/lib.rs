//! An embedded gate between an AI agent and the actions that can't be undone.
//!
//! An app declares its states and critical actions; a user's intent is a specification over them; the
//! gate decides, before an action runs, whether it may, and says what is missing.
//!
//! ```
//! # mod house {
//! use intentgate::{CriticalAction, State, vocabulary};
//!
//! /// the front door
//! #[derive(State)]
//! pub struct Door {
//!     pub locked: bool,
//! }
//!
//! /// leave the house
//! #[derive(CriticalAction)]
//! pub struct Leave;
//!
//! vocabulary! {
//!     /// The house.
//!     pub struct House {
//!         states: [Door],
//!         actions: [Leave],
//!     }
//! }
//! # }
//! # use house::{Door, House, Leave};
//! use intentgate::{Session, Verdict, spec};
//!
//! let intent = spec! { in House; Door(locked = true) -> Leave  Leave -> Done };
//! let mut session = Session::builder(intent).start()?;
//!
//! let Verdict::Block(refused) = session.propose(Leave)? else { unreachable!("nothing was observed yet") };
//! assert!(refused.to_string().contains("Door.locked has to be observed"));
//! session.observe(&Door { locked: true })?;
//! assert!(matches!(session.propose(Leave)?, Verdict::Allow(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Vocabularies and specifications in files do the same, see [`engine`] and [`Action::named`].
//!
//! # Overview
//!
//! - [`Session`] is one task: [`Session::observe`] what the world says, [`Session::propose`] or
//!   [`Session::gate`] what the agent wants to do.
//! - [`Verdict`], [`Permit`], [`Running`], [`Outcome`]: from the question to the end of the effect.
//! - [`macro@State`], [`macro@Enumeration`], [`macro@CriticalAction`], [`macro@Step`] and [`vocabulary!`] declare an app on
//!   types; [`spec!`] and [`include_spec!`] are specifications that the compiler has checked;
//!   [`macro@gated`] puts the gate in front of a function. The traits are in [`typed`].
//! - [`Gate`] is a session that is shared; [`testing`] is a kit for tests.
//! - [`gate::feedback`] is what the gate says, as data; [`gate::wording`] makes words of it.
//! - [`session::record`] writes everything down; [`session::replay`] plays it again.
//! - [`language_model`] is what is asked of language models, and stand-ins for them.
//! - [`intent`] describes specifications for people, and exports their grammar for decoders.
//! - [`intent`] makes a specification of a sentence.
//! - [`planner`] holds app models, and plans on them.
//! - [`executor`] has the screens, devices and replies of agents that drive apps.
//! - [`dispatch`] makes actions of tool calls.
//! - [`engine`] is the logic core: vocabulary, language, checker, evaluator.
//!
//! # What it does not do
//!
//! It performs no effect and observes nothing by itself. What it is told is what it knows: a value
//! that only the app may report is declared so (`"source": "app"`).
#![forbid(unsafe_code)]

mod action;
#[cfg(feature = "z3")]
mod analysis;
pub mod dispatch;
pub mod executor;
pub mod gate;
pub mod intent;
pub mod language_model;
mod macros;
pub mod planner;
mod process;
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
pub use session::{Consent, Session, SessionBuilder};
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

/// As [`Readme`].
#[cfg(doctest)]
#[doc = include_str!("../../docs/models.md")]
pub struct Models;

/// As [`Readme`].
#[cfg(doctest)]
#[doc = include_str!("../../docs/executor.md")]
pub struct ExecutorPage;

/// As [`Readme`].
#[cfg(doctest)]
#[doc = include_str!("../../docs/encoder.md")]
pub struct EncoderPage;
