//! What the solver says against the evaluators and the gate, on random specifications: every example holds,
//! nothing that can't be is met by chance, every plan passes the gate.
#![cfg(feature = "z3")]

use intentgate::engine::analysis::{Analyst, Answer, Plan, RuleId, Situation};
use intentgate::engine::check;
use intentgate::engine::diagnostic::Code;
use intentgate::engine::eval::naive::Naive;
use intentgate::engine::eval::semantics::{self, View};
use intentgate::engine::eval::{Assignment, Evaluator, ValueSource};
use intentgate::engine::input;
use intentgate::engine::ir::Specification;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::solve::{Bounds, Setting};
use intentgate::engine::span::Source;
use intentgate::engine::text::LocalSimilarity;
use intentgate::engine::truth::Truth;
use intentgate::engine::value::Value;
use intentgate::{Action, Input, Outcome, Session, Update, Verdict};
use intentgate_tests::halves;
use intentgate_tests::random::{self, Dice};
use std::sync::Arc;

/// How many specifications a run asks about.
const CASES: u64 = 2_000;
/// How many states are tried by chance against a no.
const STATES: usize = 40;
/// How many sessions are tried by chance against a task that can't be completed.
const CHANCES: usize = 6;

#[derive(Debug, Default)]
struct Seen {
    specifications: u64,
    yes: u64,
    no: u64,
    unknown: u64,
    states: u64,
    plans: u64,
    steps: u64,
    /// Tasks that can't be completed.
    hopeless: u64,
}

#[test]
fn solver_evaluators_and_gate_agree() {
    let limits = Limits::default();
    let vocabulary = Arc::new(Vocabulary::from_json(&Source::new("app", random::APP), &limits).unwrap());
    let seen = halves(CASES, |seeds| {
        let mut seen = Seen::default();
        seeds.for_each(|seed| case(&vocabulary, seed, &mut seen));
        seen
    });
    let total = seen.iter().fold(Seen::default(), |a, b| Seen {
        specifications: a.specifications + b.specifications,
        yes: a.yes + b.yes,
        no: a.no + b.no,
        unknown: a.unknown + b.unknown,
        states: a.states + b.states,
        plans: a.plans + b.plans,
        steps: a.steps + b.steps,
        hopeless: a.hopeless + b.hopeless,
    });
    println!("{total:?}");
    assert!(total.specifications > CASES * 9 / 10 && total.yes > CASES && total.no > CASES / 20, "{total:?}");
    assert!(total.hopeless > 50, "{total:?}");
    assert!(
        total.unknown * 20 < total.yes && total.plans > CASES / 4 && total.steps > total.plans,
        "{total:?}"
    );
}

