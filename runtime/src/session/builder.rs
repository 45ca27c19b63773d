//! How a session starts: what is fixed for its life.

use super::clock::{Clock, ManualClock, SystemClock};
use super::history::History;
use super::record::{Hashes, Record, Recorder};
use super::replay::trace_clock;
use super::{Age, Saved, Session, Trigger};
use crate::typed::Spec;
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use intentgate_engine::compile::bind::{BindError, Given};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::Evaluator;
use intentgate_engine::ir::{Kind, Specification};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::MaxAge;
#[cfg(feature = "z3")]
use intentgate_engine::solve::Bounds;
use intentgate_engine::text::{LocalSimilarity, Similarity};
use intentgate_engine::value::Value;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is fixed when a session starts.
pub(crate) struct Start {
    pub(crate) specification: Arc<Specification>,
    pub(crate) policies: Vec<Arc<Specification>>,
    pub(crate) parameters: Vec<(String, Given)>,
    pub(crate) today: NaiveDate,
    pub(crate) zone: Tz,
    pub(crate) strict: bool,
    pub(crate) hashes: Hashes,
    pub(crate) measure: Arc<dyn Similarity>,
    pub(crate) limits: Limits,
    #[cfg(feature = "z3")]
    pub(crate) bounds: Bounds,
}

/// Why a session can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Parameters or dates that can't be bound.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// Rule sets that don't belong together, or a record that can't be written.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Builds a [`Session`].
#[must_use]
pub struct SessionBuilder {
    specification: Arc<Specification>,
    policies: Vec<Arc<Specification>>,
    parameters: Vec<(String, Given)>,
    today: Option<NaiveDate>,
    zone: Tz,
    strict: bool,
    clock: Box<dyn Clock>,
    record: Option<Box<dyn Record>>,
    measure: Arc<dyn Similarity>,
    limits: Limits,
    #[cfg(feature = "z3")]
    bounds: Bounds,
    triggers: Vec<(String, Trigger)>,
}

impl SessionBuilder {
    pub(super) fn new(spec: Spec) -> SessionBuilder {
        let builder = SessionBuilder {
            specification: spec.specification,
            policies: Vec::new(),
            parameters: spec.parameters,
            today: None,
            zone: Tz::UTC,
            strict: false,
            clock: Box::new(SystemClock),
            record: None,
            measure: Arc::new(LocalSimilarity),
            limits: Limits::default(),
            #[cfg(feature = "z3")]
            bounds: Bounds::default(),
            triggers: Vec::new(),
        };
        (spec.register)(builder)
    }

    /// Adds a policy: it can only narrow what the specification allows. A parameter of the same name
    /// has to have the same value.
    pub fn policy(mut self, policy: impl Into<Spec>) -> Self {
        let policy = policy.into();
        self.policies.push(policy.specification);
        for parameter in policy.parameters {
            if !self.parameters.contains(&parameter) {
                self.parameters.push(parameter);
            }
        }
        self
    }

    /// Gives a parameter a value: its text, or any spelling of the language for its type.
    pub fn parameter(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.parameters.push((name.into(), Given::Spelled(value.into())));
        self
    }

    /// Gives a parameter a typed value.
    pub fn parameter_value(mut self, name: impl Into<String>, value: Value) -> Self {
        self.parameters.push((name.into(), Given::Value(value)));
        self
    }

    /// Gives a parameter a value, as [`SessionBuilder::parameter`] or as
    /// [`SessionBuilder::parameter_value`].
    pub fn given(mut self, name: impl Into<String>, given: Given) -> Self {
        self.parameters.push((name.into(), given));
        self
    }

    /// Without the values that a parameter has been given.
    pub(crate) fn without_parameter(mut self, name: &str) -> Self {
        self.parameters.retain(|(known, _)| known != name);
        self
    }

    /// Whether a parameter of that name is declared.
    #[cfg(feature = "z3")]
    pub(crate) fn declares(&self, name: &str) -> bool {
        let sets = self.policies.iter().chain([&self.specification]);
        sets.into_iter().any(|set| set.parameters().iter().any(|parameter| parameter.name() == name))
    }

