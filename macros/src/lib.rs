//! The macros of `intentgate`: derives, vocabularies, specifications, gated functions.
//!
//! Entry points only. Each macro reads its tokens into a model, checks it, and expands it; what it
//! declares or specifies goes through the engine's own readers, so that a program and a file get the
//! same answers. Generated code names nothing but `intentgate::__private` and `core`.
//!
//! Knows the engine's vocabulary, language and checker. Must never know sessions or the solver.
//!
//! # How a macro knows what another one declared
//!
//! A derive emits, beside its impl, a companion: a `macro_rules!` macro of the type's own name that hands
//! out the declaration, as text with the places of the tokens it was made of. `vocabulary!` calls the
//! companions of the types that it lists, one after the other, and `spec!` the one of its vocabulary.
//! `use` of a type imports its companion with it.
#![forbid(unsafe_code)]

mod companion;
mod declare;
mod errors;
mod gated;
mod source_map;
mod spec;
mod vocabulary;

use proc_macro::TokenStream;

/// Declares a state on a struct with named fields: the fields are its variables, the doc comments its
/// descriptions.
///
/// | attribute | on | meaning |
/// | --- | --- | --- |
/// | `rename = "…"` | struct, field | another name in the vocabulary |
/// | `rename_all = "camelCase"` | struct | the case of the names of all fields |
/// | `description = "…"` | struct, field | in place of the doc comment |
/// | `skip` | field | not for rules |
/// | `ignore_case` | field | texts compare without case and spacing |
/// | `source = app` | field | only what the app reports counts |
/// | `max_age = "60s"`, `max_age = 3` | field | how old the value may grow, in time or in changes |
/// | `reset_by = "State.variable"` | field | what makes it unknown when it changes; several in `[…]` |
/// | `type = Number` | field | the type of the variable, for aliases and newtypes |
/// | `crate = path` | struct | where `intentgate` is, if it was renamed |
///
/// An `Option` is a variable that may be unknown.
#[proc_macro_derive(State, attributes(state))]
pub fn derive_state(item: TokenStream) -> TokenStream {
    expand(item, declare::state::expand)
}

/// Declares the values of a variable on an enum without data. A field of a state or an action can be of
/// it.
///
/// Attributes in `#[enumeration(…)]`: `rename_all = "kebab-case"`, `ordered` (then `<` and its kin exist, in
/// the order of the variants) and `crate = path`; on a variant `rename = "…"`.
#[proc_macro_derive(Enumeration, attributes(enumeration))]
pub fn derive_enumeration(item: TokenStream) -> TokenStream {
    expand(item, declare::enumeration::expand)
}

/// Declares a critical action on a struct: it names an objective, and its fields are the arguments that
/// rules see and that the permit hands to the effect. A struct without fields has none.
///
/// Attributes in `#[action(…)]`: those of `State`, and `trigger = function` on the struct: a function
/// `fn(&Self, &dyn Facts) -> impl Observation` (or a `Result` of one) that says, before the action runs,
/// what it would change. An `Option` may be left out of a call.
#[proc_macro_derive(CriticalAction, attributes(action))]
pub fn derive_critical_action(item: TokenStream) -> TokenStream {
    expand(item, declare::action::expand_critical)
}

/// Declares an ordinary action on a struct, as `CriticalAction` does; attributes in `#[step(…)]`.
#[proc_macro_derive(Step, attributes(step))]
pub fn derive_step(item: TokenStream) -> TokenStream {
    expand(item, declare::action::expand_step)
}

/// Puts the gate in front of a function that performs an effect, async or not.
///
/// `#[gated(Action)]` proposes the parameter whose type is the action, and runs the body only under a
/// permit, with what was judged under the same name. The gate is `self.gate`, or the expression of
/// `#[gated(Action, gate = expression)]`: a `Gate` or a `Session`. The function returns a `Result` whose
/// error is `EffectFailure` and `From<GateError>`: a refusal is an error, `Ok` is Done, another error is
/// NotPerformed or Unknown, as it says; unwinding and a dropped future are Unknown. `crate = path` where
/// `intentgate` was renamed.
#[proc_macro_attribute]
pub fn gated(arguments: TokenStream, item: TokenStream) -> TokenStream {
    gated::expand(arguments.into(), item.into()).into()
}

/// The first half of `intentgate::vocabulary!`: reads it and asks the companions.
#[doc(hidden)]
#[proc_macro]
pub fn vocabulary(item: TokenStream) -> TokenStream {
    vocabulary::ask(item.into()).into()
}

/// The second half of `intentgate::vocabulary!`, with what the companions said.
#[doc(hidden)]
#[proc_macro]
pub fn vocabulary_answered(item: TokenStream) -> TokenStream {
    vocabulary::answered(item.into()).into()
}

/// The companion of a type whose fields are enumerations, with what their companions said.
#[doc(hidden)]
#[proc_macro]
pub fn declaration_answered(item: TokenStream) -> TokenStream {
    declare::answered(item.into()).into()
}

/// The first half of `intentgate::spec!` and its kin: reads it and asks the vocabulary's companion.
#[doc(hidden)]
#[proc_macro]
pub fn spec(item: TokenStream) -> TokenStream {
    spec::ask(item.into()).into()
}

/// The second half of `intentgate::spec!` and its kin, with what the companion said.
#[doc(hidden)]
#[proc_macro]
pub fn spec_answered(item: TokenStream) -> TokenStream {
    spec::answered(item.into()).into()
}

fn expand(item: TokenStream, derive: fn(syn::DeriveInput) -> proc_macro2::TokenStream) -> TokenStream {
    match syn::parse(item) {
        Ok(input) => derive(input).into(),
        Err(error) => error.into_compile_error().into(),
    }
}
