//! What a gesture touches, and on which page: what was decided, and nothing else.

use super::*;

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
