//! Exploration: what is tried, what is decided, what is learnt, and what is left alone.

use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::executor::device::simulated::{Faults, SimulatedApp};
use intentgate::executor::device::{Device, DeviceError, Gesture, Observation, Target};
use intentgate::executor::explore::{
    ByChange, ByModel, Change, Danger, Demonstrated, Ended, Explored, Explorer, Options, Possible, Reflector,
    choose, demonstrate,
};
use intentgate::executor::locate::Locator;
use intentgate::executor::reply::{Decision, Documents, Interaction};
use intentgate::executor::screen::{Element, Screen, Selector};
use intentgate::language_model::Scripted;
use intentgate::planner::Model;
use intentgate_tests::tasks::{MEETING, RESTAURANT, Read};
use pollster::block_on;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An app in a table: what each button of a page leads to.
struct Table {
    pages: BTreeMap<&'static str, Vec<(&'static str, &'static str)>>,
    page: &'static str,
    before: Vec<&'static str>,
    tapped: Vec<String>,
}

impl Table {
    fn new(start: &'static str, rows: &[(&'static str, &[(&'static str, &'static str)])]) -> Table {
        let pages = rows.iter().map(|(page, buttons)| (*page, buttons.to_vec())).collect();
        Table { pages, page: start, before: Vec::new(), tapped: Vec::new() }
    }
}

impl Device for Table {
    fn name(&self) -> &str {
        "table"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        let page = self.page;
        let package = if page.starts_with("Browser") { "com.browser" } else { "com.app" };
        let buttons: Vec<&str> = self.pages[page].iter().map(|(label, _)| *label).collect();
        Ok(Observation { page: Some(page.to_owned()), ..shown(package, page, &buttons) })
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        match gesture {
            Gesture::Tap(Target::Element(selector)) => {
                let screen = self.observe()?.screen.unwrap();
                let id = screen.find(selector)?;
                let label = screen.get(id).unwrap().text.clone();
                let to = self.pages[self.page].iter().find(|(known, _)| *known == label).unwrap().1;
                self.tapped.push(format!("{}: {label}", self.page));
                if to != self.page {
                    self.before.push(self.page);
                    self.page = to;
                }
            }
            Gesture::Back => self.page = self.before.pop().unwrap_or(self.page),
            _ => return Err(DeviceError::Unsupported { reason: "it is a table".to_owned() }),
        }
        Ok(())
    }
}

fn shown(package: &str, activity: &str, buttons: &[&str]) -> Observation {
    let elements = buttons.iter().enumerate().map(|(number, label)| {
        let mut element = Element::new("android.widget.Button");
        element.text = (*label).to_owned();
        element.resource_id = format!("{package}:id/b{number}");
        element.flags.clickable = true;
        element
    });
    let mut screen = Screen::new(elements.collect()).unwrap();
    screen.package = Some(package.to_owned());
    screen.activity = Some(activity.to_owned());
    Observation { screen: Some(screen), ..Observation::default() }
}

fn empty(start: &str) -> Model {
    let text = format!(
        r#"{{"app": "App", "start": "{start}", "pages": [{{"name": "{start}"}}], "transitions": []}}"#
    );
    Model::from_json(&Source::new("model", text), &Limits::default()).unwrap()
}

fn vocabulary() -> Arc<Vocabulary> {
    Arc::clone(RESTAURANT.read().session().vocabulary())
}

fn explore(table: &mut Table, goal: &str, options: Options<'_>) -> Explored {
    let start = table.page;
    block_on(Explorer::new(table, empty(start), vocabulary(), goal, options).run())
}

/// Everything that was done, and what was learnt.
fn told(explored: &Explored) -> String {
    let mut text = String::new();
    for taken in &explored.taken {
        let decision = taken.decision.map_or("-", Decision::name);
        let to = taken.to.as_deref().unwrap_or("?");
        text.push_str(&format!("{}: {} -> {to}: {decision}, {}\n", taken.from, taken.event, taken.why));
    }
    for refused in &explored.refused {
        text.push_str(&format!("left alone on {}: {}: {}\n", refused.page, refused.event, refused.danger));
    }
    text.push_str(&serde_json::to_string_pretty(&explored.news).unwrap());
    text.push_str(&format!("\n{}\n", explored.ended));
    text
}

