//! It is good for one execution.
include!("../app.rs");
use intentgate::{Permit, Session};

pub fn pay(session: &mut Session, permit: Permit<Pay>) {
    let first = session.begin(permit);
    let second = session.begin(permit);
    let _ = (first, second);
}

fn main() {}
