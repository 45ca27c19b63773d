//! What a driver must not be brought to do: by screens that change, gestures that mean something else, devices that
//! fail half-way, runs that are saved and resumed, and evidence that is old.

use intentgate::engine::check;
use intentgate::engine::eval::ValueSource;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::executor::account::{Account, Outcome};
use intentgate::executor::agent::{
    Agent, AgentError, Briefing, Deciding, Decision, FollowPlan, Move, Scripted,
};
use intentgate::executor::device::simulated::{Faults, SimulatedApp};
use intentgate::executor::device::{Device, DeviceError, Gesture, Observation, Performed, Target};
use intentgate::executor::driver::{Confirm, Driver, Options, SavedRun};
use intentgate::executor::machine::{Budgets, Phase};
use intentgate::executor::screen::{Bounds, Element, Screen, Selector};
use intentgate::executor::task::{Aim, SubTask, Task};
use intentgate::planner::{Goal, Model};
use intentgate::{Action, Session};
use pollster::block_on;
use serde_json::json;
use std::sync::{Arc, OnceLock};

const BANK: &str = r#"{"app": "Bank", "states": [
    {"name": "Draft", "variables": [{"to": "Text"}, {"amount": "Number"}]},
    {"name": "Account", "variables": [{"name": "balance", "type": "Number", "source": "app"}]},
    {"name": "Receipt", "variables": [{"ok": "Boolean"}]}],
  "actions": [{"name": "Pay", "description": "pay", "arguments": [{"to": "Text"}, {"amount": "Number"}]},
    {"name": "Delete", "description": "delete the account"}]}"#;
const ANY: &str = "R1: Account(balance > 0) -> Pay\nR2: Pay and Receipt(ok = true) -> Done\n";
const UNKNOWN: &str = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}], "transitions": []}"#;
/// An app that can really pay, and what is to be paid.
const PAYMENT: &str = r#"{"app": "Bank", "start": "Home",
  "pages": [{"name": "Home"}, {"name": "Form"}, {"name": "Result"}, {"name": "Settings"}],
  "transitions": [
    {"from": "Home", "event": "tap \"New payment\"", "to": "Form", "observes": {"Account": {"balance": {"expect": [500, 20]}}}},
    {"from": "Home", "event": "tap \"Settings\"", "to": "Settings"},
    {"from": "Settings", "event": "go back", "to": "Home"},
    {"from": "Settings", "event": "tap \"OK\"", "to": "Home", "action": "Delete"},
    {"from": "Form", "event": "fill in {to}, {amount}", "to": "Form", "causes": {"Draft": {"to": {"choose": "any"}, "amount": {"choose": "any"}}}},
    {"from": "Form", "event": "tap \"Pay\"", "to": "Result", "action": "Pay", "arguments": {"to": {"choose": "any"}, "amount": {"choose": "any"}},
     "observes": {"Receipt": {"ok": {"expect": [true, false]}}}},
    {"from": "Form", "event": "go back", "to": "Home"},
    {"from": "Result", "event": "go back", "to": "Home"}]}"#;
const PAY_BOB: &str = "R1: Draft(to = \"Bob\", amount <= 50) and Account(balance > 100) and Pay(to = Draft.to, amount = Draft.amount) -> Pay\nR2: Pay and Receipt(ok = true) -> Done\n";
/// A form with a button that pays, and one that leads to the same page.
const RECEIPT: &str = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}, {"name": "Result"}], "transitions": [
    {"from": "Form", "event": "tap \"Pay\"", "to": "Result", "action": "Pay", "arguments": {"to": "Bob", "amount": 5},
     "observes": {"Receipt": {"ok": {"expect": [true, false]}}}},
    {"from": "Form", "event": "tap \"History\"", "to": "Result"}]}"#;

fn vocabulary() -> Arc<Vocabulary> {
    static BANKS: OnceLock<Arc<Vocabulary>> = OnceLock::new();
    let read = || Vocabulary::from_json(&Source::new("app.json", BANK), &Limits::default()).unwrap();
    Arc::clone(BANKS.get_or_init(|| Arc::new(read())))
}

