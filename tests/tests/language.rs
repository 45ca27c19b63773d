//! The examples of `docs/language.md` are what they say: its vocabulary loads, its rules check.

use intentgate::engine::check;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate_tests::{APP, Case, root};
use std::sync::Arc;

/// The fenced blocks of a kind.
fn blocks<'t>(text: &'t str, kind: &str) -> Vec<&'t str> {
    let fence = format!("```{kind}\n");
    text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/language.md")).unwrap()
}

#[test]
fn every_block_of_rules_checks() {
    let (page, limits) = (page(), Limits::default());
    let shop = blocks(&page, "json")[0];
    let vocabularies: Vec<Arc<Vocabulary>> = [shop, APP]
        .iter()
        .map(|text| Arc::new(Vocabulary::from_json(&Source::new("app.json", *text), &limits).unwrap()))
        .collect();
    let rules = blocks(&page, "text");
    assert!(rules.len() >= 6, "{}", rules.len());
    for text in rules {
        let source = Source::new("example.intent", text);
        let fine = vocabularies.iter().any(|vocabulary| {
            check::specification(&source, vocabulary, &limits).is_ok()
                || check::policy(&source, vocabulary, &limits).is_ok()
        });
        assert!(fine, "{text}");
    }
}

#[test]
fn a_lone_branch_for_nothing_draws_advice_as_the_page_says() {
    let page = page();
    let lone = blocks(&page, "text").into_iter().find(|text| text.contains("available = false")).unwrap();
    let step = r#"{"propose": {"action": "look", "update": {"ReserveInfo": {"available": true}}}}"#;
    let verdicts = |spec: String| {
        let case =
            Case { app: APP.to_owned(), spec: Some(spec), trace: Some(step.to_owned()), ..Case::default() };
        case.run().verdicts
    };
    assert_eq!(verdicts(lone.to_owned()), ["advise"]);
    let mended = lone.replace("(name = \"R\")", "(name = \"R\") and ReserveInfo(available = true)");
    assert_eq!(verdicts(mended), ["allow"]);
}

#[test]
fn the_limits_are_those_of_the_page() {
    let (page, limits) = (page(), Limits::default());
    let table = page.split("## Limits").nth(1).unwrap();
    for (what, value) in [
        ("bytes of a file", format!("{} MiB", limits.bytes >> 20)),
        ("bytes of a line of a live session", format!("{} MiB", limits.line >> 20)),
        ("rules of a specification", grouped(limits.rules)),
        ("predicates of a rule", grouped(limits.predicates)),
        ("constraints of a predicate", grouped(limits.constraints)),
        ("elements of a list", grouped(limits.elements)),
        ("depth of JSON", limits.nesting.to_string()),
        ("bytes of a text or a name", format!("{} KiB", limits.text >> 10)),
        ("different texts that a session remembers", grouped(limits.texts)),
    ] {
        assert!(table.contains(&format!("| {what} | {value} |")), "{what}: {value}");
    }
}

/// A number with commas between thousands.
fn grouped(number: usize) -> String {
    if number < 1_000 { number.to_string() } else { format!("{},{:03}", number / 1_000, number % 1_000) }
}
