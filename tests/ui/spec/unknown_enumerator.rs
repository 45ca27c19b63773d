//! A value that the enumeration doesn't have.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        Order(serving = takeway) -> Done
    };
}
