//! In something that there is not.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchn; Order(ready = true) -> Done };
}
