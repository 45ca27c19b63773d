//! A permit comes from the gate alone.
include!("../app.rs");
use intentgate::Permit;

fn pay(_: Permit<Pay>) {}

pub fn agent() {
    pay(Permit { action: todo!(), proposal: std::marker::PhantomData });
}

fn main() {}
