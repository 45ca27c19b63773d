//! A newtype whose field doesn't say what it is.
use intentgate::{Input, State, Variable};

use intentgate::engine::diagnostic::Fault;
use intentgate::typed::variable::kind;

struct Euro(i64);

impl Variable for Euro {
    type Kind = kind::Number;
    fn to_input(&self) -> Result<Input, Fault> {
        self.0.to_input()
    }
}

#[derive(State)]
struct Cart {
    total: Euro,
}

fn main() {}
