//! What a specification can do and can't: questions to the solver, every example replayed by the evaluator.
//!
//! A question is answered by yes with an example, no with a smallest reason, or unknown with the limit
//! that was reached. An example is shown only if the evaluator agrees with every constraint in it; where
//! the theory of texts is not exact the evaluator's verdict goes back to the solver, a bounded number of
//! times. Joins [`crate::solve`] and [`crate::eval`], which don't know each other. Never on the path of a
//! decision.

mod attain;
mod branches;
mod cases;
mod compare;
mod guess;
mod mutants;
mod needs;
mod question;
mod reach;
mod report;
mod rules;
mod situation;
mod stroll;
mod together;

pub use attain::{Attainability, Change, Now, attainability};
pub use branches::Branches;
pub use cases::{Case, Cases, Missing};
pub use compare::{Comparison, Difference, Relation};
pub use mutants::Mutant;
pub use reach::{Plan, Step};
pub use report::{Report, RuleFindings};
pub use rules::Stale;
pub use situation::{Answer, Part, Reason, Situation};
pub use together::can_both_complete;

use crate::boundary::any_value;
use crate::compile::bind::{Bindings, Given};
use crate::diagnostic::{Code, Fault};
use crate::eval::semantics;
use crate::ir::{Head, Objective, Operator, PredicateKind, Rule, Specification};
use crate::schema::{ActionId, StateId, VariableId, Vocabulary};
use crate::solve::{self, Bounds, Claim, Limit, Model, Problem, Raw, Setting};
use crate::span::Span;
use chrono::NaiveDate;
use guess::Ground;
use situation::Known;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Today where any day will do.
const A_DAY: Option<NaiveDate> = NaiveDate::from_ymd_opt(2000, 1, 1);

/// A rule: the number of its rule set, 0 for the specification, and its number in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct RuleId {
    /// The rule set.
    pub set: usize,
    /// The rule.
    pub rule: usize,
}

/// Answers questions about a specification and its policies.
pub struct Analyst {
    /// Texts range over likely ones.
    problem: Problem,
    /// Texts are strings, where likely ones are not all that can matter.
    open: Option<Problem>,
    setting: Setting,
    /// How many of the rule sets, the first ones, are specifications: one, unless they are asked about
    /// together.
    specifications: usize,
    /// Whether the smallest reason for a no is wanted.
    reasons: bool,
    /// What examples are bound to that need no solver, if that is known.
    ground: Option<Ground>,
    /// The parts of each rule in the text, and the whole of it.
    texts: BTreeMap<RuleId, (Vec<Part>, Part)>,
}

/// What a search for an example found.
enum Found {
    Example(Raw, Model),
    /// The places of claims that exclude one another.
    Nothing(Vec<usize>),
}

/// Why there is no answer.
enum Trouble {
    Limit(Limit),
    /// Solver and evaluator disagree.
    Bug(Fault),
}

/// Claims, with what each of them stands for.
#[derive(Default)]
struct Claims {
    claims: Vec<Claim>,
    parts: Vec<Vec<Part>>,
}

impl Claims {
    fn push(&mut self, claim: Claim, parts: impl IntoIterator<Item = Part>) {
        self.claims.push(claim);
        self.parts.push(parts.into_iter().collect());
    }

    fn reason(&self, core: &[usize]) -> Reason {
        let mut parts: Vec<Part> =
            core.iter().filter_map(|place| self.parts.get(*place)).flatten().cloned().collect();
        parts.sort();
        parts.dedup();
        Reason { parts }
    }

    /// Whether one of them asks for similar texts.
    fn ask_for_similar(&self) -> bool {
        self.parts.iter().flatten().any(|part| part.similarity)
    }
}

impl Analyst {
    /// Asks questions about a specification and its policies.
    ///
    /// # Errors
    /// A libz3 that is too old; what the questions end in.
    pub fn ask<R: Send + Sync>(
        specification: &Arc<Specification>,
        policies: &[Arc<Specification>],
        setting: &Setting,
        questions: impl FnOnce(&mut Analyst) -> Result<R, Fault> + Send + Sync,
    ) -> Result<R, Fault> {
        solve::usable()?;
        solve::apart(|| questions(&mut Analyst::new(specification, policies, setting.clone())?))
    }

