//! Exported grammars, read again as text: whatever they produce passes the checker, but for the errors
//! that they say can remain, and they accept every intent that ships.

use chrono::NaiveDate;
use intentgate::engine::check;
use intentgate::engine::diagnostic::{Code, Severity};
use intentgate::engine::ir::{Head, Kind, Objective, Specification};
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::engine::syntax::{self, Spelling};
use intentgate::intent::grammar::{Form, Grammar, Options, Parameters, milestone_names};
use intentgate_tests::command::run;
use intentgate_tests::exported::schema::Schema;
use intentgate_tests::exported::{self, gbnf, lark};
use intentgate_tests::random::Dice;
use intentgate_tests::shipped::{shipped, vocabulary};
use intentgate_tests::{APP, root};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The errors of a text, or of a JSON form.
fn errors(vocabulary: &std::sync::Arc<Vocabulary>, kind: Kind, text: &str) -> BTreeSet<Code> {
    let source = Source::new("produced", text);
    let limits = Limits::default();
    let checked = match kind {
        Kind::Policy => check::policy(&source, vocabulary, &limits),
        _ => check::specification(&source, vocabulary, &limits),
    };
    let problems = match checked {
        Ok(checked) => {
            assert_eq!(checked.specification.kind(), kind, "{text}");
            return BTreeSet::new();
        }
        Err(problems) => problems,
    };
    let errors = problems.items().iter().filter(|item| item.severity() == Severity::Error);
    errors.map(|item| item.code()).collect()
}

/// Produces from the three forms; every error is one that is said to remain.
fn produce(
    vocabulary: &std::sync::Arc<Vocabulary>,
    options: &Options,
    dice: &mut Dice,
    count: usize,
) -> usize {
    let grammar = Grammar::new(vocabulary, options.clone()).unwrap();
    let texts = [gbnf::read(&grammar.gbnf()), lark::read(&grammar.lark())];
    let schema = Schema::read(&grammar.json_schema());
    let (text_codes, json_codes) = (grammar.remaining(Form::Text), grammar.remaining(Form::Json));
    let mut fine = 0;
    for round in 0..count {
        let (produced, remaining) = match round % 3 {
            2 => {
                let value = schema.produce(dice);
                assert!(schema.accepts(&value), "{value}");
                (value.to_string(), &json_codes)
            }
            which => {
                let produced = texts[which].produce(dice);
                if produced.len() < 400 {
                    assert!(texts[1 - which].accepts(&produced), "the forms differ: {produced}");
                }
                (produced, &text_codes)
            }
        };
        let found = errors(vocabulary, options.kind, &produced);
        let wrong: Vec<&Code> = found.iter().filter(|code| !remaining.contains(code)).collect();
        assert!(wrong.is_empty(), "{wrong:?} beside {remaining:?}:\n{produced}");
        fine += usize::from(found.is_empty());
    }
    fine
}

fn options(vocabulary: &Vocabulary, dice: &mut Dice) -> Options {
    let kind = [Kind::Intent, Kind::Intent, Kind::Standing, Kind::Policy][dice.below(4)];
    let milestones = if kind == Kind::Policy { 0 } else { dice.below(4) };
    Options {
        kind,
        milestones: milestone_names(vocabulary, milestones),
        labels: dice.chance(30),
        parameters: if dice.chance(50) { Parameters::ByType } else { Parameters::None },
    }
}

