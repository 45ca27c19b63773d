//! A parameter that the file doesn't have, and one of another type.
include!("../app.rs");

fn main() {
    let _ = include_spec!(in Kitchen; allow W0404; "warns.intent", ower = "Bob");
    let _ = include_spec!(in Kitchen; allow W0404; "warns.intent", owner = 3);
}
