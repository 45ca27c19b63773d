//! What counts as done, and what may not be done twice.

use super::*;

#[test]
fn nothing_is_paid_twice() {
    let mut paid = 0;
    let late = |delay| Faults { delay, ..Faults::default() };
    for (faults, seeds) in [(late(15), 0..60), (Faults::each(8), 100..160)] {
        for seed in seeds {
            let session = builder(PAY_BOB).start().unwrap();
            let known = model(PAYMENT);
            let mut device = SimulatedApp::new(known.clone(), vocabulary(), seed).faults(faults).screens();
            let options = Options { confirm: Some(Box::new(device.confirm())), ..Options::default() };
            let mut agent = FollowPlan::default();
            let task = Task::new("pay", Aim::Complete);
            let mut driver = Driver::new(&mut device, &mut agent, session, known, task, options).unwrap();
            let account = block_on(driver.run());
            drop(driver);
            let ledger = device.ledger();
            assert!(ledger.len() <= 1, "seed {seed}: {account}{ledger:?}");
            paid += ledger.len();
        }
    }
    assert!(paid > 60, "{paid}");
}

/// The payment went through, and its receipt never comes.
#[test]
fn without_a_receipt_nothing_is_done_once_more() {
    let spec = "R1: Account(balance > 0) and Pay(amount <= 5) -> Pay\nR2: Account(balance > 0) and Pay(amount > 5) -> Pay\n\
                R3: Pay and Receipt(ok = true) -> Done\n";
    let form = shown(Some("Form"), &["Pay", "History"], rich());
    let mut device = Show::new([form]);
    let mut agent = FollowPlan::default();
    let options = Options { confirm: Some(Box::new(|_, _| Some(true))), ..Options::default() };
    let (session, task) = (builder(spec).start().unwrap(), Task::new("pay", Aim::Complete));
    let known = model(&RECEIPT.replace("\"amount\": 5", "\"amount\": {\"choose\": [5, 6]}"));
    let mut driver = Driver::new(&mut device, &mut agent, session, known, task, options).unwrap();
    let account = block_on(driver.run());
    drop(driver);
    assert_eq!(device.hit, ["Pay"]);
    assert!(account.to_string().contains("it is not performed once more"), "{account}");
}

/// What a step may have changed that came out otherwise is unknown, not what it was before.
#[test]
fn what_failed_leaves_doubt() {
    let spec =
        "R1: Draft(to = \"Bob\") and Pay(to = Draft.to) -> Pay\nR2: Pay and Receipt(ok = true) -> Done\n";
    let fill = |who: &str| {
        let vocabulary = vocabulary();
        let step = Action::named(&vocabulary, &format!("fill {who}")).source(ValueSource::App);
        let (event, gesture) = (format!("fill {who}"), Gesture::Tap(Target::Tag(2)));
        let action = Some(step.set("Draft.to", who).build().unwrap());
        let to = Some("Form".to_owned());
        Decision::Perform(Box::new(Move { event, gesture, action, observes: None, to }))
    };
    let form = shown(Some("Form"), &["Pay", "field"], json!({}));
    let covered = shown(Some("Pop"), &["Not now"], json!({}));
    for before in 2..9 {
        for cover in 1..4 {
            let mut looks = vec![form.clone(); before];
            looks.extend(vec![covered.clone(); cover]);
            looks.push(form.clone());
            let mut device = Show::new(looks);
            let decisions = vec![
                fill("Bob"),
                fill("Eve"),
                fill("Eve"),
                tap(1, Some(pay("Bob", 5))),
                tap(1, Some(pay("Bob", 5))),
            ];
            let (account, _) = run(&mut device, spec, UNKNOWN, decisions);
            let filled: Vec<&str> = account.steps.iter().map(|step| step.event.as_str()).collect();
            let paid = device.hit.iter().any(|hit| hit == "Pay");
            assert!(!(paid && filled.contains(&"fill Eve")), "{before} {cover}: {account}");
        }
    }
}

