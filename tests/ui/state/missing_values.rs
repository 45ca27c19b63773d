//! Attributes without their values, and with one too many.
use intentgate::State;

#[derive(State)]
struct Info {
    #[state(rename)]
    name: String,
    #[state(max_age)]
    price: u32,
    #[state(skip = true)]
    hidden: u32,
    #[state]
    other: u32,
}

fn main() {}
