//! A declaration is one type.
use intentgate::State;

#[derive(State)]
struct Info<T> {
    name: T,
}

fn main() {}
