//! What a specification says, in words that no model chose.
//!
//! Must never know a sentence or a model.

use super::describe::{Describer, Description};
use chrono::NaiveDate;
use intentgate_engine::compile::bind::Given;
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::ir::Specification;
use std::sync::Arc;

/// What is enforced under the policies, with the values of parameters and the day that are known.
pub(super) fn description(
    specification: &Specification,
    policies: &[Arc<Specification>],
    today: Option<NaiveDate>,
    values: &[(String, String)],
) -> Result<Description, Fault> {
    let mut describer = Describer::new(specification);
    if let Some(today) = today {
        describer = describer.today(today);
    }
    for policy in policies {
        describer = describer.policy(policy);
    }
    for (name, value) in values {
        describer = describer.parameter(name, Given::Spelled(value.clone()));
    }
    describer.describe()
}
