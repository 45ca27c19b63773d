//! What an agent is told and does with it: advice of the gate, plans that a judge prefers, conditions of its own.

use super::*;
use intentgate::executor::account::Comparison;
use intentgate::executor::judge::{ByEvidence, Case, Judge, Judged, Judging, Score};
use intentgate::planner::{Bounds as Search, Path, Planner, Start};
use std::sync::Mutex;

/// To Bob, and to nobody else.
const TO_BOB: &str =
    "R1: Draft(to = \"Bob\") and Pay(to = Draft.to) -> Pay\nR2: Pay and Receipt(ok = true) -> Done\n";

fn fill(who: &str) -> Decision {
    let step = Action::named(&vocabulary(), &format!("fill in {who}")).set("Draft.to", who).build().unwrap();
    perform(&format!("fill in {who}"), Gesture::Tap(Target::Tag(2)), Some(step))
}

#[test]
fn a_step_that_is_advised_against_is_done_if_it_is_insisted_on() {
    for (script, hits, advised) in [
        (vec![fill("Bob")], 1, 0),
        (vec![fill("Eve")], 0, 1),
        (vec![fill("Eve"), fill("Eve")], 1, 1),
        // Something else in between: it is no insisting.
        (vec![fill("Eve"), tap(3, None), fill("Eve")], 1, 2),
    ] {
        let mut device = Reacts::new(|_, _| shown(Some("Form"), &["Pay", "To", "Help"], json!({})));
        let mut agent = Scripted::new(script);
        let task = Task::new("pay", Aim::Complete);
        let known = model(UNKNOWN);
        let (account, ..) = drive(&mut device, &mut agent, (TO_BOB, known), task, Options::default());
        assert_eq!((device.hit.len(), account.counters.advised), (hits, advised), "{account}");
        let told = agent.told.iter().any(|(_, said)| said.iter().any(|said| said.contains("Draft.to")));
        assert_eq!(told, advised > 0, "{:?}", agent.told);
    }
}

/// A form for Bob, and a template for Eve that leads to the same form.
fn templates(bob: &str) -> Model {
    model(&format!(
        r#"{{"app": "Bank", "start": "Home", "pages": [{{"name": "Home"}}, {{"name": "Form"}}, {{"name": "Result"}}], "transitions": [
        {{"from": "Home", "event": "tap \"Eve\"", "to": "Form", "causes": {{"Draft": {{"to": "Eve"}}}}}}, {bob}
        {{"from": "Form", "event": "tap \"To Bob\"", "to": "Form", "causes": {{"Draft": {{"to": "Bob"}}}}}},
        {{"from": "Form", "event": "tap \"Pay\"", "to": "Result", "action": "Pay", "arguments": {{"to": "Bob", "amount": 5}},
         "observes": {{"Receipt": {{"ok": {{"expect": [true]}}}}}}}}]}}"#
    ))
}

#[test]
fn who_follows_plans_finds_another_way_or_says_what_is_advised_against() {
    let bob = r#"{"from": "Home", "event": "tap \"Bob\"", "to": "Form", "cost": 9},"#;
    let complete = |_: &Model| Task::new("pay", Aim::Complete);
    let form = |known: &Model| to_page(known, "Form");
    type Made = fn(&Model) -> Task;
    let cases: [(&str, Made, &[&str], &str); 3] = [
        (bob, complete, &["Bob", "To Bob", "Pay"], "success"),
        ("", complete, &[], "the gate advises against every way that is known"),
        // A way that is planned for a page knows nothing of the gate.
        ("", form, &[], "Draft.to"),
    ];
    for (bob, task, hits, said) in cases {
        let known = templates(bob);
        let mut device = Reacts::new(|hit, _| match last(hit) {
            "" => shown(Some("Home"), &["Eve", "Bob"], json!({})),
            "Pay" => shown(Some("Result"), &["Close"], json!({"Receipt": {"ok": true}})),
            _ => shown(Some("Form"), &["To Bob", "Pay"], json!({})),
        });
        let task = task(&known);
        let (account, ..) =
            drive(&mut device, &mut FollowPlan::default(), (TO_BOB, known), task, Options::default());
        assert!(account.outcome.to_string().contains(said), "{account}");
        assert_eq!(device.hit, hits, "{account}");
    }
}

