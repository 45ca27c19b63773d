//! The gate hands the action over.
include!("../app.rs");
use intentgate::gated;

impl App {
    #[gated(Pay)]
    pub fn pay(&self, pay: &Pay) -> Result<(), Failed> {
        let _ = pay;
        Ok(())
    }
}

fn main() {}
