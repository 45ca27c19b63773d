//! What is proposed has to be a parameter.
include!("../app.rs");
use intentgate::gated;

impl App {
    #[gated(Pay)]
    pub fn pay(&self, amount: u32) -> Result<(), Failed> {
        let _ = amount;
        Ok(())
    }
}

fn main() {}
