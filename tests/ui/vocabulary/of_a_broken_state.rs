//! One mistake, one message: the vocabulary and the specification stay silent.
use intentgate::{State, spec, vocabulary};

#[derive(State)]
struct Info {
    names: Vec<String>,
}

vocabulary! {
    struct App {
        states: [Info],
    }
}

pub fn intent() -> intentgate::Spec {
    spec! { in App; Info(name = "a") -> Done }
}

fn main() {}
