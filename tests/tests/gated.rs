//! Functions behind the gate: refused, performed, failed, unwound, dropped.

use intentgate::engine::diagnostic::Code;
use intentgate::{
    CriticalAction, EffectFailure, Gate, GateError, Observation, Permit, Session, State, Step, gated, spec,
    vocabulary,
};
use std::cell::Cell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

/// what the user has seen
#[derive(State)]
struct Draft {
    to: String,
    confirmed: bool,
}

/// the money
#[derive(State)]
struct Balance {
    euros: i64,
}

/// pay
#[derive(CriticalAction, Debug, Clone, PartialEq)]
#[action(trigger = Pay::trigger)]
struct Pay {
    to: String,
    amount: i64,
}

impl Pay {
    fn trigger(&self, facts: &dyn intentgate::session::Facts) -> Result<impl Observation + use<>, String> {
        let Some(intentgate::engine::value::Value::Number(balance)) = facts.value("Balance.euros") else {
            return Err("the balance is unknown".to_owned());
        };
        let left = i64::try_from(balance).map_err(|error| error.to_string())? - self.amount;
        Ok(Balance::update().euros(left))
    }
}

/// open a page
#[derive(Step, Debug)]
#[step(trigger = open)]
struct Open {
    to: String,
}

fn open(step: &Open, _: &dyn intentgate::session::Facts) -> impl Observation + use<> {
    Draft::update().to(step.to.as_str())
}

vocabulary! {
    struct Bank {
        states: [Draft, Balance],
        actions: [Pay],
        steps: [Open],
    }
}

#[derive(Debug)]
enum PayError {
    Refused(GateError),
    Declined,
    NoAnswer,
}

impl From<GateError> for PayError {
    fn from(error: GateError) -> PayError {
        PayError::Refused(error)
    }
}

impl EffectFailure for PayError {
    fn surely_not_performed(&self) -> bool {
        matches!(self, PayError::Declined)
    }
}

fn session() -> Session {
    let spec = spec! { in Bank;
        Draft(confirmed = true, to = "Bob") and Pay(to = "Bob", amount <= 100) and Balance(euros >= 0) -> Pay
        Pay -> Done
    };
    let mut session = Session::builder(spec).start().unwrap();
    session.observe(&(Draft { to: "Bob".into(), confirmed: true }, Balance { euros: 150 })).unwrap();
    session
}

/// What the effects of the tests did.
type Log = Arc<Mutex<Vec<String>>>;

#[derive(Clone)]
struct App {
    gate: Gate,
    log: Log,
    /// What the world answers.
    answer: &'static str,
}

impl App {
    fn new(answer: &'static str) -> App {
        App { gate: Gate::new(session()), log: Log::default(), answer }
    }

    fn answers(&self, pay: &Pay) -> Result<String, PayError> {
        self.log.lock().unwrap().push(format!("{} {}", pay.to, pay.amount));
        match self.answer {
            "declined" => Err(PayError::Declined),
            "silent" => Err(PayError::NoAnswer),
            "panic" => panic!("the wire is cut"),
            _ => Ok(format!("paid {}", pay.amount)),
        }
    }

    /// Pays.
    #[gated(Pay)]
    fn pay(&self, pay: Pay) -> Result<String, PayError> {
        // `?` and `return` are the body's own.
        if self.answer == "early" {
            return Ok("early".to_owned());
        }
        let paid = self.answers(&pay)?;
        Ok(paid)
    }

    #[gated(Pay)]
    async fn pay_later(&self, mut pay: Pay, pauses: usize) -> Result<String, PayError> {
        for _ in 0..pauses {
            pause().await;
        }
        pay.amount += 0;
        self.answers(&pay)
    }

    #[gated(Open)]
    fn open(&self, open: Open) -> Result<(), PayError> {
        self.log.lock().unwrap().push(open.to);
        Ok(())
    }

    fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    fn unsettled(&self) -> Vec<String> {
        self.gate.session().unwrap().unsettled().map(str::to_owned).collect()
    }

    fn euros(&self) -> Option<i64> {
        self.gate.session().unwrap().read::<Balance>().unwrap().map(|balance| balance.euros)
    }
}

fn pay(to: &str, amount: i64) -> Pay {
    Pay { to: to.to_owned(), amount }
}