#[test]
fn old_evidence_is_none() {
    let values = json!({"Account": {"balance": 500}, "Receipt": {"ok": true}});
    let form = shown(Some("Form"), &["Pay", "History"], values);
    let result = shown(Some("Result"), &["Close"], json!({}));
    let mut device = Show::new([form.clone(), form.clone(), form, result]);
    let (account, session) = run(&mut device, ANY, RECEIPT, vec![Decision::Follow]);
    assert_eq!(device.hit, ["Pay"]);
    assert_eq!(account.outcome, Outcome::Unclear { action: "Pay".to_owned() }, "{account}");
    assert!(!session.is_done());
    assert!(account.to_string().contains("nobody can tell whether it was performed"), "{account}");
}

#[test]
fn a_goal_that_comes_by_itself_is_not_done_by_the_agent() {
    let page = |page: &str| Observation { page: Some(page.to_owned()), ..Observation::default() };
    let mut device = Show::new([page("Home"), page("Home"), page("Goal")]);
    device.fails = Some(Performed::No);
    let (known, session) = (model(WAY), builder(ANY).start().unwrap());
    let task = to_goal(&known);
    let mut agent = FollowPlan::default();
    let mut driver = Driver::new(&mut device, &mut agent, session, known, task, Options::default()).unwrap();
    let account = block_on(driver.run());
    assert_eq!(account.outcome, Outcome::HeldBefore, "{account}");
}

/// An old value that is always shown is no sign, however the rest changes.
#[test]
fn what_is_always_shown_proves_nothing() {
    let values = |balance: i64, ok: bool| json!({"Account": {"balance": balance}, "Receipt": {"ok": ok}});
    let known = RECEIPT.replace("\"amount\": 5", "\"amount\": {\"choose\": [5, 6]}");
    // The balance falls with each look, the receipt says no all the time, and the host says that it was paid.
    let looks =
        (0..400).map(|look| shown(Some("Form"), &["Pay", "History"], values(1_000 - look / 4, false)));
    let mut device = Show::new(looks);
    let account = follow(&mut device, ANY, &known, Some(true));
    assert!(device.hit.len() <= 1, "{} {account}", device.hit.len());
    // An old yes on a page that only seems to be the result.
    let form = shown(Some("Form"), &["Pay", "History"], values(500, true));
    let result = shown(Some("Result"), &["Loading"], values(500, true));
    let mut device = Show::new([form.clone(), form.clone(), form, result]);
    device.fails = Some(Performed::Maybe);
    let account = follow(&mut device, ANY, RECEIPT, None);
    assert_eq!(account.outcome, Outcome::Unclear { action: "Pay".to_owned() }, "{account}");
}

/// Where a critical action leads to the wrong page again and again, that page is not the right one in the end.
#[test]
fn an_error_page_is_no_success() {
    let known = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}, {"name": "Result"}, {"name": "Error"}], "transitions": [
        {"from": "Form", "event": "tap \"Pay\"", "to": "Result", "action": "Pay", "arguments": {"to": "Bob", "amount": 5}},
        {"from": "Error", "event": "tap \"Back\"", "to": "Form"}]}"#;
    let spec = "R1: Account(balance > 0) -> Pay\nR2: Pay -> Done\n";
    struct Failing(&'static str, usize);
    impl Device for Failing {
        fn name(&self) -> &str {
            "failing"
        }
        fn observe(&mut self) -> Result<Observation, DeviceError> {
            let button = if self.0 == "Form" { "Pay" } else { "Back" };
            Ok(shown(Some(self.0), &[button], rich()))
        }
        fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
            if !matches!(gesture, Gesture::Wait(_)) {
                self.1 += usize::from(self.0 == "Form");
                self.0 = if self.0 == "Form" { "Error" } else { "Form" };
            }
            Ok(())
        }
    }
    let account = follow(&mut Failing("Form", 0), spec, known, Some(false));
    assert!(!account.outcome.is_success(), "{account}");
    let mut device = Failing("Form", 0);
    let account = follow(&mut device, spec, known, None);
    assert!(!account.outcome.is_success() && device.1 == 1, "{account}");
}

