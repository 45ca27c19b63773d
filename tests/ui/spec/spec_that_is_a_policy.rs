//! Prohibitions alone are a policy.
include!("../app.rs");

fn main() {
    let _ = spec! { in Kitchen; Pay and Account(balance < 0) -> Never };
}