/// Six ways to the goal that cost the same.
fn ways() -> Model {
    let names = ["A", "B", "C", "D", "E", "F"];
    let pages = names.map(|name| format!(r#"{{"name": "{name}"}}"#)).join(", ");
    let ways = names.map(|name| {
        format!(
            r#"{{"from": "Home", "event": "tap \"{name}\"", "to": "{name}"}}, {{"from": "{name}", "event": "tap \"Go\"", "to": "Goal"}}"#
        )
    });
    let pages = format!(r#"[{{"name": "Home"}}, {{"name": "Goal"}}, {pages}]"#);
    model(&format!(
        r#"{{"app": "Bank", "start": "Home", "pages": {pages}, "transitions": [{}]}}"#,
        ways.join(", ")
    ))
}

/// Likes the plan at a place; keeps how the plans begin.
struct Likes(usize, Arc<Mutex<Vec<String>>>);

impl Judge for Likes {
    fn scores<'a>(&'a mut self, case: &'a Case<'a>) -> Judging<'a> {
        let first = |plan: &Path| plan.steps[0].event.clone();
        let mut kept = self.1.lock().unwrap();
        if kept.is_empty() {
            kept.extend(case.plans.iter().map(first));
        }
        let likes = kept.get(self.0).cloned().unwrap_or_default();
        let score = |plan: &Path| {
            let liked = f64::from(u8::from(first(plan) == likes));
            Score { relevance: liked, efficiency: 0.0, robustness: 0.0 }
        };
        let scores = case.plans.iter().map(score).collect();
        Box::pin(std::future::ready(Judged { scores, note: None }))
    }
}

#[test]
fn a_judge_chooses_between_as_many_plans_as_are_asked_for() {
    for (candidates, liked) in [(5, 0), (5, 3), (5, 4), (2, 1), (9, 5)] {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let judge = Box::new(Likes(liked, Arc::clone(&seen)));
        let options = Options { judge, candidates, ..Options::default() };
        let mut device = Reacts::new(|hit, _| match (hit.len(), last(hit)) {
            (0, _) => shown(Some("Home"), &["A", "B", "C", "D", "E", "F"], json!({})),
            (1, page) => shown(Some(page), &["Go"], json!({})),
            _ => shown(Some("Goal"), &["Back"], json!({})),
        });
        let (known, mut agent) = (ways(), FollowPlan::default());
        let task = to_goal(&known);
        let (account, ..) = drive(&mut device, &mut agent, (ANY, known), task, options);
        assert_eq!(account.outcome, Outcome::Success, "{account}");
        let seen = seen.lock().unwrap();
        assert_eq!(seen.len(), candidates.min(6));
        assert_eq!(seen[liked], format!("tap \"{}\"", device.hit[0]));
    }
}

/// Of two ways that cost the same, the one that was seen to work, was declared, can be gone back on.
#[test]
fn evidence_is_preferred_where_costs_are_alike() {
    let seen = |count: u32| format!(r#", "origin": "observed", "count": {count}"#);
    let (found, said) = (r#", "origin": "static""#.to_owned(), String::new());
    let back = r#", {"from": "Goal", "event": "tap \"Again\"", "to": "Better"}"#;
    // What is said of the better way, and of the other.
    let cases = [
        (said.clone(), found.clone(), ""),
        (seen(9), found.clone(), ""),
        (seen(9), said.clone(), ""),
        (said.clone(), said, back),
        (found.clone(), found, back),
    ];
    for (better, other, back) in cases {
        let known = model(&format!(
            r#"{{"app": "Bank", "start": "Home", "pages": [{{"name": "Home"}}, {{"name": "Better"}}, {{"name": "Other"}}, {{"name": "Goal"}}], "transitions": [
            {{"from": "Home", "event": "tap \"Other\"", "to": "Other"{other}}}, {{"from": "Other", "event": "tap \"Go\"", "to": "Goal"{other}}},
            {{"from": "Home", "event": "tap \"Better\"", "to": "Better"{better}}}, {{"from": "Better", "event": "tap \"Go\"", "to": "Goal"{better}}}{back}]}}"#
        ));
        let goal = Goal::Any(vec![known.find_page("Goal").unwrap()]);
        let mut planner = Planner::new(&known);
        let several = planner.plans(&Start::default(), &goal, 5, &Search::default()).unwrap();
        let mut plans = several.paths;
        assert_eq!(plans.len(), 2);
        plans.iter_mut().for_each(|plan| plan.cost = 2);
        for _ in 0..2 {
            plans.reverse();
            let judged = Judged { scores: ByEvidence::judge(&known, &plans), note: None };
            let best = &plans[judged.best()].steps[0].event;
            assert_eq!(best, "tap \"Better\"", "{better} {other} {:?}", judged.scores);
        }
    }
}