    fn new(
        specification: &Arc<Specification>,
        policies: &[Arc<Specification>],
        setting: Setting,
    ) -> Result<Analyst, Fault> {
        let mut sets = vec![Arc::clone(specification)];
        sets.extend(policies.iter().map(Arc::clone));
        let problem = Problem::new(&sets, Setting { closed: true, ..setting.clone() });
        // There is always one set.
        let nothing = || Fault::new(Code::EmptySpecification, "there is nothing to analyse");
        let problem = problem.ok_or_else(nothing)?;
        let open = if problem.is_exact() {
            None
        } else {
            Problem::new(&sets, Setting { closed: false, ..setting.clone() })
        };
        let today = setting.today.or(A_DAY).unwrap_or_default();
        let ground = Ground::new(&sets, &setting, today);
        let texts = BTreeMap::new();
        let mut analyst = Analyst { problem, open, setting, specifications: 1, reasons: true, ground, texts };
        for id in analyst.rules() {
            let parts = analyst.read_parts(id);
            let whole = analyst.read_whole(id, &parts);
            analyst.texts.insert(id, (parts, whole));
        }
        Ok(analyst)
    }

    /// Asks with likely texts first; if that finds nothing, and other texts could matter, with all of them.
    fn twice<W>(
        &mut self,
        question: impl Fn(&mut Analyst) -> Result<Answer<W>, Fault>,
    ) -> Result<Answer<W>, Fault> {
        if self.open.is_none() {
            return question(self);
        }
        let answer = self.without_reasons(&question)?;
        let Some(open) = self.open.take() else { return Ok(answer) };
        if answer.is_yes() {
            self.open = Some(open);
            return Ok(answer);
        }
        let closed = std::mem::replace(&mut self.problem, open);
        let answer = question(self);
        self.open = Some(std::mem::replace(&mut self.problem, closed));
        answer
    }

    /// Asks where the reason for a no is not told, and need not be the smallest.
    fn without_reasons<W>(&mut self, question: impl Fn(&mut Analyst) -> W) -> W {
        let reasons = std::mem::replace(&mut self.reasons, false);
        let answer = question(self);
        self.reasons = reasons;
        answer
    }

    /// Whether all claims can be so at once.
    fn can_be(
        &mut self,
        claims: impl Fn(&mut Analyst) -> (Claims, BTreeSet<VariableId>),
    ) -> Result<Answer<Situation>, Fault> {
        self.twice(|analyst| {
            let (claims, spoken) = claims(analyst);
            let found = analyst.find(&claims.claims, &spoken);
            analyst.answer(&claims, found)
        })
    }

    /// As [`Analyst::can_be`], where nobody wants to know why not.
    fn whether(
        &mut self,
        claims: impl Fn(&mut Analyst) -> (Claims, BTreeSet<VariableId>),
    ) -> Result<Answer<Situation>, Fault> {
        self.without_reasons(|analyst| analyst.can_be(&claims))
    }

    /// All rules, those of the specification first.
    pub fn rules(&self) -> Vec<RuleId> {
        let sets = self.problem.sets().iter().enumerate();
        sets.flat_map(|(set, specification)| {
            (0..specification.rules().len()).map(move |rule| RuleId { set, rule })
        })
        .collect()
    }

    /// The name of a rule.
    pub fn rule_name(&self, id: RuleId) -> String {
        self.set(id.set).map_or_else(String::new, |specification| specification.rule_name(id.rule))
    }

    /// The rule set of a number.
    pub fn set(&self, set: usize) -> Option<&Arc<Specification>> {
        self.problem.sets().get(set)
    }

    /// How many checks the solver has made.
    pub fn checks(&self) -> u32 {
        self.problem.asked() + self.open.as_ref().map_or(0, Problem::asked)
    }

    fn head(&self, id: RuleId) -> Option<Head> {
        Some(self.set(id.set)?.rules().get(id.rule)?.head())
    }

    fn bounds(&self) -> &Bounds {
        &self.setting.bounds
    }

    fn vocabulary(&self) -> Option<&Arc<Vocabulary>> {
        self.set(0).map(|specification| specification.vocabulary())
    }

    /// The rules of a rule set that conclude a head.
    fn concluding(&self, set: usize, head: Head) -> Vec<RuleId> {
        let rules = self.set(set).map_or(0, |specification| specification.rules().len());
        (0..rules).map(|rule| RuleId { set, rule }).filter(|id| self.head(*id) == Some(head)).collect()
    }

    /// The prohibitions that concern an action, of the specification and of the policies.
    fn prohibitions(&self, action: ActionId) -> Vec<RuleId> {
        let concerns = |id: &RuleId| {
            self.head(*id) == Some(Head::Never)
                && self.set(id.set).is_some_and(|specification| {
                    let rule = specification.rules().get(id.rule);
                    rule.is_some_and(|rule| semantics::concerns(specification, rule, action))
                })
        };
        self.rules().into_iter().filter(concerns).collect()
    }

    /// The parts of a rule's body as claims, each with its place in the text.
    fn body(&mut self, id: RuleId) -> Claims {
        let parts = self.parts(id);
        let claims = self.problem.parts(id.set, id.rule);
        let mut body = Claims::default();
        for (claim, part) in claims.into_iter().zip(parts) {
            body.push(claim, Some(part));
        }
        body
    }

