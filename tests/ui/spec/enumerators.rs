//! Values of enumerations as Rust has them.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: Order(serving = Serving::Takeaway) -> Done
        R2: Order(serving = dine-in) -> Done
    };
}
