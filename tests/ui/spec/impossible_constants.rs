//! Dates, times and numbers that there are not.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: Order(day = 2026-02-30) -> Done
        R2: Order(at < 25:00) -> Done
        R3: Order(total = 1e99) -> Done
    };
}