    /// The parts of a rule's body in the text: constraints one by one.
    fn parts(&self, id: RuleId) -> Vec<Part> {
        self.texts.get(&id).map(|(parts, _)| parts.clone()).unwrap_or_default()
    }

    fn read_parts(&self, id: RuleId) -> Vec<Part> {
        let Some(specification) = self.set(id.set) else { return Vec::new() };
        let Some(rule) = specification.rules().get(id.rule) else { return Vec::new() };
        let mut parts = Vec::new();
        for predicate in specification.body(rule) {
            match predicate.kind() {
                PredicateKind::State { constraints: (_, count), .. } if count > 0 => {
                    let constraints = specification.constraints(predicate).iter();
                    parts.extend(constraints.map(|constraint| Part {
                        similarity: constraint.operator() == Operator::Similar,
                        ..self.part(id, constraint.span())
                    }));
                }
                _ => parts.push(self.part(id, predicate.span())),
            }
        }
        parts
    }

    fn part(&self, id: RuleId, span: Span) -> Part {
        let source = self.set(id.set).map(|specification| specification.source().clone());
        let (name, text, line) = source.map_or_else(Default::default, |source| {
            (source.name().to_owned(), source.slice(span).to_owned(), source.position(span.start()).line)
        });
        let place = (id.set, span.start(), span.end());
        Part { place, source: name, line, rule: self.rule_name(id), text, similarity: false }
    }

    /// The whole of a rule as one part.
    fn whole(&self, id: RuleId) -> Part {
        self.texts.get(&id).map(|(_, whole)| whole.clone()).unwrap_or_default()
    }

    fn read_whole(&self, id: RuleId, parts: &[Part]) -> Part {
        let rule = self.set(id.set).and_then(|specification| specification.rules().get(id.rule));
        let span = rule.map(Rule::span).unwrap_or_default();
        Part { similarity: parts.iter().any(|part| part.similarity), ..self.part(id, span) }
    }

    fn wholes(&self, ids: &[RuleId]) -> Vec<Part> {
        ids.iter().map(|id| self.whole(*id)).collect()
    }

    /// Whether a rule asks for similar texts.
    fn asks_for_similar(&self, id: RuleId) -> bool {
        self.parts(id).iter().any(|part| part.similarity)
    }

    /// The variables that a rule speaks of.
    fn variables(&self, id: RuleId) -> BTreeSet<VariableId> {
        let Some(specification) = self.set(id.set) else { return BTreeSet::new() };
        let Some(rule) = specification.rules().get(id.rule) else { return BTreeSet::new() };
        let predicates = specification.body(rule).iter();
        predicates
            .flat_map(|predicate| specification.constraints(predicate))
            .flat_map(|constraint| constraint.variables())
            .collect()
    }

    /// An example in which all claims are so, with nothing known but what is spoken of, if that can be.
    fn find(&mut self, claims: &[Claim], spoken: &BTreeSet<VariableId>) -> Result<Found, Trouble> {
        let Some(vocabulary) = self.vocabulary().cloned() else { return Err(Trouble::Limit(Limit::Solver)) };
        let encoded: BTreeSet<VariableId> =
            self.problem.constraints().flat_map(|(_, constraint)| constraint.variables()).collect();
        // What nothing asks for is unknown, and has not been performed.
        let mut asked: Vec<Claim> = claims.to_vec();
        let mut performed = BTreeSet::new();
        for (id, _) in vocabulary.actions() {
            let done = self.problem.achieved(0, Objective::Action(id));
            if claims.contains(&done) {
                performed.insert(id);
            } else {
                asked.push(done.negate());
            }
        }
        for id in encoded.difference(spoken) {
            let of = vocabulary.state(vocabulary.variable(*id).state()).arguments_of();
            if !of.is_some_and(|action| performed.contains(&action)) {
                asked.push(self.problem.known(*id).negate());
            }
        }
        let mut rounds = 0;
        loop {
            let raw = match self.problem.ask(&asked, self.reasons).map_err(Trouble::Limit)? {
                solve::Answer::Yes(raw) => raw,
                solve::Answer::No(core) if core.iter().all(|place| *place < claims.len()) => {
                    return Ok(Found::Nothing(core));
                }
                // Something else has to be known, too.
                solve::Answer::No(core) => {
                    let mut place = 0;
                    asked.retain(|_| {
                        place += 1;
                        place <= claims.len() || !core.contains(&(place - 1))
                    });
                    continue;
                }
            };
            let Some(model) = self.problem.decode(&raw) else { return Err(Trouble::Limit(Limit::Solver)) };
            if self.replay(&vocabulary, &model)? {
                return Ok(Found::Example(raw, model));
            }
            rounds += 1;
            if rounds > self.bounds().rounds {
                return Err(Trouble::Limit(Limit::Rounds));
            }
        }
    }

