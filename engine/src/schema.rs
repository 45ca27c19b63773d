//! The vocabulary: everything that an app declares, checked.
//!
//! Knows names, types and attributes. Must never know rules, values observed, or syntax of
//! specifications. A [`Vocabulary`] can only be made from a declaration that passed every check,
//! so holding one proves that its names are unique, well-formed and not alike.

pub mod declare;
pub mod json;

use crate::text::{lookalike, normal};
use crate::value::{Enumerator, Text, Type};
use hashbrown::HashMap;
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The number of a state in its vocabulary. Arguments of critical actions are states, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub(crate) u32);

/// The number of a variable in its vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub(crate) u32);

/// The number of a critical action in its vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub(crate) u32);

impl StateId {
    /// Its place, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl VariableId {
    /// Its place, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ActionId {
    /// Its place, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A named, described group of variables.
#[derive(Debug, Clone)]
pub struct StateSchema {
    pub(crate) name: Text,
    pub(crate) description: String,
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// Variable numbers, sorted by name.
    pub(crate) by_name: Vec<u32>,
    pub(crate) action: Option<ActionId>,
}

impl StateSchema {
    /// Its name.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// What it is, in the app developer's words; may be empty.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The critical action whose arguments it holds, if it does.
    pub fn arguments_of(&self) -> Option<ActionId> {
        self.action
    }

    /// Its variables, in the order of their declaration.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = VariableId> + use<> {
        (self.first..self.first + self.count).map(VariableId)
    }
}

/// The members of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enumeration {
    pub(crate) names: Vec<Text>,
    pub(crate) ordered: bool,
}

impl Enumeration {
    /// The names, in the order of their declaration.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.names.iter().map(Text::as_str)
    }

    /// Whether `<` and its kin are defined.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// The member of that name, after NFC.
    pub fn enumerator(&self, name: &str) -> Option<Enumerator> {
        let name = normal::nfc(name);
        let place = self.names.iter().position(|known| known.as_str() == name)?;
        Some(Enumerator { index: u16::try_from(place).ok()?, name: self.names.get(place)?.clone() })
    }
}

/// The type of a variable, with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariableType {
    /// See [`Type::Text`].
    Text,
    /// See [`Type::Number`].
    Number,
    /// See [`Type::Boolean`].
    Boolean,
    /// See [`Type::Enum`].
    Enum(Arc<Enumeration>),
    /// See [`Type::Date`].
    Date,
    /// See [`Type::Time`].
    Time,
}

impl VariableType {
    /// The bare type.
    pub fn kind(&self) -> Type {
        match self {
            VariableType::Text => Type::Text,
            VariableType::Number => Type::Number,
            VariableType::Boolean => Type::Boolean,
            VariableType::Enum(_) => Type::Enum,
            VariableType::Date => Type::Date,
            VariableType::Time => Type::Time,
        }
    }
}

/// How old a value may grow before it counts as unknown at rule level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxAge {
    /// So many changes of the session (steps of its epoch).
    Epochs(u64),
    /// So much time by the session's clock.
    Time(Duration),
}

/// A typed slot of a state.
#[derive(Debug, Clone)]
pub struct Variable {
    pub(crate) name: Text,
    pub(crate) description: String,
    pub(crate) state: StateId,
    pub(crate) kind: VariableType,
    pub(crate) ignore_case: bool,
    pub(crate) app_only: bool,
    pub(crate) optional: bool,
    pub(crate) max_age: Option<MaxAge>,
    pub(crate) reset_by: Vec<VariableId>,
}

impl Variable {
    /// Its name, without that of its state.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// What it is, in the app developer's words; may be empty.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The state it belongs to.
    pub fn state(&self) -> StateId {
        self.state
    }

    /// Its type.
    pub fn variable_type(&self) -> &VariableType {
        &self.kind
    }

    /// Whether its texts compare without case and spacing.
    pub fn ignores_case(&self) -> bool {
        self.ignore_case
    }

    /// Whether only the app's values count at rule level and for prohibitions.
    pub fn demands_app(&self) -> bool {
        self.app_only
    }

    /// Whether, as an argument, it may be left out of a tool call.
    pub fn is_optional(&self) -> bool {
        self.optional
    }

    /// Its greatest age, if it has one.
    pub fn max_age(&self) -> Option<MaxAge> {
        self.max_age
    }

    /// The variables whose change makes this one unknown.
    pub fn reset_by(&self) -> &[VariableId] {
        &self.reset_by
    }
}

/// An action that the app declares irreversible.
#[derive(Debug, Clone)]
pub struct CriticalAction {
    pub(crate) name: Text,
    pub(crate) description: String,
    pub(crate) state: StateId,
}

impl CriticalAction {
    /// Its name, which is that of the objective it performs and of the state that its arguments are.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// What it does, in the app developer's words; may be empty.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The state that its arguments are.
    pub fn arguments(&self) -> StateId {
        self.state
    }
}

/// A declared ordinary action.
#[derive(Debug, Clone)]
pub struct Step {
    pub(crate) name: Text,
    pub(crate) description: String,
    pub(crate) arguments: Vec<(Text, VariableType, bool)>,
}

