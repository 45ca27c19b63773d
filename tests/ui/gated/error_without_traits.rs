//! The error says what it means for the effect.
include!("../app.rs");
use intentgate::{Gate, gated};

#[gated(Pay, gate = gate)]
pub fn pay(gate: &Gate, pay: Pay) -> Result<(), String> {
    let _ = pay;
    Ok(())
}

fn main() {}
