//! Constraints, predicates and rules as claims.

use super::check::{self, Bounds, Limit, Outcome};
use super::classes::{Classes, Member};
use super::constraints::{Truths, elements};
use super::model::{Model, Raw};
use super::terms::{self, DAY, DAYS, Members, Term};
use super::texts::{Class, TextSort, candidates};
use crate::compile::bind::Given;
use crate::ir::{
    Constraint, Element, Head, Objective, Operand, Operator, Predicate, PredicateKind, Specification,
};
use crate::schema::{ActionId, Enumeration, StateId, VariableId, VariableType, Vocabulary};
use crate::text::{self, Similarity, normal};
use crate::truth::Truth;
use crate::value::{Text, Value};
use chrono::NaiveDate;
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use z3::Solver;
use z3::ast::{Bool, Int, Real};

/// The first day of the year 2000: today, where any day will do.
const ANY_DAY: i64 = 730_120;

/// What is fixed for all questions to a problem.
#[derive(Clone)]
pub struct Setting {
    /// Today; any day if there is none.
    pub today: Option<NaiveDate>,
    /// Values of parameters; those that are not given may have any.
    pub parameters: Vec<(String, Given)>,
    /// The measure behind `~`.
    pub measure: Arc<dyn Similarity>,
    /// How much a question may cost.
    pub bounds: Bounds,
    /// Whether texts range over a list of likely ones even where others could matter: a yes is a yes then,
    /// and quickly found; a no says nothing unless [`Problem::is_exact`].
    pub closed: bool,
}

impl Default for Setting {
    fn default() -> Setting {
        let measure = Arc::new(text::LocalSimilarity);
        Setting { today: None, parameters: Vec::new(), measure, bounds: Bounds::default(), closed: true }
    }
}

/// The most wishes that one example gives up one by one.
const MOST_WISHES: usize = 8;

/// Something that can be so or not.
#[derive(Debug, Clone)]
pub struct Claim(pub(super) Bool);

impl PartialEq for Claim {
    fn eq(&self, other: &Claim) -> bool {
        self.0.ast_eq(&other.0)
    }
}

impl Claim {
    /// All of them; so if there are none.
    pub fn all<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Claim {
        let parts: Vec<Bool> = claims.into_iter().map(|claim| claim.0.clone()).collect();
        Claim(conjunction(&parts))
    }

    /// One of them; not so if there are none.
    pub fn any<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Claim {
        let parts: Vec<Bool> = claims.into_iter().map(|claim| claim.0.clone()).collect();
        Claim(disjunction(&parts))
    }

    /// The opposite.
    #[must_use]
    pub fn negate(&self) -> Claim {
        Claim(self.0.not())
    }
}

pub(super) fn conjunction(parts: &[Bool]) -> Bool {
    match parts {
        [] => Bool::from_bool(true),
        [part] => part.clone(),
        _ => Bool::and(parts),
    }
}

pub(super) fn disjunction(parts: &[Bool]) -> Bool {
    match parts {
        [] => Bool::from_bool(false),
        [part] => part.clone(),
        _ => Bool::or(parts),
    }
}

/// A variable: whether it is known, and its value if it is.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) known: Bool,
    pub(super) value: Term,
    pub(super) text: Option<TextSort>,
}

/// A parameter, or what stands for it.
#[derive(Debug, Clone)]
pub(super) struct Parameter {
    pub(super) kind: VariableType,
    pub(super) value: Term,
    pub(super) text: Option<TextSort>,
}

/// A constraint that was encoded.
#[derive(Debug, Clone)]
pub(super) struct Encoded {
    pub(super) constraint: Constraint,
    pub(super) set: usize,
    /// Whether it is about arguments as they were performed.
    pub(super) committed: bool,
    pub(super) truths: Truths,
    /// Whether the theory may be wrong about it.
    pub(super) open: bool,
}

