//! Models as plain data, before any check: what builders make and files hold.
//!
//! The states and actions of a vocabulary that is declared on Rust types have the names of those types, and no
//! other tie to a model is needed: transitions name them, and [`Model::review_links`] checks what they say.
//!
//! ```
//! # mod house {
//! use intentgate::{CriticalAction, State, vocabulary};
//!
//! /// the front door
//! #[derive(State)]
//! pub struct Door {
//!     pub locked: bool,
//! }
//!
//! /// leave the house
//! #[derive(CriticalAction)]
//! pub struct Leave;
//!
//! vocabulary! {
//!     /// The house.
//!     pub struct House {
//!         states: [Door],
//!         actions: [Leave],
//!     }
//! }
//! # }
//! # use house::House;
//! use intentgate::planner::declare::{App, Page, Transition};
//! use intentgate::planner::{Bounds, Completion, Planner, Start};
//! use intentgate::{Session, spec};
//!
//! let app = App {
//!     app: "House".to_owned(),
//!     start: "Inside".to_owned(),
//!     pages: vec![Page::new("Inside"), Page::new("Outside")],
//!     transitions: vec![
//!         Transition::new("Inside", "turn the key", "Inside").causes("Door", "locked", true),
//!         Transition::new("Inside", "go through the garage", "Outside").performs("Leave").cost(3),
//!     ],
//!     ..App::default()
//! };
//! let model = app.check()?;
//! let session = Session::builder(spec! { in House; Door(locked = true) -> Leave  Leave -> Done }).start()?;
//! let found = Planner::new(&model).complete(&Start::default(), &session, &Bounds::default())?;
//! let Completion::Path(path) = found else { unreachable!("the door can be locked") };
//! assert_eq!(path.to_string(), "1. turn the key\n2. go through the garage\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::Model;
use intentgate_engine::diagnostic::Problems;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::declare::Variable;
use intentgate_engine::span::Source;
use intentgate_engine::value::Value;
use serde::{Serialize, Serializer};
use serde_json::json;
use std::collections::BTreeMap;

/// A whole model.
#[derive(Debug, Clone, Default, Serialize)]
pub struct App {
    /// The app's name.
    pub app: String,
    /// The page on which it starts.
    pub start: String,
    /// The pages.
    pub pages: Vec<Page>,
    /// What the app remembers, with its initial values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Configured>,
    /// What the app is for: the primary functions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<Function>,
    /// The transitions.
    pub transitions: Vec<Transition>,
}

/// Several apps, and how one leads to another.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Apps {
    /// The app, or the page as `App.Page`, on which it starts.
    pub start: String,
    /// The apps; their names are identifiers and differ, and so do the names of their functions.
    pub apps: Vec<App>,
    /// Transitions from a page of one app to a page of another, written `App.Page`. A guard is on variables of
    /// the app that is left, an update on those of the app that is entered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub handovers: Vec<Transition>,
}

/// A page.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Page {
    /// Its name.
    pub name: String,
    /// What it shows.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// A variable with its initial value.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Configured {
    /// The variable.
    #[serde(flatten)]
    pub variable: Variable,
    /// Its value when the app starts, if that is known.
    pub initial: Option<Value>,
}

/// A primary function.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What it is called with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Variable>,
}

/// A transition.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Transition {
    /// The page on which it is possible.
    pub from: String,
    /// What a user does, in words; `{parameter}` stands for the value of a parameter of its function.
    pub event: String,
    /// The primary function that it performs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// When it is possible: constraints on the model's variables, with commas.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub guard: String,
    /// What it changes: `variable = value`, with commas.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub update: String,
    /// The action as the gate knows it: the name of a critical action, or of a step; the event without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The arguments of that action.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, Said>,
    /// The update of the vocabulary's states that comes with it, by state and variable.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub causes: BTreeMap<String, BTreeMap<String, Said>>,
    /// What is seen after it, by state and variable.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub observes: BTreeMap<String, BTreeMap<String, Said>>,
    /// The page to which it leads.
    pub to: String,
    /// What it costs; 1 without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<u32>,
    /// Where it is known from: `declared`, `static` or `observed`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub origin: String,
    /// How often it was observed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

/// The value that a transition gives a variable of the vocabulary, or an argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// Always this one; `null` for unknown.
    Value(serde_json::Value),
    /// One of these, as the agent chooses: `{"choose": [..]}`.
    Choose(Vec<serde_json::Value>),
    /// Any, as the agent chooses: `{"choose": "any"}`.
    ChooseAny,
    /// One of these, as it turns out: `{"expect": [..]}`. Plans count on the first.
    Expect(Vec<serde_json::Value>),
    /// Any, as it turns out: `{"expect": "any"}`.
    ExpectAny,
    /// What a variable of the model is, before the transition: `{"variable": ".."}`.
    Variable(String),
}