/// Vocabularies with everything that is hard to quote, and names that are words of the language.
const EXOTIC: &[&str] = &[
    r##"{"app": "Odd \" \\ \n # */ //", "states": [
        {"name": "standing", "description": "", "variables": [
            {"in": "Text"}, {"not": "Number"}, {"and": "Date"}, {"contains": "Time"}, {"true": "Boolean"},
            {"name": "today", "type": "Enum", "ordered": true, "values":
                ["true", "today", "not", "a \"b\"", "c\\d", "e\nf", "$p", "[x]", "ünïcode", "中文", "g # h", "/", "'", "a-b", "x\u200by", " "]}]},
        {"name": "Größe", "description": "", "variables": [{"länge": "Number"}, {"длина": "Text"}]},
        {"name": "形", "description": "", "variables": [{"名": "Text"}]},
        {"name": "Empty", "description": "", "variables": []}],
      "actions": ["Go", {"name": "M1", "arguments": [{"today": "Date"}]}, {"name": "Milestone2"}, {"name": "contains", "arguments": [{"n": "Number"}]}]}"##,
    r#"{"app": "", "actions": [{"name": "Only", "arguments": [{"flag": "Boolean"}]}]}"#,
    r#"[{"name": "Alone", "description": "", "variables": [{"word": "Text"}]}]"#,
    r#"{"app": "Many", "states": [{"name": "S", "description": "", "variables": [{"n": "Number"}]}],
        "actions": ["A1", "B2", "C3", "D4", "E5", "F6", "G7", "H8"]}"#,
];

#[test]
fn what_the_shipped_vocabularies_let_produce_passes() {
    let dice = &mut Dice::new(1);
    let (mut fine, mut all) = (0, 0);
    for (_, vocabulary, _) in shipped() {
        for _ in 0..4 {
            let options = options(&vocabulary, dice);
            fine += produce(&vocabulary, &options, dice, 90);
            all += 90;
        }
    }
    assert!(all > 4_000 && fine > all / 2, "{fine} of {all}");
}

#[test]
fn what_exotic_vocabularies_let_produce_passes() {
    let dice = &mut Dice::new(2);
    for text in EXOTIC {
        let vocabulary = vocabulary(text);
        for _ in 0..12 {
            let options = options(&vocabulary, dice);
            produce(&vocabulary, &options, dice, 60);
        }
    }
}

#[test]
fn a_small_app_without_labels_leaves_lists_alone() {
    let vocabulary = vocabulary(EXOTIC[1]);
    let options = Options { milestones: milestone_names(&vocabulary, 3), ..Options::default() };
    let grammar = Grammar::new(&vocabulary, options.clone()).unwrap();
    assert_eq!(grammar.remaining(Form::Text), []);
    assert_eq!(
        produce(&vocabulary, &options, &mut Dice::new(3), 600) / 100,
        4,
        "two forms of three are perfect"
    );
}

/// A random vocabulary as JSON.
fn random_app(dice: &mut Dice) -> String {
    const NAMES: &[&str] = &[
        "a", "in", "not", "and", "true", "today", "Done1", "straße", "数", "x_1", "standing", "contains",
        "pm", "e5",
    ];
    const VALUES: &[&str] =
        &["x", "true", "a b", "\"", "\\", "c\nd", "é", "数", "#", "->", "today + 1", "]", "\u{202e}"];
    let variables = |dice: &mut Dice| -> Vec<serde_json::Value> {
        let mut names: Vec<&str> = NAMES.to_vec();
        let count = dice.below(5);
        let each = (0..count).map(|_| {
            let name = names.remove(dice.below(names.len()));
            let kind = dice.pick(&["Text", "Number", "Boolean", "Date", "Time", "Enum"]);
            if kind != "Enum" {
                return serde_json::json!({name: kind});
            }
            let from = dice.below(VALUES.len() - 1);
            let values = &VALUES[from..(from + 1 + dice.below(4)).min(VALUES.len())];
            serde_json::json!({"name": name, "type": kind, "values": values, "ordered": dice.chance(50)})
        });
        each.collect()
    };
    let states: Vec<serde_json::Value> = ["S", "Größe", "standing2", "contains", "in"][..1 + dice.below(5)]
        .iter()
        .map(|name| serde_json::json!({"name": name, "description": "", "variables": variables(dice)}))
        .collect();
    let actions: Vec<serde_json::Value> = ["Go", "M1", "standing", "Zahlen"][..dice.below(5)]
        .iter()
        .map(|name| serde_json::json!({"name": name, "arguments": variables(dice)}))
        .collect();
    serde_json::json!({"app": "Random", "states": states, "actions": actions}).to_string()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_random_vocabularies_let_produce_passes(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let vocabulary = vocabulary(&random_app(dice));
        let options = options(&vocabulary, dice);
        match Grammar::new(&vocabulary, options.clone()) {
            Ok(_) => drop(produce(&vocabulary, &options, dice, 30)),
            Err(fault) => prop_assert_eq!(fault.code, Code::NothingToWrite),
        }
    }
}

