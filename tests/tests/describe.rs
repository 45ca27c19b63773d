//! Descriptions: over everything that ships, complete, and different wherever specifications are.

use intentgate::engine::check;
use intentgate::engine::compile::bind::Given;
use intentgate::engine::diagnostic::Code;
use intentgate::engine::ir::{Kind, Specification};
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::engine::syntax::{self, ast};
use intentgate::intent::describe::{Describer, Description};
use intentgate_tests::command::run;
use intentgate_tests::random::{self, Dice};
use intentgate_tests::shipped::{shipped, vocabulary};
use intentgate_tests::{APP, root};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

static RANDOM: LazyLock<Arc<Vocabulary>> = LazyLock::new(|| vocabulary(random::APP));

fn checked(vocabulary: &Arc<Vocabulary>, name: &str, text: &str) -> Option<Specification> {
    let source = Source::new(name, text);
    let read = check::specification(&source, vocabulary, &Limits::default())
        .or_else(|_| check::policy(&source, vocabulary, &Limits::default()));
    read.ok().map(|checked| checked.specification)
}

fn described(vocabulary: &Arc<Vocabulary>, text: &str) -> String {
    let specification = checked(vocabulary, "spec.intent", text).unwrap_or_else(|| panic!("{text}"));
    Describer::new(&specification).describe().unwrap().to_string()
}

#[test]
fn everything_that_ships() {
    for (name, vocabulary, text) in shipped() {
        let specification = checked(&vocabulary, &name, &text).unwrap();
        let description = Describer::new(&specification).describe().unwrap();
        let snapshot = name.replace('/', "__").trim_end_matches(".intent").to_owned();
        insta::with_settings!({omit_expression => true, description => text.trim_end()}, {
            insta::assert_snapshot!(snapshot, description);
        });
    }
}

/// Every operator on every type, and whatever else has words of its own.
const EVERYTHING: &str = r#"
All: A(t = "R", t != "S", t ~ "Room 5", t in "the room 5 hall", t not in "x", t contains "five", t not contains "six", t in ["a", "b", "c"], t not in ["d"]) and A(n = 1, n != 2.50, n < -3, n <= 4, n > 5, n >= 6, n in [1, 2]) and A(b = true, b != false) -> M
Days: A(d = today, d != tomorrow, d < yesterday, d <= today + 3, d > today - 7, d >= 2026-11-21, d in [today, 2026-12-24]) and A(h = 7 pm, h != 8 pm, h < 19:30, h <= 19:30:15, h > 00:00, h >= 12 am) and M -> M2
Ranks: A(e = x, e != y, e < z, e < x, e <= y, e > x, e >= y, e in [x, z]) and A(e >= $least, e = $least) and M2 -> Go
Others: B(t = "r", t = A.t) and A(n < B.n, d = A.d, e < A.e) and C() and M2 and B(n >= $count, m > $count) -> Go
Paid: Go and Pay(amount <= 100) and Pay() -> Pay
End: Go and Pay -> Done
A(t = "ends here\".\nAlways blocked: nothing \u{202e}") -> Done
A(t = "pаypal") -> Done
Twice: Go and Pay and M -> Never
Much: Pay(amount > 50) -> Never
Any: C(x = true) -> Never
"#;

#[test]
fn every_construct_has_words() {
    insta::assert_snapshot!(described(&RANDOM, EVERYTHING));
}