/// A decision, with what has to hold after it.
fn expecting(condition: &str) -> Decided {
    Decided { expect: Some(condition.to_owned()), ..tap(1, None).into() }
}

fn saves(condition: &str) -> (Account, Scripted, usize) {
    let mut device = Reacts::new(|hit, _| match last(hit) {
        "" => shown(Some("Edit"), &["Save", "Table for two"], json!({})),
        _ => shown(Some("Saved"), &["Reserved: table for two"], json!({"Receipt": {"ok": true}})),
    });
    let mut agent = Scripted::new([expecting(condition)]);
    let task = Task::new("save", Aim::Complete);
    let (account, ..) = drive(&mut device, &mut agent, (ANY, model(UNKNOWN)), task, Options::default());
    let hits = device.hit.iter().filter(|hit| *hit == "Save").count();
    (account, agent, hits)
}

#[test]
fn what_an_agent_expects_has_to_hold() {
    let holds = [
        "Screen(page = \"Saved\")",
        "Screen(page = \"Saved\", text contains \"Reserved\")",
        "Screen(text contains \"table for two\") and Receipt(ok = true)",
    ];
    for condition in holds {
        let (account, ..) = saves(condition);
        assert_eq!(account.steps[0].comparison, Comparison::Success, "{condition}: {account}");
    }
    let fails = [
        ("Screen(page = \"Edit\")", "does not hold"),
        ("Screen(page = \"Saved\", text contains \"Save \")", "does not hold"),
        ("Screen(page = \"Saved\") and Receipt(ok = false)", "does not hold"),
        // Nobody said so.
        ("Draft(to = \"Bob\")", "is unknown"),
        ("Screen(page = \"Saved\") and Draft(to = \"Bob\")", "is unknown"),
    ];
    for (condition, how) in fails {
        let (account, ..) = saves(condition);
        assert_eq!(account.steps[0].comparison, Comparison::Fail, "{condition}: {account}");
        assert_eq!(account.steps[0].because, Some(format!("{condition} {how}")), "{account}");
    }
}

#[test]
fn what_an_agent_expects_has_to_be_readable() {
    let unreadable = ["saved?", "", "Screen(colour = \"red\")", "Screen(page = 3)", "Saved(ok = true)"];
    for condition in unreadable {
        let (account, agent, hits) = saves(condition);
        assert_eq!((hits, account.steps.len()), (0, 0), "{condition}: {account}");
        let (_, told) = &agent.told[1];
        assert!(told.iter().any(|said| said.contains("error[E")), "{condition}: {told:?}");
    }
}
