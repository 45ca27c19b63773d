//! stub docs
#![forbid(unsafe_code)]
pub mod truth;
pub mod limits;
pub mod span;
pub mod diagnostic;
pub mod suggest;
pub mod text;
pub mod value;
pub mod json;
pub mod schema;
pub mod syntax;
pub mod ir;
pub mod check;
