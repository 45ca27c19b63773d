//! `intentgate explore`, as a user sees it: what is tried, and what is left alone.

use intentgate_tests::command::run;
use intentgate_tests::root;
use std::fmt::Write;
use std::path::PathBuf;

/// Every exploration with its output and its status.
fn shown(runs: &[(&str, Option<&str>, &[&str])]) -> String {
    let mut shown = String::new();
    for (model, app, arguments) in runs {
        let file = |name: &str| match name.contains('/') {
            true => root().join(name),
            false => PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name),
        };
        let file = |name: &str| file(name).to_str().unwrap().to_owned();
        let mut all = vec!["explore".to_owned(), "--model".to_owned(), file(model)];
        all.extend(app.iter().flat_map(|app| ["--app".to_owned(), file(app)]));
        all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        let ended = run(&all, b"");
        let _ = writeln!(shown, "$ explore {model} {} {}", app.unwrap_or_default(), arguments.join(" "));
        let _ = write!(shown, "{}{}({})\n\n", ended.out, ended.err, ended.status);
    }
    shown
}

fn written(name: &'static str, text: &str) -> &'static str {
    std::fs::write(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name), text).unwrap();
    name
}

#[test]
fn the_restaurant() {
    let (model, app) = ("examples/restaurant/model.json", Some("examples/restaurant/app.json"));
    let goal = ["--goal", "find a free table"];
    let ordinary = ["--goal", "find a free table", "--ordinary", "tap \"Book a table\""];
    let misspelt = ["--goal", "find a free table", "--ordinary", "tap \"Book a tabel\""];
    let critical = ["--goal", "find a free table", "--ordinary", "tap \"Reserve\""];
    insta::assert_snapshot!(shown(&[
        (model, app, &goal),
        (model, app, &ordinary),
        (model, None, &ordinary),
        (model, app, &critical),
        (model, app, &misspelt),
    ]));
}

/// Buttons that can't be undone, with and without somebody who says so.
#[test]
fn what_can_not_be_undone_is_left_alone() {
    let events = ["Delete account", "Send", "Buy now", "Confirm payment", "Pay", "Reset all", "Look", "Help"];
    let transitions = events.map(|event| {
        let action = if event == "Reset all" { r#", "action": "Wipe""# } else { "" };
        format!(r#"{{"from": "A", "event": "tap \"{event}\"", "to": "B"{action}}}"#)
    });
    let model = format!(
        r#"{{"app": "Shop", "start": "A", "pages": [{{"name": "A"}}, {{"name": "B"}}], "transitions": [{}, {{"from": "B", "event": "go back", "to": "A"}}]}}"#,
        transitions.join(",\n")
    );
    let model = written("undone.model.json", &model);
    let app = written(
        "undone.app.json",
        r#"{"states": [{"name": "S", "variables": [{"a": "Text"}]}], "actions": ["Wipe"], "steps": ["tap \"Send\""]}"#,
    );
    let goal = ["--goal", "see the account"];
    insta::assert_snapshot!(shown(&[(model, None, &goal), (model, Some(app), &goal)]));
}

/// Two apps that hand over to each other are explored; what is put off is looked at in the end.
#[test]
fn several_apps() {
    let model = written(
        "two.model.json",
        r#"{"start": "Mail", "apps": [
        {"app": "Mail", "start": "Inbox", "pages": [{"name": "Inbox"}, {"name": "Settings"}, {"name": "About"}], "transitions": [
            {"from": "Inbox", "event": "tap \"Settings\"", "to": "Settings"},
            {"from": "Settings", "event": "tap \"About\"", "to": "About"},
            {"from": "Settings", "event": "go back", "to": "Inbox"},
            {"from": "About", "event": "go back", "to": "Settings"}]},
        {"app": "Bank", "start": "Overview", "pages": [{"name": "Overview"}, {"name": "Accounts"}], "transitions": [
            {"from": "Overview", "event": "tap \"Accounts\"", "to": "Accounts"},
            {"from": "Overview", "event": "go back", "to": "Overview"}]}],
        "handovers": [{"from": "Mail.Inbox", "event": "tap \"Bank\"", "to": "Bank.Overview"}]}"#,
    );
    insta::assert_snapshot!(shown(&[(model, None, &["--goal", "see the accounts"])]));
}
