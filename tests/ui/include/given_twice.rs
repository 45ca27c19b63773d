//! A parameter is given twice, and one is called by a word of Rust.
include!("../app.rs");

fn main() {
    let _ = include_spec!(in Kitchen; allow W0404; "warns.intent", owner = "Bob", owner = "Eve");
    let _ = include_spec!(in Kitchen; allow W0404; "warns.intent", type = "Bob");
}
