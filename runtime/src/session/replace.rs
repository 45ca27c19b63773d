//! Another specification for a task that has begun (THREATS: what the user allowed is swapped under way).
//!
//! What is known and what was performed stays. A milestone stays achieved if both specifications conclude it
//! by the same rules, and has to be achieved anew otherwise. Every permit that was given is stale.

use super::builder::{SessionBuilder, StartError, spelled};
use super::{Session, Spec};
use intentgate_engine::compile::bind::Given;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::ir::{Head, Objective, PredicateKind, Specification};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Whether somebody who may has agreed to another specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// The user, or who decides for them, has agreed to it. Never what an agent says.
    Given,
    /// Nobody was asked: it is accepted if it allows the same or less, which the solver has to show.
    IfNarrower,
}

impl Session {
    /// Goes on under another specification, with the same policies. A parameter keeps its value.
    ///
    /// With [`Consent::IfNarrower`] this takes the time of an analysis.
    ///
    /// # Errors
    /// If the task is complete, an effect is running or its outcome unknown, or the new specification is of
    /// another vocabulary or can't start; without consent, if it may allow more, if that can't be told, or
    /// if this program has no solver. Nothing has changed then.
    pub fn replace_spec(&mut self, spec: impl Into<Spec>, consent: Consent) -> Result<(), StartError> {
        if let Some(fault) = self.broken_fault() {
            return Err(fault.into());
        }
        let spec = self.replacement(spec.into())?;
        if consent == Consent::IfNarrower {
            self.check_narrower(&spec)?;
        }
        self.tick();
        self.exchange(spec, consent)
    }

    /// The specification with all its parameters, if it can take over.
    fn replacement(&self, spec: Spec) -> Result<Spec, Fault> {
        let refused = |why: String| {
            Err(Fault::new(Code::NotReplaceable, format!("the specification can't be replaced {why}")))
        };
        if let Some(action) = self.unsettled().next() {
            return refused(format!("while the outcome of `{action}` is unknown"))
                .map_err(|fault: Fault| fault.help("finish the effect, or resolve its outcome"));
        }
        if self.is_done() {
            return refused("when the task is complete".to_owned())
                .map_err(|fault: Fault| fault.help("start a new session for a new task"));
        }
        if spec.specification.vocabulary().identity() != self.vocabulary().identity() {
            return refused("by one that was checked against another vocabulary".to_owned())
                .map_err(|fault: Fault| fault.help("check it against the session's vocabulary"));
        }
        let declared = |name: &str| {
            let rule_sets = self.start.policies.iter().chain([&spec.specification]);
            rule_sets.into_iter().any(|set| set.parameters().iter().any(|parameter| parameter.name() == name))
        };
        let mut parameters: Vec<(String, Given)> = self.start.parameters.clone();
        parameters.retain(|(name, _)| declared(name));
        for (name, given) in &spec.parameters {
            match parameters.iter().find(|(known, _)| known == name) {
                Some((_, known)) if spelled(known) == spelled(given) => {}
                Some(_) => {
                    return refused(format!("by one in which `${name}` has another value"))
                        .map_err(|fault: Fault| fault.help("give the new parameter another name"));
                }
                None => parameters.push((name.clone(), given.clone())),
            }
        }
        Ok(Spec { parameters, ..spec })
    }

    #[cfg(feature = "z3")]
    fn check_narrower(&self, spec: &Spec) -> Result<(), Fault> {
        use intentgate_engine::analysis::{Comparison, Relation};
        let setting = crate::analysis::setting(&self.start, &spec.parameters);
        let kept = kept(&self.start.specification, &spec.specification);
        let old = &self.start.specification;
        let comparison =
            Comparison::replacing(&spec.specification, old, &self.start.policies, &setting, &kept)?;
        match comparison.relation {
            Relation::Equal | Relation::Narrower => Ok(()),
            Relation::Wider | Relation::Incomparable | Relation::Unknown => {
                let message = format!("the new specification may allow more\n{comparison}");
                Err(Fault::new(Code::NeedsConsent, message.trim_end()).help("ask the user"))
            }
        }
    }

    #[cfg(not(feature = "z3"))]
    #[expect(clippy::unused_self, reason = "with the solver it looks at the session")]
    fn check_narrower(&self, _: &Spec) -> Result<(), Fault> {
        Err(Fault::new(Code::NoSolver, "whether a specification allows less is asked of Z3")
            .help("build with the feature `z3`, or ask the user and give their consent"))
    }

    /// Goes on under another specification that may take over.
    pub(super) fn exchange(&mut self, spec: Spec, consent: Consent) -> Result<(), StartError> {
        let kept = kept(&self.start.specification, &spec.specification);
        let new = Arc::clone(&spec.specification);
        let (mut other, _) = SessionBuilder::like(&self.start, self.time, spec).build()?;
        other.take_over(self, &kept)?;
        self.evaluator = other.evaluator;
        self.history = other.history;
        self.start = other.start;
        self.ages = other.ages;
        self.epoch += 1;
        self.activity += 1;
        self.advised = None;
        let known = self.history.count();
        self.settle();
        self.record_replacement(&new, consent == Consent::Given, known).map_err(StartError::from)
    }
}

/// The milestones that both specifications conclude by the same rules, down to the last of them.
fn kept(old: &Specification, new: &Specification) -> BTreeSet<String> {
    let (old, new) = (definitions(old), definitions(new));
    let mut kept: BTreeSet<String> = old
        .iter()
        .filter(|(name, definition)| new.get(*name).is_some_and(|other| other.0 == definition.0))
        .map(|(name, _)| name.clone())
        .collect();
    loop {
        let before = kept.len();
        let whole = kept.clone();
        kept.retain(|name| old.get(name).is_some_and(|definition| definition.1.is_subset(&whole)));
        if kept.len() == before {
            return kept;
        }
    }
}

/// The bodies of the rules of each milestone, and the milestones that they name.
fn definitions(specification: &Specification) -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let mut definitions: BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> = BTreeMap::new();
    for rule in specification.rules() {
        let Head::Objective(head @ Objective::Milestone(_)) = rule.head() else { continue };
        let definition = definitions.entry(specification.objective_name(head).to_owned()).or_default();
        definition.0.insert(specification.body_text(rule));
        definition.1.extend(specification.body(rule).iter().filter_map(|predicate| match predicate.kind() {
            PredicateKind::Objective(objective @ Objective::Milestone(_)) => {
                Some(specification.objective_name(objective).to_owned())
            }
            _ => None,
        }));
    }
    definitions
}
