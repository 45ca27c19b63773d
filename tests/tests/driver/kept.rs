//! Runs that are saved, resumed, and go through several apps.

use super::*;

/// Kept right before a critical action, a run that goes on after a crash knows that it may have been performed.
#[test]
fn a_crash_in_a_critical_action() {
    let form = shown(Some("Form"), &["Pay", "History"], rich());
    let mut device = Show::new([form]);
    let kept = Arc::new(std::sync::Mutex::new(None));
    let keeps = Arc::clone(&kept);
    let journal = move |saved: &SavedRun| {
        *keeps.lock().unwrap() = Some(serde_json::to_string(saved).unwrap());
        Ok(())
    };
    let task = || Task::new("pay", Aim::Complete);
    let mut agent = FollowPlan::default();
    let options = Options { journal: Some(Box::new(journal)), ..Options::default() };
    let session = builder(ANY).start().unwrap();
    let mut driver = Driver::new(&mut device, &mut agent, session, model(RECEIPT), task(), options).unwrap();
    while driver.phase() != Phase::Compare {
        assert_ne!(block_on(driver.step()), Phase::Finish);
    }
    drop(driver);
    let saved: SavedRun = serde_json::from_str(kept.lock().unwrap().as_ref().unwrap()).unwrap();
    let session = builder(ANY).restore(&saved.session).unwrap();
    assert_eq!(session.unsettled().collect::<Vec<_>>(), ["Pay"]);
    let mut agent = FollowPlan::default();
    let mut driver =
        Driver::resume(&mut device, &mut agent, session, saved, task(), Options::default()).unwrap();
    let account = block_on(driver.run());
    drop(driver);
    assert!(!account.outcome.is_success(), "{account}");
    assert_eq!(device.hit, ["Pay"]);
    // What can't be kept is not done.
    let mut device = Show::new([shown(Some("Form"), &["Pay", "History"], rich())]);
    let mut agent = FollowPlan::default();
    let options =
        Options { journal: Some(Box::new(|_| Err("the disk is full".to_owned()))), ..Options::default() };
    let session = builder(ANY).start().unwrap();
    let mut driver = Driver::new(&mut device, &mut agent, session, model(RECEIPT), task(), options).unwrap();
    let account = block_on(driver.run());
    assert_eq!(driver.session().unsettled().count(), 0);
    drop(driver);
    assert_eq!(device.hit, Vec::<String>::new());
    assert!(account.outcome.to_string().contains("the disk is full"), "{account}");
}

#[test]
fn a_saved_run_is_one_of_its_task() {
    let known = model(WAY);
    let mut device = SimulatedApp::new(known.clone(), vocabulary(), 1);
    let mut agent = FollowPlan::default();
    let session = builder(ANY).start().unwrap();
    let mut driver =
        Driver::new(&mut device, &mut agent, session, known.clone(), to_goal(&known), Options::default())
            .unwrap();
    block_on(driver.run());
    let saved = driver.save();
    drop(driver);
    let session = builder(ANY).restore(&saved.session).unwrap();
    let other = Task::new("pay Eve", Aim::Complete);
    let resumed = Driver::resume(&mut device, &mut agent, session, saved, other, Options::default());
    assert!(resumed.err().unwrap().to_string().contains("another task"));
}

/// A device that shows none of the model's variables.
struct Quiet(SimulatedApp, usize);

impl Device for Quiet {
    fn name(&self) -> &str {
        "quiet"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        Ok(Observation { values: serde_json::Map::new(), ..self.0.observe()? })
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        self.1 += 1;
        self.0.perform(gesture)
    }
}

