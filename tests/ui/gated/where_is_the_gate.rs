//! A function without self says where the gate is.
include!("../app.rs");
use intentgate::{Gate, gated};

#[gated(Pay)]
pub fn pay(pay: Pay) -> Result<(), Failed> {
    let _ = pay;
    Ok(())
}

#[gated]
pub fn other(pay: Pay) -> Result<(), Failed> {
    let _ = pay;
    Ok(())
}

#[gated(Pay, gates = gate)]
pub fn third(gate: &Gate, pay: Pay) -> Result<(), Failed> {
    let _ = (gate, pay);
    Ok(())
}

fn main() {}
