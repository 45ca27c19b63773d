//! What resets a variable has to be declared.
use intentgate::{State, vocabulary};

#[derive(State)]
struct Route {
    mode: String,
    #[state(reset_by = "Route.mod")]
    minutes: u32,
}

vocabulary! {
    struct App {
        states: [Route],
    }
}

fn main() {}
