//! Runs that were cut off in the middle of something, and go on.

use super::*;
use intentgate::executor::locate::{Labeller, Labelling};
use intentgate::planner::Call;
use std::future::pending;
use std::task::{Context, Poll, Waker};

/// As it is read from where it was kept.
fn again(saved: &SavedRun) -> SavedRun {
    serde_json::from_str(&serde_json::to_string(saved).unwrap()).unwrap()
}

/// A run that crashes right after its first critical action, goes on with the journal when the host has found out
/// whether it was performed, and ends.
fn crashed(device: &mut dyn Device, known: &str, task: &Task, performed: bool) -> (Account, Session) {
    let (kept, journal) = std::sync::mpsc::channel();
    let keep: Journal<'_> =
        Box::new(move |saved| kept.send(saved.clone()).map_err(|error| error.to_string()));
    let options = Options { journal: Some(keep), ..Options::default() };
    let (mut agent, session) = (FollowPlan::default(), builder(ANY).start().unwrap());
    let mut driver = Driver::new(device, &mut agent, session, model(known), task.clone(), options).unwrap();
    while driver.phase() != Phase::Compare {
        assert_ne!(block_on(driver.step()), Phase::Finish);
    }
    drop(driver);
    let saved = again(&journal.recv().unwrap());
    let mut session = builder(ANY).restore(&saved.session).unwrap();
    session.resolve("Pay", performed).unwrap();
    let mut agent = FollowPlan::default();
    let mut driver =
        Driver::resume(device, &mut agent, session, saved, task.clone(), Options::default()).unwrap();
    block_on(driver.run());
    let (account, session, _) = driver.into_parts();
    (account, session)
}

/// The first payment shows nothing; the second a receipt.
fn second_shows(hit: &[String], _: usize) -> Observation {
    match hit.iter().filter(|hit| *hit == "Pay").count() {
        0 | 1 => {
            shown(Some("Form"), &["Pay", "History"], json!({"Account": {"balance": 500 - 5 * hit.len()}}))
        }
        _ => shown(Some("Result"), &["Close"], json!({"Receipt": {"ok": true}})),
    }
}

#[test]
fn what_was_paid_before_a_crash_is_not_paid_again() {
    let task = Task::new("pay", Aim::Complete);
    for (performed, paid) in [(true, 1), (false, 2)] {
        let mut device = Reacts::new(second_shows);
        let (account, session) = crashed(&mut device, RECEIPT, &task, performed);
        assert_eq!(device.hit, vec!["Pay"; paid], "{account}");
        assert!(session.is_achieved("Pay"));
        assert_eq!(account.outcome.is_success(), !performed, "{account}");
        // Each of them is in the account, and counted.
        let told: Vec<bool> = account.steps.iter().map(|step| step.critical).collect();
        assert_eq!(told, vec![true; paid], "{account}");
        assert_eq!(account.counters.steps as usize, paid);
        let first = account.steps[0].because.as_deref().unwrap();
        let said =
            if performed { "it was performed, says the host" } else { "it was not performed, says the host" };
        assert!(first.contains(said), "{account}");
    }
}

#[test]
fn a_function_that_was_performed_before_a_crash_counts() {
    let known =
        RECEIPT.replace("\"start\"", r#""functions": [{"name": "pay", "description": "pay"}], "start""#);
    let known = known.replace("\"action\": \"Pay\"", "\"function\": \"pay\", \"action\": \"Pay\"");
    let task = Task::new("pay once", Aim::Goal(Goal::Functions(vec![Call::new("pay")])));
    for (performed, paid) in [(true, 1), (false, 2)] {
        let mut device = Reacts::new(second_shows);
        let (account, _) = crashed(&mut device, &known, &task, performed);
        assert_eq!(account.outcome, Outcome::Success, "{account}");
        assert_eq!(device.hit, vec!["Pay"; paid]);
    }
}

/// What a run saw while it failed is no more evidence after it was resumed than before.
#[test]
fn where_actions_led_in_a_run_that_was_saved_is_no_evidence() {
    let known = r#"{"app": "Bank", "functions": [{"name": "save", "description": "save"}], "start": "Edit",
        "pages": [{"name": "Edit"}, {"name": "List"}, {"name": "Error"}], "transitions": [
        {"from": "Edit", "event": "tap \"Save\"", "to": "List", "function": "save"},
        {"from": "Error", "event": "tap \"Close\"", "to": "Edit"}]}"#;
    let task = || Task::new("save", Aim::Goal(Goal::Functions(vec![Call::new("save")])));
    for failures in [0, 1, 3] {
        let mut device = Reacts::new(|hit, _| match last(hit) {
            "Save" => shown(Some("Error"), &["Close"], rich()),
            _ => shown(Some("Edit"), &["Save"], rich()),
        });
        let (mut agent, session) = (FollowPlan::default(), builder(ANY).start().unwrap());
        let options = Options::default();
        let mut driver =
            Driver::new(&mut device, &mut agent, session, model(known), task(), options).unwrap();
        while driver.account().counters.failures < failures {
            assert_ne!(block_on(driver.step()), Phase::Finish);
        }
        let saved = again(&driver.save());
        drop(driver);
        let session = builder(ANY).restore(&saved.session).unwrap();
        let mut agent = FollowPlan::default();
        let options = Options::default();
        let mut driver = Driver::resume(&mut device, &mut agent, session, saved, task(), options).unwrap();
        let account = block_on(driver.run());
        assert!(!account.outcome.is_success(), "{failures}: {account}");
    }
}

