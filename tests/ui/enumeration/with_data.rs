//! A value is a name.
use intentgate::Enumeration;

#[derive(Enumeration)]
enum Kind {
    Small,
    Sized(u32),
}

fn main() {}