const ALARMS: &[(&str, &[(&str, &str)])] = &[
    (
        "Clock",
        &[
            ("Help", "Browser help"),
            ("Alarms", "Alarms"),
            ("Logo", "Clock"),
            ("Themes", "Themes"),
            ("More", "Clock more"),
        ],
    ),
    ("Clock more", &[("Alarms", "Alarms"), ("About", "Clock more")]),
    ("Browser help", &[("Menu", "Browser help")]),
    ("Alarms", &[("Alarm sound", "Alarm sound"), ("Reserve", "Gone"), ("Delete all", "Gone")]),
    ("Alarm sound", &[("Bell", "Alarm sound")]),
    ("Themes", &[("Dark", "Themes")]),
    ("Gone", &[]),
];

#[test]
fn the_four_decisions() {
    let mut table = Table::new("Clock", ALARMS);
    let explored =
        explore(&mut table, "change the alarm sound", Options { steps: 200, ..Options::default() });
    insta::assert_snapshot!(told(&explored));
    let decisions = |decision| explored.taken.iter().filter(|taken| taken.decision == Some(decision)).count();
    assert!(Decision::ALL.into_iter().all(|decision| decisions(decision) > 0));
    assert_eq!(explored.ended, Ended::Exhausted);
}

/// What leads away from the goal is looked at in the end, and nothing of another program is touched.
#[test]
fn what_leads_away_is_put_off() {
    let mut table = Table::new("Clock", ALARMS);
    let explored =
        explore(&mut table, "change the alarm sound", Options { steps: 200, ..Options::default() });
    let place = |tap: &str| table.tapped.iter().position(|tapped| tapped == tap);
    assert!(place("Alarm sound: Bell") < place("Themes: Dark"), "{:?}", table.tapped);
    assert!(!table.tapped.iter().any(|tapped| tapped.starts_with("Browser")), "{:?}", table.tapped);
    // Going back leads nowhere: the other program is left alone all the same.
    let stuck: &[(&str, &[(&str, &str)])] = &[
        ("Clock", &[("Help", "Browser help"), ("Help", "Browser help")]),
        ("Browser help", &[("Menu", "Browser help")]),
    ];
    let mut table = Table::new("Browser help", stuck);
    table.page = "Clock";
    let programs = vec!["com.other".to_owned()];
    let explored_there = explore(&mut table, "help", Options { programs, ..Options::default() });
    assert_eq!(table.tapped, Vec::<String>::new());
    assert_eq!(explored_there.ended, Ended::Exhausted);
    assert_eq!(explored.ended, Ended::Exhausted);
}

#[test]
fn nothing_is_tried_twice_in_a_like_situation() {
    let mut table = Table::new("Clock", ALARMS);
    let explored =
        explore(&mut table, "change the alarm sound", Options { steps: 500, ..Options::default() });
    let mut tried = BTreeMap::new();
    for taken in explored.taken.iter().filter(|taken| taken.decision.is_some()) {
        *tried.entry((&taken.from, &taken.event)).or_insert(0) += 1;
    }
    assert!(tried.values().all(|times| *times == 1), "{tried:?}");
    let ineffective = table.tapped.iter().filter(|tap| *tap == "Clock: Logo").count();
    assert_eq!(ineffective, 1, "{:?}", table.tapped);
}

#[test]
fn dangerous_elements_are_left_alone_and_said() {
    let mut table = Table::new("Alarms", ALARMS);
    let explored = explore(&mut table, "reserve a table", Options::default());
    assert!(
        table.tapped.iter().all(|tap| !tap.contains("Reserve") && !tap.contains("Delete")),
        "{:?}",
        table.tapped
    );
    let dangers: Vec<&Danger> = explored.refused.iter().map(|refused| &refused.danger).collect();
    let expected = [&Danger::Word("delete".to_owned()), &Danger::NearName("Reserve".to_owned())];
    assert_eq!(dangers, expected);
}

/// The model with every second transition, of those that are no critical action.
fn half(read: &Read) -> Model {
    let mut number = 0;
    let mut declaration: serde_json::Value = serde_json::from_str(&read.model.to_json()).unwrap();
    declaration["transitions"].as_array_mut().unwrap().retain(|_| {
        number += 1;
        number % 2 == 0
    });
    Model::from_json(&Source::new("half", declaration.to_string()), &Limits::default()).unwrap()
}

