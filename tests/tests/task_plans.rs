//! Plans to the completion of a specification, performed through the gate.

use intentgate::planner::{Bounds, Completion, Lacks, Model, Path, Planner, Start};
use intentgate::{EffectError, Gated, Session, Update};
use intentgate_tests::tasks::{MEETING, RESTAURANT, Read, Task};
use std::fmt::Write;
use std::sync::Arc;

/// What planning and performing say.
trait Planned {
    fn plan(&self) -> Completion;
    fn shown(&self) -> String;
    fn performed(&self, path: &Path) -> String;
}

impl Planned for Read {
    fn plan(&self) -> Completion {
        let model = &self.model;
        let session = self.session();
        let before = session.save();
        let mut planner = Planner::new(model);
        let found = planner.complete(&Start::default(), &session, &Bounds::default()).unwrap();
        assert_eq!(session.save(), before, "it was only looked at");
        assert_eq!(
            Planner::new(model).complete(&Start::default(), &session, &Bounds::default()).unwrap(),
            found,
            "the same once more"
        );
        found
    }

    fn shown(&self) -> String {
        match self.plan() {
            Completion::Path(path) => self.performed(&path),
            Completion::TrueFromTheStart => "true from the start\n".to_owned(),
            Completion::Forbidden(prohibitions) => {
                let lines = prohibitions.iter().map(|one| {
                    format!("forbidden by {} ({}:{}): {}\n", one.rule, one.source, one.line, one.text)
                });
                lines.collect()
            }
            Completion::AgainstAdvice(path) => format!("against advice:\n{path}"),
            Completion::NoKnownPath => "no known path\n".to_owned(),
            Completion::Limit => "limit\n".to_owned(),
        }
    }

    /// Every step through the gate of a new session: allowed when it comes, and complete at the end.
    fn performed(&self, path: &Path) -> String {
        let mut session = self.session();
        let mut shown = String::new();
        for step in &path.steps {
            assert!(!session.is_done(), "it was complete before:\n{shown}");
            let asked = step.asked.as_ref().unwrap();
            let gated = session.gate(asked.action.clone(), |_| Ok::<(), EffectError<()>>(())).unwrap();
            if let Gated::Advised(refused) | Gated::Blocked(refused) = &gated {
                panic!("{}: {refused}\n{shown}", step.event);
            }
            assert!(matches!(gated, Gated::Done(())));
            session.observe(&asked.observes).unwrap();
            let critical = if asked.action.critical().is_some() { " (critical)" } else { "" };
            let unexpected = if asked.unexpected { " (unexpected)" } else { "" };
            let _ = writeln!(shown, "{}{critical}{unexpected}", step.event);
        }
        assert!(session.is_done(), "it is not complete:\n{shown}");
        let _ = writeln!(shown, "complete, cost {}", path.cost);
        shown
    }
}

#[test]
fn the_restaurant() {
    insta::assert_snapshot!(RESTAURANT.read().shown());
}

/// Where R is not available, the task ends by the rule for that.
#[test]
fn it_turns_out_otherwise() {
    let read = RESTAURANT.read();
    let Completion::Path(path) = read.plan() else { panic!() };
    let mut session = read.session();
    for step in &path.steps {
        let asked = step.asked.as_ref().unwrap();
        let Gated::Done(()) = session.gate(asked.action.clone(), |_| Ok::<(), EffectError<()>>(())).unwrap()
        else {
            panic!("{}", step.event)
        };
        if step.event.starts_with("pick") {
            let full = Update::of(session.vocabulary()).set("ReserveInfo.available", false).build().unwrap();
            session.observe(&full).unwrap();
            break;
        }
        session.observe(&asked.observes).unwrap();
    }
    assert!(session.is_done());
    assert_eq!(session.evidence().last().unwrap().rule, "R3");
    let mut planner = Planner::new(&read.model);
    let again = planner.complete(&Start::default(), &session, &Bounds::default()).unwrap();
    assert_eq!(again, Completion::TrueFromTheStart);
}

#[test]
fn a_meeting_with_a_policy() {
    insta::assert_snapshot!(MEETING.read().shown());
}

#[test]
fn what_a_policy_forbids() {
    let night = "# No bookings by agents.\nNone: Reserve -> Never\nLate: ReserveInfo(time > 20:00) -> Never";
    insta::assert_snapshot!(Task { policies: &[night], ..RESTAURANT }.read().shown());
    // Only what is in the way is named.
    let early = "Late: Reserve and ReserveInfo(time < 19:00) -> Never\nOther: Reserve and RestaurantInfo(name = \"Q\") -> Never";
    insta::assert_snapshot!(Task { policies: &[early], ..RESTAURANT }.read().shown());
}

