//! How much of a specification tests hold: which changes of it would none of them notice?

use super::generate::session;
use super::suite::{Suite, SuiteError};
use intentgate_engine::analysis::{Comparison, Mutant, Relation};
use intentgate_engine::check;
use intentgate_engine::ir::Specification;
use intentgate_engine::limits::Limits;
use intentgate_engine::solve::{Bounds, Setting};
use intentgate_engine::span::Source;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// What tests notice of the changes of a specification.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Mutation {
    /// How many changes there are that pass the checker.
    pub changes: usize,
    /// How many of them a test notices.
    pub noticed: usize,
    /// The others.
    pub survivors: Vec<Survivor>,
    /// Cases that are not as they expect with the specification as it is, as `file: case`: they notice
    /// nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failing: Vec<String>,
}

/// A change that no test notices.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Survivor {
    /// The change.
    #[serde(flatten)]
    pub mutant: Mutant,
    /// Whether it allows the same critical actions in every situation, so that no verdict can show it.
    pub allows_the_same: bool,
}

impl Mutation {
    /// Changes a specification in every small way, and plays test files with each.
    ///
    /// Costs a play of all files for each change, until one notices it, and a comparison for each that none
    /// does.
    ///
    /// # Errors
    /// A file that can't be played with the specification as it is; a libz3 that is too old; solver and
    /// evaluator disagree, which is a bug.
    pub fn of(
        specification: &Arc<Specification>,
        policies: &[Arc<Specification>],
        setting: &Setting,
        files: &[Suite],
    ) -> Result<Mutation, SuiteError> {
        let mut before = Vec::new();
        for file in files {
            before.push(file.play(|| session(specification, policies, setting))?);
        }
        let mut found = Mutation::default();
        for (file, results) in files.iter().zip(&before) {
            let failing = results.iter().filter(|result| !result.failures.is_empty());
            found.failing.extend(failing.map(|result| format!("{}: {}", file.name(), result.case)));
        }
        for mutant in specification.mutants() {
            let source = Source::new(specification.source().name(), mutant.text.as_str());
            let checked = check::specification(&source, specification.vocabulary(), &Limits::default());
            let Ok(checked) = checked else { continue };
            let changed = Arc::new(checked.specification);
            found.changes += 1;
            let start = || {
                let builder = session(&changed, policies, setting);
                let lost = setting.parameters.iter().filter(|(name, _)| !builder.declares(name));
                let lost: Vec<String> = lost.map(|(name, _)| name.clone()).collect();
                lost.iter().fold(builder, |builder, name| builder.without_parameter(name))
            };
            let mut noticed = false;
            for (file, before) in files.iter().zip(&before) {
                noticed = noticed || file.notices(before, start)?;
            }
            if noticed {
                found.noticed += 1;
                continue;
            }
            // Where the solver needs long, nobody waits for it once a change.
            let bounds =
                Bounds { steps: setting.bounds.steps / 10, time: setting.bounds.time / 10, ..setting.bounds };
            let setting = Setting { bounds, ..setting.clone() };
            let comparison = Comparison::of(&changed, specification, policies, &setting);
            let comparison =
                comparison.map_err(|fault| SuiteError::Start(mutant.to_string(), fault.into()))?;
            let allows_the_same = comparison.relation == Relation::Equal;
            found.survivors.push(Survivor { mutant, allows_the_same });
        }
        Ok(found)
    }

    /// Whether every change is noticed that can show in a verdict, and every case comes as it expects.
    pub fn is_complete(&self) -> bool {
        self.failing.is_empty() && self.survivors.iter().all(|survivor| survivor.allows_the_same)
    }
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for case in &self.failing {
            writeln!(f, "not as expected even without a change, and left out: {case}")?;
        }
        writeln!(f, "{} of {} changes of the specification are noticed", self.noticed, self.changes)?;
        for Survivor { mutant, allows_the_same } in &self.survivors {
            let same = if *allows_the_same { " (allows the same)" } else { "" };
            writeln!(f, "  not noticed: {mutant}{same}")?;
        }
        Ok(())
    }
}
