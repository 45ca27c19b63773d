//! The command as a process: exit statuses, streams, files that can't be used, live sessions.

use intentgate_tests::command::{Ended, binary, run, start};
use intentgate_tests::root;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RESERVE: &str = "R1: RestaurantInfo(name = \"R\") and ReserveInfo(available = true) -> Reserve\n\
    R2: Reserve and ReserveResult(success = true) -> Done\n";
const OBSERVED: &str =
    r#"{"observe": {"RestaurantInfo": {"name": "R"}, "ReserveInfo": {"available": true}}}"#;
const PROPOSED: &str = r#"{"propose": {"action": "Reserve"}}"#;

/// A folder of files for one test, empty at first.
struct Files(PathBuf);

impl Files {
    fn new(test: &str) -> Files {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("command").join(test);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Files(folder)
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        text(&path)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn app() -> String {
    text(&root().join("tests/corpus/app.json"))
}

/// `run` over a specification that is fine, with further arguments before the trace.
fn played(files: &Files, more: &[&str], trace: &str) -> Ended {
    let (app, spec, trace) = (app(), files.put("spec.intent", RESERVE), files.put("trace.jsonl", trace));
    let mut arguments = vec!["run", "--app", &app, "--spec", &spec, "--today", "2026-11-21"];
    arguments.extend(more);
    arguments.push(&trace);
    run(&arguments, b"")
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// Every line of a JSON output.
fn lines(ended: &Ended) -> Vec<Value> {
    ended.out.lines().map(json).collect()
}

fn keys(value: &Value, wanted: &[&str]) {
    for key in wanted {
        assert!(value.get(key).is_some(), "no key `{key}` in {value}");
    }
}

#[test]
fn run_ends_with_0_1_and_2() {
    let files = Files::new("run");
    let allowed = played(&files, &[], &format!("{OBSERVED}\n{PROPOSED}\n"));
    assert_eq!((allowed.status, allowed.err.as_str()), (0, ""));
    let advised = r#"{"propose": {"action": "choose", "update": {"RestaurantInfo": {"name": "S"}}}}"#;
    assert_eq!(played(&files, &[], advised).status, 0, "advice is no block");
    assert_eq!(played(&files, &[], PROPOSED).status, 1);
    let missing = played(&files, &["--today", "2026-02-30"], PROPOSED);
    assert_eq!((missing.status, missing.out.as_str()), (2, ""));
    assert_eq!(run(&["run"], b"").status, 2);
    assert_eq!(run::<&str>(&[], b"").status, 2);
    assert_eq!(run(&["--help"], b"").status, 0);
}

#[test]
fn a_stale_permit_is_a_block() {
    let files = Files::new("stale");
    let trace = [
        OBSERVED,
        r#"{"propose": {"action": "Reserve", "hold": "p"}}"#,
        r#"{"observe": {"ReserveInfo": {"guests": 2}}}"#,
        r#"{"execute": "p"}"#,
    ];
    assert_eq!(played(&files, &[], &trace.join("\n")).status, 1);
}

#[test]
fn check_ends_with_0_1_and_2() {
    let files = Files::new("check");
    let app = app();
    let fine = files.put("fine.intent", RESERVE);
    let warned = files.put("warned.intent", format!("{RESERVE}Bill(total = 1) -> Free\n"));
    let wrong = files.put("wrong.intent", "RestaurantInfo(nam = \"R\") -> Done\nBill(total == 1) -> Done\n");
    assert_eq!(run(&["check", "--app", &app], b"").status, 0);
    assert_eq!(run(&["check", "--app", &app, &fine], b"").status, 0);
    let ended = run(&["check", "--app", &app, &warned], b"");
    assert!(ended.status == 0 && ended.err.contains("W0401"), "{ended:?}");
    let ended = run(&["check", "--app", &app, &fine, &wrong, &warned], b"");
    assert_eq!(ended.status, 1);
    for told in ["E0302", "E0101", "W0401"] {
        assert!(ended.err.contains(told), "one file hides another: {ended:?}");
    }
    let ended = run(&["check", "--app", &app, &fine, "no such file"], b"");
    assert!(ended.status == 2 && ended.err.contains("E0001"), "{ended:?}");
    assert_eq!(run(&["check", "--app", &app, "-"], RESERVE.as_bytes()).status, 0);
    let policy = run(&["check", "--app", &app, "--policy", &fine], b"");
    assert!(policy.status == 1 && policy.err.contains("E0318"), "{policy:?}");
}

#[test]
fn fmt_prints_writes_and_checks() {
    let files = Files::new("fmt");
    let untidy = "R1:RestaurantInfo( name=\"R\" )∧Bill(total≥1)→Reserve   # why\nReserve→Done\n";
    let path = files.put("untidy.intent", untidy);
    let printed = run(&["fmt", &path], b"");
    assert_eq!((printed.status, printed.err.as_str()), (0, ""));
    assert!(printed.out.contains("# why") && printed.out.contains("and Bill(total >= 1) -> Reserve"));
    assert_eq!(files.read("untidy.intent"), untidy, "printing leaves the file alone");
    let checked = run(&["fmt", "--check", &path], b"");
    assert_eq!((checked.status, checked.out.trim()), (1, path.as_str()));
    let written = run(&["fmt", "--write", &path], b"");
    assert_eq!((written.status, written.out.as_str()), (0, ""));
    assert_eq!(files.read("untidy.intent"), printed.out);
    assert_eq!(run(&["fmt", "--check", &path], b"").status, 0, "canonical after --write");
    assert_eq!(run(&["fmt", "-"], printed.out.as_bytes()).out, printed.out);
    let symbols = run(&["fmt", "--symbols", &path], b"");
    assert!(symbols.out.contains('→') && symbols.out.contains('≥'));
    let form = run(&["fmt", "--format", "json", &path], b"");
    assert!(json(&form.out)["rules"].is_array());
    assert_eq!(run(&["fmt"], b"").status, 2);
}

#[test]
fn fmt_writes_nothing_when_one_file_is_wrong() {
    let files = Files::new("fmt_wrong");
    let untidy = files.put("untidy.intent", "Bill( total=1 )->Done\n");
    let wrong = files.put("wrong.intent", "Bill(total == 1) -> Done\n");
    for mode in ["--write", "--check"] {
        let ended = run(&["fmt", mode, &untidy, &wrong], b"");
        assert!(ended.status == 2 && ended.out.is_empty() && ended.err.contains("E0101"), "{ended:?}");
        assert_eq!(files.read("untidy.intent"), "Bill( total=1 )->Done\n");
    }
}

#[test]
fn explain_codes_and_completions() {
    let files = Files::new("explain");
    let (app, spec) = (app(), files.put("spec.intent", RESERVE));
    let ended = run(&["explain", "--app", &app, "--spec", &spec], b"");
    assert!(ended.status == 0 && ended.out.contains("R1: To perform Reserve, 1."), "{ended:?}");
    let ended = run(&["explain", "--app", &app, "--spec", &spec, "--format", "json"], b"");
    for rule in json(&ended.out).as_array().unwrap() {
        keys(rule, &["rule", "text"]);
    }
    let wrong = files.put("wrong.intent", "Nothing(x = 1) -> Done\n");
    let ended = run(&["explain", "--app", &app, "--spec", &wrong], b"");
    assert!(ended.status == 2 && ended.out.is_empty(), "{ended:?}");

    let page = run(&["explain-code", "e0301"], b"");
    assert!(page.status == 0 && page.out.starts_with("# E0301: unknown state\n"), "{page:?}");
    let page = run(&["explain-code", "E0301", "--format", "json"], b"");
    keys(&json(&page.out), &["code", "severity", "title", "page"]);
    let all = run(&["explain-code", "--list"], b"");
    assert!(all.status == 0 && all.out.lines().count() > 100);
    let none = run(&["explain-code", "E9999"], b"");
    assert!(none.status == 2 && none.out.is_empty() && none.err.contains("E9999"), "{none:?}");

    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ended = run(&["completions", shell], b"");
        assert!(ended.status == 0 && ended.out.contains("explain-code"), "{shell}");
    }
    assert_eq!(run(&["completions", "tcsh"], b"").status, 2);
}

#[test]
fn check_as_json_has_its_keys() {
    let wrong = "RestaurantInfo(nam = \"R\") -> Done\n";
    let ended = run(&["check", "--app", &app(), "--format", "json", "-"], wrong.as_bytes());
    assert_eq!((ended.status, ended.err.as_str()), (1, ""));
    let all = json(&ended.out);
    let found = &all.as_array().unwrap()[0];
    keys(
        found,
        &["code", "severity", "message", "help", "source", "line", "column", "span", "label", "also"],
    );
    assert_eq!(found["span"], serde_json::json!([15, 18]));
    let ended = run(&["check", "--app", &app(), "--format", "json"], b"");
    assert_eq!(json(&ended.out), serde_json::json!([]));
}

#[test]
fn a_record_has_the_keys_of_its_events() {
    let files = Files::new("record");
    let advised = r#"{"propose": {"action": "choose", "update": {"RestaurantInfo": {"name": "S"}}}}"#;
    let after = r#"{"observe": {"ReserveResult": {"success": true}}}"#;
    let trace = [advised, PROPOSED, OBSERVED, PROPOSED, after].join("\n");
    let ended = played(&files, &["--format", "json"], &trace);
    assert_eq!((ended.status, ended.err.as_str()), (1, ""));
    let lines = lines(&ended);
    let events: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["start", "propose", "propose", "observe", "propose", "observe"]);
    let verdicts: Vec<Option<&str>> = lines.iter().map(|line| line["verdict"].as_str()).collect();
    assert_eq!(verdicts, [None, Some("advise"), Some("block"), None, Some("allow"), None]);
    for (number, line) in lines.iter().enumerate() {
        keys(line, &["seq", "event", "codes", "epoch", "achieved", "done", "spec", "input"]);
        assert_eq!(line["seq"], number);
        assert_eq!(line["spec"], lines[0]["spec"]);
    }
    keys(&lines[0], &["hashes"]);
    keys(&lines[0]["input"]["start"], &["app", "spec", "policies", "parameters", "today", "zone", "strict"]);
    keys(&lines[1], &["action", "feedback"]);
    keys(&lines[4], &["action", "outcome", "evidence"]);
    keys(&lines[5], &["evidence"]);
    assert_eq!(
        (&lines[4]["achieved"], &lines[5]["done"]),
        (&serde_json::json!(["Reserve"]), &Value::from(true))
    );
}

#[test]
fn a_record_replays_and_a_changed_byte_is_found() {
    let files = Files::new("replay");
    let record = played(&files, &["--format", "json"], &format!("{PROPOSED}\n{OBSERVED}\n{PROPOSED}\n")).out;
    let path = files.put("record.jsonl", &record);
    let same = run(&["replay", &path], b"");
    assert_eq!((same.status, same.err.as_str()), (0, ""));
    assert_eq!(run(&["replay", "-"], record.as_bytes()).status, 0);
    let told = run(&["replay", "--format", "json", &path], b"");
    assert_eq!((told.status, &json(&told.out)["same"]), (0, &Value::from(true)));
    for (from, to) in [
        (r#""verdict":"block""#, r#""verdict":"allow""#),
        (r#""available":true"#, r#""available":false"#),
        (r#""epoch":1"#, r#""epoch":2"#),
        ("name = \\\"R\\\"", "name = \\\"S\\\""),
    ] {
        assert!(record.contains(from), "{from}");
        let changed = files.put("changed.jsonl", record.replacen(from, to, 1));
        let ended = run(&["replay", &changed], b"");
        assert!(ended.status == 1 && ended.err.contains("E0515"), "{from}: {ended:?}");
        let ended = run(&["replay", "--format", "json", &changed, &path], b"");
        let sames: Vec<Value> = lines(&ended).iter().map(|line| line["same"].clone()).collect();
        assert_eq!((ended.status, sames), (1, vec![Value::from(false), Value::from(true)]));
    }
    let cut = files.put("cut.jsonl", &record[..record.len() - 20]);
    let ended = run(&["replay", &cut], b"");
    assert!(ended.status != 0 && ended.err.contains("[E0"), "{ended:?}");
}

#[test]
fn a_live_session_answers_each_line_before_the_next() {
    let files = Files::new("live");
    let (app, spec) = (app(), files.put("spec.intent", RESERVE));
    let arguments = ["run", "--app", &app, "--spec", &spec, "--format", "json", "-"];
    let mut child = start(&arguments).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut answer = || {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        json(&line)
    };
    assert_eq!(answer()["event"], "start", "before any input");
    for (line, event, verdict) in [
        (PROPOSED, "propose", Some("block")),
        (OBSERVED, "observe", None),
        (PROPOSED, "propose", Some("allow")),
        (r#"{"observe": {"ReserveResult": {"success": true}}}"#, "observe", None),
    ] {
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
        // This read would wait for ever if the line were not flushed.
        let answered = answer();
        assert_eq!((answered["event"].as_str(), answered["verdict"].as_str()), (Some(event), verdict));
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_live_session_ends_at_a_bad_line() {
    let files = Files::new("live_bad");
    let (app, spec) = (app(), files.put("spec.intent", RESERVE));
    let arguments = ["run", "--app", &app, "--spec", &spec, "--format", "json", "-"];
    let input = format!("{OBSERVED}\n\n{{\"propose\": \n{PROPOSED}\n");
    let ended = run(&arguments, input.as_bytes());
    assert_eq!((ended.status, lines(&ended).len()), (2, 2));
    assert!(ended.err.contains("E0201") && ended.err.contains("standard input:3:"), "{}", ended.err);
    // The last line needs no line end.
    assert_eq!(lines(&run(&arguments, format!("{OBSERVED}\n{PROPOSED}").as_bytes())).len(), 3);
    for empty in ["", "\n", " \n\r\n"] {
        let ended = run(&arguments, empty.as_bytes());
        assert!(ended.status == 2 && ended.err.contains("E0514"), "{empty:?}: {ended:?}");
    }
    let long = format!("{{\"propose\": {{\"action\": \"{}\"}}}}\n", "x".repeat(5 << 20));
    let ended = run(&arguments, long.as_bytes());
    assert!(ended.status == 2 && ended.err.contains("E0003"), "{}", ended.err);
    let ended = run(&arguments, b"{\"propose\": {\"action\": \"\xff\"}}\n");
    assert!(ended.status == 2 && ended.err.contains("E0002"), "{}", ended.err);
}

#[test]
fn a_bad_trace_line_ends_the_run_after_what_came_before() {
    let files = Files::new("bad_line");
    for (bad, code) in [
        ("{\"propose\":", "E0201"),
        ("{\"observe\": {\"Nothing\": {}}}", "E0502"),
        ("{\"observe\": {\"ReserveInfo\": {\"guests\": \"x\"}}}", "E0504"),
        ("{\"execute\": \"p\"}", "E0510"),
        ("[]", "E0205"),
        ("{}", "E0501"),
    ] {
        let trace = format!("{OBSERVED}\n{PROPOSED}\n{bad}\n{PROPOSED}\n");
        let ended = played(&files, &["--format", "json"], &trace);
        assert_eq!((ended.status, lines(&ended).len()), (2, 3), "{bad}: {}", ended.err);
        assert!(ended.err.contains(code) && ended.err.contains("trace.jsonl:3:"), "{bad}: {}", ended.err);
    }
    for empty in ["", "\n\n", "\u{feff}\n"] {
        let ended = played(&files, &[], empty);
        assert!(ended.status == 2 && ended.err.contains("E0514"), "{empty:?}: {ended:?}");
    }
}

#[test]
fn nothing_runs_when_a_part_is_unusable() {
    let files = Files::new("unusable");
    let (app, spec) = (app(), files.put("spec.intent", RESERVE));
    let trace = files.put("trace.jsonl", PROPOSED);
    let bad_app = files.put("bad.json", "{\"states\": [{\"name\": \"A\"}]}");
    let bad_spec = files.put("bad.intent", "RestaurantInfo(nam = \"R\") -> Done\n");
    let bad_policy = files.put("policy.intent", "Bill(total = 1) -> Reserve\n");
    let parameter = files.put("parameter.intent", "RestaurantInfo(name = $r) -> Done\n");
    for (what, arguments) in [
        ("E0204", vec!["--app", &bad_app, "--spec", &spec]),
        ("E0302", vec!["--app", &app, "--spec", &bad_spec]),
        ("E0318", vec!["--app", &app, "--spec", &spec, "--policy", &bad_policy]),
        ("E0321", vec!["--app", &app, "--spec", &parameter]),
        ("E0322", vec!["--app", &app, "--spec", &spec, "--param", "x=1"]),
        ("E0517", vec!["--app", &app, "--spec", &spec, "--zone", "Moon"]),
    ] {
        for format in ["text", "json"] {
            for (trace, input) in [(trace.as_str(), ""), ("-", PROPOSED)] {
                let all: Vec<&str> = ["run", "--format", format]
                    .into_iter()
                    .chain(arguments.iter().copied())
                    .chain([trace])
                    .collect();
                let ended = run(&all, input.as_bytes());
                assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{what}");
                assert!(ended.err.contains(what), "{what}: {}", ended.err);
            }
        }
    }
    // Every set that is wrong is told at once.
    let ended = run(&["run", "--app", &app, "--spec", &bad_spec, "--policy", &bad_policy, &trace], b"");
    assert!(ended.err.contains("E0302") && ended.err.contains("E0318"), "{}", ended.err);
}

/// What a command gives for a file in one of its places.
fn with_file(place: &str, file: &str, app: &str, spec: &str) -> Ended {
    let arguments = match place {
        "vocabulary" => vec!["check", "--app", file],
        "specification" => vec!["run", "--app", app, "--spec", file, "-"],
        "policy" => vec!["run", "--app", app, "--spec", spec, "--policy", file, "-"],
        "trace" => vec!["run", "--app", app, "--spec", spec, file],
        "checked" => vec!["check", "--app", app, file],
        "explained" => vec!["explain", "--app", app, "--spec", file],
        "formatted" => vec!["fmt", file],
        _ => vec!["replay", file],
    };
    run(&arguments, b"")
}

#[test]
fn bad_files_are_told_with_a_code_and_a_place() {
    let files = Files::new("bad_files");
    let (app, spec) = (app(), files.put("spec.intent", RESERVE));
    let missing = text(&files.0.join("missing"));
    let folder = text(&files.0);
    let binary = files.put("binary", b"# fine\n\xff\xfe\x00");
    let large = files.put("large", vec![b' '; 50_000_000]);
    let places =
        ["vocabulary", "specification", "policy", "trace", "checked", "explained", "formatted", "replayed"];
    for (file, code) in [(&missing, "E0001"), (&folder, "E0001"), (&binary, "E0002"), (&large, "E0003")] {
        for place in places {
            let begun = Instant::now();
            let ended = with_file(place, file, &app, &spec);
            assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{place} {file}");
            assert!(ended.err.contains(&format!("error[{code}]")), "{place} {file}: {}", ended.err);
            assert!(ended.err.contains(&format!("--> {file}")), "{place} {file}: {}", ended.err);
            assert!(begun.elapsed() < Duration::from_secs(20), "{place} {file}");
        }
    }
    assert!(with_file("trace", &binary, &app, &spec).err.contains("line 2, column 1"));
}

#[test]
fn empty_and_cut_files_are_told_too() {
    let files = Files::new("cut_files");
    let (app, spec) = (app(), files.put("spec.intent", RESERVE));
    let empty = files.put("empty", "");
    let vocabulary = std::fs::read(&app).unwrap();
    let cut_app = files.put("cut.json", &vocabulary[..vocabulary.len() / 2]);
    let cut_spec = files.put("cut.intent", &RESERVE[..RESERVE.len() - 12]);
    let cut_trace = files.put("cut.jsonl", &OBSERVED[..40]);
    for (place, file, status, code) in [
        ("vocabulary", &empty, 2, "E0004"),
        ("specification", &empty, 2, "E0313"),
        ("policy", &empty, 2, "E0313"),
        ("trace", &empty, 2, "E0514"),
        ("checked", &empty, 1, "E0313"),
        ("explained", &empty, 2, "E0313"),
        ("replayed", &empty, 2, "E0514"),
        ("vocabulary", &cut_app, 2, "E0201"),
        ("specification", &cut_spec, 2, "E01"),
        ("checked", &cut_spec, 1, "E01"),
        ("formatted", &cut_spec, 2, "E01"),
        ("trace", &cut_trace, 2, "E0201"),
        ("replayed", &cut_trace, 2, "E0"),
    ] {
        let ended = with_file(place, file, &app, &spec);
        assert_eq!(ended.status, status, "{place} {file}: {}", ended.err);
        assert!(ended.err.contains(&format!("error[{code}")), "{place} {file}: {}", ended.err);
        assert!(ended.err.contains(&format!("--> {file}")), "{place} {file}: {}", ended.err);
    }
}

#[test]
fn no_escape_codes_where_no_terminal_is() {
    let files = Files::new("colours");
    let trace = format!("{PROPOSED}\n{OBSERVED}\n{PROPOSED}\n");
    let (app, spec, trace) = (app(), files.put("spec.intent", RESERVE), files.put("trace.jsonl", trace));
    let wrong = files.put("wrong.intent", "RestaurantInfo(nam = \"R\") -> Done\n");
    for arguments in [
        vec!["run", "--app", &app, "--spec", &spec, &trace],
        vec!["check", "--app", &app, &wrong],
        vec!["explain-code", "E9999"],
        vec!["--help"],
    ] {
        for colour in [None, Some(("NO_COLOR", "1"))] {
            let mut command = start(&arguments);
            command.stdin(Stdio::null());
            if let Some((name, value)) = colour {
                command.env(name, value);
            }
            let output = command.output().unwrap();
            let printed = [output.stdout, output.stderr].concat();
            assert!(!printed.is_empty() && !printed.contains(&0x1b), "{arguments:?}");
        }
    }
}

#[test]
fn a_closed_output_stops_the_run() {
    let files = Files::new("closed");
    let (app, spec) = (app(), files.put("spec.intent", RESERVE));
    let trace = files.put("trace.jsonl", format!("{PROPOSED}\n").repeat(5_000));
    let mut child = Command::new(binary())
        .args(["run", "--app", &app, "--spec", &spec, "--format", "json", &trace])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "nothing is decided off the record");
}
