//! Types of the host's own as states, actions and specifications: the traits behind the derives.
//!
//! Everything becomes what a program without them would build by hand: an [`crate::Update`], an
//! [`crate::Action`], a checked specification. Must never decide anything.

mod app;
mod observation;
#[doc(hidden)]
pub mod operand;
pub(crate) mod proposal;
pub(crate) mod spec;
mod state;
pub mod variable;

pub use app::App;
pub use observation::{Observation, SaidBy};
pub use proposal::{CriticalAction, Proposal, Step, TriggerOutcome, TypedAction};
pub use spec::Spec;
pub use state::{Absent, Fields, FromState, Known, State};
pub use variable::{Enumeration, FromVariable, Variable};
