//! Operators of other languages.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: Order(ready == true) -> Done
        R2: Order(count => 3) -> Done
    };
}