/// Rule sets of one vocabulary, encoded as they are asked about.
pub struct Problem {
    pub(super) solver: Solver,
    pub(super) vocabulary: Arc<Vocabulary>,
    pub(super) sets: Vec<Arc<Specification>>,
    pub(super) setting: Setting,
    pub(super) today: Int,
    pub(super) slots: BTreeMap<VariableId, Slot>,
    /// Arguments as they were when their action was performed: what milestones and the end of the task
    /// see while an action is attempted with others.
    pub(super) committed: BTreeMap<VariableId, Slot>,
    /// Whether what is encoded now sees those.
    pub(super) sees_committed: bool,
    pub(super) parameters: BTreeMap<Text, Parameter>,
    pub(super) observed: BTreeMap<StateId, Bool>,
    pub(super) encoded: Vec<Encoded>,
    /// Where a constraint stands in `encoded`, by what it says.
    pub(super) places: HashMap<(usize, bool, VariableId, Operator, Operand), usize>,
    pub(super) enumerations: Vec<(Arc<Enumeration>, Members)>,
    pub(super) texts: HashMap<usize, TextSort>,
    pub(super) classes: Classes,
    guards: HashMap<Bool, Bool>,
    /// The texts that are tried first for a term.
    pub(super) candidates: HashMap<z3::ast::String, Vec<String>>,
    /// What witnesses should be like, if they can.
    pub(super) wishes: Vec<Bool>,
    asked: u32,
}

impl Problem {
    /// Specifications and policies of one vocabulary.
    pub fn new(sets: &[Arc<Specification>], setting: Setting) -> Option<Problem> {
        let vocabulary = Arc::clone(sets.first()?.vocabulary());
        let solver = Solver::new();
        check::bound(&solver, &setting.bounds);
        let today = Int::new_const("today");
        solver.assert(today.ge(DAYS.0));
        solver.assert(today.le(DAYS.1));
        let mut wishes = Vec::new();
        match setting.today {
            Some(day) => solver.assert(today.eq(terms::days(day))),
            None => wishes.push(today.eq(ANY_DAY)),
        }
        let mut problem = Problem {
            solver,
            vocabulary,
            sets: sets.to_vec(),
            classes: Classes::of(sets, &setting.parameters),
            setting,
            today,
            slots: BTreeMap::new(),
            committed: BTreeMap::new(),
            sees_committed: false,
            parameters: BTreeMap::new(),
            observed: BTreeMap::new(),
            encoded: Vec::new(),
            places: HashMap::new(),
            enumerations: Vec::new(),
            texts: HashMap::new(),
            guards: HashMap::new(),
            candidates: HashMap::new(),
            wishes,
            asked: 0,
        };
        for set in 0..problem.sets.len() {
            problem.milestones(set);
        }
        Some(problem)
    }

    /// The rule sets.
    pub fn sets(&self) -> &[Arc<Specification>] {
        &self.sets
    }

    /// Whether every no is a no.
    pub fn is_exact(&self) -> bool {
        !self.setting.closed || self.classes.classes.iter().all(Class::is_exact)
    }

    /// How many checks were made.
    pub fn asked(&self) -> u32 {
        self.asked
    }

    /// Whether an objective is achieved: for a milestone, before or by what is known now.
    pub fn achieved(&self, set: usize, objective: Objective) -> Claim {
        Claim(match objective {
            Objective::Action(id) => Bool::new_const(format!("done {}", id.index())),
            Objective::Milestone(id) => Bool::new_const(format!("reached {set} {}", id.index())),
        })
    }

    /// Whether a milestone was achieved before.
    pub fn was_achieved(&self, set: usize, objective: Objective) -> Claim {
        match objective {
            Objective::Action(_) => self.achieved(set, objective),
            Objective::Milestone(id) => Claim(Bool::new_const(format!("was reached {set} {}", id.index()))),
        }
    }

    /// Whether the task was complete before.
    pub fn was_complete(&self, set: usize) -> Claim {
        Claim(Bool::new_const(format!("was complete {set}")))
    }

    /// A milestone is achieved if it was, or if one of its rules is true.
    fn milestones(&mut self, set: usize) {
        let Some(specification) = self.sets.get(set).cloned() else { return };
        let mut bodies: BTreeMap<Objective, Vec<Bool>> = BTreeMap::new();
        for (index, rule) in specification.rules().iter().enumerate() {
            if let Head::Objective(objective @ Objective::Milestone(_)) = rule.head() {
                let body = self.committed_body(set, index).0;
                bodies.entry(objective).or_default().push(body);
            }
        }
        for (objective, mut ways) in bodies {
            ways.push(self.was_achieved(set, objective).0);
            let reached = self.achieved(set, objective).0;
            self.solver.assert(reached.iff(disjunction(&ways)));
        }
    }