/// A step of which nobody knows whether it was performed is not proposed again: the gate would block it.
#[test]
fn what_is_unsettled_is_in_no_plan() {
    let read = RESTAURANT.read();
    let search =
        |model: &Model| model.transitions().find(|(_, one)| one.event().starts_with("search")).unwrap().0;
    let mut session = read.session();
    let Completion::Path(path) = read.plan() else { panic!() };
    assert_eq!(path.steps[0].transition, search(&read.model));
    let action = path.steps[0].asked.clone().unwrap().action;
    let gated = session.gate(action.clone(), |_| Err::<(), _>(EffectError::Unknown(()))).unwrap();
    assert!(matches!(gated, Gated::Unknown(_)), "{gated:?}");
    let complete = |session: &Session| {
        Planner::new(&read.model).complete(&Start::default(), session, &Bounds::default()).unwrap()
    };
    assert_eq!(complete(&session), Completion::NoKnownPath);
    session.resolve(action.name(), false).unwrap();
    assert_eq!(complete(&session), Completion::Path(path));
}

/// Numbers of a plan are written as they are.
#[test]
fn numbers_are_exact_in_plans() {
    let app = r#"{"app": "Till", "states": [{"name": "Bill", "variables": [{"name": "total", "type": "Number"}]}]}"#;
    let model = r#"{"app": "Till", "start": "P", "pages": [{"name": "P"}], "transitions":
        [{"from": "P", "event": "type {total}", "to": "P", "causes": {"Bill": {"total": {"choose": "any"}}}}]}"#;
    let number = "12345678901234567890.1230001";
    let spec = format!("Bill(total = {number}) -> Done");
    let read = Task { app, spec: &spec, policies: &[], parameters: &[], model }.read();
    let found = read.plan();
    let Completion::Path(path) = &found else { panic!("{found:?}") };
    let session = read.session();
    let json = serde_json::to_string(&found.told(&read.model, session.vocabulary())).unwrap();
    for text in [path.to_string(), path.trace(session.vocabulary()), json] {
        assert!(text.contains(number), "{text}");
    }
}

/// Costs add up where each is the highest there is, and one unexpected result still weighs more.
#[test]
fn the_highest_costs() {
    use intentgate::planner::declare::{App, Page, Said, Transition};
    let length = 600;
    let page = |number: usize| format!("P{number}");
    let mut transitions: Vec<Transition> = (0..length)
        .map(|number| {
            Transition::new(page(number), format!("go on {number}"), page(number + 1)).cost(u32::MAX)
        })
        .collect();
    let sees = |said: Said, one: Transition| one.observes("RestaurantInfo", "name", said);
    transitions.push(sees(Said::from("R"), Transition::new(page(length), "look", page(length))));
    transitions.push(sees(Said::expect(["Q", "R"]), Transition::new(page(0), "glance", page(0))));
    let app = App {
        app: "Long".to_owned(),
        start: page(0),
        pages: (0..=length).map(|number| Page::new(page(number))).collect(),
        transitions,
        ..App::default()
    };
    let model = app.check().unwrap().to_json();
    let seen = "RestaurantInfo(name = \"R\") -> Done";
    let read = Task { spec: seen, model: &model, ..RESTAURANT }.read();
    let Completion::Path(path) = read.plan() else { panic!() };
    assert_eq!(path.steps.len(), length + 1);
    assert_eq!(path.cost, length as u64 * u64::from(u32::MAX) + 1);
}

mod random {
    use super::*;
    use intentgate::engine::check;
    use intentgate::engine::limits::Limits;
    use intentgate::engine::schema::Vocabulary;
    use intentgate::engine::span::Source;
    use intentgate::planner::Model;
    use intentgate::planner::declare::{App, Page, Said, Transition};
    use intentgate::{Action, engine::input};
    use intentgate_tests::random::{APP, Dice, VARIABLES, literal, policy, specification};
    use std::collections::BTreeMap;

