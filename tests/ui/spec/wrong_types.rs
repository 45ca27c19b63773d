//! Operands that don't fit.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        Order(dish = 3, count = "three", ready = "yes", at = 2026-11-21, day = 19:00, total = true) -> Done
    };
}
