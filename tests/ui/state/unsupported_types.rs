//! Several at once, each on its type.
use intentgate::State;

#[derive(State)]
struct Info {
    names: Vec<String>,
    position: (i64, i64),
    initial: char,
    twice: Option<Option<bool>>,
    at: intentgate::chrono::DateTime<intentgate::chrono::Utc>,
    fine: bool,
}

fn main() {}