/// Lets others run once.
fn pause() -> impl Future<Output = ()> {
    let mut paused = false;
    std::future::poll_fn(
        move |_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending },
    )
}

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_refused_function_does_not_run_and_says_why() {
    let app = App::new("ok");
    let Err(PayError::Refused(error)) = app.pay(pay("Eve", 10)) else { panic!() };
    assert!(matches!(&error, GateError::Blocked(refused) if refused.feedback.codes == [Code::Unmet]));
    assert!(error.to_string().contains("Pay.to is \"Eve\""), "{error}");
    assert_eq!(error.refused().unwrap().action.name(), "Pay");
    let Err(PayError::Refused(GateError::Blocked(_))) = app.pay(pay("Bob", 101)) else { panic!() };
    assert!(app.log().is_empty());
    assert_eq!(app.euros(), Some(150));
}

#[test]
fn an_allowed_function_runs_once_with_what_was_judged() {
    let app = App::new("ok");
    assert_eq!(app.pay(pay("Bob", 100)).unwrap(), "paid 100");
    assert_eq!(app.log(), ["Bob 100"]);
    assert_eq!(app.euros(), Some(50), "what the trigger said is committed");
    assert!(app.gate.session().unwrap().is_done());
    let Err(PayError::Refused(GateError::Blocked(refused))) = app.pay(pay("Bob", 1)) else { panic!() };
    assert_eq!(refused.feedback.codes, [Code::TaskComplete]);
}

#[test]
fn an_early_return_is_an_end() {
    let app = App::new("early");
    assert_eq!(app.pay(pay("Bob", 1)).unwrap(), "early");
    assert!(app.unsettled().is_empty());
    assert!(app.gate.session().unwrap().is_achieved("Pay"));
}

#[test]
fn the_error_says_what_it_means() {
    let app = App::new("declined");
    assert!(matches!(app.pay(pay("Bob", 1)), Err(PayError::Declined)));
    assert!(app.unsettled().is_empty());
    assert_eq!(app.euros(), Some(150), "rolled back");
    // It can be tried again.
    assert!(matches!(app.pay(pay("Bob", 1)), Err(PayError::Declined)));
    assert_eq!(app.log().len(), 2);

    let app = App::new("silent");
    assert!(matches!(app.pay(pay("Bob", 1)), Err(PayError::NoAnswer)));
    assert_eq!(app.unsettled(), ["Pay"]);
    let Err(PayError::Refused(GateError::Blocked(refused))) = app.pay(pay("Bob", 1)) else { panic!() };
    assert_eq!(refused.feedback.codes, [Code::Unsettled]);
    assert_eq!(app.log().len(), 1);
    app.gate.resolve("Pay", false).unwrap();
    assert!(
        matches!(app.pay(pay("Bob", 1)), Err(PayError::NoAnswer)),
        "the host has looked: it may be tried again"
    );
}

#[test]
fn unwinding_leaves_it_unknown() {
    let app = App::new("panic");
    let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| app.pay(pay("Bob", 1))));
    assert!(unwound.is_err());
    assert_eq!(app.unsettled(), ["Pay"]);
    assert!(matches!(app.pay(pay("Bob", 1)), Err(PayError::Refused(GateError::Blocked(_)))));
    // The session goes on: the panic was the effect's.
    app.gate.observe(&Draft::update().confirmed(false)).unwrap();
    app.gate.resolve("Pay", true).unwrap();
    assert!(app.gate.session().unwrap().is_achieved("Pay"));
}

#[test]
fn observations_come_while_an_async_effect_runs_and_win() {
    let app = App::new("ok");
    let mut running = pin!(app.pay_later(pay("Bob", 100), 2));
    assert!(poll(running.as_mut()).is_pending());
    assert_eq!(app.unsettled(), ["Pay"], "from begin on it may have happened");
    app.gate.observe(&Balance { euros: 7 }).unwrap();
    assert!(poll(running.as_mut()).is_pending());
    // Others are judged meanwhile, and refused.
    let Err(PayError::Refused(GateError::Blocked(refused))) = app.pay(pay("Bob", 1)) else { panic!() };
    assert_eq!(refused.feedback.codes, [Code::Unsettled]);
    let Poll::Ready(paid) = poll(running.as_mut()) else { panic!() };
    assert_eq!(paid.unwrap(), "paid 100", "what was observed meanwhile doesn't stop what has begun");
    assert_eq!(app.euros(), Some(7), "the world knows better than the trigger");
    assert!(app.gate.session().unwrap().is_done());
}

