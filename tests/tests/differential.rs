//! The incremental gate against the slow one, on random specifications and events.

use intentgate::engine::check;
use intentgate::engine::compile::bind::Given;
use intentgate::engine::eval::semantics::View;
use intentgate::engine::eval::{Assignment, Evaluator, ValueSource};
use intentgate::engine::input;
use intentgate::engine::ir::{Head, Objective, Specification};
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::engine::text::LocalSimilarity;
use intentgate::session::replay::{replay, trace_clock};
use intentgate::testing::Lines;
use intentgate::{Action, EffectError, Gated, Outcome, Session, Update, Verdict};
use intentgate_tests::halves;
use intentgate_tests::random::{self, Dice, VARIABLES};
use intentgate_tests::reference::{Held, Reference};
use std::sync::Arc;

/// How many specifications a run judges.
const CASES: u64 = 100_000;
/// Every so many, the record is kept and replayed, and the session saved and restored on the way.
const FULL: u64 = 20;

#[test]
fn the_incremental_gate_agrees_with_the_slow_one() {
    let limits = Limits::default();
    let vocabulary = Arc::new(Vocabulary::from_json(&Source::new("app", random::APP), &limits).unwrap());
    let seen = halves(CASES, |seeds| {
        let mut seen = Seen::default();
        seeds.for_each(|seed| case(&vocabulary, seed, &mut seen));
        seen
    });
    let total = seen.iter().fold(Seen::default(), Seen::plus);
    // The cases are worth something only if everything happens in them, often.
    assert!(total.allow > 50_000 && total.advise > 10_000 && total.block > 50_000, "{total:?}");
    assert!(total.stale > 1_000 && total.done > 5_000 && total.achieved > 10_000, "{total:?}");
    assert!(total.unknown > 2_000 && total.resolved > 500 && total.insisted > 1_000, "{total:?}");
}

#[derive(Debug, Default)]
struct Seen {
    allow: u64,
    advise: u64,
    block: u64,
    stale: u64,
    done: u64,
    achieved: u64,
    unknown: u64,
    resolved: u64,
    insisted: u64,
}

impl Seen {
    fn plus(self, other: &Seen) -> Seen {
        Seen {
            allow: self.allow + other.allow,
            advise: self.advise + other.advise,
            block: self.block + other.block,
            stale: self.stale + other.stale,
            done: self.done + other.done,
            achieved: self.achieved + other.achieved,
            unknown: self.unknown + other.unknown,
            resolved: self.resolved + other.resolved,
            insisted: self.insisted + other.insisted,
        }
    }
}

