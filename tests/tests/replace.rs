//! A specification is replaced during a task: what stays, what is stale, and that nothing is allowed that
//! was not, unless somebody consented.

use intentgate::engine::check;
use intentgate::engine::diagnostic::Code;
use intentgate::engine::ir::Specification;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::session::StartError;
use intentgate::session::replay::{replay, trace_clock};
use intentgate::testing::Lines;
use intentgate::{Action, Consent, Outcome, Session, SessionBuilder, Update, Verdict};
use intentgate_tests::APP;
use std::sync::Arc;

fn vocabulary() -> Arc<Vocabulary> {
    Arc::new(Vocabulary::from_json(&Source::new("app.json", APP), &Limits::default()).unwrap())
}

fn specification(vocabulary: &Arc<Vocabulary>, text: &str) -> Arc<Specification> {
    let checked = check::specification(&Source::new("spec.intent", text), vocabulary, &Limits::default());
    Arc::new(checked.unwrap_or_else(|problems| panic!("{problems}")).specification)
}

fn builder(vocabulary: &Arc<Vocabulary>, text: &str) -> SessionBuilder {
    let today = "2026-11-21".parse().unwrap();
    let builder = Session::builder(specification(vocabulary, text)).today(today);
    builder.clock(trace_clock(today, chrono_tz::Tz::UTC))
}

fn observe(session: &mut Session, path: &str, value: impl Into<intentgate::Input>) {
    let update = Update::of(&Arc::clone(session.vocabulary())).set(path, value).build().unwrap();
    let _ = session.observe(&update).unwrap();
}

fn pay(session: &mut Session, amount: i64) -> Verdict {
    let vocabulary = Arc::clone(session.vocabulary());
    let action = Action::named(&vocabulary, "Pay")
        .argument("amount", amount)
        .argument("to", "R")
        .argument("note", "x");
    session.propose(action.build().unwrap()).unwrap()
}

fn perform(session: &mut Session, verdict: Verdict) {
    let Verdict::Allow(permit) = verdict else { panic!("{verdict:?}") };
    let running = session.begin(permit).unwrap().unwrap();
    session.finish(running, Outcome::Done).unwrap();
}

fn code(error: &StartError) -> Code {
    match error {
        StartError::Fault(fault) => fault.code,
        StartError::Bind(bound) => panic!("{bound}"),
    }
}

const OLD: &str = r#"
R1: Bill(total <= 100) -> Known
R2: Known and Pay(amount <= 100, to = "R", note = "x") -> Pay
R3: Pay and ReserveResult(success = true) -> Done
"#;

const WIDER: &str = r#"
W1: Bill(total <= 100) -> Known
W2: Known and Pay(amount <= 500, to = "R", note = "x") -> Pay
W3: Pay and ReserveResult(success = true) -> Done
"#;

#[test]
fn what_was_known_and_done_stays_and_permits_are_stale() {
    let vocabulary = vocabulary();
    let lines = Lines::default();
    let mut session = builder(&vocabulary, OLD).record(lines.clone()).start().unwrap();
    observe(&mut session, "Bill.total", 80);
    let paid = pay(&mut session, 90);
    perform(&mut session, paid);
    let Verdict::Allow(permit) = pay(&mut session, 91) else { panic!("not allowed") };
    session.replace_spec(specification(&vocabulary, WIDER), Consent::Given).unwrap();
    assert!(session.begin(permit).unwrap().is_err(), "a permit of the old specification is stale");
    assert_eq!(session.achieved(), ["Known", "Pay"]);
    assert_eq!(session.evidence()[1].rule, "R2", "what was achieved before names the rule of then");
    assert_eq!(session.value("Bill.total"), Some(rust_decimal::Decimal::from(80).into()));
    // The same once more is still the same.
    let Verdict::Block(refused) = pay(&mut session, 90) else { panic!("paid twice") };
    assert!(refused.feedback.codes.contains(&Code::Repeated), "{refused}");
    let paid = pay(&mut session, 500);
    perform(&mut session, paid);
    observe(&mut session, "ReserveResult.success", true);
    assert!(session.is_done());
    let record = lines.json().join("\n");
    assert!(record.contains("\"replace\""), "{record}");
    let replayed = replay(&Source::new("record", record.as_str()), &Limits::default());
    assert_eq!(replayed.unwrap(), record.lines().count());
}

