//! What the gate says, as data (VeriSafe Agent 6: roadmap, soft and hard feedback).
//!
//! A pure function of what the session knows; the same inputs give the same bytes. The words are
//! made in [`super::wording`]. Must never change anything.

use intentgate_engine::diagnostic::Code;
use intentgate_engine::eval::semantics;
use intentgate_engine::eval::{Assignment, Evaluator, RuleSet, ValueSource};
use intentgate_engine::ir::{
    Constraint, Head, Objective, Operand, Operator, PredicateKind, Rule, Specification,
};
use intentgate_engine::schema::{ActionId, VariableId};
use intentgate_engine::text::lookalike;
use intentgate_engine::truth::Truth;
use intentgate_engine::value::Value;
use serde::{Deserialize, Serialize};

/// What kind of feedback it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackKind {
    /// Soft: a step that contradicts the intent, as far as can be seen. Insisting passes.
    Advice,
    /// Hard: a critical action whose conditions don't hold. Insisting never passes.
    Block,
    /// Something worth knowing about an allowed step or an observation.
    Note,
}

/// Feedback on one proposal or observation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Feedback {
    /// What kind.
    pub kind: FeedbackKind,
    /// The action, as the agent named it; none for an observation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Why, as stable codes.
    pub codes: Vec<Code>,
    /// The rules that would have to be true, the nearest to true first; for advice, those that the
    /// step contradicts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<RuleReport>,
    /// The prohibitions that stand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prohibitions: Vec<RuleReport>,
    /// Further sentences: a near name, a failed trigger.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Feedback {
    /// Feedback with one code and nothing more to say.
    pub(crate) fn new(kind: FeedbackKind, action: Option<&str>, code: Code) -> Feedback {
        Feedback {
            kind,
            action: action.map(str::to_owned),
            codes: vec![code],
            alternatives: Vec::new(),
            prohibitions: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// A rule and the state of each of its parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleReport {
    /// Its label, or `rule 3`.
    pub rule: String,
    /// The name of the specification or policy it stands in.
    pub source: String,
    /// What it concludes: an objective, `Done` or `Never`.
    pub head: String,
    /// Whether the head is a critical action.
    pub critical: bool,
    /// The truth of the whole body.
    pub truth: Truth,
    /// The parts, in order.
    pub predicates: Vec<PredicateReport>,
}

impl RuleReport {
    /// What doesn't hold: variables as `State.variable`, objectives, and states of which nothing was
    /// observed, by their names; each once, in order.
    pub fn unmet(&self) -> Vec<String> {
        let mut unmet: Vec<String> = Vec::new();
        for predicate in self.predicates.iter().filter(|predicate| !predicate.truth.is_true()) {
            let constraints = predicate.constraints.iter().filter(|constraint| !constraint.truth.is_true());
            let mut parts: Vec<String> =
                constraints.map(|constraint| format!("{}.{}", predicate.name, constraint.variable)).collect();
            if predicate.constraints.is_empty() {
                parts.push(predicate.name.clone());
            }
            for part in parts {
                if !unmet.contains(&part) {
                    unmet.push(part);
                }
            }
        }
        unmet
    }
}

/// A predicate and its truth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PredicateReport {
    /// The state or the objective.
    pub name: String,
    /// What it is, in the app developer's words; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Whether it is an objective.
    #[serde(default, skip_serializing_if = "is_false")]
    pub objective: bool,
    /// Whether it is an objective that a critical action performs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub critical: bool,
    /// Whether it is an objective of which it is unknown if it was performed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unsettled: bool,
    /// Its truth.
    pub truth: Truth,
    /// The parts of a state predicate, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<ConstraintReport>,
}

/// A constraint, what was found and what is wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConstraintReport {
    /// The variable, without its state.
    pub variable: String,
    /// The operator, in its ASCII spelling.
    pub operator: String,
    /// What is wanted, as written in the language.
    pub wanted: String,
    /// What that is in this session, where it differs: the date that `today` is, the value of a
    /// parameter or of another variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted_now: Option<String>,
    /// What was found, as written in the language; none if nothing was observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Its truth.
    pub truth: Truth,
    /// Why it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<UnknownReason>,
}

