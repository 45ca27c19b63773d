//! Declarations as plain data, before any check: what builders and derive macros produce.
//!
//! They become a [`Vocabulary`] through the JSON form and its one reader, so that every way to
//! declare an app passes the same checks.

use super::Vocabulary;
use crate::diagnostic::Problems;
use crate::limits::Limits;
use crate::span::Source;
use serde::Serialize;

/// A whole app.
#[derive(Debug, Clone, Default, Serialize)]
pub struct App {
    /// The app's name.
    pub app: String,
    /// The states.
    pub states: Vec<State>,
    /// The critical actions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// The declared ordinary actions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Action>,
    /// Whether undeclared actions are blocked.
    #[serde(skip_serializing_if = "is_false")]
    pub closed: bool,
}

/// A state.
#[derive(Debug, Clone, Default, Serialize)]
pub struct State {
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Its variables.
    pub variables: Vec<Variable>,
}

/// A critical or an ordinary action.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Variable>,
}

/// A variable or an argument.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type: `Text`, `Number`, `Boolean`, `Enum`, `Date` or `Time`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The names of an `Enum`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Whether an `Enum` has an order.
    #[serde(skip_serializing_if = "is_false")]
    pub ordered: bool,
    /// Whether a `Text` compares without case and spacing.
    #[serde(skip_serializing_if = "is_false")]
    pub ignore_case: bool,
    /// `app` if only the app's values count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its greatest age: `"90s"`, `"10m"`, `"2h"`, `"1d"`, or a number of changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age: Option<serde_json::Value>,
    /// `State.variable` of what resets it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reset_by: Vec<String>,
    /// Whether an argument may be left out.
    #[serde(skip_serializing_if = "is_false")]
    pub optional: bool,
}

impl Variable {
    /// A variable of a type, without attributes.
    pub fn new(name: impl Into<String>, kind: impl Into<String>) -> Variable {
        Variable { name: name.into(), kind: kind.into(), ..Variable::default() }
    }
}

impl App {
    /// The vocabulary, if the declaration passes every check.
    ///
    /// # Errors
    /// Located in the declaration's JSON form.
    pub fn check(&self) -> Result<Vocabulary, Problems> {
        let text = serde_json::to_string_pretty(self).map_err(|error| {
            let fault = crate::diagnostic::Fault::new(crate::diagnostic::Code::JsonSyntax, error.to_string());
            Problems::unreadable(&self.app, fault)
        })?;
        let name = if self.app.is_empty() { "vocabulary" } else { &self.app };
        let limits = Limits { bytes: text.len().max(Limits::default().bytes), ..Limits::default() };
        Vocabulary::from_json(&Source::new(name, text), &limits)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
