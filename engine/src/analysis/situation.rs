//! What answers are made of: situations, reasons.

use crate::compile::bind::Bindings;
use crate::eval::semantics::{self, View};
use crate::eval::{Fact, ValueSource};
use crate::ir::{Head, Objective, Rule, Specification};
use crate::schema::{StateId, VariableId, Vocabulary};
use crate::solve::{Limit, Model};
use crate::text::Similarity;
use crate::truth::Truth;
use crate::value::Value;
use chrono::NaiveDate;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer<W> {
    /// It can be so: this is an example, which the evaluator has confirmed.
    Yes(W),
    /// It can't, for this reason.
    No(Reason),
    /// The limit that was reached says nothing.
    Unknown(Limit),
}

impl<W> Answer<W> {
    /// Whether it is a yes.
    pub fn is_yes(&self) -> bool {
        matches!(self, Answer::Yes(_))
    }

    /// Whether it is a no.
    pub fn is_no(&self) -> bool {
        matches!(self, Answer::No(_))
    }

    /// The example, if it is a yes.
    pub fn example(&self) -> Option<&W> {
        match self {
            Answer::Yes(example) => Some(example),
            Answer::No(_) | Answer::Unknown(_) => None,
        }
    }
}

/// Parts of rules that exclude one another: without any of them it could be so.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Reason {
    /// The parts, in the order of the text.
    pub parts: Vec<Part>,
}

/// A part of a rule in the text.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Part {
    /// The number of its rule set, and its first and last byte.
    #[serde(skip)]
    pub(super) place: (usize, usize, usize),
    /// The name of the specification or policy.
    pub source: String,
    /// The line, from 1.
    pub line: usize,
    /// The rule.
    pub rule: String,
    /// The text.
    pub text: String,
    /// Whether it asks for similar texts, so that an answer depends on the measure behind `~`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub similarity: bool,
}

/// Said of an answer that another measure behind `~` could change.
pub(super) const DEPENDS: &str = "(depends on what `~` takes for similar)";

impl Reason {
    /// Whether another measure behind `~` could make it a yes.
    pub fn depends_on_similarity(&self) -> bool {
        self.parts.iter().any(|part| part.similarity)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {}:{})", self.text, self.rule, self.source, self.line)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            let and = if index > 0 { "\n" } else { "" };
            write!(f, "{and}{part}")?;
        }
        if self.depends_on_similarity() {
            write!(f, "\n{DEPENDS}")?;
        }
        Ok(())
    }
}

/// What is known, observed and achieved in an example.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Situation {
    /// Today, where it matters.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_date")]
    pub today: Option<NaiveDate>,
    /// The values of parameters.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_map")]
    pub parameters: Vec<(String, Value)>,
    /// What is known, by `State.variable`.
    #[serde(serialize_with = "as_map")]
    pub values: Vec<(String, Value)>,
    /// States of which something was observed that is unknown again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<String>,
    /// Objectives that are achieved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub achieved: Vec<String>,
    /// Whether a constraint on what is known asks for similar texts, so that another measure behind `~`
    /// could see it otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub similarity: bool,
}

fn as_date<S: Serializer>(date: &Option<NaiveDate>, serializer: S) -> Result<S::Ok, S::Error> {
    date.map(Value::Date).serialize(serializer)
}

pub(super) fn as_day<S: Serializer>(date: &NaiveDate, serializer: S) -> Result<S::Ok, S::Error> {
    Value::Date(*date).serialize(serializer)
}

pub(super) fn as_map<S: Serializer>(values: &[(String, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
}

impl Situation {
    /// The value of `State.variable`, if it is known.
    pub fn value(&self, path: &str) -> Option<&Value> {
        self.values.iter().find(|(known, _)| known == path).map(|(_, value)| value)
    }
}

impl fmt::Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.today.map(|today| format!("today is {today}")));
        parts.extend(self.parameters.iter().map(|(name, value)| format!("${name} = {value}")));
        parts.extend(self.values.iter().map(|(path, value)| format!("{path} = {value}")));
        parts.extend(self.observed.iter().map(|state| format!("{state} was observed")));
        parts.extend(self.achieved.iter().map(|objective| format!("{objective} is achieved")));
        if parts.is_empty() {
            f.write_str("nothing is known")?;
        }
        f.write_str(&parts.join(", "))?;
        if self.similarity { write!(f, " {DEPENDS}") } else { Ok(()) }
    }
}

/// A model as the evaluator sees a session.
pub(super) struct Known<'a> {
    vocabulary: &'a Vocabulary,
    model: &'a Model,
    /// Whether arguments are those of what was performed.
    committed: bool,
    measure: &'a dyn Similarity,
}

