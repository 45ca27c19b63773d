//! The codes whose pages can't show them as a case: what needs files, a process, a program that embeds
//! the library, or more text than a page holds.
//!
//! Every page with a block marked `console` is in the table of this file.

use intentgate::dispatch::tool_call;
use intentgate::engine::check;
use intentgate::engine::diagnostic::{Code, Fault, Problems};
use intentgate::engine::ir::Specification;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::executor::knowledge::Knowledge;
use intentgate::executor::knowledge::store::{Store, StoreError};
use intentgate::executor::screen::Screen;
use intentgate::intent::{Budget, Encoder, Experience, Sentence};
use intentgate::language_model::{Replay, Request, Scripted};
use intentgate::planner::instruct::ByWords;
use intentgate::planner::{Goal, Model, PlanError, Start};
use intentgate::session::record::JsonLines;
use intentgate::session::replay::{ReplayError, replay};
use intentgate::session::{Saved, StartError};
use intentgate::{Action, Consent, Gate, Session, SessionBuilder, Update, Verdict};
use intentgate_tests::command::{run, start as start_command};
use intentgate_tests::{APP, Case, root};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A code, and what produces it: the wrong way gives it, the mended way does not.
type Example = (Code, fn() -> Vec<Code>, fn() -> Vec<Code>);

