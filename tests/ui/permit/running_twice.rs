//! What has begun is finished once.
include!("../app.rs");
use intentgate::{Outcome, Permit, Session};

pub fn pay(session: &mut Session, permit: Permit<Pay>) {
    if let Ok(Ok(running)) = session.begin(permit) {
        let _ = session.finish(running, Outcome::NotPerformed);
        let _ = session.finish(running, Outcome::Done);
    }
}

fn main() {}
