//! Readers of foreign models: nothing is lost without being counted, damaged files end in errors, and what is
//! written in PDDL is read again.

use intentgate::engine::diagnostic::{Code, Problems};
use intentgate::engine::limits::Limits;
use intentgate::engine::span::Source;
use intentgate::engine::value::Value;
use intentgate::planner::declare::{App, Configured, Page, Transition};
use intentgate::planner::import::{self, Form, Imported, Options, Pages, What};
use intentgate::planner::pddl::{Dialect, Problem};
use intentgate::planner::{Bounds, Declaration, Found, Goal, Model, PageId, Planner, Start};
use intentgate_tests::random::Dice;
use intentgate_tests::root;
use proptest::prelude::*;
use std::path::Path;

fn file(path: &str) -> Source {
    let text = std::fs::read_to_string(root().join("tests/models").join(path)).unwrap();
    Source::new(path, text)
}

/// The files of a run, as the command gives them.
fn run_files() -> Vec<Source> {
    let mut names = Vec::new();
    for part in ["states", "events"] {
        let folder = root().join("tests/models/notes").join(part);
        let entries = std::fs::read_dir(&folder).unwrap();
        names.extend(
            entries.map(|entry| format!("notes/{part}/{}", entry.unwrap().file_name().to_str().unwrap())),
        );
    }
    names.sort();
    names.iter().map(|name| file(name)).collect()
}

/// Every fixture with its form.
fn fixtures() -> Vec<(Form, Vec<Source>)> {
    vec![
        (Form::Iccbot, vec![file("calendar/CTG.xml")]),
        (Form::Iccbot, vec![file("notes/CTG.xml")]),
        (Form::Utg, vec![file("notes/utg.js")]),
        (Form::Droidbot, run_files()),
        (Form::Pddl, vec![file("calendar/domain.pddl"), file("calendar/problem.pddl")]),
        (Form::Pddl, vec![file("calendar/problem.pddl")]),
    ]
}

fn read(form: Form, text: &str) -> Result<Imported, Problems> {
    import::read(form, &[Source::new("input", text)], &Options::default())
}

fn codes(read: &Result<Imported, Problems>) -> Vec<Code> {
    match read {
        Ok(imported) => imported.warnings.iter().flat_map(Problems::items).map(|item| item.code()).collect(),
        Err(problems) => problems.items().iter().map(|item| item.code()).collect(),
    }
}

/// How many transitions are accounted for.
fn accounted(imported: &Imported) -> usize {
    let left = imported.report.left_out.iter().filter(|left| left.what == What::Transition);
    imported.report.transitions + imported.report.merged + left.map(|left| left.count).sum::<usize>()
}

#[test]
fn every_transition_is_kept_or_counted() {
    for (form, sources) in fixtures() {
        let whole: String = sources.iter().map(|source| source.text()).collect();
        let there = match form {
            Form::Iccbot => whole.matches("<destination ").count(),
            // Edges without events are one, too.
            Form::Utg => whole.matches("\"event_str\"").count() + whole.matches("\"events\": []").count(),
            Form::Droidbot => whole.matches("\"event_str\"").count(),
            Form::Pddl => {
                whole.matches("(connected S").count()
                    + whole.matches("(connected M").count()
                    + whole.matches("(connected E").count()
                    + whole.matches("(connected A").count()
                    + whole.matches("(connected T").count()
            }
        };
        for pages in [Pages::Activity, Pages::State] {
            let options = Options { pages, ..Options::default() };
            let imported = import::read(form, &sources, &options).unwrap_or_else(|wrong| panic!("{wrong}"));
            assert_eq!(accounted(&imported), there, "{form} {:?}", imported.report);
            let model = imported.app.check().unwrap_or_else(|wrong| panic!("{wrong}"));
            assert_eq!(model.pages().len(), imported.report.pages);
            assert_eq!(model.transitions().len(), imported.report.transitions);
            assert_eq!(Form::of(sources[0].text()), Some(form));
        }
    }
}