/// The options that an intent needs, its own names among them.
fn options_of(specification: &Specification) -> Options {
    let heads = specification.rules().iter().filter_map(|rule| match rule.head() {
        Head::Objective(objective @ Objective::Milestone(_)) => Some(specification.objective_name(objective)),
        _ => None,
    });
    let mut milestones: Vec<String> = Vec::new();
    for name in heads {
        if !milestones.iter().any(|known| known == name) {
            milestones.push(name.to_owned());
        }
    }
    let parameters = specification.parameters().iter();
    let named = parameters.map(|parameter| (parameter.name().to_owned(), parameter.variable_type().clone()));
    Options {
        kind: specification.kind(),
        milestones,
        labels: true,
        parameters: Parameters::Named(named.collect()),
    }
}

fn checked(vocabulary: &std::sync::Arc<Vocabulary>, text: &str) -> Specification {
    let source = Source::new("shipped", text);
    let limits = Limits::default();
    let read = check::specification(&source, vocabulary, &limits);
    read.or_else(|_| check::policy(&source, vocabulary, &limits)).unwrap().specification
}

#[test]
fn every_intent_that_ships_is_accepted() {
    for (name, vocabulary, text) in shipped() {
        let specification = checked(&vocabulary, &text);
        let grammar = Grammar::new(&vocabulary, options_of(&specification)).unwrap();
        let mut tree = syntax::parse(&Source::new("shipped", text), &Limits::default()).specification;
        let canonical = tree.print(Spelling::Ascii);
        for (form, read) in [("gbnf", gbnf::read(&grammar.gbnf())), ("lark", lark::read(&grammar.lark()))] {
            assert!(read.accepts(&canonical), "{name} by {form}, after:\n{}", read.accepted_part(&canonical));
        }
        // A schema asks for a rule for `Done` first.
        tree.rules.sort_by_key(|rule| rule.value.head.value != "Done");
        let json = serde_json::from_str(&syntax::json::print(&tree)).unwrap();
        assert!(Schema::read(&grammar.json_schema()).accepts(&json), "{name}: {json}");
    }
}

#[test]
fn what_is_wrong_is_not_accepted() {
    let vocabulary = vocabulary(APP);
    let grammar = Grammar::new(&vocabulary, Options::default()).unwrap();
    let forms = [gbnf::read(&grammar.gbnf()), lark::read(&grammar.lark())];
    let accepted = |text: &str| forms.iter().all(|form| form.accepts(text));
    let refused = |text: &str| forms.iter().all(|form| !form.accepts(text));
    let fine = "RestaurantInfo(name = \"R\") -> Reserve\nReserve and ReserveInfo(date = today + 3) -> Done\n";
    assert!(accepted(fine), "{}", grammar.gbnf());
    for (right, wrong) in [
        ("RestaurantInfo", "RestarantInfo"),
        ("name", "nmae"),
        ("\"R\"", "R"),
        ("\"R\"", "\"R"),
        ("\"R\"", "5"),
        ("=", "<"),
        ("today + 3", "\"today\""),
        ("today + 3", "2026-02-29"),
        ("-> Done", "-> Never"),
        ("Reserve and ", "Reserved and "),
        ("Reserve and ", "Done and "),
        ("-> Reserve", "-> Milestone"),
        (" and ", " or "),
        ("RestaurantInfo(name = \"R\") -> Reserve\n", ""),
        ("RestaurantInfo(", "Reserve and RestaurantInfo("),
        ("today + 3)", "today + 3) -> Done\nReserve and ReserveInfo(date = today)) "),
    ] {
        assert!(fine.contains(right));
        let text = fine.replacen(right, wrong, 1);
        assert!(refused(&text), "{text}");
    }
}

