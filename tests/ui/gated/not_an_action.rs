//! A state is not performed.
include!("../app.rs");
use intentgate::{Gate, gated};

#[gated(Account, gate = gate)]
pub fn pay(gate: &Gate, account: Account) -> Result<(), Failed> {
    let _ = account;
    Ok(())
}

fn main() {}
