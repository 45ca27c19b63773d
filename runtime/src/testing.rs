//! A kit for tests of programs behind the gate: assertions that show what the gate said, and traces.
//!
//! Works with plain `#[test]`: an assertion that fails panics with the feedback in its message. What a
//! trace led to prints as a transcript, for a snapshot or for reading.
//!
//! ```
//! use intentgate::{CriticalAction, Session, State, assert_allowed, assert_blocked, spec, vocabulary};
//!
//! # mod door {
//! # use intentgate::{CriticalAction, State, vocabulary};
//! /// the front door
//! #[derive(State)]
//! pub(crate) struct Door { pub(crate) locked: bool }
//!
//! /// leave the house
//! #[derive(CriticalAction)]
//! pub(crate) struct Leave;
//!
//! vocabulary! { pub(crate) struct House { states: [Door], actions: [Leave] } }
//! # }
//! # use door::*;
//! let spec = spec! { in House; Door(locked = true) -> Leave  Leave -> Done };
//! let mut session = Session::builder(spec).start()?;
//! assert_blocked!(session, Leave, unmet = ["Door.locked"]);
//! session.observe(&Door { locked: true })?;
//! let permit = assert_allowed!(session, Leave);
//! # drop(permit);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "z3")]
mod generate;
#[cfg(feature = "z3")]
mod mutation;
mod suite;

#[cfg(feature = "z3")]
pub use generate::{Generated, RustFiles};
#[cfg(feature = "z3")]
pub use mutation::{Mutation, Survivor};
pub use suite::{CaseResult, Failure, Suite, SuiteError};

use crate::gate::feedback::Feedback;
use crate::session::record::{Line, Record};
use crate::session::replay::{Player, day};
use crate::session::{SessionBuilder, StartError};
use crate::typed::Proposal;
use crate::{Permit, Refused, Session, Verdict};
use chrono::NaiveDate;
use intentgate_engine::check;
use intentgate_engine::diagnostic::{Fault, Problems, render};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::span::Source;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Proposes an action to a session or a gate, and gives the permit; fails with the feedback if it is not
/// allowed.
#[macro_export]
macro_rules! assert_allowed {
    ($gate:expr, $action:expr $(,)?) => {
        $crate::testing::allowed($gate.propose($action))
    };
}

/// Proposes an action to a session or a gate, and gives the refusal; fails if it is not advised on.
/// Expectations as in [`assert_blocked!`](crate::assert_blocked).
#[macro_export]
macro_rules! assert_advised {
    ($gate:expr, $action:expr $(, $key:ident = $expected:expr)* $(,)?) => {{
        #[allow(unused_mut)]
        let mut expected = $crate::testing::Expected::default();
        $( $crate::__expect!(expected, $key, $expected); )*
        $crate::testing::advised($gate.propose($action), &expected)
    }};
}

/// Proposes an action to a session or a gate, and gives the refusal; fails if it is not blocked.
///
/// ```text
/// assert_blocked!(session, Reserve);
/// assert_blocked!(session, Reserve, unmet = ["ReserveInfo.available"]);
/// assert_blocked!(session, Pay { .. }, prohibited = ["P1"], codes = ["G0603"]);
/// ```
///
/// - `unmet`: there is an alternative of which exactly these parts don't hold, in any order: variables
///   as `State.variable`, objectives, and states of which nothing was observed, by their names;
/// - `prohibited`: exactly the prohibitions of these labels stand;
/// - `codes`: these are the codes of the feedback.
#[macro_export]
macro_rules! assert_blocked {
    ($gate:expr, $action:expr $(, $key:ident = $expected:expr)* $(,)?) => {{
        #[allow(unused_mut)]
        let mut expected = $crate::testing::Expected::default();
        $( $crate::__expect!(expected, $key, $expected); )*
        $crate::testing::blocked($gate.propose($action), &expected)
    }};
}

#[doc(hidden)]
#[macro_export]
macro_rules! __expect {
    ($to:ident, unmet, $expected:expr) => {
        $to.unmet = $crate::testing::texts(&$expected)
    };
    ($to:ident, prohibited, $expected:expr) => {
        $to.prohibited = $crate::testing::texts(&$expected)
    };
    ($to:ident, codes, $expected:expr) => {
        $to.codes = $crate::testing::texts(&$expected)
    };
    ($to:ident, $other:ident, $expected:expr) => {
        ::core::compile_error!(::core::concat!(
            "`",
            ::core::stringify!($other),
            "` can't be expected: `unmet`, `prohibited` and `codes` can"
        ))
    };
}

/// What the feedback should say; nothing where it doesn't matter.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Expected {
    pub unmet: Option<Vec<String>>,
    pub prohibited: Option<Vec<String>>,
    pub codes: Option<Vec<String>>,
}

#[doc(hidden)]
pub fn texts<const N: usize>(texts: &[&str; N]) -> Option<Vec<String>> {
    Some(sorted(texts.iter().map(|text| (*text).to_owned())))
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut sorted: Vec<String> = texts.collect();
    sorted.sort();
    sorted
}

