//! `intentgate plan` and `intentgate graph`, as a user sees them.

use intentgate_tests::command::run;
use intentgate_tests::root;
use std::path::PathBuf;

/// Every run with its output and its status.
fn shown(runs: &[&[&str]]) -> String {
    shown_on("camera", runs)
}

fn shown_on(example: &str, runs: &[&[&str]]) -> String {
    let model = root().join("examples").join(example).join("model.json");
    let mut shown = String::new();
    for arguments in runs {
        let (command, rest) = arguments.split_first().unwrap();
        let mut all = vec![*command, "--model", model.to_str().unwrap()];
        all.extend(rest);
        let ended = run(&all, b"");
        let said = format!("$ {}\n{}{}({})\n\n", arguments.join(" "), ended.out, ended.err, ended.status);
        let said = said.replace(concat!(env!("CARGO_TARGET_TMPDIR"), "/"), "");
        shown.push_str(&said.replace(&format!("{}/", root().display()), ""));
    }
    shown
}

#[test]
fn plans() {
    insta::assert_snapshot!(shown(&[
        &["plan", "--to", "Gallery"],
        &["plan", "--to", "Camera"],
        &["plan", "--from", "Gallery", "--to", "Settings", "--guide", "--hops", "2"],
        &["plan", "--to", "Gallery", "--to", "Settings", "--all"],
        &["plan", "--condition", "front = true, flash = off"],
        &["plan", "--condition", "zoom = 3"],
        &["plan", "--function", "take_photo", "--function", "record_video(duration=10, front=true)"],
        &["plan", "--set", "video=true", "--function", "take_photo"],
        &["plan", "--from", "Gallery", "--to", "Settings", "--format", "json"],
    ]));
}

#[test]
fn pictures() {
    insta::assert_snapshot!(shown(&[
        &["graph", "--from", "Gallery", "--to", "Settings"],
        &["graph", "--as", "mermaid", "--to", "Gallery"],
    ]));
}

#[test]
fn what_can_not_be_planned() {
    insta::assert_snapshot!(shown(&[
        &["plan", "--to", "Galery"],
        &["plan", "--function", "record_video"],
        &["plan", "--function", "record_video(duration=ten, front=true)"],
        &["plan", "--function", "record_video(length=10)"],
        &["plan", "--function", "record_video(duration=10"],
        &["plan", "--function", "record_video(duration=10, front=true, front=false)"],
        &["plan", "--function", "record_video(duration=\"10, front=true)"],
        &["plan", "--function", "record_video(duration=\"10\" s, front=true)"],
        &["plan", "--function", "record_video(duration=\"\\q\", front=true)"],
        &["plan", "--function", "record_video(duration, front=true)"],
        &["plan", "--function", "take_foto"],
        &["plan", "--condition", "frnt = true"],
        &["plan", "--set", "front=perhaps", "--to", "Gallery"],
        &["plan", "--set", "frnt=true", "--to", "Gallery"],
    ]));
}

