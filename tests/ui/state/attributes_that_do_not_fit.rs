//! What the vocabulary says of attributes.
use intentgate::State;

#[derive(State)]
struct Info {
    #[state(ignore_case)]
    price: u32,
    #[state(max_age = "soon")]
    stock: u32,
    #[state(source = user)]
    name: String,
}

fn main() {}
