//! A type of one's own that is no enumeration.
use intentgate::{State, vocabulary};

struct Address {
    street: String,
}

#[derive(State)]
struct Info {
    address: Address,
}

vocabulary! {
    struct App {
        states: [Info],
    }
}

fn main() {}
