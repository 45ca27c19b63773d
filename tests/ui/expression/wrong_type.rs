//! Held against the variable by the compiler.
include!("../app.rs");

fn main() {
    let dish = 3;
    let many = "three";
    let _ = spec! { in Kitchen;
        Order(dish = {dish}, count > {many}, ready = {1}) -> Done
    };
}
