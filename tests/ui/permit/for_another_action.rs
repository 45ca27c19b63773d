//! A permit to cancel is none to pay.
include!("../app.rs");
use intentgate::{Permit, Session, Verdict};

fn pay(_: Permit<Pay>) {}

pub fn agent(session: &mut Session) {
    if let Ok(Verdict::Allow(permit)) = session.propose(Cancel) {
        pay(permit);
    }
}

fn main() {}
