//! Plans of other planners.

use super::start::{Place, wrong};
use crate::args::{Pddl, PlanArgs};
use crate::files::Unusable;
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::planner::external::{External, ExternalError};
use intentgate::planner::pddl::Dialect;
use intentgate::planner::{Found, PageId, PlanError};
use std::time::Duration;

pub(super) fn plan(
    args: &PlanArgs,
    command: &str,
    place: &Place,
    targets: &[PageId],
) -> Result<Found, Unusable> {
    let words = shlex::split(command)
        .ok_or_else(|| wrong("the command line of `--external` has a quote that is not closed".to_owned()))?;
    let (program, arguments) = words
        .split_first()
        .ok_or_else(|| wrong("the command line of `--external` names no program".to_owned()))?;
    let mut planner = External::new(program, arguments);
    planner.limit = Duration::from_secs(args.external.seconds);
    planner.dialect = match args.external.dialect {
        Pddl::Strips => Dialect::Strips,
        Pddl::Pddl => Dialect::Published,
    };
    planner.plan(&place.model, &place.start, targets).map_err(|error| match error {
        ExternalError::Problem(fault) => fault.into(),
        ExternalError::Wrong(PlanError::Condition(problems)) => problems.into(),
        // What can't be followed included.
        other => Fault::new(Code::PlannerFailed, other.to_string()).into(),
    })
}
