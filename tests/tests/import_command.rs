//! `intentgate import` and `intentgate export`, as a user sees them.

use intentgate_tests::command::run;
use intentgate_tests::root;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn models() -> PathBuf {
    root().join("tests/models")
}

/// A run in the folder of the models, with its output and its status.
fn shown(arguments: &[&str], input: &[u8]) -> String {
    let folder = models();
    let of = |argument: &&str| match folder.join(argument) {
        path if path.exists() && !argument.is_empty() => path.display().to_string(),
        _ => (*argument).to_owned(),
    };
    let all: Vec<String> = arguments.iter().map(of).collect();
    let ended = run(&all, input);
    let prefix = format!("{}/", folder.display());
    let text = format!("$ {}\n{}{}({})\n\n", arguments.join(" "), ended.out, ended.err, ended.status);
    text.replace(&prefix, "")
}

fn all(runs: &[&[&str]]) -> String {
    runs.iter().map(|arguments| shown(arguments, b"")).collect()
}

#[test]
fn iccbot() {
    insta::assert_snapshot!(all(&[&["import", "notes/CTG.xml"]]));
}

#[test]
fn droidbot_run() {
    insta::assert_snapshot!(all(&[&["import", "notes"], &["import", "notes", "--by", "state"]]));
}

#[test]
fn droidbot_graph() {
    insta::assert_snapshot!(all(&[
        &["import", "notes/utg.js"],
        &["import", "notes/utg.js", "--by", "state", "--start", "EditActivity#333395", "--app", "Notes"],
    ]));
}

#[test]
fn a_run_with_files_that_are_no_texts() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-texts");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("states")).unwrap();
    std::fs::create_dir_all(folder.join("events/event_3.json")).unwrap();
    let state = |id: &str, class: &[u8]| {
        let start = format!(
            "{{\"state_str\": \"{id}\", \"foreground_activity\": \"a.b/.C\", \"views\": [{{\"text\": \""
        );
        [start.as_bytes(), class, b"\"}]}"].concat()
    };
    std::fs::write(folder.join("states/state_1.json"), state("s", b"Caf\xe9")).unwrap();
    std::fs::write(folder.join("states/screen_1.png"), b"\x89PNG").unwrap();
    std::fs::write(folder.join("events/event_2.json"), b"").unwrap();
    let name = folder.to_str().unwrap().to_owned();
    let text = shown(&["import", &name], b"").replace(&name, "run");
    std::fs::remove_dir_all(folder.join("states")).unwrap();
    std::fs::remove_dir_all(folder.join("events")).unwrap();
    std::fs::copy(models().join("notes/utg.js"), folder.join("utg.js")).unwrap();
    let graph = run(&["import", &name], b"");
    assert!(graph.status == 0 && graph.err.contains("utg: kept 3 pages"), "{}", graph.err);
    insta::assert_snapshot!(text);
}

#[test]
fn planning_problem() {
    insta::assert_snapshot!(all(&[
        &["import", "calendar/domain.pddl", "calendar/problem.pddl"],
        &["import", "calendar/problem.pddl", "--format", "json"],
    ]));
}

#[test]
fn from_standard_input() {
    let text = std::fs::read(models().join("calendar/CTG.xml")).unwrap();
    insta::assert_snapshot!(shown(&["import", "-", "--app", "Calendar"], &text));
}

#[test]
fn what_can_not_be_read() {
    let mut text = all(&[
        &["import", "lfs.xml"],
        &["import", "cut.xml"],
        &["import", "bomb.xml"],
        &["import", "no such file.xml"],
        &["import", "calendar"],
        &["import", "calendar/CTG.xml", "--from", "utg"],
        &["import", "calendar/CTG.xml", "--from", "pddl"],
        &["import", "calendar/CTG.xml", "notes/CTG.xml"],
        &["import", "calendar/CTG.xml", "--start", "SplashActivty"],
        &["import", "calendar/domain.pddl"],
        &["import", "calendar/problem.pddl", "calendar/problem.pddl"],
    ]);
    for input in [
        &b""[..],
        b"\xff\xfe<root/>",
        b"hello",
        b"<root/>",
        b"<root><source type='Service' name='a.B'/></root>",
        b"{\"a\": 1}",
        b"var utg = {\"nodes\": [], \"edges\": []};",
        b"var utg = {\"nodes\": [",
        b"var utg = {\"nodes\": {}, \"edges\": []}",
        b"(define (problem p) (:init (at a)",
        b"(define (problem p) (:objects a) (:init (at b)))",
        b"(hello)",
        b"(define (problem p)))",
    ] {
        let _ = write!(text, "< {}\n{}", String::from_utf8_lossy(input), shown(&["import", "-"], input));
    }
    insta::assert_snapshot!(text);
}

/// A model of the published graph, in a file.
fn calendar(name: &str) -> String {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let source = models().join("calendar/CTG.xml");
    let ended = run(&["import", source.to_str().unwrap(), "-o", file.to_str().unwrap()], b"");
    assert_eq!((ended.status, ended.out.as_str()), (0, ""), "{}", ended.err);
    file.to_str().unwrap().to_owned()
}

