//! One of them would be ignored.
use intentgate::State;

#[derive(State)]
struct Info {
    #[state(rename = "a", rename = "b")]
    name: String,
}

fn main() {}
