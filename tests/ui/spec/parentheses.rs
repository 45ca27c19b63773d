//! Alternatives are rules.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: (Order(ready = true) or Order(count = 1)) -> Done
        R2: not Order(ready = true) -> Done
    };
}
