//! A label stands twice.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: Order(ready = true) -> Done
        R1: Order(count = 1) -> Done
    };
}
