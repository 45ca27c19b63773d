//! A state can't be proposed.
include!("../app.rs");
use intentgate::Session;

pub fn agent(session: &mut Session, account: Account) {
    let _ = session.propose(account);
}

fn main() {}
