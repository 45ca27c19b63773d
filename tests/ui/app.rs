// The app of the cases: included by those that are not about declarations.
use intentgate::chrono::{NaiveDate, NaiveTime};
use intentgate::rust_decimal::Decimal;
#[allow(unused_imports)]
use intentgate::{
    CriticalAction, EffectFailure, Enumeration, GateError, State, include_policy, include_spec, policy, spec,
    vocabulary,
};

/// how the order is had
#[derive(Enumeration, Clone)]
#[enumeration(rename_all = "snake_case")]
pub enum Serving {
    DineIn,
    Takeaway,
}

/// an order
#[derive(State)]
pub struct Order {
    pub dish: String,
    pub count: u32,
    pub total: Decimal,
    pub ready: bool,
    pub day: NaiveDate,
    pub at: NaiveTime,
    pub serving: Serving,
    pub note: Option<String>,
}

/// who pays
#[derive(State)]
pub struct Account {
    pub owner: String,
    pub balance: Decimal,
}

/// pay the order
#[derive(CriticalAction, Debug)]
pub struct Pay {
    pub amount: Decimal,
    pub to: String,
}

/// cancel the order
#[derive(CriticalAction, Debug)]
pub struct Cancel;

vocabulary! {
    /// A kitchen.
    pub struct Kitchen {
        states: [Order, Account],
        actions: [Pay, Cancel],
    }
}

pub struct App {
    pub gate: intentgate::Gate,
}

pub struct Failed;

impl From<GateError> for Failed {
    fn from(_: GateError) -> Failed {
        Failed
    }
}

impl EffectFailure for Failed {}
