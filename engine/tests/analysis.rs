//! The analysis: what specifications can and can't do, with answers that are known.
#![cfg(feature = "z3")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking, and say where"
)]

use intentgate_engine::analysis::{Answer, Case, Cases, Comparison, Relation, Report, can_both_complete};
use intentgate_engine::check;
use intentgate_engine::diagnostic::Code;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::solve::{Setting, usable, usable_version};
use intentgate_engine::span::Source;
use std::fmt::Write;
use std::sync::Arc;

const APP: &str = include_str!("../../tests/corpus/app.json");

/// Everything about a specification, with its text.
fn report(text: &str, policies: &[&str]) -> String {
    let limits = Limits::default();
    let vocabulary = Arc::new(Vocabulary::from_json(&Source::new("app.json", APP), &limits).unwrap());
    let spec = check::specification(&Source::new("spec.intent", text), &vocabulary, &limits).unwrap();
    let policies: Vec<_> = policies
        .iter()
        .map(|text| {
            let checked = check::policy(&Source::new("policy.intent", *text), &vocabulary, &limits).unwrap();
            Arc::new(checked.specification)
        })
        .collect();
    let mut shown = text.trim().to_owned();
    for policy in &policies {
        let _ = write!(shown, "\n---\n{}", policy.source().text().trim());
    }
    let spec = Arc::new(spec.specification);
    let report = Report::of(&spec, &policies, &Setting::default()).unwrap();
    let again = Report::of(&spec, &policies, &Setting::default()).unwrap();
    let [first, second] = [&report, &again].map(|report| serde_json::to_string(report).unwrap());
    assert_eq!(first, second, "the same input gives the same bytes");
    let fine = if report.is_fine() { "fine" } else { "to mend" };
    format!("{shown}\n\n{report}{fine}\n")
}

#[test]
fn the_solver_is_one_that_can_be_used() {
    usable().unwrap();
    for old in ["Z3 4.8.12.0", "4.13.2", "Z3 4.9.1.0", "nonsense", ""] {
        assert_eq!(usable_version(old).unwrap_err().code, Code::SolverTooOld, "{old}");
    }
    for new in ["Z3 4.13.3.0", "4.15.0", "Z3 5.3.3.0"] {
        usable_version(new).unwrap();
    }
}

/// The tests of a specification, a line each.
fn cases(text: &str, policies: &[&str]) -> String {
    let limits = Limits::default();
    let vocabulary = Arc::new(Vocabulary::from_json(&Source::new("app.json", APP), &limits).unwrap());
    let spec = check::specification(&Source::new("spec.intent", text), &vocabulary, &limits).unwrap();
    let policies = policies.iter().map(|text| {
        let checked = check::policy(&Source::new("policy.intent", *text), &vocabulary, &limits).unwrap();
        Arc::new(checked.specification)
    });
    let policies: Vec<_> = policies.collect();
    let setting = Setting { today: "2026-11-21".parse().ok(), ..Setting::default() };
    let found = Cases::of(&Arc::new(spec.specification), &policies, &setting).unwrap();
    let mut shown = text.trim().to_owned();
    for policy in &policies {
        let _ = write!(shown, "\n---\n{}", policy.source().text().trim());
    }
    shown.push_str("\n\n");
    for case in &found.cases {
        let Case { name, before, situation, concludes, expected, .. } = case;
        let _ = writeln!(shown, "{name}");
        for step in before {
            let _ = writeln!(shown, "  {} when {}", step.achieves, step.situation);
        }
        let no = if *expected { "" } else { "no " };
        let _ = writeln!(shown, "  {no}{concludes} when {situation}");
    }
    for missing in &found.missing {
        let _ = writeln!(shown, "{missing}");
    }
    shown
}

macro_rules! tests_from_logic {
    ($($name:ident: $text:literal $(, $policy:literal)*;)*) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(cases($text, &[$($policy),*]));
        }
    )* };
}

tests_from_logic! {
    tests_of_the_published_example: r#"
R1: RestaurantInfo(name = "R") and ReserveInfo(date = today, time < 19:00, available = true) -> Reserve
R2: Reserve and ReserveResult(success = true) -> Done
R3: RestaurantInfo(name = "R") and ReserveInfo(date = today, time < 19:00, available != true) -> Done
"#;
    tests_of_milestones_and_arguments: r#"
R1: Bill(total <= 100) -> Known
R2: Known and Pay(amount <= 100.50, to in ["R", "Q"], note contains "x") -> Pay
R3: Pay and Pay(amount > 50) and ReserveResult(success = true) -> Done
"#, "P1: Pay and Pay(amount > 90) -> Never";
    tests_of_what_can_not_be: r#"
R1: ReserveInfo(guests > 4, guests < 3) -> Reserve
R2: ReserveInfo(size >= medium, area in [indoor, terrace], time > 23:59:59) and Bill(total = $total) -> Reserve
R3: Reserve and RestaurantInfo() -> Done
R4: Reserve and Bill(total > 5) -> Never
R5: Pay(amount > 5) -> Never
"#;
}

