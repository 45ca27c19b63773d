//! Does one specification allow what another one does not?
//!
//! Critical action by critical action, over all situations and all that may have been achieved before. What
//! was achieved earlier is compared by name: if every situation that achieves a milestone of the one achieves
//! that of the other, the other has it whenever the one has.

use super::situation::DEPENDS;
use super::{Analyst, Answer, Claims, Found, RuleId, Situation};
use crate::diagnostic::Fault;
use crate::ir::{Head, Objective, PredicateKind, Specification};
use crate::schema::{ActionId, VariableId};
use crate::solve::{Claim, Limit, Raw, Setting};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// How a specification relates to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// Both allow the same.
    Equal,
    /// It allows less.
    Narrower,
    /// It allows more.
    Wider,
    /// Each allows what the other one does not.
    Incomparable,
    /// Nobody knows.
    Unknown,
}

/// A comparison of two specifications for one critical action.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The action.
    pub action: String,
    /// How the first relates to the second.
    pub relation: Relation,
    /// A situation in which only the first allows the action. None of what is known in it can be left out.
    pub only_first: Answer<Situation>,
    /// A situation in which only the second allows it.
    pub only_second: Answer<Situation>,
    /// What only the first looks at: once it has changed, the first may allow the action again with what it was
    /// performed with before, and the second would not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again_first: Vec<String>,
    /// The same of the second.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again_second: Vec<String>,
}

/// A comparison of two specifications.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// How the first relates to the second, over all critical actions.
    pub relation: Relation,
    /// Every critical action that one of them concludes.
    pub actions: Vec<Difference>,
    /// Whether a rule asks for similar texts: another measure behind `~` could change the answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub similarity: bool,
}

/// What is achieved by rules in the committed state: a milestone, by its name, or the end of the task.
type Goal = Option<String>;

/// What of one rule set implies what of the same name in the other, and of what that is unknown.
struct Implied {
    implied: BTreeSet<(usize, Goal)>,
    open: BTreeSet<(usize, Goal)>,
}

impl Implied {
    fn leaves_open(&self, item: &Item) -> bool {
        match item {
            Item::Past(set, goal) => {
                let key = (*set, goal.clone());
                self.open.contains(&key) && !self.implied.contains(&key)
            }
            Item::Performed(_) | Item::Known(_) => false,
        }
    }
}

/// Something that an example can do without, or can't.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Past(usize, Goal),
    Performed(ActionId),
    Known(VariableId),
}

impl Comparison {
    /// Compares two specifications of one vocabulary, under the same policies.
    ///
    /// # Errors
    /// A libz3 that is too old; solver and evaluator disagree, which is a bug.
    pub fn of(
        first: &Arc<Specification>,
        second: &Arc<Specification>,
        policies: &[Arc<Specification>],
        setting: &Setting,
    ) -> Result<Comparison, Fault> {
        let others: Vec<Arc<Specification>> =
            std::iter::once(second).chain(policies).map(Arc::clone).collect();
        Analyst::ask(first, &others, setting, |analyst| analyst.compare(None))
    }

    /// Compares a specification with the one that it is to replace during a task. Of the milestones that
    /// are achieved only those that are `kept` stay so; of the others the new one starts without.
    ///
    /// # Errors
    /// As [`Comparison::of`].
    pub fn replacing(
        new: &Arc<Specification>,
        old: &Arc<Specification>,
        policies: &[Arc<Specification>],
        setting: &Setting,
        kept: &BTreeSet<String>,
    ) -> Result<Comparison, Fault> {
        let others: Vec<Arc<Specification>> = std::iter::once(old).chain(policies).map(Arc::clone).collect();
        Analyst::ask(new, &others, setting, |analyst| analyst.compare(Some(kept)))
    }
}

