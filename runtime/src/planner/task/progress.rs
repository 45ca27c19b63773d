//! How far a task is: what the gate would know after some steps, and whether it lets the next one pass.

use super::choices::Choice;
use super::{Prohibition, Waived};
use crate::Action;
use crate::planner::Bounds;
use crate::session::Session;
use intentgate_engine::eval::{Assignment, Evaluator, Fact};
use intentgate_engine::ir::{Head, Objective};
use intentgate_engine::schema::{ActionId, StateId, VariableId};
use std::collections::{BTreeSet, HashMap};

/// What is known and achieved, as far as it can change.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Known {
    /// The number of what is known of each variable that can change.
    facts: Vec<u32>,
    /// States that were observed, of those that can be.
    observed: Vec<StateId>,
    achieved: Vec<Objective>,
    /// Critical actions that were performed on the way.
    performed: Vec<ActionId>,
    done: bool,
}

/// All that was found out in a search.
pub(super) struct Progress<'a> {
    session: &'a Session,
    /// Variables that can change.
    changing: Vec<VariableId>,
    objectives: Vec<Objective>,
    states: Vec<StateId>,
    facts: Vec<Fact>,
    known: Vec<Known>,
    numbers: HashMap<Known, u32>,
    /// What comes of a choice; nothing if the gate does not let it pass.
    after: HashMap<(u32, u32), Option<u32>>,
    waived: Waived,
    /// The evaluator of what was asked about last.
    held: Option<(u32, Evaluator)>,
    bounds: Bounds,
    /// How often the evaluator was asked, over all searches.
    asked: usize,
    /// About how many bytes are held.
    bytes: usize,
}

impl<'a> Progress<'a> {
    /// `touched` are the variables that transitions give values.
    pub(super) fn new(session: &'a Session, touched: BTreeSet<VariableId>) -> Progress<'a> {
        let vocabulary = session.vocabulary();
        // What they reset can change, too.
        let mut changing = touched;
        loop {
            let before = changing.len();
            for (id, variable) in vocabulary.variables() {
                if variable.reset_by().iter().any(|by| changing.contains(by)) {
                    changing.insert(id);
                }
            }
            if changing.len() == before {
                break;
            }
        }
        let performed = vocabulary.actions().map(|(id, _)| Objective::Action(id));
        let mut objectives: Vec<Objective> = session.milestones().chain(performed).collect();
        objectives.sort_unstable();
        objectives.dedup();
        let states: BTreeSet<StateId> = changing.iter().map(|id| vocabulary.variable(*id).state()).collect();
        Progress {
            session,
            changing: changing.into_iter().collect(),
            objectives,
            states: states.into_iter().collect(),
            facts: Vec::new(),
            known: Vec::new(),
            numbers: HashMap::new(),
            after: HashMap::new(),
            waived: Waived::default(),
            held: None,
            bounds: Bounds::default(),
            asked: 0,
            bytes: 0,
        }
    }

    pub(super) fn session(&self) -> &'a Session {
        self.session
    }

    /// The prohibitions of all rule sets, by their numbers.
    pub(super) fn prohibitions(session: &Session) -> BTreeSet<usize> {
        let sets = session.evaluator.sets().iter();
        let rules = sets.flat_map(|set| {
            let numbered = set.specification().rules().iter().enumerate();
            numbered.map(|(index, rule)| (set.first_rule() + index, rule.head()))
        });
        rules.filter(|(_, head)| *head == Head::Never).map(|(number, _)| number).collect()
    }

    pub(super) fn prohibition(session: &Session, number: usize) -> Option<Prohibition> {
        let (set, index) = session.evaluator.locate(number)?;
        let specification = set.specification();
        let source = specification.source();
        let span = specification.rules().get(index)?.span();
        Some(Prohibition {
            source: source.name().to_owned(),
            line: source.position(span.start()).line,
            rule: specification.rule_name(index),
            text: source.slice(span).to_owned(),
        })
    }

    /// What the session knows now.
    pub(super) fn start(&mut self, waived: Waived, bounds: &Bounds) -> u32 {
        self.waived = waived;
        self.bounds = *bounds;
        self.after.clear();
        self.held = None;
        let evaluator = self.session.evaluator.clone();
        self.keep(&evaluator, Vec::new())
    }

    pub(super) fn is_done(&self, number: u32) -> bool {
        self.known.get(number as usize).is_some_and(|known| known.done)
    }

    /// Whether a plan may count on a choice.
    pub(super) fn counts_on(&self, choice: &Choice) -> bool {
        self.waived.surprises || !choice.asked.unexpected
    }

    /// Whether no more can be asked: from now on nothing passes.
    pub(super) fn is_spent(&self) -> bool {
        let answers = self.after.capacity() * size_of::<((u32, u32), Option<u32>)>();
        self.asked >= self.bounds.expansions || self.bytes + answers > self.bounds.bytes
    }

    /// What comes of a choice, if the gate lets it pass. The same question is answered once.
    pub(super) fn advance(&mut self, number: u32, label: u32, choice: &Choice) -> Option<u32> {
        if let Some(known) = self.after.get(&(number, label)) {
            return *known;
        }
        if self.is_spent() {
            return None;
        }
        self.asked += 1;
        let after = self.judge(number, choice);
        self.after.insert((number, label), after);
        after
    }

