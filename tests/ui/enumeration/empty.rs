//! No value at all.
use intentgate::Enumeration;

#[derive(Enumeration)]
enum Kind {}

fn main() {}