fn builder(spec: &str) -> intentgate::SessionBuilder {
    let source = Source::new("task.intent", spec);
    Session::builder(check::specification(&source, &vocabulary(), &Limits::default()).unwrap().specification)
}

fn model(text: &str) -> Model {
    Model::from_json(&Source::new("model.json", text), &Limits::default()).unwrap()
}

fn pay(to: &str, amount: i64) -> Action {
    Action::named(&vocabulary(), "Pay").argument("to", to).argument("amount", amount).build().unwrap()
}

fn screen(activity: &str, elements: impl IntoIterator<Item = Element>) -> Screen {
    let all = [Element::new("android.widget.FrameLayout")].into_iter().chain(elements).collect();
    let mut screen = Screen::new(all).unwrap();
    (screen.package, screen.activity) = (Some("bank".into()), Some(activity.into()));
    screen
}

fn button(text: &str, place: usize) -> Element {
    let mut element = Element::new("android.widget.Button");
    element.text = text.to_owned();
    element.flags.clickable = true;
    let top = i32::try_from(place * 100).unwrap();
    element.bounds = Some(Bounds { left: 0, top, right: 100, bottom: top + 100 });
    element
}

/// A page with buttons, one below the other.
fn shown(page: Option<&str>, buttons: &[&str], values: serde_json::Value) -> Observation {
    let buttons = buttons.iter().enumerate().map(|(place, text)| button(text, place));
    Observation {
        screen: Some(screen("Form", buttons)),
        page: page.map(str::to_owned),
        values: values.as_object().unwrap().clone(),
    }
}

/// Shows what it is told to, one look after the other, the last for ever; and keeps what was really hit.
struct Show {
    looks: Vec<Observation>,
    look: usize,
    hit: Vec<String>,
    /// How what is performed ends.
    fails: Option<Performed>,
}

impl Show {
    fn new(looks: impl IntoIterator<Item = Observation>) -> Show {
        Show { looks: looks.into_iter().collect(), look: 0, hit: Vec::new(), fails: None }
    }

    fn at(&self, look: usize) -> &Observation {
        &self.looks[look.min(self.looks.len() - 1)]
    }
}

impl Device for Show {
    fn name(&self) -> &str {
        "show"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        let now = self.at(self.look).clone();
        self.look += 1;
        Ok(now)
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        if matches!(gesture, Gesture::Wait(_)) {
            return Ok(());
        }
        // Tags are those of the last look; names are looked up on what is there by now.
        let (last, now) =
            (self.at(self.look.saturating_sub(1)).screen.as_ref(), self.at(self.look).screen.as_ref());
        let hit = match gesture {
            Gesture::Tap(Target::Tag(tag)) => last.unwrap().get(last.unwrap().tagged().get(*tag).unwrap()),
            Gesture::Tap(Target::Element(selector)) => now.unwrap().get(now.unwrap().find(selector)?),
            _ => None,
        };
        self.hit.push(hit.map_or_else(|| format!("{gesture:?}"), |element| element.text.clone()));
        match self.fails {
            None => Ok(()),
            Some(performed) => Err(DeviceError::Failed { reason: "it is late".into(), performed }),
        }
    }
}

fn tap(tag: u32, action: Option<Action>) -> Decision {
    perform("tap it", Gesture::Tap(Target::Tag(tag)), action)
}

fn perform(event: &str, gesture: Gesture, action: Option<Action>) -> Decision {
    let event = event.to_owned();
    Decision::Perform(Box::new(Move { event, gesture, action, observes: None, to: None }))
}

/// Runs a script on a device.
fn run(device: &mut dyn Device, spec: &str, known: &str, decisions: Vec<Decision>) -> (Account, Session) {
    let mut agent = Scripted::new(decisions);
    let (session, task) = (builder(spec).start().unwrap(), Task::new("the task", Aim::Complete));
    let mut driver =
        Driver::new(device, &mut agent, session, model(known), task, Options::default()).unwrap();
    block_on(driver.run());
    let (account, session, _) = driver.into_parts();
    (account, session)
}

fn rich() -> serde_json::Value {
    json!({"Account": {"balance": 500}})
}

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

