//! A type without the derive.
use intentgate::vocabulary;

struct Info {
    name: String,
}

vocabulary! {
    struct App {
        states: [Info],
    }
}

fn main() {}