    /// A page on which every variable can be set, and one for each action.
    fn model() -> Model {
        let mut transitions = Vec::new();
        for (state, name, _) in VARIABLES {
            let mut set = Transition::new("Form", format!("set {state}.{name}"), "Form");
            let value = BTreeMap::from([((*name).to_owned(), Said::ChooseAny)]);
            set.causes = BTreeMap::from([((*state).to_owned(), value)]);
            transitions.push(set);
        }
        let named = |mut transition: Transition, action: &str| {
            transition.action = Some(action.to_owned());
            transition
        };
        let mut pay = named(Transition::new("Till", "tap Pay now", "Form"), "Pay");
        pay.arguments = ["amount", "to"].map(|name| (name.to_owned(), Said::ChooseAny)).into();
        transitions.extend([
            Transition::new("Form", "open the till", "Till"),
            Transition::new("Till", "return", "Form"),
            pay,
            named(Transition::new("Form", "tap Go ahead", "Form"), "Go"),
        ]);
        let app = App {
            app: "Random".to_owned(),
            start: "Form".to_owned(),
            pages: ["Form", "Till"].map(Page::new).to_vec(),
            transitions,
            ..App::default()
        };
        app.check().unwrap_or_else(|problems| panic!("{problems}"))
    }

    fn read(dice: &mut Dice) -> Option<Read> {
        // Time is not foreseen.
        let app = APP.replace(r#", "max_age": 3"#, "");
        let vocabulary =
            Arc::new(Vocabulary::from_json(&Source::new("app", app), &Limits::default()).unwrap());
        let (spec, rules) = (specification(dice), policy(dice));
        let checked = |text: &str, policy: bool| {
            let check = if policy { check::policy } else { check::specification };
            let checked = check(&Source::new("random", text), &vocabulary, &Limits::default());
            checked.ok().map(|checked| Arc::new(checked.specification))
        };
        let policies = if dice.chance(60) { checked(&rules, true).into_iter().collect() } else { Vec::new() };
        Some(Read { spec: checked(&spec, false)?, policies, parameters: Vec::new(), model: model() })
    }

    /// Random steps with random values, none against advice. Whether the task came to its end.
    fn stroll(read: &Read, dice: &mut Dice) -> bool {
        let mut session = read.session();
        for _ in 0..40 {
            let vocabulary = Arc::clone(session.vocabulary());
            let value = |dice: &mut Dice, path: &str, kind: char| {
                let text = literal(dice, kind);
                let id = vocabulary.find_path(path).unwrap();
                let spelled = text.trim_matches('"');
                let today = Some(session.today());
                input::spelled(spelled, vocabulary.variable(id).variable_type(), today)
            };
            let action = match dice.below(10) {
                0 => Action::named(&vocabulary, "Go"),
                1 | 2 => Action::named(&vocabulary, "Pay")
                    .argument("amount", value(dice, "Pay.amount", 'n'))
                    .argument("to", value(dice, "Pay.to", 't')),
                _ => {
                    let (state, name, kind) = VARIABLES[dice.below(VARIABLES.len())];
                    let path = format!("{state}.{name}");
                    let value = value(dice, &path, kind);
                    let action = Action::named(&vocabulary, &format!("set {path}"));
                    action.source(intentgate::engine::eval::ValueSource::App).set(&path, value)
                }
            };
            let _ = session.gate(action.build().unwrap(), |_| Ok::<(), EffectError<()>>(())).unwrap();
            if session.is_done() {
                return true;
            }
        }
        false
    }

    /// Whatever the bound: the same answer, or none.
    #[test]
    fn what_was_not_finished_proves_nothing() {
        let (mut limited, mut answered) = (0, 0);
        for seed in 0..120 {
            let mut dice = Dice::new(seed ^ 0x1_b07d);
            let Some(read) = read(&mut dice) else { continue };
            let session = read.session();
            let complete = |expansions: usize, bytes: usize| {
                let bounds = Bounds { expansions, bytes };
                Planner::new(&read.model).complete(&Start::default(), &session, &bounds).unwrap()
            };
            let whole = complete(4_000, usize::MAX);
            if whole == Completion::Limit {
                continue;
            }
            for expansions in [1, 2, 5, 11, 23, 47, 95, 191, 383, 767, 1_535] {
                let found = complete(expansions, usize::MAX);
                assert!(
                    found == whole || found == Completion::Limit,
                    "seed {seed}, {expansions}: {found:?}, not {whole:?}"
                );
                *(if found == whole { &mut answered } else { &mut limited }) += 1;
            }
            for bytes in [0, 1_000, 10_000] {
                let found = complete(4_000, bytes);
                assert!(
                    found == whole || found == Completion::Limit,
                    "seed {seed}, {bytes} bytes: {found:?}"
                );
            }
        }
        assert!(limited > 100 && answered > 100, "{limited} {answered}");
    }

    /// What is planned passes the gate, and what has no plan is not come across either.
    #[test]
    fn plans_pass_and_nothing_else_does() {
        let (mut planned, mut forbidden, mut none, mut other) = (0, 0, 0, 0);
        for seed in 0..400 {
            let mut dice = Dice::new(seed ^ 0x7a5c);
            let Some(read) = read(&mut dice) else { continue };
            let session = read.session();
            let bounds = Bounds { expansions: 30_000, ..Bounds::default() };
            let found = Planner::new(&read.model).complete(&Start::default(), &session, &bounds).unwrap();
            match found {
                Completion::Path(path) => {
                    planned += 1;
                    read.performed(&path);
                }
                Completion::Forbidden(_) | Completion::NoKnownPath | Completion::AgainstAdvice(_) => {
                    let is_forbidden = matches!(found, Completion::Forbidden(_));
                    *(if is_forbidden { &mut forbidden } else { &mut none }) += 1;
                    for _ in 0..15 {
                        let come_across = stroll(&read, &mut dice);
                        assert!(!come_across, "seed {seed} {found:?}\n{}", read.spec.source().text());
                    }
                }
                Completion::TrueFromTheStart | Completion::Limit => other += 1,
            }
        }
        let counted = format!("{planned} {forbidden} {none} {other}");
        assert!(planned > 140 && forbidden > 0 && none > 55 && other < 200, "{counted}");
    }
}

const BANK: &str = r#"{"app": "Bank", "states": [{"name": "Draft", "variables": [{"name": "to", "type": "Text"}]}],
    "actions": [{"name": "Pay", "arguments": [{"to": "Text"}]}]}"#;

