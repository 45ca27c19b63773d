//! The events of a trace: what happened or is tried, one JSON object a line (DESIGN 12).
//!
//! Also the wire lines of the published library (`updateState`), as observations.

use super::Session;
use crate::action::{Action, Update, distinct, find_state, find_variable};
use crate::dispatch;
use crate::gate::Outcome;
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use intentgate_engine::diagnostic::{Code, Diagnostic};
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::input;
use intentgate_engine::json::{Member, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::suggest;

/// An event of a trace.
#[derive(Debug)]
pub struct Event {
    /// What happened or is tried.
    pub kind: EventKind,
    /// When, if the event says so.
    pub at: Option<DateTime<Utc>>,
}

/// The kinds of events.
#[derive(Debug)]
pub enum EventKind {
    /// Something was observed.
    Observe(Update),
    /// An action is proposed; if it is allowed, its effect ends as `outcome` says.
    Propose {
        /// The action.
        action: Box<Action>,
        /// How its effect ends.
        outcome: Outcome,
        /// The name under which its permit is kept for later.
        hold: Option<String>,
    },
    /// A kept permit is used: begin, effect, finish.
    Execute {
        /// The permit's name.
        permit: String,
        /// How the effect ends, if the proposal did not say so.
        outcome: Option<Outcome>,
    },
    /// The effect of a kept permit begins.
    Begin {
        /// The permit's name.
        permit: String,
    },
    /// The effect of a kept permit ends.
    Finish {
        /// The permit's name.
        permit: String,
        /// How.
        outcome: Outcome,
    },
    /// An unknown outcome is settled.
    Resolve {
        /// The action.
        action: String,
        /// Whether it was performed.
        performed: bool,
    },
}

const KINDS: &[&str] = &["observe", "propose", "execute", "begin", "finish", "resolve"];
const PROPOSE_KEYS: &[&str] =
    &["action", "arguments", "update", "source", "also", "outcome", "hold", "critical", "trigger_failed"];

/// Reads events for one session.
pub(crate) struct Reader<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) today: NaiveDate,
    pub(crate) limits: &'a Limits,
}

impl Session {
    pub(crate) fn reader<'a>(&'a self, limits: &'a Limits) -> Reader<'a> {
        Reader { vocabulary: self.vocabulary(), today: self.today(), limits }
    }
}

