//! A checked specification in plain English, complete, so that a person can confirm what will be enforced.
//!
//! Intents are checked by decoding them and comparing the decoding with what was said (VeriSafe Agent,
//! section 5.1.1). There a language model decodes; here it is done without one, so that the same
//! specification always has the same words, two different ones never share theirs, and nothing is left
//! out or cut. [`Description`] is the data, its `Display` the words. Knows specifications; must never know
//! sessions, values observed, or the sentence that was meant.

mod collect;
mod words;

use chrono::NaiveDate;
use intentgate_engine::compile::bind;
use intentgate_engine::compile::bind::Given;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::input;
use intentgate_engine::ir::{self, Operator};
use intentgate_engine::text::normal;
use intentgate_engine::value::{Value, quoted};
use serde::{Deserialize, Serialize};

/// What a specification is enforced as, under its policies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The app's name; may be empty.
    pub app: String,
    /// The name of the specification's source.
    pub source: String,
    /// What kind of rule set it is.
    pub kind: Kind,
    /// The names of the sources of the policies, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<String>,
    /// The date that relative dates were resolved with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub today: Option<String>,
    /// The critical actions that some rule allows, in the order of their first rules.
    pub actions: Vec<Concluded>,
    /// The milestones, in the order of their first rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub milestones: Vec<Concluded>,
    /// The cases in which the task is complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub completion: Vec<Case>,
    /// The prohibitions, the specification's own before those of the policies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prohibitions: Vec<Prohibition>,
    /// The critical actions that no rule allows: always blocked. None for a policy by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never_allowed: Vec<Named>,
    /// Whether every action that the app does not declare is blocked.
    pub closed: bool,
    /// The parameters, in the order of their first use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// The states and arguments that are spoken of, in the order of their declaration.
    pub states: Vec<State>,
}

/// The kinds of rule sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A task that ends.
    Task,
    /// A guard without an end.
    Standing,
    /// Prohibitions alone.
    Policy,
}

/// A name and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// What it is, in the app developer's words; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// An objective with its alternatives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concluded {
    /// The objective.
    pub objective: Named,
    /// The cases, of which one is enough.
    pub cases: Vec<Case>,
}

/// A rule: everything in it has to be known to be true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The number of the rule in its source, from 1.
    pub rule: usize,
    /// Its label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The parts, all of which have to hold.
    pub parts: Vec<Part>,
    /// The arguments of the action that this rule allows which it does not look at: any value passes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub free_arguments: Vec<String>,
}

/// A rule for `Never`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prohibition {
    /// The name of the source it stands in.
    pub source: String,
    /// The critical actions it concerns; none means every one.
    pub concerns: Vec<String>,
    /// What must not come true.
    pub case: Case,
}

/// A part of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// A critical action was performed; in a prohibition also: is attempted.
    Performed(String),
    /// A milestone was reached.
    Reached(String),
    /// A variable of a state is known.
    Observed(String),
    /// An argument of an action is given.
    Given(String),
    /// Constraints on one state, all of which have to hold.
    Holds {
        /// The state, or the action whose arguments are looked at.
        state: String,
        /// The constraints, in order.
        constraints: Vec<Constraint>,
    },
}

/// A comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraint {
    /// What is compared.
    pub variable: Variable,
    /// How values of its type compare.
    pub compared: Compared,
    /// The operator.
    pub operator: Operator,
    /// What it is compared with.
    pub operand: Operand,
}

/// A variable of a state, or an argument of an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// `State.variable`.
    pub path: String,
    /// Whether it is an argument of a critical action.
    pub argument: bool,
}

/// How values compare.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum Compared {
    /// Texts.
    Text {
        /// Whether case and spacing don't count.
        ignore_case: bool,
    },
    /// Numbers.
    Number,
    /// True and false.
    Boolean,
    /// Members of an enumeration.
    Enum {
        /// The members in their order, if the operator is one of order.
        order: Vec<String>,
    },
    /// Days.
    Date,
    /// Times of day.
    Time,
}

/// The right side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operand {
    /// One value.
    Constant(Constant),
    /// Another variable.
    Variable(Variable),
    /// One of several values.
    List(Vec<Constant>),
}

