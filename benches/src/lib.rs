//! Sessions to measure.
#![forbid(unsafe_code)]

use intentgate::engine::check;
use intentgate::engine::ir::Specification;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::{Vocabulary, declare};
use intentgate::engine::span::Source;
use intentgate::{Action, Session, Update, Verdict};
use std::fmt::Write;
use std::sync::Arc;

/// The vocabulary of the restaurant example.
pub const RESTAURANT_APP: &str = include_str!("../../examples/restaurant/app.json");
/// The intent of the restaurant example.
pub const RESTAURANT_INTENT: &str = include_str!("../../examples/restaurant/reserve.intent");

/// Limits that hold what is measured.
pub fn limits() -> Limits {
    Limits { bytes: 1 << 30, rules: 10_000_000, ..Limits::default() }
}

/// A specification, which has to be right.
///
/// # Panics
/// If it is not.
pub fn specification(text: &str, vocabulary: &Arc<Vocabulary>) -> Arc<Specification> {
    let source = Source::new("spec", text);
    match check::specification(&source, vocabulary, &limits()) {
        Ok(checked) => Arc::new(checked.specification),
        #[expect(clippy::panic, reason = "a benchmark of something else is worth nothing")]
        Err(problems) => panic!("{problems}"),
    }
}

/// A session of the restaurant example, with today fixed.
pub fn restaurant() -> (Arc<Vocabulary>, Session) {
    let source = Source::new("app", RESTAURANT_APP);
    let vocabulary = Arc::new(Vocabulary::from_json(&source, &limits()).unwrap_or_else(|p| fail(&p)));
    let session = start(specification(RESTAURANT_INTENT, &vocabulary));
    (vocabulary, session)
}

/// The declaration for `count` rules: each has three states of two variables and an action of its own.
pub fn many_declared(count: usize) -> declare::App {
    let state = |name: String| declare::State {
        name,
        description: String::new(),
        variables: vec![declare::Variable::new("n", "Number"), declare::Variable::new("b", "Boolean")],
    };
    declare::App {
        app: "many".to_owned(),
        states: (0..count).flat_map(|i| (0..3).map(move |k| state(format!("S{i}k{k}")))).collect(),
        actions: (0..count)
            .map(|i| declare::Action { name: format!("Act{i}"), ..declare::Action::default() })
            .collect(),
        ..declare::App::default()
    }
}

/// `count` rules of three predicates with two constraints each, no two alike.
pub fn many_rules(count: usize) -> String {
    let mut text = "standing\n".to_owned();
    for i in 0..count {
        let predicate = |k: usize| format!("S{i}k{k}(n < {}, b = true)", 10 + i % 90);
        let _ = writeln!(text, "R{i}: {} and {} and {} -> Act{i}", predicate(0), predicate(1), predicate(2));
    }
    text
}

/// A vocabulary of a declaration, which has to be right.
pub fn vocabulary(declared: &declare::App) -> Arc<Vocabulary> {
    Arc::new(declared.check().unwrap_or_else(|p| fail(&p)))
}

/// A session, without a record.
pub fn start(specification: Arc<Specification>) -> Session {
    let today = "2026-11-21".parse().unwrap_or_default();
    Session::builder(specification).today(today).start().unwrap_or_else(|e| fail(&e))
}

/// An update that sets variables, each `State.variable=value`.
pub fn update(vocabulary: &Vocabulary, values: &[(&str, intentgate::Input)]) -> Update {
    let builder = values.iter().fold(Update::of(vocabulary), |u, (path, value)| u.set(path, value.clone()));
    builder.build().unwrap_or_else(|e| fail(&e))
}

/// An action without arguments.
pub fn action(vocabulary: &Vocabulary, name: &str) -> Action {
    Action::named(vocabulary, name).build().unwrap_or_else(|e| fail(&e))
}

/// Proposes an action that has to be allowed, and gives the permit up.
pub fn decide(session: &mut Session, action: Action) -> Action {
    match session.propose(action) {
        Ok(Verdict::Allow(permit)) => permit.cancel(),
        Ok(Verdict::Advise(refused) | Verdict::Block(refused)) => fail(&refused),
        Err(fault) => fail(&fault),
    }
}

#[expect(clippy::panic, reason = "a benchmark of something else is worth nothing")]
fn fail(error: &dyn std::fmt::Display) -> ! {
    panic!("{error}")
}

/// A vocabulary and an intent of `3 * steps` rules that an assistant could have written: in each step
/// something has to be found, is bought or is not there, and the next step comes after it.
pub fn errands(steps: usize) -> (declare::App, String) {
    let mut app = declare::App { app: "errands".to_owned(), ..declare::App::default() };
    let mut text = String::new();
    for step in 0..steps {
        let mut method = declare::Variable::new("method", "Enum");
        method.values = ["pickup", "standard", "express"].map(str::to_owned).to_vec();
        app.states.push(declare::State {
            name: format!("Offer{step}"),
            description: String::new(),
            variables: vec![
                declare::Variable::new("item", "Text"),
                declare::Variable::new("price", "Number"),
                declare::Variable::new("arrives", "Date"),
                declare::Variable::new("closes", "Time"),
                declare::Variable::new("in_stock", "Boolean"),
                method,
            ],
        });
        app.actions.push(declare::Action {
            name: format!("Buy{step}"),
            arguments: vec![declare::Variable::new("price", "Number")],
            ..declare::Action::default()
        });
        let after = step.checked_sub(1).map_or(String::new(), |before| format!(" and Buy{before}"));
        let _ = writeln!(
            text,
            "Offer{step}(item = \"Item {step}\", in_stock = true, price <= {}) -> Found{step}",
            20 + step
        );
        let _ = writeln!(
            text,
            "Found{step}{after} and Offer{step}(arrives <= today + 3, closes < 19:00, method in [pickup, express]) \
             and Buy{step}(price = Offer{step}.price) -> Buy{step}"
        );
        if step + 1 < steps {
            let _ = writeln!(text, "Buy{step} and Buy{step}(price > 90) -> Never");
        }
    }
    let _ = writeln!(text, "Buy{} -> Done", steps - 1);
    (app, text)
}
