//! A key that there is not.
use intentgate::{State, vocabulary};

#[derive(State)]
struct Info {
    name: String,
}

vocabulary! {
    struct App {
        state: [Info],
    }
}

fn main() {}