impl Reader<'_> {
    pub(crate) fn event(&self, node: &Node) -> Result<Event, Diagnostic> {
        let members = node.object("an event")?;
        if node.get("type").is_some() {
            return self.wire(node).map(|kind| Event { kind, at: None });
        }
        let mut found = members.iter().filter(|member| KINDS.contains(&member.key.as_str()));
        let Some(member) = found.next() else {
            return Err(self.no_kind(node, members));
        };
        if let Some(second) = found.next() {
            let message = format!("an event is one of `{}` and `{}`, not both", member.key, second.key);
            return Err(Diagnostic::new(Code::UnusableEvent, second.key_span, message)
                .help("write a line for each event"));
        }
        let extra: &[&str] = match member.key.as_str() {
            "observe" => &["source", "also", "at"],
            "propose" => &["source", "at"],
            "execute" => &["outcome", "at"],
            _ => &["at"],
        };
        let unknown = |other: &&Member| other.key != member.key && !extra.contains(&other.key.as_str());
        if let Some(other) = members.iter().find(unknown) {
            return Err(other.unknown(extra));
        }
        let source = self.source(node.get("source"))?;
        let value = &member.value;
        let kind = match member.key.as_str() {
            "observe" => {
                let assignments = self.updates(Some(value), source, node.get("also"))?;
                EventKind::Observe(Update::from_assignments(self.vocabulary, assignments))
            }
            "propose" => self.propose(value, source)?,
            "execute" => EventKind::Execute {
                permit: value.string("`execute`")?.to_owned(),
                outcome: node.get("outcome").map(outcome).transpose()?,
            },
            "begin" => EventKind::Begin { permit: value.string("`begin`")?.to_owned() },
            "finish" => {
                let (permit, ended) = settled(value, "permit")?;
                EventKind::Finish { permit, outcome: ended }
            }
            _ => {
                let (action, ended) = settled(value, "action")?;
                if ended == Outcome::Unknown {
                    let message = "an outcome is settled as \"done\" or \"failure\"";
                    return Err(Diagnostic::new(Code::UnusableEvent, value.span, message));
                }
                EventKind::Resolve { action, performed: ended == Outcome::Done }
            }
        };
        Ok(Event { kind, at: node.get("at").map(time).transpose()? })
    }

    fn no_kind(&self, node: &Node, members: &[Member]) -> Diagnostic {
        let diagnostic =
            Diagnostic::new(Code::UnusableEvent, node.span, "this is no event").help(match members.first() {
                Some(member) => suggest::known(&member.key, "events", KINDS.iter().copied()),
                None => suggest::known("", "events", KINDS.iter().copied()),
            });
        if node.get("action").is_some() || node.get("name").is_some() {
            return diagnostic.help("a proposal is written {\"propose\": {\"action\": \"…\"}}");
        }
        diagnostic
    }

    fn propose(&self, node: &Node, outer: ValueSource) -> Result<EventKind, Diagnostic> {
        for member in node.object("`propose`")? {
            if !PROPOSE_KEYS.contains(&member.key.as_str()) {
                return Err(member.unknown(PROPOSE_KEYS));
            }
        }
        let Some(name) = node.get("action") else {
            return Err(Diagnostic::new(Code::NamelessAction, node.span, "the proposal names no `action`"));
        };
        let text = name.string("`action`")?;
        let source = match node.get("source") {
            Some(source) => self.source(Some(source))?,
            None => outer,
        };
        let claimed = node.get("critical").map(|node| node.boolean("`critical`")).transpose()?;
        let failed = node.get("trigger_failed").map(|node| node.string("`trigger_failed`")).transpose()?;
        let mut builder = Action::named(self.vocabulary, text)
            .claimed_critical(claimed.unwrap_or(false))
            .trigger_failed(failed.map(str::to_owned));
        if let Some(arguments) = node.get("arguments") {
            builder = dispatch::arguments(builder, arguments, Some(self.today), self.limits)?;
        }
        let assignments = self.updates(node.get("update"), source, node.get("also"))?;
        let action = builder.assign(assignments).build().map_err(|fault| fault.at(name.span))?;
        Ok(EventKind::Propose {
            action: Box::new(action),
            outcome: node.get("outcome").map(outcome).transpose()?.unwrap_or_default(),
            hold: node.get("hold").map(|hold| hold.string("`hold`").map(str::to_owned)).transpose()?,
        })
    }

    /// An update, and those of other sources.
    fn updates(
        &self,
        update: Option<&Node>,
        source: ValueSource,
        also: Option<&Node>,
    ) -> Result<Vec<Assignment>, Diagnostic> {
        let mut assignments = Vec::new();
        if let Some(update) = update {
            self.update(update, source, &mut assignments)?;
        }
        for group in also.map_or(Ok(&[][..]), |also| also.array("`also`"))? {
            let source = self.source(group.get("source"))?;
            if let Some(member) = group
                .object("`also`")?
                .iter()
                .find(|member| !matches!(member.key.as_str(), "source" | "update"))
            {
                return Err(member.unknown(&["source", "update"]));
            }
            if let Some(update) = group.get("update") {
                self.update(update, source, &mut assignments)?;
            }
        }
        let span = update.map_or_else(Default::default, |update| update.span);
        distinct(self.vocabulary, &assignments).map_err(|fault| fault.at(span))?;
        Ok(assignments)
    }

    fn update(
        &self,
        node: &Node,
        source: ValueSource,
        assignments: &mut Vec<Assignment>,
    ) -> Result<(), Diagnostic> {
        for state in node.object("an update")? {
            self.state(
                &state.key,
                state.key_span,
                state.value.object("a state's update")?,
                source,
                assignments,
            )?;
        }
        Ok(())
    }

    fn state(
        &self,
        name: &str,
        span: intentgate_engine::span::Span,
        members: &[Member],
        source: ValueSource,
        assignments: &mut Vec<Assignment>,
    ) -> Result<(), Diagnostic> {
        let state = find_state(self.vocabulary, name).map_err(|fault| fault.at(span))?;
        for member in members {
            let variable = find_variable(self.vocabulary, state, &member.key)
                .map_err(|fault| fault.at(member.key_span))?;
            let kind = self.vocabulary.variable(variable).variable_type();
            let value = input::json_value(&member.value, &member.key, kind, Some(self.today), self.limits)
                .map_err(|fault| fault.at(member.value.span))?;
            assignments.push(Assignment { variable, value, source });
        }
        Ok(())
    }

    fn source(&self, node: Option<&Node>) -> Result<ValueSource, Diagnostic> {
        let Some(node) = node else { return Ok(ValueSource::App) };
        match node.string("`source`")? {
            "app" => Ok(ValueSource::App),
            "agent" => Ok(ValueSource::Agent),
            "inferred" => Ok(ValueSource::Inferred),
            other => {
                let message = format!("unknown source `{}`", input::shortened(other));
                Err(Diagnostic::new(Code::UnusableEvent, node.span, message)
                    .help("sources are \"app\", \"agent\" and \"inferred\""))
            }
        }
    }

    /// `{"type": "updateState", "appName", "updates": [{"Predicate": "<State>", …}]}`
    fn wire(&self, node: &Node) -> Result<EventKind, Diagnostic> {
        const KEYS: &[&str] = &["type", "appName", "updates"];
        for member in node.object("an event")? {
            if !KEYS.contains(&member.key.as_str()) {
                return Err(member.unknown(KEYS));
            }
        }
        if let Some(kind) = node.get("type")
            && kind.as_str() != Some("updateState")
        {
            return Err(Diagnostic::new(
                Code::UnusableEvent,
                kind.span,
                "the only wire message is \"updateState\"",
            ));
        }
        if let Some(app) = node.get("appName") {
            let name = app.string("`appName`")?;
            if !self.vocabulary.app().is_empty() && name != self.vocabulary.app() {
                let message = format!("this update is for the app `{}`", input::shortened(name));
                return Err(Diagnostic::new(Code::UnusableEvent, app.span, message)
                    .help(format!("this session is of the app `{}`", self.vocabulary.app())));
            }
        }
        let Some(updates) = node.get("updates") else {
            return Err(Diagnostic::new(Code::MissingKey, node.span, "the key `updates` is missing"));
        };
        let mut assignments = Vec::new();
        for update in updates.array("`updates`")? {
            let members = update.object("an update")?;
            let is_name = |member: &&Member| matches!(member.key.as_str(), "Predicate" | "stateName");
            let Some(name) = members.iter().find(is_name) else {
                let message = "an update names its state under `Predicate`";
                return Err(Diagnostic::new(Code::MissingKey, update.span, message));
            };
            let state = name.value.string("`Predicate`")?;
            let rest: Vec<Member> = members.iter().filter(|member| !is_name(member)).cloned().collect();
            self.state(state, name.value.span, &rest, ValueSource::App, &mut assignments)?;
        }
        distinct(self.vocabulary, &assignments).map_err(|fault| fault.at(updates.span))?;
        Ok(EventKind::Observe(Update::from_assignments(self.vocabulary, assignments)))
    }
}

