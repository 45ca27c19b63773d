//! A task without an end.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        Order(ready = true) -> Cancel
    };
}
