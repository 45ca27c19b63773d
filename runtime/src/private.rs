//! Every name that generated code may use. Nothing here is for people.

pub use crate::gate::handle::leave;
pub use crate::typed::operand;
pub use crate::typed::proposal::{critical, register, step};
pub use crate::typed::spec::{Written, declared};
pub use crate::typed::variable::{enumerator, input, kind, optional_enumerator};
pub use crate::typed::{
    Absent, App, CriticalAction, Enumeration, Fields, FromState, FromVariable, Known, Observation, Proposal,
    Spec, State, Step, TypedAction, Variable,
};
pub use crate::{Action, Arguments, Input, SessionBuilder, Update};
pub use intentgate_engine::compile::bind::Given;
pub use intentgate_engine::diagnostic::Fault;
pub use intentgate_engine::schema::Vocabulary;
pub use intentgate_engine::value::Value;
pub use intentgate_macros::{declaration_answered, spec, spec_answered, vocabulary, vocabulary_answered};
pub use std::borrow::Cow;
pub use std::sync::{Arc, OnceLock};

/// Holds the vocabulary that a specification was checked with against the type of that name: a name can
/// be that of a type and of another type's macro.
#[expect(clippy::panic, reason = "it runs in the compiler, and is its error")]
pub const fn same_vocabulary(used: u64, checked: u64) {
    if used != checked {
        panic!(
            "this name stands for one vocabulary as a type, and for another one as a macro: import both with `use`"
        );
    }
}

/// A value of an enumeration, for a parameter.
pub fn named(name: &str) -> Given {
    Given::Spelled(name.to_owned())
}

/// A type that declares something.
#[diagnostic::on_unimplemented(
    message = "`{Self}` declares nothing",
    label = "has no derive",
    note = "add `#[derive(State)]` to `{Self}`, or for an action `#[derive(CriticalAction)]` or `#[derive(Step)]`"
)]
pub trait Declared {}

/// Holds a type of a vocabulary's list against what it should be.
pub fn declared_type<T: Declared>() {}

/// In the place of a specification that is wrong, which is reported beside it.
#[expect(clippy::unreachable, reason = "it stands beside a compile error")]
pub fn unwritten() -> Spec {
    unreachable!("this did not compile")
}
