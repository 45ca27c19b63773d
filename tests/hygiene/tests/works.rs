//! What compiles among shadows works, too.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking, and say where")]

use gate::{App, Gate, Session, State, Verdict};
use intentgate_tests_hygiene::app::{Borrowed, Discard, Look, Owner, Size, Thing, Things};
use intentgate_tests_hygiene::{app, elsewhere, inside};

#[test]
fn sessions_of_another_crate() {
    let mut session = Session::builder(app::discard("x")).policy(elsewhere::never()).start().unwrap();
    session.observe(&Borrowed { from: "me", until: "tomorrow".into() }).unwrap();
    session.observe(&Thing { name: "x".into(), size: Size::Small, weight: None }).unwrap();
    assert!(matches!(session.propose(Discard { name: "y".into() }).unwrap(), Verdict::Block(_)));
    assert!(session.propose(Look { name: "x".into() }).unwrap().allowed().is_ok());
    let owner = Owner { gate: Gate::new(session) };
    assert_eq!(owner.discard(Discard { name: "x".into() }).unwrap(), "x");
    assert!(owner.discard(Discard { name: "x".into() }).is_err());
    assert_eq!(Things::vocabulary().app(), "Things");
    assert_eq!(elsewhere::Others::vocabulary().app(), "Others");
    let mut session = Session::builder(inside()).start().unwrap();
    assert!(session.observe(&Thing::update().size(Size::Large)).unwrap().changed);
}

/// Specifications of this crate, in a vocabulary of another one.
#[test]
fn vocabularies_of_another_crate() {
    let spec = gate::spec! { in Things; Thing(size = {Size::Small}) -> Done };
    assert!(Session::builder(spec).start().is_ok());
    gate::vocabulary! {
        struct Mixed {
            states: [Thing, Borrowed],
        }
    }
    let spec = gate::spec! { in Mixed; Borrowed(from = "me") -> Done };
    assert!(Session::builder(spec).start().is_ok());
}
