//! What a user wants, as a specification: described for people, and kept within a vocabulary.
//!
//! Knows vocabularies, specifications and, where a sentence is encoded, language models. Must never know
//! app models and plans, and decides nothing: a specification is enforced by the gate.

pub mod describe;
pub mod grammar;
