//! The three truth values and their connectives.
//!
//! Knows nothing of constraints or rules. Unknown is a value of its own: it is never read as false
//! or as true anywhere (VeriSafe Agent 4.1.1 reads an unobserved variable as false, which lets a
//! negation open a gate; this does not).

use serde::{Deserialize, Serialize};

/// Whether something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Truth {
    /// It does not hold.
    False = 0,
    /// Nobody can say: something was not observed, or is not to be trusted.
    #[default]
    Unknown = 1,
    /// It holds.
    True = 2,
}

impl Truth {
    /// True if it holds, else false: for what is known.
    pub fn known(holds: bool) -> Truth {
        if holds { Truth::True } else { Truth::False }
    }

    /// False if one is false, else unknown if one is unknown, else true.
    #[must_use]
    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::True, Truth::True) => Truth::True,
            _ => Truth::Unknown,
        }
    }

    /// True if one is true, else unknown if one is unknown, else false.
    #[must_use]
    pub fn or(self, other: Truth) -> Truth {
        self.negate().and(other.negate()).negate()
    }

    /// Unknown stays unknown.
    #[must_use]
    pub fn negate(self) -> Truth {
        match self {
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
            Truth::True => Truth::False,
        }
    }

    /// Only true is.
    pub fn is_true(self) -> bool {
        self == Truth::True
    }

    /// Only false is.
    pub fn is_false(self) -> bool {
        self == Truth::False
    }

    /// The conjunction of all; true where there are none.
    pub fn all(parts: impl IntoIterator<Item = Truth>) -> Truth {
        parts.into_iter().fold(Truth::True, Truth::and)
    }

    /// The disjunction of all; false where there are none.
    pub fn any(parts: impl IntoIterator<Item = Truth>) -> Truth {
        parts.into_iter().fold(Truth::False, Truth::or)
    }
}

#[cfg(test)]
mod tests {
    use super::Truth::{False, True, Unknown};

    #[test]
    fn connectives_follow_the_strong_three_valued_tables() {
        for (left, right, and, or) in [
            (False, False, False, False),
            (False, Unknown, False, Unknown),
            (False, True, False, True),
            (Unknown, Unknown, Unknown, Unknown),
            (Unknown, True, Unknown, True),
            (True, True, True, True),
        ] {
            assert_eq!((left.and(right), right.and(left)), (and, and));
            assert_eq!((left.or(right), right.or(left)), (or, or));
        }
        assert_eq!(Unknown.negate(), Unknown);
    }
}
