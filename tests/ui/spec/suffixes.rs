//! Numbers and texts as Rust has them, and the language not.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen; Order(count = 5u32, total < 1_000, dish = "soup"s) -> Done };
}
