//! What proves that something was done, whoever says so; and what is still owed.

use super::*;
use intentgate::engine::value::Value;
use intentgate::executor::locate::{Labeller, Labelling};
use intentgate::planner::Call;

/// Done when it is paid.
const PAID: &str = "R1: Account(balance > 0) -> Pay\nR2: Pay -> Done\n";
/// A button that pays; an error page that nothing leads to.
const PLAIN: &str = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}, {"name": "Result"}, {"name": "Error"}], "transitions": [
    {"from": "Form", "event": "tap \"Pay\"", "to": "Result", "action": "Pay", "arguments": {"to": "Bob", "amount": 5}}]}"#;

fn unclear() -> Outcome {
    Outcome::Unclear { action: "Pay".to_owned() }
}

/// Answers that are given one after the other, the last for ever.
fn answers(all: &[Option<bool>]) -> Options<'static> {
    let (all, mut asked) = (all.to_vec(), 0);
    let confirm: Confirm<'_> = Box::new(move |_, _| {
        asked += 1;
        all[(asked - 1).min(all.len() - 1)]
    });
    Options { confirm: Some(confirm), ..Options::default() }
}

fn whole() -> Task {
    Task::new("pay", Aim::Complete)
}

fn payments(hit: &[String]) -> usize {
    hit.iter().filter(|hit| *hit == "Pay").count()
}

/// How much is left, after so many payments.
fn balance(hit: &[String]) -> serde_json::Value {
    json!({"balance": 500 - 5 * payments(hit)})
}

#[test]
fn a_no_against_fresh_evidence_is_settled_by_nobody() {
    let mut device = Reacts::new(|hit, _| match last(hit) {
        "Pay" => shown(Some("Result"), &["Close"], json!({"Account": balance(hit), "Receipt": {"ok": true}})),
        _ => shown(Some("Form"), &["Pay", "History"], json!({"Account": balance(hit)})),
    });
    let mut agent = FollowPlan::default();
    let (account, session, _) =
        drive(&mut device, &mut agent, (ANY, model(RECEIPT)), whole(), answers(&[Some(false)]));
    assert_eq!(account.outcome, unclear(), "{account}");
    assert_eq!(session.unsettled().collect::<Vec<_>>(), ["Pay"]);
    assert_eq!(device.hit, ["Pay"]);
}

/// Who said no may have been early: before it is done once more they are asked again.
#[test]
fn after_a_no_it_is_asked_again() {
    let cases: [(&[Option<bool>], usize, bool); 4] = [
        (&[Some(false), Some(true)], 1, true),
        (&[Some(false), None], 1, false),
        // It is asked right before it is done once more, and after it.
        (&[Some(false), Some(false), Some(true)], 2, true),
        (&[Some(false), Some(false), None], 2, false),
    ];
    for (said, paid, known) in cases {
        let mut device = Reacts::new(|_, _| shown(Some("Form"), &["Pay", "History"], rich()));
        let mut agent = FollowPlan::default();
        let (account, session, _) =
            drive(&mut device, &mut agent, (ANY, model(RECEIPT)), whole(), answers(said));
        assert_eq!(payments(&device.hit), paid, "{said:?} {account}");
        assert_eq!(session.is_achieved("Pay"), known, "{account}");
        assert_eq!(account.outcome == unclear(), !known, "{account}");
        assert!(!account.outcome.is_success(), "{account}");
    }
}

/// Wherever a critical action led, and however often: only what is declared proves it. So it is in the next run.
#[test]
fn error_pages_are_no_successors_of_critical_actions() {
    let failing = || {
        Reacts::new(|hit, _| match last(hit) {
            "Pay" => shown(Some("Error"), &["Help"], rich()),
            _ => shown(Some("Form"), &["Pay"], rich()),
        })
    };
    let run = |known: Model, options: Options<'_>| {
        let mut device = failing();
        let (account, _, learnt) =
            drive(&mut device, &mut FollowPlan::default(), (PAID, known), whole(), options);
        assert!(!account.outcome.is_success(), "{account}");
        (learnt, payments(&device.hit), account.outcome)
    };
    let (_, paid, outcome) = run(model(PLAIN), answers(&[Some(false), Some(false), None]));
    assert_eq!((paid, outcome), (2, unclear()));
    let (learnt, ..) = run(model(PLAIN), answers(&[Some(false)]));
    let seen =
        r#"{"from": "Form", "event": "tap \"Pay\"", "to": "Error", "origin": "observed", "count": 5}]}"#;
    let seen = model(&PLAIN.replace("}]}", &format!("}}, {seen}")));
    for known in [learnt, seen] {
        let (_, paid, outcome) = run(known, Options::default());
        assert_eq!((paid, outcome), (1, unclear()));
    }
}