macro_rules! snapshots {
    ($($name:ident: $text:literal $(, $policy:literal)*;)*) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(report($text, &[$($policy),*]));
        }
    )* };
}

snapshots! {
    the_published_example: r#"
R1: RestaurantInfo(name = "R") and ReserveInfo(date = today, time < 19:00, available = true) -> Reserve
R2: Reserve and ReserveResult(success = true) -> Done
R3: RestaurantInfo(name = "R") and ReserveInfo(date = today, time < 19:00, available != true) -> Done
"#;
    a_milestone_and_then_something_else: r#"
R1: RestaurantInfo(name = "first page") -> Seen
R2: Seen and RestaurantInfo(name = "second page") -> Also
R3: Also and RestaurantInfo(name = "third page") -> Reserve
R4: Reserve -> Done
"#;
    a_policy_that_forbids_at_once_what_may_come_later: r#"
R1: ReserveResult(success = true) -> Confirmed
R2: Confirmed -> Reserve
R3: Reserve -> Done
"#, "P1: ReserveResult(success = true) -> Never";
    branches_that_leave_a_gap: r#"
R1: RestaurantInfo(name = "R") and ReserveInfo(time < 19:00) -> Reserve
R2: RestaurantInfo(name = "R") and ReserveInfo(time > 19:00) -> Done
R3: Reserve -> Done
"#;
    branches_that_overlap: r#"
R1: ReserveInfo(size <= medium) -> Reserve
R2: ReserveInfo(size >= medium) -> Done
R3: Reserve -> Done
"#;
    a_rule_that_can_not_hold: r#"
R1: ReserveInfo(guests > 4, guests < 3, available = true) -> Reserve
R2: Reserve -> Done
"#;
    texts_that_exclude_one_another: r#"
R1: RestaurantInfo(name in ["A", "B"], name != "A", name != "B") -> Done
R2: RestaurantInfo(name = Route.destination) and Route(destination = "A") and RestaurantInfo(name != "A") -> Done
R3: Bill(payee = "R", payee != "r ") -> Done
"#;
    texts_that_need_the_theory_of_strings: r#"
R1: RestaurantInfo(name contains "red", name contains "car") -> Done
R2: RestaurantInfo(name contains "red", name = "a blue car") -> Done
R3: RestaurantInfo(name in "the red car", name != "red") -> Done
R4: RestaurantInfo(name ~ "Pizza Hut", name != "Pizza Hut") -> Done
R5: RestaurantInfo(name ~ "Pizza Hut", name = "Burger King") -> Done
"#;
    constraints_that_the_rest_implies: r#"
R1: Bill(total < 10, total <= 20, total != 30) -> Done
R2: ReserveInfo(date > 2026-11-21, date >= 2026-11-22) -> Done
R3: ReserveInfo(time > 18:59, time >= 19:00) -> Done
"#;
    a_rule_that_is_always_true: r#"
R1: ReserveInfo(area in ["indoor", "terrace", "at the bar"]) -> Reserve
R2: Reserve and ReserveResult(success in [true, false]) -> Done
"#;
    rules_that_are_cases_of_others: r#"
R1: Bill(total < 10) -> Reserve
R2: Bill(total < 5) and RestaurantInfo(name = "R") -> Reserve
R3: Reserve -> Done
"#;
    a_milestone_that_goes_stale: r#"
R1: ReserveInfo(available = true) -> Found
R2: Found and RestaurantInfo(name = "R") -> Reserve
R3: Found and ReserveInfo(available = true) -> Seen
R4: Reserve and Seen -> Done
"#;
    a_policy_that_forbids: r#"
R1: ReserveInfo(guests = 10) -> Reserve
R2: Reserve -> Done
"#, "P1: Reserve and ReserveInfo(guests > 8) -> Never";
    a_policy_that_narrows: r#"
R1: ReserveInfo(guests >= 8) -> Reserve
R2: Reserve -> Done
"#, "P1: Reserve and ReserveInfo(guests > 8) -> Never";
    an_order_of_actions: r#"
R1: Reserve and Bill(total <= 100) and Pay(amount <= 100, to = Bill.payee, note = "x") -> Pay
R2: RestaurantInfo(name = "R") -> Reserve
R3: Pay and Pay(amount > 5) and ReserveResult(success = true) -> Done
"#;
    what_is_asked_of_earlier_arguments: r#"
R1: Bill(total <= 100) and Pay(amount <= 100, to != "R", note = "x") -> Pay
R2: Pay and Pay(amount < -7, to contains "Q") -> Reserve
R3: Reserve and ReserveInfo(date = today) and Pay(amount != -8) -> Done
"#;
    arguments_that_no_rule_lets_pass: r#"
R1: Bill(total <= 100) and Pay(amount <= 100, to = "R", note = "x") -> Pay
R2: Pay and Pay(amount > 100) and ReserveResult(success = true) -> Done
"#;
    arguments_that_a_policy_forbids: r#"
R1: Bill(total <= 100) and Pay(amount <= 100, to = "R", note = "x") -> Pay
R2: Pay(amount <= 200, to = "Q", note = "x") -> Pay
R3: Pay and Pay(amount > 100) and ReserveResult(success = true) -> Done
"#, "P1: Pay(amount > 90) -> Never";
    actions_that_exclude_one_another: r#"
R1: RestaurantInfo(name = "R") -> Reserve
R2: Bill(total <= 100) and Pay(amount <= 100, to = "R", note = "x") -> Pay
R3: Pay and Reserve -> Done
R4: Pay and Reserve -> Never
"#;
    numbers_are_exact: r#"
R1: Bill(total > 0.1, total < 0.1000000000000000000000000001) -> Done
R2: Bill(total > 79228162514264337593543950334, total < 79228162514264337593543950335) -> Done
"#;
    dates_count_from_today: r#"
R1: ReserveInfo(date > today, date < today + 2, date != tomorrow) -> Done
R2: ReserveInfo(date = today - 7, date = 2026-11-21) -> Done
"#;
    parameters_may_be_anything: r#"
R1: RestaurantInfo(name = $name, name = "R") -> Reserve
R2: Reserve and Bill(total <= $limit, total > $limit) -> Done
R3: Reserve and Route(mode = $name) -> Done
"#;
}

