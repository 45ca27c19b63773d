//! Runs on simulated apps: without faults, with each kind of fault, and with all of them.

use intentgate::engine::limits::Limits;
use intentgate::engine::span::Source;
use intentgate::executor::account::{Account, Outcome};
use intentgate::executor::agent::{Agent, FollowPlan};
use intentgate::executor::device::simulated::{Faults, SimulatedApp};
use intentgate::executor::driver::{Driver, Options};
use intentgate::executor::machine::Phase;
use intentgate::executor::task::{Aim, Task};
use intentgate::planner::{Goal, Model};
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
        let ran = run(&read, &mut FollowPlan::default(), Faults::default(), 1, Options::default());
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
            let ran = run(&read, &mut FollowPlan::default(), faults, seed, Options::default());
            assert!(ran.ledger.len() <= 1, "the reservation is made once: {:?}", ran.ledger);
            shown.push_str(&format!("{name} {seed}: {}{:?}\n\n", ran.account, ran.ledger));
        }
    }
    insta::assert_snapshot!(shown);
}

/// A run that is saved and resumed after every single step comes to the same end.
#[test]
fn saved_and_resumed() {
    let read = RESTAURANT.read();
    let vocabulary = Arc::clone(read.session().vocabulary());
    let faults = Faults { no_change: 20, pop_up: 10, delay: 10, ..Faults::default() };
    for seed in 0..6 {
        let mut device = SimulatedApp::new(read.model.clone(), Arc::clone(&vocabulary), seed).faults(faults);
        let options = |device: &SimulatedApp| Options {
            confirm: Some(Box::new(device.confirm())),
            ..Options::default()
        };
        let task = || Task::new("the task", Aim::Complete);
        let mut agent = FollowPlan::default();
        let first = options(&device);
        let mut driver =
            Driver::new(&mut device, &mut agent, read.session(), read.model.clone(), task(), first).unwrap();
        block_on(driver.step());
        let mut saved = driver.save();
        drop(driver);
        let mut steps = 0;
        let account = loop {
            let text = serde_json::to_string(&saved).unwrap();
            saved = serde_json::from_str(&text).unwrap();
            let session = read.builder().restore(&saved.session).unwrap();
            let again = options(&device);
            let mut agent = FollowPlan::default();
            let mut driver = Driver::resume(&mut device, &mut agent, session, saved, task(), again).unwrap();
            // Past the next action, which is not left half-way.
            let mut decided = false;
            let phase = loop {
                let phase = block_on(driver.step());
                decided |= phase == Phase::Decide;
                if phase == Phase::Finish || decided && matches!(phase, Phase::Plan | Phase::Observe) {
                    break phase;
                }
            };
            steps += 1;
            assert!(steps < 200);
            if phase == Phase::Finish {
                break driver.account();
            }
            saved = driver.save();
        };
        assert_eq!(account.outcome, Outcome::Success, "seed {seed}: {account}");
        assert_eq!(device.ledger().len(), 1);
    }
}

/// A critical action that was begun and not compared stays unknown over a restart.
#[test]
fn saved_in_the_middle_of_a_critical_action() {
    let read = RESTAURANT.read();
    let vocabulary = Arc::clone(read.session().vocabulary());
    let mut device = SimulatedApp::new(read.model.clone(), vocabulary, 1);
    let mut agent = FollowPlan::default();
    let task = || Task::new("the task", Aim::Complete);
    let mut driver =
        Driver::new(&mut device, &mut agent, read.session(), read.model.clone(), task(), Options::default())
            .unwrap();
    let saved = loop {
        let phase = block_on(driver.step());
        let critical = driver.session().unsettled().any(|name| name == "Reserve");
        if phase == Phase::Compare && critical {
            break driver.save();
        }
        assert_ne!(phase, Phase::Finish);
    };
    drop(driver);
    let session = read.builder().restore(&saved.session).unwrap();
    assert_eq!(session.unsettled().collect::<Vec<_>>(), ["Reserve"]);
    let mut agent = FollowPlan::default();
    let mut driver =
        Driver::resume(&mut device, &mut agent, session, saved, task(), Options::default()).unwrap();
    let account = block_on(driver.run());
    assert!(!account.outcome.is_success(), "{account}");
    drop(driver);
    assert_eq!(device.ledger().len(), 1, "it is not done a second time");
}

mod machine {
    use intentgate::executor::machine::{Budgets, Machine, Phase, Signal, Spent};

