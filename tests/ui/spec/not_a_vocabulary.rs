//! In a state.
include!("../app.rs");

fn main() {
    let _ = spec! { in Order; Order(ready = true) -> Done };
}