fn case(vocabulary: &Arc<Vocabulary>, seed: u64, seen: &mut Seen) {
    let mut dice = Dice::new(seed ^ 0xa11a);
    let text = random::specification(&mut dice);
    let limits = Limits::default();
    let checked = check::specification(&Source::new("spec", text.as_str()), vocabulary, &limits);
    let Ok(checked) = checked else { return };
    let specification = Arc::new(checked.specification);
    let policy = dice.chance(30).then(|| random::policy(&mut dice));
    let policies: Vec<Arc<Specification>> = policy
        .iter()
        .filter_map(|text| check::policy(&Source::new("policy", text.as_str()), vocabulary, &limits).ok())
        .map(|checked| Arc::new(checked.specification))
        .collect();
    seen.specifications += 1;
    let context = format!("seed {seed}:\n{text}{}", policy.unwrap_or_default());
    // Random texts are hard on the theory of strings, and a "who knows" is worth nothing here.
    let bounds = Bounds { steps: 50_000, ..Bounds::default() };
    let setting = Setting { today: "2026-11-21".parse().ok(), bounds, ..Setting::default() };
    let (held, completed) = Analyst::ask(&specification, &policies, &setting, |analyst| {
        let rules: Vec<RuleId> = analyst.rules().into_iter().filter(|id| id.set == 0).collect();
        let held: Vec<_> = rules.into_iter().map(|id| (id, analyst.can_hold(id))).collect();
        Ok((held, analyst.can_complete()))
    })
    .unwrap();
    for (id, held) in held {
        match held {
            Ok(Answer::Yes(situation)) => {
                seen.yes += 1;
                assert!(holds(&specification, id, &situation), "{id:?} of {context}\n{situation}");
            }
            Ok(Answer::No(reason)) => {
                seen.no += 1;
                assert!(!reason.parts.is_empty(), "{context}");
                for _ in 0..STATES {
                    seen.states += 1;
                    let situation = by_chance(&mut dice, vocabulary);
                    assert!(!holds(&specification, id, &situation), "{id:?} of {context}\n{situation}");
                }
            }
            Ok(Answer::Unknown(_)) => seen.unknown += 1,
            Err(fault) => panic!("{fault} in {context}"),
        }
    }
    match completed {
        // What was observed and is unknown again takes steps that a plan doesn't have.
        Ok(Answer::Yes(plan)) if plan.steps.iter().any(|step| !step.situation.observed.is_empty()) => {}
        Ok(Answer::Yes(plan)) => {
            seen.plans += 1;
            seen.steps += plan.steps.len() as u64;
            passes(&specification, &policies, &plan, &context);
        }
        Ok(Answer::No(_)) => {
            seen.hopeless += 1;
            for _ in 0..CHANCES {
                never_completes(&mut dice, &specification, &policies, &context);
            }
        }
        Ok(Answer::Unknown(_)) => {}
        Err(fault) => {
            assert_ne!(fault.code, Code::SolverDisagrees, "{context}");
            panic!("{fault} in {context}");
        }
    }
}

fn assignments(vocabulary: &Vocabulary, situation: &Situation) -> Vec<Assignment> {
    let known = situation.values.iter();
    known
        .map(|(path, value)| Assignment {
            variable: vocabulary.find_path(path).unwrap(),
            value: Some(value.clone()),
            source: ValueSource::App,
        })
        .collect()
}

/// Whether the constraints of a rule are true in a situation, for both evaluators, which agree.
fn holds(specification: &Arc<Specification>, id: RuleId, situation: &Situation) -> bool {
    let vocabulary = specification.vocabulary();
    let today = situation.today.unwrap_or("2026-11-21".parse().unwrap());
    let measure = Arc::new(LocalSimilarity);
    let mut fast =
        Evaluator::new(specification.clone(), &[], today, &[], measure.clone(), &Limits::default()).unwrap();
    let mut slow = Naive::new(vocabulary.clone(), fast.sets().into(), measure);
    let assignments = assignments(vocabulary, situation);
    fast.apply(assignments.iter(), std::iter::empty()).unwrap();
    slow.apply(&assignments);
    for state in &situation.observed {
        fast.restore_observed(vocabulary.find_state(state).unwrap());
    }
    let bindings = fast.sets()[0].bindings().clone();
    let rule = &specification.rules()[id.rule];
    let truths = |view: &dyn View| -> Vec<Truth> {
        let constraints = specification.body(rule).iter().flat_map(|part| specification.constraints(part));
        constraints.map(|constraint| semantics::constraint(view, &bindings, constraint, false)).collect()
    };
    assert_eq!(truths(&fast), truths(&slow));
    truths(&fast).iter().all(|truth| truth.is_true())
}