/// Two specifications and how they compare.
fn comparison(first: &str, second: &str) -> String {
    let limits = Limits::default();
    let vocabulary = Arc::new(Vocabulary::from_json(&Source::new("app.json", APP), &limits).unwrap());
    let read = |text: &str| {
        let checked = check::specification(&Source::new("spec.intent", text), &vocabulary, &limits).unwrap();
        Arc::new(checked.specification)
    };
    let comparison = Comparison::of(&read(first), &read(second), &[], &Setting::default()).unwrap();
    let back = Comparison::of(&read(second), &read(first), &[], &Setting::default()).unwrap();
    let mirrored = match comparison.relation {
        Relation::Narrower => Relation::Wider,
        Relation::Wider => Relation::Narrower,
        same => same,
    };
    assert_eq!(back.relation, mirrored);
    format!("{}\n---\n{}\n\n{:?}\n{comparison}", first.trim(), second.trim(), comparison.relation)
}

macro_rules! comparisons {
    ($($name:ident: $first:literal, $second:literal;)*) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(comparison($first, $second));
        }
    )* };
}

comparisons! {
    the_same_in_other_words: r#"
R1: ReserveInfo(guests >= 2, guests <= 4) -> Reserve
R2: Reserve -> Done
"#, r#"
R1: ReserveInfo(guests >= 2, guests < 3) -> Reserve
R2: ReserveInfo(guests >= 3, guests <= 4) -> Reserve
R3: Reserve -> Done
"#;
    the_same_with_texts_that_are_hard_to_judge: r#"
R1: RestaurantInfo(name in "a long sentence with words") -> Ready
R2: Ready and Bill(payee contains "Pizza") -> Reserve
R3: Reserve and ReserveResult(success = true) -> Done
"#, r#"
R1: RestaurantInfo(name in "a long sentence with words") -> Ready
R2: Ready and Bill(payee contains "Pizza") -> Reserve
R3: Reserve and ReserveResult(success = true) -> Done
"#;
    what_may_be_performed_once_more: r#"
standing
R1: Bill(total <= 5) and Pay(amount <= 5, to = "R", note = "x") -> Pay
R2: Bill(total <= 5) and Pay(amount <= 5, to = "R", note = "x") and RestaurantInfo(name != "zzz") -> Pay
"#, r#"
standing
R1: Bill(total <= 5) and Pay(amount <= 5, to = "R", note = "x") -> Pay
"#;
    a_narrowing: r#"
R1: ReserveInfo(time < 18:00) and RestaurantInfo(name = "R") -> Reserve
R2: Reserve -> Done
"#, r#"
R1: ReserveInfo(time < 19:00) -> Reserve
R2: Reserve -> Done
"#;
    a_widening_of_the_arguments: r#"
R1: Pay(amount <= 200, to = "R", note = "x") -> Pay
R2: Pay -> Done
"#, r#"
R1: Pay(amount <= 100, to = "R", note = "x") -> Pay
R2: Pay -> Done
"#;
    neither_of_both: r#"
R1: ReserveInfo(size = small) -> Reserve
R2: Reserve -> Done
"#, r#"
R1: ReserveInfo(size = large) -> Reserve
R2: Reserve -> Done
"#;
    a_prohibition_more: r#"
R1: ReserveInfo(available = true) -> Reserve
R2: Reserve -> Done
R3: Reserve and ReserveInfo(guests > 8) -> Never
"#, r#"
R1: ReserveInfo(available = true) -> Reserve
R2: Reserve -> Done
"#;
    milestones_of_the_same_name: r#"
R1: ReserveInfo(available = true, guests < 5) -> Found
R2: Found and RestaurantInfo(name = "R") -> Reserve
R3: Reserve -> Done
"#, r#"
R1: ReserveInfo(available = true) -> Found
R2: Found and RestaurantInfo(name = "R") -> Reserve
R3: Reserve -> Done
"#;
    an_end_that_comes_earlier: r#"
R1: RestaurantInfo(name = "R") -> Reserve
R2: Reserve -> Done
R3: ReserveInfo(available = false) -> Done
"#, r#"
R1: RestaurantInfo(name = "R") -> Reserve
R2: Reserve -> Done
"#;
    an_action_more: r#"
R1: RestaurantInfo(name = "R") -> Reserve
R2: Reserve -> Done
"#, r#"
R1: RestaurantInfo(name = "R") -> Reserve
R2: Pay(amount < 5, to = "R", note = "x") -> Pay
R3: Reserve and Pay -> Done
"#;
}

