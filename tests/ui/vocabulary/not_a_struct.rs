//! How it begins.
use intentgate::{State, vocabulary};

#[derive(State)]
struct Info {
    name: String,
}

vocabulary![Info];

fn main() {}