/// A page that leads to itself shows nothing, and what an agent expects of its own doing is no proof.
#[test]
fn nothing_new_is_no_proof() {
    let known = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}], "transitions": [
        {"from": "Form", "event": "tap \"Pay\"", "to": "Form", "action": "Pay", "arguments": {"to": "Bob", "amount": 5}}]}"#;
    let spec = "R1: Account(balance > 0) -> Pay\nR2: Pay -> Done\n";
    let form =
        || Show { fails: Some(Performed::Maybe), ..Show::new([shown(Some("Form"), &["Pay"], rich())]) };
    let unclear = Outcome::Unclear { action: "Pay".to_owned() };
    assert_eq!(follow(&mut form(), spec, known, None).outcome, unclear);
    assert!(!follow(&mut form(), spec, known, Some(false)).outcome.is_success());
    let own = Move {
        event: "pay".to_owned(),
        gesture: Gesture::Tap(Target::Tag(1)),
        action: Some(pay("Bob", 5)),
        observes: None,
        to: Some("Form".to_owned()),
    };
    let (account, _) = run(&mut form(), spec, UNKNOWN, vec![Decision::Perform(Box::new(own))]);
    assert_eq!(account.outcome, unclear, "{account}");
}

#[test]
fn what_covers_a_receipt_is_left() {
    let form = |values| shown(Some("Form"), &["Pay", "History"], values);
    let seen_before = json!({"Account": {"balance": 500}, "Receipt": {"ok": true}});
    let paid = || shown(Some("Result"), &["Close"], json!({"Receipt": {"ok": true}}));
    let cover = || shown(Some("Rate us"), &["Later"], json!({}));
    let unclear = Outcome::Unclear { action: "Pay".to_owned() };
    let run = |below: Observation, form: Observation, told: Option<bool>, known: &str| {
        let mut device = Covered { at: 0, shown: [form, cover(), below], hit: 0 };
        let account = follow(&mut device, ANY, known, told);
        assert!(device.hit <= 1 || told == Some(false), "{account}");
        account
    };
    // The receipt is below.
    let account = run(paid(), form(rich()), None, RECEIPT);
    insta::assert_snapshot!(account);
    assert_eq!(run(paid(), form(rich()), Some(true), RECEIPT).outcome, Outcome::Success);
    // Nothing new is.
    assert_eq!(run(form(rich()), form(rich()), None, RECEIPT).outcome, unclear);
    assert_eq!(run(paid(), form(seen_before), None, RECEIPT).outcome, unclear);
    let owed = run(form(rich()), form(rich()), Some(true), RECEIPT);
    assert!(owed.to_string().contains("not performed once more"), "{owed}");
    // A page alone says nothing: going back may lead to an older one.
    let by_page =
        RECEIPT.replace(r#""observes": {"Receipt": {"ok": {"expect": [true, false]}}}"#, r#""cost": 1"#);
    let spec = "R1: Account(balance > 0) -> Pay\nR2: Pay -> Done\n";
    let mut device = Covered { at: 0, shown: [form(rich()), cover(), paid()], hit: 0 };
    assert_eq!(follow(&mut device, spec, &by_page, None).outcome, unclear);
    // Who can tell says that it was not: it is tried again, and not for ever.
    assert!(!run(form(rich()), form(rich()), Some(false), RECEIPT).outcome.is_success());
}

/// Nothing can be seen after the payment; who can tell says that it was made.
#[test]
fn what_nobody_saw_is_in_the_account() {
    struct Blind(Show);
    impl Device for Blind {
        fn name(&self) -> &str {
            "blind"
        }
        fn observe(&mut self) -> Result<Observation, DeviceError> {
            match self.0.hit.is_empty() {
                true => self.0.observe(),
                false => Err(DeviceError::Failed { reason: "it is dark".into(), performed: Performed::No }),
            }
        }
        fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
            self.0.perform(gesture)
        }
    }
    let mut device = Blind(Show::new([shown(Some("Form"), &["Pay", "History"], rich())]));
    let account = follow(&mut device, ANY, RECEIPT, Some(true));
    insta::assert_snapshot!(account);
}
