//! A vocabulary as a type.

use crate::session::SessionBuilder;
use intentgate_engine::schema::Vocabulary;
use std::sync::Arc;

/// Everything an app declares, as a type: what `vocabulary!` makes. It was checked when the program
/// was compiled.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no vocabulary",
    note = "make one with `vocabulary! {{ struct {Self} {{ states: [..], actions: [..] }} }}`"
)]
pub trait App {
    /// The declaration as JSON: what `app.json` holds.
    const DECLARATION: &'static str;

    /// A number that tells declarations apart: specifications are held against the one that they were
    /// checked with.
    const FINGERPRINT: u64;

    /// The vocabulary. There is one for the whole program, made when it is first asked for.
    fn vocabulary() -> &'static Arc<Vocabulary>;

    /// Registers the triggers of its actions and steps.
    fn register(builder: SessionBuilder) -> SessionBuilder;
}
