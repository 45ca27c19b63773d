//! Used, and not concluded.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: Order(ready = true) and Paid -> Done
        R2: Cancel and Account(balance > 0) -> Done
    };
}