/// What is planned for a task of one's own, performed.
fn own(
    app: &'static str,
    spec: &'static str,
    policies: &'static [&'static str],
    model: &'static str,
) -> String {
    Task { app, spec, policies, parameters: &[], model }.read().shown()
}

/// A critical action is performed twice where the task needs that, and not else.
#[test]
fn what_is_needed_twice() {
    let both = "R1: Pay(to = \"Bob\") -> Pay\nR2: Pay(to = \"Eve\") -> Pay\nR3: Pay and Pay(to = \"Bob\") -> PaidBob\n\
                R4: Pay and Pay(to = \"Eve\") -> PaidEve\nR5: PaidBob and PaidEve -> Done";
    let one = "R1: Pay(to = \"Bob\") -> Pay\nR2: Pay(to = \"Eve\") -> Pay\nR3: Pay -> Done";
    let model = r#"{"app": "Bank", "start": "Home", "pages": [{"name": "Home"}], "transitions": [
        {"from": "Home", "event": "pay {to}", "to": "Home", "action": "Pay", "arguments": {"to": {"choose": ["Bob", "Eve"]}}}]}"#;
    insta::assert_snapshot!(own(BANK, both, &[], model) + &own(BANK, one, &[], model));
}

/// Where a task is planned, the gate decides on functions as on everything else.
#[test]
fn functions_serve_a_task() {
    let model = r#"{"app": "Bank", "start": "Home", "pages": [{"name": "Home"}], "functions": [{"name": "pay"}], "transitions": [
        {"from": "Home", "event": "pay {to}", "function": "pay", "to": "Home", "action": "Pay", "arguments": {"to": {"choose": ["Eve", "Bob"]}}}]}"#;
    insta::assert_snapshot!(own(BANK, "R1: Pay(to = \"Bob\") -> Pay\nR2: Pay -> Done", &[], model));
}

