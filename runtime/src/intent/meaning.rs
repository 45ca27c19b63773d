//! Whether two specifications mean the same.
//!
//! With the feature `z3`: over all situations, both let the same critical actions pass, reach the same milestones'
//! actions, and end at the same time. Without it, by their text in a normal form: labels, order and repetition don't
//! count, everything else does.

use intentgate_engine::ir::Specification;
use serde::Serialize;
#[cfg(not(feature = "z3"))]
use std::sync::Arc;

/// How two specifications relate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Meaning {
    /// They mean the same.
    Same,
    /// They don't, and this is where it shows; without a solver it is the rules that only one of them has.
    Differs {
        /// What shows it, for people.
        shown: String,
    },
    /// The solver could not say.
    Unknown,
}

/// The rules of a specification in a normal form, a line each, sorted: without labels, parts in order, each once.
pub(super) fn normal(specification: &Specification) -> Vec<String> {
    let mut rules: Vec<String> = specification
        .rules()
        .iter()
        .map(|rule| {
            let mut parts: Vec<String> = specification
                .body(rule)
                .iter()
                .map(|predicate| match predicate.kind() {
                    intentgate_engine::ir::PredicateKind::Objective(objective) => {
                        specification.objective_name(objective).to_owned()
                    }
                    intentgate_engine::ir::PredicateKind::State { state, .. } => {
                        let constraints = specification.constraints(predicate).iter();
                        let mut texts: Vec<String> =
                            constraints.map(|constraint| specification.constraint_text(constraint)).collect();
                        texts.sort();
                        texts.dedup();
                        format!("{}({})", specification.vocabulary().state(state).name(), texts.join(", "))
                    }
                })
                .collect();
            parts.sort();
            parts.dedup();
            format!("{} -> {}", parts.join(" and "), specification.head_name(rule.head()))
        })
        .collect();
    rules.sort();
    rules.dedup();
    rules
}

/// Whether two specifications of one vocabulary mean the same under the same policies.
///
/// # Errors
/// A libz3 that is too old; solver and evaluator disagree, which is a bug.
#[cfg(not(feature = "z3"))]
pub fn same(
    first: &Arc<Specification>,
    second: &Arc<Specification>,
    _: &[Arc<Specification>],
) -> Result<Meaning, intentgate_engine::diagnostic::Fault> {
    let (first, second) = (normal(first), normal(second));
    if first == second {
        return Ok(Meaning::Same);
    }
    let only = |which: &str, rules: &[String], others: &[String]| {
        let rules = rules.iter().filter(|rule| !others.contains(rule));
        rules.map(|rule| format!("only the {which} has: {rule}\n")).collect::<String>()
    };
    let shown = only("first", &first, &second) + &only("second", &second, &first);
    Ok(Meaning::Differs { shown: shown.trim_end().to_owned() })
}

#[cfg(feature = "z3")]
pub use solved::same;

#[cfg(feature = "z3")]
mod solved {
    use super::{Meaning, normal};
    use crate::intent::prompt;
    use intentgate_engine::analysis::{Comparison, Relation};
    use intentgate_engine::check;
    use intentgate_engine::diagnostic::Fault;
    use intentgate_engine::ir::{Kind, Specification};
    use intentgate_engine::limits::Limits;
    use intentgate_engine::schema::Vocabulary;
    use intentgate_engine::schema::declare;
    use intentgate_engine::solve::Setting;
    use intentgate_engine::span::Source;
    use intentgate_engine::syntax::{self, Spelling};
    use std::sync::Arc;

    /// Whether two specifications of one vocabulary mean the same under the same policies.
    ///
    /// # Errors
    /// A libz3 that is too old; solver and evaluator disagree, which is a bug.
    pub fn same(
        first: &Arc<Specification>,
        second: &Arc<Specification>,
        policies: &[Arc<Specification>],
    ) -> Result<Meaning, Fault> {
        if normal(first) == normal(second) {
            return Ok(Meaning::Same);
        }
        let setting = Setting::default();
        let allowed = said(&Comparison::of(first, second, policies, &setting)?);
        if allowed != Meaning::Same {
            return Ok(allowed);
        }
        // The end of a task is none of its critical actions, so it is asked about as if it were one.
        match (first.kind(), second.kind()) {
            (Kind::Standing, Kind::Standing) => return Ok(Meaning::Same),
            (Kind::Intent, Kind::Intent) => {}
            _ => return Ok(Meaning::Differs { shown: "only one of them has an end".to_owned() }),
        }
        let Some((first, second)) = ends(first, second) else { return Ok(Meaning::Unknown) };
        Ok(said(&Comparison::of(&first, &second, &[], &setting)?))
    }

    fn said(comparison: &Comparison) -> Meaning {
        match comparison.relation {
            Relation::Equal => Meaning::Same,
            Relation::Unknown => Meaning::Unknown,
            _ => Meaning::Differs { shown: comparison.to_string().trim_end().to_owned() },
        }
    }

    /// Both without an end, over a vocabulary in which ending the task is a critical action.
    fn ends(
        first: &Arc<Specification>,
        second: &Arc<Specification>,
    ) -> Option<(Arc<Specification>, Arc<Specification>)> {
        let mut app: declare::App = first.vocabulary().declaration();
        let name = free_name(first, second)?;
        let description = "end the task".to_owned();
        app.actions.push(declare::Action { name: name.clone(), description, arguments: Vec::new() });
        let vocabulary = Arc::new(app.check().ok()?);
        Some((ending(first, &name, &vocabulary)?, ending(second, &name, &vocabulary)?))
    }

    fn ending(
        specification: &Specification,
        end: &str,
        vocabulary: &Arc<Vocabulary>,
    ) -> Option<Arc<Specification>> {
        let limits = Limits::default();
        let source = Source::new("specification", prompt::canonical(specification));
        let mut tree = syntax::parse(&source, &limits).specification;
        for rule in &mut tree.rules {
            if rule.value.head.value == "Done" {
                end.clone_into(&mut rule.value.head.value);
            }
        }
        tree.standing.value = true;
        let text = Source::new("specification", tree.print(Spelling::Ascii));
        Some(Arc::new(check::specification(&text, vocabulary, &limits).ok()?.specification))
    }

    /// A name that neither the app nor one of the specifications has.
    fn free_name(first: &Specification, second: &Specification) -> Option<String> {
        let taken = |name: &String| {
            first.vocabulary().near_action(name).is_some()
                || first.vocabulary().find_state(name).is_some()
                || [first, second].iter().any(|one| one.milestones().any(|milestone| milestone == name))
        };
        (0..100).map(|number| format!("TheTaskEnds{number}")).find(|name| !taken(name))
    }
}