#[test]
fn no_critical_action_is_ever_performed() {
    let mut grown = 0;
    for read in [RESTAURANT.read(), MEETING.read()] {
        let vocabulary = Arc::clone(read.session().vocabulary());
        for seed in 0..100 {
            let faults = if seed % 2 == 0 { Faults::default() } else { Faults::each(5) };
            for model in [read.model.clone(), half(&read), empty(read.model.page_name(read.model.start()))] {
                let app = SimulatedApp::new(read.model.clone(), Arc::clone(&vocabulary), seed);
                let mut app = app.faults(faults).screens();
                let options = Options { labels_are_events: true, ..Options::default() };
                let goal = "reserve a table, create an event and invite everybody";
                let explorer = Explorer::new(&mut app, model, Arc::clone(&vocabulary), goal, options);
                let explored = block_on(explorer.run());
                assert!(app.ledger().is_empty(), "seed {seed}: {:?}", app.ledger());
                grown += explored.news.transitions.len();
            }
        }
    }
    assert!(grown > 100, "{grown}");
}

fn possible(shown: &Observation, label: &str) -> Possible {
    let offered = choose::offered(shown.screen.as_ref().unwrap(), false);
    offered.into_iter().find(|one| one.label() == label).unwrap()
}

fn reflected(
    reflector: &mut dyn Reflector,
    before: &Observation,
    after: &Observation,
) -> (Decision, Option<String>) {
    let possible = possible(before, "Alarms");
    let (from, to) = ("Clock", if before == after { "Clock" } else { "Alarms" });
    let goal = "change the alarm sound";
    let change = Change {
        goal,
        possible: &possible,
        from,
        to,
        before,
        after,
        foreign: false,
        known: Some("It opens the alarms."),
    };
    let reflection = block_on(reflector.reflect(&change));
    (reflection.decision, reflection.documentation)
}

#[test]
fn a_language_model_reflects() {
    let before = shown("com.app", "Clock", &["Alarms", "Themes"]);
    let mut after = shown("com.app", "Alarms", &["Alarm sound"]);
    let mut field = Element::new("android.widget.EditText");
    field.text = "Ada Lovelace".to_owned();
    field.flags.editable = true;
    let mut elements: Vec<Element> =
        after.screen.as_ref().unwrap().elements().map(|(_, one)| one.clone()).collect();
    elements.push(field);
    after.screen = Some(Screen::new(elements).unwrap());
    let answer = |document: &str| format!("Decision: SUCCESS\nThought: nearer\nDocumentation: {document}");
    // What speaks of tags, or of people, goes back; the third is taken.
    let model = Scripted::new([
        answer("The element labeled 5 opens the alarms."),
        answer("The UI element opens the alarms of Ada Lovelace."),
        answer("The UI element opens the list of alarms."),
    ]);
    let mut reflector = ByModel::new(model);
    let (decision, document) = reflected(&mut reflector, &before, &after);
    assert_eq!(decision, Decision::Success);
    assert_eq!(document.as_deref(), Some("The UI element opens the list of alarms."));
    // A model that never says anything usable is asked three times, and not followed.
    let mut reflector = ByModel::new(Scripted::new(["Decision: MAYBE", "no idea", "Decision: SUCCESS"]));
    assert_eq!(
        reflected(&mut reflector, &before, &after),
        reflected(&mut ByChange::default(), &before, &after)
    );
}

#[test]
fn a_demonstration_teaches_without_performing() {
    let (clock, alarms) =
        (shown("com.app", "Clock", &["Alarms", "Themes"]), shown("com.app", "Alarms", &["Bell"]));
    let tap = Gesture::Tap(Target::Element(Selector::text("Alarms")));
    let steps = [
        Demonstrated { shown: clock.clone(), gesture: tap },
        Demonstrated {
            shown: alarms.clone(),
            gesture: Gesture::Tap(Target::Element(Selector::text("Bell"))),
        },
        Demonstrated { shown: alarms, gesture: Gesture::Back },
    ];
    let start = (empty("Clock"), Documents::default(), Locator::default());
    let grown = block_on(demonstrate("see the alarms", &steps, &clock, &mut ByChange::default(), start));
    let (model, documents, _, news) = grown;
    let seen = model.transitions().map(|(_, one)| one.event().to_owned()).collect::<Vec<_>>();
    assert_eq!(seen, ["tap \"Alarms\"", "go back"], "what changed nothing is none");
    assert_eq!(news.pages, ["Alarms"]);
    let uid = possible(&clock, "Alarms").uid;
    let text = documents.get(&uid).unwrap().get(Interaction::Tap).unwrap();
    assert_eq!(text, "Tapping this UI element opens the screen Alarms.");
}
