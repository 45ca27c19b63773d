//! The same state twice, and two that are too alike.
use intentgate::{State, vocabulary};

#[derive(State)]
struct Info {
    name: String,
}

#[derive(State)]
struct INFO {
    name: String,
}

vocabulary! {
    struct App {
        states: [Info, Info, INFO],
    }
}

fn main() {}
