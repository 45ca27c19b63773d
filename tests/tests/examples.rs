//! The examples that ship: each row of a folder's `expected.txt` comes out as it says.
//!
//! A row is `trace | spec | policies | options | exit status | verdicts | task`: policies with commas
//! between them, options with semicolons, `-` for none. A specification `name.intent` belongs to the
//! vocabulary `name.app.json` if there is one, and to `app.json` if not.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use intentgate::engine::check;
use intentgate::engine::diagnostic::Code;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::engine::syntax::{self, Spelling, format::format};
use intentgate::session::replay::replay;
use intentgate_tests::{Case, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A row of `expected.txt`.
struct Row {
    trace: String,
    spec: String,
    policies: Vec<String>,
    options: Vec<String>,
    status: String,
    verdicts: String,
    task: String,
}

fn rows(folder: &Path) -> Vec<Row> {
    let list = |text: &str, separator: char| -> Vec<String> {
        text.split(separator).map(|part| part.trim().to_owned()).filter(|part| part != "-").collect()
    };
    let table = read(&folder.join("expected.txt"));
    let lines = table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [trace, spec, policies, options, status, verdicts, task] = cells[..] else {
                panic!("{}: not seven cells: {line}", folder.display());
            };
            Row {
                trace: trace.to_owned(),
                spec: spec.to_owned(),
                policies: list(policies, ','),
                options: list(options, ';'),
                status: status.to_owned(),
                verdicts: verdicts.to_owned(),
                task: task.to_owned(),
            }
        })
        .collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders with a table, in the order of their names.
fn folders() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("examples")).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("expected.txt").is_file());
    folders.sort();
    assert!(folders.len() >= 5, "only {folders:?}");
    folders
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The names of the files with an ending.
fn files(folder: &Path, ending: &str) -> BTreeSet<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| name(&entry.unwrap().path()));
    names.filter(|name| name.ends_with(ending)).collect()
}

/// The vocabulary of a specification.
fn app(folder: &Path, spec: &str) -> PathBuf {
    let own = folder.join(spec.replace(".intent", ".app.json"));
    if own.is_file() { own } else { folder.join("app.json") }
}

#[test]
fn every_trace_comes_out_as_its_table_says() {
    for folder in folders() {
        for row in rows(&folder) {
            let place = format!("{}/{}", name(&folder), row.trace);
            let case = Case {
                app: read(&app(&folder, &row.spec)),
                spec: Some(read(&folder.join(&row.spec))),
                policies: row.policies.iter().map(|policy| read(&folder.join(policy))).collect(),
                trace: Some(read(&folder.join(&row.trace))),
                options: row.options,
            };
            let outcome = case.run();
            assert!(!outcome.failed, "{place}:\n{}", outcome.text);
            assert_eq!(outcome.verdicts.join(" "), row.verdicts, "{place}:\n{}", outcome.text);
            assert_eq!(if outcome.blocked { "1" } else { "0" }, row.status, "{place}: exit status");
            assert_eq!(if outcome.done { "complete" } else { "open" }, row.task, "{place}: task");

            let record = Source::new("record", outcome.record.join("\n"));
            let replayed = replay(&record, &Default::default());
            assert_eq!(replayed.unwrap(), outcome.record.len(), "{place} replays");

            let snapshot = format!("{}__{}", name(&folder), row.trace.trim_end_matches(".jsonl"));
            insta::with_settings!({omit_expression => true, prepend_module_to_snapshot => false}, {
                insta::assert_snapshot!(snapshot, outcome.text);
            });
        }
    }
}

#[test]
fn every_file_is_in_its_table() {
    for folder in folders() {
        let rows = rows(&folder);
        let traces: BTreeSet<String> = rows.iter().map(|row| row.trace.clone()).collect();
        let mut found = files(&folder, ".jsonl");
        // Test files say themselves what they expect: `suites.rs`.
        found.retain(|name| !name.ends_with(".tests.jsonl"));
        assert_eq!(traces, found, "{}", folder.display());
        let used = rows.iter().flat_map(|row| row.policies.iter().chain([&row.spec])).cloned();
        assert_eq!(used.collect::<BTreeSet<_>>(), files(&folder, ".intent"), "{}", folder.display());
    }
}

#[test]
fn the_page_has_the_command_of_every_row() {
    let page = read(&root().join("examples/README.md"));
    for folder in folders() {
        for row in rows(&folder) {
            let app = name(&app(&folder, &row.spec));
            let mut command = format!("intentgate run --app {app} --spec {}", row.spec);
            for policy in &row.policies {
                command.push_str(&format!(" --policy {policy}"));
            }
            for option in &row.options {
                command.push_str(&match (option.strip_prefix("param "), option.split_once('=')) {
                    (Some(given), _) if given.contains(' ') => format!(" --param \"{given}\""),
                    (Some(given), _) => format!(" --param {given}"),
                    (None, Some((name, value))) => format!(" --{name} {value}"),
                    (None, None) => format!(" --{option}"),
                });
            }
            assert!(page.contains(&format!("`{command} {}`\n", row.trace)), "{command} {}", row.trace);
        }
    }
}

#[test]
fn every_intent_and_policy_is_checked_and_canonical() {
    let limits = Default::default();
    for folder in folders() {
        let policies: BTreeSet<String> = rows(&folder).into_iter().flat_map(|row| row.policies).collect();
        for spec in files(&folder, ".intent") {
            let path = folder.join(&spec);
            let app = Source::new("app.json", read(&app(&folder, &spec)));
            let vocabulary = Arc::new(Vocabulary::from_json(&app, &limits).unwrap());
            let source = Source::new(spec.as_str(), read(&path));
            let checked = if policies.contains(&spec) {
                check::policy(&source, &vocabulary, &limits)
            } else {
                check::specification(&source, &vocabulary, &limits)
            };
            let warnings = checked.unwrap_or_else(|problems| panic!("{problems}")).warnings;
            // An app has actions that one intent doesn't need: the note on them is meant.
            let meant = |code| code == Code::NeverPermitted;
            assert!(warnings.items().iter().all(|item| meant(item.code())), "{warnings}");

            let parsed = syntax::parse(&source, &limits);
            assert_eq!(format(&source, &parsed, Spelling::Ascii), source.text(), "{}", path.display());
        }
    }
}
