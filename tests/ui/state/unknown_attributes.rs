//! Misspelt attributes.
use intentgate::State;

#[derive(State)]
#[state(rename_al = "camelCase")]
struct Info {
    #[state(ignorecase)]
    name: String,
    #[state(optional)]
    price: u32,
}

fn main() {}
