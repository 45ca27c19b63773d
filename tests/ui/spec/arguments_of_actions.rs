//! An argument that the action doesn't have.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: Pay(amout <= 100, to = "Bob") -> Pay
        R2: Cancel() -> Done
    };
}