    fn judge(&mut self, number: u32, choice: &Choice) -> Option<u32> {
        let action = &choice.asked.action;
        let observes = &choice.asked.observes.assignments;
        if action.0.overlay.is_empty() && observes.is_empty() && action.0.critical.is_none() {
            return self.is_passable(action).then_some(number);
        }
        let mut evaluator = match self.held.take() {
            Some((held, evaluator)) if held == number => evaluator,
            _ => self.restore(self.known.get(number as usize)?)?,
        };
        let mark = evaluator.mark();
        let allowed = self.allows(&mut evaluator, number, action);
        evaluator.rollback(mark);
        let mut after = allowed.then(|| evaluator.clone());
        self.held = Some((number, evaluator));
        let evaluator = after.as_mut()?;
        let mut performed = self.known.get(number as usize)?.performed.clone();
        self.lay(evaluator, &action.0.overlay)?;
        if let Some(id) = action.0.critical {
            evaluator.achieve(id);
            performed.push(id);
            performed.sort_unstable();
        }
        evaluator.settle(|_| ());
        self.lay(evaluator, observes)?;
        evaluator.settle(|_| ());
        let evaluator = after?;
        Some(self.keep(&evaluator, performed))
    }

    /// Whether it may have been performed, and nobody knows.
    fn is_unsettled(&self, action: &Action) -> bool {
        self.session.unsettled().any(|name| name == action.name())
    }

    /// Whether an ordinary action's name lets it pass at all.
    fn is_passable(&self, action: &Action) -> bool {
        !self.is_unsettled(action)
            && action.0.near.is_none()
            && (action.0.declared || !self.session.vocabulary().is_closed())
    }

    /// Whether the gate lets an action pass; it stays laid over.
    fn allows(&self, evaluator: &mut Evaluator, number: u32, action: &Action) -> bool {
        let Some(known) = self.known.get(number as usize) else { return false };
        if self.lay(evaluator, &action.0.overlay).is_none() {
            return false;
        }
        match action.0.critical {
            Some(id) => {
                let standing = |rule: usize| !self.waived.prohibitions.contains(&rule);
                let prohibited =
                    evaluator.is_prohibited(id) && evaluator.standing_prohibitions(id).any(standing);
                // Once on the way will do: what it achieves stays achieved.
                !(self.is_unsettled(action) || known.done || known.performed.contains(&id) || prohibited)
                    && evaluator.is_ready(id)
                    && !self.session.history.repeats(evaluator, id)
            }
            None => {
                let touched = action.update().iter().map(|assignment| assignment.variable);
                let heeds = !(self.waived.advice || known.done);
                self.is_passable(action)
                    && !(heeds && evaluator.is_suspect(touched, self.session.start.strict))
            }
        }
    }

    /// Nothing if no more texts can be remembered.
    fn lay(&self, evaluator: &mut Evaluator, assignments: &[Assignment]) -> Option<()> {
        let keep = self.session.history.snapshots();
        evaluator.apply(assignments.iter(), keep).ok().map(|_| ())
    }

    /// The evaluator as it would be; nothing if no more texts can be remembered.
    fn restore(&self, known: &Known) -> Option<Evaluator> {
        let mut evaluator = self.session.evaluator.clone();
        let facts = known.facts.iter().filter_map(|number| self.facts.get(*number as usize));
        let facts: Vec<(VariableId, &Fact)> = self.changing.iter().copied().zip(facts).collect();
        let assignments: Vec<Assignment> = facts
            .iter()
            .map(|(variable, fact)| Assignment {
                variable: *variable,
                value: fact.value.clone(),
                source: fact.source,
            })
            .collect();
        self.lay(&mut evaluator, &assignments)?;
        for (variable, _) in facts.iter().filter(|(_, fact)| !fact.counts) {
            evaluator.expire(*variable);
        }
        known.observed.iter().for_each(|state| evaluator.restore_observed(*state));
        for objective in &known.achieved {
            match objective {
                Objective::Action(action) if known.performed.contains(action) => evaluator.achieve(*action),
                Objective::Action(_) => {}
                Objective::Milestone(_) => evaluator.restore_achieved(Some(*objective)),
            }
        }
        Some(evaluator)
    }

    /// The number of what an evaluator knows.
    fn keep(&mut self, evaluator: &Evaluator, performed: Vec<ActionId>) -> u32 {
        let mut facts = Vec::with_capacity(self.changing.len());
        for id in &self.changing {
            let fact = evaluator.fact(*id);
            let number = self.facts.iter().position(|known| *known == fact).unwrap_or_else(|| {
                self.facts.push(fact);
                self.facts.len() - 1
            });
            facts.push(u32::try_from(number).unwrap_or(u32::MAX));
        }
        let observed = self.states.iter().copied().filter(|state| evaluator.is_observed(*state));
        let achieved = self.objectives.iter().copied().filter(|one| evaluator.is_achieved(*one));
        let known = Known {
            facts,
            observed: observed.collect(),
            achieved: achieved.collect(),
            performed,
            done: evaluator.is_done(),
        };
        if let Some(number) = self.numbers.get(&known) {
            return *number;
        }
        let number = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        // It is held twice: by its number, and to be found again.
        let lists = size_of_val(known.facts.as_slice())
            + size_of_val(known.observed.as_slice())
            + size_of_val(known.achieved.as_slice())
            + size_of_val(known.performed.as_slice());
        self.bytes += 2 * (size_of::<Known>() + lists) + size_of::<u32>();
        self.numbers.insert(known.clone(), number);
        self.known.push(known);
        number
    }
}