#[test]
fn what_is_touched_is_what_was_decided_on() {
    // Two buttons change places.
    let (before, after) = (shown(None, &["Pay", "Delete"], rich()), shown(None, &["Delete", "Pay"], rich()));
    let mut device = Show::new([before.clone(), after.clone()]);
    run(&mut device, ANY, UNKNOWN, vec![tap(1, Some(pay("Bob", 5)))]);
    assert_eq!(device.hit, Vec::<String>::new());
    // So they do for an ordinary step.
    let (before, after) = (shown(None, &["Help", "Pay"], rich()), shown(None, &["Pay", "Help"], rich()));
    let mut device = Show::new([before, after]);
    run(&mut device, ANY, UNKNOWN, vec![tap(1, None)]);
    assert_eq!(device.hit, Vec::<String>::new());
    // A dialog changes what its button says.
    let dialog = |text: &str| {
        let mut button = button(text, 0);
        button.resource_id = "android:id/button1".to_owned();
        Observation { screen: Some(screen("Form", [button])), ..Observation::default() }
    };
    let by_name = Gesture::Tap(Target::Element(Selector::resource_id("android:id/button1")));
    let mut device = Show::new([dialog("OK"), dialog("Pay 500 to Eve")]);
    run(&mut device, ANY, UNKNOWN, vec![perform("tap OK", by_name, None)]);
    assert_eq!(device.hit, Vec::<String>::new());
    // The button stays, and what stands beside it doesn't.
    let asked = |amount: &str| shown(None, &["Pay", amount], rich());
    let mut device = Show::new([asked("5 to Bob"), asked("500 to Eve")]);
    run(&mut device, ANY, UNKNOWN, vec![tap(1, Some(pay("Bob", 5)))]);
    assert_eq!(device.hit, Vec::<String>::new());
    // Where nothing changes, it is done.
    let mut device = Show::new([asked("5 to Bob")]);
    run(&mut device, ANY, UNKNOWN, vec![tap(1, Some(pay("Bob", 5)))]);
    assert_eq!(device.hit, ["Pay"]);
}

#[test]
fn texts_that_change_by_themselves_can_be_named() {
    let looks = (0..9).map(|second| {
        let mut clock = button(&format!("19:00:0{second}"), 1);
        clock.resource_id = "bank:id/clock".to_owned();
        let screen = Some(screen("Form", [button("Pay", 0), clock]));
        Observation { screen, values: rich().as_object().unwrap().clone(), ..Observation::default() }
    });
    let looks: Vec<Observation> = looks.collect();
    for volatile in [vec![], vec![Selector::resource_id("bank:id/clock")], vec![Selector::default()]] {
        let mut device = Show::new(looks.clone());
        let mut agent = Scripted::new([tap(1, Some(pay("Bob", 5)))]);
        let (session, task) = (builder(ANY).start().unwrap(), Task::new("pay", Aim::Complete));
        let named = volatile.first().is_some_and(|selector| !selector.is_empty());
        let options = Options { volatile, ..Options::default() };
        let mut driver =
            Driver::new(&mut device, &mut agent, session, model(UNKNOWN), task, options).unwrap();
        block_on(driver.run());
        drop(driver);
        assert_eq!(device.hit.len(), usize::from(named));
    }
}

#[test]
fn dialogs_of_one_form_are_different_pages() {
    let known = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}, {"name": "Dialog: Save"}, {"name": "Dialog: Delete"}],
      "transitions": [{"from": "Dialog: Save", "event": "tap \"OK\"", "to": "Form"},
        {"from": "Dialog: Delete", "event": "tap \"OK\"", "to": "Form", "action": "Delete"}]}"#;
    let dialog = |asked: &str| {
        let mut title = Element::new("android.widget.TextView");
        (title.text, title.resource_id) = (asked.to_owned(), "android:id/title".to_owned());
        title.bounds = Some(Bounds { left: 0, top: 500, right: 100, bottom: 600 });
        Observation { screen: Some(screen("Dialog", [title, button("OK", 0)])), ..Observation::default() }
    };
    let mut looks = vec![dialog("Save"); 2];
    looks.extend(vec![dialog("Delete"); 9]);
    let mut device = Show::new(looks);
    let (account, _) = run(&mut device, ANY, known, vec![tap(1, None), tap(1, None)]);
    assert_eq!(device.hit, ["OK"], "{account}");
}