    /// Whether the evaluator agrees with every constraint of a model; teaches the solver where it doesn't.
    fn replay(&mut self, vocabulary: &Vocabulary, model: &Model) -> Result<bool, Trouble> {
        let sights = [false, true]
            .map(|committed| Known::new(vocabulary, model, committed, self.setting.measure.as_ref()));
        let [known, committed] = &sights;
        let bindings = self.bindings(model)?;
        let mut wrong = Vec::new();
        for (place, (set, constraint)) in self.problem.constraints().enumerate() {
            let Some(bindings) = bindings.get(set) else { continue };
            let sight = if self.problem.is_committed(place) { committed } else { known };
            let truth = semantics::constraint(sight, bindings, constraint, false);
            if model.truths.get(place) != Some(&truth) {
                wrong.push((place, set, constraint.span(), truth));
            }
        }
        for (place, set, span, truth) in &wrong {
            if !self.problem.learn(*place, model, *truth) {
                let text = self.set(*set).map(|specification| specification.source().slice(*span).to_owned());
                let text = text.unwrap_or_default();
                let message =
                    format!("the solver and the evaluator disagree about `{text}`, which is {truth:?}");
                return Err(Trouble::Bug(Fault::new(Code::SolverDisagrees, message)));
            }
        }
        Ok(wrong.is_empty())
    }

    /// What the rule sets are bound to in a model.
    fn bindings(&self, model: &Model) -> Result<Vec<Bindings>, Trouble> {
        let mut bindings = Vec::new();
        for specification in self.problem.sets() {
            let given: Vec<(String, Given)> = specification
                .parameters()
                .iter()
                .filter_map(|parameter| {
                    let value = model.parameter(parameter.name()).cloned();
                    let value = value.or_else(|| any_value(parameter.variable_type()))?;
                    Some((parameter.name().to_owned(), Given::Value(value)))
                })
                .collect();
            let bound = Bindings::new(specification, model.today, &given);
            bindings.push(bound.map_err(|_| Trouble::Limit(Limit::Solver))?);
        }
        Ok(bindings)
    }

    /// The situation of a model, in the words of the vocabulary. Of what was observed before it needn't say so.
    fn situation(&self, raw: &Raw, model: &Model, before: &BTreeSet<StateId>) -> Situation {
        let objectives = self.objectives(0);
        let achieved = self.problem.achieved_in(raw, 0, &objectives);
        let names = achieved.iter().filter_map(|objective| {
            self.set(0).map(|specification| specification.objective_name(*objective).to_owned())
        });
        let mut situation = Situation { achieved: names.collect(), ..Situation::default() };
        let Some(vocabulary) = self.vocabulary() else { return situation };
        situation.values =
            model.values.iter().map(|(id, value)| (vocabulary.path(*id), value.clone())).collect();
        let spoken: BTreeSet<VariableId> =
            self.problem.constraints().flat_map(|(_, constraint)| constraint.variables()).collect();
        for state in model.observed.iter().filter(|state| !before.contains(state)) {
            // Something that nothing speaks of may as well be known still.
            let mut free = vocabulary.state(*state).variables().filter(|id| !spoken.contains(id));
            let free = free.next().and_then(|id| {
                Some((vocabulary.path(id), any_value(vocabulary.variable(id).variable_type())?))
            });
            match free {
                Some(value) => situation.values.push(value),
                None => situation.observed.push(vocabulary.state(*state).name().to_owned()),
            }
        }
        situation.parameters.clone_from(&model.parameters);
        let dated = self.problem.sets().iter().any(|specification| specification.speaks_of_today());
        situation.today = dated.then_some(model.today);
        situation
    }

    /// Every objective that a rule set concludes.
    fn objectives(&self, set: usize) -> Vec<Objective> {
        let Some(specification) = self.set(set) else { return Vec::new() };
        let heads = specification.rules().iter().filter_map(|rule| match rule.head() {
            Head::Objective(objective) => Some(objective),
            Head::Done | Head::Never => None,
        });
        let objectives: BTreeSet<Objective> = heads.collect();
        objectives.into_iter().collect()
    }

    /// An answer of what a search found.
    fn answer(&self, claims: &Claims, found: Result<Found, Trouble>) -> Result<Answer<Situation>, Fault> {
        match found {
            Ok(Found::Example(raw, model)) => {
                let similarity = claims.ask_for_similar();
                Ok(Answer::Yes(Situation { similarity, ..self.situation(&raw, &model, &BTreeSet::new()) }))
            }
            Ok(Found::Nothing(core)) => Ok(Answer::No(claims.reason(&core))),
            Err(Trouble::Limit(limit)) => Ok(Answer::Unknown(limit)),
            Err(Trouble::Bug(fault)) => Err(fault),
        }
    }
}