impl<'a> Known<'a> {
    pub(super) fn new(
        vocabulary: &'a Vocabulary,
        model: &'a Model,
        committed: bool,
        measure: &'a dyn Similarity,
    ) -> Known<'a> {
        Known { vocabulary, model, committed, measure }
    }
}

impl View for Known<'_> {
    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    fn fact(&self, id: VariableId) -> Fact {
        let state = self.vocabulary.variable(id).state();
        let argument = self.vocabulary.state(state).arguments_of().is_some();
        let value =
            if self.committed && argument { self.model.committed.get(&id) } else { self.model.value(id) };
        Fact { value: value.cloned(), source: ValueSource::App, counts: true }
    }

    fn observed(&self, state: StateId) -> bool {
        self.model.observed.contains(&state)
            || self.model.values.keys().any(|id| self.vocabulary.variable(*id).state() == state)
    }

    /// Constraints alone are asked about.
    fn objective(&self, _: Objective) -> Truth {
        Truth::Unknown
    }

    fn measure(&self) -> &dyn Similarity {
        self.measure
    }
}

/// Values, and what is achieved, as the evaluator sees a session.
pub(super) struct Scene<'a> {
    vocabulary: &'a Vocabulary,
    values: &'a BTreeMap<VariableId, Value>,
    /// States of which something was observed before.
    observed: Option<&'a BTreeSet<StateId>>,
    /// The number of a rule set, and all that is achieved.
    achieved: Option<(usize, &'a BTreeSet<(usize, Objective)>)>,
    measure: &'a dyn Similarity,
}

impl<'a> Scene<'a> {
    /// Of values alone.
    pub(super) fn of_values(
        vocabulary: &'a Vocabulary,
        values: &'a BTreeMap<VariableId, Value>,
        measure: &'a dyn Similarity,
    ) -> Scene<'a> {
        Scene { vocabulary, values, observed: None, achieved: None, measure }
    }

    /// With what was observed and achieved before, as a rule set sees it.
    pub(super) fn with(
        self,
        set: usize,
        observed: &'a BTreeSet<StateId>,
        achieved: &'a BTreeSet<(usize, Objective)>,
    ) -> Scene<'a> {
        Scene { observed: Some(observed), achieved: Some((set, achieved)), ..self }
    }
}

impl View for Scene<'_> {
    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    fn fact(&self, id: VariableId) -> Fact {
        Fact { value: self.values.get(&id).cloned(), source: ValueSource::App, counts: true }
    }

    fn observed(&self, state: StateId) -> bool {
        self.observed.is_some_and(|observed| observed.contains(&state))
            || self.values.keys().any(|id| self.vocabulary.variable(*id).state() == state)
    }

    fn objective(&self, objective: Objective) -> Truth {
        let Some((set, achieved)) = self.achieved else { return Truth::Unknown };
        if achieved.contains(&entry(set, objective)) { Truth::True } else { Truth::False }
    }

    fn measure(&self) -> &dyn Similarity {
        self.measure
    }
}

/// How a rule set's objective stands among what is achieved: actions are performed for all.
pub(super) fn entry(set: usize, objective: Objective) -> (usize, Objective) {
    match objective {
        Objective::Action(_) => (0, objective),
        Objective::Milestone(_) => (set, objective),
    }
}

/// What is true by itself: adds the milestones of a rule set that values achieve, and says whether its task is
/// complete.
pub(super) fn settle(
    specification: &Specification,
    bindings: &Bindings,
    set: usize,
    values: &BTreeMap<VariableId, Value>,
    observed: &BTreeSet<StateId>,
    achieved: &mut BTreeSet<(usize, Objective)>,
    measure: &dyn Similarity,
) -> bool {
    let is_true = |rule: &Rule, achieved: &BTreeSet<(usize, Objective)>| {
        let scene = Scene::of_values(specification.vocabulary(), values, measure);
        semantics::body(&scene.with(set, observed, achieved), specification, bindings, rule).is_true()
    };
    loop {
        let mut risen = Vec::new();
        for rule in specification.rules() {
            if let Head::Objective(milestone @ Objective::Milestone(_)) = rule.head()
                && !achieved.contains(&(set, milestone))
                && is_true(rule, achieved)
            {
                risen.push((set, milestone));
            }
        }
        if risen.is_empty() {
            break;
        }
        achieved.extend(risen);
    }
    specification.rules().iter().any(|rule| rule.head() == Head::Done && is_true(rule, achieved))
}
