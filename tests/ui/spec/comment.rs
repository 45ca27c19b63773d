//! A comment of the text form.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen;
        # the order is ready
        Order(ready = true) -> Done
    };
}
