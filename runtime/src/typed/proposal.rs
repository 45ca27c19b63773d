//! What can be proposed: actions by name, and types as actions.

use super::{FromVariable, Observation};
use crate::session::{Facts, SessionBuilder, TriggerError};
use crate::{Action, ActionBuilder, Argument, Arguments, Update};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::schema::Vocabulary;

/// What can be proposed to a session: an [`Action`], or a value of a type that derives
/// `CriticalAction` or `Step`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be proposed",
    label = "not an action",
    note = "propose an `Action`, or a value of a type that derives `CriticalAction` or `Step`"
)]
pub trait Proposal: Sized {
    /// What the effect gets, made of the arguments that were judged.
    type Judged;

    /// The action, for a vocabulary.
    ///
    /// # Errors
    /// A vocabulary without it, or in which it is something else; values out of range.
    fn into_action(self, vocabulary: &Vocabulary) -> Result<Action, Fault>;

    /// What the effect gets.
    ///
    /// # Errors
    /// A missing argument; a value that the type of the field doesn't have.
    fn judged(arguments: Arguments) -> Result<Self::Judged, Fault>;
}

impl Proposal for Action {
    type Judged = Arguments;

    fn into_action(self, _: &Vocabulary) -> Result<Action, Fault> {
        Ok(self)
    }

    fn judged(arguments: Arguments) -> Result<Arguments, Fault> {
        Ok(arguments)
    }
}

/// A type that is an action: its fields are the arguments.
pub trait TypedAction: Proposal<Judged = Self> {
    /// The name of the action.
    const NAME: &'static str;

    /// Whether it is a critical action.
    const CRITICAL: bool;

    /// Registers its trigger, if it has one: what computes, before the action runs, the update it would
    /// cause (VeriSafe Agent 4.2.2).
    fn register(builder: SessionBuilder) -> SessionBuilder {
        builder
    }
}

/// What a trigger says: an observation, or why it can't.
pub trait TriggerOutcome {
    /// The update, for a vocabulary.
    ///
    /// # Errors
    /// The trigger's own; values that the vocabulary doesn't take.
    fn into_update(self, vocabulary: &Vocabulary) -> Result<Update, TriggerError>;
}

impl<O: Observation> TriggerOutcome for O {
    fn into_update(self, vocabulary: &Vocabulary) -> Result<Update, TriggerError> {
        Ok(self.to_update(vocabulary)?.into_owned())
    }
}

impl<O: Observation, E: std::fmt::Display> TriggerOutcome for Result<O, E> {
    fn into_update(self, vocabulary: &Vocabulary) -> Result<Update, TriggerError> {
        self.map_err(|error| TriggerError(error.to_string()))?.into_update(vocabulary)
    }
}

/// Registers the trigger of a type.
#[doc(hidden)]
pub fn register<A: TypedAction + 'static, O: TriggerOutcome + 'static>(
    builder: SessionBuilder,
    trigger: fn(&A, &dyn Facts) -> O,
) -> SessionBuilder {
    builder.trigger(A::NAME, move |arguments, facts| {
        let action = A::judged(arguments.clone())?;
        trigger(&action, facts).into_update(facts.vocabulary())
    })
}

/// An action that the app declares irreversible: what `#[derive(CriticalAction)]` implements. Its name
/// is that of the objective it performs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no critical action",
    label = "not a critical action",
    note = "add `#[derive(CriticalAction)]` to `{Self}`"
)]
pub trait CriticalAction: TypedAction {}

/// A declared ordinary action: what `#[derive(Step)]` implements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no step",
    label = "not a step",
    note = "add `#[derive(Step)]` to `{Self}`"
)]
pub trait Step: TypedAction {}

/// Starts a critical action of a type: one that its vocabulary doesn't declare so is blocked.
#[doc(hidden)]
pub fn critical<'v>(vocabulary: &'v Vocabulary, name: &str) -> Result<ActionBuilder<'v>, Fault> {
    Ok(Action::named(vocabulary, name).claimed_critical(vocabulary.find_action(name).is_none()))
}

/// Starts a step of a type, which its vocabulary has to declare.
#[doc(hidden)]
pub fn step<'v>(vocabulary: &'v Vocabulary, name: &str) -> Result<ActionBuilder<'v>, Fault> {
    match vocabulary.find_step(name) {
        Some(_) => Ok(Action::named(vocabulary, name)),
        None => Err(Fault::new(Code::UnknownArgument, format!("the vocabulary declares no step `{name}`"))
            .help("list its type under `steps` of the vocabulary")),
    }
}

impl Arguments {
    /// An argument as a type; what is left out is what the type says of an unknown value.
    ///
    /// # Errors
    /// A missing argument; one that nothing declares; a value that the type doesn't have.
    pub fn typed<T: FromVariable>(&self, name: &str) -> Result<T, Fault> {
        match self.get(name) {
            Some(Argument::Typed(value)) => T::from_value(value),
            Some(Argument::Free(_)) => {
                let message = format!("the argument `{name}` is not declared, so it has no type");
                Err(Fault::new(Code::UnknownArgument, message))
            }
            None => T::unknown().ok_or_else(|| {
                Fault::new(Code::MissingArgument, format!("the argument `{name}` is missing"))
            }),
        }
    }
}
