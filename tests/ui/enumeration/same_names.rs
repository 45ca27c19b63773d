//! Two values of one name, and two that are too alike.
use intentgate::Enumeration;

#[derive(Enumeration)]
enum Kind {
    #[enumeration(rename = "small")]
    Little,
    #[enumeration(rename = "small")]
    Tiny,
    #[enumeration(rename = "Small")]
    Small,
}

fn main() {}
