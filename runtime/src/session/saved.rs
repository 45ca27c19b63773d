//! Sessions as data: saved, and restored so that they decide the same.
//!
//! Permits don't survive: they are bound to their session. Effects that were running are saved as
//! unsettled.

use super::builder::{SessionBuilder, StartError};
use super::event::EventKind;
use super::history::{Entry, Held, Origin};
use super::record::{Hashes, Input};
use super::{Advised, Session};
use crate::Action;
use crate::gate::permit::Flight;
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use intentgate_engine::compile::bind::Given;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::input;
use intentgate_engine::ir::{Head, Objective};
use intentgate_engine::json;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{StateId, VariableId};
use intentgate_engine::span::Source;
use intentgate_engine::value::Value;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the form below.
const VERSION: u32 = 1;

/// A saved session. Its parts are checked when it is restored: one that does not fit the vocabulary,
/// specification and policies, or is damaged, restores to nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    version: u32,
    hashes: Hashes,
    today: NaiveDate,
    zone: String,
    strict: bool,
    parameters: BTreeMap<String, String>,
    epoch: u64,
    insisted: u64,
    acted: bool,
    time: DateTime<Utc>,
    facts: BTreeMap<String, SavedFact>,
    observed: Vec<String>,
    achieved: Vec<SavedEntry>,
    executed: BTreeMap<String, Values>,
    unsettled: Vec<SavedFlight>,
    advised: Option<String>,
}

