//! The other derive was meant.
use intentgate::State;

#[derive(State)]
enum Kind {
    Small,
    Large,
}

fn main() {}
