//! What can be used and is probably not what was meant.

use super::Lowering;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Head, Kind, Objective, Operand, PredicateKind};
use crate::schema::{ActionId, VariableId};
use crate::span::Span;
use crate::suggest;
use hashbrown::{HashMap, HashSet};

impl Lowering<'_> {
    pub(super) fn warn(&mut self) {
        let mut found = self.unneeded_rules();
        found.extend(self.milestone_guards());
        found.extend(self.free_arguments());
        found.extend(self.never_permitted());
        found.extend(self.nearly_reserved());
        for diagnostic in found {
            self.problems.push(diagnostic);
        }
    }

    /// Rules whose head no `Done` needs.
    fn unneeded_rules(&self) -> Vec<Diagnostic> {
        if self.specification.kind != Kind::Intent {
            return Vec::new();
        }
        let rules = self.specification.rules();
        let mut by_head: HashMap<Head, Vec<usize>> = HashMap::new();
        for (index, rule) in rules.iter().enumerate() {
            by_head.entry(rule.head()).or_default().push(index);
        }
        // A prohibition needs what it names, too.
        let mut needed: HashSet<Head> = HashSet::from_iter([Head::Done, Head::Never]);
        let mut open = vec![Head::Done, Head::Never];
        while let Some(head) = open.pop() {
            for rule in by_head.get(&head).into_iter().flatten().filter_map(|index| rules.get(*index)) {
                for predicate in self.specification.body(rule) {
                    if let PredicateKind::Objective(objective) = predicate.kind()
                        && needed.insert(Head::Objective(objective))
                    {
                        open.push(Head::Objective(objective));
                    }
                }
            }
        }
        rules
            .iter()
            .filter(|rule| rule.head() != Head::Never && !needed.contains(&rule.head()))
            .map(|rule| {
                let name = self.specification.head_name(rule.head());
                let help = match rule.head() {
                    Head::Objective(Objective::Action(_)) => {
                        format!("this rule allows `{name}`, which the task can end without; is that meant?")
                    }
                    _ => format!("name `{name}` in a rule that leads to `Done`, or take this rule out"),
                };
                let message = format!("no rule for `Done` needs `{name}`");
                Diagnostic::new(Code::UnneededRule, rule.span(), message).help(help)
            })
            .collect()
    }

    /// Milestones that are `Done` or `Never` with a slip in them.
    fn nearly_reserved(&self) -> Vec<Diagnostic> {
        let first = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
        let mut milestones: Vec<&(String, Span)> = self.milestone_names.values().collect();
        milestones.sort_by_key(|(_, span)| *span);
        let mut found = Vec::new();
        for (name, span) in milestones {
            let reserved = ["Done", "Never"].into_iter().filter(|reserved| first(reserved) == first(name));
            if let Some(near) = suggest::nearest(name, reserved) {
                let message = format!("`{name}` is a milestone, and nearly `{near}`");
                let help = format!("did you mean `{near}`? else give the milestone another name");
                found.push(Diagnostic::new(Code::NearlyReserved, *span, message).help(help));
            }
        }
        found
    }

    /// Rules for a critical action whose body has nothing but objectives, a milestone among them.
    fn milestone_guards(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for rule in self.specification.rules() {
            let Head::Objective(Objective::Action(action)) = rule.head() else { continue };
            let mut milestone = None;
            let only_objectives =
                self.specification.body(rule).iter().all(|predicate| match predicate.kind() {
                    PredicateKind::Objective(objective) => {
                        if let Objective::Milestone(_) = objective {
                            milestone = milestone.or(Some((objective, predicate.span())));
                        }
                        true
                    }
                    PredicateKind::State { .. } => false,
                });
            if let (true, Some((objective, span))) = (only_objectives, milestone) {
                let milestone = self.specification.objective_name(objective);
                let action = self.vocabulary.action(action).name();
                let message =
                    format!("only the milestone `{milestone}` guards the critical action `{action}`");
                found.push(
                    Diagnostic::new(Code::MilestoneGuard, span, message)
                        .help("an achieved milestone stays achieved, and what it saw may have changed since")
                        .help("repeat in this rule the constraints that must hold at that moment"),
                );
            }
        }
        found
    }

    /// Arguments of concluded actions that no rule for the action constrains.
    fn free_arguments(&self) -> Vec<Diagnostic> {
        let mut constrained: HashMap<ActionId, (Span, HashSet<VariableId>)> = HashMap::new();
        for rule in self.specification.rules() {
            let Head::Objective(Objective::Action(action)) = rule.head() else { continue };
            let entry = constrained.entry(action).or_insert((rule.span(), HashSet::new()));
            for constraint in self
                .specification
                .body(rule)
                .iter()
                .flat_map(|predicate| self.specification.constraints(predicate))
            {
                entry.1.insert(constraint.variable());
                if let Operand::Variable(other) = constraint.operand() {
                    entry.1.insert(*other);
                }
            }
        }
        let mut found = Vec::new();
        if constrained.is_empty() {
            return found;
        }
        for (id, action) in self.vocabulary.actions() {
            let Some((span, seen)) = constrained.get(&id) else { continue };
            let free: Vec<String> = self
                .vocabulary
                .state(action.arguments())
                .variables()
                .filter(|variable| !seen.contains(variable))
                .map(|variable| format!("`{}`", self.vocabulary.variable(variable).name()))
                .collect();
            if !free.is_empty() {
                let message =
                    format!("no rule for `{}` constrains its {}", action.name(), listed("argument", &free));
                found.push(Diagnostic::new(Code::FreeArguments, *span, message).help(format!(
                    "any value will pass; constrain it with `{}(…)` in the body",
                    action.name()
                )));
            }
        }
        found
    }

    /// One note that lists the critical actions that no rule concludes.
    fn never_permitted(&self) -> Option<Diagnostic> {
        let heads = self.specification.rules().iter().filter_map(|rule| rule.head().action());
        let concluded: HashSet<ActionId> = heads.collect();
        let blocked = self.vocabulary.actions().filter(|(id, _)| !concluded.contains(id));
        // Guards of models are checked by the thousand: names beyond the listed ones are only counted.
        let shown: Vec<String> =
            blocked.take(LISTED).map(|(_, action)| format!("`{}`", action.name())).collect();
        if shown.is_empty() {
            return None;
        }
        let count = self.vocabulary.actions.len().saturating_sub(concluded.len());
        let message = format!("no rule concludes the critical {}", listed_of("action", &shown, count));
        Some(
            Diagnostic::new(Code::NeverPermitted, Span::default(), message)
                .help("under this specification such an action is always blocked"),
        )
    }
}

/// How many names are listed.
const LISTED: usize = 12;

/// `argument `a`` or `arguments `a`, `b``, at most twelve of them.
fn listed(what: &str, names: &[String]) -> String {
    listed_of(what, names, names.len())
}

/// As [`listed`], where there may be more than these names.
fn listed_of(what: &str, names: &[String], count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    let shown = names.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    match count.saturating_sub(LISTED) {
        0 => format!("{what}{plural} {shown}"),
        more => format!("{what}{plural} {shown} and {more} more"),
    }
}
