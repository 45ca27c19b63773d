//! Plays events through a session: traces, and records that must come out the same.

use super::clock::ManualClock;
use super::event::{Event, EventKind, time};
use super::record::{Line, Record};
use super::{Consent, Session, SessionBuilder, StartError};
use crate::Spec;
use crate::gate::{EffectError, Gated, Outcome, Permit, Running, Verdict};
use chrono::{DateTime, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::Tz;
use intentgate_engine::check;
use intentgate_engine::compile::bind::{BindError, Given};
use intentgate_engine::diagnostic::{Code, Diagnostic, Fault, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::json::{self, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::span::{Source, Span};
use intentgate_engine::suggest;
use intentgate_engine::syntax::literal;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Plays events, one after the other, and keeps the permits that they hold.
pub struct Player {
    session: Session,
    /// What events set with `"at"`; none if the session has a clock of its own.
    clock: Option<ManualClock>,
    limits: Limits,
    held: BTreeMap<String, (Permit, Outcome)>,
    running: BTreeMap<String, Running>,
    blocked: bool,
    played: usize,
}

/// The clock of a session that plays a trace: it stands still at the start of `today` until an event
/// says otherwise.
pub fn trace_clock(today: NaiveDate, zone: Tz) -> ManualClock {
    let midnight = today.and_time(NaiveTime::MIN);
    let start = zone.from_local_datetime(&midnight).earliest();
    // Where midnight is skipped by a clock change, the day starts later; UTC is near enough then.
    ManualClock::new(start.map_or_else(|| midnight.and_utc(), |start| start.with_timezone(&Utc)))
}

impl Player {
    /// Plays into a session. `clock` is the session's, if events may set it.
    pub fn new(session: Session, clock: Option<ManualClock>, limits: Limits) -> Player {
        Player {
            session,
            clock,
            limits,
            held: BTreeMap::new(),
            running: BTreeMap::new(),
            blocked: false,
            played: 0,
        }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Whether something was blocked, a stale permit included.
    pub fn blocked(&self) -> bool {
        self.blocked
    }

    /// How many events were played.
    pub fn played(&self) -> usize {
        self.played
    }

    /// Plays one line.
    ///
    /// # Errors
    /// If it can't be used, located in it. Nothing was changed by it then.
    pub fn play(&mut self, line: &Source) -> Result<(), Problems> {
        let limits = Limits { bytes: self.limits.line, ..self.limits };
        let node = json::parse(line, &limits)?;
        self.play_node(&node).map_err(|diagnostic| Problems::one(line.clone(), diagnostic))
    }

    /// Another specification, as a record has it.
    fn replace(&mut self, new: &Node, line: &Source, input: &Node) -> Result<(), ReplayError> {
        let problem = |diagnostic| ReplayError::Problems(Problems::one(line.clone(), diagnostic));
        if let Some(at) = input.get("at") {
            self.set_clock(time(at).map_err(problem)?, input).map_err(problem)?;
        }
        let rules = written(new).ok_or_else(|| {
            let message = "a replacement needs `name` and `text`";
            problem(Diagnostic::new(Code::MissingKey, new.span, message))
        })?;
        let checked = check::specification(&rules, self.session.vocabulary(), &self.limits);
        let mut spec = Spec::from(checked.map_err(ReplayError::Problems)?.specification);
        for member in
            new.get("parameters").map_or(Ok(&[][..]), |all| all.object("parameters")).map_err(problem)?
        {
            let text = member.value.string("a parameter").map_err(problem)?;
            spec.parameters.push((member.key.clone(), Given::Spelled(text.to_owned())));
        }
        let consent =
            new.get("consent").map_or(Ok(false), |given| given.boolean("consent")).map_err(problem)?;
        self.session.tick();
        let consent = if consent { Consent::Given } else { Consent::IfNarrower };
        Ok(self.session.exchange(spec, consent)?)
    }

    pub(crate) fn play_node(&mut self, node: &Node) -> Result<(), Diagnostic> {
        let Event { kind, at } = self.session.reader(&self.limits).event(node)?;
        self.check_names(&kind, node)?;
        if let Some(at) = at {
            self.set_clock(at, node)?;
        }
        let resolved = node.get("resolve").and_then(|resolve| resolve.get("action"));
        let span = resolved.map_or(node.span, |action| action.span);
        self.perform(kind).map_err(|fault| fault.at(span))?;
        self.played += 1;
        Ok(())
    }

    fn set_clock(&self, at: DateTime<Utc>, node: &Node) -> Result<(), Diagnostic> {
        let span = node.get("at").map_or(node.span, |at| at.span);
        match &self.clock {
            Some(clock) => {
                clock.set(at);
                Ok(())
            }
            None => Err(Diagnostic::new(Code::UnusableEvent, span, "a live session has a clock of its own")
                .help("leave `at` out, or play a file")),
        }
    }

    /// Names of permits have to exist, or not to, before anything is changed.
    fn check_names(&self, kind: &EventKind, node: &Node) -> Result<(), Diagnostic> {
        // The name, where the event has it.
        let span = |key: &str| node.get(key).map_or(node.span, |name| name.span);
        let known: Vec<&str> = self.held.keys().chain(self.running.keys()).map(String::as_str).collect();
        match kind {
            EventKind::Propose { hold: Some(name), .. } if known.contains(&name.as_str()) => {
                let message = format!("a permit `{name}` is held already");
                let hold = node.get("propose").and_then(|propose| propose.get("hold"));
                let span = hold.map_or(node.span, |hold| hold.span);
                Err(Diagnostic::new(Code::PermitNameTaken, span, message).help("give it another name"))
            }
            EventKind::Execute { permit, .. } if !self.held.contains_key(permit) => {
                Err(unknown_permit(permit, &known, span("execute")))
            }
            EventKind::Begin { permit } if !self.held.contains_key(permit) => {
                Err(unknown_permit(permit, &known, span("begin")))
            }
            EventKind::Finish { permit, .. } if !self.running.contains_key(permit) => {
                let name = node.get("finish").and_then(|finish| finish.get("permit"));
                Err(unknown_permit(permit, &known, name.map_or(node.span, |name| name.span)))
            }
            _ => Ok(()),
        }
    }

    fn perform(&mut self, kind: EventKind) -> Result<(), Fault> {
        match kind {
            EventKind::Observe(update) => self.session.observe(&update).map(|_| ()),
            EventKind::Propose { action, outcome, hold: Some(name) } => {
                match self.session.propose_held(*action, Some(&name))? {
                    Verdict::Allow(permit) => {
                        self.held.insert(name, (permit, outcome));
                    }
                    Verdict::Advise(_) => {}
                    Verdict::Block(_) => self.blocked = true,
                }
                Ok(())
            }
            EventKind::Propose { action, outcome, hold: None } => {
                let effect = |_: &crate::Arguments| match outcome {
                    Outcome::Done => Ok(()),
                    Outcome::NotPerformed => Err(EffectError::NotPerformed(())),
                    Outcome::Unknown => Err(EffectError::Unknown(())),
                };
                self.blocked |= matches!(self.session.gate(*action, effect)?, Gated::Blocked(_));
                Ok(())
            }
            EventKind::Execute { permit: name, outcome } => {
                let Some((permit, planned)) = self.held.remove(&name) else { return Ok(()) };
                let stale = self.session.execute(&name, permit, outcome.unwrap_or(planned))?;
                self.blocked |= stale;
                Ok(())
            }
            EventKind::Begin { permit: name } => {
                let Some((permit, _)) = self.held.remove(&name) else { return Ok(()) };
                match self.session.begin(permit)? {
                    Ok(running) => {
                        self.running.insert(name, running);
                    }
                    Err(_) => self.blocked = true,
                }
                Ok(())
            }
            EventKind::Finish { permit: name, outcome } => {
                let Some(running) = self.running.remove(&name) else { return Ok(()) };
                self.session.finish(running, outcome)
            }
            EventKind::Resolve { action, performed } => self.session.resolve(&action, performed),
        }
    }
}

fn unknown_permit(name: &str, known: &[&str], span: Span) -> Diagnostic {
    let help = suggest::known(name, "permits held", known.iter().copied());
    let shown = shortened(name);
    Diagnostic::new(Code::UnknownPermit, span, format!("no permit `{shown}` is held")).help(help)
}

impl Session {
    /// Uses a permit: begin, effect, finish, as one line of the record. Whether it was stale.
    fn execute(&mut self, name: &str, permit: Permit, outcome: Outcome) -> Result<bool, Fault> {
        if let Some(fault) = self.broken_fault() {
            return Err(fault);
        }
        self.tick();
        let action = permit.action().name().to_owned();
        let stale = match self.start_effect(permit)? {
            Ok(running) => {
                self.end_flight(running.flight(), outcome)?;
                None
            }
            Err(stale) => Some(stale),
        };
        self.record_execute(name, &action, outcome, stale.as_ref())?;
        Ok(stale.is_some())
    }
}

/// Why a record does not replay.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It can't be used as a record.
    #[error("{0}")]
    Problems(Problems),
    /// Its session can't be started.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Lines as they were written.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Record for Lines {
    fn line(&mut self, line: &Line) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_json());
        Ok(())
    }
}

impl Lines {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Replays a record by itself; how many lines came out the same bytes.
///
/// # Errors
/// If it can't be used as a record, or the first line that comes out differently.
pub fn replay(record: &Source, limits: &Limits) -> Result<usize, ReplayError> {
    let mut lines = record.text().lines().enumerate();
    let Some((_, first)) = lines.next() else {
        let diagnostic = Diagnostic::new(Code::EmptyTrace, Span::default(), "the record has no lines");
        return Err(ReplayError::Problems(Problems::one(record.clone(), diagnostic)));
    };
    let source = |number: usize, text: &str| Source::new(record.name(), text).at_line(number + 1);
    let first_source = source(0, first);
    let wide = Limits { line: limits.bytes, ..*limits };
    let node = json::parse(&first_source, &wide).map_err(ReplayError::Problems)?;
    let made = Lines::default();
    let mut player = start(&node, &first_source, &made, limits)?;
    let mut count = compare(&first_source, &made.take())?;
    for (number, text) in lines {
        let source = source(number, text);
        let problem = |diagnostic| ReplayError::Problems(Problems::one(source.clone(), diagnostic));
        let node = json::parse(&source, &wide).map_err(ReplayError::Problems)?;
        let input = node.get("input").ok_or_else(|| {
            problem(Diagnostic::new(
                Code::MissingKey,
                node.span,
                "the line of a record needs the key `input`",
            ))
        })?;
        match input.get("replace") {
            Some(new) => player.replace(new, &source, input)?,
            None => player.play_node(input).map_err(problem)?,
        }
        count += compare(&source, &made.take())?;
    }
    Ok(count)
}

/// Whether a line came out the same.
fn compare(line: &Source, made: &[String]) -> Result<usize, ReplayError> {
    if let [made] = made
        && made == line.text()
    {
        return Ok(1);
    }
    let made = made.join("\n");
    let at = line.text().bytes().zip(made.bytes()).take_while(|(a, b)| a == b).count();
    let from = (0..=at.saturating_sub(30)).rev().find(|at| made.is_char_boundary(*at)).unwrap_or(0);
    let shown: String = made.get(from..).unwrap_or("").chars().take(90).collect();
    let diagnostic =
        Diagnostic::new(Code::NotTheSame, Span::new(at, at + 1), "this line replays differently")
            .label("from here on")
            .help(format!("the replay gives … {shown} …"));
    Err(ReplayError::Problems(Problems::one(line.clone(), diagnostic)))
}

/// Rules as a record has them.
fn written(node: &Node) -> Option<Source> {
    let name = node.get("name").and_then(Node::as_str).unwrap_or("specification");
    Some(Source::new(name, node.get("text").and_then(Node::as_str)?))
}

/// A session as the start line of a record describes it.
fn start(node: &Node, line: &Source, made: &Lines, limits: &Limits) -> Result<Player, ReplayError> {
    let problem = |diagnostic| ReplayError::Problems(Problems::one(line.clone(), diagnostic));
    let missing = |what: &str| {
        let message = format!("the start line of a record needs `{what}`");
        problem(Diagnostic::new(Code::MissingKey, node.span, message))
    };
    let start =
        node.get("input").and_then(|input| input.get("start")).ok_or_else(|| missing("input.start"))?;
    let part = |key: &str| start.get(key).ok_or_else(|| missing(key));
    let text = |key: &str| part(key)?.string(key).map_err(problem);
    let rules = |node: &Node| written(node).ok_or_else(|| missing("text"));
    let app = Source::new("app", line.slice(part("app")?.span));
    let vocabulary = Arc::new(Vocabulary::from_json(&app, limits).map_err(ReplayError::Problems)?);
    let specification = check::specification(&rules(part("spec")?)?, &vocabulary, limits);
    let specification = specification.map_err(ReplayError::Problems)?.specification;
    let located = |key: &str, fault: Fault| {
        let span = start.get(key).map_or(node.span, |value| value.span);
        problem(fault.at(span))
    };
    let today = day(text("today")?).map_err(|fault| located("today", fault))?;
    let zone = time_zone(text("zone")?).map_err(|fault| located("zone", fault))?;
    let clock = trace_clock(today, zone);
    if let Some(at) = node.get("input").and_then(|input| input.get("at")).and_then(Node::as_str) {
        let at = DateTime::parse_from_rfc3339(at).map_err(|_| missing("at, a time"))?;
        clock.set(at.with_timezone(&Utc));
    }
    let mut builder: SessionBuilder = Session::builder(Arc::new(specification))
        .today(today)
        .zone(zone)
        .strict(part("strict")?.boolean("strict").map_err(problem)?)
        .clock(clock.clone())
        .limits(*limits)
        .record(made.clone());
    for policy in part("policies")?.array("policies").map_err(problem)? {
        let policy = check::policy(&rules(policy)?, &vocabulary, limits).map_err(ReplayError::Problems)?;
        builder = builder.policy(Arc::new(policy.specification));
    }
    for member in part("parameters")?.object("parameters").map_err(problem)? {
        builder = builder.parameter(&member.key, member.value.string("a parameter").map_err(problem)?);
    }
    let session = match start.get("saved") {
        Some(saved) => {
            let read = serde_json::from_str(line.slice(saved.span));
            builder.restore(&read.map_err(|_| missing("saved, a saved session"))?)?
        }
        None => builder.start()?,
    };
    Ok(Player::new(session, Some(clock), *limits))
}

/// The problems of a start that failed, where they have places.
impl StartError {
    /// The located problems, or a fault without a place.
    pub fn parts(&self) -> Result<&Problems, &Fault> {
        match self {
            StartError::Bind(BindError::Problems(problems)) => Ok(problems),
            StartError::Bind(BindError::Fault(fault)) | StartError::Fault(fault) => Err(fault),
        }
    }
}

/// A day as the command line and records give it: `2026-11-21`.
///
/// # Errors
/// If there is no such day.
pub fn day(text: &str) -> Result<NaiveDate, Fault> {
    literal::date(text).ok_or_else(|| {
        Fault::new(Code::BadDay, format!("`{}` is not a day", shortened(text))).help("write it 2026-11-21")
    })
}

/// A time zone by its name in the IANA database.
///
/// # Errors
/// If there is no such zone.
pub fn time_zone(name: &str) -> Result<Tz, Fault> {
    name.parse().map_err(|_| {
        let known = chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name());
        let fault = Fault::new(Code::BadZone, format!("there is no time zone `{}`", shortened(name)));
        match suggest::nearest(name, known) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault.help("write a name of the IANA database, like Asia/Seoul or UTC"),
        }
    })
}

/// A parameter as the command line gives it: `name=value`.
///
/// # Errors
/// If there is no `=`, or no name before it.
pub fn parameter(text: &str) -> Result<(String, String), Fault> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err(Fault::new(Code::UnusedParameter, format!("`{text}` is not written name=value"))),
    }
}
