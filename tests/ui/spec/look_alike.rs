//! A name that looks like another.
include!("../app.rs");

fn main() {
    // The first letter of the state is Cyrillic.
    let _ = spec! { in Kitchen; Оrder(ready = true) -> Done };
}