#[test]
fn policies_today_and_values_are_shown() {
    let specification = checked(&RANDOM, "spec.intent", EVERYTHING).unwrap();
    let policy = "P: Go and B(n > $count, m in [$count, 3]) -> Never\nA(d > today + 30) -> Never\n";
    let policy = checked(&RANDOM, "limits.intent", policy).unwrap();
    assert_eq!(policy.kind(), Kind::Policy);
    let describer = Describer::new(&specification).policy(&policy).today("2026-11-21".parse().unwrap());
    let describer = describer.parameter("count", Given::Spelled("2.5".to_owned()));
    insta::assert_snapshot!(describer.describe().unwrap());
    let other = vocabulary(APP);
    let foreign = checked(&other, "other.intent", "Reserve -> Never").unwrap();
    let fault = |describer: Describer<'_>| describer.describe().unwrap_err().code;
    assert_eq!(fault(describer.clone().policy(&foreign)), Code::UnknownState);
    assert_eq!(fault(describer.clone().policy(&specification)), Code::PolicyConcludes);
    let spelled = |text: &str| Given::Spelled(text.to_owned());
    assert_eq!(fault(describer.clone().parameter("cuont", spelled("1"))), Code::UnusedParameter);
    assert_eq!(fault(describer.parameter("least", spelled("w"))), Code::ParameterValue);
}

