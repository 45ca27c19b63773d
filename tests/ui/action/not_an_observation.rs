//! A trigger that says nothing.
use intentgate::Step;

use intentgate::session::Facts;

#[derive(Step)]
#[step(trigger = open)]
struct Open {
    name: String,
}

fn open(_: &Open, _: &dyn Facts) -> bool {
    true
}

fn main() {}
