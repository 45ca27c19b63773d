//! Time from outside.

use chrono::{DateTime, Utc};
use std::sync::{Arc, Mutex, PoisonError};

/// What a clock shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The time.
    pub time: DateTime<Utc>,
    /// Whether it can't be told from what was read before, so that it belongs into a record.
    pub fresh: bool,
}

/// Tells the time. A session never lets its time go backwards, whatever its clock shows.
pub trait Clock: Send {
    /// Now.
    fn now(&self) -> Reading;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Reading {
        Reading { time: Utc::now(), fresh: true }
    }
}

/// A clock that stands still until it is set: for tests, and for traces, in which no time passes
/// unless an event says so with `"at"`. Copies of it show the same.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<Mutex<Reading>>);

impl ManualClock {
    /// A clock that shows `now`.
    pub fn new(now: DateTime<Utc>) -> ManualClock {
        ManualClock(Arc::new(Mutex::new(Reading { time: now, fresh: false })))
    }

    /// Sets the clock.
    pub fn set(&self, now: DateTime<Utc>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Reading { time: now, fresh: true };
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Reading {
        let mut reading = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = *reading;
        reading.fresh = false;
        shown
    }
}
