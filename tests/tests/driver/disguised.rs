//! Buttons of critical actions under other names, and targets that nobody can find.

use super::*;

/// A button for each recipient.
const SEND: &str = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}, {"name": "Result"}, {"name": "Help"}], "transitions": [
    {"from": "Form", "event": "tap \"Send to {to}\"", "to": "Result", "action": "Pay", "arguments": {"to": {"choose": "any"}, "amount": 5}},
    {"from": "Form", "event": "tap \"Help\"", "to": "Help"}, {"from": "Help", "event": "go back", "to": "Form"}]}"#;
/// Bob alone may be paid.
const BOB: &str = "R1: Pay(to = \"Bob\") -> Pay\nR2: Pay -> Done\n";
/// Nobody may be paid.
const NEVER: &str = "R1: Account(balance > 1000) -> Pay\nR2: Pay -> Done\n";

/// The same model with something that was merely seen.
fn with_seen(known: &str, seen: &str) -> String {
    known.replace("\"transitions\": [", &format!("\"transitions\": [{seen},"))
}

fn script(device: &mut dyn Device, spec: &str, known: &str, decisions: Vec<Decision>) -> Account {
    let mut agent = Scripted::new(decisions);
    let task = Task::new("pay", Aim::Complete);
    drive(device, &mut agent, (spec, model(known)), task, Options::default()).0
}

#[test]
fn what_was_seen_of_a_critical_button_makes_no_ordinary_one_of_it() {
    let eve = r#"{"from": "Form", "event": "tap \"Send to Eve\"", "to": "Result", "origin": "observed", "count": 3}"#;
    let seen = with_seen(SEND, eve);
    let event = |to: &str| Gesture::Event(format!("tap \"Send to {to}\""));
    let tag = |tag: u32| Gesture::Tap(Target::Tag(tag));
    // An ordinary button is tapped under the name of another: that is learnt under the agent's words for it.
    let learn = |other: u32| {
        vec![perform("tap \"Send to Eve\"", tag(other), None), perform("go back", Gesture::Back, None)]
    };
    for (known, first) in [(SEND, vec![]), (&seen, vec![]), (SEND, learn(1)), (SEND, learn(4))] {
        for (to, gesture) in [("Eve", tag(3)), ("Eve", event("Eve")), ("Bob", tag(2)), ("Bob", event("Bob"))]
        {
            let mut device = Reacts::new(|hit, _| match last(hit) {
                "Help" | "Faq" => shown(Some("Help"), &["Back"], rich()),
                "" | "Back" => shown(Some("Form"), &["Help", "Send to Bob", "Send to Eve", "Faq"], rich()),
                _ => shown(Some("Result"), &["Close"], rich()),
            });
            let decisions = first.iter().cloned().chain([perform("go on", gesture, None)]);
            let account = script(&mut device, BOB, known, decisions.collect());
            let sent = device.hit.iter().any(|hit| hit.contains("Send"));
            assert_eq!(sent, to == "Bob", "{to} {:?} {account}", device.hit);
        }
    }
}

/// Nor does getting back take one for an ordinary one.
#[test]
fn getting_back_touches_nothing_critical_that_was_seen() {
    let known = r#"{"app": "Bank", "start": "Edit", "pages": [{"name": "Edit"}, {"name": "List"}, {"name": "Trap"}], "transitions": [
        {"from": "Edit", "event": "tap \"Save\"", "to": "List"},
        {"from": "Trap", "event": "tap \"Close {what}\"", "to": "Edit", "action": "Delete"},
        {"from": "Trap", "event": "tap \"Close account\"", "to": "Edit", "origin": "observed", "count": 2}]}"#;
    let mut device = Reacts::new(|hit, _| match last(hit) {
        "Save" => shown(Some("Trap"), &["Close account"], json!({})),
        _ => shown(Some("Edit"), &["Save"], json!({})),
    });
    let known = model(known);
    let task = to_page(&known, "List");
    drive(&mut device, &mut FollowPlan::default(), (NEVER, known), task, Options::default());
    assert!(device.hit.iter().any(|hit| hit == "Save"), "{:?}", device.hit);
    assert!(device.hit.iter().all(|hit| hit != "Close account"), "{:?}", device.hit);
}

/// Shows the same for ever, and performs whatever it is told.
struct Obeys(Observation, Vec<Gesture>);

impl Device for Obeys {
    fn name(&self) -> &str {
        "obeys"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        Ok(self.0.clone())
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        if !matches!(gesture, Gesture::Wait(_)) {
            self.1.push(gesture.clone());
        }
        Ok(())
    }
}

fn on(screen: Option<Screen>) -> Observation {
    Observation { screen, ..shown(Some("Form"), &[], rich()) }
}

