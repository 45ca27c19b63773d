//! What an agent proposes: actions, their arguments, and updates.
//!
//! All of them are made against a vocabulary and are well-typed once they exist. Must never decide
//! anything.

use crate::gate::feedback::Feedback;
use chrono::{NaiveDate, NaiveTime};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::input;
use intentgate_engine::json;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{ActionId, StateId, VariableId, VariableType, Vocabulary};
use intentgate_engine::suggest;
use intentgate_engine::value::{Text, Value};
use rust_decimal::Decimal;

/// A value on its way to a variable, not yet typed.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A text, or the spelling of a date, a time or an enumerator.
    Text(String),
    /// A number.
    Number(Decimal),
    /// A Boolean.
    Boolean(bool),
    /// A date.
    Date(NaiveDate),
    /// A time.
    Time(NaiveTime),
    /// A typed value.
    Value(Value),
    /// Unknown again.
    Unknown,
}

macro_rules! input_from {
    ($($type:ty => |$value:ident| $input:expr,)*) => {
        $(impl From<$type> for Input {
            fn from($value: $type) -> Input { $input }
        })*
    };
}

input_from! {
    &str => |text| Input::Text(text.to_owned()),
    String => |text| Input::Text(text),
    bool => |value| Input::Boolean(value),
    Decimal => |number| Input::Number(number),
    i32 => |number| Input::Number(number.into()),
    i64 => |number| Input::Number(number.into()),
    u32 => |number| Input::Number(number.into()),
    u64 => |number| Input::Number(number.into()),
    NaiveDate => |date| Input::Date(date),
    NaiveTime => |time| Input::Time(time),
    Value => |value| Input::Value(value),
}

impl<T: Into<Input>> From<Option<T>> for Input {
    fn from(value: Option<T>) -> Input {
        value.map_or(Input::Unknown, Into::into)
    }
}

impl Input {
    fn typed(self, name: &str, kind: &VariableType) -> Result<Option<Value>, Fault> {
        let (value, shown) = match self {
            Input::Unknown => return Ok(None),
            Input::Text(text) if text.len() > Limits::default().text => {
                let message = format!("the text for `{name}` has {} bytes, beyond the limit", text.len());
                return Err(Fault::new(Code::ValueRange, message));
            }
            Input::Text(text) => {
                if let VariableType::Enum(enumeration) = kind
                    && enumeration.enumerator(&text).is_none()
                {
                    let message = format!("`{name}` has no value `{}`", input::shortened(&text));
                    let help = suggest::known(&text, "values", enumeration.names());
                    return Err(Fault::new(Code::UpdateEnumerator, message).help(help));
                }
                let spelled = match kind {
                    VariableType::Number | VariableType::Boolean => None,
                    kind => input::spelled(&text, kind, None),
                };
                (spelled, Value::text(&input::shortened(&text)).to_string())
            }
            Input::Number(number) => fitting(Value::Number(number), kind),
            Input::Boolean(value) => fitting(Value::Boolean(value), kind),
            Input::Date(date) => fitting(Value::Date(date), kind),
            Input::Time(time) => fitting(Value::Time(time), kind),
            Input::Value(value) => fitting(value, kind),
        };
        value.map(Some).ok_or_else(|| input::wrong_type(name, kind.kind(), &shown))
    }
}

impl Input {
    /// The value as JSON, for an argument that nothing declares.
    fn untyped(self) -> Option<serde_json::Value> {
        let value = match self {
            Input::Unknown => return None,
            Input::Boolean(value) | Input::Value(Value::Boolean(value)) => return Some(value.into()),
            Input::Text(text) => return Some(text.into()),
            Input::Number(number) => Value::Number(number),
            Input::Date(date) => Value::Date(date),
            Input::Time(time) => Value::Time(time),
            Input::Value(value) => value,
        };
        Some(match &value {
            Value::Number(_) => json::number_value(&value.to_string()),
            Value::Text(text) => text.as_str().into(),
            Value::Enum(enumerator) => enumerator.name().into(),
            other => other.to_string().into(),
        })
    }
}

fn fitting(value: Value, kind: &VariableType) -> (Option<Value>, String) {
    let shown = value.to_string();
    let fits = match (&value, kind) {
        (Value::Enum(enumerator), VariableType::Enum(enumeration)) => {
            enumeration.enumerator(enumerator.name()).as_ref() == Some(enumerator)
        }
        (value, kind) => value.kind() == kind.kind(),
    };
    (fits.then_some(value), shown)
}

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

