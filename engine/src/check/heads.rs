//! Heads and objectives: what is concluded, what is used, and does the task end?

use super::Lowering;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir;
use crate::span::Span;
use crate::suggest;
use crate::syntax::ast;
use crate::text::{lookalike, normal};

impl<'a> Lowering<'a> {
    /// Collects what the rules conclude, so that bodies may name what comes later.
    pub(super) fn heads(&mut self, tree: &'a ast::Specification) {
        for rule in &tree.rules {
            let name = &rule.value.head;
            if is_reserved(&name.value) || self.concluded.contains_key(name.value.as_str()) {
                continue;
            }
            let objective = match self.vocabulary.find_action(&name.value) {
                Some(action) => Some(ir::Objective::Action(action)),
                None if self.policy => None,
                None => self.usable_milestone(name).then(|| self.milestone(name)),
            };
            self.concluded.insert(&name.value, objective);
        }
    }

    /// What a rule concludes; nothing if that was reported.
    pub(super) fn head(&mut self, name: &ast::Name) -> Option<ir::Head> {
        let head = match name.value.as_str() {
            "Never" => return Some(ir::Head::Never),
            "Done" => ir::Head::Done,
            other => ir::Head::Objective((*self.concluded.get(other)?)?),
        };
        if self.policy {
            let message = format!("a policy concludes `Never` only, not `{}`", name.value);
            self.error(
                Diagnostic::new(Code::PolicyConcludes, name.span, message)
                    .help("a policy can only narrow; put rules for objectives in the specification"),
            );
            return None;
        }
        Some(head)
    }

    /// Whether a head can name a milestone; reports why not.
    fn usable_milestone(&mut self, name: &ast::Name) -> bool {
        let shown = &name.value;
        if self.vocabulary.find_state(shown).is_some() {
            let message = format!("`{shown}` is a state, not an objective");
            self.error(
                Diagnostic::new(Code::NotAnObjective, name.span, message).help(
                    "a head is the bare name of a critical action, of a milestone, or `Done` or `Never`",
                ),
            );
            return false;
        }
        let bare = normal::bare(shown);
        if let Some(reserved) = ["Done", "Never"].iter().find(|reserved| {
            bare == reserved.to_lowercase() || lookalike::skeleton(shown) == lookalike::skeleton(reserved)
        }) {
            let message = format!("`{shown}` is not an objective");
            let diagnostic = Diagnostic::new(Code::NotAnObjective, name.span, message);
            self.error(diagnostic.help(format!("did you mean `{reserved}`?")));
            return false;
        }
        if let Some(action) = self.vocabulary.near_action(shown) {
            let action = self.vocabulary.action(action).name().to_owned();
            let message = format!("the head `{shown}` is nearly the critical action `{action}`");
            let mut diagnostic = Diagnostic::new(Code::HeadTooAlike, name.span, message);
            if !shown.is_ascii() {
                let told = lookalike::telling_characters(shown, &action).join(", ");
                diagnostic = diagnostic.help(format!("it holds {told}"));
            }
            self.error(diagnostic.help(format!("write `{action}`, or give the milestone another name")));
            return false;
        }
        if let Some((other, place)) = self.looks_like(name) {
            let message = format!("the milestone `{shown}` and {other} differ only in case or look alike");
            let mut diagnostic = Diagnostic::new(Code::NamesLookAlike, name.span, message);
            if let Some(place) = place {
                diagnostic = diagnostic.also(place, "the other");
            }
            if !shown.is_ascii() {
                let told = lookalike::telling_characters(shown, "").join(", ");
                diagnostic = diagnostic.help(format!("`{shown}` holds {told}"));
            }
            self.error(diagnostic.help("give one of them another name"));
            return false;
        }
        true
    }

    /// What a milestone can be taken for: a state, or an earlier milestone, with its place.
    fn looks_like(&mut self, name: &ast::Name) -> Option<(String, Option<Span>)> {
        let key = lookalike::distinct(&name.value);
        if let Some((other, place)) = self.milestone_names.get(&key) {
            return Some((format!("the milestone `{other}`"), Some(*place)));
        }
        let vocabulary = self.vocabulary;
        let states = self.state_names.get_or_insert_with(|| {
            let names = vocabulary.states().map(|(_, state)| state.name());
            names.map(|name| (lookalike::distinct(name), name.to_owned())).collect()
        });
        let state = states.get(&key)?;
        Some((format!("the state `{state}`"), None))
    }

