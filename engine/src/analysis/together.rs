//! Can two specifications both be completed, each under the prohibitions of both?

use super::{Analyst, Answer, Plan};
use crate::diagnostic::Fault;
use crate::ir::{Head, Specification};
use crate::solve::Setting;
use std::sync::Arc;

/// Whether two tasks of one app can both be completed, one after the other or interleaved. A critical
/// action is performed by a rule of one of them that is not complete, under the prohibitions of both and
/// of the policies, and counts for both.
///
/// # Errors
/// As [`Analyst::can_complete`]; a libz3 that is too old.
pub fn can_both_complete(
    first: &Arc<Specification>,
    second: &Arc<Specification>,
    policies: &[Arc<Specification>],
    setting: &Setting,
) -> Result<Answer<Plan>, Fault> {
    let others: Vec<Arc<Specification>> = std::iter::once(second).chain(policies).map(Arc::clone).collect();
    Analyst::ask(first, &others, setting, |analyst| {
        analyst.specifications = 2;
        analyst.can_reach_all(&[(0, Head::Done), (1, Head::Done)])
    })
}
