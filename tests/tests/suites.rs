//! Test files: what they may say, how they fail, and those that come from logic.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use intentgate::engine::diagnostic::render;
use intentgate::engine::limits::Limits;
use intentgate::engine::span::Source;
use intentgate::testing::{Files, Suite, SuiteError};
use intentgate_tests::command::run;
use intentgate_tests::{APP, root};
use std::fmt::Write;
use std::path::PathBuf;

const SPEC: &str = r#"
R1: Bill(total <= 100) -> Known
R2: Known and Pay(amount <= $most, to = "R", note = "x") -> Pay
R3: Pay and ReserveResult(success = true) -> Done
"#;

const FILES: Files = Files { app: ("app.json", APP), spec: ("pay.intent", SPEC), policies: &[] };

/// What a person sees of a test file.
fn shown(text: &str) -> String {
    let problems = |problems| render::plain(&problems);
    let suite = match Suite::read(&Source::new("pay.tests.jsonl", text), &Limits::default()) {
        Ok(suite) => suite,
        Err(all) => return problems(all),
    };
    let results = match suite.play(|| FILES.session().parameter("most", "100")) {
        Ok(results) => results,
        Err(SuiteError::Problems(all)) => return problems(all),
        Err(error) => return format!("{error}\n"),
    };
    let mut shown = String::new();
    for result in results {
        let _ = writeln!(shown, "{} (line {}): {}", result.case, result.line, result.verdicts.join(" "));
        for failure in result.failures {
            let _ = writeln!(shown, "  {failure}");
        }
    }
    shown
}

#[test]
fn cases_are_apart_and_say_what_they_expect() {
    insta::assert_snapshot!(shown(
        r#"
{"case": "paid", "today": "2026-11-21"}
{"observe": {"Bill": {"total": 80}}}
{"propose": {"action": "Pay", "arguments": {"amount": 90, "to": "R", "note": "x"}}, "expect": "allow"}
{"expect": {"achieved": ["Known", "Pay"], "done": false}}
{"observe": {"ReserveResult": {"success": true}}}
{"expect": {"done": true}}
{"case": "nothing is known, and the parameter is another one", "parameters": {"most": "5"}}
{"expect": {"open": ["Known", "Pay"]}}
{"observe": {"Bill": {"total": 80}}}
{"propose": {"action": "Pay", "arguments": {"amount": 6, "to": "R", "note": "x"}}, "expect": "block"}
{"propose": {"action": "Pay", "arguments": {"amount": 5, "to": "R", "note": "x"}}, "expect": "allow"}
"#
    ));
}

#[test]
fn what_is_otherwise_is_said() {
    insta::assert_snapshot!(shown(
        r#"
{"case": "too much"}
{"observe": {"Bill": {"total": 101}}}
{"expect": {"achieved": ["Known"], "done": true}}
{"propose": {"action": "Pay", "arguments": {"amount": 90, "to": "R", "note": "x"}}, "expect": "allow"}
{"observe": {"Bill": {"total": 80}}, "expect": "allow"}
{"expect": {"open": ["Known"]}}
"#
    ));
}

#[test]
fn a_trace_is_one_case() {
    insta::assert_snapshot!(shown(
        r#"{"propose": {"action": "search"}}
{"propose": {"action": "Pay"}}
"#
    ));
}

#[test]
fn what_can_not_be_used_is_located() {
    let mut all = String::new();
    for text in [
        "",
        "\n\n",
        "{\"case\": \"nothing happens\"}\n",
        "[1]\n",
        "{\"case\": 1}",
        "{\"case\": \"a\", \"todey\": \"2026-11-21\"}",
        "{\"case\": \"a\", \"today\": \"21.11.2026\"}",
        "{\"case\": \"a\", \"parameters\": {\"most\": 5}}",
        "{\"case\": \"a\"}\n{\"propose\": {\"action\": \"search\"}}\n{\"case\": \"a\"}",
        "{\"case\": \"a\"}\n{\"propose\": {\"action\": \"search\"}, \"expect\": \"alow\"}",
        "{\"case\": \"a\"}\n{\"propose\": {\"action\": \"search\"}, \"expect\": {\"done\": true}}",
        "{\"expect\": \"allow\"}",
        "{\"expect\": {\"don\": true}}",
        "{\"expect\": {\"achieved\": [\"Nown\"]}}",
        "{\"expect\": {\"open\": \"Known\"}}",
        "{\"case\": \"a\"}\n{\"propse\": {\"action\": \"search\"}, \"expect\": \"allow\"}",
        "{\"case\": \"a\", \"parameters\": {\"least\": \"5\"}}\n{\"expect\": {\"done\": false}}",
    ] {
        let _ = writeln!(all, "{text}\n{}", shown(text));
    }
    insta::assert_snapshot!(all);
}

