//! The type doesn't have it.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        Order(ready > true, serving < takeaway, count ~ 3) -> Done
    };
}
