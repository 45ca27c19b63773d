//! Asking: bounds, outcomes, the smallest reason.

use std::time::Duration;
use z3::ast::Bool;
use z3::{Params, SatResult, Solver};

/// How much a question may cost. Running out is an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Steps of the solver for one check, which are the same on every machine; 1,000,000.
    pub steps: u32,
    /// Time for one check; 10 s. Only where the steps don't end it before.
    pub time: Duration,
    /// How often what the theory got wrong is put right for one question; 24.
    pub rounds: u32,
    /// Checks for one question that searches; 2,000.
    pub checks: u32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { steps: 1_000_000, time: Duration::from_secs(10), rounds: 24, checks: 2_000 }
    }
}

/// The limit that ended a question without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The solver's steps or its time, or a theory that it can't decide.
    Solver,
    /// The rounds in which the theory of texts was put right.
    Rounds,
    /// The checks of a search.
    Checks,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Limit::Solver => "the solver gave up",
            Limit::Rounds => "it depends on texts that the solver doesn't understand",
            Limit::Checks => "the search was not finished",
        })
    }
}

/// What came of a check.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It can be so.
    Satisfiable(z3::Model),
    /// It can't be so: these assumptions exclude one another. Their places in the list.
    Unsatisfiable(Vec<usize>),
    /// Nobody knows.
    Unknown,
}

/// Sets the bounds of the next checks.
pub(super) fn bound(solver: &Solver, bounds: &Bounds) {
    let mut params = Params::new();
    params.set_u32("rlimit", bounds.steps);
    params.set_u32("timeout", u32::try_from(bounds.time.as_millis()).unwrap_or(u32::MAX));
    solver.set_params(&params);
}

/// Checks the assertions together with assumptions.
pub(super) fn check(solver: &Solver, assumptions: &[Bool]) -> Outcome {
    match solver.check_assumptions(assumptions) {
        SatResult::Sat => solver.get_model().map_or(Outcome::Unknown, Outcome::Satisfiable),
        SatResult::Unsat => {
            let core = solver.get_unsat_core();
            let within = |assumption: &Bool| core.iter().any(|part| part.ast_eq(assumption));
            let places = assumptions.iter().enumerate().filter(|(_, assumption)| within(assumption));
            Outcome::Unsatisfiable(places.map(|(place, _)| place).collect())
        }
        SatResult::Unknown => Outcome::Unknown,
    }
}

/// A core that stays one without none of its parts: each is left out in turn.
pub(super) fn minimise(solver: &Solver, assumptions: &[Bool], core: Vec<usize>) -> Vec<usize> {
    let mut kept = core;
    let mut next = 0;
    while next < kept.len() {
        let without: Vec<usize> =
            kept.iter().enumerate().filter(|(place, _)| *place != next).map(|(_, part)| *part).collect();
        let parts: Vec<Bool> = without.iter().filter_map(|part| assumptions.get(*part).cloned()).collect();
        match check(solver, &parts) {
            Outcome::Unsatisfiable(smaller) => {
                // What stands before `next` is needed, and stays.
                kept = smaller.iter().filter_map(|place| without.get(*place).copied()).collect();
                next = next.min(kept.len());
            }
            Outcome::Satisfiable(_) | Outcome::Unknown => next += 1,
        }
    }
    kept
}
