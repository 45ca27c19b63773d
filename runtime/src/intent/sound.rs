//! Whether a specification can be met, says something, ends, and keeps to the policies.
//!
//! With the feature `z3` the engine's analysis is asked. A host that does without it is told so, and what needs no
//! solver is looked at all the same. What can't be decided counts as not sound: nothing is accepted that nobody could
//! judge.

use chrono::NaiveDate;
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::ir::{Head, Objective, PredicateKind, Specification};
use intentgate_engine::schema::ActionId;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// What the analysis says of an accepted specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Soundness {
    /// Every rule can hold and let its action pass, none is always true, and the task can be completed under the
    /// policies.
    Sound {
        /// What else is worth knowing: what is implied, stale, a gap or an overlap.
        notes: Vec<String>,
    },
    /// It was left out, because the host does without it: nobody knows whether the specification can be met, says
    /// something, ends, and keeps to the policies.
    LeftOut,
}

impl fmt::Display for Soundness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Soundness::Sound { .. } => write!(f, "the analysis finds that it can be met"),
            Soundness::LeftOut => write!(
                f,
                "the analysis was left out: whether it can be met, and whether it keeps to the policies, was not looked at"
            ),
        }
    }
}

/// What is wrong with a specification, or what the analysis says of one that is sound.
pub(super) type Findings = Result<Soundness, Vec<String>>;

/// What needs no solver: rules that let an action pass, or wait for one, that a prohibition without a condition forbids.
pub(super) fn forbidden(specification: &Specification, policies: &[Arc<Specification>]) -> Findings {
    let sets = || std::iter::once(specification).chain(policies.iter().map(Arc::as_ref));
    let mut wrong = Vec::new();
    for (number, rule) in specification.rules().iter().enumerate() {
        let waited = specification.body(rule).iter().filter_map(|predicate| match predicate.kind() {
            PredicateKind::Objective(Objective::Action(action)) => Some(action),
            _ => None,
        });
        let needed = rule.head().action().into_iter().chain(waited).filter(|_| rule.head() != Head::Never);
        for action in needed {
            if let Some(prohibition) = sets().find_map(|set| always(set, action)) {
                let (rule, action) =
                    (specification.rule_name(number), specification.vocabulary().action(action));
                wrong.push(format!("{rule} needs {}, which {prohibition} always forbids", action.name()));
            }
        }
    }
    if wrong.is_empty() { Ok(Soundness::LeftOut) } else { Err(wrong) }
}

/// The prohibition whose body is this action and nothing else.
fn always(set: &Specification, action: ActionId) -> Option<String> {
    let forbids = |rule: &&intentgate_engine::ir::Rule| {
        let itself = PredicateKind::Objective(Objective::Action(action));
        rule.head() == Head::Never && set.body(rule).iter().all(|predicate| predicate.kind() == itself)
    };
    let number = set.rules().iter().position(|rule| forbids(&rule))?;
    Some(format!("{} of {}", set.rule_name(number), set.source().name()))
}

/// Asks the analysis; without the feature `z3` there is none.
///
/// # Errors
/// E0703, always.
#[cfg(not(feature = "z3"))]
pub(super) fn judge(
    _: &Arc<Specification>,
    _: &[Arc<Specification>],
    _: Option<NaiveDate>,
) -> Result<Findings, Fault> {
    Err(Fault::new(intentgate_engine::diagnostic::Code::NoSolver, "this program has no solver"))
}

/// Asks the analysis.
///
/// # Errors
/// A libz3 that is too old; solver and evaluator disagree, which is a bug.
#[cfg(feature = "z3")]
pub(super) fn judge(
    specification: &Arc<Specification>,
    policies: &[Arc<Specification>],
    today: Option<NaiveDate>,
) -> Result<Findings, Fault> {
    use intentgate_engine::analysis::{Answer, Report, RuleFindings};
    use intentgate_engine::solve::Setting;
    let setting = Setting { today, ..Setting::default() };
    let report = Report::of(specification, policies, &setting)?;
    let own = |rule: &&RuleFindings| rule.source == report.specification;
    let undecided = |answer: &Answer<_>| matches!(answer, Answer::Unknown(_));
    let (mut wrong, mut notes) = (Vec::new(), Vec::new());
    // Rule sets are told apart by name: a policy of the specification's name would be taken for it, which is strict.
    for rule in report.rules.iter().filter(own) {
        let allow = rule.can_allow.as_ref();
        let bad = rule.can_hold.is_no()
            || allow.is_some_and(Answer::is_no)
            || rule.always_true
            || undecided(&rule.can_hold)
            || allow.is_some_and(undecided);
        let text = rule.to_string();
        match (bad, text.is_empty()) {
            (true, _) => wrong.push(text),
            (false, false) => notes.push(text),
            (false, true) => {}
        }
    }
    for (objective, reached) in &report.objectives {
        if !reached.is_yes() {
            wrong.push(match reached {
                Answer::No(reason) => format!("{objective} can't be reached:\n{reason}"),
                _ => format!("it is unknown whether {objective} can be reached; say it more simply"),
            });
        }
    }
    match &report.done {
        Some(Answer::No(reason)) => {
            let because = if report.forbidden { ": the policies forbid it" } else { "" };
            wrong.push(format!("the task can't be completed{because}\n{reason}"));
        }
        Some(Answer::Unknown(limit)) => {
            wrong.push(format!(
                "it is unknown whether the task can be completed ({limit}); say it more simply"
            ));
        }
        Some(Answer::Yes(_)) | None => {}
    }
    for branches in &report.branches {
        let rules = branches.rules.join(", ");
        if let Some(gap) = &branches.gap {
            notes.push(format!("{rules} leave a gap over {}: {gap}", branches.variable));
        }
        for (one, other, both) in &branches.overlaps {
            notes.push(format!("{one} and {other} overlap: {both}"));
        }
    }
    wrong.iter_mut().chain(&mut notes).for_each(|text| *text = text.trim_end().to_owned());
    Ok(if wrong.is_empty() { Ok(Soundness::Sound { notes }) } else { Err(wrong) })
}
