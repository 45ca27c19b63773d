//! A state that there is not.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        Ordr(ready = true) -> Done
    };
}