impl Expected {
    /// What is otherwise.
    fn differs(&self, feedback: &Feedback) -> Option<String> {
        let listed = |texts: &[String]| format!("[{}]", texts.join(", "));
        if let Some(expected) = &self.codes {
            let found = sorted(feedback.codes.iter().map(ToString::to_string));
            if found != *expected {
                return Some(format!("expected the codes {}, found {}", listed(expected), listed(&found)));
            }
        }
        if let Some(expected) = &self.prohibited {
            let found = sorted(feedback.prohibitions.iter().map(|report| report.rule.clone()));
            if found != *expected {
                let (expected, found) = (listed(expected), listed(&found));
                return Some(format!("expected the prohibitions {expected}, found {found}"));
            }
        }
        if let Some(expected) = &self.unmet {
            let found = feedback.alternatives.iter().map(|report| sorted(report.unmet().into_iter()));
            let found: Vec<Vec<String>> = found.collect();
            if !found.contains(expected) {
                let found: Vec<String> = found.iter().map(|unmet| listed(unmet)).collect();
                let found = if found.is_empty() { "nothing".to_owned() } else { found.join(" or ") };
                return Some(format!("expected {} to be unmet, found {found}", listed(expected)));
            }
        }
        None
    }
}

#[doc(hidden)]
#[track_caller]
#[expect(clippy::panic, reason = "an assertion")]
pub fn allowed<P: Proposal>(verdict: Result<Verdict<P>, Fault>) -> Permit<P> {
    match verdict {
        Ok(Verdict::Allow(permit)) => permit,
        Ok(other) => panic!("expected an allow, got: {}", said(&other)),
        Err(fault) => panic!("expected an allow, got an error: {fault}"),
    }
}

#[doc(hidden)]
#[track_caller]
#[expect(clippy::panic, reason = "an assertion")]
pub fn advised<P: Proposal>(verdict: Result<Verdict<P>, Fault>, expected: &Expected) -> Refused {
    match verdict {
        Ok(Verdict::Advise(refused)) => refusal(refused, expected),
        Ok(other) => panic!("expected advice, got: {}", said(&other)),
        Err(fault) => panic!("expected advice, got an error: {fault}"),
    }
}

#[doc(hidden)]
#[track_caller]
#[expect(clippy::panic, reason = "an assertion")]
pub fn blocked<P: Proposal>(verdict: Result<Verdict<P>, Fault>, expected: &Expected) -> Refused {
    match verdict {
        Ok(Verdict::Block(refused)) => refusal(refused, expected),
        Ok(other) => panic!("expected a block, got: {}", said(&other)),
        Err(fault) => panic!("expected a block, got an error: {fault}"),
    }
}

#[track_caller]
#[expect(clippy::panic, reason = "an assertion")]
fn refusal(refused: Refused, expected: &Expected) -> Refused {
    match expected.differs(&refused.feedback) {
        None => refused,
        Some(difference) => panic!("{difference}\n{refused}"),
    }
}

/// A verdict with what it says.
fn said<P: Proposal>(verdict: &Verdict<P>) -> String {
    match verdict.feedback() {
        Some(feedback) => format!("{}\n{feedback}", verdict.word()),
        None => verdict.word().to_owned(),
    }
}

/// Plays the lines of a trace, as `intentgate run` does. Time stands still unless an event says
/// otherwise; without a `today` of its own the session starts on 1970-01-01, on every machine.
///
/// ```no_run
/// # fn builder() -> intentgate::SessionBuilder { unimplemented!() }
/// # const TRACE: &str = "";
/// let played = intentgate::testing::play(builder(), TRACE); // include_str!("late.jsonl")
/// played.assert_verdicts(["allow", "block"]);
/// assert!(!played.is_done(), "{played}");
/// ```
pub fn play(builder: SessionBuilder, trace: &str) -> Played {
    let lines = Lines::default();
    let mut played = Played::default();
    let (builder, clock) = builder.standing_still(NaiveDate::default());
    let session = match builder.record(lines.clone()).start() {
        Ok(session) => session,
        Err(error) => {
            played.failed = Some(Failed::Start(error));
            return played;
        }
    };
    let mut player = Player::new(session, Some(clock), Limits::default());
    for (number, line) in trace.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if let Err(problems) = player.play(&Source::new("trace.jsonl", line).at_line(number + 1)) {
            played.failed = Some(Failed::Line(problems));
            break;
        }
    }
    played.lines = lines.take();
    played.done = player.session().is_done();
    played.achieved = player.session().achieved();
    played.blocked = player.blocked();
    played.epoch = player.session().epoch();
    played
}

/// The files of a specification, each with its name and its text: for tests, which fail if there is
/// something wrong with them.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a> {
    /// The vocabulary, JSON.
    pub app: (&'a str, &'a str),
    /// The specification.
    pub spec: (&'a str, &'a str),
    /// The policies.
    pub policies: &'a [(&'a str, &'a str)],
}

