//! Attributes whose texts have no quotes.
use intentgate::State;

#[derive(State)]
struct Route {
    mode: String,
    #[state(reset_by = Route.mode)]
    minutes: u32,
}

fn main() {}
