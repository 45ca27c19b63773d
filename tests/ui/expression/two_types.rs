//! One name, two types.
include!("../app.rs");

fn main() {
    let x = "soup";
    let _ = spec! { in Kitchen; Order(dish = {x}, count = {x}) -> Done };
}