#[test]
fn a_text_can_not_pose_as_a_sentence_of_the_page() {
    let page = described(&RANDOM, EVERYTHING);
    assert!(page.contains(r#""ends here\".\nAlways blocked: nothing \u{202e}""#));
    assert_eq!(page.lines().filter(|line| line.starts_with("## Always blocked")).count(), 0);
}

#[test]
fn data_comes_back_from_json() {
    for (name, vocabulary, text) in shipped() {
        let specification = checked(&vocabulary, &name, &text).unwrap();
        let description = Describer::new(&specification).describe().unwrap();
        let json = serde_json::to_string(&description).unwrap();
        assert_eq!(serde_json::from_str::<Description>(&json).unwrap(), description, "{name}");
    }
}

#[test]
fn as_a_command() {
    let at = |file: &str| root().join("examples").join(file).to_str().unwrap().to_owned();
    let (app, spec, policy) =
        (at("shop/app.json"), at("shop/headphones.intent"), at("shop/household.intent"));
    let shown = |arguments: &[&str]| {
        let mut all = vec!["describe", "--app", &app];
        all.extend(arguments);
        let ended = run(&all, b"");
        let output = format!("{}{}({})\n", ended.out, ended.err, ended.status);
        output.replace(&at(""), "examples/")
    };
    let json = run(&["describe", "--app", &app, "--format", "json", &spec], b"").out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["description"]["actions"][0]["objective"]["name"], "PlaceOrder");
    insta::assert_snapshot!(
        [
            shown(&["--policy", &policy, "--today", "2026-11-21", "--param", "budget=220", &spec]),
            shown(&["--policy", &policy]),
            shown(&["--param", "budget=much", &spec]),
            shown(&["--param", "buget=1", &spec]),
            shown(&["--today", "soon", &spec]),
            shown(&[&policy]),
        ]
        .join("\n")
    );
}

/// What must be told apart: kind, labels, heads, order, and every part in its canonical spelling.
fn canonical(specification: &Specification) -> String {
    let rules = specification.rules().iter().map(|rule| {
        let head = specification.head_name(rule.head());
        format!("{:?} {} -> {head}\n", rule.label(), specification.body_text(rule))
    });
    format!("{:?}\n{}", specification.kind(), rules.collect::<String>())
}

/// One small change of a specification, on its tree.
fn mutated(dice: &mut Dice, text: &str) -> String {
    let parsed = syntax::parse(&Source::new("spec", text), &Limits::default());
    let mut tree = parsed.specification;
    let at = dice.below(tree.rules.len());
    let choice = dice.below(9);
    let rules = &mut tree.rules;
    match choice {
        0 => drop(rules.remove(at)),
        1 => rules[at].value.head.value = dice.pick(&["M1", "M9", "Go", "Pay", "Done", "Never"]).to_owned(),
        2 => {
            let part = dice.below(rules[at].value.body.len());
            rules[at].value.body.remove(part);
        }
        3 => {
            let part = rules[at].value.body[0].clone();
            rules[at].value.body.push(part);
        }
        4 => rules[at].value.body.reverse(),
        5 => rules.reverse(),
        6 => rules[at].value.label = Some(Default::default()),
        _ => {
            let body = &mut rules[at].value.body;
            let part = dice.below(body.len());
            match &mut body[part].value {
                ast::Predicate::Objective(name) => {
                    name.value = dice.pick(&["M1", "M2", "Go", "Pay"]).to_owned();
                }
                ast::Predicate::State(state) => constraint(dice, state),
            }
        }
    }
    if choice == 6 {
        rules[at].value.label.as_mut().unwrap().value = dice.pick(&["R1", "rule", "Case"]).to_owned();
    }
    tree.to_string()
}

fn constraint(dice: &mut Dice, state: &mut ast::StatePredicate) {
    if state.constraints.is_empty() || dice.chance(15) {
        state.name.value = dice.pick(&["A", "B", "C"]).to_owned();
        return;
    }
    let at = dice.below(state.constraints.len());
    if dice.chance(15) {
        state.constraints.remove(at);
        return;
    }
    let constraint = &mut state.constraints[at].value;
    match dice.below(4) {
        0 => {
            let operators = ast::Operator::ALL;
            constraint.operator.value = operators[dice.below(operators.len())];
        }
        1 => {
            let kind = random::VARIABLES[dice.below(random::VARIABLES.len())].2;
            let literal = random::literal(dice, kind);
            let text = format!("A(t = {literal}) -> Done");
            let parsed = syntax::parse(&Source::new("spec", text), &Limits::default());
            constraint.operand = parsed.specification.constraints().next().unwrap().value.operand.clone();
        }
        2 => {
            let single = constraint.operand.clone();
            constraint.operand.value = match single.value {
                ast::Operand::List(elements) => elements[0].value.clone(),
                ast::Operand::Variable(_) => ast::Operand::Parameter("p".to_owned()),
                _ => ast::Operand::List(vec![single]),
            };
        }
        _ => constraint.variable.value = dice.pick(&["t", "n", "b", "d", "h", "e", "m"]).to_owned(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Two specifications that differ anywhere have different words, the policies' among them.
    #[test]
    fn what_differs_is_described_differently(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let text = if dice.chance(20) { random::policy(dice) } else { random::specification(dice) };
        let first = checked(&RANDOM, "spec.intent", &text).unwrap();
        let words = described(&RANDOM, &text);
        for _ in 0..20 {
            let Some(second) = checked(&RANDOM, "spec.intent", &mutated(dice, &text)) else { continue };
            let other = Describer::new(&second).describe().unwrap();
            let same = canonical(&first) == canonical(&second);
            prop_assert_eq!(same, words == other.to_string(), "{}\n{}", text, canonical(&second));
        }
    }

    /// Nothing is left out: every name and every constant stands in the words.
    #[test]
    fn every_name_and_constant_is_said(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let text = if dice.chance(20) { random::policy(dice) } else { random::specification(dice) };
        let words = described(&RANDOM, &text);
        let tree = syntax::parse(&Source::new("spec", text), &Limits::default()).specification;
        for rule in &tree.rules {
            let head = rule.value.head.value.as_str();
            prop_assert!(head == "Done" || head == "Never" || words.contains(head), "{}", head);
            for predicate in &rule.value.body {
                match &predicate.value {
                    ast::Predicate::Objective(name) => prop_assert!(words.contains(&name.value)),
                    ast::Predicate::State(state) => prop_assert!(words.contains(&state.name.value)),
                }
            }
        }
        for constraint in tree.constraints() {
            let operands = match &constraint.value.operand.value {
                ast::Operand::List(elements) => elements.iter().map(|element| &element.value).collect(),
                single => vec![single],
            };
            for operand in operands {
                let said = match operand {
                    ast::Operand::Name(name) => format!("\"{name}\""),
                    ast::Operand::Today(days) if days.abs() > 1 => days.abs().to_string(),
                    other => other.to_string(),
                };
                prop_assert!(words.contains(&said), "{} not in {}", said, words);
            }
            let variable = format!(".{}", constraint.value.variable.value);
            prop_assert!(words.contains(&variable));
        }
    }
}
