//! [`crate::ir`] to Z3: satisfiability of rules, exactly where the theories are exact.
//!
//! A variable is a pair (known, value); a constraint is true, false, or neither. Numbers are exact
//! rationals, dates and times integers, enumerations enumeration sorts. Texts that are only compared
//! with one another and with constants range over these constants and as many other texts as can
//! matter, each with the truth that [`crate::comparison`] gives it; other texts are strings, and what the
//! theory of strings can't say (`~`, word boundaries, characters that look alike) is put right by
//! [`Problem::learn`]. The only user of `z3`. Must never know the evaluator, nor decide anything about an
//! action.
//!
//! One solver for all questions to a problem, assumptions in place of contexts. A context of its own for
//! each analysis ([`apart`]), so that an answer never depends on what was asked before.

mod check;
mod classes;
mod constraints;
mod encode;
mod model;
mod terms;
mod texts;

use crate::diagnostic::{Code, Fault};
pub use check::{Bounds, Limit};
pub use encode::{Answer, Claim, Problem, Setting};
pub use model::{Model, Raw};

/// The oldest libz3 whose interface is understood.
const OLDEST: [u32; 3] = [4, 13, 3];

/// Whether the libz3 that was found is one that can be used.
///
/// # Errors
/// If it is older than 4.13.3: its interface numbers things otherwise.
pub fn usable() -> Result<(), Fault> {
    usable_version(z3::full_version())
}

/// Runs with a context of the solver that nothing has been asked of.
pub fn apart<R: Send + Sync>(questions: impl FnOnce() -> R + Send + Sync) -> R {
    z3::with_z3_config(&z3::Config::new(), questions)
}

/// Whether a libz3 that says this of itself can be used.
///
/// # Errors
/// As [`usable`].
pub fn usable_version(full: &str) -> Result<(), Fault> {
    let numbers = full.trim_start_matches("Z3 ").split(['.', ' ']).map_while(|part| part.parse().ok());
    let found: Vec<u32> = numbers.take(3).collect();
    if found.as_slice() >= OLDEST.as_slice() {
        return Ok(());
    }
    let message = format!("libz3 is {full}; 4.13.3 or newer is needed");
    Err(Fault::new(Code::SolverTooOld, message).help("put a newer libz3 where the program finds it first"))
}
