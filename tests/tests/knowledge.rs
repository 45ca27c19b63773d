//! Knowledge that lasts: what is learnt of which runs, files that are cut, damaged, locked or of another version,
//! and what is reused.

use intentgate::engine::diagnostic::Code;
use intentgate::engine::limits::Limits;
use intentgate::engine::span::Source;
use intentgate::executor::account::{Account, Outcome};
use intentgate::executor::agent::{Agent, Briefing, Deciding, Decision, FollowPlan, Move};
use intentgate::executor::device::Gesture;
use intentgate::executor::device::simulated::{Faults, SimulatedApp};
use intentgate::executor::driver::{Driver, Options};
use intentgate::executor::knowledge::store::{Store, StoreError};
use intentgate::executor::knowledge::{CueOrigin, Knowledge, Lesson};
use intentgate::executor::reply::{Documents, Interaction};
use intentgate::executor::task::{Aim, Task};
use intentgate::planner::{Goal, Model};
use intentgate_tests::tasks::{RESTAURANT, Read};
use pollster::block_on;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const SENTENCE: &str = "reserve a table at a restaurant";

/// A run on the restaurant, with what it started from and ended with.
fn run(read: &Read, faults: Faults, seed: u64) -> (Account, Model) {
    let session = read.session();
    let mut device =
        SimulatedApp::new(read.model.clone(), Arc::clone(session.vocabulary()), seed).faults(faults);
    let options = Options { confirm: Some(Box::new(device.confirm())), ..Options::default() };
    let task = Task::new(SENTENCE, Aim::Complete);
    let mut agent = FollowPlan::default();
    let mut driver =
        Driver::new(&mut device, &mut agent, session, read.model.clone(), task, options).unwrap();
    block_on(driver.run());
    let (account, _, model) = driver.into_parts();
    (account, model)
}

fn lesson<'a>(account: &'a Account, before: &'a Model, model: &'a Model) -> Lesson<'a> {
    Lesson { account, before, model, specification: Some("Reserve -> Done"), locator: None }
}

/// Knowledge of a run that succeeded.
fn known() -> Knowledge {
    let read = RESTAURANT.read();
    let (account, model) = run(&read, Faults::default(), 1);
    let mut knowledge = Knowledge::new();
    knowledge.learn(&lesson(&account, &read.model, &model)).unwrap();
    knowledge
}

