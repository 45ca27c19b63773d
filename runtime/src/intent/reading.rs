//! A specification in plain words, by rules.
//!
//! One function, so that what makes the words can be exchanged. Must never know a sentence or a model.

use crate::session::Session;
use chrono::NaiveDate;
use intentgate_engine::compile::bind::Given;
use intentgate_engine::ir::{Parameter, Specification};
use intentgate_engine::schema::VariableType;
use std::sync::Arc;

/// What a specification asks for, a line for each rule, in the words of the roadmap.
pub(super) fn plain(specification: &Arc<Specification>, today: NaiveDate) -> String {
    let mut builder = Session::builder(Arc::clone(specification)).today(today);
    for parameter in specification.parameters() {
        let Some(given) = stand_in(parameter) else { return canonical(specification) };
        builder = builder.given(parameter.name(), given);
    }
    match builder.start() {
        Ok(session) => session.roadmap().iter().map(|rule| format!("{}: {rule}\n", rule.rule)).collect(),
        Err(_) => canonical(specification),
    }
}

/// A value for a parameter that says which one it is; only a text can.
fn stand_in(parameter: &Parameter) -> Option<Given> {
    match parameter.variable_type() {
        VariableType::Text => Some(Given::Spelled(format!("${}", parameter.name()))),
        _ => None,
    }
}

fn canonical(specification: &Specification) -> String {
    let rules = specification.rules().iter().enumerate().map(|(number, rule)| {
        let (name, head) = (specification.rule_name(number), specification.head_name(rule.head()));
        format!("{name}: {} -> {head}\n", specification.body_text(rule))
    });
    rules.collect()
}
