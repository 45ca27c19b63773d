//! The kit for tests: what its assertions say when they fail.

use intentgate::testing::play;
use intentgate::{
    CriticalAction, Gate, Session, SessionBuilder, State, Step, assert_advised, assert_allowed,
    assert_blocked, policy, spec, vocabulary,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// the cart
#[derive(State)]
struct Cart {
    total: u32,
    checked: bool,
}

/// pay
#[derive(CriticalAction)]
struct Pay {
    amount: u32,
}

/// look at a page
#[derive(Step)]
#[step(trigger = fill)]
struct Fill {
    total: u32,
}

fn fill(fill: &Fill, _: &dyn intentgate::session::Facts) -> impl intentgate::Observation + use<> {
    Cart::update().total(fill.total)
}

vocabulary! {
    struct Shop {
        states: [Cart],
        actions: [Pay],
        steps: [Fill],
    }
}

fn builder() -> SessionBuilder {
    let spec = spec! { in Shop;
        R1: Cart(checked = true, total < 100) and Pay(amount < 100) -> Pay
        R2: Cart(total = 0) -> Pay
        R3: Pay -> Done
    };
    Session::builder(spec).policy(policy! { in Shop; P1: Pay and Pay(amount > 50) -> Never })
}

fn session() -> Session {
    builder().start().unwrap()
}

/// What a failing assertion says.
fn said<T>(assertion: impl FnOnce() -> T) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(assertion)) else { panic!("it did not fail") };
    match panic.downcast::<String>() {
        Ok(said) => *said,
        Err(_) => panic!("no words"),
    }
}

#[test]
fn assertions_that_hold() {
    let mut session = session();
    assert_blocked!(session, Pay { amount: 1 });
    assert_blocked!(session, Pay { amount: 1 }, unmet = ["Cart.total", "Cart.checked"]);
    assert_blocked!(session, Pay { amount: 1 }, unmet = ["Cart.total"], codes = ["G0602"], prohibited = []);
    session.observe(&Cart { total: 5, checked: true }).unwrap();
    assert_blocked!(session, Pay { amount: 60 }, prohibited = ["P1"], codes = ["G0603"]);
    let refused = assert_advised!(session, Fill { total: 100 }, unmet = ["Cart.total"], codes = ["G0601"]);
    assert_eq!(refused.action.name(), "Fill");
    assert_advised!(session, Fill { total: 101 });
    let permit = assert_allowed!(session, Pay { amount: 1 });
    assert_eq!(permit.arguments().number("amount"), Some(1.into()));
    let gate = Gate::new(session);
    drop(assert_allowed!(gate, Pay { amount: 1 }));
    assert_blocked!(gate, Pay { amount: 51 },);
}

#[test]
fn a_failing_assertion_shows_what_the_gate_said() {
    let mut session = session();
    session.observe(&Cart { total: 5, checked: false }).unwrap();
    let said = [
        said(|| assert_allowed!(session, Pay { amount: 60 })),
        said(|| assert_advised!(session, Pay { amount: 60 })),
        said(|| assert_blocked!(session, Fill { total: 1 })),
        said(|| assert_blocked!(session, Pay { amount: 60 }, unmet = ["Cart.checked", "Cart.total"])),
        said(|| assert_blocked!(session, Pay { amount: 60 }, codes = ["G0604"])),
        said(|| assert_blocked!(session, Pay { amount: 60 }, prohibited = ["P2"])),
    ];
    insta::assert_snapshot!(said.join("\n\n"));
}

const TRACE: &str = r#"
{"propose": {"action": "Pay", "arguments": {"amount": 1}}}
{"observe": {"Cart": {"total": 5, "checked": true}}}
{"propose": {"action": "Fill", "arguments": {"total": 200}}}
{"propose": {"action": "Pay", "arguments": {"amount": 1}}}
"#;

#[test]
fn traces_are_tests() {
    let played = play(builder(), TRACE);
    played.assert_verdicts(["block", "advise", "allow"]);
    assert!(played.is_done() && played.is_blocked(), "{played}");
    assert_eq!(played.lines().len(), 5);
    insta::assert_snapshot!(played);
    // The same bytes on every machine and every day.
    let again = play(builder(), TRACE);
    let bytes =
        |played: &intentgate::testing::Played| played.lines().iter().map(|line| line.to_json()).collect();
    let (first, second): (Vec<String>, Vec<String>) = (bytes(&played), bytes(&again));
    assert_eq!(first, second);
}

#[test]
fn a_trace_that_can_not_be_played_is_no_success() {
    let wrong = play(builder(), "{\"observe\": {\"Cart\": {\"totl\": 5}}}\n");
    assert!(wrong.problems().is_some());
    let said = said(|| wrong.assert_verdicts([]));
    insta::assert_snapshot!(said);
    let unbound = spec! { in Shop; allow W0404; Cart(total < $limit) -> Pay  Pay -> Done };
    let played = play(Session::builder(unbound), TRACE);
    assert!(played.not_started().is_some() && played.verdicts().is_empty());
    assert!(played.to_string().contains("E0321"), "{played}");
}