/// Values by `State.variable`, in a spelling that reads back to the same.
type Values = BTreeMap<String, Option<String>>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedFact {
    value: Option<String>,
    source: ValueSource,
    counts: bool,
    /// The epoch and the time at which it was set, where that matters.
    set: Option<(u64, DateTime<Utc>)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedEntry {
    objective: String,
    /// The number of its rule; of a specification that was replaced, its name.
    rule: SavedRule,
    epoch: u64,
    values: Values,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum SavedRule {
    Number(usize),
    Replaced(String),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedFlight {
    proposal: String,
    rule: Option<usize>,
    judged: Values,
    overridden: Vec<String>,
    suspended: Vec<String>,
}

/// A text that reads back to the same value of the same type.
pub(crate) fn spelled(value: &Value) -> String {
    match value {
        Value::Text(text) => text.as_str().to_owned(),
        Value::Enum(enumerator) => enumerator.name().to_owned(),
        other => other.to_string(),
    }
}

fn damaged(what: &str) -> Fault {
    Fault::new(Code::BadSnapshot, format!("the saved session does not fit: {what}"))
        .help("restore it with the vocabulary, specification and policies it was saved with")
}

impl Session {
    /// The session as data. Restoring it gives a session that decides the same.
    pub fn save(&self) -> Saved {
        let vocabulary = self.vocabulary();
        let facts = vocabulary.variables().filter_map(|(id, _)| {
            let fact = self.evaluator.fact(id);
            let set = self.ages.iter().find(|age| age.variable == id).map(|age| (age.epoch, age.at));
            let told = fact.value.is_some() || fact.source != ValueSource::App || set.is_some();
            let value = fact.value.as_ref().map(spelled);
            told.then(|| {
                (vocabulary.path(id), SavedFact { value, source: fact.source, counts: fact.counts, set })
            })
        });
        let name = |entry: &Entry| match entry.objective {
            Some(objective) => self.start.specification.objective_name(objective).to_owned(),
            None => "Done".to_owned(),
        };
        Saved {
            version: VERSION,
            hashes: self.start.hashes.clone(),
            today: self.start.today,
            zone: self.start.zone.name().to_owned(),
            strict: self.start.strict,
            parameters: self
                .start
                .spelled_parameters()
                .into_iter()
                .filter_map(|(name, value)| Some((name, value.as_str()?.to_owned())))
                .collect(),
            epoch: self.epoch,
            insisted: self.insisted,
            acted: self.acted,
            time: self.time,
            facts: facts.collect(),
            observed: vocabulary
                .states()
                .filter(|(id, _)| self.evaluator.is_observed(*id))
                .map(|(_, state)| state.name().to_owned())
                .collect(),
            achieved: self
                .history
                .achieved()
                .map(|entry| SavedEntry {
                    objective: name(entry),
                    rule: match entry.rule {
                        Origin::Rule(rule) => SavedRule::Number(rule),
                        Origin::Replaced(_) => {
                            SavedRule::Replaced(self.history.rule_name(&self.evaluator, entry))
                        }
                    },
                    epoch: entry.epoch,
                    values: self.values(self.history.held(entry)),
                })
                .collect(),
            executed: vocabulary
                .actions()
                .filter_map(|(id, action)| {
                    Some((action.name().to_owned(), self.values(self.history.last_execution(id)?)))
                })
                .collect(),
            unsettled: self.flights.iter().map(|flight| self.save_flight(flight)).collect(),
            advised: self
                .advised
                .as_ref()
                .filter(|advised| advised.epoch == self.epoch && advised.activity == self.activity)
                .map(|advised| Input::proposal(vocabulary, &advised.action).to_json()),
        }
    }

    fn save_flight(&self, flight: &Flight) -> SavedFlight {
        SavedFlight {
            proposal: Input::proposal(self.vocabulary(), &flight.action).to_json(),
            rule: flight.rule,
            judged: self.values(&flight.judged),
            overridden: flight.overridden.iter().map(|id| self.vocabulary().path(*id)).collect(),
            suspended: flight.suspended.iter().map(|id| self.vocabulary().path(*id)).collect(),
        }
    }

    fn values(&self, held: &[Held]) -> Values {
        let value = |held: &Held| self.evaluator.snapshot_value(held.0, held.1).as_ref().map(spelled);
        held.iter().map(|held| (self.vocabulary().path(held.0), value(held))).collect()
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), Fault> {
        if saved.epoch > u64::MAX / 2 || saved.insisted > u64::MAX / 2 {
            return Err(damaged("its counts"));
        }
        let vocabulary = std::sync::Arc::clone(self.vocabulary());
        let find =
            |path: &str| vocabulary.find_path(path).ok_or_else(|| damaged(&format!("no variable `{path}`")));
        let mut assignments = Vec::new();
        let mut aged = Vec::new();
        for (path, fact) in &saved.facts {
            let variable = find(path)?;
            let value = self.read_value(variable, fact.value.as_deref())?;
            assignments.push(Assignment { variable, value, source: fact.source });
            if !fact.counts {
                aged.push(variable);
            }
            if let (Some((epoch, at)), Some(age)) =
                (fact.set, self.ages.iter_mut().find(|age| age.variable == variable))
            {
                (age.epoch, age.at) = (epoch, at);
            }
        }
        Session::apply(&mut self.evaluator, &self.history, &[], assignments.iter())?;
        for variable in aged {
            self.evaluator.expire(variable);
        }
        for state in &saved.observed {
            let id: StateId =
                vocabulary.find_state(state).ok_or_else(|| damaged(&format!("no state `{state}`")))?;
            self.evaluator.restore_observed(id);
        }
        for entry in &saved.achieved {
            let objective = match entry.objective.as_str() {
                "Done" => None,
                name => Some(
                    self.find_objective(name).ok_or_else(|| damaged(&format!("no objective `{name}`")))?,
                ),
            };
            match objective {
                Some(Objective::Action(action)) => self.evaluator.achieve(action),
                other => self.evaluator.restore_achieved(other),
            }
            let rule = match &entry.rule {
                SavedRule::Number(number) => {
                    let concludes = self.evaluator.locate(*number).and_then(|(set, index)| {
                        let rule = set.specification().rules().get(index)?;
                        (set.first_rule() == 0).then(|| rule.head())
                    });
                    if concludes != Some(objective.map_or(Head::Done, Head::Objective)) {
                        return Err(damaged(&format!("the rule of `{}`", entry.objective)));
                    }
                    Origin::Rule(*number)
                }
                SavedRule::Replaced(name) => self.history.replaced(name),
            };
            let held = self.held(&entry.values)?;
            self.history.restore(objective, rule, entry.epoch, &held);
        }
        for (name, values) in &saved.executed {
            let action =
                vocabulary.find_action(name).ok_or_else(|| damaged(&format!("no action `{name}`")))?;
            let held = self.held(values)?;
            if !self.history.fits(action, &held) {
                return Err(damaged(&format!("the execution of `{name}`")));
            }
            self.history.executed(action, held);
        }
        for flight in &saved.unsettled {
            let mut action = self.read_proposal(&flight.proposal)?;
            action.0.arguments = crate::Arguments::default();
            if let Some(id) = action.0.critical {
                self.evaluator.doubt(id, true);
            }
            self.next_flight += 1;
            let judged = self.held(&flight.judged)?;
            if action.0.critical.is_some_and(|id| !self.history.fits(id, &judged)) {
                return Err(damaged(&format!("the effect of `{}`", action.name())));
            }
            let all = |paths: &[String]| {
                paths.iter().map(|path| find(path)).collect::<Result<Vec<VariableId>, Fault>>()
            };
            let (overridden, suspended) = (all(&flight.overridden)?, all(&flight.suspended)?);
            let number = self.next_flight;
            let rule = flight.rule;
            self.flights.push(Flight { number, action, rule, judged, overridden, suspended });
        }
        (self.epoch, self.insisted, self.acted) = (saved.epoch, saved.insisted, saved.acted);
        self.time = self.time.max(saved.time);
        if let Some(proposal) = &saved.advised {
            let action = self.read_proposal(proposal)?;
            self.advised = Some(Advised { action, epoch: self.epoch, activity: self.activity });
        }
        Ok(())
    }

    /// Takes over what another session has come to under another specification: all that is known, all
    /// actions that were performed, and the milestones that are `kept`.
    pub(super) fn take_over(&mut self, other: &Session, kept: &BTreeSet<String>) -> Result<(), Fault> {
        let mut saved = other.save();
        for (entry, held) in saved.achieved.iter_mut().zip(other.history.achieved()) {
            entry.rule = SavedRule::Replaced(other.history.rule_name(&other.evaluator, held));
        }
        saved.achieved.retain(|entry| {
            other.vocabulary().find_action(&entry.objective).is_some() || kept.contains(&entry.objective)
        });
        // The variables of its rules are others now.
        let executed = std::mem::take(&mut saved.executed);
        saved.advised = None;
        self.restore(&saved)?;
        for (name, mut values) in executed {
            let Some(action) = self.vocabulary().find_action(&name) else { continue };
            let wanted: Vec<VariableId> = self.history.variables(action).to_vec();
            let mut complete = Values::new();
            for id in wanted {
                let path = self.vocabulary().path(id);
                // What was not looked at then counts as it is now: only a later change is one.
                let now = self.evaluator.fact(id).value.as_ref().map(spelled);
                let then = values.remove(&path).unwrap_or(now);
                complete.insert(path, then);
            }
            let held = self.held(&complete)?;
            self.history.executed(action, held);
        }
        Ok(())
    }

    fn held(&mut self, values: &Values) -> Result<Vec<Held>, Fault> {
        let mut held = Vec::with_capacity(values.len());
        for (path, value) in values {
            let id =
                self.vocabulary().find_path(path).ok_or_else(|| damaged(&format!("no variable `{path}`")))?;
            let value = self.read_value(id, value.as_deref())?;
            let snapshot =
                self.evaluator.snapshot_of(value.as_ref()).map_err(|_| damaged("too many texts"))?;
            held.push((id, snapshot));
        }
        Ok(held)
    }

    fn read_value(&self, id: VariableId, text: Option<&str>) -> Result<Option<Value>, Fault> {
        let Some(text) = text else { return Ok(None) };
        let kind = self.vocabulary().variable(id).variable_type();
        let value = input::spelled(text, kind, None);
        value.map(Some).ok_or_else(|| damaged(&format!("a value of `{}`", self.vocabulary().path(id))))
    }

    fn read_proposal(&self, line: &str) -> Result<Action, Fault> {
        let limits = Limits::default();
        let wrong = || damaged("a proposal in it");
        let node = json::parse(&Source::new("saved", line), &limits).map_err(|_| wrong())?;
        match self.reader(&limits).event(&node).map_err(|_| wrong())?.kind {
            EventKind::Propose { action, .. } => Ok(*action),
            _ => Err(wrong()),
        }
    }
}

impl SessionBuilder {
    /// Starts a session from a saved one. Today, zone, strictness and parameters are the saved ones.
    /// A record that is kept starts with the saved session, so that it replays by itself.
    ///
    /// # Errors
    /// If the saved session belongs to another vocabulary, specification, policies or measure, or is
    /// damaged.
    pub fn restore(self, saved: &Saved) -> Result<Session, StartError> {
        if saved.version != VERSION {
            return Err(damaged(&format!("its version is {}, not {VERSION}", saved.version)).into());
        }
        let zone: Tz = saved.zone.parse().map_err(|_| damaged("its time zone"))?;
        let parameters = saved
            .parameters
            .iter()
            .map(|(name, text)| (name.clone(), Given::Spelled(text.clone())))
            .collect();
        let (mut session, record) = self.fixed(saved.today, zone, saved.strict, parameters).build()?;
        if session.start.hashes != saved.hashes {
            return Err(damaged("vocabulary, specification, policies or measure are others").into());
        }
        session.restore(saved)?;
        if let Some(record) = record {
            session.start_record(record, Some(saved))?;
        }
        Ok(session)
    }
}
