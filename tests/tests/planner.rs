//! Models and plans: the published ones, and optimality against a search that is slow and plain.

use intentgate::engine::limits::Limits;
use intentgate::engine::span::Source;
use intentgate::engine::value::Value;
use intentgate::planner::declare::{App, Configured, Function, Page, Transition};
use intentgate::planner::{Bounds, Call, Found, Goal, Model, PageId, Path, Planner, Start, TransitionId};
use intentgate_tests::random::Dice;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

/// Pages and connections as they are published for Simple Calendar Pro (Agent+P, Listing 2).
const CALENDAR: &[(&str, &[&str])] = &[
    ("SplashActivity", &["MainActivity"]),
    ("MainActivity", &["EventActivity", "SettingsActivity", "AboutActivity", "TaskActivity"]),
    ("EventActivity", &["EventActivity", "SelectTimeZoneActivity"]),
    ("SettingsActivity", &["ManageEventTypesActivity", "WidgetListConfigureActivity"]),
    ("AboutActivity", &["ContributorsActivity", "FAQActivity", "LicenseActivity"]),
    ("TaskActivity", &["TaskActivity"]),
    ("SelectTimeZoneActivity", &[]),
    ("ManageEventTypesActivity", &[]),
    ("WidgetListConfigureActivity", &[]),
    ("ContributorsActivity", &[]),
    ("FAQActivity", &[]),
    ("LicenseActivity", &[]),
];

fn calendar() -> Model {
    let transitions = CALENDAR
        .iter()
        .flat_map(|(from, all)| all.iter().map(|to| Transition::new(*from, format!("open {to}"), *to)));
    let app = App {
        app: "Simple Calendar Pro".to_owned(),
        start: "SplashActivity".to_owned(),
        pages: CALENDAR.iter().map(|(name, _)| Page::new(*name)).collect(),
        transitions: transitions.collect(),
        ..App::default()
    };
    app.check().unwrap()
}

const CAMERA: &str = include_str!("../../examples/camera/model.json");

