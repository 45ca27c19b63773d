//! Runs with and without plans, recovery and knowledge, each judged anew by the slow gate.

use intentgate::engine::compile::bind::Given;
use intentgate::engine::eval::{Assignment, Evaluator, ValueSource};
use intentgate::engine::input;
use intentgate::engine::json;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::engine::text::LocalSimilarity;
use intentgate::executor::ablation::{Generated, Ran, Settings, Table, Variant, task};
use intentgate::executor::device::simulated::{Fact, Faults};
use intentgate::{Action, Outcome};
use intentgate_tests::halves;
use intentgate_tests::reference::{Held, Reference};
use pollster::block_on;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Tasks; each is run by every variant. The command takes more.
const TASKS: u32 = 100;

fn settings(tasks: u32) -> Settings {
    Settings { tasks, seed: 1, faults: Faults { surprise: 8, ..Faults::each(8) } }
}

/// Nothing is performed that the slow gate does not allow, and every verdict is its verdict.
#[test]
fn every_critical_action_had_been_allowed() {
    let settings = settings(TASKS);
    let parts = halves(u64::from(TASKS), |numbers| {
        share(&settings, numbers.map(|number| u32::try_from(number).unwrap()))
    });
    let (mut table, mut judged) = (Table::new(settings), Judged::default());
    for (part, seen) in parts {
        table.merge(&part);
        judged.verdicts += seen.verdicts;
        judged.critical += seen.critical;
        judged.facts += seen.facts;
    }
    println!("{table}\n{judged:?}");
    assert_eq!(table.violations(), 0, "{table}");
    // It is worth something only if enough happened.
    let enough = u64::from(TASKS);
    assert!(judged.facts > 2 * enough && judged.verdicts > 50 * enough, "{judged:?}");
    assert!(judged.critical >= judged.facts, "{judged:?}");
    let rate = |variant| table.row(variant).unwrap().rates().success.unwrap();
    assert!(rate(Variant::Full) > rate(Variant::WithoutPlan), "{table}");
}

#[derive(Debug, Default)]
struct Judged {
    verdicts: u64,
    critical: u64,
    facts: u64,
}

fn share(settings: &Settings, numbers: impl Iterator<Item = u32>) -> (Table, Judged) {
    let (mut table, mut judged) = (Table::new(*settings), Judged::default());
    for number in numbers {
        let generated = task(settings.seed_of(number)).unwrap();
        let runs = block_on(settings.runs(number)).unwrap();
        for ran in &runs {
            judge(&generated, ran, &mut judged, &|| format!("task {number}, {}", ran.variant));
        }
        table.take(&runs);
    }
    (table, judged)
}

/// The record of a run, judged by the slow gate; each fact has to be an action that it allowed.
fn judge(generated: &Generated, ran: &Ran, judged: &mut Judged, context: &dyn Fn() -> String) {
    let limits = Limits::default();
    let none: &[(String, Given)] = &[];
    let evaluator = Evaluator::new(
        Arc::clone(&generated.specification),
        &generated.policies,
        "2026-11-21".parse().unwrap(),
        none,
        Arc::new(LocalSimilarity),
        &limits,
    );
    let sets = evaluator.unwrap().sets().to_vec();
    let vocabulary = &generated.vocabulary;
    let mut slow = Reference::new(Arc::clone(vocabulary), sets.into(), false);
    let mut held: BTreeMap<String, (Held, String)> = BTreeMap::new();
    let mut under_way: BTreeMap<String, String> = BTreeMap::new();
    let mut begun: Vec<String> = Vec::new();
    for line in &ran.record {
        let context = || format!("{}, line {}", context(), line.to_json());
        let json: Json = serde_json::from_str(&line.to_json()).unwrap();
        let input = &json["input"];
        match line.event {
            "start" => continue,
            "observe" => slow.observe(&assignments(vocabulary, input, "observe")),
            "propose" => {
                let action = action(vocabulary, &input["propose"]);
                let (expected, permit) = slow.propose(&action);
                assert_eq!(line.verdict, Some(expected), "{}", context());
                judged.verdicts += 1;
                if let (Some(permit), Some(name)) = (permit, input["propose"]["hold"].as_str()) {
                    held.insert(name.to_owned(), (permit, action.name().to_owned()));
                }
            }
            "begin" => {
                let name = input["begin"].as_str().unwrap();
                let (permit, action) = held.remove(name).unwrap_or_else(|| panic!("{}", context()));
                let stale = slow.execute(permit, Outcome::Unknown);
                assert_eq!(stale, !line.codes.is_empty(), "{}", context());
                if !stale {
                    judged.critical += u64::from(vocabulary.find_action(&action).is_some());
                    begun.push(action.clone());
                    under_way.insert(name.to_owned(), action);
                }
            }
            "finish" => {
                let action = under_way.remove(input["finish"]["permit"].as_str().unwrap()).unwrap();
                match line.outcome.unwrap() {
                    Outcome::Done => assert!(slow.resolve(&action, true), "{}", context()),
                    Outcome::NotPerformed => assert!(slow.resolve(&action, false), "{}", context()),
                    Outcome::Unknown => {}
                }
            }
            "resolve" => {
                let action = input["resolve"]["action"].as_str().unwrap();
                assert!(slow.resolve(action, line.outcome == Some(Outcome::Done)), "{}", context());
            }
            _ => panic!("{}", context()),
        }
        assert_eq!(line.done, slow.naive.is_done(), "{}", context());
        assert_eq!(line.epoch, slow.epoch, "{}", context());
    }
    for fact in &ran.ledger {
        judged.facts += 1;
        assert_eq!(begun.get(fact.attempt - 1), Some(&fact.action), "{}: {:?}", context(), ran.account);
    }
}

