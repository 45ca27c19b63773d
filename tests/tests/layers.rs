//! The layers: arrows only point down. Each sentence of the architecture is a line here.

use intentgate_tests::root;
use std::path::{Path, PathBuf};

/// Every source file below a folder, with its text, comments taken out.
fn sources(folder: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    assert!(!found.is_empty(), "no sources in {folder}");
    let code = |text: String| {
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
    };
    found
        .into_iter()
        .map(|path| {
            let text = code(std::fs::read_to_string(&path).unwrap());
            (path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(), text)
        })
        .collect()
}

/// Files below `folder` in which one of `words` stands, but for those below one of `allowed`.
fn users(folder: &str, words: &[&str], allowed: &[&str]) -> Vec<String> {
    sources(folder)
        .into_iter()
        .filter(|(path, text)| {
            !allowed.iter().any(|allowed| path.starts_with(allowed))
                && words.iter().any(|word| text.contains(word))
        })
        .map(|(path, _)| path)
        .collect()
}

fn nobody(folder: &str, words: &[&str], allowed: &[&str]) {
    let users = users(folder, words, allowed);
    assert!(users.is_empty(), "{words:?} in {users:?}");
}

/// The crates of this project that a manifest names under `[dependencies]`.
fn dependencies(manifest: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(manifest)).unwrap();
    let section = text.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    section
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| name.starts_with("intentgate"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn crates_depend_downwards_only() {
    assert!(dependencies("engine/Cargo.toml").is_empty());
    assert_eq!(dependencies("macros/Cargo.toml"), ["intentgate-engine"]);
    assert_eq!(dependencies("runtime/Cargo.toml"), ["intentgate-engine", "intentgate-macros"]);
    assert_eq!(dependencies("cli/Cargo.toml"), ["intentgate"]);
    assert_eq!(dependencies("examples/Cargo.toml"), ["intentgate"]);
}

#[test]
fn the_engine_and_the_runtime_do_no_io() {
    const IO: &[&str] =
        &["std::fs", "std::net", "std::process", "std::env", "println!", "print!", "stdin()", "stdout()"];
    // What is outside of the program: a socket, a process, a server, another planner.
    const OUTSIDE: &[&str] = &[
        "runtime/src/executor/device/adb.rs",
        "runtime/src/executor/device/command.rs",
        "runtime/src/language_model/client",
        "runtime/src/planner/external.rs",
        "runtime/src/process.rs",
        // Knowledge lasts in a file.
        "runtime/src/executor/knowledge/store.rs",
    ];
    nobody("engine/src", IO, &[]);
    nobody("runtime/src", IO, OUTSIDE);
    // A macro reads the file that it includes.
    nobody("macros/src", IO, &["macros/src/spec/included.rs"]);
    // Time comes from a clock, and there is one.
    nobody("engine/src", &["Utc::now", "Local::now", "SystemTime", "Instant"], &[]);
    nobody(
        "runtime/src",
        &["Utc::now", "Local::now", "SystemTime", "Instant"],
        // A device counts how long it has waited, and so does who waits for another planner or a model.
        &[
            "runtime/src/session/clock.rs",
            "runtime/src/executor/device/adb.rs",
            "runtime/src/planner/external.rs",
            "runtime/src/language_model/client",
        ],
    );
}

#[test]
fn libraries_are_used_where_they_belong() {
    nobody("engine/src", &["nom::"], &["engine/src/syntax"]);
    nobody("engine/src", &["strsim::"], &["engine/src/suggest.rs", "engine/src/text/similar"]);
    nobody("engine/src", &["annotate_snippets"], &["engine/src/diagnostic/render.rs"]);
    nobody("engine/src", &["unicode_security"], &["engine/src/text/lookalike.rs"]);
    nobody("runtime/src", &["annotate_snippets", "nom::"], &[]);
    nobody("runtime/src", &["strsim::", "snowball_stemmers_rs::"], &["runtime/src/planner/select/words.rs"]);
    nobody(
        "runtime/src",
        &["roxmltree"],
        &["runtime/src/planner/import/iccbot.rs", "runtime/src/executor/screen/uiautomator.rs"],
    );
    nobody("runtime/src", &["ureq", "secrecy", "futures_channel"], &["runtime/src/language_model/client"]);
    for folder in ["engine/src", "macros/src", "runtime/src", "cli/src"] {
        nobody(folder, &["z3::"], &["engine/src/solve"]);
    }
}

#[test]
fn macros_know_the_language_and_no_sessions() {
    const LATER: &[&str] =
        &["intentgate_engine::compile", "intentgate_engine::eval", "intentgate_engine::solve"];
    nobody("macros/src", LATER, &[]);
    // What they emit names one door of the runtime and `core`, and nothing of `std`.
    nobody("macros/src", &["::std::"], &[]);
    nobody("macros/src", &["intentgate::"], &[]);
}

#[test]
fn language_models_know_nothing_above_them() {
    const ABOVE: &[&str] = &[
        "crate::session",
        "crate::gate",
        "crate::planner",
        "crate::action",
        "crate::typed",
        "crate::intent",
    ];
    nobody("runtime/src/language_model", ABOVE, &[]);
    // The encoder and the planner don't know each other.
    nobody("runtime/src/intent", &["crate::planner", "planner::"], &[]);
    nobody("runtime/src/planner", &["crate::intent", "intent::"], &[]);
    // Selection is about names: one file lists those of a model.
    const GRAPHS: &[&str] = &["Model}", "planner::Model", "super::super", "Transition", "Session"];
    nobody("runtime/src/planner/select", GRAPHS, &["runtime/src/planner/select/pages.rs"]);
}

#[test]
fn only_the_checker_knows_both_trees() {
    const BOTH: &[&str] = &["engine/src/check"];
    let both = |(path, text): &(String, String)| {
        // The solver's own syntax trees are others.
        let text = text.replace("z3::ast::", "");
        let tree = text.contains("ast::") || text.contains("syntax::");
        let typed = text.contains("crate::ir") || text.contains("ir::");
        tree && typed && !BOTH.iter().any(|allowed| path.starts_with(allowed))
    };
    let both: Vec<String> = sources("engine/src").into_iter().filter(both).map(|(path, _)| path).collect();
    assert!(both.is_empty(), "{both:?}");
}

#[test]
fn stages_look_back_only() {
    // In the order of the pipeline: none may name a later one.
    const STAGES: &[(&str, &[&str])] = &[
        (
            "engine/src/span.rs",
            &["diagnostic", "text", "value", "json", "schema", "syntax", "ir", "check", "compile", "eval"],
        ),
        (
            "engine/src/truth.rs",
            &["diagnostic", "text", "value", "json", "schema", "syntax", "ir", "check", "compile", "eval"],
        ),
        ("engine/src/text", &["value", "json", "schema", "syntax", "ir", "check", "compile", "eval"]),
        ("engine/src/value.rs", &["json", "schema", "syntax", "ir", "check", "compile", "eval"]),
        ("engine/src/json", &["schema", "syntax", "ir", "check", "compile", "eval"]),
        ("engine/src/schema", &["syntax", "ir", "check", "compile", "eval"]),
        ("engine/src/syntax", &["schema", "ir", "check", "compile", "eval"]),
        ("engine/src/ir", &["syntax", "check", "compile", "eval"]),
        ("engine/src/check", &["compile", "eval"]),
        ("engine/src/compile", &["check", "eval"]),
        ("engine/src/boundary.rs", &["syntax", "check", "eval", "solve", "analysis"]),
        ("engine/src/eval", &["syntax", "check", "solve", "analysis"]),
        ("engine/src/solve", &["syntax", "check", "eval", "analysis"]),
        ("engine/src/analysis", &["syntax", "check"]),
    ];
    for (stage, later) in STAGES {
        for (path, text) in sources("engine/src").into_iter().filter(|(path, _)| path.starts_with(stage)) {
            for name in *later {
                assert!(!text.contains(&format!("crate::{name}")), "{path} names {name}");
            }
        }
    }
}

#[test]
fn every_library_forbids_unsafe_code_and_every_module_says_what_it_is() {
    for root_file in ["engine/src/lib.rs", "macros/src/lib.rs", "runtime/src/lib.rs", "cli/src/main.rs"] {
        let text = std::fs::read_to_string(root().join(root_file)).unwrap();
        assert!(text.contains("#![forbid(unsafe_code)]"), "{root_file}");
    }
    for folder in ["engine/src", "macros/src", "runtime/src", "cli/src", "tests/tests", "benches/src"] {
        for (path, _) in sources(folder) {
            let text = std::fs::read_to_string(root().join(&path)).unwrap();
            assert!(text.starts_with("//! "), "{path} does not say what it is");
        }
    }
}
