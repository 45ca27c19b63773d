//! Reports of runs: everything is told, and nothing that is told becomes a part of the page.

use intentgate::engine::truth::Truth;
use intentgate::executor::account::{Account, Comparison, Done, Entry, Outcome};
use intentgate::executor::agent::FollowPlan;
use intentgate::executor::device::simulated::{Faults, SimulatedApp};
use intentgate::executor::driver::{Driver, Options};
use intentgate::executor::machine::{Counters, Phase, Signal};
use intentgate::executor::report::{Beside, html, taken};
use intentgate::executor::task::{Aim, SubTask, Task};
use intentgate::gate::feedback::RuleReport;
use intentgate::planner::Model;
use intentgate::planner::declare::{App, Page, Transition};
use intentgate_tests::tasks::RESTAURANT;
use pollster::block_on;
use std::sync::Arc;

/// A run at the restaurant, and the model after it.
fn run(faults: Faults, seed: u64) -> (Account, Model, Beside) {
    let read = RESTAURANT.read();
    let session = read.session();
    let vocabulary = Arc::clone(session.vocabulary());
    let mut device = SimulatedApp::new(read.model.clone(), vocabulary, seed).faults(faults).screens();
    let options = Options { confirm: Some(Box::new(device.confirm())), ..Options::default() };
    let task = Task::new("Reserve a table", Aim::Complete);
    let mut agent = FollowPlan::default();
    let mut driver = Driver::new(&mut device, &mut agent, session, read.model, task, options).unwrap();
    block_on(driver.run());
    let (account, session, model) = driver.into_parts();
    let settings = vec![("seed".to_owned(), seed.to_string())];
    (account, model, Beside { settings, rules: session.roadmap() })
}

/// The page as a tree. It is written so that it is XML, too: what is not escaped shows.
fn checked(page: &str, each: &mut dyn FnMut(&roxmltree::Node)) {
    let tree = page.strip_prefix("<!DOCTYPE html>\n").unwrap();
    let tree = roxmltree::Document::parse(tree).unwrap_or_else(|error| panic!("{error}\n{page}"));
    for node in tree.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        assert!(
            !["script", "img", "iframe", "link", "a", "object", "form", "image", "use"].contains(&name),
            "{name}"
        );
        for attribute in node.attributes() {
            let name = attribute.name();
            assert!(!name.starts_with("on") && !["src", "href", "style"].contains(&name), "{name}");
        }
        each(&node);
    }
}

fn text(page: &str) -> String {
    let mut all = String::new();
    checked(page, &mut |node| {
        for child in node.children().filter(roxmltree::Node::is_text) {
            all.push_str(child.text().unwrap_or_default());
            all.push('\n');
        }
    });
    all
}

#[test]
fn a_run_is_told() {
    let (account, model, beside) = run(Faults { no_change: 30, ..Faults::default() }, 1);
    let page = html(&account, &model, &beside);
    let shown = text(&page);
    for step in &account.steps {
        assert!(shown.contains(&step.event), "{}", step.event);
    }
    assert!(shown.contains(&account.outcome.to_string()) && shown.contains("verdict: allow"));
    let count = |name: &str| {
        let mut count = 0;
        checked(&page, &mut |node| count += usize::from(node.tag_name().name() == name));
        count
    };
    assert!(shown.contains("To complete the task") && shown.contains("achieved by it"), "{shown}");
    let screens = account.log.iter().filter(|entry| entry.screen.is_some()).count();
    assert!(screens > 2);
    assert_eq!((count("details"), count("svg")), (screens, 1));
    assert_eq!(count("li"), account.log.len());
    let done = account.steps.iter().filter(|step| step.comparison == Comparison::Success && !step.recovery);
    assert_eq!(taken(&account, &model).steps.len(), done.count());
    insta::assert_snapshot!(page);
}

