//! What means nothing is an error.
use intentgate::State;

#[derive(State)]
struct Info {
    name: String,
    #[state(skip, ignore_case)]
    hidden: String,
}

fn main() {}