/// A live session reads what happens; what should happen is no business of its.
#[test]
fn a_session_knows_no_expectations() {
    let (app, spec) = (path("examples/restaurant/app.json"), path("examples/restaurant/reserve.intent"));
    for line in ["{\"case\": \"a\"}\n", "{\"propose\": {\"action\": \"Reserve\"}, \"expect\": \"allow\"}\n"] {
        let ended = run(&["run", "--app", &app, "--spec", &spec, "-"], line.as_bytes());
        assert_eq!(ended.status, 2, "{ended:?}");
    }
}

fn path(name: &str) -> String {
    root().join(name).to_str().unwrap().to_owned()
}

#[test]
fn shipped_test_files_pass() {
    let (app, spec) = (path("examples/restaurant/app.json"), path("examples/restaurant/reserve.intent"));
    let tests = path("examples/restaurant/reserve.tests.jsonl");
    let ended = run(&["test", "--app", &app, "--spec", &spec, &tests], b"");
    assert_eq!((ended.status, ended.out.as_str()), (0, "29 cases, all as expected\n"), "{}", ended.err);
    // A line of it changed: the command says where.
    let text =
        std::fs::read_to_string(&tests).unwrap().replacen("\"expect\":\"block\"", "\"expect\":\"allow\"", 1);
    let changed = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("changed.tests.jsonl");
    std::fs::write(&changed, text).unwrap();
    let ended = run(&["test", "--app", &app, "--spec", &spec, changed.to_str().unwrap()], b"");
    assert_eq!(ended.status, 1);
    let out = ended.out.replace(changed.to_str().unwrap(), "changed.tests.jsonl");
    let out = out.replace(&format!("{}/", root().display()), "");
    insta::assert_snapshot!(out);
    let ended = run(&["test", "--app", &app, "--spec", &spec, "--format", "json", &tests], b"");
    let found: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((&found["cases"], &found["failed"]), (&29.into(), &0.into()));
}

#[cfg(feature = "z3")]
mod from_logic {
    use super::*;
    use intentgate::engine::check;
    use intentgate::engine::ir::Specification;
    use intentgate::engine::schema::Vocabulary;
    use intentgate::engine::solve::{Bounds, Setting};
    use intentgate::testing::{Generated, Mutation, RustFiles};
    use intentgate_tests::random::{self, Dice};
    use std::sync::Arc;

    fn read(name: &str) -> String {
        std::fs::read_to_string(path(name)).unwrap()
    }

    fn specification(app: &str, spec: &str) -> Arc<Specification> {
        let limits = Limits::default();
        let vocabulary = Vocabulary::from_json(&Source::new(app, read(app)), &limits).unwrap();
        let checked = check::specification(&Source::new(spec, read(spec)), &Arc::new(vocabulary), &limits);
        Arc::new(checked.unwrap_or_else(|problems| panic!("{problems}")).specification)
    }

    fn setting() -> Setting {
        Setting { today: "2026-11-21".parse().ok(), ..Setting::default() }
    }

    /// The Rust file is compiled and run with the examples.
    #[test]
    fn what_ships_is_what_is_written() {
        let specification =
            specification("examples/restaurant/app.json", "examples/restaurant/reserve.intent");
        let generated = Generated::of(&specification, &[], &setting()).unwrap();
        assert!(generated.missing.is_empty());
        assert_eq!(generated.to_trace(), read("examples/restaurant/reserve.tests.jsonl"));
        let files =
            RustFiles { app: "../restaurant/app.json", spec: "../restaurant/reserve.intent", policies: &[] };
        assert_eq!(generated.to_rust(&files), read("examples/tests/reserve.rs"));
    }

    #[test]
    fn nearly_every_change_is_noticed() {
        let mut all = String::new();
        for (app, spec) in [
            ("examples/restaurant/app.json", "examples/restaurant/reserve.intent"),
            ("examples/restaurant/deposit.app.json", "examples/restaurant/deposit.intent"),
            ("examples/mail/app.json", "examples/mail/cleanup.intent"),
            ("examples/shop/app.json", "examples/shop/return.intent"),
        ] {
            let specification = specification(app, spec);
            let generated = Generated::of(&specification, &[], &setting()).unwrap();
            let suite = Suite::read(&Source::new("tests", generated.to_trace()), &Limits::default()).unwrap();
            let mutation = Mutation::of(&specification, &[], &setting(), &[suite]).unwrap();
            assert!(mutation.noticed * 10 > mutation.changes * 9, "{spec}\n{mutation}");
            let _ = writeln!(all, "{spec}: {} tests\n{mutation}", generated.len());
        }
        insta::assert_snapshot!(all);
    }

