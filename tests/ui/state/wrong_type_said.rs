//! The compiler holds the type against what the field says.
use intentgate::State;

type Name = String;

#[derive(State)]
struct Info {
    #[state(type = Number)]
    name: Name,
}

fn main() {}