/// A value that may depend on how the session starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Constant {
    /// A value, texts and enumerators in quotes, with escapes.
    Value {
        /// Its spelling, never cut.
        text: String,
        /// Characters that look like others, with their code points.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        alike: Vec<String>,
    },
    /// So many days from today.
    Today {
        /// How many, negative before today.
        days: i64,
        /// The date, if today is given and it is within the calendar.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        date: Option<String>,
    },
    /// A parameter.
    Parameter {
        /// Its name, without `$`.
        name: String,
        /// Its value, if one is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name, without `$`.
    pub name: String,
    /// The name of its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The members, if it is an enumeration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Its value, if one is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The name of the source that uses it.
    pub source: String,
}

/// A state, or the arguments of an action, with the variables that are spoken of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Its name and what it is.
    #[serde(flatten)]
    pub named: Named,
    /// Whether it is the arguments of a critical action.
    pub arguments: bool,
    /// The variables that are spoken of.
    pub variables: Vec<Declared>,
}

/// A variable that is spoken of, with all that decides whether its value counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// Its name and what it is.
    #[serde(flatten)]
    pub named: Named,
    /// The name of its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The members, if it is an enumeration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Whether only what the app reports counts.
    pub app_only: bool,
    /// How old its value may be, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_age: Option<String>,
    /// The variables whose change makes it unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reset_by: Vec<String>,
}

/// Describes a specification.
#[derive(Debug, Clone)]
#[must_use]
pub struct Describer<'s> {
    specification: &'s ir::Specification,
    policies: Vec<&'s ir::Specification>,
    today: Option<NaiveDate>,
    given: Vec<(String, Given)>,
}

impl<'s> Describer<'s> {
    /// Describes a specification, or a policy by itself.
    pub fn new(specification: &'s ir::Specification) -> Describer<'s> {
        Describer { specification, policies: Vec::new(), today: None, given: Vec::new() }
    }

    /// Adds a policy.
    pub fn policy(mut self, policy: &'s ir::Specification) -> Describer<'s> {
        self.policies.push(policy);
        self
    }

    /// Resolves dates that count from today. Without it they stay relative.
    pub fn today(mut self, today: NaiveDate) -> Describer<'s> {
        self.today = Some(today);
        self
    }

    /// Gives a parameter a value, to be shown beside it. Parameters without one stay open.
    pub fn parameter(mut self, name: impl Into<String>, given: Given) -> Describer<'s> {
        self.given.push((name.into(), given));
        self
    }

    /// The description. Takes time in proportion to the rules.
    ///
    /// # Errors
    /// A value for a parameter that there is not, or one that does not fit its type; policies that are
    /// none, or that were checked against another vocabulary.
    pub fn describe(&self) -> Result<Description, Fault> {
        for policy in &self.policies {
            if policy.kind() != ir::Kind::Policy {
                let message = format!("`{}` is not a policy", policy.source().name());
                return Err(Fault::new(Code::PolicyConcludes, message).help("check it as a policy"));
            }
            if policy.vocabulary().identity() != self.specification.vocabulary().identity() {
                let message = format!("`{}` was checked against another vocabulary", policy.source().name());
                return Err(Fault::new(Code::UnknownState, message).help("check it against the same one"));
            }
        }
        if let Some(fault) = bind::unused(&self.given, &self.sets().collect::<Vec<_>>()) {
            return Err(fault);
        }
        collect::description(self)
    }

    /// The specification and the policies.
    fn sets(&self) -> impl Iterator<Item = &'s ir::Specification> {
        std::iter::once(self.specification).chain(self.policies.iter().copied())
    }

    /// The value given to a parameter.
    fn value(&self, parameter: &ir::Parameter) -> Result<Option<Value>, Fault> {
        let given = self.given.iter().find(|(name, _)| normal::nfc(name) == parameter.name());
        let Some((_, given)) = given else { return Ok(None) };
        let kind = parameter.variable_type();
        let (value, shown) = match given {
            Given::Spelled(text) => (input::spelled(text, kind, self.today), quoted(text)),
            Given::Value(value) => {
                let fits = value.kind() == kind.kind() && value.is_writable();
                (fits.then(|| value.clone()), value.to_string())
            }
        };
        value.map(Some).ok_or_else(|| {
            let message = format!("{shown} is no {} for the parameter `{}`", kind.kind(), parameter.name());
            Fault::new(Code::ParameterValue, message)
                .help("a value is spelled as in the language; a date that counts from today needs today")
        })
    }
}
