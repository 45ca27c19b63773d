//! A float can be NaN.
include!("../app.rs");

fn main() {
    let limit = 9.5;
    let _ = spec! { in Kitchen; Order(total <= {limit}) -> Done };
}
