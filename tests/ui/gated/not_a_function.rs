//! Only functions perform.
include!("../app.rs");
use intentgate::gated;

#[gated(Pay)]
struct Wallet;

fn main() {}
