//! Each kind has a list.
use intentgate::{CriticalAction, Enumeration, State, Step, vocabulary};

#[derive(State)]
struct Info {
    name: String,
}

#[derive(CriticalAction)]
struct Pay;

#[derive(Step)]
struct Open;

#[derive(Enumeration)]
enum Kind {
    A,
}

vocabulary! {
    struct App {
        states: [Info, Pay, Kind],
        actions: [Open],
    }
}

fn main() {}
