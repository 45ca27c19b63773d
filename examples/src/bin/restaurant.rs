//! The gate as a library, from the files of `examples/restaurant` to a reservation.
//!
//! ```console
//! $ cargo run -p intentgate-examples --bin restaurant
//! ```

use intentgate::engine::check;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::{Action, EffectError, Gated, Outcome, Session, Update, Verdict};
use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    // What the app declares, and what the user wants.
    let limits = Limits::default();
    let vocabulary = Arc::new(Vocabulary::from_json(&file("app.json")?, &limits)?);
    let checked = check::specification(&file("reserve.intent")?, &vocabulary, &limits)?;

    let mut session = Session::builder(Arc::new(checked.specification))
        .today("2026-11-21".parse()?)
        // The app says what a step would change, before it runs; the agent only names the step.
        .trigger("open R", |_, facts| {
            Ok(Update::of(facts.vocabulary()).set("RestaurantInfo.name", "R").build()?)
        })
        .trigger("pick 18:00", |_, facts| {
            let today = "2026-11-21";
            let picked = Update::of(facts.vocabulary()).set("ReserveInfo.date", today);
            Ok(picked.set("ReserveInfo.time", "18:00").build()?)
        })
        .start()?;

    println!("What the task asks for:");
    for rule in session.roadmap() {
        println!("  {rule}");
    }

    // In one call: the closure runs only if the gate allows the step.
    for step in ["open R", "pick 18:00"] {
        let action = Action::named(&vocabulary, step).build()?;
        if let Gated::Done(()) = session.gate(action, |_| Ok::<(), EffectError<Infallible>>(()))? {
            println!("\n{step}: done");
        }
    }

    // A critical action, too early: nobody has looked whether a table is free.
    let reserve = || Action::named(&vocabulary, "Reserve").build();
    match session.propose(reserve()?)? {
        Verdict::Block(refused) => println!("\n{refused}"),
        other => return Err(format!("expected a block, got: {}", other.word()).into()),
    }

    // What only the world can tell is observed.
    session.observe(&Update::of(&vocabulary).set("ReserveInfo.available", true).build()?)?;

    // In three calls, where the effect takes its time: a permit, begin, finish. Dropping `running`
    // instead would leave the outcome unknown, and the action blocked until it is resolved.
    let permit = session.propose(reserve()?)?.allowed()?;
    let running = session.begin(permit)??;
    println!("\nReserve: the app confirms the reservation now");
    session.finish(running, Outcome::Done)?;

    session.observe(&Update::of(&vocabulary).set("ReserveResult.success", true).build()?)?;
    println!("\nThe task is {}.", if session.is_done() { "complete" } else { "open" });
    for evidence in session.evidence() {
        println!("  {} by {}", evidence.objective, evidence.rule);
    }
    Ok(())
}

fn file(name: &str) -> Result<Source, Box<dyn Error>> {
    let path = format!("{}/restaurant/{name}", env!("CARGO_MANIFEST_DIR"));
    Ok(Source::new(name, std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?))
}
