//! Updates: values for variables, by name.

use super::Input;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::schema::{StateId, VariableId, Vocabulary};
use intentgate_engine::{input, suggest};

/// Values for variables, from one source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Update {
    pub(crate) vocabulary: u64,
    pub(crate) assignments: Vec<Assignment>,
}

impl Update {
    /// Starts an update whose values the app itself reports.
    pub fn of(vocabulary: &Vocabulary) -> UpdateBuilder<'_> {
        UpdateBuilder { vocabulary, source: ValueSource::App, update: Ok(Vec::new()) }
    }

    /// The assignments.
    pub fn assignments(&self) -> &[Assignment] {
        &self.assignments
    }

    pub(crate) fn from_assignments(vocabulary: &Vocabulary, assignments: Vec<Assignment>) -> Update {
        Update { vocabulary: vocabulary.identity(), assignments }
    }
}

/// Builds an [`Update`]; the first mistake is kept for the end.
#[derive(Debug)]
#[must_use]
pub struct UpdateBuilder<'v> {
    vocabulary: &'v Vocabulary,
    source: ValueSource,
    update: Result<Vec<Assignment>, Fault>,
}

impl UpdateBuilder<'_> {
    /// Who says so; for the values that follow.
    pub fn source(mut self, source: ValueSource) -> Self {
        self.source = source;
        self
    }

    /// Gives a variable, written `State.variable`, a value; [`Input::Unknown`] makes it unknown.
    pub fn set(mut self, path: &str, value: impl Into<Input>) -> Self {
        if let Ok(assignments) = &mut self.update {
            match assignment(self.vocabulary, path, value.into(), self.source) {
                Ok(assignment) => assignments.push(assignment),
                Err(fault) => self.update = Err(fault),
            }
        }
        self
    }

    /// The update.
    ///
    /// # Errors
    /// An unknown state or variable, a value of the wrong type, a variable set twice.
    pub fn build(self) -> Result<Update, Fault> {
        let assignments = self.update?;
        distinct(self.vocabulary, &assignments)?;
        Ok(Update { vocabulary: self.vocabulary.identity(), assignments })
    }
}

pub(super) fn assignment(
    vocabulary: &Vocabulary,
    path: &str,
    value: Input,
    source: ValueSource,
) -> Result<Assignment, Fault> {
    let (state, name) = path.split_once('.').ok_or_else(|| {
        Fault::new(Code::UpdateVariable, format!("`{path}` is not written `State.variable`"))
    })?;
    let state = find_state(vocabulary, state)?;
    let variable = find_variable(vocabulary, state, name)?;
    let value = value.typed(path, vocabulary.variable(variable).variable_type())?;
    Ok(Assignment { variable, value, source })
}

/// The state of an update: no state of arguments, which only proposals fill.
pub(crate) fn find_state(vocabulary: &Vocabulary, name: &str) -> Result<StateId, Fault> {
    let fault = match vocabulary.find_state(name) {
        Some(state) if vocabulary.state(state).arguments_of().is_none() => return Ok(state),
        Some(_) => {
            Fault::new(Code::UpdateState, format!("`{name}` holds the arguments of a critical action"))
                .help("arguments come with the proposal of the action, not with updates")
        }
        None => {
            let states = vocabulary.states().filter(|(_, state)| state.arguments_of().is_none());
            let names: Vec<&str> = states.map(|(_, state)| state.name()).collect();
            let shown = input::shortened(name);
            Fault::new(Code::UpdateState, format!("unknown state `{shown}`"))
                .help(suggest::known(name, "states", names))
        }
    };
    Err(fault)
}

pub(crate) fn find_variable(
    vocabulary: &Vocabulary,
    state: StateId,
    name: &str,
) -> Result<VariableId, Fault> {
    vocabulary.find_variable(state, name).ok_or_else(|| {
        let schema = vocabulary.state(state);
        let names: Vec<&str> = schema.variables().map(|id| vocabulary.variable(id).name()).collect();
        let message = format!("`{}` has no variable `{}`", schema.name(), input::shortened(name));
        Fault::new(Code::UpdateVariable, message).help(suggest::known(name, "variables", names))
    })
}

pub(crate) fn distinct(vocabulary: &Vocabulary, assignments: &[Assignment]) -> Result<(), Fault> {
    let mut seen: Vec<VariableId> = assignments.iter().map(|assignment| assignment.variable).collect();
    seen.sort_unstable();
    match seen.windows(2).find(|pair| pair.first() == pair.last()).and_then(<[VariableId]>::first) {
        Some(twice) => {
            let message = format!("`{}` is set twice in one update", vocabulary.path(*twice));
            Err(Fault::new(Code::DuplicateKey, message))
        }
        None => Ok(()),
    }
}