    /// Numbers of 28 digits, characters that can't be seen or turn the text around, quotes and braces.
    #[test]
    fn odd_values_are_written_as_they_are() {
        let limits = Limits::default();
        let vocabulary = Arc::new(Vocabulary::from_json(&Source::new("app", APP), &limits).unwrap());
        let text = r##"
R1: Bill(total > 28.00000000000000000000000001, total < 28.00000000000000000000000002) -> Exact
R2: Bill(total = 0.3333333333333333333333333333) and RestaurantInfo(name = "a\u{202e}b \"#} \\ \u{0}") -> Odd
R3: Exact and Bill(payee = $who) -> Done
"##;
        let checked = check::specification(&Source::new("odd.intent", text), &vocabulary, &limits);
        let specification = Arc::new(checked.unwrap_or_else(|problems| panic!("{problems}")).specification);
        let generated = Generated::of(&specification, &[], &setting()).unwrap();
        let (trace, files) = (generated.to_trace(), RustFiles { app: "a", spec: "b", policies: &[] });
        for text in [&trace, &generated.to_rust(&files)] {
            assert!(!text.contains('\u{202e}') && !text.contains('\0'), "{text}");
        }
        assert!(trace.contains("28.000000000000000000000000015"), "{trace}");
        let suite = Suite::read(&Source::new("tests", trace), &limits).unwrap();
        let files = Files { app: ("app.json", APP), spec: ("odd.intent", text), policies: &[] };
        assert!(suite.play(|| files.session()).unwrap().iter().all(|result| result.failures.is_empty()));
    }

    /// A parameter that nobody declares is no bug of the solver.
    #[test]
    fn parameters_are_checked_first() {
        let specification =
            specification("examples/restaurant/app.json", "examples/restaurant/reserve.intent");
        let parameters =
            vec![("nope".to_owned(), intentgate::engine::compile::bind::Given::Spelled("3".to_owned()))];
        let error = Generated::of(&specification, &[], &Setting { parameters, ..setting() }).unwrap_err();
        assert!(error.to_string().starts_with("E0322"), "{error}");
    }

    /// Few traces notice little.
    #[test]
    fn what_given_traces_leave_open() {
        let specification =
            specification("examples/restaurant/app.json", "examples/restaurant/reserve.intent");
        let trace = read("examples/restaurant/trace.jsonl");
        let suite = Suite::read(&Source::new("trace.jsonl", trace), &Limits::default()).unwrap();
        insta::assert_snapshot!(Mutation::of(&specification, &[], &setting(), &[suite]).unwrap());
    }

    /// Every test that is written has been played: a gate that sees it otherwise is an error.
    #[test]
    fn the_gate_agrees_with_every_test() {
        let limits = Limits::default();
        let vocabulary = Arc::new(Vocabulary::from_json(&Source::new("app", random::APP), &limits).unwrap());
        let (mut tests, mut missing) = (0, 0);
        for seed in 0..120 {
            let mut dice = Dice::new(seed ^ 0x7e57);
            let text = random::specification(&mut dice);
            let policy = dice.chance(40).then(|| random::policy(&mut dice));
            let Ok(checked) = check::specification(&Source::new("spec", text.as_str()), &vocabulary, &limits)
            else {
                continue;
            };
            let policies = policy.iter().filter_map(|text| {
                let checked =
                    check::policy(&Source::new("policy", text.as_str()), &vocabulary, &limits).ok()?;
                Some(Arc::new(checked.specification))
            });
            let policies: Vec<Arc<Specification>> = policies.collect();
            let bounds = Bounds { steps: 20_000, checks: 60, ..Bounds::default() };
            let setting = Setting { bounds, ..setting() };
            let generated = Generated::of(&Arc::new(checked.specification), &policies, &setting);
            let generated = generated
                .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}{}", policy.unwrap_or_default()));
            tests += generated.len();
            missing += generated.missing.len();
        }
        assert!(tests > 1_000 && missing < tests, "{tests} {missing}");
    }
}