    /// Fixes today; without this it is read once from the clock, in the zone.
    pub fn today(mut self, today: NaiveDate) -> Self {
        self.today = Some(today);
        self
    }

    /// The zone in which today is read and readings are recorded; UTC without this.
    pub fn zone(mut self, zone: Tz) -> Self {
        self.zone = zone;
        self
    }

    /// Advises when any concerned rule is violated, not only when all are.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Another clock than the machine's.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// With a clock that stands still at the start of today, which is `today` unless the builder says
    /// otherwise.
    pub(crate) fn standing_still(mut self, today: NaiveDate) -> (Self, ManualClock) {
        let today = *self.today.get_or_insert(today);
        let clock = trace_clock(today, self.zone);
        (self.clock(clock.clone()), clock)
    }

    /// Where the record goes; without this there is none.
    pub fn record(mut self, record: impl Record + 'static) -> Self {
        self.record = Some(Box::new(record));
        self
    }

    /// Another measure behind `~` than the local one.
    pub fn similarity(mut self, measure: Arc<dyn Similarity>) -> Self {
        self.measure = measure;
        self
    }

    /// Other limits than the defaults.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How much a question to the solver may cost: [`Session::replace_spec`], [`Session::attainability`].
    #[cfg(feature = "z3")]
    pub fn solver_bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// Registers what computes, before the action of that name runs, the update it would cause. A later
    /// trigger of the same name replaces it.
    pub fn trigger(
        mut self,
        action: impl Into<String>,
        trigger: impl Fn(&crate::Arguments, &dyn super::Facts) -> Result<crate::Update, super::TriggerError>
        + Send
        + 'static,
    ) -> Self {
        let action = action.into();
        self.triggers.retain(|(name, _)| *name != action);
        self.triggers.push((action, Box::new(trigger)));
        self
    }

    /// Starts the session.
    ///
    /// # Errors
    /// Parameters without a value, values for no parameter or of the wrong type; a policy that is a
    /// specification or the other way round; rule sets of different vocabularies; a record that can't
    /// be written.
    pub fn start(self) -> Result<Session, StartError> {
        let (mut session, record) = self.build()?;
        if let Some(record) = record {
            session.start_record(record, None)?;
        }
        Ok(session)
    }

    /// The session without a record, and where the record goes.
    pub(super) fn build(self) -> Result<(Session, Option<Box<dyn Record>>), StartError> {
        self.check_sets()?;
        let reading = self.clock.now();
        let today = self.today.unwrap_or_else(|| reading.time.with_timezone(&self.zone).date_naive());
        let evaluator = Evaluator::new(
            Arc::clone(&self.specification),
            &self.policies,
            today,
            &self.parameters,
            Arc::clone(&self.measure),
            &self.limits,
        )?;
        let vocabulary = Arc::clone(evaluator.vocabulary());
        let hashes = Hashes {
            vocabulary: vocabulary.hash().to_owned(),
            spec: self.specification.hash().to_owned(),
            policies: self.policies.iter().map(|policy| policy.hash().to_owned()).collect(),
            similarity: evaluator.measure().name().to_owned(),
        };
        let ages: Vec<Age> = vocabulary
            .aging()
            .iter()
            .filter_map(|id| {
                let limit = vocabulary.variable(*id).max_age()?;
                Some(Age { variable: *id, limit, epoch: 0, at: reading.time })
            })
            .collect();
        let timed = ages.iter().any(|age| matches!(age.limit, MaxAge::Time(_)));
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let session = Session {
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
            history: History::new(&evaluator),
            evaluator,
            start: Start {
                specification: self.specification,
                policies: self.policies,
                parameters: self.parameters,
                today,
                zone: self.zone,
                strict: self.strict,
                hashes,
                measure: self.measure,
                limits: self.limits,
                #[cfg(feature = "z3")]
                bounds: self.bounds,
            },
            epoch: 0,
            activity: 0,
            flights: Vec::with_capacity(4),
            next_flight: 0,
            spare: vec![Vec::with_capacity(16), Vec::with_capacity(16)],
            advised: None,
            insisted: 0,
            triggers: self.triggers,
            ages,
            timed,
            clock: self.clock,
            time: reading.time.max(DateTime::<Utc>::MIN_UTC),
            reading: reading.fresh.then_some(reading.time),
            recorder: None,
            broken: false,
            acted: false,
        };
        Ok((session, self.record))
    }

