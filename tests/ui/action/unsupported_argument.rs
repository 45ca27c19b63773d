//! As in a state.
use intentgate::{CriticalAction, Step};

#[derive(CriticalAction)]
struct Send {
    to: Vec<String>,
}

#[derive(Step)]
struct Open {
    at: Option<Vec<u8>>,
}

fn main() {}
