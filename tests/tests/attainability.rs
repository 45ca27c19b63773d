//! Can a task that has begun still be completed, and what would have to change?
#![cfg(feature = "z3")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use intentgate::engine::limits::Limits;
use intentgate::engine::span::Source;
use intentgate::session::replay::{Player, trace_clock};
use intentgate::testing::Files;
use intentgate_tests::APP;

const SPEC: &str = r#"
R1: Bill(total <= 100) -> Known
R2: Known and Bill(payee = "R") and Pay(amount <= 100, to = "R", note = "x") -> Pay
R3: Pay and ReserveResult(success = true) -> Done
R4: Pay and ReserveInfo(guests > 8) -> Never
"#;

const RESERVE: &str = r#"
R1: RestaurantInfo(name = "R") and ReserveInfo(date = today, time < 19:00, available = true) -> Reserve
R2: Reserve and ReserveResult(success = true) -> Done
R3: Reserve and Reserve and Bill(total > 5) -> Done
"#;

/// What is said after events.
fn after(spec: &str, events: &[&str]) -> String {
    let files = Files { app: ("app.json", APP), spec: ("spec.intent", spec), policies: &[] };
    let today = "2026-11-21".parse().unwrap();
    let clock = trace_clock(today, chrono_tz::Tz::UTC);
    let session = files.session().today(today).clock(clock.clone()).start().unwrap();
    let mut player = Player::new(session, Some(clock), Limits::default());
    for event in events {
        player.play(&Source::new("event", *event)).unwrap_or_else(|problems| panic!("{problems}"));
    }
    let before = player.session().save();
    let found = player.session().attainability().unwrap();
    assert_eq!(player.session().save(), before, "it was only asked");
    format!("{}\n{found}", events.join("\n"))
}

#[test]
fn nothing_is_known() {
    insta::assert_snapshot!(after(RESERVE, &[]));
}

#[test]
fn the_restaurant_is_full() {
    insta::assert_snapshot!(after(
        RESERVE,
        &[
            r#"{"observe": {"RestaurantInfo": {"name": "R"}}}"#,
            r#"{"observe": {"ReserveInfo": {"date": "2026-11-21", "time": "19:30", "available": false}}}"#,
        ]
    ));
}

#[test]
fn what_is_known_will_do() {
    insta::assert_snapshot!(after(
        RESERVE,
        &[
            r#"{"observe": {"RestaurantInfo": {"name": "R"}}}"#,
            r#"{"observe": {"ReserveInfo": {"date": "2026-11-21", "time": "18:30", "available": true}}}"#,
        ]
    ));
}

#[test]
fn half_way() {
    insta::assert_snapshot!(after(
        RESERVE,
        &[
            r#"{"observe": {"RestaurantInfo": {"name": "R"}}}"#,
            r#"{"observe": {"ReserveInfo": {"date": "2026-11-21", "time": "18:30", "available": true}}}"#,
            r#"{"propose": {"action": "Reserve"}}"#,
            r#"{"observe": {"ReserveResult": {"success": false}}}"#,
        ]
    ));
}

#[test]
fn it_is_complete() {
    insta::assert_snapshot!(after(
        RESERVE,
        &[
            r#"{"observe": {"RestaurantInfo": {"name": "R"}, "ReserveResult": {"success": true}}}"#,
            r#"{"observe": {"ReserveInfo": {"date": "2026-11-21", "time": "18:30", "available": true}}}"#,
            r#"{"propose": {"action": "Reserve"}}"#,
        ]
    ));
}

#[test]
fn an_outcome_is_unknown() {
    insta::assert_snapshot!(after(
        RESERVE,
        &[
            r#"{"observe": {"RestaurantInfo": {"name": "R"}}}"#,
            r#"{"observe": {"ReserveInfo": {"date": "2026-11-21", "time": "18:30", "available": true}}}"#,
            r#"{"propose": {"action": "Reserve", "outcome": "unknown"}}"#,
        ]
    ));
}

#[test]
fn a_milestone_was_achieved_by_what_is_no_longer_so() {
    insta::assert_snapshot!(after(
        SPEC,
        &[
            r#"{"observe": {"Bill": {"total": 80, "payee": "Q"}, "ReserveInfo": {"guests": 9}}}"#,
            r#"{"observe": {"Bill": {"total": 800}}}"#,
        ]
    ));
}

#[test]
fn arguments_stay_what_they_were() {
    let spec = SPEC.replace("Pay and ReserveResult", "Pay and Pay(amount > 50) and ReserveResult");
    insta::assert_snapshot!(after(
        &spec,
        &[
            r#"{"observe": {"Bill": {"total": 80, "payee": "R"}, "ReserveInfo": {"guests": 2}}}"#,
            r#"{"propose": {"action": "Pay", "arguments": {"amount": 40, "to": "R", "note": "x"}}}"#,
        ]
    ));
}
