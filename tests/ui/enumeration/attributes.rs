//! What variants and the enum take.
use intentgate::Enumeration;

#[derive(Enumeration)]
#[enumeration(ordered = true, rename_all = "Snake")]
enum Kind {
    #[enumeration(description = "tiny")]
    Little,
}

fn main() {}