/// Whether two tasks can both be completed.
fn together(first: &str, second: &str) -> String {
    let limits = Limits::default();
    let vocabulary = Arc::new(Vocabulary::from_json(&Source::new("app.json", APP), &limits).unwrap());
    let read = |name: &str, text: &str| {
        let checked = check::specification(&Source::new(name, text), &vocabulary, &limits).unwrap();
        Arc::new(checked.specification)
    };
    let (one, other) = (read("one.intent", first), read("other.intent", second));
    let answer = can_both_complete(&one, &other, &[], &Setting::default()).unwrap();
    let back = can_both_complete(&other, &one, &[], &Setting::default()).unwrap();
    assert_eq!((answer.is_yes(), answer.is_no()), (back.is_yes(), back.is_no()));
    let answer = match answer {
        Answer::Yes(plan) => plan.to_string(),
        Answer::No(reason) => format!("no:\n{reason}\n"),
        Answer::Unknown(limit) => format!("unknown: {limit}\n"),
    };
    format!("{}\n---\n{}\n\n{answer}", first.trim(), second.trim())
}

macro_rules! pairs {
    ($($name:ident: $first:literal, $second:literal;)*) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(together($first, $second));
        }
    )* };
}

pairs! {
    two_tasks_that_get_along: r#"
R1: RestaurantInfo(name = "R") and ReserveInfo(time < 19:00) -> Reserve
R2: Reserve -> Done
"#, r#"
R1: Bill(total <= 100) and Pay(amount <= 100, to = "R", note = "x") -> Pay
R2: Pay and Pay(amount > 10) -> Done
"#;
    a_prohibition_of_the_other: r#"
R1: Bill(total <= 100) -> Reserve
R2: Reserve -> Done
R3: Pay(amount > 50) -> Never
"#, r#"
R1: Pay(amount = 80, to = "R", note = "x") -> Pay
R2: Pay -> Done
"#;
    each_alone_but_not_both: r#"
R1: RestaurantInfo(name = "R") -> Reserve
R2: Reserve -> Done
R3: Reserve and Pay -> Never
"#, r#"
R1: Pay(amount = 80, to = "R", note = "x") -> Pay
R2: Pay -> Done
"#;
}
