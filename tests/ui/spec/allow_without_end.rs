//! The codes that are allowed end with a semicolon.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen; allow W0404 Order(ready = true) -> Done };
}
