//! A warning is an error, unless it is allowed.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: Order(ready = true) -> Pay
        R2: Order(ready = true) -> Cancel
        R3: Cancel -> Done
    };
    // Allowed: no error.
    let _ = spec! { in Kitchen; allow W0401, W0404;
        R1: Order(ready = true) -> Pay
        R2: Order(ready = true) -> Cancel
        R3: Cancel -> Done
    };
}
