//! Properties of the language: print and parse are inverse, both forms are equivalent, nothing panics.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking, and say where"
)]

use chrono::{NaiveDate, NaiveTime};
use intentgate_engine::json::de::Spanned;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::span::Source;
use intentgate_engine::syntax::{self, Spelling, ast};
use intentgate_engine::{check, json};
use proptest::prelude::*;
use rust_decimal::Decimal;
use std::sync::Arc;

fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(value, Default::default())
}

/// Names, some of them words of the language.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z_][A-Za-z0-9_]{1,8}",
        "[a-zé]{1,4}",
        Just("größe".to_owned()),
        Just("状態".to_owned()),
        prop::sample::select(vec!["in", "not", "and", "contains", "standing", "today", "true", "pm", "or"])
            .prop_map(str::to_owned),
    ]
    .prop_filter("`_` alone is no name", |name| !name.trim_matches('_').is_empty() || name.len() > 1)
}

/// Names outside of parentheses.
fn outer_name() -> impl Strategy<Value = String> {
    name().prop_filter("words of the language", |name| name != "and" && name != "not")
}

/// Names that are read as names where a value stands.
fn enumerator() -> impl Strategy<Value = String> {
    name().prop_filter("words that are values", |name| {
        !matches!(name.as_str(), "true" | "false" | "today" | "tomorrow" | "yesterday")
    })
}

fn element() -> impl Strategy<Value = ast::Operand> {
    prop_oneof![
        any::<String>().prop_map(ast::Operand::Text),
        ".{0,12}".prop_map(ast::Operand::Text),
        (any::<i64>(), 0u32..20).prop_map(|(units, scale)| ast::Operand::Number(Decimal::new(units, scale))),
        any::<bool>().prop_map(ast::Operand::Boolean),
        (1i32..=9999, 1u32..=366)
            .prop_filter_map("a day", |(year, day)| NaiveDate::from_yo_opt(year, day))
            .prop_map(ast::Operand::Date),
        (-9_999i64..9_999).prop_map(ast::Operand::Today),
        (0u32..86_400, prop_oneof![Just(0u32), 0u32..1_000_000_000])
            .prop_filter_map("a time", |(s, n)| NaiveTime::from_num_seconds_from_midnight_opt(s, n))
            .prop_map(ast::Operand::Time),
        enumerator().prop_map(ast::Operand::Name),
        name().prop_map(ast::Operand::Parameter),
    ]
}

fn operand() -> impl Strategy<Value = ast::Operand> {
    prop_oneof![
        6 => element(),
        1 => (name(), name()).prop_map(|(state, variable)| {
            ast::Operand::Variable(ast::Path { state: spanned(state), variable: spanned(variable) })
        }),
        1 => prop::collection::vec(element().prop_map(spanned), 0..4).prop_map(ast::Operand::List),
    ]
}

fn constraint() -> impl Strategy<Value = ast::Constraint> {
    (name(), prop::sample::select(ast::Operator::ALL.to_vec()), operand()).prop_map(
        |(variable, operator, operand)| ast::Constraint {
            variable: spanned(variable),
            operator: spanned(operator),
            operand: spanned(operand),
        },
    )
}

fn predicate() -> impl Strategy<Value = ast::Predicate> {
    prop_oneof![
        outer_name().prop_map(|name| ast::Predicate::Objective(spanned(name))),
        (outer_name(), prop::collection::vec(constraint().prop_map(spanned), 0..4)).prop_map(
            |(name, constraints)| {
                ast::Predicate::State(ast::StatePredicate { name: spanned(name), constraints })
            }
        ),
    ]
}

fn rule() -> impl Strategy<Value = ast::Rule> {
    (prop::option::of(outer_name()), prop::collection::vec(predicate().prop_map(spanned), 1..4), outer_name())
        .prop_map(|(label, body, head)| ast::Rule { label: label.map(spanned), body, head: spanned(head) })
}

fn specification() -> impl Strategy<Value = ast::Specification> {
    (any::<bool>(), prop::collection::vec(rule().prop_map(spanned), 0..5))
        .prop_map(|(standing, rules)| ast::Specification { standing: spanned(standing), rules })
}

