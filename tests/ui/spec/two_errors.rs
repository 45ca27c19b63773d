//! One slip doesn't hide another.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        R1: Order(ready = ) -> Pay
        R2: Order(dish = "soup", serving = dine_out) -> Done
        R3: Order(count < 3 or total > 5) -> Done
    };
}
