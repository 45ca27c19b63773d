//! Whether a specification can be met, says something, ends, and keeps to the policies.
//!
//! With the feature `z3` the engine's analysis is asked; without it nothing is, and that is said. What can't be decided
//! counts as not sound: nothing is accepted that nobody could judge.

use chrono::NaiveDate;
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::ir::Specification;
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
    /// It was left out: this program was built without the solver (feature `z3`).
    LeftOut,
}

impl fmt::Display for Soundness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Soundness::Sound { .. } => write!(f, "the analysis finds that it can be met"),
            Soundness::LeftOut => write!(f, "the analysis was left out: this program has no solver"),
        }
    }
}

/// What is wrong with a specification, or what the analysis says of one that is sound.
pub(super) type Findings = Result<Soundness, Vec<String>>;

/// Asks the analysis.
///
/// # Errors
/// A libz3 that is too old; solver and evaluator disagree, which is a bug.
#[cfg(not(feature = "z3"))]
pub(super) fn judge(
    _: &Arc<Specification>,
    _: &[Arc<Specification>],
    _: Option<NaiveDate>,
) -> Result<Findings, Fault> {
    Ok(Ok(Soundness::LeftOut))
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
