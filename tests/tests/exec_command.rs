//! `intentgate exec` and `intentgate ablation`, as a user sees them.

use intentgate_tests::command::run;
use intentgate_tests::root;
use std::fmt::Write;

/// Every run at the restaurant with its output and its status.
fn shown(runs: &[&[&str]]) -> String {
    let mut shown = String::new();
    for arguments in runs {
        let ended = run(&at_the_restaurant(arguments), b"");
        let _ =
            write!(shown, "$ exec {}\n{}{}({})\n\n", arguments.join(" "), ended.out, ended.err, ended.status);
    }
    shown
}

fn at_the_restaurant(arguments: &[&str]) -> Vec<String> {
    let file = |name: &str| root().join("examples/restaurant").join(name).to_str().unwrap().to_owned();
    let mut all = vec!["exec".to_owned(), "--app".to_owned(), file("app.json"), "--spec".to_owned()];
    all.extend([file("reserve.intent"), "--model".to_owned(), file("model.json")]);
    all.extend(["--today", "2026-11-21", "--zone", "UTC"].map(str::to_owned));
    all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    all
}

/// What an app calls its elements can't pass for a line of ours, nor for colours of a terminal.
#[test]
fn what_an_app_says_stays_on_its_line() {
    let event = r#"tap \"\u001b[2J\u001b[31mSet\u202e\nnew page: Bank\""#;
    let model = format!(
        r#"{{"app": "Odd", "start": "Home", "pages": [{{"name": "Home"}}, {{"name": "End\n  1. on Home tap \"Pay\""}}],
            "transitions": [{{"from": "Home", "event": "{event}", "to": "End\n  1. on Home tap \"Pay\""}}]}}"#
    );
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("odd.model.json");
    std::fs::write(&path, model).unwrap();
    let model = path.to_str().unwrap();
    let explored = run(&["explore", "--model", model, "--goal", "the end"], b"");
    assert_eq!(explored.status, 0, "{}", explored.err);
    let mut all = at_the_restaurant(&["--to", "End\n  1. on Home tap \"Pay\""]);
    let place = all.iter().position(|one| one == "--model").unwrap() + 1;
    model.clone_into(&mut all[place]);
    let done = run(&all, b"");
    let shown = format!("{}\n{}", explored.out, done.out);
    let odd = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(!shown.contains(odd), "{shown:?}");
    insta::assert_snapshot!(shown);
}

#[test]
fn runs() {
    insta::assert_snapshot!(shown(&[
        &[],
        &["--faults", "each=15", "--seed", "1"],
        &["--faults", "missing=60", "--seed", "2", "--no-recovery"],
        &["--no-plan"],
        &["--to", "Booking", "--sentence", "look at the tables"],
        &["--to", "Home"],
        &["--steps", "2"],
        &["--faults", "missing=60", "--failures", "1"],
        &["--candidates", "1", "--faults", "surprise=100"],
    ]));
}

/// Where no way is known it is said what `plan` says, in words and as data; what the gate says can be read whole.
#[test]
fn why_there_is_no_way() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no_way");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let app = write(
        "app.json",
        r#"{"app": "Shop", "states": [{"name": "Cart", "variables": [{"name": "total", "type": "Number", "source": "app"}]}],
            "actions": [{"name": "Pay", "arguments": [{"note": "Text"}]}]}"#,
    );
    let model = |name: &str, rest: &str| {
        let text = format!(
            r#"{{"app": "Shop", "start": "Cart", "pages": [{{"name": "Cart"}}, {{"name": "Paid"}}, {{"name": "Help"}}],
                "functions": [{{"name": "ask", "description": "ask somebody"}}], "transitions": [
                {{"from": "Cart", "event": "look", "to": "Cart", "observes": {{"Cart": {{"total": 50}}}}}},
                {{"from": "Cart", "event": "tap Help", "function": "ask", "to": "Help"}}{rest}]}}"#
        );
        write(name, &text)
    };
    let pay = r#", {"from": "Cart", "event": "tap Pay", "action": "Pay", "arguments": {"note": "hi"}, "to": "Paid"}"#;
    let (pays, without) = (model("pays.json", pay), model("without.json", ""));
    let spec = write("pay.intent", "R1: Cart(total <= 100) and Pay(note = \"hi\") -> Pay\nR2: Pay -> Done\n");
    let cheap =
        write("cheap.intent", "R1: Cart(total <= 10) and Pay(note = \"hi\") -> Pay\nR2: Pay -> Done\n");
    let never = write("never.intent", "N1: Cart(total >= 20)\n  and Pay -> Never\n");
    let mut shown = String::new();
    for (model, spec, rest) in [
        (&without, &spec, &[][..]),
        (&without, &spec, &["--format", "json"]),
        (&pays, &cheap, &[]),
        (&pays, &spec, &["--policy", &never]),
        (&pays, &spec, &["--policy", &never, "--format", "json"]),
        (&pays, &cheap, &["--to", "Paid"]),
        (&pays, &cheap, &["--to", "Help"]),
        (&pays, &spec, &["--no-plan", "--steps", "3"]),
    ] {
        let all = [&["exec", "--app", &app, "--spec", spec, "--model", model][..], rest].concat();
        let ended = run(&all, b"");
        let mut out = ended.out;
        if rest.contains(&"json") {
            let told: serde_json::Value = serde_json::from_str(&out).unwrap();
            out = format!("plan: {:#}\n", told["plan"]);
        }
        let err = ended.err.lines().filter(|line| line.starts_with("error")).collect::<Vec<_>>().join("\n");
        let _ = write!(shown, "$ exec {}\n{out}{err}({})\n\n", all[3..].join(" "), ended.status);
    }
    insta::assert_snapshot!(shown.replace(folder.to_str().unwrap(), "."));
}