fn assignments(vocabulary: &Vocabulary, input: &Json, key: &str) -> Vec<Assignment> {
    let also = input["also"].as_array().into_iter().flatten();
    let groups = also.map(|one| (&one["source"], &one["update"]));
    let mut all = Vec::new();
    for (source, update) in std::iter::once((&input["source"], &input[key])).chain(groups) {
        let source = match source.as_str() {
            None | Some("app") => ValueSource::App,
            Some("agent") => ValueSource::Agent,
            Some(_) => ValueSource::Inferred,
        };
        for (state, variables) in update.as_object().into_iter().flatten() {
            for (name, value) in variables.as_object().into_iter().flatten() {
                let path = format!("{state}.{name}");
                let variable = vocabulary.find_path(&path).unwrap();
                let kind = vocabulary.variable(variable).variable_type();
                let limits = Limits::default();
                let node = json::parse(&Source::new("value", value.to_string()), &limits).unwrap();
                let value = input::json_value(&node, &path, kind, None, &limits).unwrap();
                all.push(Assignment { variable, value, source });
            }
        }
    }
    all
}

fn action(vocabulary: &Vocabulary, proposal: &Json) -> Action {
    assert!(proposal.get("arguments").is_none(), "the actions of these apps have no arguments");
    let mut builder = Action::named(vocabulary, proposal["action"].as_str().unwrap());
    for one in assignments(vocabulary, proposal, "update") {
        builder = builder.source(one.source).set(&vocabulary.path(one.variable), one.value);
    }
    builder.build().unwrap()
}

/// The check notices: a fact that nothing allowed, and one of another action than was begun.
#[test]
fn what_was_not_allowed_is_noticed() {
    let settings = settings(1);
    let mut ran = block_on(settings.runs(0)).unwrap().remove(0);
    assert_eq!(ran.violations().count(), 0);
    let begun = ran.begun().count();
    for attempt in [0, 1, begun + 1] {
        ran.ledger.push(Fact { action: "Delete".to_owned(), event: String::new(), attempt });
    }
    assert_eq!(ran.violations().count(), 3);
}

#[test]
fn the_same_settings_give_the_same_table() {
    let settings = settings(12);
    let whole = block_on(settings.measure(0..12)).unwrap();
    let mut parts = block_on(settings.measure(6..12)).unwrap();
    parts.merge(&block_on(settings.measure(0..6)).unwrap());
    assert_eq!(whole, parts);
    // The full variant against itself, and means of the others over what both reached.
    let full = whole.row(Variant::Full).unwrap();
    assert_eq!((full.common, full.common_steps, full.common_full), (full.successes, full.steps, full.steps));
    for row in &whole.rows {
        assert!(row.common <= row.successes.min(full.successes) && row.common_full <= full.steps, "{row:?}");
    }
    insta::assert_snapshot!(format!("{whole}\n{}", whole.markdown()));
}

/// The tasks are of many kinds, and without faults each is done as planned.
#[test]
fn tasks_of_many_kinds() {
    let settings = Settings { tasks: 60, seed: 3, faults: Faults::default() };
    let (mut pages, mut policies, mut optima) = (BTreeSet::new(), 0, BTreeSet::new());
    for number in 0..settings.tasks {
        let seed = settings.seed_of(number);
        let generated = task(seed).unwrap();
        pages.insert(generated.model.pages().len());
        policies += generated.policies.len();
        optima.insert(generated.optimum);
        let ran = block_on(generated.run(Variant::Full, settings.faults, seed)).unwrap();
        assert!(ran.account.outcome.is_success(), "{number}: {}", ran.account);
        assert_eq!(ran.account.steps.len(), ran.optimum, "{number}: {}", ran.account);
        assert!(!ran.ledger.is_empty(), "{number}: {}", ran.account);
    }
    assert!(pages.iter().all(|count| (6..=20).contains(count)) && pages.len() > 10, "{pages:?}");
    assert!(policies > 5 && optima.len() > 5, "{policies} {optima:?}");
}

/// Whatever an action was seen to lead to, it stays that action to the gate: a critical one is never taken for a
/// way between pages.
#[test]
fn what_is_learnt_keeps_what_actions_are_to_the_gate() {
    let mut model = task(settings(1).seed_of(0)).unwrap().model;
    let form = model.find_page("Form").unwrap();
    let back = model.transitions().find(|(_, one)| one.from() == form && one.event() == "go back");
    let behind = model.page_name(back.unwrap().1.to()).to_owned();
    model.observe(form, "go back", "Receipt");
    model.observe(form, "confirm the order", &behind);
    model.observe(form, "confirm the order", "Elsewhere");
    for (_, one) in model.transitions().filter(|(_, one)| one.from() == form) {
        assert_eq!(one.event() == "confirm the order", one.action() == "Submit", "{one:?}");
    }
    let events = |to: &str| model.transitions().filter(|(_, one)| model.page_name(one.to()) == to).count();
    assert_eq!((events("Elsewhere"), events("Receipt") >= 2), (1, true));
}