/// Saving leads to an error, and going back from there to the list, where saving would have led.
fn unsaved(hit: &[String]) -> Observation {
    match last(hit) {
        "Edit" => shown(Some("Edit"), &["Save"], json!({})),
        "Save" => shown(Some("No network"), &["Help"], json!({})),
        _ => shown(Some("List"), &["Edit", "Pay"], json!({})),
    }
}

#[test]
fn going_back_to_where_one_was_proves_nothing() {
    let known = |save: &str| {
        let edit = r#"{"from": "List", "event": "tap \"Edit\"", "to": "Edit"}"#;
        format!(
            r#"{{"app": "Bank", "functions": [{{"name": "save", "description": "save"}}], "start": "List",
            "pages": [{{"name": "List"}}, {{"name": "Edit"}}], "transitions": [{edit}{save}]}}"#
        )
    };
    let spec = "R1: Draft(to = \"Bob\") and Pay(to = Draft.to) -> Pay\nR2: Pay -> Done\n";
    let step = Action::named(&vocabulary(), "save Bob").set("Draft.to", "Bob").build().unwrap();
    let (event, gesture) = ("tap \"Save\"".to_owned(), Gesture::Tap(Target::Tag(1)));
    let to = Some("List".to_owned());
    let own = Move { event, gesture, action: Some(step), observes: None, to };
    let causes =
        r#", {"from": "Edit", "event": "tap \"Save\"", "to": "List", "causes": {"Draft": {"to": "Bob"}}}"#;
    let causing = model(&known(causes));
    let save = causing.transitions().find(|(_, one)| one.event().contains("Save")).unwrap().0;
    let cases =
        [(model(&known("")), Decision::Perform(Box::new(own))), (causing.clone(), Decision::Take(save))];
    for (known, save) in cases {
        let mut device = Reacts::new(|hit, _| unsaved(hit));
        let mut agent = Scripted::new([tap(1, None), save, tap(2, Some(pay("Bob", 5)))]);
        let (account, session, _) =
            drive(&mut device, &mut agent, (spec, known), whole(), Options::default());
        assert!(payments(&device.hit) == 0 && device.hit.len() > 2, "{:?} {account}", device.hit);
        assert_eq!(session.value("Draft.to"), None, "{account}");
    }
    // Nor that a function was performed.
    let function = r#", {"from": "Edit", "event": "tap \"Save\"", "to": "List", "function": "save"}"#;
    let task = Task::new("save", Aim::Goal(Goal::Functions(vec![Call::new("save")])));
    let mut device = Reacts::new(|hit, _| unsaved(hit));
    let (account, ..) = drive(
        &mut device,
        &mut FollowPlan::default(),
        (ANY, model(&known(function))),
        task,
        Options::default(),
    );
    assert!(!account.outcome.is_success(), "{account}");
}

#[test]
fn what_is_claimed_in_part_is_claimed_as_a_whole() {
    let known = model(&WAY.replace("\"go\"", "\"tap \\\"Go\\\"\""));
    for (page, hits) in [("Goal", 1), ("Home", 0)] {
        let reach = to_page(&known, page).sub_tasks;
        let task = Task::new("write to Bob, and be there", Aim::Open);
        let task = reach.into_iter().fold(task, Task::then);
        let mut device = Reacts::new(|hit, _| {
            shown(Some(if hit.is_empty() { "Home" } else { "Goal" }), &["Go"], json!({}))
        });
        let mut agent = Scripted::new([Decision::Finish, Decision::Follow]);
        let (account, ..) = drive(&mut device, &mut agent, (ANY, known.clone()), task, Options::default());
        assert_eq!(account.outcome, Outcome::Claimed, "{account}");
        assert_eq!(device.hit.len(), hits);
    }
}

#[test]
fn a_function_with_other_arguments_is_another() {
    let known = r#"{"app": "Camera", "functions": [{"name": "zoom_to", "description": "zoom", "parameters": [{"factor": "Number"}]}],
        "start": "Camera", "pages": [{"name": "Camera"}], "transitions": [
        {"from": "Camera", "event": "zoom to {factor}", "function": "zoom_to", "to": "Camera"}]}"#;
    for (event, outcome) in [("zoom to 5", false), ("zoom to 2", true)] {
        let call = Call::new("zoom_to").with("factor", Value::Number("2".parse().unwrap()));
        let task = Task::new("zoom to 2", Aim::Goal(Goal::Functions(vec![call])));
        let mut device =
            Reacts::new(|_, look| shown(Some("Camera"), &["Zoom", &look.to_string()], json!({})));
        let zoom = perform(event, Gesture::Event(event.to_owned()), None);
        let mut agent = Scripted::new([zoom.clone(), zoom]);
        let (account, ..) = drive(&mut device, &mut agent, (ANY, model(known)), task, Options::default());
        assert_eq!(account.outcome.is_success(), outcome, "{account}");
    }
}

