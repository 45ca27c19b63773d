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

/// Declares a state; see `intentgate::State`.
#[proc_macro_derive(State, attributes(state))]
pub fn derive_state(item: TokenStream) -> TokenStream {
    expand(item, declare::state::expand)
}

/// Declares the values of a variable; see `intentgate::Enumeration`.
#[proc_macro_derive(Enumeration, attributes(enumeration))]
pub fn derive_enumeration(item: TokenStream) -> TokenStream {
    expand(item, declare::enumeration::expand)
}

/// Declares a critical action; see `intentgate::CriticalAction`.
#[proc_macro_derive(CriticalAction, attributes(action))]
pub fn derive_critical_action(item: TokenStream) -> TokenStream {
    expand(item, declare::action::expand_critical)
}

/// Declares an ordinary action; see `intentgate::Step`.
#[proc_macro_derive(Step, attributes(step))]
pub fn derive_step(item: TokenStream) -> TokenStream {
    expand(item, declare::action::expand_step)
}

/// Puts the gate in front of a function; see `intentgate::gated`.
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