/// What a resumed run may take is what is said then; what it has taken counts.
#[test]
fn budgets_are_those_of_the_one_who_resumes() {
    let known = model(
        r#"{"app": "Bank", "start": "P0", "pages": [{"name": "P0"}, {"name": "P1"}, {"name": "P2"}, {"name": "P3"}], "transitions": [
        {"from": "P0", "event": "tap \"Go\"", "to": "P1"}, {"from": "P1", "event": "tap \"Go\"", "to": "P2"},
        {"from": "P2", "event": "tap \"Go\"", "to": "P3"}]}"#,
    );
    let of = |steps| Options { budgets: Budgets { steps, ..Budgets::default() }, ..Options::default() };
    for (before, after, hits) in [(100, 0, 1), (100, 1, 1), (100, 2, 2), (1, 2, 2), (1, 100, 3)] {
        let page = |hit: &[String]| shown(Some(&format!("P{}", hit.len())), &["Go"], json!({}));
        let mut device = Reacts::new(|hit, _| page(hit));
        let (mut agent, task) = (FollowPlan::default(), to_page(&known, "P3"));
        let session = builder(ANY).start().unwrap();
        let mut driver =
            Driver::new(&mut device, &mut agent, session, known.clone(), task.clone(), of(before)).unwrap();
        while driver.account().steps.is_empty() {
            block_on(driver.step());
        }
        let saved = again(&driver.save());
        drop(driver);
        let session = builder(ANY).restore(&saved.session).unwrap();
        let mut driver = Driver::resume(&mut device, &mut agent, session, saved, task, of(after)).unwrap();
        let account = block_on(driver.run());
        drop(driver);
        assert_eq!(device.hit.len(), hits, "{before} {after}: {account}");
        assert_eq!(account.outcome.is_success(), hits == 3, "{account}");
        assert_eq!(account.counters.steps as usize, hits);
    }
}

/// Names screens by their buttons; the first that is not the start it thinks about for ever.
struct Hangs(bool);

impl Labeller for Hangs {
    fn label<'a>(&'a mut self, screen: &'a Screen, _: &'a [&'a str]) -> Labelling<'a> {
        let start = screen.elements().any(|(_, element)| ["Pay", "Go"].contains(&element.text.as_str()));
        let hangs = !start && std::mem::take(&mut self.0);
        Box::pin(async move {
            if hangs {
                pending::<()>().await;
            }
            Ok(if start { "Start" } else { "Goal" }.to_owned())
        })
    }
}

/// A host that waits no longer drops the future, and goes on with the same driver.
#[test]
fn a_run_goes_on_after_it_was_waited_for_no_longer() {
    let known = |transition: &str| {
        model(&format!(
            r#"{{"app": "Bank", "start": "Start", "pages": [{{"name": "Start"}}, {{"name": "Goal"}}], "transitions": [{transition}]}}"#
        ))
    };
    let go = r#"{"from": "Start", "event": "tap \"Go\"", "to": "Goal"}"#;
    let pay = r#"{"from": "Start", "event": "tap \"Pay\"", "to": "Goal", "action": "Pay", "arguments": {"to": "Bob", "amount": 5},
        "observes": {"Receipt": {"ok": {"expect": [true]}}}}"#;
    let unclear = Outcome::Unclear { action: "Pay".to_owned() };
    let ordinary = known(go);
    let goal = to_goal(&ordinary);
    let cases = [
        (known(pay), Task::new("pay", Aim::Complete), unclear, vec!["Pay"]),
        (ordinary, goal, Outcome::Success, vec![]),
    ];
    for (known, task, outcome, unsettled) in cases {
        let mut device = Reacts::new(|hit, _| match hit {
            [] => untitled("Form", &["Pay", "Go"]),
            _ => untitled("Text", &["Later", "Help"]),
        });
        let mut agent = FollowPlan::default();
        let options = Options { labeller: Some(Box::new(Hangs(true))), ..Options::default() };
        let session = builder(ANY).start().unwrap();
        let mut driver = Driver::new(&mut device, &mut agent, session, known, task, options).unwrap();
        let mut waited = Box::pin(driver.run());
        let mut context = Context::from_waker(Waker::noop());
        assert!(matches!(waited.as_mut().poll(&mut context), Poll::Pending));
        drop(waited);
        assert_eq!(driver.phase(), Phase::Compare);
        let account = block_on(driver.run());
        assert_eq!(account.outcome, outcome, "{account}");
        assert_eq!(account.steps.len(), 1, "{account}");
        assert_eq!(driver.session().unsettled().collect::<Vec<_>>(), unsettled);
        drop(driver);
        assert_eq!(device.hit.len(), 1);
    }
}
