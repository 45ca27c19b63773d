//! A variable of the program that there is not.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen; Order(dish = {dish}) -> Done };
}