#[test]
fn an_async_function_asks_when_it_is_first_polled() {
    let app = App::new("ok");
    let mut running = pin!(app.pay_later(pay("Bob", 100), 0));
    app.gate.observe(&Draft::update().confirmed(false)).unwrap();
    let Poll::Ready(Err(PayError::Refused(_))) = poll(running.as_mut()) else { panic!() };
    assert!(app.log().is_empty());
}

#[test]
fn a_dropped_future_leaves_it_unknown() {
    let app = App::new("ok");
    {
        let mut running = Box::pin(app.pay_later(pay("Bob", 1), 5));
        assert!(poll(running.as_mut()).is_pending());
        // A time-out drops the future.
    }
    assert_eq!(app.unsettled(), ["Pay"]);
    assert!(matches!(app.pay(pay("Bob", 1)), Err(PayError::Refused(GateError::Blocked(_)))));
    assert!(app.log().is_empty());

    // One that was never polled has not begun.
    let app = App::new("ok");
    drop(app.pay_later(pay("Bob", 1), 5));
    assert!(app.unsettled().is_empty());
}

#[test]
fn a_panic_in_an_async_effect_leaves_it_unknown() {
    let app = App::new("panic");
    let mut running = Box::pin(app.pay_later(pay("Bob", 1), 0));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| poll(running.as_mut()))).is_err());
    assert_eq!(app.unsettled(), ["Pay"]);
}

#[test]
fn futures_go_between_threads() {
    fn sendable<T: Send>(value: T) -> T {
        value
    }
    let app = App::new("ok");
    let moved = app.clone();
    let paid = std::thread::spawn(move || {
        let mut running = pin!(sendable(moved.pay_later(pay("Bob", 3), 1)));
        loop {
            if let Poll::Ready(result) = poll(running.as_mut()) {
                return result.unwrap();
            }
        }
    });
    assert_eq!(paid.join().unwrap(), "paid 3");
    assert_eq!(app.log(), ["Bob 3"]);
}

#[test]
fn a_step_is_advised_on_and_passes_when_it_is_insisted_on() {
    let app = App::new("ok");
    let Err(PayError::Refused(GateError::Advised(refused))) = app.open(Open { to: "Eve".into() }) else {
        panic!()
    };
    assert!(refused.to_string().contains("Draft.to"), "{refused}");
    assert!(app.log().is_empty());
    app.open(Open { to: "Eve".into() }).unwrap();
    assert_eq!(app.log(), ["Eve"]);
}

/// A session of one's own, without sharing.
struct Owner {
    session: Session,
    paid: Cell<u32>,
}

trait Payer {
    fn pay(&mut self, pay: Pay) -> Result<(), PayError>;
}

impl Payer for Owner {
    #[gated(Pay, gate = self.session)]
    fn pay(&mut self, pay: Pay) -> Result<(), PayError> {
        // The session is at hand while the effect runs.
        self.session.observe(&Balance { euros: 150 - pay.amount }).map_err(|_| PayError::NoAnswer)?;
        self.paid.set(self.paid.get() + 1);
        Ok(())
    }
}

#[gated(Pay, gate = gate.session)]
fn pay_for<'a>(gate: &mut Owner, name: &'a str, pay: Pay) -> Result<&'a str, PayError> {
    gate.paid.set(gate.paid.get() + u32::from(pay.amount > 0));
    Ok(name)
}

#[test]
fn a_session_of_ones_own_and_functions_without_self() {
    let mut owner = Owner { session: session(), paid: Cell::new(0) };
    assert_eq!(pay_for(&mut owner, "x", pay("Bob", 1)).unwrap(), "x");
    let mut owner = Owner { session: session(), paid: Cell::new(0) };
    Payer::pay(&mut owner, pay("Bob", 1)).unwrap();
    assert!(matches!(Payer::pay(&mut owner, pay("Bob", 1)), Err(PayError::Refused(_))));
    assert_eq!(owner.paid.get(), 1);
}

#[test]
fn a_function_that_takes_a_permit() {
    fn perform(session: &mut Session, permit: Permit<Pay>) -> i64 {
        let running = session.begin(permit).unwrap().unwrap();
        let (pay, begun) = running.into_parts();
        session.finish(begun, intentgate::Outcome::Done).unwrap();
        pay.amount
    }
    let mut session = session();
    let permit = session.propose(pay("Bob", 9)).unwrap().allowed().unwrap();
    assert_eq!(perform(&mut session, permit), 9);
    assert!(session.is_done());
}

