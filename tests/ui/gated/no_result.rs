//! The refusal is an error.
include!("../app.rs");
use intentgate::gated;

impl App {
    #[gated(Pay)]
    pub fn pay(&self, pay: Pay) {
        let _ = pay;
    }

    #[gated(Pay)]
    pub fn pay_some(&self, pay: Pay) -> Option<()> {
        let _ = pay;
        None
    }
}

fn main() {}