impl Relation {
    /// Of what is known to be allowed by the first only, and by the second only; nothing if that is unknown.
    fn of(only_first: Option<bool>, only_second: Option<bool>) -> Relation {
        match (only_first, only_second) {
            (Some(false), Some(false)) => Relation::Equal,
            (Some(false), Some(true)) => Relation::Narrower,
            (Some(true), Some(false)) => Relation::Wider,
            (Some(true), Some(true)) => Relation::Incomparable,
            (None, _) | (_, None) => Relation::Unknown,
        }
    }

    /// Of several actions together.
    fn over(relations: impl Iterator<Item = Relation>) -> Relation {
        relations.fold(Relation::Equal, |all, one| match (all, one) {
            (Relation::Unknown, _) | (_, Relation::Unknown) => Relation::Unknown,
            (Relation::Equal, other) | (other, Relation::Equal) => other,
            (one, other) if one == other => one,
            _ => Relation::Incomparable,
        })
    }
}

impl Analyst {
    fn compare(&mut self, kept: Option<&BTreeSet<String>>) -> Result<Comparison, Fault> {
        let implied = self.implications(kept)?;
        let more = |answer: &Answer<Situation>, again: &[String]| match answer {
            Answer::Yes(_) => Some(true),
            Answer::No(_) => Some(!again.is_empty()),
            Answer::Unknown(_) => (!again.is_empty()).then_some(true),
        };
        let concluded: BTreeSet<ActionId> = self
            .rules()
            .into_iter()
            .filter(|id| id.set < 2)
            .filter_map(|id| match self.head(id) {
                Some(Head::Objective(Objective::Action(action))) => Some(action),
                _ => None,
            })
            .collect();
        let mut actions = Vec::new();
        for action in concluded {
            let only_first = self.allowed_by_one(0, 1, action, &implied)?;
            let only_second = self.allowed_by_one(1, 0, action, &implied)?;
            let again_first = self.again(0, 1, action, &implied)?;
            let again_second = self.again(1, 0, action, &implied)?;
            let name = self.vocabulary().map(|vocabulary| vocabulary.action(action).name().to_owned());
            actions.push(Difference {
                action: name.unwrap_or_default(),
                relation: Relation::of(more(&only_first, &again_first), more(&only_second, &again_second)),
                only_first,
                only_second,
                again_first,
                again_second,
            });
        }
        let relation = Relation::over(actions.iter().map(|difference| difference.relation));
        let similarity = self.rules().into_iter().any(|id| self.asks_for_similar(id));
        Ok(Comparison { relation, actions, similarity })
    }

    /// For each of two rule sets, what of it implies what of the same name in the other.
    fn implications(&mut self, kept: Option<&BTreeSet<String>>) -> Result<Implied, Fault> {
        let (first, mut second) = (self.goals(0), self.goals(1));
        let shared: Vec<(Goal, Vec<RuleId>, Vec<RuleId>)> = first
            .into_iter()
            .filter_map(|(goal, rules)| Some((goal.clone(), rules, second.remove(&goal)?)))
            .collect();
        let mut implied: BTreeSet<(usize, Goal)> = BTreeSet::new();
        let mut open: BTreeSet<(usize, Goal)> = BTreeSet::new();
        // What is implied may help to show what else is, until nothing is new.
        loop {
            let before = implied.len();
            for (goal, first, second) in &shared {
                for (set, mine, theirs) in [(0, first, second), (1, second, first)] {
                    if implied.contains(&(set, goal.clone())) {
                        continue;
                    }
                    // What the old one had achieved and is not kept, the new one hasn't.
                    let lost = kept.zip(goal.as_ref()).is_some_and(|(kept, goal)| !kept.contains(goal));
                    if set == 1 && lost {
                        continue;
                    }
                    let differs = self.whether(|analyst| {
                        let mut claims = Claims::default();
                        claims.push(analyst.one_of(mine), analyst.wholes(mine));
                        claims.push(analyst.one_of(theirs).negate(), analyst.wholes(theirs));
                        analyst.assume(&implied, &mut claims);
                        (claims, analyst.spoken(&[mine, theirs]))
                    })?;
                    match differs {
                        Answer::No(_) => drop(implied.insert((set, goal.clone()))),
                        Answer::Unknown(_) => drop(open.insert((set, goal.clone()))),
                        Answer::Yes(_) => {}
                    }
                }
            }
            if implied.len() == before {
                return Ok(Implied { implied, open });
            }
        }
    }