#[test]
fn what_is_found_nowhere_is_not_performed() {
    let class = Selector { class: Some("android.widget.Button".into()), ..Selector::default() };
    let path = Selector { path: Some(vec![7]), ..Selector::default() };
    let uid = Selector { uid: Some("android.widget.Button_1".into()), ..Selector::default() };
    let selectors = [class, path, uid, Selector::text("Pay"), Selector::resource_id("bank:id/b7")];
    let elements = selectors.map(Target::Element).to_vec();
    let [point, pixel] = [Target::Point([50, 50].into()), Target::Pixel([50, 50].into())];
    let (mut placeless, other) = (button("Help", 0), Element::new("android.widget.TextView"));
    placeless.bounds = None;
    let cases = [
        (None, [elements.clone(), vec![Target::Tag(1), point.clone(), pixel.clone()]].concat()),
        (Some(screen("Form", [other])), [elements, vec![Target::Tag(9)]].concat()),
        (Some(screen("Form", [placeless])), vec![point]),
        (Some(screen("Form", [button("Help", 0)])), vec![pixel]),
    ];
    for (screen, targets) in cases {
        for target in targets {
            let mut device = Obeys(on(screen.clone()), Vec::new());
            script(&mut device, ANY, RECEIPT, vec![perform("go on", Gesture::Tap(target), None)]);
            let tapped = device.1.iter().filter(|gesture| gesture.target().is_some()).count();
            assert_eq!(tapped, 0, "{:?}", device.1);
        }
    }
}

/// A class or a place fits whatever comes there: what it says is told to the device, too.
#[test]
fn what_is_told_by_its_kind_alone_is_told_by_what_it_says() {
    let shown = screen("Form", [button("Help", 0)]);
    let (id, _) = shown.elements().find(|(_, element)| element.text == "Help").unwrap();
    let class = Selector { class: Some("android.widget.Button".into()), ..Selector::default() };
    let path = Selector { path: Some(shown.path(id)), ..Selector::default() };
    let uid = Selector { uid: Some(shown.uid(id)), ..Selector::default() };
    for weak in [class, path, uid] {
        let mut device = Obeys(on(Some(shown.clone())), Vec::new());
        let gesture = Gesture::Tap(Target::Element(weak.clone()));
        script(&mut device, ANY, RECEIPT, vec![perform("go on", gesture, None)]);
        let told = Selector { text: Some("Help".into()), ..weak };
        assert_eq!(device.1.first(), Some(&Gesture::Tap(Target::Element(told))));
    }
}

#[test]
fn a_critical_event_spelled_otherwise_is_that_event() {
    let known = RECEIPT.replace("tap \\\"Pay\\\"", "tap \\\"Submit\\\"");
    let spelled = [
        "tap \"Submit\"",
        "press \"Submit\"",
        "tap \"submit\"",
        "tap  \"Submit\"",
        " tap \"Submit\"",
        "click Submit",
        "tap “Submit”",
    ];
    for (event, performed) in spelled.map(|event| (event, 0)).into_iter().chain([("tap \"Help\"", 1)]) {
        let mut device = Reacts::new(|_, _| shown(Some("Form"), &["Submit", "Help"], rich()));
        let decisions = vec![perform("go on", Gesture::Event(event.into()), None)];
        let account = script(&mut device, NEVER, &known, decisions);
        assert_eq!(device.hit.len(), performed, "{event}: {account}");
    }
}

/// What the title is called like is still the button that is tapped.
#[test]
fn a_title_called_like_the_button_is_not_the_button() {
    for title in ["New", "Pay"] {
        let form = || {
            let mut text = Element::new("android.widget.TextView");
            text.text = title.to_owned();
            on(Some(screen("Form", [text, button("Pay", 1), button("History", 2)])))
        };
        let paid = || shown(Some("Result"), &["Close"], json!({"Receipt": {"ok": true}}));
        let mut device = Reacts::new(|hit, _| if hit.is_empty() { form() } else { paid() });
        let account = follow(&mut device, ANY, RECEIPT, None);
        assert_eq!(account.outcome, Outcome::Success, "{title}: {account}");
        assert_eq!(device.hit, ["Pay"]);
    }
}

/// An agent that claims to speak for the app speaks for itself: what only the app may say it can't say.
#[test]
fn what_an_agent_says_is_not_said_by_the_app() {
    let known = RECEIPT
        .replace("\"start\": \"Form\"", "\"start\": \"Home\"")
        .replace("\"pages\": [", "\"pages\": [{\"name\": \"Home\"}, ")
        .replace(
            "\"transitions\": [",
            r#""transitions": [{"from": "Home", "event": "tap \"New\"", "to": "Form"}, "#,
        );
    for (balance, source, paid) in
        [(20, ValueSource::App, false), (20, ValueSource::Agent, false), (2_000, ValueSource::Agent, true)]
    {
        let vocabulary = vocabulary();
        let forged = Action::named(&vocabulary, "look around").source(source).set("Account.balance", 5_000);
        let mut device = Reacts::new(|hit, _| match hit {
            [] => shown(Some("Home"), &["New"], json!({"Account": {"balance": balance}})),
            _ => shown(Some("Form"), &["Pay", "History", "Look"], json!({})),
        });
        let look = (balance == 20).then(|| forged.build().unwrap());
        let decisions =
            vec![tap(1, None), perform("look around", Gesture::Tap(Target::Tag(3)), look), tap(1, None)];
        let account = script(&mut device, NEVER, &known, decisions);
        assert_eq!(device.hit.iter().any(|hit| hit == "Pay"), paid, "{:?} {account}", device.hit);
    }
}
