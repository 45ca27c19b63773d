//! What borrows can be observed and not be read.
use intentgate::{Session, State};

#[derive(State)]
struct Info<'a> {
    name: &'a str,
}

fn read(session: &Session) {
    let _ = session.read::<Info>();
}

fn main() {}