#[test]
fn without_a_screen_nothing_critical_gets_past() {
    let known = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}, {"name": "Result"}], "transitions": [
      {"from": "Form", "event": "go back", "to": "Result", "action": "Delete"},
      {"from": "Form", "event": "tap \"Pay\"", "to": "Result", "action": "Pay"}]}"#;
    let never = "R1: Account(balance > 9999) -> Pay\nR2: Pay -> Done\n";
    let gestures = [
        Gesture::Back,
        Gesture::Tap(Target::Tag(1)),
        Gesture::Tap(Target::Tag(2)),
        Gesture::Event("go back".into()),
    ];
    for gesture in gestures {
        for screens in [false, true] {
            let mut device = SimulatedApp::new(model(known), vocabulary(), 1);
            if screens {
                device = device.screens();
            }
            run(&mut device, never, known, vec![perform("look around", gesture.clone(), None)]);
            assert!(device.ledger().is_empty(), "{gesture:?} {screens}");
        }
    }
}

#[test]
fn a_button_with_other_arguments_is_another_action() {
    let known = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}, {"name": "Result"}], "transitions": [
      {"from": "Form", "event": "tap \"Pay Eve\"", "to": "Result", "action": "Pay", "arguments": {"to": "Eve", "amount": 500}}]}"#;
    let spec = "R1: Pay(to = \"Bob\", amount <= 10) -> Pay\nR2: Pay -> Done\n";
    let mut device = Show::new([shown(Some("Form"), &["Pay Eve"], json!({}))]);
    let (account, _) = run(&mut device, spec, known, vec![tap(1, Some(pay("Bob", 5)))]);
    assert_eq!(device.hit, Vec::<String>::new());
    let said: String = account.log.iter().map(|entry| entry.text.as_str()).collect();
    assert!(said.contains("this is `Pay` with another `amount`"), "{said}");
}

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

/// On the way to a page, or on it by itself.
const WAY: &str = r#"{"app": "Bank", "start": "Home", "pages": [{"name": "Home"}, {"name": "Goal"}],
    "transitions": [{"from": "Home", "event": "go", "to": "Goal"}]}"#;

fn to_goal(known: &Model) -> Task {
    Task::new("get there", Aim::Goal(Goal::Any(vec![known.find_page("Goal").unwrap()])))
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

/// Decides the same for ever.
struct Stubborn(Decision, usize);

impl Agent for Stubborn {
    fn name(&self) -> &str {
        "stubborn"
    }

    fn decide<'a>(&'a mut self, _: &'a Briefing<'a>) -> Deciding<'a> {
        self.1 += 1;
        let decision = match self.1 < 1_000 {
            true => Ok(self.0.clone().into()),
            false => Err(AgentError::Unavailable("that is enough".to_owned())),
        };
        Box::pin(std::future::ready(decision))
    }
}

#[test]
fn a_screen_that_never_stands_still_ends_the_run() {
    let looks = (0..9_000).map(|look| {
        let (page, other) = if look % 2 == 0 { ("Even", "x") } else { ("Odd", "y") };
        shown(Some(page), &["Pay", other], rich())
    });
    let mut device = Show::new(looks);
    let mut agent = Stubborn(tap(1, Some(pay("Bob", 5))), 0);
    let (session, task) = (builder(ANY).start().unwrap(), Task::new("pay", Aim::Complete));
    let mut driver =
        Driver::new(&mut device, &mut agent, session, model(UNKNOWN), task, Options::default()).unwrap();
    let account = block_on(driver.run());
    drop(driver);
    assert!(agent.1 < 20, "{} decisions, {account}", agent.1);
    assert_eq!(device.hit, Vec::<String>::new());
}

/// A device that is always somewhere else.
#[derive(Default)]
struct Far {
    page: usize,
    gestures: u32,
}