#[test]
fn a_session_that_a_panic_interrupted_decides_nothing() {
    let app = App::new("ok");
    let gate = app.gate.clone();
    let _ = std::thread::spawn(move || {
        let _held = gate.session().unwrap();
        panic!("in the middle of something");
    })
    .join();
    let Err(PayError::Refused(GateError::Fault(fault))) = app.pay(pay("Bob", 1)) else { panic!() };
    assert_eq!(fault.code, Code::SessionBroken);
    assert!(app.log().is_empty());
}

/// do something that its trigger can't cope with
#[derive(CriticalAction, Debug)]
#[action(trigger = Odd::trigger)]
struct Odd {
    what: String,
}

thread_local! {
    static ODD: std::cell::RefCell<Option<Gate>> = const { std::cell::RefCell::new(None) };
}

impl Odd {
    fn trigger(&self, _: &dyn intentgate::session::Facts) -> Result<impl Observation + use<>, String> {
        if self.what == "panic" {
            panic!("the trigger is broken");
        }
        let gate = ODD.with_borrow(Clone::clone).ok_or("no gate")?;
        let fault = gate.observe(&Draft::update().confirmed(true)).unwrap_err();
        assert_eq!(fault.code, Code::GateHeld);
        Err::<<Draft as State>::Update, String>(fault.to_string())
    }
}

vocabulary! {
    struct Odds {
        states: [Draft],
        actions: [Odd],
    }
}

#[test]
fn a_trigger_that_panics_or_asks_its_own_gate_has_failed() {
    let spec = spec! { in Odds; allow W0404; Draft(confirmed = true) -> Odd  Odd -> Done };
    let gate = Gate::new(Session::builder(spec).start().unwrap());
    ODD.with_borrow_mut(|odd| *odd = Some(gate.clone()));
    gate.observe(&Draft { to: "Bob".into(), confirmed: true }).unwrap();
    for what in ["panic", "ask", "panic"] {
        let intentgate::Verdict::Block(refused) = gate.propose(Odd { what: what.into() }).unwrap() else {
            panic!()
        };
        assert_eq!(refused.feedback.codes, [Code::TriggerFailed]);
    }
    // The gate goes on.
    gate.observe(&Draft::update().confirmed(false)).unwrap();
    let held = gate.session().unwrap();
    assert_eq!(gate.observe(&Draft::update().confirmed(true)).unwrap_err().code, Code::GateHeld);
    drop(held);
    gate.observe(&Draft::update().confirmed(true)).unwrap();
}

#[gated(Pay, gate = outcome)]
fn pay_at(outcome: &Gate, pay: Pay) -> Result<i64, GateError> {
    let (result, running, begun, refused) = (pay.amount, 1, 2, 3);
    Ok(result + running + begun + refused)
}

#[test]
fn names_of_a_gated_function_are_its_own_and_a_refusal_can_be_its_error() {
    let gate = Gate::new(session());
    assert_eq!(pay_at(&gate, pay("Bob", 4)).unwrap(), 10);
    assert!(matches!(pay_at(&gate, pay("Bob", 4)), Err(GateError::Blocked(_))));
}

#[test]
fn an_end_that_can_not_be_noted_is_an_error() {
    struct Full(usize);
    impl intentgate::session::record::Record for Full {
        fn line(&mut self, _: &intentgate::session::record::Line) -> std::io::Result<()> {
            self.0 += 1;
            if self.0 > 4 { Err(std::io::Error::other("the disk is full")) } else { Ok(()) }
        }
    }
    let spec = spec! { in Bank; allow W0404;
        Draft(confirmed = true) -> Pay
        Pay -> Done
    };
    let mut session = Session::builder(spec).record(Full(0)).start().unwrap();
    session.observe(&(Draft { to: "Bob".into(), confirmed: true }, Balance { euros: 150 })).unwrap();
    let app = App { gate: Gate::new(session), log: Log::default(), answer: "ok" };
    let Err(PayError::Refused(GateError::Unfinished(_))) = app.pay(pay("Bob", 1)) else { panic!() };
    assert_eq!(app.log(), ["Bob 1"], "it was performed");
    assert!(matches!(
        app.pay(pay("Bob", 1)),
        Err(PayError::Refused(GateError::Blocked(_) | GateError::Fault(_)))
    ));
}