impl Serialize for Said {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = match self {
            Said::Value(value) => value.clone(),
            Said::Choose(values) => json!({"choose": values}),
            Said::ChooseAny => json!({"choose": "any"}),
            Said::Expect(values) => json!({"expect": values}),
            Said::ExpectAny => json!({"expect": "any"}),
            Said::Variable(name) => json!({"variable": name}),
        };
        value.serialize(serializer)
    }
}

impl Page {
    /// A page of a name.
    pub fn new(name: impl Into<String>) -> Page {
        Page { name: name.into(), ..Page::default() }
    }
}

impl Transition {
    /// A transition between pages.
    pub fn new(from: impl Into<String>, event: impl Into<String>, to: impl Into<String>) -> Transition {
        Transition { from: from.into(), event: event.into(), to: to.into(), ..Transition::default() }
    }

    /// Possible only where these constraints on the model's variables hold: `zoom > 1, front = true`.
    #[must_use]
    pub fn guard(mut self, constraints: impl Into<String>) -> Transition {
        self.guard = constraints.into();
        self
    }

    /// It changes variables of the model: `zoom = 1, front = false`.
    #[must_use]
    pub fn update(mut self, assignments: impl Into<String>) -> Transition {
        self.update = assignments.into();
        self
    }

    /// It performs a primary function.
    #[must_use]
    pub fn function(mut self, name: impl Into<String>) -> Transition {
        self.function = Some(name.into());
        self
    }

    /// To the gate it is this action: a critical action, or a step.
    #[must_use]
    pub fn performs(mut self, action: impl Into<String>) -> Transition {
        self.action = Some(action.into());
        self
    }

    /// With this argument.
    #[must_use]
    pub fn argument(mut self, name: impl Into<String>, said: impl Into<Said>) -> Transition {
        self.arguments.insert(name.into(), said.into());
        self
    }

    /// The update of the vocabulary that comes with it: a variable of a state.
    #[must_use]
    pub fn causes(
        mut self,
        state: impl Into<String>,
        variable: impl Into<String>,
        said: impl Into<Said>,
    ) -> Transition {
        self.causes.entry(state.into()).or_default().insert(variable.into(), said.into());
        self
    }

    /// What is seen after it: a variable of a state.
    #[must_use]
    pub fn observes(
        mut self,
        state: impl Into<String>,
        variable: impl Into<String>,
        said: impl Into<Said>,
    ) -> Transition {
        self.observes.entry(state.into()).or_default().insert(variable.into(), said.into());
        self
    }

    /// It costs so much, from 1.
    #[must_use]
    pub fn cost(mut self, cost: u32) -> Transition {
        self.cost = Some(cost);
        self
    }
}

/// Always this value: texts, numbers, Booleans, as JSON has them; dates and times as texts.
impl<T: Into<serde_json::Value>> From<T> for Said {
    fn from(value: T) -> Said {
        Said::Value(value.into())
    }
}

impl Said {
    /// One of these, as the agent chooses.
    pub fn choose(values: impl IntoIterator<Item = impl Into<serde_json::Value>>) -> Said {
        Said::Choose(values.into_iter().map(Into::into).collect())
    }

    /// One of these, as it turns out; plans count on the first.
    pub fn expect(values: impl IntoIterator<Item = impl Into<serde_json::Value>>) -> Said {
        Said::Expect(values.into_iter().map(Into::into).collect())
    }
}

impl App {
    /// The model, if it passes every check.
    ///
    /// # Errors
    /// Located in the declaration's JSON form.
    pub fn check(&self) -> Result<Model, Problems> {
        self.check_within(&Limits::default())
    }

    /// As [`App::check`], within other limits.
    ///
    /// # Errors
    /// Located in the declaration's JSON form.
    pub fn check_within(&self, limits: &Limits) -> Result<Model, Problems> {
        let name = if self.app.is_empty() { "model" } else { &self.app };
        check(name, self, limits)
    }
}

impl Apps {
    /// One model of all apps, if it passes every check.
    ///
    /// # Errors
    /// Located in the declaration's JSON form.
    pub fn check(&self) -> Result<Model, Problems> {
        check("models", self, &Limits::default())
    }
}

fn check(name: &str, declaration: &impl Serialize, limits: &Limits) -> Result<Model, Problems> {
    let text = serde_json::to_string_pretty(declaration).unwrap_or_default();
    Model::from_json(&Source::new(name, text), limits)
}