#[test]
fn a_milestone_of_other_rules_is_achieved_anew() {
    let vocabulary = vocabulary();
    let mut session = builder(&vocabulary, OLD).start().unwrap();
    observe(&mut session, "Bill.total", 80);
    observe(&mut session, "Bill.total", 200);
    assert!(session.is_achieved("Known"));
    let other = OLD.replace("total <= 100", "total <= 150");
    session.replace_spec(specification(&vocabulary, &other), Consent::Given).unwrap();
    assert!(!session.is_achieved("Known"));
    observe(&mut session, "Bill.total", 150);
    assert!(session.is_achieved("Known"));
    // Saved and restored it is the same.
    let saved = session.save();
    let restored = builder(&vocabulary, &other).restore(&saved).unwrap();
    assert_eq!(restored.save(), saved);
}

#[test]
fn it_is_replaced_only_where_it_is_safe() {
    let vocabulary = vocabulary();
    let wider = || specification(&vocabulary, WIDER);
    let started = || builder(&vocabulary, OLD).start().unwrap();

    let mut session = started();
    observe(&mut session, "Bill.total", 80);
    let Verdict::Allow(permit) = pay(&mut session, 90) else { panic!("not allowed") };
    let running = session.begin(permit).unwrap().unwrap();
    let error = session.replace_spec(wider(), Consent::Given).unwrap_err();
    assert_eq!(code(&error), Code::NotReplaceable);
    session.finish(running, Outcome::Unknown).unwrap();
    let error = session.replace_spec(wider(), Consent::Given).unwrap_err();
    assert_eq!(code(&error), Code::NotReplaceable);
    session.resolve("Pay", false).unwrap();
    session.replace_spec(wider(), Consent::Given).unwrap();

    let mut session = started();
    observe(&mut session, "Bill.total", 80);
    let paid = pay(&mut session, 90);
    perform(&mut session, paid);
    observe(&mut session, "ReserveResult.success", true);
    let error = session.replace_spec(wider(), Consent::Given).unwrap_err();
    assert_eq!(code(&error), Code::NotReplaceable);

    let other = self::vocabulary();
    let error = started().replace_spec(specification(&other, WIDER), Consent::Given).unwrap_err();
    assert_eq!(code(&error), Code::NotReplaceable);
}

#[test]
fn a_parameter_without_a_value_changes_nothing() {
    let vocabulary = vocabulary();
    let mut session = builder(&vocabulary, OLD).start().unwrap();
    observe(&mut session, "Bill.total", 80);
    let before = session.save();
    let open = OLD.replace("amount <= 100", "amount <= $most");
    session.replace_spec(specification(&vocabulary, &open), Consent::Given).unwrap_err();
    assert_eq!(session.save(), before);
}

#[cfg(not(feature = "z3"))]
#[test]
fn without_a_solver_consent_is_needed() {
    let vocabulary = vocabulary();
    let mut session = builder(&vocabulary, OLD).start().unwrap();
    let error = session.replace_spec(specification(&vocabulary, OLD), Consent::IfNarrower).unwrap_err();
    assert_eq!(code(&error), Code::NoSolver);
}

#[cfg(feature = "z3")]
mod with_the_solver {
    use super::*;
    use intentgate::engine::analysis::{Comparison, Relation};
    use intentgate::engine::input;
    use intentgate::engine::solve::{Bounds, Setting};
    use intentgate_tests::random::{self, Dice};

    #[test]
    fn what_allows_less_needs_no_consent() {
        let vocabulary = vocabulary();
        let mut session = builder(&vocabulary, OLD).start().unwrap();
        observe(&mut session, "Bill.total", 80);
        let narrower = OLD.replace("amount <= 100", "amount <= 50");
        session.replace_spec(specification(&vocabulary, &narrower), Consent::IfNarrower).unwrap();
        assert!(matches!(pay(&mut session, 80), Verdict::Block(_)));
        assert!(matches!(pay(&mut session, 50), Verdict::Allow(_)));
    }