fn codes(error: &StoreError) -> Vec<Code> {
    error.problems().items().iter().map(|item| item.code()).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_is_written_is_read_again() {
    let knowledge = known();
    let text = knowledge.to_json();
    let read = Knowledge::from_json(&Source::new("knowledge", text.clone()), &Limits::default()).unwrap();
    assert_eq!(read, knowledge);
    assert_eq!(read.to_json(), text);
    insta::assert_snapshot!(text);
}

#[test]
fn only_success_on_evidence_is_learnt() {
    let read = RESTAURANT.read();
    let (account, model) = run(&read, Faults::default(), 1);
    assert_eq!(account.outcome, Outcome::Success);
    let others = [
        Outcome::HeldBefore,
        Outcome::Claimed,
        Outcome::UnderWay,
        Outcome::GaveUp { because: "it is too hard".to_owned() },
        Outcome::Unclear { action: "Reserve".to_owned() },
    ];
    for outcome in others {
        let account = Account { outcome: outcome.clone(), ..account.clone() };
        let mut knowledge = Knowledge::new();
        let refused = knowledge.learn(&lesson(&account, &read.model, &model)).unwrap_err();
        assert_eq!(refused.outcome, outcome);
        assert!(knowledge.is_empty(), "{outcome}");
    }
}

#[test]
fn what_was_counted_before_is_not_counted_again() {
    let read = RESTAURANT.read();
    let (account, first) = run(&read, Faults::default(), 1);
    let mut knowledge = Knowledge::new();
    knowledge.learn(&lesson(&account, &read.model, &first)).unwrap();
    // The second run starts with what the first left, and does the same.
    let warm = knowledge.warm(&read.model, SENTENCE).unwrap();
    let mut second = warm.model.clone();
    let start = second.start();
    second.observe(start, "search for {name} and open it", "Restaurant");
    knowledge.learn(&lesson(&account, &warm.model, &second)).unwrap();
    let model = knowledge.model("Restaurant").unwrap().unwrap();
    let counts = |model: &Model, event: &str| -> u64 {
        model.transitions().filter(|(_, one)| one.event() == event).map(|(_, one)| one.count()).sum()
    };
    let (searched, tapped) = ("search for {name} and open it", "tap \"Book a table\"");
    assert_eq!(counts(&model, searched), counts(&first, searched) + 1);
    assert_eq!(counts(&model, tapped), counts(&first, tapped));
    let app = knowledge.app("Restaurant").unwrap();
    assert_eq!(app.sequences.iter().map(|one| one.times()).collect::<Vec<_>>(), [2]);
}

#[test]
fn two_writers_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("knowledge.json");
    let (writers, rounds) = (4, 10);
    let threads: Vec<_> = (0..writers)
        .map(|writer| {
            let store = Store::new(&path).wait(Duration::from_secs(60));
            std::thread::spawn(move || {
                for round in 0..rounds {
                    let advice = format!("{writer} {round}");
                    store.update(|knowledge| knowledge.add_cue("App", "a task", &advice)).unwrap();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let knowledge = Store::new(&path).read().unwrap();
    assert_eq!(knowledge.app("App").unwrap().cues.len(), writers * rounds);
    assert_eq!(names(folder.path()), ["knowledge.json", "knowledge.json.lock"]);
}

#[test]
fn a_writer_waits_so_long_and_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path().join("knowledge.json")).wait(Duration::from_millis(50));
    let inner = store.clone();
    let inside = store.update(move |_| inner.update(|knowledge| knowledge.add_cue("App", "a", "b"))).unwrap();
    let error = inside.value.unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    assert_eq!(codes(&error), [Code::KnowledgeLocked]);
    // The lock has ended.
    store.update(|knowledge| knowledge.add_cue("App", "a", "b")).unwrap();
    assert_eq!(store.read().unwrap().apps().len(), 1);
}

#[test]
fn what_is_cut_is_kept_beside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("knowledge.json");
    let store = Store::new(&path);
    let whole = known().to_json();
    // Cut anywhere: the last byte is only the line's end.
    let cuts = (0..whole.len() - 2).step_by(whole.len() / 25).collect::<Vec<_>>();
    for (number, cut) in cuts.iter().enumerate() {
        std::fs::write(&path, &whole.as_bytes()[..*cut]).unwrap();
        assert_eq!(codes(&store.read().unwrap_err()), [Code::DamagedKnowledge], "cut at {cut}");
        assert_eq!(std::fs::read(&path).unwrap().len(), *cut, "reading changes nothing");
        let updated = store.update(|knowledge| knowledge.add_cue("App", "a", "b")).unwrap();
        let (kept, problems) = updated.damaged.unwrap();
        assert_eq!(kept, folder.path().join(format!("knowledge.json.damaged-{}", number + 1)));
        assert!(problems.has_errors());
        assert_eq!(std::fs::read(kept).unwrap(), &whole.as_bytes()[..*cut]);
        assert_eq!(store.read().unwrap().apps().len(), 1);
    }
}

#[test]
fn what_is_damaged_is_said() {
    let whole = known().to_json();
    let texts = [
        ("not a file of knowledge", r#"{"apps": {}}"#.to_owned()),
        ("another shape", r#"{"format": "intentgate knowledge", "version": 1, "apps": []}"#.to_owned()),
        ("an unknown part", whole.replacen("\"cues\"", "\"clues\"", 1)),
        ("a machine without its page", whole.replacen("\"start\": \"Home\"", "\"start\": \"Hom\"", 1)),
        ("an older version", whole.replacen("\"version\": 1", "\"version\": 0", 1)),
        ("a newer version", whole.replacen("\"version\": 1", "\"version\": 99", 1)),
        ("no version", whole.replacen("\"version\": 1", "\"versions\": 1", 1)),
    ];
    let mut shown = String::new();
    for (name, text) in texts {
        assert_ne!(text, whole, "{name}");
        let problems = Knowledge::from_json(&Source::new("knowledge", text), &Limits::default()).unwrap_err();
        let said = problems.items().iter().map(|item| item.fault.to_string()).collect::<Vec<_>>().join("\n");
        shown.push_str(&format!("{name}: {said}\n"));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn another_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("knowledge.json");
    let newer = r#"{"format": "intentgate knowledge", "version": 2, "apps": {}, "more": true}"#;
    std::fs::write(&path, newer).unwrap();
    let error = Store::new(&path).update(|knowledge| knowledge.add_cue("App", "a", "b")).unwrap_err();
    assert_eq!(codes(&error), [Code::KnowledgeVersion]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), newer);
    assert_eq!(names(folder.path()), ["knowledge.json", "knowledge.json.lock"]);
}

#[test]
fn a_writer_that_is_killed_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path().join("knowledge.json"));
    store.update(|knowledge| knowledge.add_cue("App", "a", "old")).unwrap();
    let mut newer = store.read().unwrap();
    newer.add_cue("App", "a", "new");
    // Killed between writing and renaming: nothing is cleaned up.
    std::mem::forget(store.stage(&newer).unwrap());
    assert_eq!(names(folder.path()).len(), 3);
    let cues = |knowledge: &Knowledge| knowledge.app("App").unwrap().cues.keys().cloned().collect::<Vec<_>>();
    assert_eq!(cues(&store.read().unwrap()), ["old"]);
    store.update(|knowledge| knowledge.add_cue("App", "a", "next")).unwrap();
    assert_eq!(cues(&store.read().unwrap()), ["next", "old"]);
    assert_eq!(names(folder.path()), ["knowledge.json", "knowledge.json.lock"], "what was left is gone");
}

#[test]
fn a_folder_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path().join("none/knowledge.json"));
    assert!(store.read().unwrap().is_empty());
    let error = store.update(|_| ()).unwrap_err();
    assert_eq!(codes(&error), [Code::KnowledgeFile]);
}