    /// The variables that one rule set looks at for an action and the other does not where it allows the same: an
    /// action that was performed is blocked until something changes that its rules look at.
    fn again(
        &mut self,
        one: usize,
        other: usize,
        action: ActionId,
        implied: &Implied,
    ) -> Result<Vec<String>, Fault> {
        let head = Head::Objective(Objective::Action(action));
        let mut extra: BTreeSet<VariableId> = BTreeSet::new();
        let others = self.concluding(other, head);
        for id in self.concluding(one, head) {
            let seen = self.looked_at(id);
            let mut least: Option<BTreeSet<VariableId>> = None;
            for theirs in &others {
                let left: BTreeSet<VariableId> = seen.difference(&self.looked_at(*theirs)).copied().collect();
                if least.as_ref().is_some_and(|least| least.len() <= left.len()) {
                    continue;
                }
                let differs = self.whether(|analyst| {
                    let mut claims = analyst.body(id);
                    let theirs_so = analyst.problem.body(theirs.set, theirs.rule);
                    claims.push(theirs_so.negate(), None);
                    analyst.assume(&implied.implied, &mut claims);
                    (claims, analyst.spoken(&[&vec![id, *theirs]]))
                })?;
                if differs.is_no() {
                    least = Some(left);
                }
            }
            // Several of theirs together may allow what this one does: what all of them look at counts.
            extra.extend(least.unwrap_or_else(|| {
                let all = others.iter().map(|theirs| self.looked_at(*theirs));
                let shared = all.reduce(|all, one| all.intersection(&one).copied().collect());
                shared.map_or_else(BTreeSet::new, |shared| seen.difference(&shared).copied().collect())
            }));
        }
        let Some(vocabulary) = self.vocabulary() else { return Ok(Vec::new()) };
        Ok(extra.into_iter().map(|id| vocabulary.path(id)).collect())
    }

    /// The variables of a rule, and those of states that it asks about as a whole.
    fn looked_at(&self, id: RuleId) -> BTreeSet<VariableId> {
        let mut seen = self.variables(id);
        let Some(specification) = self.set(id.set) else { return seen };
        let predicates = specification.rules().get(id.rule).map(|rule| specification.body(rule));
        for predicate in predicates.unwrap_or(&[]) {
            if let PredicateKind::State { state, constraints: (_, 0) } = predicate.kind() {
                seen.extend(specification.vocabulary().state(state).variables());
            }
        }
        seen
    }

    /// The rules of each milestone of a rule set, and of its end.
    fn goals(&self, set: usize) -> BTreeMap<Goal, Vec<RuleId>> {
        let mut goals: BTreeMap<Goal, Vec<RuleId>> = BTreeMap::new();
        let Some(specification) = self.set(set) else { return goals };
        for (rule, written) in specification.rules().iter().enumerate() {
            let goal = match written.head() {
                Head::Objective(objective @ Objective::Milestone(_)) => {
                    Some(specification.objective_name(objective).to_owned())
                }
                Head::Done => None,
                Head::Objective(Objective::Action(_)) | Head::Never => continue,
            };
            goals.entry(goal).or_default().push(RuleId { set, rule });
        }
        goals
    }

    /// What is known of the past: what one had achieved, the other had.
    fn assume(&mut self, implied: &BTreeSet<(usize, Goal)>, claims: &mut Claims) {
        for (set, goal) in implied {
            let (mine, theirs) = (self.past(*set, goal), self.past(1 - *set, goal));
            if let (Some(mine), Some(theirs)) = (mine, theirs) {
                claims.push(Claim::any([&mine.negate(), &theirs]), None);
            }
        }
    }

