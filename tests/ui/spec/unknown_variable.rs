//! A variable that the state doesn't have.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        Order(redy = true, count > 2) -> Done
    };
}
