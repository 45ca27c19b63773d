//! Denied, unless they are allowed.
include!("../app.rs");

fn main() {
    let _ = include_spec!(in Kitchen; "warns.intent", owner = "Bob");
    let _ = include_spec!(in Kitchen; allow W0404; "warns.intent", owner = "Bob");
}
