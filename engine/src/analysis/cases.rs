//! Tests from logic: for every rule a situation in which it is true, for every constraint one that breaks it
//! alone, at the boundary where there is one, for every prohibition one that trips it.
//!
//! Knows what the gate has to say; whether it does is for who plays the cases.

use super::question::{Literal, Want};
use super::reach::{Moment, Node, Task};
use super::{A_DAY, Analyst, Answer, Claims, Plan, RuleId, Situation, Step};
use crate::boundary::{any_value, neighbour};
use crate::diagnostic::Fault;
use crate::ir::{Constraint, Element, Head, Objective, Operand, Operator, Specification};
use crate::schema::{ActionId, VariableId};
use crate::solve::{Claim, Setting};
use crate::value::Value;
use chrono::{NaiveDate, TimeDelta};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// The most elements of a list that get a test each.
const MOST_ELEMENTS: usize = 16;

/// A test of a specification: what happens, and what comes of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Case {
    /// What it is about; no two have the same name.
    pub name: String,
    /// Today.
    #[serde(serialize_with = "super::situation::as_day")]
    pub today: NaiveDate,
    /// Values for all parameters that the setting has none for.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "super::situation::as_map")]
    pub parameters: Vec<(String, Value)>,
    /// What happens before: milestones are achieved, critical actions allowed and performed.
    pub before: Vec<Step>,
    /// What is known then; of an action that is attempted, its arguments.
    pub situation: Situation,
    /// What is concluded, or is not: an action, a milestone, `Done`.
    pub concludes: String,
    /// Whether it is a critical action.
    pub critical: bool,
    /// Whether it is concluded: the action allowed, the milestone achieved, the task complete.
    pub expected: bool,
}

impl Case {
    /// Every situation on the way, the last included.
    pub fn situations(&self) -> impl Iterator<Item = &Situation> {
        self.before.iter().map(|step| &step.situation).chain([&self.situation])
    }
}

/// Tests of a specification, and what there is no test for.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Cases {
    /// The tests.
    pub cases: Vec<Case>,
    /// What can't be tested, and why.
    pub missing: Vec<Missing>,
}

/// Something for which there is no test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Missing {
    /// What the test would be about.
    pub name: String,
    /// Why there is none: what excludes it, or a limit.
    pub why: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no test for `{}`: {}", self.name, self.why)
    }
}

/// What a test does to the parts of a rule's body.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    /// All of them are so.
    Holds,
    /// All but this one.
    Breaks(usize),
    /// All but this one, of which nothing is known.
    Misses(usize),
}

/// A place at the boundary of a constraint.
struct Edge {
    variable: VariableId,
    value: Value,
    /// Whether the variable has that value there, or another one.
    at: bool,
    /// What it is compared with, if that is a variable, too.
    other: Option<(VariableId, Value)>,
    /// The parameters, if it is compared with one.
    parameters: Vec<(String, Value)>,
}

/// What the tests of a rule have in common.
struct Subject {
    id: RuleId,
    name: String,
    head: Head,
    attempted: Option<ActionId>,
    /// For a prohibition, the rules that would allow the action.
    allowing: Option<Vec<RuleId>>,
    today: NaiveDate,
}

impl Cases {
    /// The tests of a specification with its policies. Where the setting has no today it is 2000-01-01.
    ///
    /// # Errors
    /// A libz3 that is too old; solver and evaluator disagree, which is a bug.
    pub fn of(
        specification: &Arc<Specification>,
        policies: &[Arc<Specification>],
        setting: &Setting,
    ) -> Result<Cases, Fault> {
        let today = setting.today.or(A_DAY).unwrap_or_default();
        let setting = Setting { today: Some(today), ..setting.clone() };
        Analyst::ask(specification, policies, &setting, |analyst| {
            let mut found = Cases::default();
            for id in analyst.rules() {
                let Some(head) = analyst.head(id) else { continue };
                let subjects = analyst.subjects(id, head, today);
                if subjects.is_empty() {
                    let name = format!("{} holds", analyst.rule_name(id));
                    let why = "it concerns no action of the specification".to_owned();
                    found.missing.push(Missing { name, why });
                }
                subjects.iter().try_for_each(|subject| analyst.add_cases(subject, &mut found))?;
            }
            Ok(found)
        })
    }