fn read(text: &str) -> ast::Specification {
    let parsed = syntax::parse(&Source::new("t", text), &Limits::default());
    assert!(!parsed.problems.has_errors(), "{text}\n{}", parsed.problems);
    parsed.specification
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_parsing_are_inverse(tree in specification()) {
        for spelling in [Spelling::Ascii, Spelling::Mathematical] {
            let text = tree.print(spelling);
            prop_assert_eq!(&read(&text), &tree, "{}", text);
        }
    }

    #[test]
    fn the_json_form_is_equivalent(tree in specification()) {
        let text = syntax::json::print(&tree);
        let located = syntax::json::parse(&Source::new("t", text.as_str()), &Limits::default());
        prop_assert_eq!(&located.unwrap(), &tree, "{}", text);
        // serde_json reads the same, without places.
        let plain: ast::Specification = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&plain, &tree, "{}", text);
    }

    #[test]
    fn formatting_keeps_the_meaning_and_is_stable(tree in specification(), comment in "[^\\n\\r]{0,12}") {
        let text = tree.print(Spelling::Ascii).replace(" and ", &format!(" # {comment}\n and\n\n "));
        let source = Source::new("t", text.as_str());
        let parsed = syntax::parse(&source, &Limits::default());
        // A text of the tree may hold ` and `, which no comment may be put into.
        prop_assume!(!parsed.problems.has_errors() && parsed.specification == tree);
        let formatted = syntax::format::format(&source, &parsed, Spelling::Ascii);
        prop_assert_eq!(&read(&formatted), &tree);
        let again = Source::new("t", formatted.as_str());
        let twice = syntax::format::format(&again, &syntax::parse(&again, &Limits::default()), Spelling::Ascii);
        prop_assert_eq!(twice, formatted);
    }

    #[test]
    fn no_text_makes_anything_panic(text in any::<String>(), noise in "[A-Za-z0-9 ()=<>~,.:\"'#$\\[\\]{}\\-\\n→∧≤≠]{0,200}") {
        for text in [text, noise] {
            survive(&text);
        }
    }

    #[test]
    fn no_damaged_specification_makes_anything_panic(
        tree in specification(), at in any::<prop::sample::Index>(), junk in any::<char>(), cut in any::<bool>(),
    ) {
        let text = tree.print(Spelling::Ascii);
        let place = at.index(text.len() + 1);
        let place = (0..=place).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let (before, after) = text.split_at(place);
        survive(&if cut { before.to_owned() } else { format!("{before}{junk}{after}") });
        // Every other place of the JSON form, cut.
        let form = syntax::json::print(&tree);
        let place = (0..=at.index(form.len() + 1)).rev().find(|at| form.is_char_boundary(*at)).unwrap_or(0);
        survive(&form[..place]);
    }

    #[test]
    fn json_is_read_as_serde_json_reads_it(text in "[\\[\\]{}:,\"a0-9.eE+\\- \\\\untrlsf]{0,24}") {
        let ours = json::parse(&Source::new("t", text.as_str()), &Limits::default());
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => prop_assert!(same(ours, theirs), "{}", text),
            (Err(_), Err(_)) => {}
            // Ours refuses duplicate keys, theirs refuses numbers beyond a float.
            (Err(problems), Ok(_)) => prop_assert!(problems.items().iter().all(|p| p.code().as_str() == "E0202")),
            (Ok(_), Err(error)) => prop_assert!(error.to_string().contains("number out of range"), "{}: {}", text, error),
        }
    }
}

fn same(ours: &json::Node, theirs: &serde_json::Value) -> bool {
    use json::Kind;
    match (&ours.kind, theirs) {
        (Kind::Null, serde_json::Value::Null) => true,
        (Kind::Boolean(a), serde_json::Value::Bool(b)) => a == b,
        (Kind::Number(text), serde_json::Value::Number(number)) => {
            text.parse::<f64>().ok() == number.as_f64()
        }
        (Kind::String(a), serde_json::Value::String(b)) => a == b,
        (Kind::Array(a), serde_json::Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Kind::Object(a), serde_json::Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|m| b.get(&m.key).is_some_and(|value| same(&m.value, value)))
        }
        _ => false,
    }
}

/// Reads a text as everything that it could be, and renders what is wrong with it.
fn survive(text: &str) {
    let limits = Limits::default();
    let source = Source::new("t", text);
    let vocabulary = Source::new("app", r#"{"name": "A", "description": "", "variables": [{"t": "Text"}]}"#);
    let vocabulary = Arc::new(Vocabulary::from_json(&vocabulary, &limits).unwrap());
    let parsed = syntax::parse(&source, &limits);
    let _ = parsed.problems.to_string();
    let _ = syntax::format::format(&source, &parsed, Spelling::Ascii);
    for checked in
        [check::specification(&source, &vocabulary, &limits), check::policy(&source, &vocabulary, &limits)]
    {
        if let Err(problems) = checked {
            assert!(!problems.to_string().is_empty());
            let _ = problems.to_json();
        }
    }
    if let Err(problems) = Vocabulary::from_json(&source, &limits) {
        assert!(!problems.to_string().is_empty());
    }
}
