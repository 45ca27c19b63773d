//! How much input is accepted. Every limit has its own error; none ends in an allow.

/// Limits of the readers. The defaults hold specifications of 100,000 rules and more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one input; 32 MiB.
    pub bytes: usize,
    /// Rules of one specification; 500,000.
    pub rules: usize,
    /// Predicates of one rule; 1,000. Values above 65,000 count as 65,000.
    pub predicates: usize,
    /// Constraints of one predicate; 1,000. Values above 65,000 count as 65,000.
    pub constraints: usize,
    /// Elements of one list; 10,000.
    pub elements: usize,
    /// Depth of nested JSON; 64. Values above 128 count as 128.
    pub nesting: usize,
    /// Bytes of one text value; 64 KiB.
    pub text: usize,
    /// Bytes of one line of a trace; 4 MiB.
    pub line: usize,
    /// Different texts that a session remembers; 100,000.
    pub texts: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes: 32 << 20,
            rules: 500_000,
            predicates: 1_000,
            constraints: 1_000,
            elements: 10_000,
            nesting: 64,
            text: 64 << 10,
            line: 4 << 20,
            texts: 100_000,
        }
    }
}
