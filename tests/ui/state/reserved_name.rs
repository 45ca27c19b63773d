//! `Done` is a head.
use intentgate::State;

#[derive(State)]
struct Done {
    name: String,
}

fn main() {}
