//! A file that there is not.
include!("../app.rs");

fn main() {
    let _ = include_spec!(in Kitchen; "nowhere.intent");
    let _ = include_policy!(in Kitchen; nowhere);
}
