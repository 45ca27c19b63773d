//! What comes between an action and what shows it: pop-ups, pages that are not ready, titles that vary.

use super::*;

fn form() -> Observation {
    shown(Some("Form"), &["Pay", "History"], rich())
}

fn receipt() -> Observation {
    shown(Some("Result"), &["Close"], json!({"Receipt": {"ok": true}}))
}

fn cover() -> Observation {
    shown(Some("Rate us"), &["Later"], json!({}))
}

/// Whether a pop-up is known, by a way to the result or back, or not.
#[test]
fn a_pop_up_over_the_receipt_is_left() {
    let way = |event: &str, to: &str| format!(r#"{{"from": "Rate us", "event": "{event}", "to": "{to}"}}, "#);
    let later = way("tap \\\"Later\\\"", "Result");
    for (ways, left) in [(String::new(), "Back"), (later, "Later"), (way("go back", "Form"), "Back")] {
        let known = RECEIPT.replace("\"transitions\": [", &format!("\"transitions\": [{ways}"));
        let known =
            known.replace("{\"name\": \"Result\"}", "{\"name\": \"Result\"}, {\"name\": \"Rate us\"}");
        let mut device = Reacts::new(|hit, _| match last(hit) {
            "" => form(),
            "Pay" => cover(),
            _ => receipt(),
        });
        let account = follow(&mut device, ANY, &known, None);
        assert_eq!(account.outcome, Outcome::Success, "{account}");
        assert_eq!(device.hit, ["Pay", left]);
    }
}

/// One that came before, and was left by going back, is left once more.
#[test]
fn a_pop_up_that_was_seen_before_is_left() {
    let mut device = Reacts::new(|hit, _| match hit.len() {
        0 | 2 => cover(),
        1 => form(),
        _ => receipt(),
    });
    let mut agent = Scripted::new([perform("go back", Gesture::Back, None), Decision::Follow]);
    let (account, ..) = drive(
        &mut device,
        &mut agent,
        (ANY, model(RECEIPT)),
        Task::new("pay", Aim::Complete),
        Options::default(),
    );
    assert_eq!(account.outcome, Outcome::Success, "{account}");
    assert_eq!(device.hit, ["Back", "Pay", "Back"]);
}

/// A receipt with a number, a name, or the time in its title: what it says is news, whatever it is called.
#[test]
fn a_receipt_may_be_called_otherwise_each_time() {
    let known = RECEIPT.replace("\"Form\"", "\"Form: New\"").replace("\"Result\"", "\"Receipt: Receipt\"");
    for title in ["Receipt", "Receipt 4711", "Receipt #4711", "Thanks, Bob!", "21 Nov, 19:02"] {
        let page = |activity: &str, title: &str, buttons: &[&str], values: serde_json::Value| {
            let mut text = Element::new("android.widget.TextView");
            (text.text, text.resource_id) = (title.to_owned(), "bank:id/title".to_owned());
            let buttons = buttons.iter().enumerate().map(|(place, text)| button(text, place));
            let screen = Some(screen(activity, [text].into_iter().chain(buttons)));
            Observation { screen, page: None, values: values.as_object().unwrap().clone() }
        };
        let mut device = Reacts::new(|hit, _| match hit {
            [] => page("bank.Form", "New", &["Pay", "History"], rich()),
            _ => page("bank.Receipt", title, &["Close"], json!({"Receipt": {"ok": true}})),
        });
        let account = follow(&mut device, ANY, &known, None);
        assert_eq!(account.outcome, Outcome::Success, "{title}: {account}");
        assert_eq!(device.hit, ["Pay"]);
    }
}

/// "Please wait, and do not go back": it is waited for, and not gone back.
#[test]
fn a_payment_that_takes_its_time_is_not_disturbed() {
    for looks in 1..=5 {
        let mut since = 0;
        let mut device = Reacts::new(move |hit, _| {
            since += usize::from(!hit.is_empty());
            match since {
                0 => form(),
                _ if since <= looks => shown(Some("Processing"), &["Please wait"], json!({})),
                _ => receipt(),
            }
        });
        let account = follow(&mut device, ANY, RECEIPT, None);
        assert_eq!(account.outcome, Outcome::Success, "{looks}: {account}");
        assert_eq!(device.hit, ["Pay"]);
    }
}

#[test]
fn a_look_that_says_too_much_is_told_in_short() {
    let mut look = form();
    look.values.extend((0..100_000).map(|number| (format!("x{number}"), json!({"a": 1}))));
    let (mut device, mut agent) = (Show::new([look]), FollowPlan::default());
    let (session, task) = (builder(ANY).start().unwrap(), Task::new("pay", Aim::Complete));
    let mut driver =
        Driver::new(&mut device, &mut agent, session, model(RECEIPT), task, Options::default()).unwrap();
    block_on(driver.step());
    let account = driver.account();
    let said = &account.log.first().unwrap().text;
    assert!(said.len() < 2_000 && said.ends_with("and 99980 more"), "{} {said:.200}", said.len());
}