#[test]
fn the_published_problem_is_the_same_in_both_forms() {
    let read = |form, sources: &[Source]| import::read(form, sources, &Options::default()).unwrap();
    let static_one = read(Form::Iccbot, &[file("calendar/CTG.xml")]);
    let planned = read(Form::Pddl, &[file("calendar/domain.pddl"), file("calendar/problem.pddl")]);
    assert_eq!(planned.targets, ["SelectTimeZoneActivity"]);
    let shape = |imported: &Imported| -> (String, Vec<String>, Vec<(String, String)>) {
        let app = &imported.app;
        let ends = app.transitions.iter().map(|one| (one.from.clone(), one.to.clone())).collect();
        (app.start.clone(), app.pages.iter().map(|page| page.name.clone()).collect(), ends)
    };
    assert_eq!(shape(&static_one), shape(&planned));
    assert_eq!((static_one.report.pages, static_one.report.transitions), (12, 13));
    for imported in [static_one, planned] {
        let model = imported.app.check().unwrap();
        for (target, path) in [
            ("SelectTimeZoneActivity", ["SplashActivity", "MainActivity", "EventActivity"]),
            ("ManageEventTypesActivity", ["SplashActivity", "MainActivity", "SettingsActivity"]),
        ] {
            let goal = Goal::Any(vec![model.find_page(target).unwrap()]);
            let Found::Path(found) = plan(&model, &goal) else { panic!("no plan") };
            let from: Vec<&str> = found.steps.iter().map(|step| model.page_name(step.from)).collect();
            assert_eq!((from, found.cost), (path.to_vec(), 3));
        }
    }
}

fn plan(model: &Model, goal: &Goal) -> Found {
    Planner::new(model).plan(&Start::default(), goal, &Bounds::default()).unwrap()
}

#[test]
fn the_same_screen_is_one_page_on_every_visit() {
    let options = Options { pages: Pages::State, ..Options::default() };
    let imported = import::read(Form::Droidbot, &run_files(), &options).unwrap();
    // Two visits of the list with other texts, rows and hashes, and the list with a search field.
    let main = imported.app.pages.iter().filter(|page| page.name.starts_with("MainActivity#")).count();
    assert_eq!(main, 2);
    // One action on one page has led to two pages.
    let model = imported.app.check().unwrap();
    let start = model.start();
    let successors = model.successors(start, "tap \"New note\"");
    assert_eq!(successors.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [2, 1]);
    // What was typed into a password field is nowhere.
    assert!(!model.to_json().contains("1234"));
}

#[test]
fn hostile_texts() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(200_000), close.repeat(200_000));
    for (form, text, code) in [
        (Form::Iccbot, file("bomb.xml").text().to_owned(), Code::UnreadableXml),
        (Form::Iccbot, deep("<a>", "</a>"), Code::NoModel),
        (Form::Iccbot, "<root>".repeat(1_000), Code::UnreadableXml),
        (Form::Iccbot, "<root><source name='a' name='b'/></root>".to_owned(), Code::UnreadableXml),
        (Form::Iccbot, "<root><source name='&x;'/></root>".to_owned(), Code::UnreadableXml),
        (Form::Iccbot, file("lfs.xml").text().to_owned(), Code::LfsPointer),
        (Form::Utg, file("lfs.xml").text().to_owned(), Code::LfsPointer),
        (Form::Pddl, file("lfs.xml").text().to_owned(), Code::LfsPointer),
        (Form::Utg, format!("var utg = {}", deep("[", "]")), Code::JsonSyntax),
        (Form::Utg, format!("var utg = {{\"nodes\": {}}}", deep("[", "]")), Code::NestedTooDeep),
        (Form::Utg, "var utg = ;".to_owned(), Code::JsonSyntax),
        (Form::Utg, "{\"nodes\": [1, null, {}], \"edges\": [2]}".to_owned(), Code::NoModel),
        (Form::Pddl, deep("(", ")"), Code::NestedTooDeep),
        (Form::Pddl, "(define (problem p) (:init) (:objects))".to_owned(), Code::NoModel),
        (Form::Droidbot, "[]".to_owned(), Code::NoModel),
        (Form::Droidbot, "".to_owned(), Code::NoModel),
    ] {
        let shown: String = text.chars().take(60).collect();
        let found = read(form, &text);
        assert!(found.is_err(), "{form} {shown}");
        assert!(codes(&found).contains(&code), "{form} {shown}: {:?}", codes(&found));
    }
    let limits = Limits { bytes: 100, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    for (form, sources) in fixtures() {
        let found = import::read(form, &sources, &options);
        let wanted = if form == Form::Droidbot { Code::NoModel } else { Code::TooLarge };
        assert!(found.is_err() && codes(&found).contains(&wanted), "{form}: {:?}", codes(&found));
    }
}

