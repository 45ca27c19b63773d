//! What a driver must not be brought to do: by screens that change, gestures that mean something else, devices that
//! fail half-way, runs that are saved and resumed, and evidence that is old; and what it makes of advice, judges and
//! conditions.

mod advice;
mod covers;
mod disguised;
mod evidence;
mod kept;
mod proof;
mod random;
mod resumed;
mod touched;
mod unsteady;

use intentgate::engine::check;
use intentgate::engine::eval::ValueSource;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::executor::account::{Account, Outcome};
use intentgate::executor::agent::{
    Agent, AgentError, Briefing, Decided, Deciding, Decision, FollowPlan, Move, Scripted,
};
use intentgate::executor::device::simulated::{Faults, SimulatedApp};
use intentgate::executor::device::{Device, DeviceError, Gesture, Observation, Performed, Target};
use intentgate::executor::driver::{Confirm, Driver, Journal, Options, SavedRun};
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

/// A screen that doesn't say which page it is, of one kind.
fn untitled(kind: &str, buttons: &[&str]) -> Observation {
    let buttons = buttons.iter().enumerate().map(|(place, text)| button(text, place));
    let mut screen = screen("", [Element::new(kind)].into_iter().chain(buttons));
    screen.activity = None;
    Observation { screen: Some(screen), page: None, values: rich().as_object().unwrap().clone() }
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

/// Shows what follows from what was hit so far, and from how often it was looked at; keeps what is hit.
struct Reacts<F> {
    shows: F,
    look: usize,
    last: Option<Screen>,
    hit: Vec<String>,
}

impl<F: FnMut(&[String], usize) -> Observation> Reacts<F> {
    fn new(shows: F) -> Reacts<F> {
        Reacts { shows, look: 0, last: None, hit: Vec::new() }
    }
}

impl<F: FnMut(&[String], usize) -> Observation> Device for Reacts<F> {
    fn name(&self) -> &str {
        "reacts"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        let now = (self.shows)(&self.hit, self.look);
        (self.look, self.last) = (self.look + 1, now.screen.clone());
        Ok(now)
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        if !matches!(gesture, Gesture::Wait(_)) {
            self.hit.push(hit(gesture, self.last.as_ref())?);
        }
        Ok(())
    }
}

/// What a gesture hits on a screen, by its text; without an element, the gesture itself.
fn hit(gesture: &Gesture, screen: Option<&Screen>) -> Result<String, DeviceError> {
    let nothing = Screen::default();
    let screen = screen.unwrap_or(&nothing);
    let id = match gesture.target() {
        Some(Target::Tag(tag)) => {
            let tagged = screen.tagged();
            Some(tagged.get(*tag).ok_or(DeviceError::NoSuchTag { tag: *tag, tags: tagged.len() })?)
        }
        Some(Target::Element(selector)) => Some(screen.find(selector)?),
        _ => None,
    };
    Ok(id.and_then(|id| screen.get(id)).map_or_else(|| format!("{gesture:?}"), |one| one.text.clone()))
}

/// The last that was hit.
fn last(hit: &[String]) -> &str {
    hit.last().map_or("", String::as_str)
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

/// A run with an agent, a task and options of its own; and what it leaves behind.
fn drive(
    device: &mut dyn Device,
    agent: &mut dyn Agent,
    (spec, known): (&str, Model),
    task: Task,
    options: Options<'_>,
) -> (Account, Session, Model) {
    let session = builder(spec).start().unwrap();
    let mut driver = Driver::new(device, agent, session, known, task, options).unwrap();
    block_on(driver.run());
    driver.into_parts()
}

/// To a page of a model.
fn to_page(known: &Model, page: &str) -> Task {
    Task::new("get there", Aim::Goal(Goal::Any(vec![known.find_page(page).unwrap()])))
}

fn rich() -> serde_json::Value {
    json!({"Account": {"balance": 500}})
}

/// On the way to a page, or on it by itself.
const WAY: &str = r#"{"app": "Bank", "start": "Home", "pages": [{"name": "Home"}, {"name": "Goal"}],
    "transitions": [{"from": "Home", "event": "go", "to": "Goal"}]}"#;

fn to_goal(known: &Model) -> Task {
    to_page(known, "Goal")
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
