//! Arguments have names.
use intentgate::CriticalAction;

#[derive(CriticalAction)]
struct Pay(u32);

fn main() {}
