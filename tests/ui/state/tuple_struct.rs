//! Rules use names.
use intentgate::State;

#[derive(State)]
struct Point(i64, i64);

fn main() {}
