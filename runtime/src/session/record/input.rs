//! What a session was given, in the canonical form of a trace.
//!
//! Knows the form in which a trace is read again; must never know what was decided about it.

use crate::action::{Argument, Arguments};
use crate::gate::Outcome;
use crate::{Action, Update};
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::value::Value;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// An input in the canonical form of a trace, with the clock reading it was judged at.
#[derive(Debug, Clone)]
pub struct Input {
    pub(super) kind: Kind,
    pub(super) at: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    Start(Box<RawValue>),
    Observe(Updates),
    Propose(Box<Proposal>),
    Execute { permit: String, outcome: Outcome },
    Begin { permit: String },
    Finish { permit: String, outcome: Outcome },
    Resolve { action: String, outcome: Outcome },
    Replace(Replacement),
}

/// Another specification, as a replay needs it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Replacement {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) parameters: serde_json::Map<String, serde_json::Value>,
    pub(super) consent: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Proposal {
    pub(super) action: String,
    critical: bool,
    arguments: Arguments,
    updates: Updates,
    trigger_failed: Option<String>,
    pub(super) outcome: Option<Outcome>,
    pub(super) hold: Option<String>,
}

/// Assignments by source, state and variable, with their names.
#[derive(Debug, Clone)]
pub(super) struct Updates(Vec<(ValueSource, States)>);

#[derive(Debug, Clone, Default)]
struct States(Vec<(String, Vec<Entry>)>);

/// A variable of a state, and its value.
type Entry = (String, Option<Value>);

impl Updates {
    pub(super) fn new(vocabulary: &Vocabulary, assignments: &[Assignment]) -> Updates {
        let mut groups = Vec::new();
        for source in [ValueSource::App, ValueSource::Agent, ValueSource::Inferred] {
            let mut states = States::default();
            for assignment in assignments.iter().filter(|assignment| assignment.source == source) {
                let variable = vocabulary.variable(assignment.variable);
                let state = vocabulary.state(variable.state()).name();
                let entry = (variable.name().to_owned(), assignment.value.clone());
                match states.0.iter_mut().find(|(name, _)| name == state) {
                    Some((_, entries)) => entries.push(entry),
                    None => states.0.push((state.to_owned(), vec![entry])),
                }
            }
            if !states.0.is_empty() {
                groups.push((source, states));
            }
        }
        Updates(groups)
    }

    /// The first source's update under `key`, its source unless it is the app, and the rest.
    fn write<M: SerializeMap>(&self, map: &mut M, key: &str) -> Result<(), M::Error> {
        let none = (ValueSource::App, States::default());
        let (first, rest) = self.0.split_first().unwrap_or((&none, &[]));
        map.serialize_entry(key, &first.1)?;
        if first.0 != ValueSource::App {
            map.serialize_entry("source", &first.0)?;
        }
        if !rest.is_empty() {
            map.serialize_entry("also", &Rest(rest))?;
        }
        Ok(())
    }
}

impl Serialize for States {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Variables<'a>(&'a [Entry]);
        impl Serialize for Variables<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
            }
        }
        serializer.collect_map(self.0.iter().map(|(name, entries)| (name, Variables(entries))))
    }
}

struct Rest<'a>(&'a [(ValueSource, States)]);

impl Serialize for Rest<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Group<'a> {
            source: ValueSource,
            update: &'a States,
        }
        serializer.collect_seq(self.0.iter().map(|(source, update)| Group { source: *source, update }))
    }
}

impl Serialize for Proposal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Form<'a>(&'a Arguments);
        impl Serialize for Form<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(Some(self.0.iter().len()))?;
                for (name, argument) in self.0.iter() {
                    match argument {
                        Argument::Typed(value) => map.serialize_entry(name, value)?,
                        Argument::Free(value) => map.serialize_entry(name, value)?,
                    }
                }
                map.end()
            }
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("action", &self.action)?;
        if self.critical {
            map.serialize_entry("critical", &true)?;
        }
        if self.arguments.iter().len() > 0 {
            map.serialize_entry("arguments", &Form(&self.arguments))?;
        }
        self.updates.write(&mut map, "update")?;
        if let Some(why) = &self.trigger_failed {
            map.serialize_entry("trigger_failed", why)?;
        }
        if let Some(outcome) = self.outcome {
            map.serialize_entry("outcome", &outcome)?;
        }
        if let Some(hold) = &self.hold {
            map.serialize_entry("hold", hold)?;
        }
        map.end()
    }
}

impl Serialize for Input {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Settled<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            permit: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            action: Option<&'a str>,
            outcome: Outcome,
        }
        let mut map = serializer.serialize_map(None)?;
        match &self.kind {
            Kind::Start(start) => map.serialize_entry("start", start)?,
            Kind::Observe(updates) => updates.write(&mut map, "observe")?,
            Kind::Propose(proposal) => map.serialize_entry("propose", proposal)?,
            Kind::Execute { permit, outcome } => {
                map.serialize_entry("execute", permit)?;
                map.serialize_entry("outcome", outcome)?;
            }
            Kind::Begin { permit } => map.serialize_entry("begin", permit)?,
            Kind::Finish { permit, outcome } => {
                let settled = Settled { permit: Some(permit), action: None, outcome: *outcome };
                map.serialize_entry("finish", &settled)?;
            }
            Kind::Replace(replacement) => map.serialize_entry("replace", replacement)?,
            Kind::Resolve { action, outcome } => {
                let settled = Settled { permit: None, action: Some(action), outcome: *outcome };
                map.serialize_entry("resolve", &settled)?;
            }
        }
        if let Some(at) = &self.at {
            map.serialize_entry("at", at)?;
        }
        map.end()
    }
}

impl Input {
    /// The proposal of an action.
    pub(crate) fn proposal(vocabulary: &Vocabulary, action: &Action) -> Input {
        let proposal = Proposal {
            action: action.name().to_owned(),
            critical: action.0.claims_critical,
            arguments: action.0.arguments.clone(),
            updates: Updates::new(vocabulary, &action.merged_update()),
            trigger_failed: action.0.trigger_failed.clone(),
            outcome: None,
            hold: None,
        };
        Input { kind: Kind::Propose(Box::new(proposal)), at: None }
    }

    /// What is seen.
    pub(crate) fn observation(vocabulary: &Vocabulary, update: &Update) -> Input {
        Input { kind: Kind::Observe(Updates::new(vocabulary, &update.assignments)), at: None }
    }

    /// What it says of variables, by `State.variable`.
    pub fn values(&self) -> Vec<(String, Option<Value>)> {
        let updates = match &self.kind {
            Kind::Observe(updates) => updates,
            Kind::Propose(proposal) => &proposal.updates,
            _ => return Vec::new(),
        };
        let states = updates.0.iter().flat_map(|(_, states)| &states.0);
        states
            .flat_map(|(state, entries)| {
                entries.iter().map(move |(name, value)| (format!("{state}.{name}"), value.clone()))
            })
            .collect()
    }

    /// As a JSON line, without a line end.
    pub fn to_json(&self) -> String {
        // Plain data with text keys: writing it can't fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
