//! stub
#![forbid(unsafe_code)]

mod action;
pub mod dispatch;
pub mod gate;
pub mod session;

pub use action::{Action, ActionBuilder, Argument, Arguments, Input, Update, UpdateBuilder};
pub use gate::{EffectError, Gated, Outcome, Permit, Refused, Running, Stale, Verdict};
pub use intentgate_engine as engine;
pub use session::{Session, SessionBuilder};