const EXAMPLES: &[Example] = &[
    (
        Code::Unreadable,
        || command(&["check", "--app", "no such file.json"], b""),
        || command(&["check", "--app", &app()], b""),
    ),
    (
        Code::NotUtf8,
        || command(&["check", "--app", &app(), "-"], b"RestaurantInfo(name = \"Caf\xe9\") -> Done\n"),
        || command(&["check", "--app", &app(), "-"], "RestaurantInfo(name = \"Café\") -> Done\n".as_bytes()),
    ),
    (Code::TooLarge, || large_input(34_000_000), || large_input(340)),
    (
        Code::TooManyRules,
        // A lower limit: half a million rules take seconds to check.
        || rules(501, 500),
        || rules(500, 500),
    ),
    (
        Code::TooManyPredicates,
        || checked(&format!("{}Bill(total > 1) -> Done\n", "Bill(total > 1) and ".repeat(1_000))),
        || checked(&format!("{}Bill(total > 1) -> Done\n", "Bill(total > 1) and ".repeat(999))),
    ),
    (
        Code::TooManyConstraints,
        || checked(&format!("Bill(total != 0{}) -> Done\n", numbered(", total != ", 1_000))),
        || checked(&format!("Bill(total not in [0{}]) -> Done\n", numbered(", ", 1_000))),
    ),
    (
        Code::TooManyElements,
        || checked(&format!("Bill(total in [0{}]) -> Done\n", numbered(", ", 10_000))),
        || checked("Bill(total >= 0, total <= 10000) -> Done\n"),
    ),
    (
        Code::TextTooLong,
        || checked(&format!("RestaurantInfo(name = \"{}\") -> Done\n", "x".repeat(70_000))),
        || checked("RestaurantInfo(name contains \"xxx\") -> Done\n"),
    ),
    (
        Code::MissingArgument,
        || called(r#"{"name": "Pay", "arguments": {"amount": 30}}"#),
        || called(r#"{"name": "Pay", "arguments": {"amount": 30, "to": "R"}}"#),
    ),
    (Code::BadZone, || start(&["--zone", "Asia/Soul"]), || start(&["--zone", "Asia/Seoul"])),
    (Code::BadDay, || start(&["--today", "2026-02-30"]), || start(&["--today", "2026-02-28"])),
    (Code::MemoryFull, || remembered(1), || remembered(Limits::default().texts)),
    (Code::EmptyTrace, || live(b"\n"), || live(b"{\"propose\": {\"action\": \"search\"}}\n")),
    (Code::EmptyTrace, || replayed(""), || replayed(&record())),
    (
        Code::NotTheSame,
        || replayed(&record().replace(r#""verdict":"block""#, r#""verdict":"allow""#)),
        || replayed(&record()),
    ),
    (Code::RecordFailed, || recorded(1, 9).0, || recorded(9, 9).0),
    (Code::RecordFailed, || recorded(0, 9).0, || recorded(9, 9).0),
    (
        Code::BadSnapshot,
        || restored(|_| {}, "Pay(amount <= 50) -> Pay\nPay -> Done\n"),
        || restored(|_| {}, RESERVE),
    ),
    (
        Code::BadSnapshot,
        || restored(|saved| saved["facts"]["ReserveInfo.guests"]["value"] = "four".into(), RESERVE),
        || restored(|saved| saved["facts"]["ReserveInfo.guests"]["value"] = "5".into(), RESERVE),
    ),
    (
        Code::BadSnapshot,
        || restored(|saved| saved["version"] = 2.into(), RESERVE),
        || restored(|_| {}, RESERVE),
    ),
    (
        Code::BadSnapshot,
        || restored(|saved| saved["zone"] = "Asia/Soul".into(), RESERVE),
        || restored(|saved| saved["zone"] = "Asia/Seoul".into(), RESERVE),
    ),
    (Code::SessionBroken, || recorded(1, 2).1, || recorded(9, 9).1),
    (Code::GateHeld, || shared(true), || shared(false)),
    (
        Code::NotReplaceable,
        || replaced(true, WIDER, Consent::Given),
        || replaced(false, WIDER, Consent::Given),
    ),
    #[cfg(feature = "z3")]
    (
        Code::NeedsConsent,
        || replaced(false, WIDER, Consent::IfNarrower),
        || replaced(false, WIDER, Consent::Given),
    ),
    (Code::UnknownPage, || modelled(r#""to": "Setings""#), || modelled(r#""to": "Settings""#)),
    (Code::DuplicatePage, || model(&PAGES.replace("Settings", "Home")), || model(PAGES)),
    (
        Code::UnknownFunction,
        || modelled(r#""to": "Settings", "function": "take_foto""#),
        || modelled(r#""to": "Settings", "function": "take_photo""#),
    ),
    (
        Code::NotAssignment,
        || modelled(r#""to": "Settings", "update": "zoom > 2""#),
        || modelled(r#""to": "Settings", "update": "zoom = 2""#),
    ),
    (
        Code::LfsPointer,
        || imported(&["--start", "MainActivity"], "version https://git-lfs.github.com/spec/v1\n"),
        || imported(&["--start", "MainActivity"], &component("Activity")),
    ),
    (
        Code::UnreadableXml,
        || imported(&[], "<root><source name=\"org.example.MainActivity\" type=\"Activity\">"),
        || imported(&[], &component("Activity")),
    ),
    (Code::NoModel, || imported(&[], &component("Service")), || imported(&[], &component("Activity"))),
    (Code::UnreadablePddl, || imported(&[], &planning("hom", "")), || imported(&[], &planning("home", ""))),
    (Code::UnknownForm, || imported(&[], "hello\n"), || imported(&[], &planning("home", ""))),
    (
        Code::DanglingEdge,
        || imported(&[], &planning("home", "(connected home settings)")),
        || imported(&[], &planning("home", "(connected home home)")),
    ),
    (Code::Nameless, || imported(&[], &destination("")), || imported(&[], &destination(".EditActivity"))),
    (
        Code::UnreadablePart,
        || imported(&[], &planning("home", ") (:goal (lit)")),
        || imported(&[], &planning("home", ") (:goal (at home)")),
    ),
    (
        Code::UnclearName,
        || {
            imported(
                &[],
                &destination(".Main\"/><destination name=\"org.a.Main\"/><destination name=\"com.b.Main"),
            )
        },
        || imported(&[], &destination("org.a.Main\"/><destination name=\"com.b.Main")),
    ),
    (
        Code::GuessedStart,
        || imported(&[], &component("Activity")),
        || imported(&["--start", "MainActivity"], &component("Activity")),
    ),
    (Code::NoPlan, || followed(0), || followed(1)),
    (Code::UnreachablePage, || model(PAGES), || modelled(r#""to": "Settings""#)),
    (
        Code::UnusedFunction,
        || modelled(r#""to": "Settings""#),
        || modelled(r#""to": "Settings", "function": "take_photo""#),
    ),
    (
        Code::DeadGuard,
        || model(&ZOOM.replace("MORE", "")),
        || {
            let zoom_in = r#"{"from": "Home", "event": "zoom in", "update": "zoom = 2", "to": "Home"},"#;
            model(&ZOOM.replace("MORE", zoom_in))
        },
    ),
    (Code::PagesAlike, || model(&PAGES.replace("Settings", "H\u{43e}me")), || model(PAGES)),
    (
        Code::TransitionTwice,
        || modelled(r#""to": "Settings"}, {"from": "Home", "event": "tap the gear", "to": "Settings""#),
        || modelled(r#""to": "Settings"}, {"from": "Home", "event": "swipe left", "to": "Settings""#),
    ),
    (Code::OutputIsInput, || written_over("graph.xml"), || written_over("model.json")),
    (Code::OutputTaken, || written_twice("./known.json"), || written_twice("grown.json")),
    (Code::PlannerFailed, || planned(&["--external", "no-such-planner {domain} {problem}"]), || planned(&[])),
    (
        Code::NeverPasses,
        || performed("\"event\": \"pay\""),
        || performed("\"event\": \"pay\", \"action\": \"Pay\""),
    ),
    (
        Code::MisspeltAction,
        || performed("\"event\": \"tap it\", \"action\": \"Payy\""),
        || performed("\"event\": \"tap it\", \"action\": \"Pay\""),
    ),
    (Code::AmbiguousSentence, || asked("show furniture"), || asked("show the light")),
    (Code::NothingFits, || asked("order a pizza"), || asked("take a photo")),
    (Code::UnfilledParameter, || asked("record a video"), || asked("record a video for 10 seconds")),
    (Code::ModelSettings, || by_model("127.0.0.1:8080"), || by_model("")),
    #[cfg(feature = "openai")]
    (Code::NoModelAnswer, || by_model("http://127.0.0.1:1/v1"), || by_model("")),
    (
        Code::GrammarName,
        || command(&["grammar", "--app", &app(), "--milestone", "Reserve"], b""),
        || command(&["grammar", "--app", &app(), "--milestone", "TableFree"], b""),
    ),
    (
        Code::NothingToWrite,
        || command(&["grammar", "--app", "-"], br#"{"app": "Door", "actions": ["Open"]}"#),
        || {
            command(
                &["grammar", "--app", "-", "--kind", "policy"],
                br#"{"app": "Door", "actions": ["Open"]}"#,
            )
        },
    ),
    (Code::BadRecording, || recording("00"), || recording(&Request::new().key())),
    (Code::NoScreen, || dumped(r#"text="Se"#), || dumped(r#"text="Send"/></hierarchy>"#)),
    (
        Code::BadElement,
        || dumped(r#"bounds="[0,0]"/></hierarchy>"#),
        || dumped(r#"bounds="[0,0][90,40]"/></hierarchy>"#),
    ),
    (Code::NotEncoded, || encoded("Reserve -> Done"), || encoded("RestaurantInfo(name = \"R\") -> Done")),
    (
        Code::DamagedExperience,
        || experienced("{\"version\": 1, \"app\": \"Restaurant\"\n"),
        || experienced(""),
    ),
    (
        Code::NoLanguageModel,
        || encode(&[]),
        || encode(&["--replay", &restaurant("tests/intents/restaurant.jsonl")]),
    ),
    (
        Code::BadTemplate,
        || {
            Sentence::template("Reserve {restaurant before 7 PM")
                .err()
                .map(|fault| fault.code)
                .into_iter()
                .collect()
        },
        || {
            Sentence::template("Reserve {restaurant} before 7 PM")
                .err()
                .map(|fault| fault.code)
                .into_iter()
                .collect()
        },
    ),
    (Code::NotConfirmed, || confirmed(false), || confirmed(true)),
    (
        Code::LongSentence,
        || encode_sentence(&"Reserve R. ".repeat(400)),
        || encode_sentence("Reserve restaurant R before 7 PM. If it is not available then, do nothing."),
    ),
    (
        Code::DamagedKnowledge,
        || known(r#"{"format": "intentgate knowledge", "version": 1, "apps": {"Camera": {"docum"#),
        || {
            known(
                r#"{"format": "intentgate knowledge", "version": 1, "apps": {"Camera": {"documents": {}}}}"#,
            )
        },
    ),
    (
        Code::KnowledgeVersion,
        || known(r#"{"format": "intentgate knowledge", "version": 99, "apps": {}}"#),
        || known(r#"{"format": "intentgate knowledge", "version": 1, "apps": {}}"#),
    ),
    (
        Code::KnowledgeLocked,
        || {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::new(folder.path().join("knowledge.json")).wait(Duration::from_millis(20));
            let held = store.clone();
            stored(held.update(|_| store.update(|_| ())).unwrap().value.err())
        },
        || {
            let folder = tempfile::tempdir().unwrap();
            stored(Store::new(folder.path().join("knowledge.json")).update(|_| ()).err())
        },
    ),
    (
        Code::KnowledgeFile,
        || {
            let folder = tempfile::tempdir().unwrap();
            stored(Store::new(folder.path().join("no such folder/knowledge.json")).update(|_| ()).err())
        },
        || {
            let folder = tempfile::tempdir().unwrap();
            stored(Store::new(folder.path().join("knowledge.json")).update(|_| ()).err())
        },
    ),
];

/// What comes of a sentence for which a model has one draft.
fn encoded(draft: &str) -> Vec<Code> {
    let vocabulary = vocabulary();
    let model = Scripted::new([draft, "words", r#"{"same": true, "differences": []}"#]);
    let encoder = Encoder::new(&model, &vocabulary)
        .without_analysis()
        .budget(Budget { drafts: 1, ..Budget::default() });
    match pollster::block_on(encoder.encode("Find the restaurant R")) {
        Ok(_) => Vec::new(),
        Err(failed) => vec![failed.fault().code],
    }
}

fn experienced(text: &str) -> Vec<Code> {
    let (_, problems) = Experience::read(&Source::new("experience.jsonl", text));
    problems.items().iter().map(|item| item.code()).collect()
}

/// Whether a success that the user, or else an open session, speaks for is kept.
fn confirmed(by_user: bool) -> Vec<Code> {
    let vocabulary = vocabulary();
    let draft = "RestaurantInfo(name = \"R\") -> Done";
    let model = Scripted::new([draft, "words", r#"{"same": true, "differences": []}"#]);
    let encoded = pollster::block_on(
        Encoder::new(&model, &vocabulary).without_analysis().encode("Find the restaurant R"),
    )
    .unwrap();
    let mut experience = Experience::new();
    if by_user {
        experience.confirmed_by_user(&encoded);
        return Vec::new();
    }
    let session = encoded.session().start().unwrap();
    experience.completed(&encoded, &session).err().map(|fault| fault.code).into_iter().collect()
}

fn restaurant(path: &str) -> String {
    root().join(path).to_str().unwrap().to_owned()
}

fn encode_sentence(sentence: &str) -> Vec<Code> {
    encoded_from(&["--replay", &restaurant("tests/intents/restaurant.jsonl")], sentence)
}

fn encode(more: &[&str]) -> Vec<Code> {
    encoded_from(more, "Reserve restaurant R before 7 PM. If it is not available then, do nothing.")
}

fn encoded_from(more: &[&str], sentence: &str) -> Vec<Code> {
    let app = restaurant("examples/restaurant/app.json");
    command(
        &[&["encode", "--app", &app, "--today", "2026-11-21", "--without-analysis"], more, &[sentence]]
            .concat(),
        b"",
    )
}

/// What is wrong with a sentence about a small app.
fn asked(sentence: &str) -> Vec<Code> {
    let text = r#"{"app": "Home", "start": "Desk", "pages": [{"name": "Desk"}, {"name": "Chair", "description": "furniture"}, {"name": "Light", "description": "furniture"}],
        "functions": [{"name": "take_photo"},
            {"name": "record_video", "parameters": [{"name": "length", "type": "Number", "description": "seconds"}]}],
        "transitions": []}"#;
    let model = Model::from_json(&Source::new("model.json", text), &Limits::default()).unwrap();
    match ByWords::new().read(sentence, &[&model]) {
        Ok(_) => Vec::new(),
        Err(wrong) => wrong.faults.iter().map(|fault| fault.code).collect(),
    }
}

/// A recording of one empty request under a key.
fn recording(key: &str) -> Vec<Code> {
    let line = format!(
        r#"{{"key": "{key}", "model": "local", "request": {{"messages": []}}, "reply": {{"text": "yes"}}}}"#
    );
    Replay::from_lines(&Source::new("answers.jsonl", line))
        .map_or_else(|problems| codes(&problems), |_| Vec::new())
}

const PAGES: &str = r#"{"start": "Home", "pages": [{"name": "Home"}, {"name": "Settings"}],
    "variables": [{"name": "zoom", "type": "Number", "initial": 1}],
    "functions": [{"name": "take_photo"}], "transitions": []}"#;

const WIDER: &str = "RestaurantInfo() -> Reserve\nReserve and ReserveResult(success = true) -> Done\n";

const RESERVE: &str =
    "RestaurantInfo(name = \"R\") -> Reserve\nReserve and ReserveResult(success = true) -> Done\n";

#[test]
fn every_console_page_has_an_example() {
    for code in Code::ALL {
        // What the solver can say is tried in the engine's own tests: here it is a good one, or none.
        if matches!(code, Code::SolverTooOld | Code::SolverDisagrees | Code::NoSolver) {
            continue;
        }
        if cfg!(not(feature = "z3")) && *code == Code::NeedsConsent {
            continue;
        }
        if cfg!(not(feature = "openai")) && *code == Code::NoModelAnswer {
            continue;
        }
        let shown = EXAMPLES.iter().any(|(example, ..)| example == code);
        assert_eq!(code.page().contains("```console"), shown, "{code}");
    }
}

#[test]
fn every_example_gives_its_code_and_its_mend_does_not() {
    for (code, wrong, mended) in EXAMPLES {
        let codes = wrong();
        assert!(codes.contains(code), "{code}: the wrong way gives {codes:?}");
        let codes = mended();
        assert!(!codes.contains(code), "{code}: the mended way gives {codes:?}");
    }
}

// The command.

/// Runs the command; the codes on standard error.
fn command(arguments: &[&str], input: &[u8]) -> Vec<Code> {
    named(&run(arguments, input).err)
}

fn named(text: &str) -> Vec<Code> {
    Code::ALL.iter().copied().filter(|code| text.contains(&format!("[{code}]"))).collect()
}

/// A sentence, understood by a language model if there is a base URL.
fn by_model(url: &str) -> Vec<Code> {
    let model = root().join("examples/camera/model.json");
    let arguments = ["plan", "--model", model.to_str().unwrap(), "--task", "take a photo"];
    let mut process = start_command(&arguments);
    process
        .env("INTENTGATE_MODEL_URL", url)
        .env("INTENTGATE_MODEL", "local")
        .env_remove("INTENTGATE_MODEL_KEY");
    if !url.is_empty() {
        process.arg("--by-model");
    }
    named(&String::from_utf8(process.output().unwrap().stderr).unwrap())
}

fn app() -> String {
    root().join("tests/corpus/app.json").to_str().unwrap().to_owned()
}

fn large_input(bytes: usize) -> Vec<Code> {
    command(&["check", "--app", &app(), "-"], &vec![b'#'; bytes])
}

fn live(input: &[u8]) -> Vec<Code> {
    played(&[], input)
}

/// A live session that starts with further arguments.
fn start(arguments: &[&str]) -> Vec<Code> {
    played(arguments, b"{\"propose\": {\"action\": \"search\"}}\n")
}

fn played(arguments: &[&str], input: &[u8]) -> Vec<Code> {
    let spec = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pages_console.intent");
    std::fs::write(&spec, RESERVE).unwrap();
    let app = app();
    let mut all = vec!["run", "--app", &app, "--spec", spec.to_str().unwrap()];
    all.extend(arguments);
    all.push("-");
    command(&all, input)
}

/// What is wrong with a model, or odd.
fn model(text: &str) -> Vec<Code> {
    let source = Source::new("model.json", text);
    match Model::from_json(&source, &Limits::default()) {
        Ok(model) => codes(&model.review(&source)),
        Err(problems) => codes(&problems),
    }
}

/// A model in which one can zoom.
const ZOOM: &str = r#"{"app": "Camera", "start": "Home", "pages": [{"name": "Home"}],
    "variables": [{"name": "zoom", "type": "Number", "initial": 1}],
    "transitions": [MORE {"from": "Home", "event": "zoom out", "guard": "zoom > 1", "to": "Home"}]}"#;

/// A plan to the settings.
fn planned(arguments: &[&str]) -> Vec<Code> {
    let model = PAGES.replace("[]", r#"[{"from": "Home", "event": "tap the gear", "to": "Settings"}]"#);
    let all = ["plan", "--model", "-", "--to", "Settings"];
    command(&[&all, arguments].concat(), model.as_bytes())
}

/// A model with one transition, which has these keys.
fn modelled(keys: &str) -> Vec<Code> {
    model(&PAGES.replace("[]", &format!(r#"[{{"from": "Home", "event": "tap the gear", {keys}}}]"#)))
}

/// What a transition in the cart is to a gate that knows `Pay`.
fn performed(step: &str) -> Vec<Code> {
    let cart = r#"{"app": "Shop", "start": "Cart", "pages": [{"name": "Cart"}], "transitions": [{"from": "Cart", STEP, "to": "Cart"}]}"#;
    let source = Source::new("model.json", cart.replace("STEP", step));
    let app = Source::new("app.json", r#"{"app": "Shop", "actions": ["Pay"]}"#);
    let limits = Limits::default();
    let (model, vocabulary) = (Model::from_json(&source, &limits), Vocabulary::from_json(&app, &limits));
    codes(&model.unwrap().review_actions(&source, &vocabulary.unwrap()))
}

/// A foreign model, imported beside itself or over itself.
fn written_over(name: &str) -> Vec<Code> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (input, output) = (folder.join("graph.xml"), folder.join(name));
    std::fs::write(&input, component("Activity")).unwrap();
    command(&["import", input.to_str().unwrap(), "-o", output.to_str().unwrap()], b"")
}

/// Knowledge and a grown model, in two files or in one.
fn written_twice(name: &str) -> Vec<Code> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("written_twice");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let model = r#"{"app": "A", "start": "P", "pages": [{"name": "P"}]}"#;
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(at("model.json"), model).unwrap();
    let all =
        ["explore", "--goal", "look around", "--model", &at("model.json"), "--knowledge", &at("known.json")];
    command(&[&all[..], &["-o", &at(name)]].concat(), b"")
}

/// A foreign model on standard input.
fn imported(arguments: &[&str], text: &str) -> Vec<Code> {
    let mut all = vec!["import", "-"];
    all.extend(arguments);
    command(&all, text.as_bytes())
}

/// A component of a type.
fn component(kind: &str) -> String {
    format!("<root><source name=\"org.example.MainActivity\" type=\"{kind}\"/></root>")
}

/// A component with a destination.
fn destination(name: &str) -> String {
    format!("<root><source name=\"org.example.MainActivity\"><destination name=\"{name}\"/></source></root>")
}

/// A planning problem with a start and more facts.
fn planning(start: &str, more: &str) -> String {
    format!("(define (problem p) (:objects home) (:init (at {start}) {more}))")
}

/// A plan to the settings, cut off after so many steps.
fn followed(steps: usize) -> Vec<Code> {
    let text = PAGES.replace("[]", r#"[{"from": "Home", "event": "tap the gear", "to": "Settings"}]"#);
    let model = Model::from_json(&Source::new("model.json", text), &Limits::default()).unwrap();
    let goal = Goal::Any(vec![model.find_page("Settings").unwrap()]);
    let all: Vec<_> = model.transitions().map(|(id, _)| id).take(steps).collect();
    match model.validate(&Start::default(), &goal, &all) {
        Ok(()) => Vec::new(),
        Err(PlanError::Fault(fault)) => vec![fault.code],
        Err(PlanError::Condition(problems)) => codes(&problems),
    }
}

/// A dump of one element that goes on like this.
fn dumped(rest: &str) -> Vec<Code> {
    let text = format!(r#"<hierarchy rotation="0"><node class="android.widget.Button" {rest}"#);
    let screen = Screen::from_uiautomator(&Source::new("screen.xml", text), &Limits::default());
    screen.err().map_or(Vec::new(), |problems| codes(&problems))
}

// The library.

fn vocabulary() -> Arc<Vocabulary> {
    Arc::new(Vocabulary::from_json(&Source::new("app.json", APP), &Limits::default()).unwrap())
}

fn specification(text: &str) -> Arc<Specification> {
    let source = Source::new("spec.intent", text);
    Arc::new(check::specification(&source, &vocabulary(), &Limits::default()).unwrap().specification)
}

fn session(text: &str) -> SessionBuilder {
    Session::builder(specification(text)).today("2026-11-21".parse().unwrap())
}

fn known(text: &str) -> Vec<Code> {
    let read = Knowledge::from_json(&Source::new("knowledge.json", text), &Limits::default());
    read.err().map(|problems| codes(&problems)).unwrap_or_default()
}

fn stored(error: Option<StoreError>) -> Vec<Code> {
    error.map(|error| codes(&error.problems())).unwrap_or_default()
}

fn codes(problems: &Problems) -> Vec<Code> {
    problems.items().iter().map(|item| item.code()).collect()
}

fn fault<T>(result: Result<T, Fault>) -> Vec<Code> {
    result.err().map(|fault| fault.code).into_iter().collect()
}

fn start_fault(error: &StartError) -> Vec<Code> {
    match error.parts() {
        Ok(problems) => codes(problems),
        Err(fault) => vec![fault.code],
    }
}

fn checked(text: &str) -> Vec<Code> {
    match check::specification(&Source::new("spec.intent", text), &vocabulary(), &Limits::default()) {
        Ok(checked) => codes(&checked.warnings),
        Err(problems) => codes(&problems),
    }
}

/// So many rules under a limit.
fn rules(count: usize, rules: usize) -> Vec<Code> {
    let source = Source::new("spec.intent", "Bill(total = 1) -> Done\n".repeat(count));
    let limits = Limits { rules, ..Limits::default() };
    let checked = check::specification(&source, &vocabulary(), &limits);
    checked.err().map_or(Vec::new(), |problems| codes(&problems))
}

fn numbered(before: &str, count: u32) -> String {
    (1..=count).map(|number| format!("{before}{number}")).collect()
}

fn called(call: &str) -> Vec<Code> {
    let called = tool_call(&vocabulary(), &Source::new("call", call), None, &Limits::default());
    called.err().map_or(Vec::new(), |problems| codes(&problems))
}

/// Two different texts, in a session that remembers `texts`.
fn remembered(texts: usize) -> Vec<Code> {
    let mut session = session(RESERVE).limits(Limits { texts, ..Limits::default() }).start().unwrap();
    let vocabulary = Arc::clone(session.vocabulary());
    let mut all = Vec::new();
    for (path, text) in [("Route.mode", "train"), ("Route.destination", "Bonn")] {
        all.extend(fault(session.observe(&Update::of(&vocabulary).set(path, text).build().unwrap())));
    }
    all
}

/// The record of a session that blocked something.
fn record() -> String {
    let case = Case {
        app: APP.to_owned(),
        spec: Some(RESERVE.to_owned()),
        trace: Some("{\"propose\": {\"action\": \"Reserve\"}}\n".to_owned()),
        ..Case::default()
    };
    case.run().record.join("\n")
}

fn replayed(record: &str) -> Vec<Code> {
    match replay(&Source::new("record.jsonl", record), &Limits::default()) {
        Ok(_) => Vec::new(),
        Err(ReplayError::Problems(problems)) => codes(&problems),
        Err(ReplayError::Start(error)) => start_fault(&error),
    }
}

/// A place that can't be written for a while: lines from `fails` on, up to `works`.
struct Disk {
    line: usize,
    fails: usize,
    works: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.fails..self.works).contains(&self.line) {
            self.line += 1;
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        self.line += bytes.iter().filter(|byte| **byte == b'\n').count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A session that records to such a place: what an observation gives, and what a proposal after it.
fn recorded(fails: usize, works: usize) -> (Vec<Code>, Vec<Code>) {
    let disk = Disk { line: 0, fails, works };
    let mut session = match session(RESERVE).record(JsonLines(disk)).start() {
        Ok(session) => session,
        Err(error) => return (start_fault(&error), Vec::new()),
    };
    let vocabulary = Arc::clone(session.vocabulary());
    let update = Update::of(&vocabulary).set("ReserveInfo.guests", 4).build().unwrap();
    let observed = fault(session.observe(&update));
    let proposed = match session.propose(Action::named(&vocabulary, "search").build().unwrap()) {
        Ok(verdict) => {
            assert_eq!(verdict.word() == "allow", observed.is_empty());
            verdict.feedback().map_or(Vec::new(), |feedback| feedback.codes.clone())
        }
        Err(fault) => vec![fault.code],
    };
    (observed, proposed)
}

/// A gate is asked by the thread that has its session, or by one that has not.
fn shared(held: bool) -> Vec<Code> {
    let gate = Gate::new(session(RESERVE).start().unwrap());
    let vocabulary = Arc::clone(gate.session().unwrap().vocabulary());
    let update = Update::of(&vocabulary).set("ReserveInfo.guests", 4).build().unwrap();
    let _held = held.then(|| gate.session().unwrap());
    fault(gate.observe(&update))
}

/// A session whose specification is replaced, while an effect is running or not.
fn replaced(running: bool, text: &str, consent: Consent) -> Vec<Code> {
    let mut session = session(RESERVE).start().unwrap();
    let vocabulary = Arc::clone(session.vocabulary());
    let update = Update::of(&vocabulary).set("RestaurantInfo.name", "R").build().unwrap();
    let _ = session.observe(&update).unwrap();
    if running {
        let action = Action::named(&vocabulary, "Reserve").build().unwrap();
        let Verdict::Allow(permit) = session.propose(action).unwrap() else { panic!("not allowed") };
        let _running = session.begin(permit).unwrap().unwrap();
    }
    let checked = check::specification(&Source::new("spec.intent", text), &vocabulary, &Limits::default());
    let replaced = session.replace_spec(Arc::new(checked.unwrap().specification), consent);
    replaced.err().map_or(Vec::new(), |error| start_fault(&error))
}

/// A session is saved, what was saved is changed, and restored under a specification.
fn restored(change: impl FnOnce(&mut serde_json::Value), text: &str) -> Vec<Code> {
    let mut session = session(RESERVE).start().unwrap();
    let vocabulary = Arc::clone(session.vocabulary());
    let _ = session.observe(&Update::of(&vocabulary).set("ReserveInfo.guests", 4).build().unwrap()).unwrap();
    let mut saved = serde_json::to_value(session.save()).unwrap();
    change(&mut saved);
    let saved: Saved = serde_json::from_value(saved).unwrap();
    match Session::builder(specification(text)).restore(&saved) {
        Ok(_) => Vec::new(),
        Err(error) => start_fault(&error),
    }
}
