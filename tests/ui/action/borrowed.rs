//! An action owns its arguments.
use intentgate::CriticalAction;

#[derive(CriticalAction)]
struct Pay<'a> {
    to: &'a str,
}

fn main() {}
