//! A union has no variables.
use intentgate::State;

#[derive(State)]
union Bits {
    int: u32,
    float: f32,
}

fn main() {}