#[test]
fn many_names_take_no_quadratic_time() {
    let mut text = "<root>".to_owned();
    for number in 0..60_000 {
        text.push_str(&format!(
            "<source name='p{number}.Same' type='Activity'><destination name='.q{number}.Same'/></source>"
        ));
    }
    text.push_str("</root>");
    let before = std::time::Instant::now();
    let imported = read(Form::Iccbot, &text).unwrap();
    assert_eq!(imported.report.transitions, 60_000);
    assert!(before.elapsed().as_secs() < 20, "{:?}", before.elapsed());
}

/// The domain gives its predicates other names, and the words are in other cases.
#[test]
fn other_words_for_the_same() {
    let domain = "(DEFINE (DOMAIN d) (:types screen - object button) (:predicates (in ?s - screen))
        (:action go :parameters (?a ?b - screen) :precondition (and (link ?a ?b) (IN ?a))
         :effect (and (in ?b) (not (in ?a)) (increase (total-cost) (price ?a ?b)))))";
    let problem = "(define (problem p) (:domain d) (:objects A B C - Screen ok - button)
        (:init (In a) (link A b) (link b C) (link c nowhere) (= (price b c) 7) (= (total-cost) 0) (lit a))
        (:goal (or (in C) (in B))) (:metric minimize (total-cost)))";
    let sources = [Source::new("p", problem), Source::new("d", domain)];
    let imported =
        import::read(Form::Pddl, &sources, &Options::default()).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(imported.targets, ["C", "B"]);
    assert!(!imported.all_targets);
    let model = imported.app.check().unwrap();
    let costs: Vec<u32> = model.transitions().map(|(_, one)| one.cost()).collect();
    assert_eq!(costs, [1, 7]);
    assert_eq!(codes(&Ok(imported)), [Code::DanglingEdge]);
    // What would make it another problem is an error.
    for (from, to) in [
        ("(IN ?a))", "(IN ?a) (lit ?a))"),
        ("(not (in ?a))", "(not (lit ?a))"),
        (":parameters (?a ?b - screen)", ":parameters (?a ?b ?c - screen)"),
    ] {
        let sources = [Source::new("p", problem), Source::new("d", domain.replace(from, to))];
        let found = import::read(Form::Pddl, &sources, &Options::default());
        assert_eq!(codes(&found), [Code::UnreadablePddl], "{to}");
    }
}

/// Names that PDDL doesn't take, and that differ in little.
const NAMES: &[&str] = &[
    "Main",
    "main",
    "MAIN (2)",
    "設定",
    "a;b",
    "x = \"y\"",
    "at-x",
    "tab\there",
    "new\nline",
    "😀",
    "",
    "reached",
    "n-",
];

/// A random model: with guards and updates, or without.
fn random(dice: &mut Dice, guarded: bool) -> App {
    let count = 2 + dice.below(NAMES.len() - 2);
    let first = dice.below(NAMES.len());
    let page = |number: usize| NAMES[(first + number) % NAMES.len()].to_owned();
    let transitions = (0..dice.below(24)).map(|number| {
        let pick = |dice: &mut Dice, from: &[&'static str]| {
            if guarded && dice.chance(50) { from[dice.below(from.len())].to_owned() } else { String::new() }
        };
        Transition {
            guard: pick(dice, &["at = true", "n < 2", "n >= 1, at = false", "at_ = App.at"]),
            update: pick(dice, &["at = true", "n = 2", "at_ = App.at, n = 1", "at = false"]),
            ..Transition::new(
                page(dice.below(count)),
                format!("tap \"{}\"", number % 7),
                page(dice.below(count)),
            )
        }
    });
    let variable = |name: &str, kind: &str, initial: Option<Value>| Configured {
        variable: intentgate::engine::schema::declare::Variable::new(name, kind),
        initial,
    };
    let transitions: Vec<Transition> = transitions.collect();
    let variables = match guarded {
        true => vec![
            variable("at", "Boolean", Some(Value::Boolean(false))),
            variable("at_", "Boolean", None),
            variable("n", "Number", Some(Value::Number(1.into()))),
        ],
        false => Vec::new(),
    };
    App {
        app: "An app, \"quoted\"".to_owned(),
        start: page(0),
        pages: (0..count).map(|number| Page::new(page(number))).collect(),
        variables,
        transitions,
        ..App::default()
    }
}