fn camera() -> Model {
    Model::from_json(&Source::new("model.json", CAMERA), &Limits::default())
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// A plan, which is validated.
fn plan(model: &Model, start: &Start, goal: &Goal) -> Found {
    let found = Planner::new(model).plan(start, goal, &Bounds::default()).unwrap();
    if let Found::Path(path) = &found {
        model.validate(start, goal, &transitions(path)).unwrap();
        for less in 0..path.steps.len() {
            model.validate(start, goal, &transitions(path)[..less]).unwrap_err();
        }
    }
    found
}

fn transitions(path: &Path) -> Vec<TransitionId> {
    path.steps.iter().map(|step| step.transition).collect()
}

/// The pages of a plan.
fn pages(model: &Model, found: &Found) -> Vec<String> {
    let Found::Path(path) = found else { panic!("{found:?}") };
    let first = path.steps.first().map(|step| step.from);
    let rest = path.steps.iter().map(|step| step.to);
    first.into_iter().chain(rest).map(|page| model.page_name(page).to_owned()).collect()
}

#[test]
fn the_published_plans() {
    let model = calendar();
    assert_eq!((model.pages().len(), model.transitions().len()), (12, 13));
    let to = |name: &str| Goal::Any(vec![model.find_page(name).unwrap()]);
    let found = plan(&model, &Start::default(), &to("SelectTimeZoneActivity"));
    assert_eq!(
        pages(&model, &found),
        ["SplashActivity", "MainActivity", "EventActivity", "SelectTimeZoneActivity"]
    );
    let found = plan(&model, &Start::default(), &to("ManageEventTypesActivity"));
    assert_eq!(
        pages(&model, &found),
        ["SplashActivity", "MainActivity", "SettingsActivity", "ManageEventTypesActivity"]
    );
    let Found::Path(path) = found else { unreachable!() };
    assert_eq!(path.cost, 3);
}

#[test]
fn outcomes_are_told_apart() {
    let model = calendar();
    let page = |name: &str| model.find_page(name).unwrap();
    let any = |names: &[&str]| Goal::Any(names.iter().map(|name| page(name)).collect());
    assert_eq!(plan(&model, &Start::default(), &any(&["SplashActivity"])), Found::AlreadyThere);
    let leaf = Start { page: Some(page("FAQActivity")), ..Start::default() };
    assert_eq!(plan(&model, &leaf, &any(&["MainActivity"])), Found::NoKnownPath);
    let bounds = Bounds { expansions: 2 };
    let far = any(&["FAQActivity"]);
    let found = Planner::new(&model).plan(&Start::default(), &far, &bounds).unwrap();
    assert_eq!(found, Found::Limit);
    assert_eq!(plan(&model, &Start::default(), &Goal::Functions(Vec::new())), Found::TrueFromTheStart);
    let found = plan(&model, &Start::default(), &any(&["FAQActivity", "EventActivity"]));
    assert_eq!(pages(&model, &found), ["SplashActivity", "MainActivity", "EventActivity"]);
    let all = Goal::All(vec![page("MainActivity"), page("AboutActivity"), page("SplashActivity")]);
    assert_eq!(
        pages(&model, &plan(&model, &Start::default(), &all)),
        ["SplashActivity", "MainActivity", "AboutActivity"]
    );
    let both = Goal::All(vec![page("FAQActivity"), page("EventActivity")]);
    assert_eq!(plan(&model, &Start::default(), &both), Found::NoKnownPath);
    let camera = camera();
    let so = Goal::Condition("video = false".to_owned());
    assert_eq!(plan(&camera, &Start::default(), &so), Found::TrueFromTheStart);
    let never = Goal::Condition("zoom = 99".to_owned());
    assert_eq!(plan(&camera, &Start::default(), &never), Found::NoKnownPath);
}

#[test]
fn configuration_comes_where_it_is_needed() {
    let model = camera();
    assert!(model.review(&Source::new("model.json", CAMERA)).is_empty());
    let seconds = |seconds: i64| Value::Number(seconds.into());
    let mut shown = String::new();
    let record = |seconds_: i64| Call::new("record_video").with("duration", seconds(seconds_));
    for (sentence, goal) in [
        (
            "record a 10 second video with the front camera",
            Goal::Functions(vec![record(10).with("front", Value::Boolean(true))]),
        ),
        (
            "take a photo, then record 5 seconds",
            Goal::Functions(vec![Call::new("take_photo"), record(5).with("front", Value::Boolean(false))]),
        ),
        ("front camera, no flash", Goal::Condition("front = true, flash = off".to_owned())),
    ] {
        let found = plan(&model, &Start::default(), &goal);
        let Found::Path(path) = found else { panic!("{sentence}: {found:?}") };
        let _ = writeln!(shown, "{sentence} ({} steps)\n{path}", path.cost);
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn what_is_wrong_is_located() {
    let mut all = String::new();
    for (from, to) in [
        ("\"to\": \"Camera\"", "\"to\": \"Camra\""),
        ("\"front = true\"", "\"frnt = true\""),
        ("\"front = true\"", "\"front = 3\""),
        ("\"update\": \"front = true\"", "\"update\": \"front != true\""),
        ("\"update\": \"front = true\"", "\"update\": \"front = true, front = false\""),
        ("\"guard\": \"video = false\"", "\"guard\": \"video = false) and Never(\""),
        ("\"function\": \"take_photo\"", "\"function\": \"take_foto\""),
        ("\"start\": \"Camera\"", "\"strat\": \"Camera\""),
        ("\"initial\": false", "\"initial\": \"no\""),
        ("\"type\": \"Number\"", "\"type\": \"Nmber\""),
        ("\"event\": ", "\"cost\": 0, \"event\": "),
        ("\"event\": ", "\"origin\": \"seen\", \"event\": "),
    ] {
        assert!(CAMERA.contains(from), "{from}");
        let text = CAMERA.replacen(from, to, 1);
        let problems = Model::from_json(&Source::new("model.json", text), &Limits::default()).unwrap_err();
        let _ = writeln!(all, "{}", intentgate::engine::diagnostic::render::plain(&problems));
    }
    insta::assert_snapshot!(all);
}

/// A small machine: guards and updates over two Booleans and a number from 0 to 3.
fn machine(dice: &mut Dice) -> App {
    let page = |number: usize| format!("P{number}");
    let count = 2 + dice.below(4);
    let mut transitions = Vec::new();
    for number in 0..3 + dice.below(10) {
        let mut transition =
            Transition::new(page(dice.below(count)), format!("e{number}"), page(dice.below(count)));
        let guards = [
            "a = true",
            "a = false",
            "b = true",
            "n < 2",
            "n != 1",
            "n >= 1, a = true",
            "a = App.b",
            "n in [0, 3]",
        ];
        let updates = [
            "a = true",
            "a = false",
            "b = true",
            "n = 1",
            "n = 3",
            "a = App.b",
            "b = App.a, n = 0",
            "n = 2, a = false",
        ];
        if dice.chance(60) {
            transition.guard = guards[dice.below(guards.len())].to_owned();
        }
        if dice.chance(60) {
            transition.update = updates[dice.below(updates.len())].to_owned();
        }
        transition.cost = dice.chance(40).then(|| 1 + dice.below(5) as u32);
        if dice.chance(30) {
            transition.function = Some(["f", "g"][dice.below(2)].to_owned());
        }
        transitions.push(transition);
    }
    let variable = |name: &str, kind: &str, initial: serde_json::Value| Configured {
        variable: intentgate::engine::schema::declare::Variable::new(name, kind),
        initial,
    };
    App {
        app: "machine".to_owned(),
        start: page(0),
        pages: (0..count).map(|number| Page::new(page(number))).collect(),
        variables: vec![
            variable("a", "Boolean", dice.chance(50).into()),
            variable(
                "b",
                "Boolean",
                if dice.chance(20) { serde_json::Value::Null } else { dice.chance(50).into() },
            ),
            variable("n", "Number", dice.below(4).into()),
        ],
        functions: ["f", "g"].map(|name| Function { name: name.to_owned(), ..Function::default() }).to_vec(),
        transitions,
    }
}

/// The least cost of a goal, by the validator alone: every sequence of steps that is possible, the cheapest
/// first, each situation once. Situations are told apart by what is possible from them.
fn least(model: &Model, app: &App, goal: &Goal) -> Option<u64> {
    // Page, a, b, n, functions performed: read off the declaration by hand.
    type Situation = (usize, Option<bool>, Option<bool>, i64, usize);
    let boolean = |value: &serde_json::Value| value.as_bool();
    let first: Situation = (
        0,
        boolean(&app.variables[0].initial),
        boolean(&app.variables[1].initial),
        app.variables[2].initial.as_i64().unwrap(),
        0,
    );
    let holds = |guard: &str, (_, a, b, n, _): Situation| match guard {
        "" => true,
        "a = true" => a == Some(true),
        "a = false" => a == Some(false),
        "b = true" => b == Some(true),
        "n < 2" => n < 2,
        "n != 1" => n != 1,
        "n >= 1, a = true" => n >= 1 && a == Some(true),
        "a = App.b" => a.is_some() && a == b,
        "n in [0, 3]" => n == 0 || n == 3,
        other => panic!("{other}"),
    };
    let update = |update: &str, (page, a, b, n, done): Situation| match update {
        "" => (page, a, b, n, done),
        "a = true" => (page, Some(true), b, n, done),
        "a = false" => (page, Some(false), b, n, done),
        "b = true" => (page, a, Some(true), n, done),
        "n = 1" => (page, a, b, 1, done),
        "n = 3" => (page, a, b, 3, done),
        "a = App.b" => (page, b, b, n, done),
        "b = App.a, n = 0" => (page, a, a, 0, done),
        "n = 2, a = false" => (page, Some(false), b, 2, done),
        other => panic!("{other}"),
    };
    let number = |name: &str| name[1..].parse::<usize>().unwrap();
    let calls: &[Call] = if let Goal::Functions(calls) = goal { calls } else { &[] };
    let reached = |(page, a, _, n, done): Situation| match goal {
        Goal::Any(pages) => pages.iter().any(|id: &PageId| id.index() == page),
        Goal::Functions(calls) => done == calls.len(),
        Goal::Condition(_) => a == Some(true) && n == 3,
        Goal::All(_) => panic!("not asked here"),
    };
    let mut costs: BTreeMap<Situation, u64> = BTreeMap::from([(first, 0)]);
    let mut open = VecDeque::from([first]);
    while let Some(situation) = open.pop_front() {
        let cost = costs[&situation];
        for transition in &app.transitions {
            if number(&transition.from) != situation.0 || !holds(&transition.guard, situation) {
                continue;
            }
            let asked = calls.get(situation.4).map(|call| call.function.as_str());
            if transition.function.is_some() && transition.function.as_deref() != asked {
                continue;
            }
            let mut next = update(&transition.update, situation);
            next.0 = number(&transition.to);
            next.4 += usize::from(transition.function.is_some());
            let cost = cost + u64::from(transition.cost.unwrap_or(1));
            if costs.get(&next).is_none_or(|known| *known > cost) {
                costs.insert(next, cost);
                open.push_back(next);
            }
        }
    }
    assert_eq!(model.transitions().len(), app.transitions.len());
    costs.into_iter().filter(|(situation, _)| reached(*situation)).map(|(_, cost)| cost).min()
}

#[test]
fn plans_are_cheapest() {
    let (mut paths, mut none, mut already) = (0, 0, 0);
    for seed in 0..4_000 {
        let mut dice = Dice::new(seed ^ 0x91a2);
        let app = machine(&mut dice);
        let model = app.check().unwrap_or_else(|problems| panic!("{problems}"));
        let last = model.pages().last().unwrap().0;
        let call = |name: &str| Call::new(name);
        for goal in [
            Goal::Any(vec![last]),
            Goal::Functions(vec![call("f"), call("g"), call("f")]),
            Goal::Condition("a = true, n = 3".to_owned()),
        ] {
            let found = plan(&model, &Start::default(), &goal);
            let least = least(&model, &app, &goal);
            match (&found, least) {
                (Found::Path(path), Some(least)) => {
                    paths += 1;
                    assert_eq!(path.cost, least, "seed {seed} {goal:?}\n{app:#?}");
                }
                (Found::NoKnownPath, None) => none += 1,
                (Found::AlreadyThere | Found::TrueFromTheStart, Some(0)) => already += 1,
                other => panic!("seed {seed} {goal:?}: {other:?}\n{app:#?}"),
            }
            assert_eq!(plan(&model, &Start::default(), &goal), found, "the same once more");
        }
    }
    assert!(paths > 2_000 && none > 1_000 && already > 50, "{paths} {none} {already}");
}
