//! It can't be copied.
include!("../app.rs");
use intentgate::Permit;

pub fn pay(permit: Permit<Pay>) -> [Permit<Pay>; 2] {
    [permit.clone(), permit]
}

fn main() {}
