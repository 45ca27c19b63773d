//! A character is no text.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen; Order(dish = 'x', note = b"soup") -> Done };
}