fn round_trip(app: &App, dialect: Dialect, target: PageId) -> (Model, Imported, Model) {
    let model = app.check().unwrap_or_else(|wrong| panic!("{wrong}\n{app:#?}"));
    let problem = Problem::new(&model, &Start::default(), &[target], dialect).unwrap();
    let sources =
        [Source::new("problem", problem.problem.as_str()), Source::new("domain", problem.domain.as_str())];
    let imported = import::read(Form::Pddl, &sources, &Options::default())
        .unwrap_or_else(|wrong| panic!("{wrong}\n{}\n{}", problem.domain, problem.problem));
    let again = imported.app.check().unwrap_or_else(|wrong| panic!("{wrong}\n{:#?}", imported.app));
    (model, imported, again)
}

#[test]
fn published_problems_are_read_again() {
    for seed in 0..500 {
        let app = random(&mut Dice::new(seed), false);
        let model = app.check().unwrap();
        let target = model.pages().last().unwrap().0;
        let (model, imported, again) = round_trip(&app, Dialect::Published, target);
        assert_eq!(imported.targets, [model.page_name(target)], "seed {seed}");
        let names = |model: &Model| model.pages().map(|(_, page)| page.name().to_owned()).collect::<Vec<_>>();
        assert_eq!((again.app(), names(&again), again.start()), (model.app(), names(&model), model.start()));
        let ends = |model: &Model| {
            let mut ends: Vec<_> = model.transitions().map(|(_, one)| (one.from(), one.to())).collect();
            ends.sort_unstable();
            ends.dedup();
            ends
        };
        assert_eq!(ends(&again), ends(&model), "seed {seed}");
        assert!(
            imported.warnings.is_empty() && imported.report.left_out.is_empty(),
            "{:?}",
            imported.warnings
        );
    }
}

#[test]
fn plain_strips_is_read_again_and_costs_the_same() {
    let (mut paths, mut none) = (0, 0);
    for seed in 0..500 {
        let app = random(&mut Dice::new(seed ^ 0x77), true);
        let target = app.check().unwrap().pages().last().unwrap().0;
        let (model, imported, again) = round_trip(&app, Dialect::Strips, target);
        let cost = |model: &Model, page: PageId| match plan(model, &Goal::Any(vec![page])) {
            Found::Path(path) => Some(path.cost),
            Found::AlreadyThere => Some(0),
            Found::NoKnownPath => None,
            other => panic!("{other:?}"),
        };
        let wanted = cost(&model, target);
        let name = model.page_name(target);
        let found = again.find_page(name).and_then(|page| cost(&again, page));
        assert_eq!(found, wanted, "seed {seed}\n{app:#?}\n{}", again.to_json());
        // If something leads there, the goal is known.
        match wanted {
            Some(_) => assert_eq!(imported.targets, [name], "seed {seed}"),
            None => none += 1,
        }
        paths += usize::from(wanted.is_some());
        assert_eq!(again.app(), model.app());
    }
    assert!(paths > 100 && none > 50, "{paths} {none}");
}