fn assignment(
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

/// An argument of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// Declared, and of its declared type.
    Typed(Value),
    /// Of an action that declares none: passed on as it came.
    Free(serde_json::Value),
}

/// The arguments of an action: what was judged, and what the effect gets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arguments {
    items: Vec<(Text, Argument)>,
}

impl Arguments {
    /// An argument by name.
    pub fn get(&self, name: &str) -> Option<&Argument> {
        self.items.iter().find(|(known, _)| known.as_str() == name).map(|(_, argument)| argument)
    }

    /// All of them, in the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Argument)> {
        self.items.iter().map(|(name, argument)| (name.as_str(), argument))
    }

    /// A declared Text or Enum argument, or a free text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Argument::Typed(Value::Text(text)) => Some(text.as_str()),
            Argument::Typed(Value::Enum(enumerator)) => Some(enumerator.name()),
            Argument::Free(value) => value.as_str(),
            Argument::Typed(_) => None,
        }
    }

    /// A declared Number argument.
    pub fn number(&self, name: &str) -> Option<Decimal> {
        match self.get(name)? {
            Argument::Typed(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// A declared Boolean argument, or a free one.
    pub fn boolean(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Argument::Typed(Value::Boolean(value)) => Some(*value),
            Argument::Free(value) => value.as_bool(),
            Argument::Typed(_) => None,
        }
    }

    /// A declared Date argument.
    pub fn date(&self, name: &str) -> Option<NaiveDate> {
        match self.get(name)? {
            Argument::Typed(Value::Date(date)) => Some(*date),
            _ => None,
        }
    }

    /// A declared Time argument.
    pub fn time(&self, name: &str) -> Option<NaiveTime> {
        match self.get(name)? {
            Argument::Typed(Value::Time(time)) => Some(*time),
            _ => None,
        }
    }

    /// Keeps them in the order of their names, so that the order of a proposal doesn't matter.
    fn push(&mut self, name: Text, argument: Argument) {
        let place = self.items.partition_point(|(known, _)| *known < name);
        self.items.insert(place, (name, argument));
    }
}

/// An action that is proposed. Moving it moves a pointer.
#[derive(Debug, Clone)]
pub struct Action(pub(crate) Box<Parts>);

/// The same name, arguments and update; by whichever proposal.
impl PartialEq for Action {
    fn eq(&self, other: &Action) -> bool {
        let (left, right) = (&self.0, &other.0);
        left.vocabulary == right.vocabulary
            && left.name == right.name
            && left.claims_critical == right.claims_critical
            && left.trigger_failed == right.trigger_failed
            && left.arguments == right.arguments
            && left.overlay == right.overlay
    }
}

/// What binds a permit to its situation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ticket {
    pub(crate) session: u64,
    pub(crate) epoch: u64,
    pub(crate) activity: u64,
    pub(crate) note: Option<Box<Feedback>>,
    /// The permit's name in the record.
    pub(crate) hold: Option<Box<str>>,
}

/// What an action is made of.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    /// What a permit adds: it lives here, so that a permit is a pointer, too.
    pub(crate) ticket: Ticket,
    pub(crate) vocabulary: u64,
    pub(crate) name: Text,
    pub(crate) critical: Option<ActionId>,
    pub(crate) claims_critical: bool,
    /// The critical action that its name is nearly, if it is not one itself.
    pub(crate) near: Option<ActionId>,
    /// Whether the vocabulary declares it.
    pub(crate) declared: bool,
    /// Why its trigger could not say what it would change.
    pub(crate) trigger_failed: Option<String>,
    pub(crate) arguments: Arguments,
    /// What it lays over the store: its arguments, then what the agent states, then what triggers say.
    pub(crate) overlay: Vec<Assignment>,
    /// How many of these are arguments.
    pub(crate) argument_count: usize,
    /// How many of these are arguments or stated; what a trigger says stands behind them, wins over
    /// them, and is forgotten before the action is judged again.
    pub(crate) stated_count: usize,
}