    /// For a session like another one, with another specification.
    pub(super) fn like(start: &Start, time: DateTime<Utc>, spec: Spec) -> SessionBuilder {
        SessionBuilder {
            policies: start.policies.clone(),
            today: Some(start.today),
            zone: start.zone,
            strict: start.strict,
            clock: Box::new(ManualClock::new(time)),
            measure: Arc::clone(&start.measure),
            limits: start.limits,
            #[cfg(feature = "z3")]
            bounds: start.bounds,
            ..SessionBuilder::new(Spec { register: |builder| builder, ..spec })
        }
    }

    fn check_sets(&self) -> Result<(), Fault> {
        if self.specification.kind() == Kind::Policy {
            return Err(Fault::new(Code::NoDone, "a policy can't be the specification of a session")
                .help("check it as a specification; a guard without an end starts with `standing`"));
        }
        for policy in &self.policies {
            if policy.kind() != Kind::Policy {
                let message = format!("`{}` is not a policy", policy.source().name());
                return Err(Fault::new(Code::PolicyConcludes, message).help("check it as a policy"));
            }
            if policy.vocabulary().identity() != self.specification.vocabulary().identity() {
                let message = format!("`{}` was checked against another vocabulary", policy.source().name());
                return Err(Fault::new(Code::UnknownState, message).help("check it against the same one"));
            }
        }
        Ok(())
    }

    pub(super) fn fixed(
        mut self,
        today: NaiveDate,
        zone: Tz,
        strict: bool,
        parameters: Vec<(String, Given)>,
    ) -> Self {
        (self.today, self.zone, self.strict, self.parameters) = (Some(today), zone, strict, parameters);
        self
    }
}

impl Session {
    /// Writes the start line of a record.
    pub(super) fn start_record(
        &mut self,
        record: Box<dyn Record>,
        saved: Option<&Saved>,
    ) -> Result<(), Fault> {
        let hash = self.start.hashes.spec.clone();
        self.recorder = Some(Recorder::new(record, hash));
        let start = self.start.to_json(&self.evaluator, saved)?;
        self.record_start(self.start.hashes.clone(), start)
    }
}

/// A text that binds to the same value.
pub(crate) fn spelled(given: &Given) -> String {
    match given {
        Given::Spelled(text) => text.clone(),
        Given::Value(value) => super::saved::spelled(value),
    }
}

impl Start {
    /// Everything that a replay needs, as the input of the start line.
    fn to_json(&self, evaluator: &Evaluator, saved: Option<&Saved>) -> Result<Box<RawValue>, Fault> {
        let text = |specification: &Specification| {
            let source = specification.source();
            serde_json::json!({"name": source.name(), "text": source.text()})
        };
        let mut start = serde_json::json!({
            "app": evaluator.vocabulary().declaration(),
            "spec": text(&self.specification),
            "policies": self.policies.iter().map(|policy| text(policy)).collect::<Vec<_>>(),
            "parameters": self.spelled_parameters(),
            "today": self.today.to_string(),
            "zone": self.zone.name(),
            "strict": self.strict,
        });
        if let (Some(saved), Some(start)) = (saved, start.as_object_mut()) {
            start.insert("saved".to_owned(), serde_json::to_value(saved).unwrap_or_default());
        }
        let line = serde_json::to_string(&start).and_then(RawValue::from_string);
        line.map_err(|error| Fault::new(Code::RecordFailed, format!("the start can't be recorded: {error}")))
    }

    /// Parameters as texts that bind to the same values.
    pub(super) fn spelled_parameters(&self) -> serde_json::Map<String, serde_json::Value> {
        self.parameters.iter().map(|(name, given)| (name.clone(), spelled(given).into())).collect()
    }
}