#[test]
fn what_is_imported_plans_as_published() {
    let model = calendar("plans.json");
    let mut text = String::new();
    for to in ["SelectTimeZoneActivity", "ManageEventTypesActivity"] {
        let _ = write!(text, "{}", shown(&["plan", "--model", &model, "--to", to], b""));
    }
    insta::assert_snapshot!(text.replace(&model, "model.json"));
}

#[test]
fn exports() {
    let model = calendar("exports.json");
    let mut text = String::new();
    for rest in [
        &["--as", "pddl", "--to", "SelectTimeZoneActivity"][..],
        &[
            "--as",
            "strips",
            "--from",
            "SettingsActivity",
            "--to",
            "ManageEventTypesActivity",
            "--to",
            "MainActivity",
        ],
        &["--as", "dot", "--to", "FAQActivity"],
        &["--as", "mermaid"],
        &["--as", "pddl"],
        &["--as", "pddl", "--to", "Nowhere"],
    ] {
        let mut arguments = vec!["export", "--model", &model];
        arguments.extend(rest);
        text.push_str(&shown(&arguments, b"").replace(&model, "model.json"));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn exported_files_are_imported_again() {
    let model = calendar("again.json");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("planning");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    // Plain STRIPS has no actions that change nothing.
    for (form, transitions) in [("pddl", 13), ("strips", 11)] {
        let _ = std::fs::remove_dir_all(&folder);
        let folder = folder.to_str().unwrap();
        let target = "SelectTimeZoneActivity";
        let arguments = ["export", "--model", &model, "--as", form, "--to", target, "--out-dir", folder];
        assert_eq!(run(&arguments, b"").status, 0);
        let mut files: Vec<String> = std::fs::read_dir(Path::new(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        assert_eq!(files, ["com-simplemobiletools-domain.pddl", "com-simplemobiletools-problem.pddl"]);
        let ended = run(&["import", &at(&files[1]), &at(&files[0])], b"");
        assert_eq!(ended.status, 0, "{}", ended.err);
        let kept = format!("kept 12 pages and {transitions} transitions");
        assert!(ended.err.contains(&kept), "{}", ended.err);
        assert!(ended.err.contains(&format!("goal: {target}")), "{}", ended.err);
        assert!(ended.out.contains("\"app\": \"com.simplemobiletools\""), "{}", ended.out);
        // On standard output they follow each other, and are read so.
        let both = run(&arguments[..arguments.len() - 2], b"");
        let again = run(&["import", "-"], both.out.as_bytes());
        assert_eq!((again.status, again.out), (0, ended.out), "{}", again.err);
    }
    let json = run(&["export", "--model", &model, "--as", "json"], b"");
    assert_eq!(json.out, std::fs::read_to_string(&model).unwrap());
}

#[test]
fn a_picture_in_a_file() {
    let model = calendar("picture.json");
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("calendar.svg");
    let file = file.to_str().unwrap();
    let to = ["--from", "MainActivity", "--to", "SelectTimeZoneActivity"];
    let mut arguments = vec!["export", "--model", &model, "--as", "svg", "-o", file];
    arguments.extend(to);
    assert_eq!(run(&arguments, b"").status, 0);
    let svg = std::fs::read_to_string(file).unwrap();
    let mut arguments = vec!["graph", "--model", &model, "--as", "svg"];
    arguments.extend(to);
    assert_eq!(run(&arguments, b"").out, svg);
    insta::assert_snapshot!(svg);
}

/// What is found in the folder of a run and is no file is left out: a pipe has no end.
#[cfg(unix)]
#[test]
fn a_run_with_pipes_and_devices() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pipes");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("states")).unwrap();
    let states = folder.join("states");
    let state = "{\"state_str\": \"s\", \"foreground_activity\": \"a.b/.C\", \"views\": []}";
    std::fs::write(folder.join("elsewhere.txt"), state).unwrap();
    std::os::unix::fs::symlink(folder.join("elsewhere.txt"), states.join("state_1.json")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", states.join("state_2.json")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(states.join("state_3.json")).status().unwrap();
    assert!(made.success());
    let _listener = std::os::unix::net::UnixListener::bind(states.join("state_4.json")).unwrap();
    let name = folder.to_str().unwrap().to_owned();
    insta::assert_snapshot!(shown(&["import", &name], b"").replace(&name, "run"));
}

#[test]
fn outputs_are_no_inputs() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("outputs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("run/states")).unwrap();
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let graph = std::fs::read(models().join("calendar/CTG.xml")).unwrap();
    std::fs::write(at("c.xml"), &graph).unwrap();
    let state = "{\"state_str\": \"s\", \"foreground_activity\": \"a.b/.C\", \"views\": []}";
    std::fs::write(at("run/states/s.json"), state).unwrap();
    let model = calendar("outputs.json");
    let before = std::fs::read_to_string(&model).unwrap();
    let example = |name: &str| root().join("examples/restaurant").join(name).to_str().unwrap().to_owned();
    let (app, spec) = (example("app.json"), example("reserve.intent"));
    let session = ["--model", &model, "--app", &app, "--spec", &spec];
    let mut text = String::new();
    // To a file that isn't there yet.
    #[cfg(unix)]
    std::os::unix::fs::symlink("o.json", at("link.json")).unwrap();
    for arguments in [
        &["import", &at("c.xml"), "-o", &at("c.xml")][..],
        &["import", &at("c.xml"), "-o", &at("run/../c.xml")],
        &["import", &at("run"), "-o", &at("run/states/s.json")],
        &["export", "--model", &model, "--as", "dot", "-o", &model],
        &[&["exec"], &session[..], &["--record", &model]].concat(),
        &[&["exec"], &session[..], &["--html", &model]].concat(),
        &[&["plan"], &session[..], &["--trace-out", &model]].concat(),
        &["explore", "--model", &model, "--goal", "look around", "-o", &model],
        &["explore", "--model", &model, "--goal", "look around", "--knowledge", &model],
        &["encode", "--app", &model, "--record", &model, "Send Bob 20 euros"],
        &["import", &at("c.xml"), "-o", &at("new.json")],
        // Nor are they one another.
        &[
            "explore",
            "--model",
            &model,
            "--goal",
            "look",
            "--knowledge",
            &at("o.json"),
            "-o",
            &at("./o.json"),
        ],
        &[
            "explore",
            "--model",
            &model,
            "--goal",
            "look",
            "--knowledge",
            &at("o.json"),
            "-o",
            &at("link.json"),
        ],
        &[&["exec"], &session[..], &["--html", &at("same.out"), "--record", &at("run/../same.out")]].concat(),
        &[&["exec"], &session[..], &["--html", "-", "--record", "-"]].concat(),
        &[&["exec"], &session[..], &["--record", "-"]].concat(),
        &["explore", "--model", &model, "--goal", "look", "-o", "-"],
        &["export", "--model", &model, "--as", "pddl", "--out-dir", "-"],
        &["encode", "--app", &app, "--record", "-", "Send Bob 20 euros"],
    ] {
        let shown =
            shown(arguments, b"").replace(folder.to_str().unwrap(), "folder").replace(&model, "model.json");
        text.push_str(&shown.replace(root().to_str().unwrap(), ""));
    }
    assert_eq!(std::fs::read(at("c.xml")).unwrap(), graph);
    assert_eq!(std::fs::read_to_string(at("run/states/s.json")).unwrap(), state);
    assert_eq!(std::fs::read_to_string(&model).unwrap(), before);
    assert!(!std::fs::exists(at("o.json")).unwrap() && !std::fs::exists(at("same.out")).unwrap());
    insta::assert_snapshot!(text);
}

/// What can't be seen is escaped, wherever names are printed.
#[test]
fn names_are_visible() {
    let name = "H\u{1b}[31m\u{1b}]0;t\u{7}\u{0}\u{202e}\u{200b}\u{9b}\u{ad}e";
    let model = serde_json::json!({
        "app": format!("A{name}"), "start": name,
        "pages": [{"name": name, "description": format!("d{name}")}, {"name": "B"}],
        "variables": [{"name": "x", "type": "Text", "initial": "y"}],
        "transitions": [{"from": name, "event": format!("tap{name}"), "guard": "x = \"y\u{202e}\"", "to": "B"},
                        {"from": "B", "event": "", "to": name}]
    });
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hidden.json");
    std::fs::write(&file, model.to_string()).unwrap();
    let file = file.to_str().unwrap();
    let odd = |c: char| c != '\n' && (c.is_control() || intentgate::engine::text::lookalike::is_hidden(c));
    let mut text = String::new();
    for arguments in [
        &["graph"][..],
        &["graph", "--as", "mermaid"],
        &["graph", "--as", "svg"],
        &["export", "--as", "strips", "--to", "B"],
        &["export", "--as", "pddl", "--to", "B"],
        &["plan", "--to", "B", "--guide"],
        &["plan", "--from", "B", "--to", name],
    ] {
        // Arguments hold no NUL.
        let Some((name, rest)) =
            arguments.split_first().filter(|_| !arguments.iter().any(|one| one.contains('\0')))
        else {
            continue;
        };
        let ended = run(&[&[*name, "--model", file][..], rest].concat(), b"");
        let all = format!("{}{}", ended.out, ended.err);
        assert!(!all.contains(odd), "{arguments:?}: {all:?}");
        if rest != ["--as", "svg"] {
            text.push_str(
                &format!("$ {}\n{all}({})\n\n", arguments.join(" "), ended.status)
                    .replace(file, "model.json"),
            );
        }
    }
    let graph = format!(
        "var utg = {{\"app_package\": \"a\", \"nodes\": [{{\"id\": \"s\", \"activity\": {}}}], \"edges\": []}};",
        serde_json::json!(format!("a/.B\u{1b}[31m\u{202e}"))
    );
    let ended = run(&["import", "-", "-o", "-"], graph.as_bytes());
    assert!(!ended.err.contains(odd), "{:?}", ended.err);
    text.push_str(&ended.err);
    insta::assert_snapshot!(text);
}
