//! Rules and their order: which heads can be concluded, and which objectives a body can name.
//!
//! A grammar can't remember names, but it can have a symbol for every set of objectives that were
//! concluded so far. As long as these are few, a body names only what was concluded above it, and the
//! rules for one objective stand together: then nothing needs itself and nothing is missing.

use super::expression::{Expression, Production, choice, many, named, optional, sequence, some, text};
use super::{Grammar, literals, predicates};
use intentgate_engine::ir::Kind;
use std::collections::BTreeSet;

/// How many sets of concluded objectives a grammar has symbols for.
const MOST_SETS: usize = 64;

/// What was concluded: so many milestones, and a bit for each critical action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Stage {
    milestones: usize,
    actions: usize,
}

/// Whether the grammar keeps track of what was concluded.
pub(super) fn tracked(grammar: &Grammar<'_>) -> bool {
    let actions = grammar.vocabulary.actions().count();
    let sets = u32::try_from(actions).ok().and_then(|bits| 1_usize.checked_shl(bits));
    let sets =
        sets.filter(|sets| *sets > 0).and_then(|sets| sets.checked_mul(grammar.options.milestones.len() + 1));
    sets.is_some_and(|sets| sets <= MOST_SETS)
}

/// Every production for rules, the start symbol first.
pub(super) fn productions(grammar: &Grammar<'_>) -> Vec<Production> {
    let mut rules = Rules {
        kind: grammar.options.kind,
        labels: grammar.options.labels,
        actions: grammar.vocabulary.actions().map(|(_, action)| action.name()).collect(),
        milestones: grammar.options.milestones.iter().map(String::as_str).collect(),
        states: predicates::states(grammar).next().is_some(),
        productions: Vec::new(),
    };
    let start = match (rules.kind, tracked(grammar)) {
        (Kind::Policy, _) => some(rules.never(0)),
        (_, true) => rules.tracked(),
        (_, false) => rules.free(),
    };
    let start = if rules.kind == Kind::Standing { sequence([text("standing\n"), start]) } else { start };
    let mut productions = vec![Production::rule("root", start)];
    productions.append(&mut rules.productions);
    if rules.labels {
        productions.push(Production::token("label", literals::label()));
    }
    let mut seen = BTreeSet::new();
    productions.retain(|production| seen.insert(production.name.clone()));
    productions
}

struct Rules<'g> {
    kind: Kind,
    labels: bool,
    actions: Vec<&'g str>,
    milestones: Vec<&'g str>,
    /// Whether there is a state to make predicates of.
    states: bool,
    productions: Vec<Production>,
}

impl Rules<'_> {
    /// The symbol of a body that may name these objectives.
    fn body(&mut self, name: String, objectives: Vec<Expression>) -> Expression {
        let states = self.states.then(|| named(predicates::ANY));
        let part = format!("part-{name}");
        let joined = predicates::joined(&named(&part));
        let label = self.labels.then(|| optional(sequence([named("label"), text(": ")])));
        let body = format!("body-{name}");
        self.productions.push(Production::rule(&body, sequence(label.into_iter().chain([joined]))));
        self.productions.push(Production::rule(part, choice(states.into_iter().chain(objectives))));
        named(body)
    }

    /// A prohibition: it may name every critical action, and the milestones that are concluded.
    fn never(&mut self, milestones: usize) -> Expression {
        let actions = self.actions.iter().map(|action| text(*action));
        let objectives = actions.chain(self.milestones.iter().take(milestones).map(|name| text(*name)));
        let objectives = objectives.collect();
        let body = self.body(format!("never-{milestones}"), objectives);
        sequence([body, text(" -> Never\n")])
    }

    /// What can be written when nothing has been concluded yet.
    fn tracked(&mut self) -> Expression {
        let mut stages = Vec::new();
        for milestones in 0..=self.milestones.len() {
            for actions in 0..1_usize << self.actions.len() {
                stages.push(Stage { milestones, actions });
            }
        }
        stages.into_iter().for_each(|stage| self.stage(stage));
        named(symbol(Stage { milestones: 0, actions: 0 }))
    }

    /// What can be written behind the rules for the objectives of a stage.
    fn stage(&mut self, stage: Stage) {
        let done = self.milestones.iter().take(stage.milestones).map(|name| text(*name));
        let performed = self.actions.iter().enumerate().filter(|(index, _)| stage.actions >> index & 1 == 1);
        let objectives = done.chain(performed.map(|(_, name)| text(*name))).collect();
        let body = self.body(symbol(stage), objectives);
        let never = self.never(stage.milestones);
        let done = || text(" -> Done\n");
        let ends = many(choice([sequence([body.clone(), done()]), never.clone()]));
        let mut heads: Vec<Expression> = Vec::new();
        for (head, next) in self.next(stage) {
            let arrow = text(format!(" -> {head}\n"));
            let again = many(sequence([body.clone(), arrow.clone()]));
            let next = named(symbol(next));
            let next = if self.kind == Kind::Standing { optional(next) } else { next };
            heads.push(sequence([arrow, again, next]));
        }
        let mut ways = Vec::new();
        if self.kind == Kind::Intent {
            heads.push(sequence([done(), ends.clone()]));
            ways.push(sequence([some(never), body.clone(), done(), ends]));
        } else {
            ways.push(some(never));
        }
        if !heads.is_empty() {
            ways.insert(0, sequence([body, choice(heads)]));
        }
        self.productions.push(Production::rule(symbol(stage), choice(ways)));
    }

    /// What may be concluded next, and the stage behind it.
    fn next(&self, stage: Stage) -> Vec<(String, Stage)> {
        let milestone = self
            .milestones
            .get(stage.milestones)
            .map(|name| ((*name).to_owned(), Stage { milestones: stage.milestones + 1, ..stage }));
        let open = self.actions.iter().enumerate().filter(|(index, _)| stage.actions >> index & 1 == 0);
        let actions = open.map(|(index, name)| {
            ((*name).to_owned(), Stage { actions: stage.actions | 1 << index, ..stage })
        });
        milestone.into_iter().chain(actions).collect()
    }

    /// Rules in any order, with any objectives, but that milestones need only those before them.
    fn free(&mut self) -> Expression {
        let texts = |names: &[&str]| names.iter().map(|name| text(*name)).collect::<Vec<_>>();
        let (actions, milestones) = (texts(&self.actions), texts(&self.milestones));
        let any: Vec<Expression> = actions.iter().chain(&milestones).cloned().collect();
        let body = self.body("any".to_owned(), any);
        let never = self.never(self.milestones.len());
        let done = sequence([body.clone(), text(" -> Done\n")]);
        let mut rules = vec![never.clone()];
        if !actions.is_empty() {
            self.productions.push(Production::rule("action", choice(actions.iter().cloned())));
            rules.push(sequence([body, text(" -> "), named("action"), text("\n")]));
        }
        for (index, milestone) in milestones.iter().enumerate() {
            let before = actions.iter().chain(milestones.iter().take(index)).cloned().collect();
            let body = self.body(format!("milestone-{}", index + 1), before);
            rules.push(sequence([body, text(" -> "), milestone.clone(), text("\n")]));
        }
        self.productions.push(Production::rule("rule", choice(rules)));
        match self.kind {
            Kind::Standing => some(named("rule")),
            _ => sequence([many(named("rule")), done.clone(), many(choice([done, never]))]),
        }
    }
}

/// The symbol of a stage: the milestones, and the actions as the bits of a number.
fn symbol(stage: Stage) -> String {
    format!("stage-{}-{}", stage.milestones, stage.actions)
}
