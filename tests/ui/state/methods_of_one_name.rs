//! Two methods of the update would have one name.
use intentgate::State;

#[derive(State)]
struct Info {
    a: bool,
    forget_a: bool,
}

fn main() {}