#[test]
fn what_can_not_be_run() {
    insta::assert_snapshot!(shown(&[
        &["--to", "Bookings"],
        &["--function", "reserve"],
        &["--faults", "each"],
        &["--faults", "each=200"],
        &["--faults", "mising=5"],
        &["--faults", "each=20"],
        &["--faults", "missing=5,missing=10"],
        &["--faults", "missing=5,each=10"],
        &["--sentence", " "],
        &["--steps", "0"],
    ]));
}

/// The account as JSON, the report, and the record, which replays.
#[test]
fn what_is_written() {
    let folder = std::env::temp_dir().join(format!("intentgate-exec-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (record, html) = (file("record.jsonl"), file("run.html"));
    let ended = run(
        &at_the_restaurant(
            &[
                &["--format", "json", "--seed", "3", "--faults", "missing=1"][..],
                &["--record", &record, "--html", &html],
            ]
            .concat(),
        ),
        b"",
    );
    assert_eq!(ended.status, 0, "{ended:?}");
    let account: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(account["outcome"], "success");
    assert_eq!(account["steps"].as_array().unwrap().len(), 4);
    assert!(!account["log"].as_array().unwrap().is_empty());
    assert_eq!(
        (&account["simulated"]["seed"], &account["simulated"]["faults"]["missing"]),
        (&3.into(), &1.into())
    );
    assert!(account["simulated"]["injected"].is_object() && account.get("plan").is_none(), "{account}");
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for told in [
        "seed</bdi></td><td><bdi>3",
        "missing=1",
        "To complete the task",
        "blue lines: the way that was taken",
    ] {
        assert!(page.contains(told), "{told}");
    }
    let replayed = run(&["replay", &record], b"");
    assert_eq!(replayed.status, 0, "{replayed:?}");
    let nowhere = file("nowhere/record.jsonl");
    assert_eq!(run(&at_the_restaurant(&["--record", &nowhere]), b"").status, 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn ablations() {
    let small = ["ablation", "--tasks", "4", "--seed", "2"];
    let json = run(&[&small[..], &["--format", "json"]].concat(), b"");
    assert_eq!(json.status, 0, "{json:?}");
    let table: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(table["rows"].as_array().unwrap().len(), 5);
    assert!(table["rows"].as_array().unwrap().iter().all(|row| row["runs"] == 4 && row["violations"] == 0));
    assert_eq!(table["settings"]["faults"]["surprise"], 8, "each is all of them");
    let rate = |row: &serde_json::Value| row["successes"].as_f64().unwrap() / 4.0;
    assert!(
        table["rows"].as_array().unwrap().iter().all(|row| row["rates"]["success"] == rate(row)),
        "{table}"
    );
    let text = run(&small, b"");
    let markdown = run(&[&small[..], &["--format", "markdown"]].concat(), b"");
    assert!(text.out.contains("a fault in 48 % of the actions"), "{}", text.out);
    assert!(text.out.contains("This is a simulation") && markdown.out.contains("| variant | success |"));
    assert_eq!(run(&["ablation", "--faults", "each=50"], b"").status, 2);
}
