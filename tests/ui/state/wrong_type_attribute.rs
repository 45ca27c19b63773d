//! Types that there are not.
use intentgate::State;

type Name = String;

#[derive(State)]
struct Info {
    #[state(type = Txt)]
    other: Name,
    #[state(type = Enum)]
    kind: Name,
}

fn main() {}
