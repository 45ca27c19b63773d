//! Not an enum.
use intentgate::Enumeration;

#[derive(Enumeration)]
struct Kind {
    name: String,
}

fn main() {}