/// One specification, a dozen events.
fn case(vocabulary: &Arc<Vocabulary>, seed: u64, seen: &mut Seen) {
    let dice = &mut Dice::new(seed);
    let limits = Limits::default();
    let text = random::specification(dice);
    let checked = check::specification(&Source::new("spec", text.as_str()), vocabulary, &limits);
    let specification =
        Arc::new(checked.unwrap_or_else(|p| panic!("seed {seed}\n{text}\n{p}")).specification);
    let mut policies: Vec<Arc<Specification>> = Vec::new();
    if dice.chance(40) {
        let text = random::policy(dice);
        let checked = check::policy(&Source::new("policy", text.as_str()), vocabulary, &limits);
        policies.push(Arc::new(checked.unwrap_or_else(|p| panic!("seed {seed}\n{text}\n{p}")).specification));
    }
    let today = "2026-11-21".parse().unwrap();
    let strict = dice.chance(20);
    let none: &[(String, Given)] = &[];
    let evaluator = Evaluator::new(
        Arc::clone(&specification),
        &policies,
        today,
        none,
        Arc::new(LocalSimilarity),
        &limits,
    )
    .unwrap();
    let mut reference = Reference::new(Arc::clone(vocabulary), evaluator.sets().to_vec().into(), strict);
    let lines = Lines::default();
    let full = seed.is_multiple_of(FULL);
    let builder = |record: bool| {
        let mut builder = Session::builder(Arc::clone(&specification))
            .today(today)
            .strict(strict)
            .clock(trace_clock(today, chrono_tz::Tz::UTC));
        for policy in &policies {
            builder = builder.policy(Arc::clone(policy));
        }
        if record { builder.record(lines.clone()) } else { builder }
    };
    let mut session = builder(full).start().unwrap();
    let mut held: Option<(intentgate::Permit, Held)> = None;
    let mut again: Option<Action> = None;
    for step in 0..12 {
        let context = || format!("seed {seed}, step {step}\n{text}{policies:?}");
        match dice.below(10) {
            0..=3 => {
                let assignments = assignments(dice, vocabulary, None);
                let mut update = Update::of(vocabulary);
                for assignment in &assignments {
                    update = update
                        .source(assignment.source)
                        .set(&vocabulary.path(assignment.variable), assignment.value.clone());
                }
                let observed = session.observe(&update.build().unwrap()).unwrap();
                seen.achieved += observed.achieved as u64;
                reference.observe(&assignments);
            }
            4..=7 => {
                let action = match again.take().filter(|_| dice.chance(60)) {
                    Some(action) => action,
                    None => action(dice, vocabulary),
                };
                let outcome = match dice.below(8) {
                    0 => Outcome::Unknown,
                    1 => Outcome::NotPerformed,
                    _ => Outcome::Done,
                };
                again = Some(action.clone());
                let (expected, permit) = reference.propose(&action);
                let before = session.insisted();
                let verdict = gate(&mut session, action, outcome);
                assert_eq!(verdict, expected, "{}", context());
                seen.insisted += session.insisted() - before;
                match expected {
                    "allow" => seen.allow += 1,
                    "advise" => seen.advise += 1,
                    _ => seen.block += 1,
                }
                if let Some(permit) = permit {
                    assert!(!reference.execute(permit, outcome), "{}", context());
                    seen.unknown += u64::from(outcome == Outcome::Unknown);
                }
            }
            8 => {
                let name = dice.pick(&["Go", "Pay", "s1", "s2"]);
                let performed = dice.chance(50);
                let expected = reference.resolve(name, performed);
                assert_eq!(session.resolve(name, performed).is_ok(), expected, "{}", context());
                seen.resolved += u64::from(expected);
            }
            _ => match held.take() {
                Some((permit, model)) => {
                    let stale = reference.execute(model, Outcome::Done);
                    let begun = session.begin(permit).unwrap();
                    assert_eq!(begun.is_err(), stale, "{}", context());
                    seen.stale += u64::from(stale);
                    if let Ok(running) = begun {
                        session.finish(running, Outcome::Done).unwrap();
                    }
                }
                None => {
                    let action = action(dice, vocabulary);
                    let (expected, model) = reference.propose(&action);
                    let verdict = session.propose(action).unwrap();
                    assert_eq!(verdict.word(), expected, "{}", context());
                    if let (Verdict::Allow(permit), Some(model)) = (verdict, model) {
                        held = Some((permit, model));
                    }
                }
            },
        }
        compare(&session, &reference, &context);
        if full && step == 6 && held.is_none() {
            let saved = session.save();
            let text = serde_json::to_string(&saved).unwrap();
            let back: intentgate::session::Saved = serde_json::from_str(&text).unwrap();
            assert_eq!(back, saved, "{}", context());
            // From here on the restored session decides, with a record of its own.
            let record = lines.json();
            let count = replay(&Source::new("record", record.join("\n")), &limits)
                .unwrap_or_else(|error| panic!("{error}\n{}", context()));
            assert_eq!(count, record.len());
            lines.take();
            session = builder(true).restore(&back).unwrap();
            assert_eq!(session.save(), saved, "{}", context());
        }
    }
    seen.done += u64::from(session.is_done());
    if full {
        let record = lines.json();
        replay(&Source::new("record", record.join("\n")), &limits)
            .unwrap_or_else(|error| panic!("seed {seed}\n{error}"));
    }
}

