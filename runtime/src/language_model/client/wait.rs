//! How often it is tried, and how long is waited between tries.

use chrono::DateTime;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// How a request is tried again that failed for a while: the server can't be reached, is overloaded, has an inner
/// error, gives no answer within the time limit, or breaks off.
///
/// The pause doubles from try to try and is shortened at random, by at most a half, so that many clients don't come
/// back at once. A server's `Retry-After` takes its place if it is no longer than `longest`; if it is longer, nothing
/// is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// How often it is tried in all, at least once: 3.
    pub tries: usize,
    /// The first pause: half a second.
    pub first: Duration,
    /// The longest pause: 30 seconds.
    pub longest: Duration,
    /// Where chance starts; from elsewhere without this.
    pub seed: Option<u64>,
}

impl Default for Retries {
    fn default() -> Retries {
        Retries { tries: 3, first: Duration::from_millis(500), longest: Duration::from_secs(30), seed: None }
    }
}

impl Retries {
    /// The pause after so many tries, from 1. Between half of the whole pause and all of it.
    pub fn pause(&self, tried: usize) -> Duration {
        let doublings = u32::try_from(tried.saturating_sub(1)).unwrap_or(u32::MAX).min(30);
        let whole = self.first.saturating_mul(1 << doublings).min(self.longest);
        let chance = match self.seed {
            Some(seed) => scattered(seed.wrapping_add(u64::from(doublings))),
            None => RandomState::new().hash_one(tried),
        };
        // 16 bits of it are enough.
        let share = u32::try_from(chance >> 48).unwrap_or_default();
        whole / 2 + (whole / 2).saturating_mul(share) / 0xffff
    }
}

/// The finalizer of SplitMix64.
fn scattered(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What a `Retry-After` says: seconds, or a date; a date counts from the server's own `Date`, so that no clock is
/// needed here. What can't be read says nothing.
pub(super) fn retry_after(value: &str, date: Option<&str>) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = DateTime::parse_from_rfc2822(value).ok()?;
    let now = DateTime::parse_from_rfc2822(date?.trim()).ok()?;
    (until - now).to_std().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_bound() {
        let retries = Retries { seed: Some(7), ..Retries::default() };
        for tried in 1..=200 {
            let pause = retries.pause(tried);
            let doubled = 0.5 * 2_f64.powi(i32::try_from(tried).unwrap() - 1);
            let whole = doubled.min(30.0);
            assert!((whole / 2.0 - 1e-3..=whole + 1e-3).contains(&pause.as_secs_f64()), "{tried}: {pause:?}");
            assert_eq!(pause, retries.pause(tried));
        }
        let others = (0..20).map(|seed| Retries { seed: Some(seed), ..retries }.pause(1));
        assert!(others.collect::<std::collections::HashSet<_>>().len() > 15);
        assert_eq!(Retries { first: Duration::MAX, ..retries }.pause(usize::MAX).as_secs() / 15, 1);
        assert_eq!(Retries { first: Duration::ZERO, ..retries }.pause(3), Duration::ZERO);
        let unseeded = Retries { seed: None, ..retries };
        assert!((250..=500).contains(&unseeded.pause(1).as_millis()));
    }

    #[test]
    fn servers_say_when() {
        const NOW: Option<&str> = Some("Sat, 21 Nov 2026 07:28:00 GMT");
        for (value, date, seconds) in [
            ("7", None, Some(7)),
            (" 0 ", None, Some(0)),
            ("Sat, 21 Nov 2026 07:29:30 GMT", NOW, Some(90)),
            ("Sat, 21 Nov 2026 07:29:30 GMT", None, None),
            ("Sat, 21 Nov 2026 07:27:00 GMT", NOW, None),
            ("-3", None, None),
            ("1.5", None, None),
            ("soon", NOW, None),
            ("99999999999999999999999", None, None),
        ] {
            assert_eq!(retry_after(value, date), seconds.map(Duration::from_secs), "{value}");
        }
    }
}