/// Why a constraint is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownReason {
    /// A variable was not observed.
    NotObserved(String),
    /// An argument was not given.
    NotGiven(String),
    /// The value comes from a source that the variable doesn't accept.
    SourceNotAccepted(String),
    /// The value is older than the variable allows.
    TooOld(String),
    /// An effect that may have changed it has begun, and how it ended is not known.
    BeingChanged(String),
    /// The texts differ and look alike; these are the characters that tell them apart.
    LooksAlike(Vec<String>),
    /// It can't be known: the empty text is in nothing.
    NotDefined,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Reports on a rule, counted over all sets. `attempted` counts as achieved in a prohibition.
pub(crate) fn rule_report(
    evaluator: &Evaluator,
    rule: usize,
    attempted: Option<ActionId>,
) -> Option<RuleReport> {
    let (set, index) = evaluator.locate(rule)?;
    let specification = set.specification();
    let rule = specification.rules().get(index)?;
    let reporter = Reporter { evaluator, set, specification, rule, attempted };
    let predicates: Vec<PredicateReport> =
        specification.body(rule).iter().map(|predicate| reporter.predicate(predicate)).collect();
    Some(RuleReport {
        rule: specification.rule_name(index),
        source: specification.source().name().to_owned(),
        head: specification.head_name(rule.head()).to_owned(),
        critical: matches!(rule.head(), Head::Objective(Objective::Action(_))),
        truth: Truth::all(predicates.iter().map(|predicate| predicate.truth)),
        predicates,
    })
}

/// The rules that an update contradicts, with no more than the constraints that do: those that it
/// touches and that are false.
pub(crate) fn contradictions(evaluator: &Evaluator, touched: &[Assignment]) -> Vec<RuleReport> {
    let vocabulary = evaluator.vocabulary();
    let names: Vec<(&str, &str)> = touched
        .iter()
        .map(|assignment| {
            let variable = vocabulary.variable(assignment.variable);
            (vocabulary.state(variable.state()).name(), variable.name())
        })
        .collect();
    let paths: Vec<String> = names.iter().map(|(state, name)| format!("{state}.{name}")).collect();
    let mut reports: Vec<RuleReport> = evaluator
        .violated_rules()
        .into_iter()
        .filter_map(|rule| rule_report(evaluator, rule, None))
        .collect();
    for predicate in reports.iter_mut().flat_map(|report| &mut report.predicates) {
        let state = predicate.name.clone();
        predicate.constraints.retain(|constraint| {
            let own = names.contains(&(state.as_str(), constraint.variable.as_str()));
            constraint.truth.is_false() && (own || paths.contains(&constraint.wanted))
        });
    }
    for report in &mut reports {
        report.predicates.retain(|predicate| !predicate.constraints.is_empty());
    }
    nearest_first(&mut reports);
    reports
}

/// The nearest to true first: fewest false constraints, then fewest unknown ones, then the order of
/// the text.
pub(crate) fn nearest_first(reports: &mut [RuleReport]) {
    reports.sort_by_key(|report| {
        let count = |wanted: Truth| -> usize {
            let parts = |predicate: &PredicateReport| {
                if predicate.constraints.is_empty() {
                    usize::from(predicate.truth == wanted)
                } else {
                    predicate.constraints.iter().filter(|constraint| constraint.truth == wanted).count()
                }
            };
            report.predicates.iter().map(parts).sum()
        };
        (count(Truth::False), count(Truth::Unknown))
    });
}

struct Reporter<'a> {
    evaluator: &'a Evaluator,
    set: &'a RuleSet,
    specification: &'a Specification,
    rule: &'a Rule,
    attempted: Option<ActionId>,
}

