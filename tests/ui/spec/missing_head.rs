//! A rule without a head, and one without a body.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: Order(ready = true)
        R2: Order(count = 1) -> Done
        R3: -> Done
    };
}
