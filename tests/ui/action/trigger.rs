//! A trigger of another signature.
use intentgate::{Step, Update};

#[derive(Step)]
#[step(trigger = open)]
struct Open {
    name: String,
}

fn open(step: Open) -> Update {
    let _ = step.name;
    unimplemented!()
}

fn main() {}
