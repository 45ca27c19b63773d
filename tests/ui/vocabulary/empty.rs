//! Nothing declared.
use intentgate::vocabulary;

vocabulary! {
    struct App {
        states: [],
    }
}

fn main() {}