#[test]
fn a_resumed_run_knows_the_models_variables() {
    let known = model(
        r#"{"app": "Bank", "start": "Home", "pages": [{"name": "Home"}, {"name": "Goal"}],
        "variables": [{"name": "signed", "type": "Boolean", "initial": false}], "transitions": [
        {"from": "Home", "event": "sign in", "guard": "signed = false", "update": "signed = true", "to": "Home"},
        {"from": "Home", "event": "go", "guard": "signed = true", "to": "Goal"}]}"#,
    );
    let mut device = Quiet(SimulatedApp::new(known.clone(), vocabulary(), 1), 0);
    let mut agent = FollowPlan::default();
    let session = builder(ANY).start().unwrap();
    let mut driver =
        Driver::new(&mut device, &mut agent, session, known.clone(), to_goal(&known), Options::default())
            .unwrap();
    while driver.account().steps.is_empty() {
        block_on(driver.step());
    }
    let saved: SavedRun = serde_json::from_str(&serde_json::to_string(&driver.save()).unwrap()).unwrap();
    drop(driver);
    let session = builder(ANY).restore(&saved.session).unwrap();
    let mut agent = FollowPlan::default();
    let mut driver =
        Driver::resume(&mut device, &mut agent, session, saved, to_goal(&known), Options::default()).unwrap();
    let account = block_on(driver.run());
    assert_eq!(account.outcome, Outcome::Success, "{account}");
    drop(driver);
    assert_eq!(device.1, 2, "{account}");
}

/// A mail says what is to be paid, the bank pays it: two apps, a hand-over, and values that are carried along.
#[test]
fn several_apps_in_one_task() {
    let known = model(
        r#"{"start": "Mail", "apps": [
        {"app": "Mail", "start": "Inbox", "pages": [{"name": "Inbox"}, {"name": "Message"}], "transitions": [
            {"from": "Inbox", "event": "open the message", "to": "Message",
             "observes": {"Draft": {"to": {"expect": ["Bob"]}, "amount": {"expect": [30]}}}}]},
        {"app": "Bank", "start": "Form", "pages": [{"name": "Form"}], "transitions": [
            {"from": "Form", "event": "look at the account", "to": "Form", "observes": {"Account": {"balance": {"expect": [500]}}}},
            {"from": "Form", "event": "tap \"Pay\"", "to": "Form", "action": "Pay",
             "arguments": {"to": {"choose": "any"}, "amount": {"choose": "any"}}, "observes": {"Receipt": {"ok": {"expect": [true]}}}}]}],
        "handovers": [{"from": "Mail.Message", "event": "open the bank", "to": "Bank.Form"}]}"#,
    );
    let page = |name: &str| Aim::Goal(Goal::Any(vec![known.find_page(name).unwrap()]));
    let task = Task::new("pay what the mail asks for", page("Mail.Inbox"))
        .then(SubTask::new("read the mail", "it says how much", page("Mail.Message")))
        .then(SubTask::new("pay it", "that is what is asked for", Aim::Complete));
    let mut device = SimulatedApp::new(known.clone(), vocabulary(), 1).screens();
    let options = Options { confirm: Some(Box::new(device.confirm())), ..Options::default() };
    let mut agent = FollowPlan::default();
    let session = builder(PAY_BOB).start().unwrap();
    let mut driver = Driver::new(&mut device, &mut agent, session, known, task, options).unwrap();
    let account = block_on(driver.run());
    drop(driver);
    insta::assert_snapshot!(account);
    assert_eq!(device.ledger().len(), 1);
}

/// What was done before a crash was done for the task.
#[test]
fn what_was_done_before_a_crash_counts() {
    let known = model(RECEIPT);
    let (kept, journal) = std::sync::mpsc::channel();
    let mut device = Show::new([shown(Some("Form"), &["Pay", "History"], rich())]);
    let mut agent = FollowPlan::default();
    let journal_to = move |saved: &SavedRun| kept.send(saved.clone()).map_err(|error| error.to_string());
    let options = Options { journal: Some(Box::new(journal_to)), ..Options::default() };
    let (session, task) = (builder(ANY).start().unwrap(), || Task::new("pay", Aim::Complete));
    let mut driver = Driver::new(&mut device, &mut agent, session, known, task(), options).unwrap();
    block_on(driver.run());
    drop(driver);
    // It crashed right then; the host finds out that it was paid, and the receipt is there.
    let saved = journal.recv().unwrap();
    let mut session = builder(ANY).restore(&saved.session).unwrap();
    session.resolve("Pay", true).unwrap();
    let mut device = Show::new([shown(Some("Result"), &["Close"], json!({"Receipt": {"ok": true}}))]);
    let mut driver =
        Driver::resume(&mut device, &mut agent, session, saved, task(), Options::default()).unwrap();
    let account = block_on(driver.run());
    assert_eq!(account.outcome, Outcome::Success, "{account}");
}
