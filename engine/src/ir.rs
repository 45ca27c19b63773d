//! The typed specification: names are ids, types fit, cycles are gone. It cannot be wrong.
//!
//! Only the checker makes one; everything behind it reads. Must never know how it was written.

mod describe;

pub use crate::operator::Operator;
use crate::schema::{ActionId, StateId, VariableId, VariableType, Vocabulary};
use crate::span::{Source, Span};
use crate::value::{Text, Value};
use std::sync::Arc;

/// What kind of rule set it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A task: it ends with `Done`.
    Intent,
    /// A guard without an end.
    Standing,
    /// Prohibitions that narrow what an intent allows.
    Policy,
}

/// The number of a milestone in its specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MilestoneId(pub(crate) u32);

/// The number of a parameter in its specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(pub(crate) u32);

impl MilestoneId {
    /// Its place, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ParameterId {
    /// Its place, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A named step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Objective {
    /// Achieved when its critical action was permitted, executed and reported as done.
    Action(ActionId),
    /// Achieved when one of its rules is true in the committed state.
    Milestone(MilestoneId),
}

/// What a rule concludes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Head {
    /// A named step.
    Objective(Objective),
    /// The end of the task.
    Done,
    /// Nothing may make this true: a prohibition.
    Never,
}

impl Head {
    /// The critical action that it is, if it is one.
    pub fn action(self) -> Option<ActionId> {
        match self {
            Head::Objective(Objective::Action(action)) => Some(action),
            Head::Objective(Objective::Milestone(_)) | Head::Done | Head::Never => None,
        }
    }
}

/// A Horn clause.
#[derive(Debug, Clone)]
pub struct Rule {
    pub(crate) label: Option<Box<str>>,
    pub(crate) head: Head,
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) span: Span,
}

impl Rule {
    /// The label, if it has one.
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// What it concludes.
    pub fn head(&self) -> Head {
        self.head
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// A part of a body.
#[derive(Debug, Clone)]
pub struct Predicate {
    pub(crate) kind: PredicateKind,
    pub(crate) span: Span,
}

/// The kinds of predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PredicateKind {
    /// An objective that has to be achieved.
    Objective(Objective),
    /// A state whose constraints have to hold.
    State {
        /// The state.
        state: StateId,
        /// The first of its constraints, and how many there are.
        constraints: (u32, u32),
    },
}

impl Predicate {
    /// What it is.
    pub fn kind(&self) -> PredicateKind {
        self.kind
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// `variable operator operand`, well-typed.
#[derive(Debug, Clone)]
pub struct Constraint {
    pub(crate) variable: VariableId,
    pub(crate) operator: Operator,
    pub(crate) operand: Operand,
    pub(crate) span: Span,
}

impl Constraint {
    /// The variable.
    pub fn variable(&self) -> VariableId {
        self.variable
    }

    /// The operator.
    pub fn operator(&self) -> Operator {
        self.operator
    }

    /// What it is compared with.
    pub fn operand(&self) -> &Operand {
        &self.operand
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The variables it depends on: one or two.
    pub fn variables(&self) -> impl Iterator<Item = VariableId> + use<> {
        let other = match self.operand {
            Operand::Variable(other) if other != self.variable => Some(other),
            _ => None,
        };
        std::iter::once(self.variable).chain(other)
    }
}

/// The right side of a constraint.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operand {
    /// One value.
    Single(Element),
    /// Another variable of the same type.
    Variable(VariableId),
    /// One of several values.
    List(Box<[Element]>),
}

/// A value that may depend on how the session starts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Element {
    /// A constant.
    Value(Value),
    /// So many days from the session's today.
    Today(i64),
    /// The value bound to a parameter.
    Parameter(ParameterId),
}

/// A parameter: typed by its use.
#[derive(Debug, Clone)]
pub struct Parameter {
    pub(crate) name: Text,
    pub(crate) kind: VariableType,
    pub(crate) span: Span,
}

impl Parameter {
    /// Its name, without `$`.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Its type.
    pub fn variable_type(&self) -> &VariableType {
        &self.kind
    }

    /// Where it is first used.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// A checked specification or policy.
#[derive(Debug, Clone)]
pub struct Specification {
    pub(crate) source: Source,
    pub(crate) kind: Kind,
    pub(crate) vocabulary: Arc<Vocabulary>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) milestones: Vec<Text>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) hash: String,
}

impl Specification {
    /// The text it was read from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What kind of rule set it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The vocabulary it was checked against.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The rules, in order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The predicates of a rule, in order.
    pub fn body(&self, rule: &Rule) -> &[Predicate] {
        let first = rule.first as usize;
        self.predicates.get(first..first + rule.count as usize).unwrap_or(&[])
    }

    /// The constraints of a state predicate, in order; none for an objective.
    pub fn constraints(&self, predicate: &Predicate) -> &[Constraint] {
        match predicate.kind {
            PredicateKind::State { constraints: (first, count), .. } => {
                self.constraints.get(first as usize..first as usize + count as usize).unwrap_or(&[])
            }
            PredicateKind::Objective(_) => &[],
        }
    }

    /// The names of the milestones.
    pub fn milestones(&self) -> impl ExactSizeIterator<Item = &str> {
        self.milestones.iter().map(Text::as_str)
    }

    /// The parameters, in the order of their first use.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Whether it has dates that count from today.
    pub fn speaks_of_today(&self) -> bool {
        self.constraints.iter().any(|constraint| match &constraint.operand {
            Operand::Single(element) => matches!(element, Element::Today(_)),
            Operand::List(elements) => elements.iter().any(|element| matches!(element, Element::Today(_))),
            Operand::Variable(_) => false,
        })
    }

    /// The name of an objective.
    pub fn objective_name(&self, objective: Objective) -> &str {
        match objective {
            Objective::Action(id) => self.vocabulary.action(id).name(),
            Objective::Milestone(id) => self.milestones.get(id.index()).map_or("", Text::as_str),
        }
    }

    /// The name of a head.
    pub fn head_name(&self, head: Head) -> &str {
        match head {
            Head::Objective(objective) => self.objective_name(objective),
            Head::Done => "Done",
            Head::Never => "Never",
        }
    }

    /// How a rule is called in messages: its label, or `rule 3`.
    pub fn rule_name(&self, index: usize) -> String {
        match self.rules.get(index).and_then(Rule::label) {
            Some(label) => label.to_owned(),
            None => format!("rule {}", index + 1),
        }
    }

    /// SHA-256 over the canonical text, in lower-case hexadecimal.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}
