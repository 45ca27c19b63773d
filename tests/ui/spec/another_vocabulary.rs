//! A name that is one vocabulary as a type and another one as a macro.
include!("../app.rs");

mod elsewhere {
    #[derive(intentgate::State)]
    pub struct Order {
        pub ready: bool,
    }
    intentgate::vocabulary! {
        pub struct Other {
            states: [Order],
        }
    }
}

mod mixed {
    // An alias takes the type alone; the macro is that of `app.rs`.
    #[allow(unused_imports)]
    use crate::*;
    type Kitchen = crate::elsewhere::Other;
    pub fn intent() -> intentgate::Spec {
        spec! { in Kitchen; Order(ready = true) -> Done }
    }
}

fn main() {
    mixed::intent();
}
