//! Attributes with values that they don't take.
use intentgate::State;

#[derive(State)]
#[state(rename_all = "camelcase")]
struct Info {
    #[state(rename = name)]
    name: String,
    #[state(max_age = 1.5)]
    price: u32,
}

fn main() {}
