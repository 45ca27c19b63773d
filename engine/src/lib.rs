//! The logic core of `intentgate`: vocabulary, language, checker and evaluator.
//!
//! A library without I/O: texts come in, verdict-ready facts come out. It knows no app, device,
//! model or macro. Most programs use the crate `intentgate`, which puts the gate on top of it.
//!
//! # The pipeline
//!
//! ```text
//! span, diagnostic, suggest → text, truth, value → json, schema → syntax (ast) → check → ir → compile → eval
//! ```
//!
//! Two trees: [`syntax::ast`] has places and names as they are written and may be wrong;
//! [`ir`] has ids and cannot be. Only [`check`] knows both.
//!
//! # The smallest program
//!
//! ```
//! use intentgate_engine::{check, limits::Limits, schema::Vocabulary, span::Source};
//! use std::sync::Arc;
//!
//! let limits = Limits::default();
//! let app = Source::new("app.json", r#"{"name": "Room", "description": "a room", "variables": [{"free": "Boolean"}]}"#);
//! let vocabulary = Arc::new(Vocabulary::from_json(&app, &limits)?);
//! let intent = Source::new("room.intent", "Room(fre = true) -> Done");
//! let problems = check::specification(&intent, &vocabulary, &limits).unwrap_err();
//! assert_eq!(problems.items()[0].code().as_str(), "E0302");
//! assert_eq!(problems.items()[0].fault.help, ["did you mean `free`?"]);
//! # Ok::<(), intentgate_engine::diagnostic::Problems>(())
//! ```
//!
//! # What it does not do
//!
//! It decides nothing about actions: verdicts, permits and feedback are the runtime's.
#![forbid(unsafe_code)]

pub mod limits;
pub mod span;

pub mod diagnostic;
pub mod suggest;

pub mod operator;
pub mod text;
pub mod truth;
pub mod value;

pub mod comparison;

pub mod json;
pub mod schema;

pub mod syntax;

pub mod ir;

pub mod check;

pub mod compile;
pub mod input;

pub mod boundary;

pub mod eval;

#[cfg(feature = "z3")]
pub mod analysis;
#[cfg(feature = "z3")]
pub mod solve;
