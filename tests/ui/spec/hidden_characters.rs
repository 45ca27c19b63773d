//! A character that can't be seen, in a text.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen; Order(dish = "so​up") -> Done };
    // Written as an escape it is meant.
    let _ = spec! { in Kitchen; Order(dish = "so\u{200b}up") -> Done };
}
