//! An allowed action allocates nothing, with the record off and its texts interned.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking, and say where"
)]

use intentgate::{Action, Input, Outcome, Verdict};
use intentgate_benches as b;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The allocator counts for the whole process: one test at a time.
static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

#[test]
fn an_allowed_action_allocates_nothing() {
    let _alone = ALONE.lock();
    let (vocabulary, mut session) = b::restaurant();
    let step = |name: &str, time: &str| {
        Action::named(&vocabulary, "pick")
            .set("RestaurantInfo.name", name)
            .set("ReserveInfo.date", "2026-11-21")
            .set("ReserveInfo.time", time)
            .set("ReserveInfo.available", true)
            .build()
            .unwrap()
    };
    let time = |time: &str| b::update(&vocabulary, &[("ReserveInfo.time", Input::from(time))]);
    let updates = [time("18:00"), time("18:30"), time("18:45")];
    // Once through everything, so that texts are interned and lists have grown.
    let mut warm = vec![step("R", "17:00"), step("R", "17:30")];
    let mut measured = vec![b::action(&vocabulary, "Reserve"), step("R", "18:00"), step("R", "18:30")];
    let mut run = |actions: &mut Vec<Action>| {
        while let Some(action) = actions.pop() {
            for update in &updates {
                session.observe(update).unwrap();
            }
            let Verdict::Allow(permit) = session.propose(action).unwrap() else { panic!("refused") };
            let running = session.begin(permit).unwrap().unwrap();
            session.finish(running, Outcome::Done).unwrap();
        }
    };
    run(&mut warm);
    let region = Region::new(ALLOCATOR);
    run(&mut measured);
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
    assert!(session.is_achieved("Reserve"));
}

#[test]
fn bytes_a_rule() {
    let _alone = ALONE.lock();
    let vocabulary = b::vocabulary(&b::many_declared(10_000));
    let specification = b::specification(&b::many_rules(10_000), &vocabulary);
    let region = Region::new(ALLOCATOR);
    let session = b::start(specification);
    let held = region.change().bytes_allocated - region.change().bytes_deallocated;
    let (network, counters, variables) = session.bytes();
    println!(
        "bytes a rule: network {}, counters {}, variables {}, whole session {}",
        network / 10_000,
        counters / 10_000,
        variables / 10_000,
        held / 10_000
    );
    assert!((network + counters) / 10_000 <= 350, "network {network}, counters {counters}");
}
