//! App models and plans: pages and transitions, with variables, guards and updates where there are any.
//!
//! One model serves what is published as a UI transition graph (Agent+P, section 2) and as an extended
//! finite state machine (SPlanner, section 3.1). Guards and updates are written in the constraint language
//! and checked by the engine. A model is incomplete: an edge that is missing is unknown, never impossible.
//! Knows nothing of sessions, gates and devices.

mod alternatives;
mod compile;
pub mod declare;
pub mod draw;
pub mod external;
mod frontier;
mod guards;
pub mod guide;
pub mod import;
pub mod instruct;
mod lacks;
mod learn;
mod links;
mod model;
mod packed;
pub mod pddl;
pub mod polish;
mod read;
mod review;
mod routes;
mod search;
pub mod select;
mod simulate;
mod taken;
mod task;
mod validate;
mod write;

pub use frontier::Effort;
pub use lacks::{Lacks, Unmet};
pub use learn::Learned;
pub use model::{Call, Model, Origin, Page, PageId, Transition, TransitionId};
pub use routes::Router;
pub use search::{Bounds, Found, Goal, Path, PlanError, Planner, Several, Start, Step};
pub use simulate::SimulatedStep;
pub use task::{Asked, Completion, Prohibition, Told, ToldStep};
pub use write::Declaration;
