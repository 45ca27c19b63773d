//! States, actions and specifications on types of one's own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking, and say where"
)]

use chrono::{NaiveDate, NaiveTime};
use intentgate::{CriticalAction, Enumeration, Session, State, Step, Verdict, spec, vocabulary};

/// Information about the restaurant you want to reserve
#[derive(State, Debug, PartialEq)]
struct RestaurantInfo {
    name: String,
}

/// reservation details
#[derive(State, Debug, PartialEq)]
struct ReserveInfo {
    date: NaiveDate,
    time: NaiveTime,
    available: Option<bool>,
}

/// reservation result
#[derive(State)]
struct ReserveResult {
    success: bool,
}

/// confirm the reservation
#[derive(CriticalAction, Debug)]
struct Reserve;

vocabulary! {
    /// The restaurant app.
    struct Restaurant {
        states: [RestaurantInfo, ReserveInfo, ReserveResult],
        actions: [Reserve],
    }
}

fn reserve() -> intentgate::Spec {
    spec! { in Restaurant;
        // Reserve restaurant R before 7 PM. If it is not available then, do nothing.
        R1: RestaurantInfo(name = "R") and ReserveInfo(date = today, time < 19:00, available = true) -> Reserve
        R2: Reserve and ReserveResult(success = true) -> Done
        R3: RestaurantInfo(name = "R") and ReserveInfo(date = today, time < 19:00, available != true) -> Done
    }
}

#[test]
fn restaurant() {
    let mut session = Session::builder(reserve()).today("2026-11-21".parse().unwrap()).start().unwrap();
    session.observe(&RestaurantInfo { name: "R".into() }).unwrap();
    session.observe(&ReserveInfo::update().date(session.today()).time("18:00".parse::<NaiveTime>().unwrap())).unwrap();
    let Verdict::Block(refused) = session.propose(Reserve).unwrap() else { panic!() };
    println!("{refused}");
    session.observe(&ReserveInfo::update().available(true)).unwrap();
    let permit = session.propose(Reserve).unwrap().allowed().unwrap();
    let running = session.begin(permit).unwrap().unwrap();
    println!("{:?}", running.arguments());
    session.finish(running, intentgate::Outcome::Done).unwrap();
    session.observe(&ReserveResult { success: true }).unwrap();
    assert!(session.is_done());
    println!("{:?}", session.read::<ReserveInfo>().unwrap());
}