/// A state of values that specifications speak of.
fn by_chance(dice: &mut Dice, vocabulary: &Vocabulary) -> Situation {
    let mut situation = Situation::default();
    for (state, name, kind) in random::VARIABLES {
        if dice.chance(85) {
            let path = format!("{state}.{name}");
            let id = vocabulary.find_path(&path).unwrap();
            let literal = random::literal(dice, *kind);
            // Written as in the language; quotes are the literal's.
            let text = literal.trim_matches('"').replace("\\u{430}", "\u{430}");
            let kind = vocabulary.variable(id).variable_type();
            let value = input::spelled(&text, kind, "2026-11-21".parse().ok());
            situation.values.push((path, value.unwrap()));
        }
    }
    for (path, kind) in [("Pay.amount", 'n'), ("Pay.to", 't')] {
        let literal = random::literal(dice, kind);
        let text = literal.trim_matches('"').replace("\\u{430}", "\u{430}");
        let id = vocabulary.find_path(path).unwrap();
        let value: Option<Value> = input::spelled(&text, vocabulary.variable(id).variable_type(), None);
        situation.values.push((path.to_owned(), value.unwrap()));
    }
    situation
}

/// Whatever is observed and proposed: the task does not become complete.
fn never_completes(
    dice: &mut Dice,
    specification: &Arc<Specification>,
    policies: &[Arc<Specification>],
    context: &str,
) {
    let vocabulary = specification.vocabulary();
    let builder = Session::builder(specification.clone()).today("2026-11-21".parse().unwrap());
    let builder = policies.iter().fold(builder, |builder, policy| builder.policy(policy.clone()));
    let mut session = builder.start().unwrap();
    let mut events = Vec::new();
    for _ in 0..12 {
        let situation = by_chance(dice, vocabulary);
        let mut update = Update::of(vocabulary);
        for (path, value) in situation.values.iter().filter(|(path, _)| !path.starts_with("Pay.")) {
            update = update.set(path, value.clone());
        }
        let _ = session.observe(&update.build().unwrap()).unwrap();
        let name = dice.pick(&["Go", "Pay"]);
        let mut action = Action::named(vocabulary, name);
        for (path, value) in &situation.values {
            if let Some(argument) = path.strip_prefix(&format!("{name}.")) {
                action = action.argument(argument, value.clone());
            }
        }
        // No plan performs an action twice.
        if !session.is_achieved(name)
            && let Verdict::Allow(permit) = session.propose(action.build().unwrap()).unwrap()
        {
            let running = session.begin(permit).unwrap().unwrap();
            session.finish(running, Outcome::Done).unwrap();
            events.push(format!("performed {name}"));
        }
        events.push(situation.to_string());
        assert!(!session.is_done(), "complete after {events:#?}\n{context}");
    }
}

/// A plan passes the gate, step for step, and completes the task.
fn passes(specification: &Arc<Specification>, policies: &[Arc<Specification>], plan: &Plan, context: &str) {
    let vocabulary = specification.vocabulary();
    let mut builder = Session::builder(specification.clone()).today("2026-11-21".parse().unwrap());
    for policy in policies {
        builder = builder.policy(policy.clone());
    }
    let mut session = builder.start().unwrap();
    for (number, step) in plan.steps.iter().enumerate() {
        let context = format!("step {} of\n{plan:#?}\n{context}", number + 1);
        // Everything is as the step says: the rest is unknown.
        let mut update = Update::of(vocabulary);
        for (id, variable) in vocabulary.variables() {
            if vocabulary.state(variable.state()).arguments_of().is_none() {
                let path = vocabulary.path(id);
                let value = step.situation.value(&path).cloned();
                update = update.set(&path, value.map_or(Input::Unknown, Input::Value));
            }
        }
        let _ = session.observe(&update.build().unwrap()).unwrap();
        if !step.critical {
            continue;
        }
        let mut action = Action::named(vocabulary, &step.achieves);
        for (path, value) in &step.situation.values {
            if let Some(name) = path.strip_prefix(&format!("{}.", step.achieves)) {
                action = action.argument(name, value.clone());
            }
        }
        match session.propose(action.build().unwrap()).unwrap() {
            Verdict::Allow(permit) => {
                let running = session.begin(permit).unwrap().unwrap();
                session.finish(running, Outcome::Done).unwrap();
            }
            Verdict::Advise(refused) | Verdict::Block(refused) => panic!("{refused}\n{context}"),
        }
    }
    assert!(session.is_done(), "not done after\n{plan:#?}\n{context}");
}
