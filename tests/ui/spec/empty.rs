//! No rules.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen; };
}
