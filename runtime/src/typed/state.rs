//! Types as states of the vocabulary.

use super::Observation;
use super::variable::FromVariable;
use crate::action::{distinct, find_state, find_variable};
use crate::{Input, Session, Update};
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::schema::Vocabulary;
use std::borrow::Cow;

/// A state of the vocabulary: what `#[derive(State)]` implements. Its fields are the variables.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no state",
    label = "not a state",
    note = "add `#[derive(State)]` to `{Self}`"
)]
pub trait State: Sized {
    /// The name of the state.
    const NAME: &'static str;

    /// Values for some of the variables, with a method for each of them, and one that begins with
    /// `forget_` that makes it unknown again.
    type Update: Observation + Default;

    /// Starts an update: values for some of the variables.
    #[must_use]
    fn update() -> Self::Update {
        Self::Update::default()
    }

    /// Every variable with its value.
    fn fields(&self) -> Fields;
}

/// A state that can be read out of a session: none of its fields is borrowed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be read from a session",
    note = "states that derive `State` can, unless they borrow: use `String` in place of `&str`"
)]
pub trait FromState: State {
    /// The state of what is known.
    ///
    /// # Errors
    /// If something is unknown that isn't an `Option`; a value that the type of the field doesn't have.
    fn from_known(known: &Known<'_>) -> Result<Self, Absent>;
}

/// Why a state can't be read.
#[derive(Debug, Clone, PartialEq)]
pub enum Absent {
    /// A variable is unknown, and its field is no `Option`.
    Unknown,
    /// A value that the type of its field doesn't have.
    Fault(Fault),
}

impl From<Fault> for Absent {
    fn from(fault: Fault) -> Absent {
        Absent::Fault(fault)
    }
}

impl Session {
    /// What is known of a state, as its type; nothing if something is unknown that isn't an `Option`.
    ///
    /// # Errors
    /// A value that the type of the field doesn't have: 1.5 for an `i64`.
    pub fn read<S: FromState>(&self) -> Result<Option<S>, Fault> {
        match S::from_known(&Known { session: self, state: S::NAME }) {
            Ok(state) => Ok(Some(state)),
            Err(Absent::Unknown) => Ok(None),
            Err(Absent::Fault(fault)) => Err(fault),
        }
    }
}

/// What a session knows of one state.
#[derive(Debug)]
pub struct Known<'a> {
    session: &'a Session,
    state: &'static str,
}

impl Known<'_> {
    /// The value of a variable.
    ///
    /// # Errors
    /// If it is unknown and `T` is no `Option`; a vocabulary without it; a value that the type doesn't have.
    pub fn get<T: FromVariable>(&self, name: &str) -> Result<T, Absent> {
        let vocabulary = self.session.vocabulary();
        let id = find_variable(vocabulary, find_state(vocabulary, self.state)?, name)?;
        match self.session.fact(id).value {
            Some(value) => Ok(T::from_value(&value)?),
            None => T::unknown().ok_or(Absent::Unknown),
        }
    }
}

/// Values for variables of one state, by name, on their way to a vocabulary.
#[derive(Debug, Clone)]
pub struct Fields {
    state: &'static str,
    values: Vec<(&'static str, Result<Input, Fault>)>,
}

impl Fields {
    /// None yet.
    pub fn of(state: &'static str) -> Fields {
        Fields { state, values: Vec::new() }
    }

    /// Adds a value, in place of an earlier one; see [`Variable::to_input`](super::Variable::to_input).
    pub fn put(&mut self, name: &'static str, value: Result<Input, Fault>) {
        match self.values.iter_mut().find(|(known, _)| *known == name) {
            Some((_, earlier)) => *earlier = value,
            None => self.values.push((name, value)),
        }
    }

    /// Makes a variable unknown.
    pub fn forget(&mut self, name: &'static str) {
        self.put(name, Ok(Input::Unknown));
    }
}

/// As reported by the app.
impl Observation for Fields {
    fn to_update(&self, vocabulary: &Vocabulary) -> Result<Cow<'_, Update>, Fault> {
        let state = find_state(vocabulary, self.state)?;
        let mut assignments = Vec::with_capacity(self.values.len());
        for (name, value) in &self.values {
            let variable = find_variable(vocabulary, state, name)?;
            let path = format!("{}.{name}", self.state);
            let value = value.clone()?.typed(&path, vocabulary.variable(variable).variable_type())?;
            assignments.push(Assignment { variable, value, source: ValueSource::App });
        }
        distinct(vocabulary, &assignments)?;
        Ok(Cow::Owned(Update::from_assignments(vocabulary, assignments)))
    }
}