#[test]
fn dates_are_those_of_the_calendar() {
    let vocabulary = vocabulary(EXOTIC[0]);
    let grammar = Grammar::new(&vocabulary, Options::default()).unwrap();
    let mut read = gbnf::read(&grammar.gbnf());
    read.start = "date-literal";
    for year in [999, 1000, 1100, 1200, 1900, 2000, 2023, 2024, 2026, 2028, 2096, 2100, 2400, 9996, 9999] {
        for (month, day) in (0..=13).flat_map(|month| (0..=32).map(move |day| (month, day))) {
            let exists = year > 999 && NaiveDate::from_ymd_opt(year, month, day).is_some();
            let text = format!("{year:04}-{month:02}-{day:02}");
            assert_eq!(read.accepts(&text), exists, "{text}");
        }
    }
}

#[test]
fn names_that_can_not_be_are_refused() {
    let vocabulary = vocabulary(EXOTIC[0]);
    let fault = |options: Options| Grammar::new(&vocabulary, options).unwrap_err().code;
    let milestones = |names: &[&str]| Options {
        milestones: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Options::default()
    };
    for names in [
        &["Go"][..],
        &["go"],
        &["Done"],
        &["done"],
        &["Größe"],
        &["größe"],
        &["a b"],
        &[""],
        &["X", "X"],
        &["X", "x"],
        &["X", "Х"],
        &["and"],
    ] {
        assert_eq!(fault(milestones(names)), Code::GrammarName, "{names:?}");
    }
    let named = |names: &[&str]| {
        let kind = intentgate::engine::schema::VariableType::Text;
        let named = names.iter().map(|name| ((*name).to_owned(), kind.clone())).collect();
        Options { parameters: Parameters::Named(named), ..Options::default() }
    };
    assert_eq!(fault(named(&["a b"])), Code::GrammarName);
    assert_eq!(fault(named(&["a", "a"])), Code::GrammarName);
    assert_eq!(fault(named(&["a", "а"])), Code::GrammarName);
    assert_eq!(fault(Options { kind: Kind::Policy, ..milestones(&["X"]) }), Code::GrammarName);
    assert_eq!(fault(milestones(&["X"; 65])), Code::GrammarName);
    // `M1` and `Milestone2` are actions here.
    assert_eq!(milestone_names(&vocabulary, 2), ["MilestoneX1", "MilestoneX2"]);
    assert_eq!(milestone_names(&vocabulary, 1), ["Milestone1"]);
}