impl Device for Far {
    fn name(&self) -> &str {
        "far"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        Ok(Observation { page: Some(format!("P{}", self.page)), ..Observation::default() })
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        let far = match gesture {
            Gesture::Wait(_) => return Ok(()),
            Gesture::Back => 1,
            _ => 100,
        };
        (self.page, self.gestures) = (self.page + far, self.gestures + 1);
        Ok(())
    }
}

#[test]
fn the_budget_of_actions_is_kept() {
    for steps in [0, 1, 5, 17] {
        let mut device = Far::default();
        let known = model(WAY);
        let (task, session) = (to_goal(&known), builder(ANY).start().unwrap());
        let go = Decision::Perform(Box::new(Move {
            event: "go".to_owned(),
            gesture: Gesture::Event("go".to_owned()),
            action: None,
            observes: None,
            to: Some("Goal".to_owned()),
        }));
        let mut agent = Stubborn(go, 0);
        let budgets = Budgets { steps, ..Budgets::default() };
        let options = Options { budgets, ..Options::default() };
        let mut driver = Driver::new(&mut device, &mut agent, session, known, task, options).unwrap();
        let account = block_on(driver.run());
        drop(driver);
        assert_eq!(device.gestures, account.counters.steps);
        assert!(device.gestures <= steps, "{} of {steps}: {account}", device.gestures);
    }
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

/// Runs the plan on a device, with somebody who can tell.
fn follow(device: &mut dyn Device, spec: &str, known: &str, told: Option<bool>) -> Account {
    let mut agent = FollowPlan::default();
    let confirm = told.map(|told| -> Confirm { Box::new(move |_, _| Some(told)) });
    let options = Options { confirm, ..Options::default() };
    let (session, task) = (builder(spec).start().unwrap(), Task::new("pay", Aim::Complete));
    let mut driver = Driver::new(device, &mut agent, session, model(known), task, options).unwrap();
    block_on(driver.run())
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

/// What is tried once more is looked at as what is tried for the first time.
#[test]
fn another_try_is_looked_at_again() {
    let asked = |amount: &str| shown(Some("Form"), &["Pay", amount], rich());
    let looks = [asked("5 to Bob"), asked("5 to Bob"), asked("500 to Eve")];
    let mut device = Show { fails: Some(Performed::No), ..Show::new(looks) };
    let decisions = vec![tap(1, Some(pay("Bob", 5)))];
    run(&mut device, ANY, UNKNOWN, decisions);
    // The first is refused by the device itself, before anything changed; there is no second.
    assert_eq!(device.hit.len(), 1, "{:?}", device.hit);
}

/// Numbers and words of a title are exact.
#[test]
fn titles_that_are_nearly_alike_are_others() {
    let known = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}, {"name": "Dialog: Pay 10 euros"}, {"name": "Done page"}],
      "transitions": [{"from": "Dialog: Pay 10 euros", "event": "tap \"OK\"", "to": "Done page", "action": "Pay", "arguments": {"to": "Bob", "amount": 10}}]}"#;
    let spec = "R1: Pay(amount <= 10) -> Pay\nR2: Pay -> Done\n";
    let dialog = |asked: &str| {
        let mut title = Element::new("android.widget.TextView");
        (title.text, title.resource_id) = (asked.to_owned(), "android:id/title".to_owned());
        title.bounds = Some(Bounds { left: 0, top: 500, right: 100, bottom: 600 });
        Observation { screen: Some(screen("Dialog", [title, button("OK", 0)])), ..Observation::default() }
    };
    for asked in ["Pay 100 euros", "Pay one hundred euros", "Pay 10 euros twice"] {
        let mut device = Show::new([dialog(asked)]);
        let account = follow(&mut device, spec, known, Some(true));
        assert_eq!(device.hit, Vec::<String>::new(), "{asked}: {account}");
    }
    let mut device = Show::new([dialog("Pay 10 euros")]);
    follow(&mut device, spec, known, Some(true));
    assert_eq!(device.hit, ["OK"]);
}

