//! An enumeration with other names.
include!("../app.rs");

fn main() {
    #[derive(Enumeration)]
    enum Size {
        Small,
    }
    let _ = spec! { in Kitchen; Order(serving = {Size::Small}) -> Done };
    let _ = spec! { in Kitchen; Order(serving = {Serving::Takeaway}) -> Done };
}