/// A value that grows old with changes is set anew in time.
#[test]
fn values_that_grow_old_with_changes() {
    let app = r#"{"app": "A", "states": [{"name": "S", "variables": [{"name": "v", "type": "Number", "max_age": 1}]},
        {"name": "T", "variables": [{"name": "w", "type": "Number"}]}, {"name": "U", "variables": [{"name": "z", "type": "Number"}]}],
        "actions": ["Act"]}"#;
    let spec = "R1: S(v = 1) and T(w = 1) -> Act\nR2: Act -> Done";
    let ways = |refresh: &str| {
        format!(
            r#"{{"app": "A", "start": "P0", "pages": [{{"name": "P0"}}, {{"name": "P1"}}, {{"name": "P2"}}, {{"name": "P3"}}], "transitions": [
            {{"from": "P0", "event": "e1", "to": "P1", "causes": {{"S": {{"v": 1}}}}}},
            {{"from": "P1", "event": "go", "to": "P2", "causes": {{"U": {{"z": 2}}}}}},
            {{"from": "P2", "event": "go2", "to": "P3", "causes": {{"T": {{"w": 1}}}}}},{refresh}
            {{"from": "P3", "event": "act", "to": "P3", "action": "Act"}}]}}"#
        )
    };
    let refreshes = r#"{"from": "P2", "event": "go2 by refresh", "to": "P3", "causes": {"T": {"w": 1}, "S": {"v": 1}}, "cost": 5},"#;
    let shown = |model: &str| Task { app, spec, policies: &[], parameters: &[], model }.read().shown();
    insta::assert_snapshot!(shown(&ways(refreshes)) + &shown(&ways("")));
}

/// A prohibition is named where the gate would advise against the way, too.
#[test]
fn a_prohibition_behind_advice() {
    let app = r#"{"app": "A", "states": [{"name": "S", "variables": [{"name": "v", "type": "Number"}]}], "actions": ["Act"]}"#;
    let model = r#"{"app": "A", "start": "P0", "pages": [{"name": "P0"}, {"name": "P1"}, {"name": "P2"}], "transitions": [
        {"from": "P0", "event": "e1", "to": "P1", "causes": {"S": {"v": 2}}},
        {"from": "P1", "event": "e2", "to": "P2", "causes": {"S": {"v": 1}}},
        {"from": "P2", "event": "act", "to": "P2", "action": "Act"}]}"#;
    insta::assert_snapshot!(own(app, "R1: S(v = 1) -> Act\nR2: Act -> Done", &["N1: Act -> Never"], model));
}

/// What the gate takes for a repetition is done with another value, and what only a change resets is changed.
#[test]
fn values_that_have_to_differ() {
    let app = r#"{"app": "Bank", "states": [{"name": "Order", "variables": [{"number": "Number"}]},
        {"name": "Left", "variables": [{"n": "Number"}]}], "actions": ["Pay"]}"#;
    let twice = |number: &str| {
        format!(
            r#"{{"app": "Bank", "start": "H", "pages": [{{"name": "H"}}, {{"name": "I"}}, {{"name": "J"}}], "transitions": [
            {{"from": "H", "event": "order {{number}}", "to": "H", "causes": {{"Order": {{"number": {{"choose": {number}}}}}}}}},
            {{"from": "H", "event": "first", "to": "I", "action": "Pay", "observes": {{"Left": {{"n": 1}}}}}},
            {{"from": "I", "event": "order {{number}}", "to": "I", "causes": {{"Order": {{"number": {{"choose": {number}}}}}}}}},
            {{"from": "I", "event": "second", "to": "J", "action": "Pay", "observes": {{"Left": {{"n": 0}}}}}}]}}"#
        )
    };
    let spec = "Order(number >= 1) -> Pay\nPay and Left(n = 0) -> Done";
    let shown = |model: &str| Task { app, spec, policies: &[], parameters: &[], model }.read().shown();
    let resets = r#"{"app": "Bank", "states": [{"name": "S", "variables": [{"v0": "Number"}, {"name": "v1", "type": "Boolean", "reset_by": ["S.v0"]}]},
        {"name": "T", "variables": [{"ok": "Boolean"}]}], "actions": ["Pay"]}"#;
    let reset = own(
        resets,
        "S(v0 > 0, v1 = true) and T(ok = true) -> Pay\nPay -> Done",
        &[],
        r#"{"app": "Bank", "start": "H", "pages": [{"name": "H"}, {"name": "I"}, {"name": "J"}], "transitions": [
        {"from": "H", "event": "a {S.v0}", "to": "I", "causes": {"S": {"v0": {"choose": [1, 2]}}}, "observes": {"S": {"v1": true}}},
        {"from": "I", "event": "b {S.v0}", "to": "J", "causes": {"S": {"v0": {"choose": [2, 1]}}}, "observes": {"T": {"ok": true}}},
        {"from": "J", "event": "p", "to": "J", "action": "Pay"}]}"#,
    );
    insta::assert_snapshot!(shown(&twice("\"any\"")) + &shown(&twice("[1, 2]")) + &reset);
}

