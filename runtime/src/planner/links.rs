//! What transitions say to the gate, by name: actions that it would never let pass, and names that were meant to be
//! others.
//!
//! Knows vocabularies and what rules ask of arguments. That names and values fit their types is
//! [`Model::review_links`]'s matter.

use super::model::{Model, Transition};
use crate::session::Session;
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::ir::{Head, Objective, PredicateKind, Specification};
use intentgate_engine::schema::{ActionId, Vocabulary};
use intentgate_engine::span::Source;
use intentgate_engine::suggest;
use std::collections::BTreeSet;

impl Model {
    /// Warns of transitions whose action the gate blocks always, by its name (W0826), and of an action that is spelled
    /// nearly as a declared one (W0827). Located in the model's source.
    pub fn review_actions(&self, source: &Source, vocabulary: &Vocabulary) -> Problems {
        let mut problems = Problems::new(source.clone());
        for transition in &self.transitions {
            if let Some(problem) = reviewed(transition, vocabulary) {
                problems.push(problem);
            }
        }
        problems.sort();
        problems
    }

    /// Warns of critical actions without an argument that every rule for them asks for (W0826). Located in the model's
    /// source.
    pub fn review_arguments(&self, source: &Source, session: &Session) -> Problems {
        let mut problems = Problems::new(source.clone());
        let (vocabulary, specification) = (session.vocabulary(), session.specification());
        for transition in &self.transitions {
            let Some(action) = vocabulary.find_action(transition.action()) else { continue };
            let link = transition.link.as_deref();
            let given: BTreeSet<&str> =
                link.iter().flat_map(|link| &link.arguments).map(|one| one.name.as_str()).collect();
            let missing = missing(specification, vocabulary, action, &given);
            if missing.is_empty() {
                continue;
            }
            let names = missing.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let message = format!(
                "`{}` is performed without {names}, and no rule for it holds without",
                shortened(transition.action())
            );
            problems.push(
                Diagnostic::new(Code::NeverPasses, transition.guard_span, message)
                    .help("give it in `arguments`; `{\"choose\": \"any\"}` leaves the value to the plan"),
            );
        }
        problems.sort();
        problems
    }
}

fn reviewed(transition: &Transition, vocabulary: &Vocabulary) -> Option<Diagnostic> {
    let name = transition.action();
    if vocabulary.find_action(name).is_some() || vocabulary.find_step(name).is_some() {
        return None;
    }
    let at = transition.guard_span;
    let shown = shortened(name);
    if let Some(near) = vocabulary.near_action(name) {
        let critical = vocabulary.action(near).name();
        let message =
            format!("`{shown}` is nearly the critical action `{critical}`: the gate always blocks it");
        let help = format!("if it performs it, say \"action\": \"{critical}\"; else call it otherwise");
        return Some(Diagnostic::new(Code::NeverPasses, at, message).help(help));
    }
    let actions = vocabulary.actions().map(|(_, action)| action.name());
    let known: Vec<&str> = actions.chain(vocabulary.steps().iter().map(|step| step.name())).collect();
    if vocabulary.is_closed() {
        let message =
            format!("`{shown}` is declared nowhere, and the vocabulary is closed: the gate always blocks it");
        let help = suggest::known(name, "actions and steps", known);
        return Some(Diagnostic::new(Code::NeverPasses, at, message).help(help));
    }
    // What is not said to be an action is an event in words: those may be like anything.
    transition.link.as_ref()?.action.as_ref()?;
    let meant = suggest::nearest(name, known.iter().copied())?;
    let message = format!("there is no action `{shown}`, so it is an ordinary step");
    Some(Diagnostic::new(Code::MisspeltAction, at, message).help(format!("did you mean `{meant}`?")))
}

/// The arguments that every rule for an action constrains and that are not given; nothing if a rule asks for no more
/// than what is given.
fn missing(
    specification: &Specification,
    vocabulary: &Vocabulary,
    action: ActionId,
    given: &BTreeSet<&str>,
) -> BTreeSet<String> {
    let own = Head::Objective(Objective::Action(action));
    let arguments = vocabulary.action(action).arguments();
    let mut wanted = specification.rules().iter().filter(|rule| rule.head() == own).map(|rule| {
        let body = specification.body(rule).iter();
        let about =
            body.filter(|one| matches!(one.kind(), PredicateKind::State { state, .. } if state == arguments));
        let variables = about.flat_map(|one| specification.constraints(one)).flat_map(|one| one.variables());
        let variables = variables.filter(|id| vocabulary.variable(*id).state() == arguments);
        let names = variables.map(|id| vocabulary.variable(id).name());
        names.filter(|name| !given.contains(name)).map(str::to_owned).collect::<BTreeSet<String>>()
    });
    let Some(first) = wanted.next() else { return BTreeSet::new() };
    wanted
        .fold(first, |all, one| if all.is_empty() || one.is_empty() { BTreeSet::new() } else { &all | &one })
}