    /// Adds a test, unless there is one of the same; names stay different.
    fn push(&mut self, mut case: Case) {
        let same = |other: &Case| Case { name: case.name.clone(), ..other.clone() } == case;
        if self.cases.iter().any(same) {
            return;
        }
        let name = case.name.clone();
        let mut number = 2;
        while self.cases.iter().any(|other| other.name == case.name) {
            case.name = format!("{name} ({number})");
            number += 1;
        }
        self.cases.push(case);
    }
}

impl Subject {
    /// What is to come of it.
    fn expected(&self, manner: Manner) -> bool {
        match manner {
            Manner::Holds => self.allowing.is_none(),
            Manner::Breaks(_) => self.allowing.is_some(),
            // What is unknown allows nothing, and lets nothing pass.
            Manner::Misses(_) => false,
        }
    }
}

impl Analyst {
    /// What is tested of a rule: itself, or for a prohibition what it does to each action that it concerns.
    fn subjects(&self, id: RuleId, head: Head, today: NaiveDate) -> Vec<Subject> {
        let name = self.rule_name(id);
        if head != Head::Never {
            let attempted = head.action();
            return vec![Subject { id, name, head, attempted, allowing: None, today }];
        }
        let Some(vocabulary) = self.vocabulary() else { return Vec::new() };
        let actions = vocabulary.actions().filter(|(action, _)| self.prohibitions(*action).contains(&id));
        let subjects = actions.filter_map(|(action, declared)| {
            let head = Head::Objective(Objective::Action(action));
            let allowing = self.concluding(0, head);
            let name = format!("{name} on {}", declared.name());
            let subject = Subject { id, name, head, attempted: Some(action), allowing: None, today };
            (!allowing.is_empty()).then_some(Subject { allowing: Some(allowing), ..subject })
        });
        subjects.collect()
    }

    /// The tests of a rule: it holds, it holds and breaks at each boundary, each part of it breaks alone.
    fn add_cases(&mut self, subject: &Subject, found: &mut Cases) -> Result<(), Fault> {
        let Subject { id, name, .. } = subject;
        let base = match self.can_allow(*id)? {
            // Nothing to look for.
            Answer::No(reason) if subject.allowing.is_none() => Answer::No(reason),
            _ => self.find_case(subject, Manner::Holds, None, &Node::default())?,
        };
        let title = format!("{name} holds");
        let Some(situation) = self.add(subject, Manner::Holds, title, &base, found) else { return Ok(()) };
        let near = self.near(&situation);
        for (place, part) in self.parts(*id).into_iter().enumerate() {
            if self.is_attempt(subject, place) {
                continue;
            }
            let mut broken = false;
            for edge in self.edges(*id, place, &situation, subject.today) {
                for (manner, verb) in [(Manner::Holds, "holds"), (Manner::Breaks(place), "breaks")] {
                    let answer = self.find_case(subject, manner, Some(&edge), &near)?;
                    if answer.is_yes() {
                        let title = format!("{name}: {} {verb} {edge}", part.text);
                        self.add(subject, manner, title, &answer, found);
                        broken |= manner != Manner::Holds;
                        break;
                    }
                }
            }
            if !broken {
                let manner = Manner::Breaks(place);
                let answer = self.find_case(subject, manner, None, &near)?;
                self.add(subject, manner, format!("{name} without {}", part.text), &answer, found);
            }
            if self.constraint_at(*id, place).is_some() {
                let manner = Manner::Misses(place);
                let answer = self.find_case(subject, manner, None, &near)?;
                // Where something else needs to know it, too, this is no test of the part alone.
                if answer.is_yes() {
                    self.add(subject, manner, format!("{name}: {} is unknown", part.text), &answer, found);
                }
            }
        }
        Ok(())
    }