impl Action {
    /// Starts an action of that name. One that is named like a declared critical action is one.
    pub fn named<'v>(vocabulary: &'v Vocabulary, name: &str) -> ActionBuilder<'v> {
        let critical = vocabulary.find_action(name);
        let mut builder = ActionBuilder {
            vocabulary,
            source: ValueSource::Agent,
            fault: checked_name(name).err(),
            action: Action(Box::new(Parts {
                ticket: Ticket::default(),
                vocabulary: vocabulary.identity(),
                name: Text::new(name),
                near: if critical.is_some() { None } else { vocabulary.near_action(name) },
                declared: critical.is_some() || vocabulary.find_step(name).is_some(),
                critical,
                claims_critical: false,
                trigger_failed: None,
                arguments: Arguments::default(),
                overlay: Vec::new(),
                argument_count: 0,
                stated_count: 0,
            })),
        };
        if let Some(id) = builder.action.0.critical {
            // Arguments that are not given are unknown, whatever an earlier proposal said.
            for variable in vocabulary.state(vocabulary.action(id).arguments()).variables() {
                builder.action.0.overlay.push(Assignment { variable, value: None, source: ValueSource::App });
            }
            builder.action.0.argument_count = builder.action.0.overlay.len();
        }
        builder
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.0.name.as_str()
    }

    /// The critical action that it is, if it is one.
    pub fn critical(&self) -> Option<ActionId> {
        self.0.critical
    }

    /// Its arguments.
    pub fn arguments(&self) -> &Arguments {
        &self.0.arguments
    }

    /// Puts its update in the order of the vocabulary: the same update is the same, however it was
    /// written.
    pub(crate) fn order(&mut self) {
        let arguments = self.0.argument_count;
        if let Some(update) = self.0.overlay.get_mut(arguments..) {
            update.sort_by_key(|assignment| assignment.variable);
        }
    }

    /// Its update as one: what a trigger says in place of what the agent states of the same variable.
    pub(crate) fn merged_update(&self) -> Vec<Assignment> {
        let update = self.update();
        let said_later = |index: usize, assignment: &Assignment| {
            update.iter().skip(index + 1).any(|later| later.variable == assignment.variable)
        };
        let kept = update.iter().enumerate().filter(|(index, assignment)| !said_later(*index, assignment));
        let mut merged: Vec<Assignment> = kept.map(|(_, assignment)| assignment.clone()).collect();
        merged.sort_by_key(|assignment| assignment.variable);
        merged
    }

    /// What it lays over the store besides its arguments, later ones over earlier ones.
    pub fn update(&self) -> &[Assignment] {
        self.0.overlay.get(self.0.argument_count..).unwrap_or(&[])
    }
}

fn checked_name(name: &str) -> Result<(), Fault> {
    if name.trim().is_empty() {
        return Err(Fault::new(Code::NamelessAction, "the action has no name"));
    }
    if matches!(name.trim(), "Done" | "Never") {
        let message = format!("`{}` is no action", name.trim());
        return Err(Fault::new(Code::ReservedAction, message)
            .help("the task is complete when a rule for `Done` is true; nobody performs it"));
    }
    Ok(())
}

/// Builds an [`Action`]; the first mistake is kept for the end.
#[derive(Debug)]
#[must_use]
pub struct ActionBuilder<'v> {
    vocabulary: &'v Vocabulary,
    source: ValueSource,
    fault: Option<Fault>,
    action: Action,
}

impl<'v> ActionBuilder<'v> {
    /// Who says what [`ActionBuilder::set`] says; the agent unless this says otherwise. What a trigger
    /// computes is the app's.
    pub fn source(mut self, source: ValueSource) -> Self {
        self.source = source;
        self
    }

    /// Says that the agent holds this action for critical. It never makes one less critical.
    pub fn claimed_critical(mut self, claimed: bool) -> Self {
        self.action.0.claims_critical = claimed;
        self
    }

    /// Gives an argument.
    ///
    /// An action that declares no arguments takes any.
    pub fn argument(self, name: &str, value: impl Into<Input>) -> Self {
        let value = value.into();
        if !self.action.0.declared {
            if let Some(value) = value.untyped() {
                return self.free_argument(name, value);
            }
            return self;
        }
        self.typed_argument(name, |name, kind| value.typed(name, kind))
    }

    /// The first mistake so far, taken out.
    pub(crate) fn take_fault(mut self) -> (Self, Option<Fault>) {
        let fault = self.fault.take();
        (self, fault)
    }

    fn fault(mut self, fault: Fault) -> Self {
        self.fault.get_or_insert(fault);
        self
    }

    /// Gives an argument that nothing declares.
    fn free_argument(mut self, name: &str, value: serde_json::Value) -> Self {
        if self.action.0.arguments.get(name).is_some() {
            return self.fault(Fault::new(Code::DuplicateKey, format!("the argument `{name}` stands twice")));
        }
        self.action.0.arguments.push(Text::new(name), Argument::Free(value));
        self
    }