/// A box that is ticked makes another payment of it.
#[test]
fn a_box_that_is_ticked_changes_what_is_asked() {
    let form = |ticked: bool| {
        let mut monthly = button("monthly, for ever", 1);
        monthly.flags.checkable = true;
        monthly.flags.checked = ticked;
        let screen = Some(screen("Form", [button("Pay", 0), monthly]));
        Observation { screen, values: rich().as_object().unwrap().clone(), ..Observation::default() }
    };
    let mut device = Show::new([form(false), form(true)]);
    run(&mut device, ANY, UNKNOWN, vec![tap(1, Some(pay("Bob", 5)))]);
    assert_eq!(device.hit, Vec::<String>::new());
}

/// Pages of one name in several apps: the device's word is the page of the app that is shown, and none is made twice.
#[test]
fn pages_of_one_name() {
    let known = || {
        model(
            r#"{"start": "Mail", "apps": [
            {"app": "Mail", "start": "Form", "pages": [{"name": "Form"}], "transitions": []},
            {"app": "Bank", "start": "Form", "pages": [{"name": "Form"}, {"name": "Goal"}], "transitions": [
                {"from": "Form", "event": "tap \"Go\"", "to": "Goal"}]}],
            "handovers": [{"from": "Mail.Form", "event": "tap \"Bank\"", "to": "Bank.Form"}]}"#,
        )
    };
    let goal = Task::new("get there", Aim::Goal(Goal::Any(vec![known().find_page("Bank.Goal").unwrap()])));
    let look = |package: Option<&str>| {
        let mut one = shown(Some("Form"), &["Go"], json!({}));
        if let Some(screen) = &mut one.screen {
            screen.package = package.map(str::to_owned);
        }
        one
    };
    for (package, page) in
        [(Some("Bank"), Some("Bank.Form")), (Some("Mail"), Some("Mail.Form")), (None, None)]
    {
        let mut device = Show::new([look(package)]);
        let mut agent = FollowPlan::default();
        let session = builder(ANY).start().unwrap();
        let mut driver =
            Driver::new(&mut device, &mut agent, session, known(), goal.clone(), Options::default()).unwrap();
        while driver.phase() != Phase::Plan {
            block_on(driver.step());
        }
        assert_eq!(driver.account().log.last().unwrap().page.as_deref(), page);
        assert_eq!(driver.model().pages().count(), 3);
    }
}

/// A form, what comes over it when it is paid, and what is below that.
struct Covered {
    at: usize,
    /// What is shown on the form, on what comes over it, and where going back leads.
    shown: [Observation; 3],
    hit: usize,
}

