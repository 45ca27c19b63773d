//! Names that are none, or too alike.
use intentgate::State;

#[derive(State)]
#[state(rename = "my info")]
struct Info {
    #[state(rename = "the name")]
    name: String,
    total: u32,
    #[state(rename = "Total")]
    sum: u32,
}

fn main() {}