#[test]
fn arguments_are_texts_of_the_language() {
    let model = r#"{"app": "Mail", "start": "H", "pages": [{"name": "H"}],
        "functions": [{"name": "send", "parameters": [{"name": "to", "type": "Text"}, {"name": "text", "type": "Text"}]}],
        "transitions": [{"from": "H", "event": "to {to}: {text}", "function": "send", "to": "H"}]}"#;
    let model = scratch("send.json", model);
    for (call, event) in [
        (r#"send(to=Bob, text="Hello, Bob")"#, "to Bob: Hello, Bob"),
        (r#"send( to = "Bob" , text = "a (b), \"c\" = \u{64}" )"#, "to Bob: a (b), \"c\" = d"),
        ("send(text=say (hi), to=x=y,)", "to x=y: say (hi)"),
        (r#"send(to=Bob "the" Great, text=)"#, "to Bob \"the\" Great: "),
    ] {
        let ended = run(&["plan", "--model", &model, "--function", call], b"");
        assert_eq!((ended.status, ended.out), (0, format!("1. {event}\n")), "{call}: {}", ended.err);
    }
}

#[test]
fn tasks_in_a_sentence() {
    insta::assert_snapshot!(shown(&[
        &["plan", "--task", "take a photo"],
        &["plan", "--task", "Take a photo, then open the gallery"],
        &["plan", "--task", "record a 10 second video with the front camera and take a photo"],
        &["plan", "--task", "open the camera"],
        &["plan", "--task", "open the gallery", "--format", "json"],
        &["plan", "--task", "record a video"],
        &["plan", "--task", "record a video for 2 minutes with the front camera"],
        &["plan", "--task", "take a photo if it is sunny"],
        &["plan", "--task", "order a pizza"],
        &["plan", "--task", "take a photo", "--today", "soon"],
        &["plan", "--task", "take a photo", "--to", "Gallery"],
    ]));
}

/// A file of an example.
fn file(path: &str) -> String {
    root().join("examples").join(path).to_str().unwrap().to_owned()
}

/// A file for this test alone.
fn scratch(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const DAY: [&str; 4] = ["--today", "2026-11-21", "--zone", "UTC"];

/// What a plan says to which end, for a task of an example.
fn completed(example: &str, spec: &str, rest: &[&str]) -> String {
    let (app, spec) = (file(&format!("{example}/app.json")), file(&format!("{example}/{spec}")));
    let all = [&["plan", "--app", app.as_str(), "--spec", spec.as_str()], &DAY[..], rest].concat();
    shown_on(example, &[&all])
}

#[test]
fn to_the_end_of_a_task() {
    let none = scratch("none.intent", "# No bookings by agents.\nNone: Reserve -> Never\n");
    let early = file("restaurant/not-available.jsonl");
    let begun = scratch(
        "begun.jsonl",
        "{\"propose\": {\"action\": \"search\", \"update\": {\"RestaurantInfo\": {\"name\": \"R\"}}}}\n",
    );
    let office = file("calendar/office.intent");
    let all = [
        completed("restaurant", "reserve.intent", &[]),
        completed("restaurant", "reserve.intent", &["--format", "json"]),
        completed("restaurant", "reserve.intent", &["--policy", &none]),
        completed("restaurant", "reserve.intent", &["--policy", &none, "--format", "json"]),
        completed("restaurant", "reserve.intent", &["--trace", &early]),
        completed("restaurant", "reserve.intent", &["--trace", &begun, "--from", "Restaurant"]),
        completed("restaurant", "reserve.intent", &["--from", "Confirmation", "--alternatives", "2"]),
        completed("restaurant", "reserve.intent", &["--expansions", "3"]),
        completed("calendar", "meeting.intent", &["--policy", &office, "--param", "colleague=Ada"]),
        completed("calendar", "meeting.intent", &["--policy", &office]),
    ];
    insta::assert_snapshot!(all.concat());
}

/// Where the model does not fit the vocabulary, where there is no end.
#[test]
fn tasks_that_can_not_be_planned() {
    let model = std::fs::read_to_string(file("restaurant/model.json")).unwrap();
    let wrong = [
        ("\"name\": {\"choose\": \"any\"}", "\"nmae\": {\"choose\": \"any\"}"),
        ("\"expect\": [true, false]", "\"expect\": [true, \"perhaps\"]"),
        ("\"ReserveResult\"", "\"ReserveReslt\""),
    ];
    let model = wrong.iter().fold(model, |model, (from, to)| model.replacen(from, to, 1));
    let model = scratch("wrong.model.json", &model);
    let (app, spec) = (file("restaurant/app.json"), file("restaurant/reserve.intent"));
    let ended = run(&["plan", "--model", &model, "--app", &app, "--spec", &spec], b"");
    assert_eq!(ended.status, 2);
    let (tools, guard) = (file("tools/app.json"), file("tools/guard.intent"));
    let restaurant = file("restaurant/model.json");
    let standing = run(
        &["plan", "--model", &restaurant, "--app", &tools, "--spec", &guard, "--param", "user=a@example.com"],
        b"",
    );
    assert_eq!(standing.status, 2);
    let err = format!("{}{}", ended.err, standing.err);
    insta::assert_snapshot!(err.replace(concat!(env!("CARGO_TARGET_TMPDIR"), "/"), ""));
}

/// `exec` says of a model's links what `plan` does.
fn linked(app: &str, model: &str, spec: &str, rest: &[&str]) -> String {
    let (app, model, spec) =
        (scratch("l.app.json", app), scratch("l.model.json", model), scratch("l.intent", spec));
    let mut shown = String::new();
    for command in ["plan", "exec"] {
        let all = [&[command, "--model", &model, "--app", &app, "--spec", &spec], &DAY[..], rest].concat();
        let ended = run(&all, b"");
        let out = if command == "plan" { ended.out.as_str() } else { "" };
        shown += &format!("$ {command}\n{out}{}({})\n\n", ended.err, ended.status);
        if !rest.is_empty() {
            break;
        }
    }
    shown.replace(concat!(env!("CARGO_TARGET_TMPDIR"), "/"), "")
}

/// Where no plan is known it is said what lacks, and names that can't be meant are warned of.
#[test]
fn what_lacks_is_said() {
    let app = r#"{"app": "A", "states": [{"name": "S", "variables": [{"name": "total", "type": "Number", "source": "app"}]}], "actions": [{"name": "Pay", "arguments": [{"note": "Text"}]}]}"#;
    let spec = "R1: S(total <= 10) -> Pay\nR2: Pay -> Done\n";
    let strict = "R1: S(total <= 10) and Pay(note = \"hi\") -> Pay\nR2: Pay -> Done\n";
    let model = |step: &str| {
        format!(
            r#"{{"app": "A", "start": "P0", "pages": [{{"name": "P0"}}, {{"name": "P1"}}], "transitions": [
  {{"from": "P0", "event": "look", "to": "P1", "observes": {{"S": {{"total": 5}}}}}},
  {{"from": "P1", {step}, "to": "P1"}}]}}"#
        )
    };
    let pay = model(r#""event": "tap pay", "action": "Pay", "arguments": {"note": "hi"}"#);
    let unknown = scratch(
        "unknown.jsonl",
        "{\"observe\": {\"S\": {\"total\": 5}}}\n{\"propose\": {\"action\": \"Pay\", \"outcome\": \"unknown\"}}\n",
    );
    let closed = app.replace("\"actions\"", "\"closed\": true, \"actions\"");
    insta::assert_snapshot!(
        [
            linked(app, &model(r#""event": "tap pay", "action": "Payy""#), spec, &[]),
            linked(app, &model(r#""event": "pay""#), spec, &[]),
            linked(&closed, &pay, spec, &[]),
            linked(app, &model(r#""event": "tap pay", "action": "Pay""#), strict, &[]),
            linked(app, &pay, spec, &["--trace", &unknown]),
            linked(app, &model(r#""event": "tap pay", "action": "Payy""#), spec, &["--format", "json"]),
            linked(
                app,
                &model(r#""event": "tap pay", "action": "Pay", "arguments": {"noet": "hi"}"#),
                spec,
                &[]
            ),
            linked(app, &pay, strict, &[]),
            linked(
                app,
                &model(r#""event": "tap pay", "action": "Payy", "arguments": {"note": {"choose": "any"}}"#),
                spec,
                &[]
            ),
        ]
        .concat()
    );
}

/// An exploration says what the gate would never let pass, too.
#[test]
fn explorations_review_the_model() {
    let app = scratch("e.app.json", r#"{"app": "Shop", "actions": ["Pay"]}"#);
    let model = r#"{"app": "Shop", "start": "Cart", "pages": [{"name": "Cart"}], "transitions": [
        {"from": "Cart", "event": "pay", "to": "Cart"}, {"from": "Cart", "event": "tap it", "action": "Payy", "to": "Cart"}]}"#;
    let model = scratch("e.model.json", model);
    let ended = run(&["explore", "--model", &model, "--app", &app, "--goal", "look around"], b"");
    assert!(ended.err.contains("warning[W0826]") && ended.err.contains("warning[W0827]"), "{}", ended.err);
}

/// What a step proposes is printed beside it where its words don't say it.
#[test]
fn values_that_words_hide_are_shown() {
    let app = r#"{"app": "A", "states": [
        {"name": "Cart", "variables": [{"name": "total", "type": "Number", "source": "app"}]},
        {"name": "Delivery", "variables": [{"day": "Date"}, {"name": "slot", "type": "Enum", "values": ["morning", "noon"]}]}],
        "actions": [{"name": "Pay", "arguments": [{"amount": "Number"}, {"note": "Text"}]}]}"#;
    let model = r#"{"app": "A", "start": "P", "pages": [{"name": "P"}], "transitions": [
        {"from": "P", "event": "look", "to": "P", "observes": {"Cart": {"total": {"expect": [8]}}}},
        {"from": "P", "event": "choose morning", "to": "P", "causes": {"Delivery": {"day": {"choose": "any"}, "slot": "morning"}}},
        {"from": "P", "event": "tap Pay", "to": "P", "action": "Pay", "arguments": {"amount": {"choose": [8]}, "note": {"choose": ["hi\u202e\nthere", "no"]}}}]}"#;
    let spec = "R1: Cart(total <= 10) and Delivery(day = tomorrow, slot = morning) and Pay(amount = Cart.total) -> Pay\nR2: Pay -> Done\n";
    let (app, model, spec) =
        (scratch("v.app.json", app), scratch("v.model.json", model), scratch("v.intent", spec));
    let all = [&["plan", "--model", &model, "--app", &app, "--spec", &spec], &DAY[..]].concat();
    let ended = run(&all, b"");
    insta::assert_snapshot!(ended.out);
}

/// What would lead somewhere and was not asked for is named.
#[test]
fn functions_that_were_not_asked_for_are_named() {
    let model = r#"{"app": "A", "start": "Draft", "pages": [{"name": "Draft"}, {"name": "Sent"}, {"name": "Lost"}],
        "variables": [{"name": "sent", "type": "Boolean", "initial": false}],
        "functions": [{"name": "send", "description": "send it"}],
        "transitions": [{"from": "Draft", "event": "tap Send", "function": "send", "update": "sent = true", "to": "Sent"},
            {"from": "Lost", "event": "back", "to": "Draft"}]}"#;
    let model = scratch("sent.model.json", model);
    let mut shown = String::new();
    for goal in [["--to", "Sent"], ["--condition", "sent = true"], ["--to", "Lost"], ["--function", "send"]] {
        let ended = run(&["plan", "--model", &model, goal[0], goal[1]], b"");
        shown += &format!("$ {}\n{}({})\n\n", goal.join(" "), ended.out, ended.status);
    }
    insta::assert_snapshot!(shown);
}

/// A plan that is written as a trace plays: no advice, no block, complete at its end.
#[test]
fn plans_play() {
    let office = file("calendar/office.intent");
    let tasks: [(&str, &str, &[&str]); 2] = [
        ("restaurant", "reserve.intent", &[]),
        ("calendar", "meeting.intent", &["--policy", &office, "--param", "colleague=Jo Park"]),
    ];
    for (example, spec, rest) in tasks {
        let trace = scratch(&format!("{example}.plan.jsonl"), "");
        let (app, model) = (file(&format!("{example}/app.json")), file(&format!("{example}/model.json")));
        let spec = file(&format!("{example}/{spec}"));
        let task = [&["--app", app.as_str(), "--spec", spec.as_str()], &DAY[..], rest].concat();
        let planned = run(&[&["plan", "--model", &model, "--trace-out", &trace], &task[..]].concat(), b"");
        assert_eq!(planned.status, 0, "{}", planned.err);
        let piped = run(&[&["plan", "--model", &model, "--trace-out", "-"], &task[..]].concat(), b"");
        assert_eq!((piped.out, piped.err), (std::fs::read_to_string(&trace).unwrap(), planned.out));
        let played = run(&[&["run", "--format", "json"], &task[..], &[trace.as_str()]].concat(), b"");
        assert_eq!(played.status, 0, "{}", played.err);
        let lines: Vec<serde_json::Value> =
            played.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let verdicts: Vec<&str> = lines.iter().filter_map(|line| line["verdict"].as_str()).collect();
        assert!(verdicts.len() >= 4 && verdicts.iter().all(|verdict| *verdict == "allow"), "{verdicts:?}");
        assert_eq!(lines.last().unwrap()["done"], true, "{}", played.out);
        assert!(lines.iter().rev().skip(1).all(|line| line["done"] == false), "{}", played.out);
    }
}

#[test]
fn several_plans() {
    insta::assert_snapshot!(shown(&[
        &["plan", "--to", "Gallery", "--alternatives", "2"],
        &["plan", "--condition", "front = true", "--alternatives", "2"],
        &["plan", "--to", "Gallery", "--alternatives", "2", "--format", "json"],
        &["plan", "--to", "Camera", "--alternatives", "2"],
        &["plan", "--function", "take_photo", "--alternatives", "0"],
        &["plan", "--condition", "front = true, flash = off", "--expansions", "1"],
        &["plan", "--condition", "front = true, flash = off", "--expansions", "1", "--guide"],
        &["plan", "--condition", "front = false", "--format", "json", "--hops", "0"],
        &["plan", "--condition", "front = false"],
    ]));
}

#[cfg(unix)]
#[test]
fn other_planners() {
    let script = scratch(
        "camera.planner.sh",
        "grep -o 't[0-9]*-Tap-the-gear' \"$1\" | head -1 | sed 's/.*/(&)/' > sas_plan\n",
    );
    let command = format!("sh '{script}' {{domain}}");
    let shown = shown(&[
        &["plan", "--to", "Settings", "--external", &command],
        &["plan", "--to", "Settings", "--external", &command, "--guide"],
        &["plan", "--to", "Settings", "--external", &command, "--format", "json"],
        &["plan", "--to", "Gallery", "--external", &command],
        &["plan", "--to", "Settings", "--external", "sh -c 'echo none; exit 3'"],
        &["plan", "--to", "Settings", "--external", "sh -c 'exit 11'"],
        &["plan", "--to", "Settings", "--external", "no-such-planner {domain}"],
        &["plan", "--to", "Settings", "--external", "sh 'x"],
        &["plan", "--to", "Settings", "--external", ""],
        &["plan", "--to", "Settings", "--external", "sh -c 'exit 0'", "--dialect", "pddl"],
    ]);
    insta::assert_snapshot!(shown);
}