#[test]
fn the_camera_in_plain_strips() {
    let text = std::fs::read_to_string(root().join(Path::new("examples/camera/model.json"))).unwrap();
    let model = Model::from_json(&Source::new("model.json", text), &Limits::default()).unwrap();
    let Declaration::App(app) = model.declaration() else { panic!("it is one app") };
    for (id, page) in model.pages() {
        let (_, imported, again) = round_trip(&app, Dialect::Strips, id);
        if id != model.start() {
            assert_eq!(imported.targets, [page.name()]);
        }
        // Events are as they were.
        let events: Vec<&str> = model.transitions().map(|(_, one)| one.event()).collect();
        assert!(again.transitions().all(|(_, one)| events.contains(&one.event())));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Damaged fixtures end in a model that passes every check, or in errors.
    #[test]
    fn damaged_files_never_stop_the_program(
        which in 0usize..6,
        part in any::<prop::sample::Index>(),
        cut in prop::option::of(any::<prop::sample::Index>()),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        by_state in any::<bool>(),
    ) {
        let (form, mut sources) = fixtures().swap_remove(which);
        let place = part.index(sources.len());
        let mut bytes = sources[place].text().as_bytes().to_vec();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        sources[place] = Source::new(sources[place].name(), text.as_str());
        let _ = Form::of(&text);
        let pages = if by_state { Pages::State } else { Pages::Activity };
        let options = Options { pages, ..Options::default() };
        match import::read(form, &sources, &options) {
            Ok(imported) => {
                let model = imported.app.check();
                prop_assert!(model.is_ok(), "{}", model.unwrap_err());
                let model = model.unwrap();
                prop_assert!(imported.targets.iter().all(|target| model.find_page(target).is_some()));
                let _ = imported.report.to_string();
                for problems in &imported.warnings {
                    prop_assert!(!problems.has_errors(), "{}", problems);
                }
            }
            Err(problems) => prop_assert!(problems.has_errors() && !problems.to_string().is_empty()),
        }
        // Any text under any form.
        for form in Form::ALL {
            let _ = read(form, &text).map_err(|problems| problems.to_string());
        }
    }
}

#[test]
fn elements_with_too_many_attributes_are_refused() {
    let attributes = |count: usize| -> String { (0..count).map(|n| format!(" a{n}='>'")).collect() };
    let graph = |count: usize| {
        let all = attributes(count);
        format!(
            "<!-- <a{}/> --><root><![CDATA[<b{}>]]><source name=\"a.B\"><destination name=\"a.C\"{all}/></source></root>",
            attributes(2_000),
            attributes(2_000)
        )
    };
    assert!(read(Form::Iccbot, &graph(999)).is_ok());
    let text = graph(100_000);
    let problems = read(Form::Iccbot, &text).unwrap_err();
    let [wrong] = problems.items() else { panic!("{problems}") };
    assert_eq!(
        (wrong.code(), wrong.primary.span.start()),
        (Code::TooLarge, text.find("<destination").unwrap())
    );
}

#[test]
fn events_and_nodes_of_a_graph_that_are_none() {
    let imported = read(
        Form::Utg,
        r#"var utg = {"nodes": [{"id": "s1", "activity": "a/.B", "label": "<FIRST>"}, {"id": "s1", "activity": "a/.C"},
                                {"id": "s3", "activity": "a/.D"}],
            "edges": [{"from": "s1", "to": "s3", "events": [null, 3, "x", [], {"event_type": "touch", "event_str": ""}]},
                      {"from": "s3", "to": "s1", "events": [null]}]};"#,
    );
    let expected = [Code::UnclearName, Code::UnreadablePart, Code::UnreadablePart, Code::UnreadablePart];
    assert_eq!(codes(&imported), [&expected[..], &[Code::UnreadablePart; 2]].concat());
    let imported = imported.unwrap();
    let app = &imported.app;
    let pages: Vec<&str> = app.pages.iter().map(|page| page.name.as_str()).collect();
    let events: Vec<(&str, Option<u64>)> =
        app.transitions.iter().map(|one| (one.event.as_str(), one.count)).collect();
    assert_eq!((pages, events), (vec!["B", "D"], vec![("tap", Some(1))]));
    assert_eq!(accounted(&imported), 6);
}

#[test]
fn costs_beyond_the_range_are_errors() {
    let graph = |cost: &str| {
        format!(
            "(define (domain d) (:action go :parameters (?a ?b) :precondition (and (at ?a) (connected ?a ?b)) \
             :effect (and (at ?b) (not (at ?a)) (increase (total-cost) (distance ?a ?b)))))\n\
             (define (problem p) (:objects a b) (:init (at a) (connected a b) (= (distance a b) {cost})) (:goal (at b)))"
        )
    };
    let ground = |cost: &str| {
        format!(
            "(define (domain d) (:action go :precondition (at-a) \
             :effect (and (at-b) (not (at-a)) (increase (total-cost) {cost}))))\n\
             (define (problem p) (:init (at-a)) (:goal (at-b)))"
        )
    };
    for text in [graph("4294967295"), ground("4294967295")] {
        assert_eq!(read(Form::Pddl, &text).unwrap().app.transitions[0].cost, Some(u32::MAX), "{text}");
    }
    for text in [graph("4294967296"), ground("4294967296"), graph(&"9".repeat(40))] {
        assert_eq!(codes(&read(Form::Pddl, &text)), [Code::ValueRange], "{text}");
    }
    let fraction = read(Form::Pddl, &graph("0.5"));
    assert_eq!(codes(&fraction), [Code::UnreadablePart]);
    assert_eq!(fraction.unwrap().app.transitions[0].cost, None);
}
