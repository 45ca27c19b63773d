//! Nothing between the braces, and no expression.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen; Order(dish = {}, count = {1 +}) -> Done };
}