/// Knowledge with counts and documents.
fn some_knowledge() -> impl Strategy<Value = Knowledge> {
    let seen = prop::collection::vec((0..3_usize, 0..3_usize, 1..5_u64), 0..6);
    let documents = prop::collection::btree_map("[a-c]", "[a-z]{1,6}", 0..3);
    (seen, documents).prop_map(|(seen, texts)| {
        let before = RESTAURANT.read().model;
        let mut model = before.clone();
        let pages: Vec<_> = model.pages().map(|(id, page)| (id, page.name().to_owned())).collect();
        for (from, to, times) in seen {
            model.observe_often(pages[from].0, "look around", &pages[to].1, times);
        }
        let mut knowledge = Knowledge::new();
        knowledge.grow(&before, &model, None);
        let mut documents = Documents::default();
        for (uid, text) in texts {
            documents.learn(&uid, Interaction::Tap, &text).unwrap();
        }
        knowledge.add_documents("Restaurant", &documents);
        knowledge
    })
}

/// How often each transition was seen.
fn counts(knowledge: &Knowledge) -> BTreeMap<(String, String, String), u64> {
    let model = knowledge.model("Restaurant").unwrap().unwrap();
    let name = |id| model.page_name(id).to_owned();
    let all = model.transitions();
    all.map(|(_, one)| ((name(one.from()), one.event().to_owned(), name(one.to())), one.count())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn merging_adds_up(one in some_knowledge(), other in some_knowledge()) {
        let mut both = one.clone();
        both.merge(&other);
        let mut other_way = other.clone();
        other_way.merge(&one);
        prop_assert_eq!(counts(&both), counts(&other_way));
        let mut sums = counts(&one);
        for (transition, count) in counts(&other) {
            *sums.entry(transition).or_default() += count;
        }
        prop_assert_eq!(counts(&both), sums);
        // Documents of the same knowledge again change nothing.
        let mut again = both.clone();
        again.merge(&other);
        prop_assert_eq!(&again.app("Restaurant").unwrap().documents, &both.app("Restaurant").unwrap().documents);
        // And what was merged can be read again.
        let text = Source::new("merged", both.to_json());
        prop_assert_eq!(Knowledge::from_json(&text, &Limits::default()).unwrap(), both);
    }
}

#[test]
fn other_apps_give_hints_and_nothing_else() {
    let knowledge = known();
    let cues = knowledge.cues_for("reserve a table for two", "Restaurant");
    assert!(!cues.is_empty());
    assert!(cues.iter().all(|cue| cue.origin == CueOrigin::SameApp));
    let other = Source::new(
        "model",
        r#"{"app": "Diner", "start": "Front", "pages": [{"name": "Front"}], "transitions": []}"#,
    );
    let other = Model::from_json(&other, &Limits::default()).unwrap();
    let warm = knowledge.warm(&other, "reserve a table at a restaurant").unwrap();
    insta::assert_snapshot!(warm.cues.iter().map(|cue| format!("{}\n", cue.text)).collect::<String>());
    assert!(warm.cues.iter().all(|cue| cue.origin == CueOrigin::OtherApp("Restaurant".to_owned())));
    assert!(!warm.cues.is_empty());
    assert_eq!(warm.model.to_json(), other.to_json());
    assert!(warm.documents.iter().next().is_none() && warm.locator.is_empty());
    // A task that is about something else gets nothing.
    assert!(knowledge.cues_for("turn the volume down", "Diner").is_empty());
}

#[test]
fn what_is_known_never_says_what_an_action_is() {
    // A file in which the reservation is said to be a harmless step.
    let text = known().to_json().replace("\"action\": \"Reserve\"", "\"action\": \"look around\"");
    assert!(text.contains("look around"));
    let knowledge = Knowledge::from_json(&Source::new("edited", text), &Limits::default()).unwrap();
    let read = RESTAURANT.read();
    let warm = knowledge.warm(&read.model, SENTENCE).unwrap();
    let reserve = warm.model.transitions().filter(|(_, one)| one.event().contains("Reserve"));
    let actions: Vec<&str> = reserve.map(|(_, one)| one.action()).collect();
    assert!(!actions.is_empty() && actions.iter().all(|action| *action == "Reserve"), "{actions:?}");
}

#[test]
fn an_event_is_the_same_action_wherever_it_leads() {
    let mut model = RESTAURANT.read().model;
    let booking = model.find_page("Booking").unwrap();
    for to in ["Home", "Somewhere new"] {
        model.observe(booking, "tap \"Reserve\"", to);
    }
    let reserve = model.transitions().filter(|(_, one)| one.event() == "tap \"Reserve\"");
    assert_eq!(reserve.map(|(_, one)| one.action()).collect::<Vec<_>>(), ["Reserve"; 3]);
}

/// Rooms in a row, each with a door to the next one and two that lead nowhere; what is known of them.
fn rooms(known: impl Fn(usize) -> bool) -> Model {
    let name = |room: usize| format!("Room {room}");
    let mut transitions = Vec::new();
    for room in (0..8).filter(|room| known(*room)) {
        for (door, to) in [("red", room), ("blue", room), ("green", room + 1)] {
            let (from, to) = (name(room), name(to));
            let event = format!("open the {door} door");
            transitions.push(serde_json::json!({"from": from, "event": event, "to": to}));
        }
    }
    let pages: Vec<_> = (0..9).map(|room| serde_json::json!({"name": name(room)})).collect();
    let model =
        serde_json::json!({"app": "Rooms", "start": "Room 0", "pages": pages, "transitions": transitions});
    Model::from_json(&Source::new("rooms", model.to_string()), &Limits::default()).unwrap()
}

/// Follows a plan where there is one, and else tries the doors, those first that it tried least.
struct Doors;

impl Agent for Doors {
    fn name(&self) -> &str {
        "doors"
    }

    fn decide<'a>(&'a mut self, briefing: &'a Briefing<'a>) -> Deciding<'a> {
        let doors = ["red", "blue", "green"].map(|door| format!("open the {door} door"));
        let tried = |event: &String| {
            let here = briefing.done.iter().filter(|done| Some(done.from.as_str()) == briefing.page);
            here.filter(|done| done.event == *event).count()
        };
        let event = doors.into_iter().min_by_key(tried).unwrap();
        let gesture = Gesture::Event(event.clone());
        let decision = match briefing.next() {
            Some(_) => Decision::Follow,
            None => {
                Decision::Perform(Box::new(Move { event, gesture, action: None, observes: None, to: None }))
            }
        };
        Box::pin(std::future::ready(Ok(decision.into())))
    }
}

