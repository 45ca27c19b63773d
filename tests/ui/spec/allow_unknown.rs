//! Not the code of a warning.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen; allow W9999, E0301;
        Order(ready = true) -> Done
    };
}