    /// The way to a test, and its last moment.
    fn find_case(
        &mut self,
        subject: &Subject,
        manner: Manner,
        edge: Option<&Edge>,
        start: &Node,
    ) -> Result<Answer<Plan>, Fault> {
        let Subject { id, head, attempted, ref allowing, .. } = *subject;
        let needs: Vec<RuleId> = allowing.iter().flatten().copied().chain([id]).collect();
        // An objective that is to be missing is not achieved on the way either.
        let missing = match manner {
            Manner::Holds | Manner::Misses(_) => None,
            Manner::Breaks(place) => self.objective_at(id, place),
        };
        let moment = Moment {
            head,
            ends: manner == Manner::Holds && head == Head::Done,
            attempted,
            needs: &needs,
            claims: &|analyst| analyst.moment_of(subject, manner, edge),
        };
        let barred: BTreeSet<ActionId> = missing.and_then(Head::action).into_iter().collect();
        // A milestone may have been achieved earlier, by other values than those of now.
        let milestones = needs.iter().flat_map(|id| self.named(*id));
        let milestones = milestones.filter(|head| head.action().is_none() && Some(*head) != missing);
        let goals: Vec<(usize, Head)> = milestones.map(|head| (0, head)).collect();
        let task = Task { start, goals: &goals, moment: Some(&moment), barred: &barred };
        let answer = self.find_way(&task)?;
        if answer.is_yes() || moment.ends || attempted.is_none() || subject.expected(manner) {
            return Ok(answer);
        }
        // What breaks the rule may complete the task, as the other side of a branch: it is blocked, too.
        let moment = Moment { ends: true, ..moment };
        let complete = self.find_way(&Task { moment: Some(&moment), ..task })?;
        Ok(if complete.is_yes() { complete } else { answer })
    }

    /// What is so in a test: nothing but the rule decides.
    fn moment_of(
        &mut self,
        subject: &Subject,
        manner: Manner,
        edge: Option<&Edge>,
    ) -> (Claims, BTreeSet<VariableId>) {
        let Subject { id, head, attempted, ref allowing, .. } = *subject;
        let mut claims = Claims::default();
        let mut spoken = self.variables(id);
        let body = self.body(id);
        for (place, (claim, parts)) in body.claims.into_iter().zip(body.parts).enumerate() {
            // What is attempted counts as achieved, for prohibitions.
            if self.is_attempt(subject, place) {
                continue;
            }
            let claim = match self.constraint_at(id, place) {
                Some(constraint) if manner == Manner::Breaks(place) => {
                    self.problem.fails_constraint(id.set, &constraint)
                }
                Some(constraint) if manner == Manner::Misses(place) => {
                    self.problem.known(constraint.variable()).negate()
                }
                None if manner == Manner::Breaks(place) => claim.negate(),
                _ => claim,
            };
            claims.push(claim, parts);
        }
        if let Some(Edge { variable, value, at, other, parameters }) = edge {
            let is = self.problem.is(*variable, value);
            claims.push(if *at { is } else { is.negate() }, None);
            if let Some((variable, value)) = other {
                claims.push(self.problem.is(*variable, value), None);
            }
            for claim in self.problem.bound(subject.today, parameters) {
                claims.push(claim, None);
            }
        }
        if let Some(allowing) = allowing {
            claims.push(self.one_of(allowing), self.wholes(allowing));
            spoken.extend(allowing.iter().flat_map(|id| self.variables(*id)));
        } else if manner != Manner::Holds {
            for other in self.concluding(id.set, head).into_iter().filter(|other| *other != id) {
                let body = Claim::all(&self.body(other).claims);
                claims.push(body.negate(), Some(self.whole(other)));
            }
            if let Head::Objective(objective @ Objective::Milestone(_)) = head {
                claims.push(self.problem.was_achieved(id.set, objective).negate(), None);
            }
        }
        if let Some(action) = attempted {
            self.clear(action, Some(id), &mut claims, &mut spoken);
        }
        (claims, spoken)
    }

    /// Adds what was found, and gives its last situation.
    fn add(
        &self,
        subject: &Subject,
        manner: Manner,
        name: String,
        answer: &Answer<Plan>,
        found: &mut Cases,
    ) -> Option<Situation> {
        let why = match answer {
            Answer::Yes(plan) => {
                let (last, before) = plan.steps.split_last()?;
                let situation = last.situation.clone();
                found.push(Case {
                    name,
                    today: subject.today,
                    parameters: self.all_parameters(&plan.steps),
                    before: before.to_vec(),
                    situation: situation.clone(),
                    concludes: last.achieves.clone(),
                    critical: last.critical,
                    expected: subject.expected(manner),
                });
                return Some(situation);
            }
            Answer::No(reason) => reason.to_string().replace('\n', "; "),
            Answer::Unknown(limit) => limit.to_string(),
        };
        found.missing.push(Missing { name, why });
        None
    }