    /// An objective in a body.
    pub(super) fn body_objective(
        &mut self,
        name: &ast::Name,
        head: Option<ir::Head>,
    ) -> Option<ir::Objective> {
        if is_reserved(&name.value) {
            let message = format!("`{}` can't stand in a body", name.value);
            self.error(
                Diagnostic::new(Code::ReservedInBody, name.span, message)
                    .help("`Done` and `Never` are heads only: nothing comes after them"),
            );
            return None;
        }
        let prohibition = self.policy || head == Some(ir::Head::Never);
        if let Some(objective) = self.concluded.get(name.value.as_str()) {
            return *objective;
        }
        if let Some(action) = self.vocabulary.find_action(&name.value) {
            // A prohibition may name an action that this specification never permits.
            if !prohibition && self.complete {
                let message = format!("`{}` is used here and no rule concludes it", name.value);
                self.error(
                    Diagnostic::new(Code::NeverConcluded, name.span, message)
                        .help(format!("add a rule `… -> {}`", name.value)),
                );
                return None;
            }
            return Some(ir::Objective::Action(action));
        }
        if self.complete {
            self.unknown_objective(name);
        }
        None
    }

    fn unknown_objective(&mut self, name: &ast::Name) {
        let shown = &name.value;
        let actions = self.vocabulary.actions().map(|(_, action)| action.name());
        let mut known: Vec<&str> = actions.collect();
        if !self.policy {
            known.extend(self.specification.milestones());
        }
        let state = self.vocabulary.find_state(shown).is_some();
        let mut help = suggest::known(shown, "objectives", known);
        if state {
            help = format!("`{shown}` is a state: write it with parentheses, `{shown}(…)`");
        }
        let (code, message) = if self.policy {
            let message = format!("`{shown}` is not a critical action; a policy can name no other objective");
            (Code::PolicyObjective, message)
        } else {
            (Code::UnknownObjective, format!("unknown objective `{shown}`"))
        };
        self.error(Diagnostic::new(code, name.span, message).help(help));
    }

    /// Whether the task has the end that its kind asks for.
    pub(super) fn done(&mut self, tree: &ast::Specification) {
        let first = tree.rules.iter().map(|rule| &rule.value.head).find(|head| head.value == "Done");
        match (self.specification.kind, first) {
            // A head that is nearly `Done` was told.
            (ir::Kind::Intent, None) if tree.rules.iter().any(|rule| nearly_done(&rule.value.head.value)) => {
            }
            (ir::Kind::Intent, None) => {
                let last = tree.rules.last().map_or(Span::default(), |rule| rule.value.head.span);
                let mut diagnostic =
                    Diagnostic::new(Code::NoDone, last, "no rule concludes `Done`").label("the last rule");
                let heads = || tree.rules.iter().map(|rule| &rule.value.head);
                if let Some(near) = heads().find(|head| suggest::nearest(&head.value, ["Done"]).is_some()) {
                    diagnostic = Diagnostic::new(Code::NoDone, near.span, "no rule concludes `Done`")
                        .help(format!("`{}` is a milestone; did you mean `Done`?", near.value));
                } else if tree.rules.iter().all(|rule| rule.value.head.value == "Never") {
                    diagnostic = diagnostic.help("rules for `Never` alone make a policy: give it as one");
                } else {
                    diagnostic = diagnostic
                        .help("add a rule `… -> Done` that says when the task is complete")
                        .help("a guard without an end starts with `standing` alone on the first line");
                }
                self.error(diagnostic);
            }
            (ir::Kind::Standing, Some(head)) => {
                let diagnostic = Diagnostic::new(
                    Code::StandingWithDone,
                    head.span,
                    "a standing specification has no end, but this rule concludes `Done`",
                )
                .also(tree.standing.span, "standing")
                .help("take out `standing`, or the rules for `Done`");
                self.error(diagnostic);
            }
            _ => {}
        }
    }
}

/// Whether a head differs from `Done` in case, spacing or look alone, which is an error of its own.
fn nearly_done(name: &str) -> bool {
    normal::bare(name) == "done" || lookalike::skeleton(name) == lookalike::skeleton("Done")
}

fn is_reserved(name: &str) -> bool {
    matches!(name, "Done" | "Never")
}