/// It was known before, not shown right before it, and is shown again: on the same page that is no sign.
#[test]
fn an_old_receipt_that_is_shown_again_proves_nothing() {
    let known = RECEIPT.replace("\"to\": \"Result\", \"action\"", "\"to\": \"Form\", \"action\"");
    let old = json!({"Account": {"balance": 500}, "Receipt": {"ok": true}});
    for (seen, outcome) in [(true, unclear()), (false, Outcome::Success)] {
        let mut device = Reacts::new(|hit, look| {
            let again = (look == 0 && seen) || !hit.is_empty();
            shown(Some("Form"), &["Pay", "History"], if again { old.clone() } else { rich() })
        });
        let account = follow(&mut device, ANY, &known, None);
        assert_eq!(account.outcome, outcome, "{account}");
        assert_eq!(device.hit, ["Pay"]);
    }
}

/// Calls what is not the form the result.
struct Hopes;

impl Labeller for Hopes {
    fn label<'a>(&'a mut self, screen: &'a Screen, _: &'a [&'a str]) -> Labelling<'a> {
        let form = screen.elements().any(|(_, element)| element.text == "Pay");
        Box::pin(std::future::ready(Ok(if form { "Form" } else { "Result" }.to_owned())))
    }
}

#[test]
fn what_somebody_calls_the_result_proves_nothing() {
    let mut device = Reacts::new(|hit, _| match hit {
        [] => untitled("Form", &["Pay"]),
        _ => untitled("Error", &["Try later", "Help"]),
    });
    let options = Options { labeller: Some(Box::new(Hopes)), ..Options::default() };
    let (account, ..) =
        drive(&mut device, &mut FollowPlan::default(), (PAID, model(PLAIN)), whole(), options);
    assert_eq!(account.outcome, unclear(), "{account}");
    assert_eq!(device.hit, ["Pay"]);
}

/// Who can tell says that it was paid, and no receipt comes: whatever is done then, it is not paid once more.
#[test]
fn what_is_owed_is_paid_by_no_other_name_and_no_old_receipt() {
    let known = r#"{"app": "Bank", "start": "Form", "pages": [{"name": "Form"}, {"name": "Result"}, {"name": "History"}], "transitions": [
        {"from": "Form", "event": "tap \"Pay\"", "to": "Result", "action": "Pay", "arguments": {"to": "Bob", "amount": 5},
         "observes": {"Receipt": {"ok": {"expect": [true]}}}},
        {"from": "Form", "event": "tap \"History\"", "to": "History"},
        {"from": "History", "event": "tap \"New\"", "to": "Form"}]}"#;
    let first = || tap(1, None);
    let named = || tap(1, Some(pay("Bob", 5)));
    let (history, new) = (|| tap(2, None), || tap(1, None));
    let through =
        |pay: fn() -> Decision| vec![pay(), pay(), history(), new(), pay(), pay(), history(), new(), pay()];
    let before = [vec![new()], through(|| tap(1, None))].concat();
    let scripts = [
        (false, vec![first(), first(), first()]),
        (false, vec![named(), named(), named()]),
        (false, vec![first(), named(), named()]),
        (false, through(|| tap(1, None))),
        (false, through(|| tap(1, Some(pay("Bob", 5))))),
        // The receipt was seen before.
        (true, before),
    ];
    for (from_history, script) in scripts {
        let mut device = Reacts::new(|hit, _| match last(hit) {
            "History" => {
                shown(Some("History"), &["New"], json!({"Account": balance(hit), "Receipt": {"ok": false}}))
            }
            "" if from_history => {
                shown(Some("History"), &["New"], json!({"Account": balance(hit), "Receipt": {"ok": false}}))
            }
            _ => shown(Some("Form"), &["Pay", "History"], json!({"Account": balance(hit)})),
        });
        let mut agent = Scripted::new(script);
        let (account, ..) =
            drive(&mut device, &mut agent, (ANY, model(known)), whole(), answers(&[Some(true)]));
        assert_eq!(payments(&device.hit), 1, "{:?} {account}", device.hit);
    }
}