    /// A value for each parameter: what a plan has, or any.
    fn all_parameters(&self, steps: &[Step]) -> Vec<(String, Value)> {
        let mut all: Vec<(String, Value)> = Vec::new();
        for parameter in self.problem.sets().iter().flat_map(|set| set.parameters()) {
            let name = parameter.name();
            let given = self.setting.parameters.iter().any(|(given, _)| given == name);
            if given || all.iter().any(|(known, _)| known == name) {
                continue;
            }
            let mut bound = steps.iter().flat_map(|step| &step.situation.parameters);
            let value = bound.find(|(known, _)| known == name).map(|(_, value)| value.clone());
            let value = value.or_else(|| any_value(parameter.variable_type()));
            all.extend(value.map(|value| (name.to_owned(), value)));
        }
        all
    }

    /// A search that keeps to what a situation has, where it can.
    fn near(&self, situation: &Situation) -> Node {
        let mut near = Node::default();
        if let Some(vocabulary) = self.vocabulary() {
            let known = situation.values.iter();
            let known = known.filter_map(|(path, value)| Some((vocabulary.find_path(path)?, value.clone())));
            near.present.extend(known);
        }
        near
    }

    /// The constraint that a part of a rule is, if it is one.
    fn constraint_at(&self, id: RuleId, place: usize) -> Option<Constraint> {
        match self.literals(id, Want::Holds, true).into_iter().nth(place)? {
            Literal::Constraint { constraint, .. } => Some(constraint),
            _ => None,
        }
    }

    /// The objective that a part of a rule names, if it does.
    fn objective_at(&self, id: RuleId, place: usize) -> Option<Head> {
        match self.literals(id, Want::Holds, true).into_iter().nth(place)? {
            Literal::Achieved { objective, .. } => Some(Head::Objective(objective)),
            _ => None,
        }
    }

    /// Whether a part of a rule says that an action is attempted.
    fn is_attempt(&self, subject: &Subject, place: usize) -> bool {
        let named = self.objective_at(subject.id, place).and_then(Head::action);
        subject.allowing.is_some() && named.is_some() && named == subject.attempted
    }

    /// The values at which a constraint of a rule turns, and their neighbours.
    fn edges(&self, id: RuleId, place: usize, situation: &Situation, today: NaiveDate) -> Vec<Edge> {
        let (Some(constraint), Some(set), Some(vocabulary)) =
            (self.constraint_at(id, place), self.set(id.set), self.vocabulary())
        else {
            return Vec::new();
        };
        let kind = vocabulary.variable(constraint.variable()).variable_type();
        let element = |element: &Element| match element {
            Element::Value(value) => Some(value.clone()),
            Element::Today(days) => today.checked_add_signed(TimeDelta::try_days(*days)?).map(Value::Date),
            Element::Parameter(parameter) => {
                let name = set.parameters().get(parameter.index())?.name();
                let mut bound = situation.parameters.iter().filter(|(known, _)| known == name);
                bound.next().map(|(_, value)| value.clone())
            }
        };
        let variable = constraint.variable();
        let edge = |value: Value| Edge { variable, value, at: true, other: None, parameters: Vec::new() };
        let around = |value: &Value| {
            let (below, above) = (neighbour(value, kind, false), neighbour(value, kind, true));
            below.into_iter().chain([value.clone()]).chain(above).map(edge).collect::<Vec<Edge>>()
        };
        match constraint.operand() {
            Operand::Single(single) => {
                let Some(value) = element(single) else { return Vec::new() };
                let mut edges = around(&value);
                if constraint.operator() == Operator::Similar {
                    edges.push(Edge { at: false, ..edge(value) });
                }
                if matches!(single, Element::Parameter(_)) {
                    edges.iter_mut().for_each(|edge| edge.parameters.clone_from(&situation.parameters));
                }
                edges
            }
            Operand::Variable(other) => {
                let Some(value) = situation.value(&vocabulary.path(*other)) else { return Vec::new() };
                let mut edges = around(value);
                edges.iter_mut().for_each(|edge| edge.other = Some((*other, value.clone())));
                edges
            }
            Operand::List(elements) => {
                elements.iter().take(MOST_ELEMENTS).filter_map(element).map(edge).collect()
            }
        }
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.at { "at" } else { "elsewhere than at" };
        write!(f, "{at} {}", self.value)
    }
}