fn outcome(node: &Node) -> Result<Outcome, Diagnostic> {
    match node.string("`outcome`")? {
        "done" => Ok(Outcome::Done),
        "failure" | "not_performed" => Ok(Outcome::NotPerformed),
        "unknown" => Ok(Outcome::Unknown),
        other => {
            let message = format!("unknown outcome `{}`", input::shortened(other));
            Err(Diagnostic::new(Code::UnusableEvent, node.span, message)
                .help("outcomes are \"done\", \"failure\" (not performed) and \"unknown\""))
        }
    }
}

/// `{"<key>": "…", "outcome": "…"}`
fn settled(node: &Node, key: &str) -> Result<(String, Outcome), Diagnostic> {
    for member in node.object("this event")? {
        if member.key != key && member.key != "outcome" {
            return Err(member.unknown(&[key, "outcome"]));
        }
    }
    let missing =
        |key: &str| Diagnostic::new(Code::MissingKey, node.span, format!("the key `{key}` is missing"));
    let name = node.get(key).ok_or_else(|| missing(key))?.string(&format!("`{key}`"))?.to_owned();
    let ended = node.get("outcome").ok_or_else(|| missing("outcome"))?;
    Ok((name, outcome(ended)?))
}

pub(super) fn time(node: &Node) -> Result<DateTime<Utc>, Diagnostic> {
    let text = node.string("`at`")?;
    let read = DateTime::parse_from_rfc3339(text).ok().map(|time| time.with_timezone(&Utc));
    // The years that can be written again.
    read.filter(|time| (1..=9999).contains(&time.year())).ok_or_else(|| {
        Diagnostic::new(Code::UnusableEvent, node.span, "`at` is no time with a zone")
            .help("write it like \"2026-11-21T18:00:00+09:00\"")
    })
}
