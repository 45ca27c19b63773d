//! The restaurant app on types of its own: states, a step and a critical action that are derived, an intent
//! that the compiler has checked, and functions behind the gate.
//!
//! ```console
//! $ cargo run -p intentgate-examples --bin typed
//! $ cargo run -p intentgate-examples --bin typed -- --declaration > app.json
//! ```

use intentgate::chrono::{NaiveDate, NaiveTime};
use intentgate::session::Facts;
use intentgate::{
    App, CriticalAction, EffectFailure, Gate, GateError, Observation, Session, State, Step, gated,
    include_spec, vocabulary,
};
use std::error::Error;

/// Information about the restaurant you want to reserve
#[derive(State)]
struct RestaurantInfo {
    name: String,
}

/// reservation details
#[derive(State)]
struct ReserveInfo {
    date: NaiveDate,
    time: NaiveTime,
    available: Option<bool>,
}

/// reservation result
#[derive(State)]
struct ReserveResult {
    success: bool,
}

/// confirm the reservation
#[derive(CriticalAction)]
struct Reserve;

/// choose a day and a time
#[derive(Step)]
#[step(trigger = PickTime::update)]
struct PickTime {
    date: NaiveDate,
    time: NaiveTime,
}

impl PickTime {
    /// What the step would change, before it runs: whether a table is free then is not known any more.
    fn update(&self, _: &dyn Facts) -> impl Observation + use<> {
        ReserveInfo { date: self.date, time: self.time, available: None }
    }
}

vocabulary! {
    /// The restaurant app.
    struct Restaurant {
        states: [RestaurantInfo, ReserveInfo, ReserveResult],
        actions: [Reserve],
        steps: [PickTime],
    }
}

/// The app: its screens, and the gate in front of them.
struct Screens {
    gate: Gate,
    tables: u32,
}

#[derive(Debug, thiserror::Error)]
enum ScreenError {
    #[error(transparent)]
    Gate(#[from] GateError),
    #[error("the restaurant has no table left")]
    Full,
}

impl EffectFailure for ScreenError {
    fn surely_not_performed(&self) -> bool {
        matches!(self, ScreenError::Full)
    }
}

impl Screens {
    #[gated(PickTime)]
    fn pick(&self, picked: PickTime) -> Result<(), ScreenError> {
        println!("  the app shows {} at {}", picked.date, picked.time.format("%H:%M"));
        Ok(())
    }

    #[gated(Reserve)]
    fn reserve(&mut self, _reserve: Reserve) -> Result<u32, ScreenError> {
        self.tables = self.tables.checked_sub(1).ok_or(ScreenError::Full)?;
        println!("  the app confirms the reservation");
        Ok(self.tables)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().any(|argument| argument == "--declaration") {
        println!("{}", Restaurant::DECLARATION);
        return Ok(());
    }
    let intent = include_spec!(in Restaurant; "../../restaurant/reserve.intent");
    let session = Session::builder(intent).today("2026-11-21".parse()?).start()?;
    let today = session.today();
    let mut app = Screens { gate: Gate::new(session), tables: 2 };
    app.gate.observe(&RestaurantInfo { name: "R".to_owned() })?;

    for hour in [20, 18] {
        let time = NaiveTime::from_hms_opt(hour, 0, 0).ok_or("no such hour")?;
        println!("The agent picks {hour}:00.");
        if let Err(error) = app.pick(PickTime { date: today, time }) {
            println!("{error}");
        }
    }
    println!("\nThe agent reserves.");
    if let Err(error) = app.reserve(Reserve) {
        println!("{error}");
    }
    println!("\nThe app finds a free table, and the agent reserves again.");
    app.gate.observe(&ReserveInfo::update().available(true))?;
    let left = app.reserve(Reserve)?;
    println!("  {left} table left");
    app.gate.observe(&ReserveResult { success: true })?;

    let session = app.gate.session()?;
    println!("\nThe task is {}.", if session.is_done() { "complete" } else { "open" });
    let known = session.read::<ReserveInfo>()?.ok_or("the reservation is not known")?;
    println!(
        "Reserved for {} at {}, available: {:?}",
        known.date,
        known.time.format("%H:%M"),
        known.available
    );
    Ok(())
}
