//! What drives an app: observe, locate, plan, decide, pass the gate, act, compare, recover (DESIGN 9,
//! Agent-SAMA, AppAgent).
//!
//! [`machine`] says what follows on what, without effects; [`driver`] performs it, with a [`device`], an
//! [`agent`], a session as the gate, and a model that grows with what is seen. [`account`] is what a run says of
//! itself. Nothing here decides whether an action may run: the gate does, and what it blocks is not performed.

pub mod ablation;
pub mod account;
pub mod agent;
pub mod bind;
pub mod condition;
pub mod device;
pub mod driver;
pub mod explore;
pub mod judge;
pub mod knowledge;
pub mod locate;
pub mod machine;
pub mod reply;
pub mod report;
pub mod screen;
pub mod task;
mod touch;