/// An action that the end doesn't name may bring what it needs.
#[test]
fn actions_on_the_way() {
    let app = r#"{"app": "B", "states": [{"name": "Login", "variables": [{"ok": "Boolean"}]}, {"name": "S", "variables": [{"ready": "Boolean"}]}],
        "actions": [{"name": "Sign", "arguments": [{"level": "Number"}]}, "Pay"]}"#;
    let model = r#"{"app": "B", "start": "H", "pages": [{"name": "H"}], "transitions": [
        {"from": "H", "event": "get ready", "to": "H", "observes": {"S": {"ready": true}}},
        {"from": "H", "event": "sign in", "to": "H", "action": "Sign", "arguments": {"level": {"choose": "any"}}, "observes": {"Login": {"ok": true}}},
        {"from": "H", "event": "pay", "to": "H", "action": "Pay"}]}"#;
    let spec = "S(ready = true) and Sign(level > 2) -> Sign\nLogin(ok = true) -> Pay\nPay -> Done";
    insta::assert_snapshot!(own(app, spec, &[], model));
}

/// Of one name, an event says what is done, not what is seen after it; arguments that nothing declares are said, too.
#[test]
fn what_an_event_says() {
    let spec = "R1: Draft(to = \"Bob\") and Pay(to = \"Bob\") -> Pay\nR2: Pay -> Done";
    let model = r#"{"app": "Bank", "start": "Home", "pages": [{"name": "Home"}], "transitions": [
        {"from": "Home", "event": "write {to} into the {field}, {times} times", "to": "Home", "action": "write",
         "arguments": {"field": "first field", "times": 2}, "causes": {"Draft": {"to": "Bob"}}},
        {"from": "Home", "event": "pay {to}", "to": "Home", "action": "Pay", "arguments": {"to": "Bob"},
         "observes": {"Draft": {"to": {"expect": ["Eve"]}}}}]}"#;
    insta::assert_snapshot!(own(BANK, spec, &[], model));
}

/// Behind a critical action after which one is elsewhere than expected: there are many slots that would do, and it is not
/// tried with each of them.
#[test]
fn behind_what_led_elsewhere() {
    let read = MEETING.read();
    let Completion::Path(path) = read.plan() else { panic!() };
    let bounds = Bounds { expansions: 100_000, ..Bounds::default() };
    let mut shown = String::new();
    for page in ["People", "Week", "Event"] {
        let mut session = read.session();
        for step in path.steps.iter().take(4) {
            let asked = step.asked.as_ref().unwrap();
            let gated = session.gate(asked.action.clone(), |_| Ok::<(), EffectError<()>>(())).unwrap();
            assert!(matches!(gated, Gated::Done(())));
            session.observe(&asked.observes).unwrap();
        }
        let start = Start { page: read.model.find_page(page), ..Start::default() };
        let found = Planner::new(&read.model).complete(&start, &session, &bounds).unwrap();
        let Completion::Path(rest) = found else { panic!("{page}: {found:?}") };
        for step in &rest.steps {
            let asked = step.asked.as_ref().unwrap();
            let gated = session.gate(asked.action.clone(), |_| Ok::<(), EffectError<()>>(())).unwrap();
            assert!(matches!(gated, Gated::Done(())), "{page}, {}: {gated:?}", step.event);
            session.observe(&asked.observes).unwrap();
        }
        assert!(session.is_done(), "{page}");
        let _ = writeln!(shown, "{page}:\n{rest}");
    }
    insta::assert_snapshot!(shown);
}

/// Nobody knows whether the only action that leads on was performed: no way is known, and that is soon found out.
#[test]
fn behind_what_is_unsettled() {
    let read = MEETING.read();
    let Completion::Path(path) = read.plan() else { panic!() };
    let mut session = read.session();
    for step in path.steps.iter().take(4) {
        let asked = step.asked.as_ref().unwrap();
        let critical = asked.action.critical().is_some();
        let effect = if critical { Err(EffectError::Unknown(())) } else { Ok(()) };
        let gated = session.gate(asked.action.clone(), |_| effect).unwrap();
        assert_eq!(matches!(gated, Gated::Unknown(_)), critical, "{gated:?}");
        session.observe(&asked.observes).unwrap();
    }
    let bounds = Bounds { expansions: 1, ..Bounds::default() };
    let start = Start { page: read.model.find_page("People"), ..Start::default() };
    let found = Planner::new(&read.model).complete(&start, &session, &bounds).unwrap();
    assert_eq!(found, Completion::NoKnownPath);
    assert_eq!(Lacks::new(&read.model, &session).unsettled, ["CreateEvent"]);
}