    /// Whether a goal had been achieved before.
    fn past(&self, set: usize, goal: &Goal) -> Option<Claim> {
        let Some(name) = goal else { return Some(self.problem.was_complete(set)) };
        let specification = self.set(set)?;
        let objectives = specification.rules().iter().filter_map(|rule| match rule.head() {
            Head::Objective(objective @ Objective::Milestone(_)) => Some(objective),
            _ => None,
        });
        let mut objectives = objectives.filter(|objective| specification.objective_name(*objective) == name);
        Some(self.problem.was_achieved(set, objectives.next()?))
    }

    /// A situation in which one rule set allows an action and the other does not, with as little achieved
    /// and known as can be.
    fn allowed_by_one(
        &mut self,
        one: usize,
        other: usize,
        action: ActionId,
        implied: &Implied,
    ) -> Result<Answer<Situation>, Fault> {
        let rules: Vec<RuleId> = self.rules();
        let spoken = self.spoken(&[&rules]);
        let ask = |analyst: &mut Analyst, without: &BTreeSet<Item>| {
            let answer = analyst.twice(|analyst| {
                let mut claims = Claims::default();
                claims.push(analyst.allows(one, action), None);
                claims.push(analyst.allows(other, action).negate(), None);
                analyst.assume(&implied.implied, &mut claims);
                // Arguments of other actions are there because those were performed.
                for id in &spoken {
                    if analyst.argument_of(*id).is_some_and(|of| of != action) {
                        claims.push(analyst.problem.as_committed(*id), None);
                    }
                }
                for item in without {
                    if let Some(claim) = analyst.so(item) {
                        claims.push(claim.negate(), None);
                    }
                }
                let found = analyst.find(&claims.claims, &spoken);
                let past = match &found {
                    Ok(Found::Example(raw, _)) => analyst.past_in(raw),
                    _ => Vec::new(),
                };
                Ok(match analyst.answer(&claims, found)? {
                    Answer::Yes(situation) => {
                        Answer::Yes((Situation { achieved: Vec::new(), ..situation }, past))
                    }
                    Answer::No(reason) => Answer::No(reason),
                    Answer::Unknown(limit) => Answer::Unknown(limit),
                })
            })?;
            Ok::<_, Fault>(answer)
        };
        // Nothing achieved, if that will do; else as little as can be left out one by one.
        let pasts: BTreeSet<Item> = self.pasts().into_iter().collect();
        let mut without = pasts.clone();
        let mut best = ask(self, &without)?;
        if !best.is_yes() {
            without.clear();
            best = ask(self, &without)?;
        }
        let Some(vocabulary) = self.vocabulary().cloned() else { return Ok(Answer::Unknown(Limit::Solver)) };
        let mut items: Vec<Item> = pasts.difference(&without).cloned().collect();
        if let Answer::Yes((situation, _)) = &best {
            let known = situation.values.iter().filter_map(|(path, _)| vocabulary.find_path(path));
            items.extend(known.map(Item::Known));
        } else {
            items.clear();
        }
        for item in items {
            without.insert(item.clone());
            match self.without_reasons(|analyst| ask(analyst, &without))? {
                smaller @ Answer::Yes(_) => best = smaller,
                Answer::No(_) | Answer::Unknown(_) => {
                    without.remove(&item);
                }
            }
        }
        Ok(match best {
            // An example that rests on an implication that nobody could show is none.
            Answer::Yes((_, past)) if past.iter().any(|item| implied.leaves_open(item)) => {
                Answer::Unknown(Limit::Solver)
            }
            Answer::Yes((situation, past)) => {
                let achieved = past.iter().map(|item| self.item_name(item)).collect();
                Answer::Yes(Situation { achieved, ..situation })
            }
            Answer::No(reason) => Answer::No(reason),
            Answer::Unknown(limit) => Answer::Unknown(limit),
        })
    }

