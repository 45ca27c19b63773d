//! How far a task is: what the gate would know after some steps, and whether it lets the next one pass.

use super::choices::Choice;
use super::{Prohibition, Waived};
use crate::Action;
use crate::planner::Bounds;
use crate::session::Session;
use crate::session::rule_variables;
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
    /// Critical actions that were performed on the way, each with the numbers of what was known then of the variables
    /// of its rules.
    performed: Vec<(ActionId, Vec<u32>)>,
    /// How many changes ago the values that grow old with them were set.
    ages: Vec<u64>,
    done: bool,
}

/// All that was found out in a search.
pub(super) struct Progress<'a> {
    session: &'a Session,
    /// Variables that can change.
    changing: Vec<VariableId>,
    objectives: Vec<Objective>,
    states: Vec<StateId>,
    /// Variables whose values grow old with changes, and with how many.
    aging: Vec<(VariableId, u64)>,
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
        // What they reset can change, too, and what grows old.
        let mut changing = touched;
        changing.extend(session.aging_with_changes().map(|(id, ..)| id));
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
            aging: session.aging_with_changes().map(|(id, limit, _)| (id, limit)).collect(),
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
        let ages = self.session.aging_with_changes().map(|(_, _, age)| age).collect();
        self.keep(&evaluator, Vec::new(), ages)
    }

    pub(super) fn is_done(&self, number: u32) -> bool {
        self.known.get(number as usize).is_some_and(|known| known.done)
    }

    /// Whether a plan may count on a choice.
    pub(super) fn counts_on(&self, choice: &Choice) -> bool {
        (self.waived.surprises || !choice.asked.unexpected) && (self.waived.again || !choice.spare)
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
        let judged = action.0.critical.filter(|_| allowed).map(|id| self.judged(&evaluator, id));
        evaluator.rollback(mark);
        let mut after = allowed.then(|| evaluator.clone());
        self.held = Some((number, evaluator));
        let evaluator = after.as_mut()?;
        let known = self.known.get(number as usize)?;
        let (mut performed, mut ages) = (known.performed.clone(), known.ages.clone());
        let changed = self.lay(evaluator, &action.0.overlay)?;
        self.grow(&mut ages, &action.0.overlay, u64::from(changed || action.0.critical.is_some()));
        if let (Some(id), Some(judged)) = (action.0.critical, judged) {
            evaluator.achieve(id);
            performed.retain(|(known, _)| *known != id);
            performed.push((id, judged));
            performed.sort_unstable();
        }
        self.settle(evaluator, &mut ages);
        let changed = self.lay(evaluator, observes)?;
        self.grow(&mut ages, observes, u64::from(changed));
        self.settle(evaluator, &mut ages);
        let evaluator = after?;
        Some(self.keep(&evaluator, performed, ages))
    }

    /// The numbers of what is known of the variables of an action's rules.
    fn judged(&mut self, evaluator: &Evaluator, id: ActionId) -> Vec<u32> {
        let variables = self.session.history.variables(id).iter();
        let facts: Vec<Fact> = variables.map(|variable| evaluator.fact(*variable)).collect();
        facts.into_iter().map(|fact| self.fact(fact)).collect()
    }

    /// So many changes later; what was given a value is new.
    fn grow(&self, ages: &mut [u64], given: &[Assignment], changes: u64) {
        for (age, (variable, _)) in ages.iter_mut().zip(&self.aging) {
            let given = given.iter().any(|assignment| assignment.variable == *variable);
            *age = if given { 0 } else { age.saturating_add(changes) };
        }
    }

    /// Achieves what follows, and lets old values count no longer, each of which is a change, too.
    fn settle(&self, evaluator: &mut Evaluator, ages: &mut [u64]) {
        let mut achieved = 0;
        evaluator.settle(|_| achieved = 1);
        self.grow(ages, &[], achieved);
        loop {
            let mut expired = 0;
            for (age, (variable, limit)) in ages.iter_mut().zip(&self.aging) {
                if *age > *limit {
                    // Older than too old is all the same.
                    *age = limit.saturating_add(1);
                    expired += u64::from(evaluator.expire(*variable));
                }
            }
            if expired == 0 {
                return;
            }
            self.grow(ages, &[], expired);
        }
    }

    /// Whether the gate takes it for a repetition: no variable of any of its true rules is another than then.
    fn repeats(&self, evaluator: &Evaluator, known: &Known, id: ActionId) -> bool {
        let Some((_, then)) = known.performed.iter().find(|(performed, _)| *performed == id) else {
            return self.session.history.repeats(evaluator, id);
        };
        let then: Vec<(VariableId, Option<&Fact>)> = {
            let numbers = then.iter().map(|number| self.facts.get(*number as usize));
            self.session.history.variables(id).iter().copied().zip(numbers).collect()
        };
        let differs = |rule: usize| {
            rule_variables(evaluator, rule).any(|variable| {
                let then = then.iter().find(|(known, _)| *known == variable).and_then(|(_, fact)| *fact);
                then.is_none_or(|then| evaluator.differs_from(variable, then.value.as_ref()))
            })
        };
        !evaluator.true_rules(id).any(differs)
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
                let was = known.performed.iter().any(|(performed, _)| *performed == id);
                !(self.is_unsettled(action) || known.done || (was && !self.waived.again) || prohibited)
                    && evaluator.is_ready(id)
                    && !self.repeats(evaluator, known, id)
            }
            None => {
                let touched = action.update().iter().map(|assignment| assignment.variable);
                let heeds = !(self.waived.advice || known.done);
                self.is_passable(action)
                    && !(heeds && evaluator.is_suspect(touched, self.session.start.strict))
            }
        }
    }

    /// Whether it changed anything; nothing if no more texts can be remembered.
    fn lay(&self, evaluator: &mut Evaluator, assignments: &[Assignment]) -> Option<bool> {
        let keep = self.session.history.snapshots();
        evaluator.apply(assignments.iter(), keep).ok()
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
                Objective::Action(action) if known.performed.iter().any(|(id, _)| id == action) => {
                    evaluator.achieve(*action);
                }
                Objective::Action(_) => {}
                Objective::Milestone(_) => evaluator.restore_achieved(Some(*objective)),
            }
        }
        Some(evaluator)
    }

    /// The number of what an evaluator knows.
    fn keep(&mut self, evaluator: &Evaluator, performed: Vec<(ActionId, Vec<u32>)>, ages: Vec<u64>) -> u32 {
        let facts: Vec<Fact> = self.changing.iter().map(|id| evaluator.fact(*id)).collect();
        let facts: Vec<u32> = facts.into_iter().map(|fact| self.fact(fact)).collect();
        let observed = self.states.iter().copied().filter(|state| evaluator.is_observed(*state));
        let achieved = self.objectives.iter().copied().filter(|one| evaluator.is_achieved(*one));
        let known = Known {
            facts,
            observed: observed.collect(),
            achieved: achieved.collect(),
            performed,
            ages,
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
            + size_of_val(known.performed.as_slice())
            + known.performed.iter().map(|(_, then)| size_of_val(then.as_slice())).sum::<usize>()
            + size_of_val(known.ages.as_slice());
        self.bytes += 2 * (size_of::<Known>() + lists) + size_of::<u32>();
        self.numbers.insert(known.clone(), number);
        self.known.push(known);
        number
    }

    /// The number of a fact.
    fn fact(&mut self, fact: Fact) -> u32 {
        let number = self.facts.iter().position(|known| *known == fact).unwrap_or_else(|| {
            self.facts.push(fact);
            self.facts.len() - 1
        });
        u32::try_from(number).unwrap_or(u32::MAX)
    }
}