impl Files<'_> {
    /// A session of them.
    #[track_caller]
    #[expect(clippy::panic, reason = "an assertion")]
    pub fn session(&self) -> SessionBuilder {
        let limits = Limits::default();
        let source = |(name, text): (&str, &str)| Source::new(name, text);
        let usable = |problems: Problems| -> ! { panic!("{}", render::plain(&problems)) };
        let vocabulary = Vocabulary::from_json(&source(self.app), &limits).unwrap_or_else(|all| usable(all));
        let vocabulary = Arc::new(vocabulary);
        let spec = check::specification(&source(self.spec), &vocabulary, &limits);
        let mut builder = Session::builder(spec.unwrap_or_else(|all| usable(all)).specification);
        for policy in self.policies {
            let policy = check::policy(&source(*policy), &vocabulary, &limits);
            builder = builder.policy(policy.unwrap_or_else(|all| usable(all)).specification);
        }
        builder
    }

    /// Plays a trace in a session of them, on a day and with values for parameters.
    #[track_caller]
    #[expect(clippy::panic, reason = "an assertion")]
    pub fn play(&self, today: &str, parameters: &[(&str, &str)], trace: &str) -> Played {
        let today = day(today).unwrap_or_else(|fault| panic!("{fault}"));
        let builder = self.session().today(today);
        play(
            parameters.iter().fold(builder, |builder, (name, value)| builder.parameter(*name, *value)),
            trace,
        )
    }
}

/// What a trace led to. Prints as a transcript: every event, verdict and feedback.
#[derive(Debug, Default)]
pub struct Played {
    lines: Vec<Line>,
    done: bool,
    achieved: Vec<String>,
    blocked: bool,
    epoch: u64,
    failed: Option<Failed>,
}

#[derive(Debug)]
enum Failed {
    Start(StartError),
    Line(Problems),
}

impl Played {
    /// The verdicts of the proposals, in order: `allow`, `advise` or `block`.
    pub fn verdicts(&self) -> Vec<&'static str> {
        self.lines.iter().filter_map(|line| line.verdict).collect()
    }

    /// Whether the task is complete.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the objective of that name is achieved.
    pub fn is_achieved(&self, objective: &str) -> bool {
        self.achieved.iter().any(|achieved| achieved == objective)
    }

    /// Whether something was blocked, a stale permit included.
    pub fn is_blocked(&self) -> bool {
        self.blocked
    }

    /// The record, the start line first.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Why the session could not start.
    pub fn not_started(&self) -> Option<&StartError> {
        match &self.failed {
            Some(Failed::Start(error)) => Some(error),
            _ => None,
        }
    }

    /// What is wrong with the line at which playing ended.
    pub fn problems(&self) -> Option<&Problems> {
        match &self.failed {
            Some(Failed::Line(problems)) => Some(problems),
            _ => None,
        }
    }

    /// Fails with the transcript if the verdicts are others, or if the trace could not be played.
    #[track_caller]
    #[expect(clippy::panic, reason = "an assertion")]
    pub fn assert_verdicts<const N: usize>(&self, expected: [&str; N]) {
        let found = self.verdicts();
        if self.failed.is_some() {
            panic!("the trace could not be played to its end\n{self}");
        }
        if found != expected {
            panic!("expected the verdicts {expected:?}, found {found:?}\n{self}");
        }
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.lines.iter().filter(|line| line.event != "start") {
            transcript(line, f)?;
        }
        match &self.failed {
            Some(Failed::Start(error)) => return writeln!(f, "{error}"),
            Some(Failed::Line(problems)) => f.write_str(&render::plain(problems))?,
            None => {}
        }
        writeln!(f, "task {}, epoch {}", if self.done { "complete" } else { "open" }, self.epoch)
    }
}

/// A line of the record, as a person would read it.
fn transcript(line: &Line, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}", line.event)?;
    if let Some(action) = &line.action {
        write!(f, " {action:?}")?;
    }
    write!(f, ":")?;
    if let Some(verdict) = line.verdict {
        write!(f, " {verdict}")?;
    }
    if let Some(outcome) = line.outcome {
        write!(f, " ({outcome:?})")?;
    }
    writeln!(f)?;
    if let Some(feedback) = &line.feedback {
        for text in feedback.to_string().lines() {
            writeln!(f, "    {text}")?;
        }
    }
    for evidence in &line.evidence {
        writeln!(f, "    achieved {} by {}", evidence.objective, evidence.rule)?;
    }
    Ok(())
}

/// A record that is kept in memory: give a clone to the session and look into the other.
#[derive(Debug, Clone, Default)]
pub struct Lines(Arc<Mutex<Vec<Line>>>);

impl Record for Lines {
    fn line(&mut self, line: &Line) -> std::io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line.clone());
        Ok(())
    }
}

impl Lines {
    /// Every line so far.
    pub fn all(&self) -> Vec<Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Every line so far, as JSON.
    pub fn json(&self) -> Vec<String> {
        self.all().iter().map(Line::to_json).collect()
    }

    /// Every line so far, which are forgotten.
    pub fn take(&self) -> Vec<Line> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