impl Device for Covered {
    fn name(&self) -> &str {
        "covered"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        Ok(self.shown[self.at].clone())
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        match gesture {
            Gesture::Wait(_) => {}
            Gesture::Back => self.at = if self.at == 1 { 2 } else { 0 },
            _ => (self.at, self.hit) = (1, self.hit + 1),
        }
        Ok(())
    }
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

/// What a plan is followed on may still be on its way.
#[test]
fn an_app_that_is_not_ready_is_waited_for() {
    let form = |say: &str| shown(Some("Form"), &["Pay", say], rich());
    let paid = shown(Some("Result"), &["Close"], json!({"Receipt": {"ok": true}}));
    let loading = || shown(Some("Loading"), &[], json!({}));
    // Decided, looked at again: it says something else by now.
    let looks = [form("…"), form("History"), form("History"), form("History"), form("History"), paid.clone()];
    let account = follow(&mut Show::new(looks), ANY, RECEIPT, None);
    assert_eq!(account.outcome, Outcome::Success, "{account}");
    // A page that nothing is known of comes first.
    let looks = [loading(), loading(), form("History"), form("History"), form("History"), paid.clone()];
    let account = follow(&mut Show::new(looks), ANY, RECEIPT, None);
    assert_eq!(account.outcome, Outcome::Success, "{account}");
    // It comes after the action, too.
    let looks = [form("History"), form("History"), form("History"), loading(), paid];
    let account = follow(&mut Show::new(looks), ANY, RECEIPT, None);
    assert_eq!(account.outcome, Outcome::Success, "{account}");
    assert_eq!(account.steps.len(), 1, "{account}");
    // It never stands still: the run ends, and says what does not.
    let looks = (0..99).map(|look| form(&format!("{look} seconds left")));
    let account = follow(&mut Show::new(looks), ANY, RECEIPT, None);
    insta::assert_snapshot!(account);
}

#[test]
fn what_changes_by_itself_may_come_and_go() {
    let banner = |texts: &[&str]| {
        let mut all = vec![button("Pay", 0)];
        let mut around = Element::new("android.widget.LinearLayout");
        around.resource_id = "bank:id/ad".to_owned();
        all.push(around);
        // The frame comes first.
        let (around, _) = screen("Form", all.clone()).elements().next_back().unwrap();
        for text in texts {
            let mut text = button(text, 3);
            text.parent = Some(around);
            all.push(text);
        }
        Observation {
            screen: Some(screen("Form", all)),
            values: rich().as_object().unwrap().clone(),
            ..Observation::default()
        }
    };
    for volatile in [vec![], vec![Selector::resource_id("bank:id/ad")]] {
        let mut device = Show::new([banner(&["Buy"]), banner(&["Buy more", "Now"]), banner(&[])]);
        let mut agent = Scripted::new([tap(1, Some(pay("Bob", 5)))]);
        let (session, task) = (builder(ANY).start().unwrap(), Task::new("pay", Aim::Complete));
        let named = !volatile.is_empty();
        let options = Options { volatile, ..Options::default() };
        let mut driver =
            Driver::new(&mut device, &mut agent, session, model(UNKNOWN), task, options).unwrap();
        block_on(driver.run());
        drop(driver);
        assert_eq!(device.hit.len(), usize::from(named));
    }
}

/// "Inbox (3)" is the inbox, and the app is not gone back in for it.
#[test]
fn what_a_title_counts_is_not_its_name() {
    let known = r#"{"app": "Mail", "start": "Main: Home", "pages": [{"name": "Main: Home"}, {"name": "Main: Inbox"}, {"name": "Main: Level (2)"}],
      "transitions": [{"from": "Main: Home", "event": "tap \"Inbox\"", "to": "Main: Inbox"}, {"from": "Main: Inbox", "event": "tap \"Next\"", "to": "Main: Level (2)"}]}"#;
    let page = |title: &str, label: &str| {
        let mut text = Element::new("android.widget.TextView");
        (text.text, text.resource_id) = (title.to_owned(), "mail:id/title".to_owned());
        text.bounds = Some(Bounds { left: 0, top: 500, right: 100, bottom: 600 });
        Observation { screen: Some(screen("Main", [text, button(label, 0)])), ..Observation::default() }
    };
    let known = model(known);
    let goal = Aim::Goal(Goal::Any(vec![known.find_page("Main: Level (2)").unwrap()]));
    let looks = [
        page("Home", "Inbox"),
        page("Home", "Inbox"),
        page("Home", "Inbox"),
        page("Inbox (3)", "Next"),
        page("Inbox (12)", "Next"),
        page("Inbox (12)", "Next"),
        page("Level (2)", "Next"),
    ];
    let mut device = Show::new(looks);
    let mut agent = FollowPlan::default();
    let session = builder(ANY).start().unwrap();
    let mut driver =
        Driver::new(&mut device, &mut agent, session, known, Task::new("go", goal), Options::default())
            .unwrap();
    let account = block_on(driver.run());
    assert_eq!(account.outcome, Outcome::Success, "{account}");
    assert_eq!(account.steps.len(), 2, "{account}");
}

/// Where going back leads nowhere it is not gone back for ever, and it is said why a run ends.
#[test]
fn going_back_that_changes_nothing_is_given_up() {
    let stuck = shown(Some("Stuck"), &["Nothing"], json!({}));
    let form = shown(Some("Home"), &["Go"], json!({}));
    let known = WAY.replace("\"go\"", "\"tap \\\"Go\\\"\"");
    let known = model(&known);
    let mut device = Show::new([form.clone(), form.clone(), form, stuck]);
    let mut agent = FollowPlan::default();
    let (session, task) = (builder(ANY).start().unwrap(), to_goal(&known));
    let mut driver = Driver::new(&mut device, &mut agent, session, known, task, Options::default()).unwrap();
    let account = block_on(driver.run());
    drop(driver);
    assert_eq!(device.hit.len(), 3, "{account}");
    insta::assert_snapshot!(account);
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