    /// The body of a rule is true.
    pub fn body(&mut self, set: usize, rule: usize) -> Claim {
        let parts = self.parts(set, rule);
        Claim::all(&parts)
    }

    /// The body of a rule is true without what is attempted: arguments are those of what was performed.
    pub fn committed_body(&mut self, set: usize, rule: usize) -> Claim {
        self.sees_committed = true;
        let body = self.body(set, rule);
        self.sees_committed = false;
        body
    }

    /// The arguments that something committed speaks of.
    pub fn committed(&self) -> Vec<VariableId> {
        self.committed.keys().copied().collect()
    }

    /// An argument was given when its action was performed: this, or nothing.
    pub fn was_given(&mut self, id: VariableId, value: Option<&Value>) -> Claim {
        self.sees_committed = true;
        let claim = match value {
            Some(value) => self.is(id, value),
            None => self.known(id).negate(),
        };
        self.sees_committed = false;
        claim
    }

    /// An argument is what it was when its action was performed.
    pub fn as_committed(&mut self, id: VariableId) -> Claim {
        let now = self.slot(id);
        self.sees_committed = true;
        let then = self.slot(id);
        self.sees_committed = false;
        let same = now.value.equal(&then.value);
        Claim(now.known.iff(&then.known) & now.known.implies(&same))
    }

    /// Whether a variable is an argument, of which there are two sights.
    pub(super) fn is_argument(&self, id: VariableId) -> bool {
        let state = self.vocabulary.variable(id).state();
        self.vocabulary.state(state).arguments_of().is_some()
    }

    /// The parts of a rule's body, each true: constraints one by one, with their spans.
    pub fn parts(&mut self, set: usize, rule: usize) -> Vec<Claim> {
        let Some(specification) = self.sets.get(set).cloned() else { return Vec::new() };
        let Some(rule) = specification.rules().get(rule) else { return Vec::new() };
        let predicates = specification.body(rule).iter();
        predicates.flat_map(|predicate| self.truths(set, &specification, predicate)).collect()
    }

    /// The parts of a predicate, each true.
    fn truths(&mut self, set: usize, specification: &Specification, predicate: &Predicate) -> Vec<Claim> {
        match predicate.kind() {
            PredicateKind::Objective(objective) => vec![self.achieved(set, objective)],
            PredicateKind::State { state, constraints: (_, 0) } => vec![Claim(self.observed(state))],
            PredicateKind::State { .. } => {
                let constraints = specification.constraints(predicate).iter();
                constraints.map(|constraint| Claim(self.constraint(set, constraint).holds)).collect()
            }
        }
    }

    /// The body of a prohibition is false when an action is attempted, which counts as achieved.
    pub fn cleared(&mut self, set: usize, rule: usize, attempted: ActionId) -> Claim {
        let Some(specification) = self.sets.get(set).cloned() else { return Claim::any([]) };
        let Some(rule) = specification.rules().get(rule) else { return Claim::any([]) };
        let mut ways = Vec::new();
        for predicate in specification.body(rule) {
            if predicate.kind() != PredicateKind::Objective(Objective::Action(attempted)) {
                ways.extend(self.fails(set, &specification, predicate));
            }
        }
        Claim(disjunction(&ways))
    }

    /// The ways in which a predicate is false.
    fn fails(&mut self, set: usize, specification: &Specification, predicate: &Predicate) -> Vec<Bool> {
        match predicate.kind() {
            PredicateKind::Objective(objective) => vec![self.achieved(set, objective).0.not()],
            PredicateKind::State { state, constraints: (_, 0) } => vec![self.observed(state).not()],
            PredicateKind::State { .. } => {
                let constraints = specification.constraints(predicate).iter();
                constraints.map(|constraint| self.constraint(set, constraint).fails).collect()
            }
        }
    }