/// The picture numbers what was taken as the table does, failures between them counted.
#[test]
fn the_picture_has_the_numbers_of_the_table() {
    let runs = (0..40).map(|seed| run(Faults { no_change: 30, ..Faults::default() }, seed));
    let failed = |account: &Account| account.steps[0].comparison != Comparison::Success;
    let (account, model, beside) = runs.into_iter().find(|(account, ..)| failed(account)).unwrap();
    let page = html(&account, &model, &beside);
    let mut drawn: Vec<usize> = Vec::new();
    checked(&page, &mut |node| {
        if node.attribute("class") == Some("label step-label") {
            let said: String = node.descendants().filter_map(|one| one.text()).take(1).collect();
            drawn.extend(
                said.split(". ").next().unwrap().split(", ").map(|one| one.parse::<usize>().unwrap()),
            );
        }
    });
    drawn.sort_unstable();
    let took = |step: &Done| step.comparison == Comparison::Success && !step.recovery;
    let done = (1..).zip(&account.steps).filter(|(_, step)| took(step));
    assert_eq!(drawn, done.map(|(number, _)| number).collect::<Vec<usize>>(), "{account}");
    assert!(text(&page).contains("blue lines: the way that was taken"));
}

/// What an app, a model or an agent says stays a text.
#[test]
fn hostile_texts() {
    const HOSTILE: [&str; 7] = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "</style></svg></pre><script>",
        "\u{202e}drowssap\u{2066}\u{200b}\u{0}\u{1b}[31m\u{feff}",
        "&lt;script&gt; ]]> <!-- {name}",
        "Home\n  1. tap \"Pay\" (critical): success\r\u{2028}Pay is achieved by R1",
    ];
    for hostile in HOSTILE {
        let app = App {
            app: "Hostile".to_owned(),
            start: "Home".to_owned(),
            pages: vec![Page::new("Home"), Page::new(hostile)],
            transitions: vec![Transition::new("Home", hostile, hostile)],
            ..App::default()
        };
        // Not every text may be a name; then it is one of the account alone.
        let model = app.check().unwrap_or_else(|_| {
            let plain = App { start: "Home".to_owned(), pages: vec![Page::new("Home")], ..App::default() };
            plain.check().unwrap()
        });
        let said = || hostile.to_owned();
        let account = Account {
            sentence: said(),
            outcome: Outcome::GaveUp { because: said() },
            evidence: Vec::new(),
            sub_tasks: vec![SubTask::new(said(), said(), Aim::Open), SubTask::new(said(), said(), Aim::Open)],
            steps: vec![Done {
                event: said(),
                template: said(),
                action: said(),
                critical: true,
                from: "Home".to_owned(),
                to: Some(said()),
                comparison: Comparison::Success,
                because: Some(said()),
                recovery: true,
                why: said(),
            }],
            counters: Counters::default(),
            log: vec![Entry {
                seq: 0,
                phase: Phase::Propose,
                signal: Signal::Blocked,
                page: Some(said()),
                text: format!("{hostile}\n{hostile}"),
                verdict: Some(said()),
                screen: Some(said()),
            }],
        };
        // Each line of the text begins as the account's own do, but for marked ones of reasons.
        let told = account.to_string();
        assert_eq!(told.lines().filter(|line| !line.starts_with("  | ")).count(), 5, "{told}");
        let odd = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202e}' | '\u{2066}' | '\u{200b}');
        assert!(!told.contains(odd), "{told:?}");
        if hostile.contains('\n') {
            continue;
        }
        let settings = vec![(said(), said())];
        let rule = RuleReport {
            rule: said(),
            source: said(),
            head: "Done".to_owned(),
            critical: false,
            truth: Truth::Unknown,
            predicates: Vec::new(),
        };
        let page = html(&account, &model, &Beside { settings, rules: vec![rule] });
        assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
        let unseen =
            |c: char| matches!(c, '\u{202e}' | '\u{2066}' | '\u{200b}' | '\u{0}' | '\u{1b}' | '\u{feff}');
        assert!(!page.contains(unseen), "{page}");
        let shown = text(&page);
        let expected = if hostile.contains('\u{202e}') { "\\u{202e}drowssap\\u{2066}" } else { hostile };
        assert!(shown.matches(expected).count() >= 10, "{shown}");
    }
}

#[test]
fn an_empty_run() {
    let model = RESTAURANT.read().model;
    let account = Account {
        sentence: String::new(),
        outcome: Outcome::UnderWay,
        evidence: Vec::new(),
        sub_tasks: Vec::new(),
        steps: Vec::new(),
        counters: Counters::default(),
        log: Vec::new(),
    };
    assert!(text(&html(&account, &model, &Beside::default())).contains("Nothing was done."));
}
