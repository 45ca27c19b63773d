//! Runs on simulated apps: without faults, with each kind of fault, and with all of them.

use intentgate::executor::account::Account;
use intentgate::executor::agent::{Agent, FollowPlan};
use intentgate::executor::device::simulated::{Faults, SimulatedApp};
use intentgate::executor::driver::{Driver, Options};
use intentgate::executor::task::{Aim, Task};
use intentgate_tests::tasks::{MEETING, RESTAURANT, Read};
use pollster::block_on;
use std::sync::Arc;

/// What comes of a run, and what really happened.
struct Ran {
    account: Account,
    ledger: Vec<String>,
}

fn run(read: &Read, agent: &mut dyn Agent, faults: Faults, seed: u64, options: Options) -> Ran {
    let session = read.session();
    let vocabulary = Arc::clone(session.vocabulary());
    let mut device = SimulatedApp::new(read.model.clone(), vocabulary, seed).faults(faults);
    let task = Task::new("the task", Aim::Complete);
    let options = Options { confirm: Some(Box::new(device.confirm())), ..options };
    let mut driver = Driver::new(&mut device, agent, session, read.model.clone(), task, options).unwrap();
    let account = block_on(driver.run());
    drop(driver);
    let ledger = device.ledger().into_iter().map(|fact| fact.action).collect();
    Ran { account, ledger }
}

#[test]
fn a_run_without_faults() {
    for read in [RESTAURANT.read(), MEETING.read()] {
        let ran = run(&read, &mut FollowPlan, Faults::default(), 1, Options::default());
        insta::assert_snapshot!(format!("{}{:?}\n", ran.account, ran.ledger));
    }
}

#[test]
fn each_fault() {
    let read = RESTAURANT.read();
    let kinds: [(&str, Faults); 7] = [
        ("missing", Faults { missing: 30, ..Faults::default() }),
        ("no change", Faults { no_change: 30, ..Faults::default() }),
        ("other", Faults { other: 30, ..Faults::default() }),
        ("pop-up", Faults { pop_up: 30, ..Faults::default() }),
        ("delay", Faults { delay: 30, ..Faults::default() }),
        ("crash", Faults { crash: 20, ..Faults::default() }),
        ("surprise", Faults { surprise: 50, ..Faults::default() }),
    ];
    let mut shown = String::new();
    for (name, faults) in kinds {
        for seed in 0..3 {
            let ran = run(&read, &mut FollowPlan, faults, seed, Options::default());
            assert!(ran.ledger.len() <= 1, "the reservation is made once: {:?}", ran.ledger);
            shown.push_str(&format!("{name} {seed}: {}{:?}\n\n", ran.account, ran.ledger));
        }
    }
    insta::assert_snapshot!(shown);
}