    /// The body of a rule is true once an action is achieved.
    pub fn body_after(&mut self, set: usize, rule: usize, performed: ActionId) -> Claim {
        let Some(specification) = self.sets.get(set).cloned() else { return Claim::any([]) };
        let Some(rule) = specification.rules().get(rule) else { return Claim::any([]) };
        let mut parts = Vec::new();
        for predicate in specification.body(rule) {
            match predicate.kind() {
                PredicateKind::Objective(Objective::Action(action)) if action == performed => {}
                _ => parts.extend(self.truths(set, &specification, predicate)),
            }
        }
        Claim::all(&parts)
    }

    /// A variable has a value.
    pub fn is(&mut self, id: VariableId, value: &Value) -> Claim {
        let slot = self.slot(id);
        let vocabulary = Arc::clone(&self.vocabulary);
        let kind = vocabulary.variable(id).variable_type();
        let equal = self.table(&slot.value, slot.text.as_ref(), kind, Operator::Equal, value, false);
        Claim(slot.known & equal.holds)
    }

    /// Today and the parameters are these.
    pub fn bound(&mut self, today: NaiveDate, parameters: &[(String, Value)]) -> Vec<Claim> {
        let mut claims = vec![Claim(self.today.eq(terms::days(today)))];
        for (name, value) in parameters {
            if let Some(parameter) = self.parameters.get(&Text::new(name)).cloned() {
                let Parameter { kind, value: term, text } = &parameter;
                let equal = self.table(term, text.as_ref(), kind, Operator::Equal, value, false);
                claims.push(Claim(equal.holds));
            }
        }
        claims
    }

    /// A variable is known.
    pub fn known(&mut self, id: VariableId) -> Claim {
        Claim(self.slot(id).known)
    }

    /// A constraint is true.
    pub fn holds(&mut self, set: usize, constraint: &Constraint) -> Claim {
        Claim(self.constraint(set, constraint).holds)
    }

    /// A constraint is false.
    pub fn fails_constraint(&mut self, set: usize, constraint: &Constraint) -> Claim {
        Claim(self.constraint(set, constraint).fails)
    }

    /// A variable of the state has been observed.
    pub fn was_observed(&mut self, state: StateId) -> Claim {
        Claim(self.observed(state))
    }

    pub(super) fn observed(&mut self, state: StateId) -> Bool {
        if let Some(observed) = self.observed.get(&state) {
            return observed.clone();
        }
        let observed = Bool::new_const(format!("observed {}", state.index()));
        self.observed.insert(state, observed.clone());
        let known: Vec<Bool> = self
            .slots
            .iter()
            .filter(|(id, _)| self.vocabulary.variable(**id).state() == state)
            .map(|(_, slot)| slot.known.clone())
            .collect();
        known.into_iter().for_each(|known| self.solver.assert(known.implies(&observed)));
        observed
    }

    pub(super) fn slot(&mut self, id: VariableId) -> Slot {
        let committed = self.sees_committed && self.is_argument(id);
        let slots = if committed { &self.committed } else { &self.slots };
        if let Some(slot) = slots.get(&id) {
            return slot.clone();
        }
        let sight = if committed { "committed " } else { "" };
        let vocabulary = Arc::clone(&self.vocabulary);
        let variable = vocabulary.variable(id);
        // A name has one sort in a context.
        let name = format!("{sight}value {} {}", id.index(), self.setting.closed);
        let (value, text) = self.fresh(&name, variable.variable_type(), Member::Variable(id));
        let known = Bool::new_const(format!("{sight}known {}", id.index()));
        if let Some(observed) = self.observed.get(&variable.state()) {
            self.solver.assert(known.implies(observed));
        }
        // Arguments are committed when their action is performed.
        if let (true, Some(action)) = (committed, vocabulary.state(variable.state()).arguments_of()) {
            let performed = self.achieved(0, Objective::Action(action)).0;
            self.solver.assert(known.implies(&performed));
        }
        let slot = Slot { known, value, text };
        let slots = if committed { &mut self.committed } else { &mut self.slots };
        slots.insert(id, slot.clone());
        slot
    }

