//! Constraints, predicates and rules as claims.

use super::check::{self, Bounds, Limit, Outcome};
use super::model::{Model, Raw};
use super::terms::{self, DAY, DAYS, Members, Term};
use super::texts::{Class, TextSort, candidates};
use crate::comparison::compare;
use crate::compile::bind::Given;
use crate::ir::{
    Constraint, Element, Head, Objective, Operand, Operator, Predicate, PredicateKind, Specification,
};
use crate::schema::{ActionId, Enumeration, StateId, VariableId, VariableType, Vocabulary};
use crate::text::{self, Similarity, normal, within};
use crate::truth::Truth;
use crate::value::{Text, Value};
use chrono::NaiveDate;
use hashbrown::HashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use z3::Solver;
use z3::ast::{Bool, Int, Real, Regexp};

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

fn conjunction(parts: &[Bool]) -> Bool {
    match parts {
        [] => Bool::from_bool(true),
        [part] => part.clone(),
        _ => Bool::and(parts),
    }
}

fn disjunction(parts: &[Bool]) -> Bool {
    match parts {
        [] => Bool::from_bool(false),
        [part] => part.clone(),
        _ => Bool::or(parts),
    }
}

/// When a constraint is true and when it is false; neither where it is unknown.
#[derive(Debug, Clone)]
pub(super) struct Truths {
    pub(super) holds: Bool,
    pub(super) fails: Bool,
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
    sees_committed: bool,
    pub(super) parameters: BTreeMap<Text, Parameter>,
    pub(super) observed: BTreeMap<StateId, Bool>,
    pub(super) encoded: Vec<Encoded>,
    /// Where a constraint stands in `encoded`, by what it says.
    places: HashMap<(usize, bool, VariableId, Operator, Operand), usize>,
    enumerations: Vec<(Arc<Enumeration>, Members)>,
    texts: HashMap<usize, TextSort>,
    classes: Classes,
    guards: HashMap<Bool, Bool>,
    /// The texts that are tried first for a term.
    candidates: HashMap<z3::ast::String, Vec<String>>,
    /// What witnesses should be like, if they can.
    wishes: Vec<Bool>,
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
    fn is_argument(&self, id: VariableId) -> bool {
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

    fn observed(&mut self, state: StateId) -> Bool {
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

    fn slot(&mut self, id: VariableId) -> Slot {
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
    fn fresh(&mut self, name: &str, kind: &VariableType, member: Member) -> (Term, Option<TextSort>) {
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

    fn enumeration(&mut self, enumeration: &Arc<Enumeration>) -> Members {
        if let Some((_, members)) = self.enumerations.iter().find(|(known, _)| known == enumeration) {
            return members.clone();
        }
        let name = format!("enumeration {} {}", self.enumerations.len(), self.setting.closed);
        let members = Members::new(&name, enumeration.names().len());
        self.enumerations.push((Arc::clone(enumeration), members.clone()));
        members
    }

    fn text_sort(&mut self, member: &Member) -> TextSort {
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

    fn parameter(&mut self, set: usize, id: crate::ir::ParameterId) -> Option<Parameter> {
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

    /// When a constraint is true and false; each is encoded once.
    pub(super) fn constraint(&mut self, set: usize, constraint: &Constraint) -> Truths {
        let committed = self.sees_committed && constraint.variables().any(|id| self.is_argument(id));
        let key =
            (set, committed, constraint.variable(), constraint.operator(), constraint.operand().clone());
        if let Some(place) = self.places.get(&key)
            && let Some(encoded) = self.encoded.get(*place)
        {
            return encoded.truths.clone();
        }
        let (truths, open) = self.encode(set, constraint);
        // Named, so that a core and a lemma can speak of it.
        let place = self.encoded.len();
        let named = Truths {
            holds: Bool::new_const(format!("holds {place}")),
            fails: Bool::new_const(format!("fails {place}")),
        };
        self.solver.assert(named.holds.iff(&truths.holds));
        self.solver.assert(named.fails.iff(&truths.fails));
        self.places.insert(key, place);
        let encoded = Encoded { constraint: constraint.clone(), set, committed, truths: named.clone(), open };
        self.encoded.push(encoded);
        named
    }

    fn encode(&mut self, set: usize, constraint: &Constraint) -> (Truths, bool) {
        let vocabulary = Arc::clone(&self.vocabulary);
        let declared = vocabulary.variable(constraint.variable());
        let left = self.slot(constraint.variable());
        let open = matches!(left.text, Some(TextSort::Open));
        let kind = declared.variable_type();
        let operator = constraint.operator();
        let ignores = declared.ignores_case();
        let (mut known, truths) = match constraint.operand() {
            Operand::Variable(other) => {
                let right = self.slot(*other);
                let ignores = ignores || vocabulary.variable(*other).ignores_case();
                let truths =
                    self.terms(&left.value, left.text.as_ref(), kind, operator, &right.value, ignores);
                (vec![right.known.clone()], truths)
            }
            Operand::Single(element) => {
                (Vec::new(), self.element(set, &left, kind, operator, element, ignores))
            }
            Operand::List(elements) => {
                let each: Vec<Truths> = elements
                    .iter()
                    .map(|element| self.element(set, &left, kind, Operator::Equal, element, ignores))
                    .collect();
                let holds: Vec<Bool> = each.iter().map(|truths| truths.holds.clone()).collect();
                let fails: Vec<Bool> = each.iter().map(|truths| truths.fails.clone()).collect();
                let found = Truths { holds: disjunction(&holds), fails: conjunction(&fails) };
                let found = if operator == Operator::NotIn { found.negate() } else { found };
                (Vec::new(), found)
            }
        };
        known.push(left.known.clone());
        let known = conjunction(&known);
        let truths = Truths { holds: known.clone() & truths.holds, fails: known & truths.fails };
        (truths, open)
    }

    fn element(
        &mut self,
        set: usize,
        left: &Slot,
        kind: &VariableType,
        operator: Operator,
        element: &Element,
        ignores: bool,
    ) -> Truths {
        match element {
            Element::Value(value) => {
                self.table(&left.value, left.text.as_ref(), kind, operator, value, ignores)
            }
            Element::Today(days) => {
                let date = &self.today + Int::from_i64(*days);
                // The calendar has an end.
                self.solver.assert(date.ge(DAYS.0));
                self.solver.assert(date.le(DAYS.1));
                self.terms(&left.value, None, kind, operator, &Term::Date(date), ignores)
            }
            Element::Parameter(id) => match self.parameter(set, *id) {
                Some(parameter) => {
                    self.terms(&left.value, left.text.as_ref(), kind, operator, &parameter.value, ignores)
                }
                None => Truths::never(),
            },
        }
    }

    /// A term against a constant.
    fn table(
        &mut self,
        left: &Term,
        text: Option<&TextSort>,
        kind: &VariableType,
        operator: Operator,
        value: &Value,
        ignores: bool,
    ) -> Truths {
        match (left, text, value) {
            (Term::Member(term), Some(TextSort::Finite { members, texts }), constant) => {
                let measure = Arc::clone(&self.setting.measure);
                let truth = |text: &Text| {
                    compare(operator, &Value::Text(text.clone()), constant, ignores, measure.as_ref())
                };
                let members = members.members.iter().zip(texts.iter().map(truth));
                Truths::of_members(members.map(|(member, truth)| (term.eq(member), truth)))
            }
            (Term::Member(term), None, constant @ Value::Enum(_)) => {
                let VariableType::Enum(enumeration) = kind else { return Truths::never() };
                let members = self.enumeration(enumeration);
                let measure = Arc::clone(&self.setting.measure);
                let truths = enumeration.names().map(|name| match enumeration.enumerator(name) {
                    Some(member) => {
                        compare(operator, &Value::Enum(member), constant, ignores, measure.as_ref())
                    }
                    None => Truth::Unknown,
                });
                let members = members.members.iter().zip(truths);
                Truths::of_members(members.map(|(member, truth)| (term.eq(member), truth)))
            }
            (Term::Text(term), _, Value::Text(constant)) => self.open_text(term, operator, constant, ignores),
            (left, _, value) => match terms::constant(value) {
                Some(right) => self.terms(left, None, kind, operator, &right, ignores),
                None => Truths::never(),
            },
        }
    }

    /// A term against a term.
    fn terms(
        &mut self,
        left: &Term,
        text: Option<&TextSort>,
        kind: &VariableType,
        operator: Operator,
        right: &Term,
        ignores: bool,
    ) -> Truths {
        if let (Term::Member(left), Term::Member(right)) = (left, right) {
            let measure = Arc::clone(&self.setting.measure);
            let values: Vec<Value> = match (text, kind) {
                (Some(TextSort::Finite { texts, .. }), _) => texts.iter().cloned().map(Value::Text).collect(),
                (_, VariableType::Enum(enumeration)) => enumeration
                    .names()
                    .filter_map(|name| enumeration.enumerator(name))
                    .map(Value::Enum)
                    .collect(),
                _ => return Truths::never(),
            };
            let members = match (text, kind) {
                (Some(TextSort::Finite { members, .. }), _) => members.clone(),
                (_, VariableType::Enum(enumeration)) => self.enumeration(enumeration),
                _ => return Truths::never(),
            };
            let pairs = values.iter().zip(members.members.iter()).flat_map(|(one, first)| {
                let measure = &measure;
                values.iter().zip(members.members.iter()).map(move |(two, second)| {
                    let truth = compare(operator, one, two, ignores, measure.as_ref());
                    (left.eq(first) & right.eq(second), truth)
                })
            });
            return Truths::of_members(pairs);
        }
        if let (Term::Text(left), Term::Text(right)) = (left, right) {
            return self.open_texts(left, operator, right);
        }
        let holds = match operator {
            Operator::Equal => left.equal(right),
            Operator::NotEqual => left.equal(right).not(),
            Operator::Less => left.before(right),
            Operator::LessEqual => right.before(left).not(),
            Operator::Greater => right.before(left),
            Operator::GreaterEqual => left.before(right).not(),
            Operator::Similar
            | Operator::In
            | Operator::NotIn
            | Operator::Contains
            | Operator::NotContains => {
                return Truths::never();
            }
        };
        Truths { fails: holds.not(), holds }
    }

    /// Any text against a constant, as far as the theory of strings goes.
    fn open_text(
        &mut self,
        term: &z3::ast::String,
        operator: Operator,
        constant: &Text,
        ignores: bool,
    ) -> Truths {
        let text = if ignores { normal::fold(constant.as_str()) } else { constant.as_str().to_owned() };
        let empty = |term: &z3::ast::String| term.eq("");
        match operator {
            Operator::Equal => Truths::of(term.eq(text.as_str())),
            Operator::NotEqual => Truths::of(term.eq(text.as_str())).negate(),
            Operator::Similar => {
                let similar = Bool::fresh_const("similar");
                self.solver.assert(term.eq(constant.as_str()).implies(&similar));
                // Of the texts that are tried first it is known.
                let measure = Arc::clone(&self.setting.measure);
                for word in self.candidates.get(term).cloned().unwrap_or_default() {
                    let said = text::similar(&word, constant.as_str(), measure.as_ref()).is_true();
                    let so = if said { similar.clone() } else { similar.not() };
                    self.solver.assert(term.eq(word.as_str()).implies(&so));
                }
                Truths::of(similar)
            }
            Operator::Contains | Operator::NotContains => {
                if text.is_empty() {
                    return Truths::never();
                }
                let found = Truths::of(term.regex_matches(&occurrence(&text)));
                if operator == Operator::Contains { found } else { found.negate() }
            }
            Operator::In | Operator::NotIn => {
                let part = Bool::fresh_const("part");
                self.solver.assert(part.implies(z3::ast::String::from(text.as_str()).contains(term)));
                for word in parts(constant.as_str(), ignores) {
                    self.solver.assert(term.eq(word.as_str()).implies(&part));
                }
                let found = Truths { fails: part.not() & empty(term).not(), holds: part & empty(term).not() };
                if operator == Operator::In { found } else { found.negate() }
            }
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                Truths::never()
            }
        }
    }

    /// Any text against any other.
    fn open_texts(&mut self, left: &z3::ast::String, operator: Operator, right: &z3::ast::String) -> Truths {
        let occurs = |part: &z3::ast::String, whole: &z3::ast::String| {
            let found = Bool::fresh_const("part");
            self.solver.assert(found.implies(whole.contains(part)));
            let empty = part.eq("");
            self.solver.assert((part.eq(whole) & empty.not()).implies(&found));
            Truths { fails: found.not() & empty.not(), holds: found & empty.not() }
        };
        match operator {
            Operator::Equal => Truths::of(left.eq(right)),
            Operator::NotEqual => Truths::of(left.eq(right)).negate(),
            Operator::In => occurs(left, right),
            Operator::NotIn => occurs(left, right).negate(),
            Operator::Contains => occurs(right, left),
            Operator::NotContains => occurs(right, left).negate(),
            Operator::Similar => {
                let similar = Bool::fresh_const("similar");
                self.solver.assert(left.eq(right).implies(&similar));
                Truths::of(similar)
            }
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                Truths::never()
            }
        }
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
    fn guard(&mut self, claim: &Bool) -> Bool {
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

impl Truths {
    fn of(holds: Bool) -> Truths {
        Truths { fails: holds.not(), holds }
    }

    /// Unknown, whatever the value.
    fn never() -> Truths {
        Truths { holds: Bool::from_bool(false), fails: Bool::from_bool(false) }
    }

    fn negate(self) -> Truths {
        Truths { holds: self.fails, fails: self.holds }
    }

    /// Of one case for each member.
    fn of_members(cases: impl Iterator<Item = (Bool, Truth)>) -> Truths {
        let (mut holds, mut fails, mut unknown) = (Vec::new(), Vec::new(), false);
        for (case, truth) in cases {
            match truth {
                Truth::True => holds.push(case),
                Truth::False => fails.push(case),
                Truth::Unknown => unknown = true,
            }
        }
        // One of the two says it all where nothing is unknown; the shorter one is written out.
        match (unknown, holds.len() <= fails.len()) {
            (false, true) => Truths::of(disjunction(&holds)),
            (false, false) => Truths::of(disjunction(&fails)).negate(),
            (true, _) => Truths { holds: disjunction(&holds), fails: disjunction(&fails) },
        }
    }
}

fn elements(operand: &Operand) -> &[Element] {
    match operand {
        Operand::Single(element) => std::slice::from_ref(element),
        Operand::List(elements) => elements,
        Operand::Variable(_) => &[],
    }
}

/// The texts in which `part` occurs on word boundaries, for letters and digits of ASCII.
fn occurrence(part: &str) -> Regexp {
    let ranges = [(' ', '/'), (':', '@'), ('[', '`'), ('{', '~')];
    let between: Vec<Regexp> = ranges.iter().map(|(low, high)| Regexp::range(low, high)).collect();
    let boundary = Regexp::union(&between);
    let all = Regexp::full();
    let nothing = Regexp::literal("");
    let touches = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let before = if touches(part.chars().next()) {
        Regexp::union(&[nothing.clone(), Regexp::concat(&[all.clone(), boundary.clone()])])
    } else {
        all.clone()
    };
    let after = if touches(part.chars().next_back()) {
        Regexp::union(&[nothing, Regexp::concat(&[boundary, all])])
    } else {
        all
    };
    Regexp::concat(&[before, Regexp::literal(part), after])
}

/// The parts of a text that are words, or several of them in a row: what surely is in it.
fn parts(text: &str, ignores: bool) -> Vec<String> {
    let text = if ignores { normal::fold(text) } else { text.to_owned() };
    let starts: Vec<usize> = word_bounds(&text).map(|(start, _)| start).collect();
    let ends: Vec<usize> = word_bounds(&text).map(|(_, end)| end).collect();
    let mut parts: Vec<String> = Vec::new();
    for start in starts.iter().take(12) {
        for end in ends.iter().filter(|end| *end > start).take(12) {
            if let Some(part) = text.get(*start..*end)
                && within(part, &text, ignores) == Truth::True
                && !parts.iter().any(|known| known == part)
            {
                parts.push(part.to_owned());
            }
        }
    }
    parts
}

/// Where the words of a text start and end.
fn word_bounds(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(char::is_alphanumeric)?;
        let word = text.get(start..)?;
        let end = start + word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
        at = end;
        Some((start, end))
    })
}

/// A variable or a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Member {
    Variable(VariableId),
    Parameter(Text),
}

/// The classes of texts that are compared with one another.
#[derive(Debug, Default)]
struct Classes {
    /// The class of each member.
    members: HashMap<Member, usize>,
    /// Where a class was merged into another one.
    merged: Vec<usize>,
    classes: Vec<Class>,
}

impl Classes {
    fn of(sets: &[Arc<Specification>], given: &[(String, Given)]) -> Classes {
        let mut classes = Classes::default();
        for specification in sets {
            let vocabulary = specification.vocabulary();
            let bodies = specification.rules().iter().flat_map(|rule| specification.body(rule));
            for constraint in bodies.flat_map(|predicate| specification.constraints(predicate)) {
                let id = constraint.variable();
                if !matches!(vocabulary.variable(id).variable_type(), VariableType::Text) {
                    continue;
                }
                let member = Member::Variable(id);
                let list = matches!(constraint.operand(), Operand::List(_));
                let equality = matches!(constraint.operator(), Operator::Equal | Operator::NotEqual);
                classes.meet(&member, equality || list);
                if let Operand::Variable(other) = constraint.operand() {
                    classes.join(&member, &Member::Variable(*other));
                }
                for element in elements(constraint.operand()) {
                    match element {
                        Element::Value(Value::Text(constant)) => classes.class_of(&member).add(constant),
                        Element::Parameter(parameter) => {
                            if let Some(declared) = specification.parameters().get(parameter.index()) {
                                let parameter = Member::Parameter(Text::new(declared.name()));
                                classes.join(&member, &parameter);
                                let given =
                                    given.iter().find(|(name, _)| normal::nfc(name) == declared.name());
                                match given {
                                    Some((_, Given::Spelled(text))) => {
                                        classes.class_of(&member).add(&Text::new(text));
                                    }
                                    Some((_, Given::Value(Value::Text(text)))) => {
                                        classes.class_of(&member).add(text);
                                    }
                                    _ => {}
                                }
                            }
                        }
                        Element::Value(_) | Element::Today(_) => {}
                    }
                }
            }
        }
        classes
    }

    fn meet(&mut self, member: &Member, equality: bool) {
        let class = self.class_of(member);
        class.equality &= equality;
    }

    fn find(&mut self, member: &Member) -> usize {
        let mut class = match self.members.get(member) {
            Some(class) => *class,
            None => {
                let class = self.classes.len();
                self.classes.push(Class { members: 1, equality: true, ..Class::default() });
                self.merged.push(class);
                self.members.insert(member.clone(), class);
                class
            }
        };
        while let Some(into) = self.merged.get(class)
            && *into != class
        {
            class = *into;
        }
        class
    }

    fn class_of(&mut self, member: &Member) -> &mut Class {
        let class = self.find(member);
        // `find` gives the place of a class that is there.
        if class >= self.classes.len() {
            self.classes.resize(class + 1, Class::default());
        }
        #[expect(clippy::indexing_slicing, reason = "made long enough above")]
        &mut self.classes[class]
    }

    fn join(&mut self, one: &Member, other: &Member) {
        let (into, from) = (self.find(one), self.find(other));
        self.class_of(one).joined = true;
        if into == from {
            return;
        }
        let Class { constants, members, equality, .. } = self.class_of(other).clone();
        let class = self.class_of(one);
        constants.iter().for_each(|constant| class.add(constant));
        class.members += members;
        class.equality &= equality;
        if let Some(merged) = self.merged.get_mut(from) {
            *merged = into;
        }
    }

    fn class(&self, class: usize) -> Class {
        self.classes.get(class).cloned().unwrap_or_default()
    }

    fn constants(&mut self, member: &Member) -> Vec<Text> {
        self.class_of(member).constants.clone()
    }
}
