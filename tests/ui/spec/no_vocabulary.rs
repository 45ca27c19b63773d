//! How it begins.
include!("../app.rs");

fn main() {
    let _ = spec! { Order(ready = true) -> Done };
    let _ = spec! { in Kitchen, Order(ready = true) -> Done };
}