    /// A term of a type, within the bounds of its type.
    pub(super) fn fresh(
        &mut self,
        name: &str,
        kind: &VariableType,
        member: Member,
    ) -> (Term, Option<TextSort>) {
        let members = match kind {
            VariableType::Enum(enumeration) => Some(self.enumeration(enumeration)),
            _ => None,
        };
        let text = matches!(kind, VariableType::Text).then(|| self.text_sort(&member));
        let term = terms::term(name, kind, members.as_ref(), text.as_ref());
        match &term {
            Term::Date(days) => {
                self.solver.assert(days.ge(DAYS.0));
                self.solver.assert(days.le(DAYS.1));
            }
            Term::Time(time) => {
                self.solver.assert(time.ge(0));
                self.solver.assert(time.lt(DAY));
                // Whole minutes read better.
                let minutes = Int::new_const(format!("{name} minutes"));
                self.wishes.push(time.eq(minutes * 60_000_000_000_i64));
            }
            Term::Number(number) => {
                let whole = Int::new_const(format!("{name} whole"));
                self.wishes.push(number.eq(whole.to_real()));
                self.wishes.push(number.ge(Real::from_rational(0, 1)));
            }
            Term::Text(text) => {
                let candidates = candidates(&self.classes.constants(&member));
                let wish: Vec<Bool> = candidates.iter().map(|word| text.eq(word.as_str())).collect();
                self.wishes.push(disjunction(&wish));
                self.candidates.insert(text.clone(), candidates);
            }
            // What was written reads better than what was made of it.
            Term::Member(term) => {
                if let Some(TextSort::Finite { members, .. }) = &text {
                    let written = members.members.iter().take(self.classes.constants(&member).len());
                    let wish: Vec<Bool> = written.map(|constant| term.eq(constant)).collect();
                    if !wish.is_empty() {
                        self.wishes.push(disjunction(&wish));
                    }
                }
            }
            Term::Boolean(_) => {}
        }
        (term, text)
    }

    pub(super) fn enumeration(&mut self, enumeration: &Arc<Enumeration>) -> Members {
        if let Some((_, members)) = self.enumerations.iter().find(|(known, _)| known == enumeration) {
            return members.clone();
        }
        let name = format!("enumeration {} {}", self.enumerations.len(), self.setting.closed);
        let members = Members::new(&name, enumeration.names().len());
        self.enumerations.push((Arc::clone(enumeration), members.clone()));
        members
    }

    pub(super) fn text_sort(&mut self, member: &Member) -> TextSort {
        let class = self.classes.find(member);
        if let Some(sort) = self.texts.get(&class) {
            return sort.clone();
        }
        let closed = self.setting.closed;
        let name = format!("texts {class} {closed}");
        let sort = self.classes.class(class).sort(&name, self.setting.measure.as_ref(), closed);
        self.texts.insert(class, sort.clone());
        sort
    }

    pub(super) fn parameter(&mut self, set: usize, id: crate::ir::ParameterId) -> Option<Parameter> {
        let specification = self.sets.get(set)?.clone();
        let declared = specification.parameters().get(id.index())?;
        let name = Text::new(declared.name());
        if let Some(parameter) = self.parameters.get(&name) {
            return Some(parameter.clone());
        }
        let kind = declared.variable_type().clone();
        let (value, text) = self.fresh(
            &format!("parameter {} {}", declared.name(), self.setting.closed),
            &kind,
            Member::Parameter(name.clone()),
        );
        let given = self.setting.parameters.iter().find(|(given, _)| normal::nfc(given) == name.as_str());
        let given = given.and_then(|(_, given)| match given {
            Given::Value(value) => Some(value.clone()),
            Given::Spelled(text) => crate::input::spelled(text, &kind, self.setting.today),
        });
        let parameter = Parameter { kind: kind.clone(), value, text };
        if let Some(given) = given {
            let equal =
                self.table(&parameter.value, parameter.text.as_ref(), &kind, Operator::Equal, &given, false);
            self.solver.assert(equal.holds);
        }
        self.parameters.insert(name, parameter.clone());
        Some(parameter)
    }

