//! Objectives that need each other.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: Second -> First
        R2: First -> Second
        R3: First -> Done
    };
}
