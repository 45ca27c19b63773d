//! What is odd about a model: it can be used, and is probably not what was meant.
//!
//! Knows the checked model; must never know how it was written. Takes time in proportion to the model; what takes
//! longer, trying guards, has a budget.

use super::guards;
use super::model::{Model, PageId, Transition, TransitionId};
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::input;
use intentgate_engine::schema::ActionId;
use intentgate_engine::span::Source;
use intentgate_engine::text::lookalike;
use std::collections::{BTreeMap, HashMap, HashSet};

impl Model {
    /// What is odd about it, if nothing is wrong: pages that can't be reached from the start or look like others,
    /// functions that nothing performs, guards that never hold, transitions that stand twice. With the feature
    /// `z3` the solver is asked about guards on values that are not known beforehand. Takes time in proportion to
    /// the model.
    pub fn review(&self, source: &Source) -> Problems {
        let mut problems = Problems::new(source.clone());
        let reached = self.reached();
        let dead: BTreeMap<TransitionId, String> = guards::dead(self).into_iter().collect();
        for (id, page) in self.pages().filter(|(id, _)| !is_reached(&reached, *id)) {
            let start = self.page_name(self.start);
            let message = format!("no transition leads from `{start}` to `{}`", self.page_name(id));
            problems.push(Diagnostic::new(Code::UnreachablePage, page.span, message));
        }
        self.alike(&mut problems);
        self.unused(&mut problems, &reached, &dead);
        for (id, why) in &dead {
            let Some(transition) = self.transition(*id) else { continue };
            let message =
                format!("the guard of `{}` never holds: {why}", input::shortened(transition.event()));
            problems.push(Diagnostic::new(Code::DeadGuard, transition.guard_span, message));
        }
        self.twice(&mut problems);
        problems
    }

    /// Which pages transitions lead to from the start, by their numbers.
    fn reached(&self) -> Vec<bool> {
        let mut next: Vec<Vec<PageId>> = vec![Vec::new(); self.pages.len()];
        for transition in &self.transitions {
            if let Some(next) = next.get_mut(transition.from.index()) {
                next.push(transition.to);
            }
        }
        let mut reached = vec![false; self.pages.len()];
        let mut open = vec![self.start];
        while let Some(page) = open.pop() {
            if let Some(reached) = reached.get_mut(page.index())
                && !std::mem::replace(reached, true)
            {
                open.extend(next.get(page.index()).into_iter().flatten());
            }
        }
        reached
    }

    /// Pages whose names differ and look alike.
    fn alike(&self, problems: &mut Problems) {
        let mut skeletons: HashMap<String, PageId> = HashMap::new();
        for (id, page) in self.pages() {
            let first = *skeletons.entry(lookalike::skeleton(page.name())).or_insert(id);
            let name = self.page_name(first);
            // Plain letters alone are told apart by who reads them: `rn` and `m`.
            let plain = |name: &str| name.is_ascii() && !lookalike::has_hidden(name);
            if first == id || (plain(name) && plain(page.name())) {
                continue;
            }
            let told = lookalike::telling_characters(page.name(), name);
            let message = format!(
                "the page `{}` looks like the page `{}`",
                input::shortened(page.name()),
                input::shortened(name)
            );
            let diagnostic = Diagnostic::new(Code::PagesAlike, page.span, message);
            problems.push(match told.is_empty() {
                true => diagnostic,
                false => diagnostic.help(format!("it holds {}", told.join(", "))),
            });
        }
    }

    /// Functions that no transition performs, or only such as are never possible.
    fn unused(&self, problems: &mut Problems, reached: &[bool], dead: &BTreeMap<TransitionId, String>) {
        let (mut performed, mut possible) = (HashSet::new(), HashSet::new());
        for (id, transition) in self.transitions() {
            let Some(function) = transition.function else { continue };
            performed.insert(function);
            if is_reached(reached, transition.from) && !dead.contains_key(&id) {
                possible.insert(function);
            }
        }
        for (id, function) in self.vocabulary.actions().filter(|(id, _)| !possible.contains(id)) {
            let message = match performed.contains(&id) {
                false => format!("no transition performs `{}`", function.name()),
                true => format!(
                    "no transition that performs `{}` is ever possible: nothing leads to its page, or its guard \
                     never holds",
                    function.name()
                ),
            };
            problems.push(Diagnostic::new(Code::UnusedFunction, self.function_span(id), message));
        }
    }

    /// Transitions that say the same as one before.
    fn twice(&self, problems: &mut Problems) {
        let mut seen: HashSet<Said<'_>> = HashSet::new();
        for transition in self.transitions.iter().filter(|one| one.link.is_none()) {
            if !seen.insert(Said::new(transition)) {
                let message = format!(
                    "the same transition from `{}` to `{}` stands there already: `{}`",
                    input::shortened(self.page_name(transition.from)),
                    input::shortened(self.page_name(transition.to)),
                    input::shortened(transition.event())
                );
                problems.push(Diagnostic::new(Code::TransitionTwice, transition.span, message));
            }
        }
    }
}

fn is_reached(reached: &[bool], page: PageId) -> bool {
    reached.get(page.index()) == Some(&true)
}

/// What a transition says, but for how often it was seen, and where from it is known.
#[derive(PartialEq, Eq, Hash)]
struct Said<'m> {
    ends: (PageId, PageId),
    function: Option<ActionId>,
    cost: u32,
    texts: [&'m str; 3],
}

impl<'m> Said<'m> {
    fn new(transition: &'m Transition) -> Said<'m> {
        Said {
            ends: (transition.from, transition.to),
            function: transition.function,
            cost: transition.cost,
            texts: [transition.event(), transition.guard(), transition.update()],
        }
    }
}
