//! What constraints, predicates and bodies mean, said once, slowly and obviously.
//!
//! Feedback is computed by these functions, and so is everything that the naive evaluator says; the
//! incremental one has to agree with them.

use super::Fact;
use crate::comparison::compare;
use crate::compile::bind::Bindings;
use crate::ir::{Constraint, Objective, Operand, Operator, Predicate, PredicateKind, Rule, Specification};
use crate::schema::{ActionId, StateId, VariableId, Vocabulary};
use crate::text::Similarity;
use crate::truth::Truth;
use crate::value::Value;

/// What a session knows.
pub trait View {
    /// The vocabulary.
    fn vocabulary(&self) -> &Vocabulary;
    /// What is known of a variable.
    fn fact(&self, id: VariableId) -> Fact;
    /// Whether a variable of the state has been observed.
    fn observed(&self, state: StateId) -> bool;
    /// True if achieved; unknown if it may have happened; else false.
    fn objective(&self, objective: Objective) -> Truth;
    /// The measure behind `~`.
    fn measure(&self) -> &dyn Similarity;
}

/// The truth of a constraint. `raw` takes values that don't count at rule level as they are.
pub fn constraint(view: &dyn View, bindings: &Bindings, constraint: &Constraint, raw: bool) -> Truth {
    let vocabulary = view.vocabulary();
    let known = |id: VariableId| {
        let fact = view.fact(id);
        fact.value.filter(|_| fact.counts || raw)
    };
    let ignores = |id: VariableId| vocabulary.variable(id).ignores_case();
    let left_id = constraint.variable();
    let Some(left) = known(left_id) else {
        return Truth::Unknown;
    };
    let test = |operator, right: Option<Value>, ignore_case| match right {
        Some(right) => compare(operator, &left, &right, ignore_case, view.measure()),
        None => Truth::Unknown,
    };
    match constraint.operand() {
        Operand::Single(element) => test(constraint.operator(), bindings.value(element), ignores(left_id)),
        Operand::Variable(right) => {
            test(constraint.operator(), known(*right), ignores(left_id) || ignores(*right))
        }
        Operand::List(elements) => {
            let equal = |element| test(Operator::Equal, bindings.value(element), ignores(left_id));
            let found = Truth::any(elements.iter().map(equal));
            if constraint.operator() == Operator::NotIn { found.negate() } else { found }
        }
    }
}

/// The truth of a predicate. `attempted` counts as achieved.
pub fn predicate(
    view: &dyn View,
    specification: &Specification,
    bindings: &Bindings,
    predicate: &Predicate,
    attempted: Option<ActionId>,
) -> Truth {
    match predicate.kind() {
        PredicateKind::Objective(Objective::Action(action)) if Some(action) == attempted => Truth::True,
        PredicateKind::Objective(objective) => view.objective(objective),
        PredicateKind::State { state, constraints: (_, 0) } => Truth::known(view.observed(state)),
        PredicateKind::State { .. } => Truth::all(
            specification.constraints(predicate).iter().map(|part| constraint(view, bindings, part, false)),
        ),
    }
}

/// The truth of a rule's body outside of prohibitions: an objective that may have been achieved is not.
pub fn body(view: &dyn View, specification: &Specification, bindings: &Bindings, rule: &Rule) -> Truth {
    Truth::all(specification.body(rule).iter().map(|part| match part.kind() {
        PredicateKind::Objective(objective) => Truth::known(view.objective(objective).is_true()),
        PredicateKind::State { .. } => predicate(view, specification, bindings, part, None),
    }))
}

/// The truth of a prohibition's body when an action is attempted, which counts as achieved.
pub fn prohibition(
    view: &dyn View,
    specification: &Specification,
    bindings: &Bindings,
    rule: &Rule,
    attempted: ActionId,
) -> Truth {
    Truth::all(
        specification
            .body(rule)
            .iter()
            .map(|part| predicate(view, specification, bindings, part, Some(attempted))),
    )
}

/// The critical actions that a prohibition names, by their bare name or by their arguments. If there
/// are none it concerns every critical action.
pub fn named_actions(specification: &Specification, rule: &Rule) -> Vec<ActionId> {
    let mut named: Vec<ActionId> = specification
        .body(rule)
        .iter()
        .filter_map(|predicate| match predicate.kind() {
            PredicateKind::Objective(Objective::Action(action)) => Some(action),
            PredicateKind::Objective(Objective::Milestone(_)) => None,
            PredicateKind::State { state, .. } => specification.vocabulary().state(state).arguments_of(),
        })
        .collect();
    named.sort_unstable();
    named.dedup();
    named
}

/// Whether a prohibition concerns an action.
pub fn concerns(specification: &Specification, rule: &Rule, action: ActionId) -> bool {
    let named = named_actions(specification, rule);
    named.is_empty() || named.contains(&action)
}