    /// Whether all claims can be so at once, and a reason if not, the smallest if that is wanted: the places
    /// of claims that exclude one another. A model may have to be put right, see [`Problem::learn`].
    pub fn ask(&mut self, claims: &[Claim], smallest: bool) -> Result<Answer, Limit> {
        let guards: Vec<Bool> = claims.iter().map(|claim| self.guard(&claim.0)).collect();
        let mut wishes: Vec<Bool> = Vec::with_capacity(self.wishes.len());
        for wish in self.wishes.clone() {
            wishes.push(self.guard(&wish));
        }
        loop {
            let mut assumed = guards.clone();
            assumed.extend(wishes.iter().cloned());
            self.asked += 1;
            match check::check(&self.solver, &assumed) {
                Outcome::Satisfiable(model) => return Ok(Answer::Yes(Raw::new(model))),
                Outcome::Unsatisfiable(core) => {
                    let vain: Vec<usize> =
                        core.iter().filter_map(|place| place.checked_sub(guards.len())).collect();
                    if vain.is_empty() {
                        let core = if smallest { check::minimise(&self.solver, &guards, core) } else { core };
                        return Ok(Answer::No(core));
                    }
                    // One wish less, or none if it takes too long.
                    match vain.last() {
                        Some(last) if vain.len() < MOST_WISHES => drop(wishes.remove(*last)),
                        _ => wishes.clear(),
                    }
                }
                Outcome::Unknown if wishes.is_empty() => return Err(Limit::Solver),
                Outcome::Unknown => wishes.clear(),
            }
        }
    }

    /// A literal that stands for a claim.
    pub(super) fn guard(&mut self, claim: &Bool) -> Bool {
        if let Some(guard) = self.guards.get(claim) {
            return guard.clone();
        }
        let guard = Bool::new_const(format!("guard {}", self.guards.len()));
        self.solver.assert(guard.implies(claim));
        self.guards.insert(claim.clone(), guard.clone());
        guard
    }

    /// The values of a model.
    pub fn decode(&self, raw: &Raw) -> Option<Model> {
        Model::decode(self, raw)
    }

    /// Teaches what a constraint is where a model has it otherwise. False if the theory is exact for it:
    /// then one of the two is wrong.
    #[must_use]
    pub fn learn(&mut self, place: usize, model: &Model, truth: Truth) -> bool {
        let Some(encoded) = self.encoded.get(place).cloned() else { return false };
        if !encoded.open {
            return false;
        }
        let mut here = Vec::new();
        self.sees_committed = encoded.committed;
        let slots: Vec<(VariableId, Slot)> =
            encoded.constraint.variables().map(|id| (id, self.slot(id))).collect();
        self.sees_committed = false;
        for (id, slot) in slots {
            let value = if encoded.committed { model.committed_value(id) } else { model.value(id) };
            if let (Term::Text(term), Some(Value::Text(text))) = (&slot.value, value) {
                here.push(slot.known.clone());
                here.push(term.eq(text.as_str()));
            }
        }
        for element in elements(encoded.constraint.operand()) {
            if let Element::Parameter(id) = element
                && let Some(parameter) = self.parameter(encoded.set, *id)
                && let Some(specification) = self.sets.get(encoded.set)
                && let Some(declared) = specification.parameters().get(id.index())
                && let (Term::Text(term), Some(Value::Text(text))) =
                    (&parameter.value, model.parameter(declared.name()))
            {
                here.push(term.eq(text.as_str()));
            }
        }
        let said = match truth {
            Truth::True => encoded.truths.holds.clone(),
            Truth::False => encoded.truths.fails.clone(),
            Truth::Unknown => encoded.truths.holds.not() & encoded.truths.fails.not(),
        };
        self.solver.assert(conjunction(&here).implies(&said));
        true
    }

    pub(super) fn enumerations(&self) -> impl Iterator<Item = &(Arc<Enumeration>, Members)> {
        self.enumerations.iter()
    }
}

/// What came of a question.
#[derive(Debug)]
pub enum Answer {
    /// It can be so.
    Yes(Raw),
    /// It can't: these claims exclude one another, by their places, and none of them can be left out.
    No(Vec<usize>),
}
