//! The commands that ask the solver; without it they say so.

#[cfg(feature = "z3")]
mod analyze;
#[cfg(feature = "z3")]
mod gen_tests;

#[cfg(not(feature = "z3"))]
pub(crate) use without::{analyze, gen_tests};
#[cfg(feature = "z3")]
pub(crate) use {analyze::analyze, gen_tests::gen_tests};

/// The bounds that the arguments ask for.
#[cfg(feature = "z3")]
fn bounds(args: &crate::args::SolverArgs) -> intentgate::engine::solve::Bounds {
    let default = intentgate::engine::solve::Bounds::default();
    intentgate::engine::solve::Bounds {
        steps: args.solver_steps.unwrap_or(default.steps),
        time: args.solver_seconds.map_or(default.time, std::time::Duration::from_secs),
        ..default
    }
}

#[cfg(not(feature = "z3"))]
mod without {
    use crate::args::{AnalyzeArgs, GenTestsArgs};
    use crate::files::Unusable;
    use intentgate::engine::diagnostic::{Code, Fault};

    pub(crate) fn analyze(_: &AnalyzeArgs) -> Result<u8, Unusable> {
        Err(no_solver())
    }

    pub(crate) fn gen_tests(_: &GenTestsArgs) -> Result<u8, Unusable> {
        Err(no_solver())
    }

    fn no_solver() -> Unusable {
        let fault = Fault::new(Code::NoSolver, "this command was built without the solver Z3");
        fault.help("build it with `--features z3`, and libz3 4.13.3 or newer").into()
    }
}
