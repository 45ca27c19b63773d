//! A number with a unit is neither a number nor a length of time.
use intentgate::State;

#[derive(State)]
struct Info {
    #[state(max_age = 60s)]
    price: u32,
    #[state(max_age = 2_0min)]
    stock: u32,
}

fn main() {}
