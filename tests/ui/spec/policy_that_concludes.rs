//! A policy can only narrow.
include!("../app.rs");

fn main() {
    let _ = policy! { in Kitchen;
        P1: Pay and Account(balance < 0) -> Never
        P2: Order(ready = true) -> Pay
    };
}