impl Step {
    /// Its name; any text.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// What it does, in the app developer's words; may be empty.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Name, type and whether it may be left out, for each argument.
    pub fn arguments(&self) -> impl ExactSizeIterator<Item = (&str, &VariableType, bool)> {
        self.arguments.iter().map(|(name, kind, optional)| (name.as_str(), kind, *optional))
    }
}

/// Everything an app declares.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// Different for every vocabulary that is made in a process.
    pub(crate) identity: u64,
    /// Computed when it is first asked for.
    pub(crate) hash: OnceLock<String>,
    pub(crate) app: String,
    pub(crate) states: Vec<StateSchema>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) actions: Vec<CriticalAction>,
    pub(crate) steps: Vec<Step>,
    pub(crate) closed: bool,
    pub(crate) state_names: HashMap<Text, StateId>,
    /// Bare names and bare skeletons of the critical actions.
    pub(crate) near_names: HashMap<String, ActionId>,
    /// For each variable, those that it resets when it changes.
    pub(crate) resets: HashMap<VariableId, Vec<VariableId>>,
    /// Variables with a greatest age.
    pub(crate) aging: Vec<VariableId>,
}

#[expect(clippy::indexing_slicing, reason = "ids are made by this vocabulary alone and index its own tables")]
impl Vocabulary {
    /// A number that no other vocabulary of this process has: ids are good for their own only.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// The app's name; may be empty.
    pub fn app(&self) -> &str {
        &self.app
    }

    /// Whether an action that is not declared is blocked.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// A state.
    pub fn state(&self, id: StateId) -> &StateSchema {
        &self.states[id.index()]
    }

    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// A critical action.
    pub fn action(&self, id: ActionId) -> &CriticalAction {
        &self.actions[id.index()]
    }

    /// All states, those of arguments after the declared ones.
    pub fn states(&self) -> impl Iterator<Item = (StateId, &StateSchema)> {
        self.states.iter().zip(0..).map(|(state, id)| (StateId(id), state))
    }

    /// All variables.
    pub fn variables(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        self.variables.iter().zip(0..).map(|(variable, id)| (VariableId(id), variable))
    }

    /// All critical actions, in the order of their declaration.
    pub fn actions(&self) -> impl Iterator<Item = (ActionId, &CriticalAction)> {
        self.actions.iter().zip(0..).map(|(action, id)| (ActionId(id), action))
    }

    /// The declared ordinary actions.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The state of that name, after NFC.
    pub fn find_state(&self, name: &str) -> Option<StateId> {
        self.state_names.get(normal::nfc(name).as_ref()).copied()
    }

    /// The critical action of that name, after NFC.
    pub fn find_action(&self, name: &str) -> Option<ActionId> {
        self.state(self.find_state(name)?).action
    }

    /// The declared ordinary action of that name, after NFC.
    pub fn find_step(&self, name: &str) -> Option<&Step> {
        let name = normal::nfc(name);
        self.steps.iter().find(|step| step.name() == name)
    }

    /// The variable of that name in a state, after NFC.
    pub fn find_variable(&self, state: StateId, name: &str) -> Option<VariableId> {
        let name = normal::nfc(name);
        let state = self.state(state);
        let place = state
            .by_name
            .binary_search_by(|id| self.variables[*id as usize].name().cmp(name.as_ref()))
            .ok()?;
        state.by_name.get(place).copied().map(VariableId)
    }

    /// The variable written as `State.variable`.
    pub fn find_path(&self, path: &str) -> Option<VariableId> {
        let (state, variable) = path.split_once('.')?;
        self.find_variable(self.find_state(state)?, variable)
    }

    /// `State.variable`.
    pub fn path(&self, id: VariableId) -> String {
        let variable = self.variable(id);
        format!("{}.{}", self.state(variable.state).name(), variable.name())
    }

    /// The critical action that a name, which is not its name, could be taken for: it differs in case,
    /// spacing, punctuation or characters that look alike only.
    pub fn near_action(&self, name: &str) -> Option<ActionId> {
        near_keys(name).iter().find_map(|key| self.near_names.get(key)).copied()
    }

    /// The variables that a change of this one makes unknown.
    pub fn resets(&self, id: VariableId) -> &[VariableId] {
        self.resets.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The variables with a greatest age.
    pub fn aging(&self) -> &[VariableId] {
        &self.aging
    }

    /// SHA-256 over the canonical JSON form, in lower-case hexadecimal.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| hash(self.to_json().as_bytes()))
    }
}

/// The next number for a vocabulary.
pub(crate) fn next_identity() -> u64 {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
    NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// SHA-256 in lower-case hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The keys under which a name and everything it could be taken for meet.
pub(crate) fn near_keys(name: &str) -> [String; 2] {
    let bare = normal::bare(name);
    let skeleton = normal::bare(&lookalike::skeleton(&normal::fold(&lookalike::skeleton(name))));
    [format!("bare {bare}"), format!("skeleton {skeleton}")]
}
