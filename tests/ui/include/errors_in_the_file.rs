//! With file, line and column.
include!("../app.rs");

fn main() {
    let _ = include_spec!(in Kitchen; "wrong.intent");
}
