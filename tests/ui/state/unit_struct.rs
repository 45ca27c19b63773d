//! A state without variables.
use intentgate::State;

#[derive(State)]
struct Nothing;

fn main() {}