    /// Gives an argument that `read` types.
    fn typed_argument(
        mut self,
        name: &str,
        read: impl FnOnce(&str, &VariableType) -> Result<Option<Value>, Fault>,
    ) -> Self {
        let vocabulary = self.vocabulary;
        let kind = match self.declared(name) {
            Ok(kind) => kind,
            Err(fault) => return self.fault(fault),
        };
        if self.action.0.arguments.get(name).is_some() {
            return self.fault(Fault::new(Code::DuplicateKey, format!("the argument `{name}` stands twice")));
        }
        let value = match read(name, kind) {
            Ok(value) => value,
            Err(fault) => return self.fault(fault),
        };
        if let Some(value) = value {
            if let Some(id) = self.action.0.critical {
                let state = vocabulary.action(id).arguments();
                if let Some(variable) = vocabulary.find_variable(state, name)
                    && let Some(place) = self.action.0.overlay.iter_mut().find(|a| a.variable == variable)
                {
                    place.value = Some(value.clone());
                }
            }
            self.action.0.arguments.push(Text::new(name), Argument::Typed(value));
        }
        self
    }

    /// Gives an argument as JSON, typed where it is declared.
    pub(crate) fn json_argument(
        self,
        name: &str,
        free: serde_json::Value,
        read: impl FnOnce(&str, &VariableType) -> Result<Option<Value>, Fault>,
    ) -> Self {
        if !self.action.0.declared {
            return self.free_argument(name, free);
        }
        self.typed_argument(name, read)
    }

    /// The type of a declared argument.
    fn declared(&self, name: &str) -> Result<&'v VariableType, Fault> {
        let vocabulary = self.vocabulary;
        let action = self.action.name();
        let names: Vec<&str>;
        if let Some(id) = self.action.0.critical {
            let state = vocabulary.action(id).arguments();
            if let Some(variable) = vocabulary.find_variable(state, name) {
                return Ok(vocabulary.variable(variable).variable_type());
            }
            names = vocabulary.state(state).variables().map(|id| vocabulary.variable(id).name()).collect();
        } else if let Some(step) = vocabulary.find_step(action) {
            if let Some((_, kind, _)) = step.arguments().find(|(known, _, _)| *known == name) {
                return Ok(kind);
            }
            names = step.arguments().map(|(known, _, _)| known).collect();
        } else {
            let message = format!("the action `{}` declares no arguments", input::shortened(action));
            return Err(
                Fault::new(Code::UnknownArgument, message).help("declare it under `actions` or `steps`")
            );
        }
        let message = format!("`{action}` has no argument `{}`", input::shortened(name));
        Err(Fault::new(Code::UnknownArgument, message).help(suggest::known(name, "arguments", names)))
    }

    /// States what a variable, written `State.variable`, would be after the action.
    pub fn set(mut self, path: &str, value: impl Into<Input>) -> Self {
        match assignment(self.vocabulary, path, value.into(), self.source) {
            Ok(assignment) => self.action.0.overlay.push(assignment),
            Err(fault) => return self.fault(fault),
        }
        self
    }

    pub(crate) fn assign(mut self, assignments: impl IntoIterator<Item = Assignment>) -> Self {
        self.action.0.overlay.extend(assignments);
        self
    }

    pub(crate) fn trigger_failed(mut self, why: Option<String>) -> Self {
        self.action.0.trigger_failed = why;
        self
    }

    /// The first declared argument that is not given and may not be left out.
    pub(crate) fn missing(&self) -> Option<String> {
        let given = |name: &str| self.action.0.arguments.get(name).is_some();
        if let Some(id) = self.action.0.critical {
            let state = self.vocabulary.state(self.vocabulary.action(id).arguments());
            let mut variables = state.variables().map(|id| self.vocabulary.variable(id));
            return variables.find(|v| !v.is_optional() && !given(v.name())).map(|v| v.name().to_owned());
        }
        let step = self.vocabulary.find_step(self.action.name())?;
        let mut arguments = step.arguments();
        arguments.find(|(name, _, optional)| !optional && !given(name)).map(|(name, _, _)| name.to_owned())
    }

    /// The action.
    ///
    /// # Errors
    /// A missing or reserved name, unknown arguments, states or variables, values of the wrong type.
    pub fn build(self) -> Result<Action, Fault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        distinct(self.vocabulary, self.action.update())?;
        let mut action = self.action;
        action.order();
        action.0.stated_count = action.0.overlay.len();
        Ok(action)
    }
}