impl Reporter<'_> {
    fn predicate(&self, predicate: &intentgate_engine::ir::Predicate) -> PredicateReport {
        let vocabulary = self.evaluator.vocabulary();
        match predicate.kind() {
            PredicateKind::Objective(objective) => {
                let truth = semantics::predicate(
                    self.evaluator,
                    self.specification,
                    self.set.bindings(),
                    predicate,
                    self.attempted,
                );
                let prohibition = self.rule.head() == Head::Never;
                PredicateReport {
                    name: self.specification.objective_name(objective).to_owned(),
                    description: match objective {
                        Objective::Action(id) => vocabulary.action(id).description().to_owned(),
                        Objective::Milestone(_) => String::new(),
                    },
                    objective: true,
                    critical: matches!(objective, Objective::Action(_)),
                    unsettled: truth == Truth::Unknown,
                    truth: if prohibition { truth } else { Truth::known(truth.is_true()) },
                    constraints: Vec::new(),
                }
            }
            PredicateKind::State { state, .. } => {
                let schema = vocabulary.state(state);
                let constraints: Vec<ConstraintReport> = self
                    .specification
                    .constraints(predicate)
                    .iter()
                    .map(|constraint| self.constraint(constraint))
                    .collect();
                let description = match schema.arguments_of() {
                    Some(action) => {
                        let name = vocabulary.action(action).name();
                        format!("the arguments of {name}")
                    }
                    None => schema.description().to_owned(),
                };
                let truth = if constraints.is_empty() {
                    Truth::known(self.evaluator.is_observed(state))
                } else {
                    Truth::all(constraints.iter().map(|constraint| constraint.truth))
                };
                PredicateReport {
                    name: schema.name().to_owned(),
                    description,
                    objective: false,
                    critical: false,
                    unsettled: false,
                    truth,
                    constraints,
                }
            }
        }
    }

    fn constraint(&self, constraint: &Constraint) -> ConstraintReport {
        let vocabulary = self.evaluator.vocabulary();
        let fact = self.evaluator.fact(constraint.variable());
        let truth = semantics::constraint(self.evaluator, self.set.bindings(), constraint, false);
        let wanted = self.specification.operand_text(constraint.operand());
        let now = self.operand_now(constraint.operand());
        ConstraintReport {
            variable: vocabulary.variable(constraint.variable()).name().to_owned(),
            operator: constraint.operator().ascii().to_owned(),
            wanted_now: now.filter(|now| *now != wanted),
            wanted,
            found: fact.value.as_ref().map(Value::to_string),
            truth,
            unknown: (truth == Truth::Unknown).then(|| self.reason(constraint)),
        }
    }

    /// The operand with everything bound that the session binds.
    fn operand_now(&self, operand: &Operand) -> Option<String> {
        match operand {
            Operand::Single(element) => self.set.bindings().value(element).map(|value| value.to_string()),
            Operand::Variable(id) => self.evaluator.fact(*id).value.map(|value| value.to_string()),
            Operand::List(elements) => {
                let values: Vec<String> = elements
                    .iter()
                    .filter_map(|element| self.set.bindings().value(element))
                    .map(|value| value.to_string())
                    .collect();
                Some(format!("[{}]", values.join(", ")))
            }
        }
    }

    fn reason(&self, constraint: &Constraint) -> UnknownReason {
        for id in constraint.variables() {
            let fact = self.evaluator.fact(id);
            if fact.value.is_none() {
                let vocabulary = self.evaluator.vocabulary();
                let argument = vocabulary.state(vocabulary.variable(id).state()).arguments_of().is_some();
                let path = self.path(id);
                return if argument {
                    UnknownReason::NotGiven(path)
                } else {
                    UnknownReason::NotObserved(path)
                };
            }
            if !fact.counts {
                let demands = self.evaluator.vocabulary().variable(id).demands_app();
                return if demands && fact.source != ValueSource::App {
                    UnknownReason::SourceNotAccepted(self.path(id))
                } else if self.evaluator.vocabulary().variable(id).max_age().is_some() {
                    UnknownReason::TooOld(self.path(id))
                } else {
                    UnknownReason::BeingChanged(self.path(id))
                };
            }
        }
        let text = |value: Option<Value>| match value {
            Some(Value::Text(text)) => Some(text.as_str().to_owned()),
            _ => None,
        };
        let found = text(self.evaluator.fact(constraint.variable()).value).unwrap_or_default();
        let wanted: Vec<String> = match constraint.operand() {
            Operand::Single(element) => text(self.set.bindings().value(element)).into_iter().collect(),
            Operand::Variable(id) => text(self.evaluator.fact(*id).value).into_iter().collect(),
            Operand::List(elements) => {
                elements.iter().filter_map(|element| text(self.set.bindings().value(element))).collect()
            }
        };
        let occurrence = !matches!(constraint.operand(), Operand::List(_))
            && matches!(
                constraint.operator(),
                Operator::In | Operator::NotIn | Operator::Contains | Operator::NotContains
            );
        if occurrence && (found.is_empty() || wanted.iter().any(String::is_empty)) {
            return UnknownReason::NotDefined;
        }
        let mut told: Vec<String> = Vec::new();
        for other in &wanted {
            for (text, other) in [(&found, other), (other, &found)] {
                let characters = lookalike::telling_characters(text, other);
                told.extend(
                    characters.into_iter().filter(|character| !told.contains(character)).collect::<Vec<_>>(),
                );
            }
        }
        told.truncate(8);
        UnknownReason::LooksAlike(told)
    }

    fn path(&self, id: VariableId) -> String {
        self.evaluator.vocabulary().path(id)
    }
}