fn gate(session: &mut Session, action: Action, outcome: Outcome) -> &'static str {
    let gated = session.gate(action, |_| match outcome {
        Outcome::Done => Ok(()),
        Outcome::NotPerformed => Err(EffectError::NotPerformed(())),
        Outcome::Unknown => Err(EffectError::Unknown(())),
    });
    match gated.unwrap() {
        Gated::Done(()) | Gated::NotPerformed(()) | Gated::Unknown(()) => "allow",
        Gated::Advised(_) => "advise",
        Gated::Blocked(_) => "block",
    }
}

/// Everything that follows has to be the same.
fn compare(session: &Session, reference: &Reference, context: &dyn Fn() -> String) {
    let vocabulary = session.vocabulary();
    assert_eq!(session.is_done(), reference.naive.is_done(), "done: {}", context());
    assert_eq!(session.epoch(), reference.epoch, "epoch: {}", context());
    for (id, _) in vocabulary.variables() {
        let (mut left, mut right) = (session.fact(id), reference.naive.fact(id));
        // What is unknown counts or not: it makes no difference.
        if left.value.is_none() && right.value.is_none() {
            (left.counts, right.counts) = (true, true);
        }
        assert_eq!(left, right, "{}: {}", vocabulary.path(id), context());
    }
    let specification = session.specification();
    for rule in specification.rules() {
        if let Head::Objective(objective) = rule.head() {
            let name = specification.objective_name(objective);
            assert_eq!(
                session.is_achieved(name),
                reference.naive.is_achieved(objective),
                "{name}: {}",
                context()
            );
        }
    }
    for (id, action) in vocabulary.actions() {
        assert_eq!(
            session.is_achieved(action.name()),
            reference.naive.is_achieved(Objective::Action(id)),
            "{}",
            context()
        );
    }
}

fn value(
    dice: &mut Dice,
    vocabulary: &Vocabulary,
    path: &str,
    kind: char,
) -> Option<intentgate::engine::value::Value> {
    if dice.chance(10) {
        return None;
    }
    let literal = random::literal(dice, kind);
    let variable = vocabulary.variable(vocabulary.find_path(path).unwrap());
    let today = "2026-11-21".parse().ok();
    // A text literal is unquoted by reading it as JSON, which knows all of its escapes but one.
    let text = if kind == 't' {
        let json = literal.replace("\\u{430}", "\\u0430");
        serde_json::from_str::<String>(&json).unwrap()
    } else {
        literal
    };
    Some(input::spelled(&text, variable.variable_type(), today).unwrap())
}

fn assignments(dice: &mut Dice, vocabulary: &Vocabulary, source: Option<ValueSource>) -> Vec<Assignment> {
    let mut chosen: Vec<usize> = (0..1 + dice.below(4)).map(|_| dice.below(VARIABLES.len())).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
        .into_iter()
        .map(|at| {
            let (state, name, kind) = VARIABLES[at];
            let path = format!("{state}.{name}");
            let value = value(dice, vocabulary, &path, kind);
            let source = source.unwrap_or(match dice.below(6) {
                0 => ValueSource::Agent,
                1 => ValueSource::Inferred,
                _ => ValueSource::App,
            });
            Assignment { variable: vocabulary.find_path(&path).unwrap(), value, source }
        })
        .collect()
}

fn action(dice: &mut Dice, vocabulary: &Vocabulary) -> Action {
    let name = dice.pick(&["Go", "Go", "Pay", "Pay", "s1", "s2"]);
    let mut builder = Action::named(vocabulary, name);
    if name == "Pay" {
        if dice.chance(80) {
            builder = builder.argument("amount", value(dice, vocabulary, "Pay.amount", 'n'));
        }
        if dice.chance(80) {
            builder = builder.argument("to", value(dice, vocabulary, "Pay.to", 't'));
        }
    }
    if name.starts_with('s') || dice.chance(30) {
        let source = if dice.chance(70) { ValueSource::App } else { ValueSource::Agent };
        for assignment in assignments(dice, vocabulary, Some(source)) {
            let path = vocabulary.path(assignment.variable);
            builder = builder.source(assignment.source).set(&path, assignment.value);
        }
    }
    builder.build().unwrap()
}