#[test]
fn nothing_to_write_is_an_error() {
    let vocabulary = vocabulary(r#"{"app": "Door", "actions": ["Open"]}"#);
    let of = |kind: Kind| Grammar::new(&vocabulary, Options { kind, ..Options::default() });
    assert_eq!(of(Kind::Intent).unwrap_err().code, Code::NothingToWrite);
    assert_eq!(of(Kind::Standing).unwrap_err().code, Code::NothingToWrite);
    let policy = Options { kind: Kind::Policy, ..Options::default() };
    produce(&vocabulary, &policy, &mut Dice::new(4), 30);
}

#[test]
fn many_actions_are_not_kept_track_of() {
    let vocabulary = vocabulary(EXOTIC[3]);
    let grammar = Grammar::new(&vocabulary, Options::default()).unwrap();
    assert!(grammar.remaining(Form::Text).contains(&Code::Cycle));
    assert!(grammar.gbnf().len() < 5_000, "{}", grammar.gbnf().len());
}

#[test]
fn the_reader_of_the_tests_reads_what_it_says() {
    let read: exported::Grammar =
        gbnf::read("root ::= (\"a\" | [^b-c\\x5D]) \"\\\"\\\\\"{2,3} x?\nx ::= \"\\u00E9\"\n");
    let accepted: BTreeMap<&str, bool> =
        ["a\"\\\"\\", "d\"\\\"\\é", "b\"\\\"\\", "]\"\\\"\\", "a\"\\", "a\"\\\"\\\"\\\"\\"]
            .into_iter()
            .map(|text| (text, read.accepts(text)))
            .collect();
    assert_eq!(accepted.values().filter(|accepted| **accepted).count(), 2, "{accepted:?}");
    assert!(accepted["a\"\\\"\\"] && accepted["d\"\\\"\\é"]);
}

/// What Lark's own parser says of texts: whether it takes each; nothing where Python or Lark is not at hand.
fn lark_takes(grammar: &str, texts: &[String]) -> Option<Vec<bool>> {
    const SCRIPT: &str = "
import json, sys
try:
    import lark
except ImportError:
    sys.exit(3)
asked = json.load(sys.stdin)
parser = lark.Lark(asked['grammar'], parser='earley')
def takes(text):
    try:
        parser.parse(text)
        return True
    except lark.exceptions.LarkError:
        return False
print(json.dumps([takes(text) for text in asked['texts']]))
";
    let python = std::process::Command::new("python3")
        .args(["-c", SCRIPT])
        .env("PYTHONUTF8", "1")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn();
    let mut python = python.ok()?;
    let asked = serde_json::json!({"grammar": grammar, "texts": texts}).to_string();
    std::io::Write::write_all(&mut python.stdin.take().unwrap(), asked.as_bytes()).ok()?;
    let ended = python.wait_with_output().unwrap();
    match ended.status.code() {
        Some(0) => Some(serde_json::from_slice(&ended.stdout).unwrap()),
        Some(3) | Some(126..) | None => None,
        Some(other) => panic!("Lark fails with {other}"),
    }
}

#[test]
fn the_parser_of_lark_takes_what_the_grammar_produces() {
    let vocabulary = vocabulary(APP);
    let options = Options { parameters: Parameters::ByType, ..Options::default() };
    let text = Grammar::new(&vocabulary, options).unwrap().lark();
    let read = lark::read(&text);
    let dice = &mut Dice::new(6);
    let mut right: Vec<String> =
        (0..300).map(|_| read.produce(dice)).filter(|text| text.len() < 300).take(60).collect();
    for literal in ["0", "0.889", "-0.5", "8141.038", "12", "100"] {
        right.push(format!("RestaurantInfo(rating = {literal}) -> Done\n"));
    }
    for literal in
        ["today", "today + 25", "today - 2500", "today + 9", "tomorrow", "2024-02-29", "2026-11-30"]
    {
        right.push(format!("ReserveInfo(date in [{literal}]) -> Done\n"));
    }
    for literal in ["21:00:12", "12:30"] {
        right.push(format!("ReserveInfo(time < {literal}, time != 01:00) -> Done\n"));
    }
    let wrong: Vec<String> = right.iter().map(|text| text.replacen("(", "((", 1)).collect();
    assert!(right.iter().all(|text| read.accepts(text)));
    match lark_takes(&text, &[right.clone(), wrong].concat()) {
        Some(taken) => {
            for (number, text) in right.iter().enumerate() {
                assert!(taken[number], "{text}");
            }
            assert!(
                taken[right.len()..].iter().zip(&right).all(|(taken, text)| !taken || !text.contains('('))
            );
        }
        None => eprintln!("python3 with the package lark is not at hand: its parser was not asked"),
    }
}

#[test]
fn as_a_command() {
    let app = root().join("examples/restaurant/app.json").to_str().unwrap().to_owned();
    let shown = |arguments: &[&str]| {
        let mut all = vec!["grammar", "--app", &app];
        all.extend(arguments);
        let ended = run(&all, b"");
        format!("$ {}\n{}{}({})\n", arguments.join(" "), ended.out, ended.err, ended.status)
    };
    insta::assert_snapshot!(shown(&["--milestones", "1", "--labels"]));
    insta::assert_snapshot!(shown(&["--as", "lark", "--params", "--kind", "standing"]));
    insta::assert_snapshot!(shown(&["--as", "json-schema", "--milestone", "Free"]));
    insta::assert_snapshot!(shown(&["--kind", "policy"]));
    insta::assert_snapshot!(shown(&["--milestone", "Reserve"]) + &shown(&["--milestones", "100000000000"]));
}