    #[test]
    fn what_may_allow_more_changes_nothing_without_consent() {
        let vocabulary = vocabulary();
        let mut session = builder(&vocabulary, OLD).start().unwrap();
        observe(&mut session, "Bill.total", 80);
        let before = session.save();
        let error = session.replace_spec(specification(&vocabulary, WIDER), Consent::IfNarrower).unwrap_err();
        insta::assert_snapshot!(error.to_string(), @r#"
        E0523: the new specification may allow more
        Pay: the first allows more
          only the first when Bill.total = 0, Pay.amount = 101, Pay.to = "R", Pay.note = "x" (ask the user)
        "#);
        assert_eq!(code(&error), Code::NeedsConsent);
        assert_eq!(session.save(), before);
        // A milestone that a prohibition names would be forgotten.
        let guarded = OLD.replace("Known and Pay(", "Pay(") + "R4: Known and Pay(amount > 50) -> Never\n";
        let mut session = builder(&vocabulary, &guarded).start().unwrap();
        let forgets = guarded.replace("total <= 100", "total <= 100, total <= 200");
        let error = session.replace_spec(specification(&vocabulary, &forgets), Consent::IfNarrower);
        assert_eq!(code(&error.unwrap_err()), Code::NeedsConsent);
    }

    /// What is said to allow less does, whatever happens: two sessions see the same, and one of them is
    /// replaced on the way.
    #[test]
    fn what_is_narrower_never_allows_more() {
        let limits = Limits::default();
        let vocabulary = Arc::new(Vocabulary::from_json(&Source::new("app", random::APP), &limits).unwrap());
        let (mut narrower, mut examples, mut decisions, mut allowed) = (0, 0, 0, 0);
        for seed in 0..100 {
            let mut dice = Dice::new(seed ^ 0xc0de);
            let old = random::specification(&mut dice);
            let new = mutated(&mut dice, &old);
            let read = |text: &str| {
                let checked = check::specification(&Source::new("spec", text), &vocabulary, &limits).ok()?;
                Some(Arc::new(checked.specification))
            };
            let (Some(old), Some(new)) = (read(&old), read(&new)) else { continue };
            let context = format!("seed {seed}\n{}---\n{}", old.source().text(), new.source().text());
            let bounds = Bounds { steps: 50_000, ..Bounds::default() };
            let today = "2026-11-21".parse().ok();
            let setting = Setting { today, bounds, ..Setting::default() };
            let comparison = Comparison::of(&new, &old, &[], &setting).unwrap();
            for difference in &comparison.actions {
                for (answer, more, less) in
                    [(&difference.only_first, &new, &old), (&difference.only_second, &old, &new)]
                {
                    if let Some(situation) = answer
                        .example()
                        .filter(|example| example.achieved.is_empty() && example.observed.is_empty())
                    {
                        examples += 1;
                        let allows = |specification: &Arc<Specification>| {
                            let mut session = Session::builder(specification.clone())
                                .today("2026-11-21".parse().unwrap())
                                .start()
                                .unwrap();
                            let mut update = Update::of(&vocabulary);
                            let mut action = Action::named(&vocabulary, &difference.action);
                            for (path, value) in &situation.values {
                                match path.strip_prefix(&format!("{}.", difference.action)) {
                                    Some(argument) => action = action.argument(argument, value.clone()),
                                    None => update = update.set(path, value.clone()),
                                }
                            }
                            let _ = session.observe(&update.build().unwrap()).unwrap();
                            let verdict = session.propose(action.build().unwrap()).unwrap();
                            matches!(verdict, Verdict::Allow(_))
                        };
                        assert!(allows(more) && !allows(less), "{situation}\n{context}");
                    }
                }
            }
            // One session starts with the new one, the other with the old one; a third one is replaced.
            let is_narrower = matches!(comparison.relation, Relation::Equal | Relation::Narrower);
            let start = |specification: &Arc<Specification>| {
                let builder = Session::builder(specification.clone()).solver_bounds(bounds);
                builder.today("2026-11-21".parse().unwrap()).start().unwrap()
            };
            let mut by_old = start(&old);
            let mut others: Vec<Session> = Vec::new();
            if is_narrower {
                narrower += 1;
                others.push(start(&new));
            }
            let mut to_replace = Some(start(&old));
            for event in 0..24 {
                if event == 12
                    && let Some(mut session) = to_replace.take()
                    && session.replace_spec(new.clone(), Consent::IfNarrower).is_ok()
                {
                    others.push(session);
                }
                if dice.chance(60) {
                    let (state, name, kind) = random::VARIABLES[dice.below(random::VARIABLES.len())];
                    let path = format!("{state}.{name}");
                    let id = vocabulary.find_path(&path).unwrap();
                    let literal = random::literal(&mut dice, kind);
                    let text = literal.trim_matches('"').replace("\\u{430}", "\u{430}");
                    let kind = vocabulary.variable(id).variable_type();
                    let value = input::spelled(&text, kind, "2026-11-21".parse().ok()).unwrap();
                    let update = Update::of(&vocabulary).set(&path, value).build().unwrap();
                    for session in others.iter_mut().chain([&mut by_old]).chain(&mut to_replace) {
                        let _ = session.observe(&update).unwrap();
                    }
                    continue;
                }
                let name = dice.pick(&["Go", "Pay"]);
                let mut action = Action::named(&vocabulary, name);
                if name == "Pay" {
                    for (name, kind) in [("amount", 'n'), ("to", 't')] {
                        let literal = random::literal(&mut dice, kind);
                        let text = literal.trim_matches('"').replace("\\u{430}", "\u{430}");
                        let id = vocabulary.find_path(&format!("Pay.{name}")).unwrap();
                        let kind = vocabulary.variable(id).variable_type();
                        action = action.argument(name, input::spelled(&text, kind, None).unwrap());
                    }
                }
                let action = action.build().unwrap();
                let by_old_verdict = by_old.propose(action.clone()).unwrap();
                let permitted = matches!(by_old_verdict, Verdict::Allow(_));
                let mut all = permitted;
                for session in &mut others {
                    decisions += 1;
                    let verdict = session.propose(action.clone()).unwrap();
                    let allows = matches!(verdict, Verdict::Allow(_));
                    allowed += u64::from(allows);
                    assert!(permitted || !allows, "event {event}: {action:?}\n{context}");
                    all &= allows;
                }
                // It is performed where all allow it, so that all have the same past.
                if all && dice.chance(50) {
                    for session in others.iter_mut().chain([&mut by_old]).chain(&mut to_replace) {
                        if let Verdict::Allow(permit) = session.propose(action.clone()).unwrap() {
                            let running = session.begin(permit).unwrap().unwrap();
                            session.finish(running, Outcome::Done).unwrap();
                        }
                    }
                }
            }
        }
        assert!(
            narrower > 40 && examples > 10 && decisions > 600 && allowed > 5,
            "{narrower} {examples} {decisions} {allowed}"
        );
    }

    /// A specification with one constraint more, one less, or another constant.
    fn mutated(dice: &mut Dice, text: &str) -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let at = dice.below(lines.len());
        if dice.chance(30) {
            lines.remove(at);
        } else if dice.chance(50) {
            let (state, name, kind) = random::VARIABLES[dice.below(random::VARIABLES.len())];
            let literal = random::literal(dice, kind);
            if let Some((body, head)) = lines[at].clone().split_once(" -> ") {
                lines[at] = format!("{body} and {state}({name} = {literal}) -> {head}");
            }
        } else if let Some((before, after)) = lines[at].clone().split_once(" and ") {
            // The first predicate is dropped.
            let label = before.split_once(": ").map_or("", |(label, _)| label);
            lines[at] = if label.is_empty() { after.to_owned() } else { format!("{label}: {after}") };
        }
        lines.join("\n") + "\n"
    }
}