    /// All that can have been achieved before: by actions, by either rule set.
    fn pasts(&self) -> Vec<Item> {
        let mut pasts: Vec<Item> = Vec::new();
        if let Some(vocabulary) = self.vocabulary() {
            pasts.extend(vocabulary.actions().map(|(id, _)| Item::Performed(id)));
        }
        for set in [0, 1] {
            pasts.extend(self.goals(set).into_keys().map(|goal| Item::Past(set, goal)));
        }
        pasts
    }

    fn past_in(&self, raw: &Raw) -> Vec<Item> {
        let so = |item: &Item| match item {
            Item::Performed(action) => raw.says(&self.problem.achieved(0, Objective::Action(*action))),
            Item::Past(set, goal) => self.past(*set, goal).is_some_and(|claim| raw.says(&claim)),
            Item::Known(_) => false,
        };
        self.pasts().into_iter().filter(so).collect()
    }

    fn so(&mut self, item: &Item) -> Option<Claim> {
        match item {
            Item::Performed(action) => Some(self.problem.achieved(0, Objective::Action(*action))),
            Item::Past(set, goal) => self.past(*set, goal),
            Item::Known(id) => Some(self.problem.known(*id)),
        }
    }

    fn item_name(&self, item: &Item) -> String {
        let which = |set: &usize| if *set == 0 { "the first" } else { "the second" };
        let Some(vocabulary) = self.vocabulary() else { return String::new() };
        match item {
            Item::Performed(action) => vocabulary.action(*action).name().to_owned(),
            Item::Past(set, Some(milestone)) => format!("{milestone} of {}", which(set)),
            Item::Past(set, None) => format!("Done of {}", which(set)),
            Item::Known(id) => vocabulary.path(*id),
        }
    }

    /// A rule set lets an action pass: one of its rules is true, no prohibition stands, and its task is not
    /// complete.
    fn allows(&mut self, set: usize, action: ActionId) -> Claim {
        let head = Head::Objective(Objective::Action(action));
        let rules: Vec<RuleId> = self.rules().into_iter().filter(|id| id.set == set).collect();
        let concluding = |analyst: &Analyst, head| -> Vec<RuleId> {
            rules.iter().copied().filter(|id| analyst.head(*id) == Some(head)).collect()
        };
        let (ready, ends) = (concluding(self, head), concluding(self, Head::Done));
        let mut parts = vec![self.one_of(&ready)];
        // What has no end is never complete.
        if !ends.is_empty() {
            parts.push(self.problem.was_complete(set).negate());
        }
        for id in ends {
            parts.push(self.problem.committed_body(id.set, id.rule).negate());
        }
        // Its own prohibitions, and those of the policies.
        for id in self.prohibitions(action).into_iter().filter(|id| id.set == set || id.set > 1) {
            parts.push(self.problem.cleared(id.set, id.rule, action));
        }
        Claim::all(&parts)
    }

    /// The variables that rules speak of.
    fn spoken(&self, rules: &[&Vec<RuleId>]) -> BTreeSet<VariableId> {
        rules.iter().flat_map(|rules| rules.iter()).flat_map(|id| self.variables(*id)).collect()
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Difference { action, relation, only_first, only_second, again_first, again_second } in
            &self.actions
        {
            let relation = match relation {
                Relation::Equal => "both allow the same",
                Relation::Narrower => "the first allows less",
                Relation::Wider => "the first allows more",
                Relation::Incomparable => "each allows what the other does not",
                Relation::Unknown => "it is unknown which allows more",
            };
            writeln!(f, "{action}: {relation}")?;
            for (which, answer) in [("first", only_first), ("second", only_second)] {
                if let Answer::Yes(situation) = answer {
                    writeln!(f, "  only the {which} when {situation}")?;
                }
            }
            for (which, again) in [("first", again_first), ("second", again_second)] {
                if !again.is_empty() {
                    let again = again.join(", ");
                    writeln!(f, "  the {which} may allow it once more when {again} has changed")?;
                }
            }
        }
        if self.similarity {
            writeln!(f, "{DEPENDS}")?;
        }
        Ok(())
    }
}