#[test]
fn the_second_run_takes_fewer_steps() {
    let read = RESTAURANT.read();
    let whole = rooms(|_| true);
    let half = rooms(|room| room % 2 == 0);
    let sentence = "go to the last room";
    let go = |knowledge: &Knowledge| {
        let session = read.session();
        let mut device = SimulatedApp::new(whole.clone(), Arc::clone(session.vocabulary()), 1);
        let warm = knowledge.warm(&half, sentence).unwrap();
        let options = warm.options(Options::default());
        let target = warm.model.find_page("Room 8").unwrap();
        let task = Task::new(sentence, Aim::Goal(Goal::Any(vec![target])));
        let before = warm.model.clone();
        let mut agent = Doors;
        let driver = Driver::new(&mut device, &mut agent, session, warm.model, task, options).unwrap();
        let mut driver = driver.with_locator(warm.locator);
        block_on(driver.run());
        let locator = driver.locator().clone();
        let (account, _, after) = driver.into_parts();
        (account, before, after, locator)
    };
    let mut knowledge = Knowledge::new();
    let (first, before, after, locator) = go(&knowledge);
    assert_eq!(first.outcome, Outcome::Success, "{first}");
    assert!(knowledge.cues_for(sentence, "Rooms").is_empty());
    let lesson = Lesson {
        account: &first,
        before: &before,
        model: &after,
        specification: None,
        locator: Some(&locator),
    };
    knowledge.learn(&lesson).unwrap();
    // As another process would find it.
    let text = Source::new("knowledge", knowledge.to_json());
    let knowledge = Knowledge::from_json(&text, &Limits::default()).unwrap();
    let (second, ..) = go(&knowledge);
    assert_eq!(second.outcome, Outcome::Success, "{second}");
    assert_eq!(second.counters.steps, 8, "the shortest way: {second}");
    assert!(second.counters.steps < first.counters.steps, "{first}\n{second}");
    assert_eq!(knowledge.cues_for(sentence, "Rooms").len(), 1);
}