    fn after(signals: &[Signal]) -> Machine {
        let mut machine = Machine::new(Budgets::default());
        for signal in signals {
            machine.on(*signal).unwrap();
        }
        machine
    }

    const ACTION: [Signal; 6] = [
        Signal::Observed,
        Signal::Located,
        Signal::Planned,
        Signal::Chosen,
        Signal::Allowed,
        Signal::Performed,
    ];

    #[test]
    fn two_failures_in_a_row_ask_for_a_new_plan() {
        let mut machine = after(&ACTION);
        machine.on(Signal::Fail).unwrap();
        assert_eq!((machine.phase(), machine.escalates()), (Phase::Recover, false));
        for signal in [Signal::Retry, Signal::Allowed, Signal::Performed, Signal::NoChange] {
            machine.on(signal).unwrap();
        }
        assert!(machine.escalates());
        assert_eq!(machine.on(Signal::Replan), Ok(Phase::Observe));
        for signal in ACTION.into_iter().chain([Signal::Success]) {
            machine.on(signal).unwrap();
        }
        assert!(!machine.escalates());
        assert_eq!(machine.counters().recovered, 2);
    }

    #[test]
    fn what_nothing_follows_on_ends_the_run() {
        let mut machine = after(&[Signal::Observed]);
        assert!(machine.on(Signal::Allowed).is_err());
        assert_eq!(machine.phase(), Phase::Finish);
    }

    #[test]
    fn every_budget_ends_a_run() {
        let budgets =
            Budgets { steps: 1, failures: 1, blocks: 1, decisions: 1, observations: 1, ..Budgets::default() };
        let goes_on = |first: &[Signal], again: &[Signal]| {
            let mut machine = Machine::new(budgets);
            for signal in first.iter().chain(again.iter().cycle().take(40)) {
                if machine.phase() == Phase::Finish {
                    break;
                }
                machine.on(*signal).unwrap();
            }
            machine.spent()
        };
        let decided = &ACTION[..3];
        assert_eq!(goes_on(&[], &[Signal::Unobservable]), Some(Spent::Observations(1)));
        assert_eq!(goes_on(decided, &[Signal::Unusable]), Some(Spent::Decisions(1)));
        assert_eq!(
            goes_on(decided, &[Signal::Chosen, Signal::Blocked, Signal::Planned]),
            Some(Spent::Blocks(1))
        );
        assert_eq!(
            goes_on(
                decided,
                &[Signal::Chosen, Signal::Allowed, Signal::Performed, Signal::Success, Signal::Planned]
            ),
            Some(Spent::Steps(1))
        );
        assert_eq!(
            goes_on(
                decided,
                &[
                    Signal::Chosen,
                    Signal::Allowed,
                    Signal::NotPerformed,
                    Signal::Retry,
                    Signal::Allowed,
                    Signal::NotPerformed
                ]
            ),
            Some(Spent::Failures(1))
        );
    }
}

/// Whatever a model calls what a user does, a simulated app that shows screens can do it.
#[test]
fn every_kind_of_gesture_is_performed() {
    let events = [
        "back",
        "Go back",
        "home",
        "type \"Hello\"",
        "enter \"{who}\"",
        "swipe \"List\" up",
        "long press \"Row\"",
        "hold \"Row\"",
        "click \"OK\"",
        "tap \"{who}\"",
        "shake it",
        "press back",
    ];
    let read = RESTAURANT.read();
    for event in events {
        let model = serde_json::json!({"app": "Any", "start": "A", "pages": [{"name": "A"}, {"name": "B"}],
            "transitions": [{"from": "A", "event": event, "to": "B"}]});
        let source = Source::new("model.json", model.to_string());
        let model = Model::from_json(&source, &Limits::default()).unwrap();
        let session = read.session();
        let vocabulary = Arc::clone(session.vocabulary());
        let mut device = SimulatedApp::new(model.clone(), vocabulary, 1).screens();
        let goal = Aim::Goal(Goal::Any(vec![model.find_page("B").unwrap()]));
        let (mut agent, task) = (FollowPlan::default(), Task::new("get there", goal));
        let mut driver =
            Driver::new(&mut device, &mut agent, session, model, task, Options::default()).unwrap();
        let account = block_on(driver.run());
        assert_eq!(account.outcome, Outcome::Success, "{event}: {account}");
    }
}
