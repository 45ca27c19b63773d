//! A model and a goal as a graph of packed states: page, variables and progress in one number.
//!
//! A variable ranges over what it can ever be: its values at the start, the constants of updates, the
//! arguments of calls, and what it is copied from. So a guard is a table over small numbers.

use super::Model;
use super::model::{Call, PageId, TransitionId, conditions};
use super::packed::{Edge, Edges, Field, More, Table};
use intentgate_engine::compile::bind::Bindings;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::semantics::{self, View};
use intentgate_engine::eval::{Fact, ValueSource};
use intentgate_engine::ir::{Constraint, Element, Objective, Operand, Specification};
use intentgate_engine::schema::{StateId, VariableId, Vocabulary};
use intentgate_engine::text::{LocalSimilarity, Similarity};
use intentgate_engine::truth::Truth;
use intentgate_engine::value::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// The most values of a variable.
const MOST_VALUES: usize = 16_384;
/// The most combinations of values of which guards are tables, over all transitions.
const MOST_COMBINATIONS: usize = 1 << 24;

/// What a variable can be; nothing where it is unknown.
pub(super) type Domain = Vec<Option<Value>>;

/// A model and a goal, packed.
#[derive(Debug)]
pub(super) struct Graph {
    page: Field,
    progress: Field,
    fields: BTreeMap<VariableId, (Field, Domain)>,
    /// The place of each value in the domain of its variable.
    places: BTreeMap<VariableId, HashMap<Option<Value>, usize>>,
    /// How many bits a state takes.
    pub(super) bits: u32,
    pub(super) edges: Edges<u128>,
    /// The transition of each edge.
    pub(super) transitions: Vec<TransitionId>,
}

/// Why there is no graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unpacked {
    /// A state takes more than 128 bits.
    TooLarge,
    /// A variable can be too much.
    Values(String),
    /// The guards ask for too many combinations.
    Guards,
    /// A call of no function, or without an argument.
    Call(String),
}

impl From<Unpacked> for Fault {
    fn from(unpacked: Unpacked) -> Fault {
        match unpacked {
            Unpacked::TooLarge => Fault::new(Code::TooLarge, "a state of the model takes more than 128 bits")
                .help("split the model, or give its variables fewer values"),
            Unpacked::Values(name) => {
                let message = format!("`{name}` can have more than {MOST_VALUES} values");
                Fault::new(Code::TooLarge, message).help("give it fewer in updates")
            }
            Unpacked::Guards => {
                let message =
                    format!("the guards allow more than {MOST_COMBINATIONS} combinations of values");
                Fault::new(Code::TooLarge, message).help("give the variables that are compared fewer values")
            }
            Unpacked::Call(why) => Fault::new(Code::UnknownFunction, why),
        }
    }
}

impl Graph {
    /// `progress` counts what has been done: the calls, in order, or pages that were visited. A function is performed
    /// where it is called, and only there; without calls it may be where `free` says so.
    pub(super) fn new(
        model: &Model,
        start: &Assigned,
        calls: &[Call],
        visits: &[PageId],
        free: bool,
    ) -> Result<Graph, Unpacked> {
        let arguments = arguments(model, calls)?;
        let mut domains = domains(model, start, &arguments)?;
        bounded(model, &domains)?;
        let mut bits = 0;
        let page = Field::next(&mut bits, model.pages.len());
        // Visits are bits, calls a number.
        let size = if visits.is_empty() { calls.len() + 1 } else { 1 << visits.len().min(63) };
        let progress = Field::next(&mut bits, size);
        let mut fields = BTreeMap::new();
        for (id, _) in &model.initial {
            let domain = domains.remove(id).unwrap_or_default();
            fields.insert(*id, (Field::next(&mut bits, domain.len()), domain));
        }
        if bits > u128::BITS {
            return Err(Unpacked::TooLarge);
        }
        let places = fields.iter().map(|(id, (_, domain))| {
            (*id, domain.iter().enumerate().map(|(place, value)| (value.clone(), place)).collect())
        });
        let places = places.collect();
        let (edges, transitions) = (Edges::default(), Vec::new());
        let mut graph = Graph { page, progress, fields, places, bits, edges, transitions };
        let mut pages = vec![Vec::new(); model.pages.len()];
        for (id, transition) in model.transitions() {
            let steps: Vec<Option<usize>> = match transition.function {
                None => vec![None],
                Some(_) if free => vec![None],
                Some(function) => {
                    let name = model.vocabulary.action(function).name();
                    let places = calls.iter().enumerate().filter(|(_, call)| call.function == name);
                    places.map(|(place, _)| Some(place)).collect()
                }
            };
            for step in steps {
                let given = step.and_then(|step| arguments.get(step)).unwrap_or(&NOTHING);
                let edge = graph.edge(model, id, step, given, visits);
                if let Some(edges) = pages.get_mut(transition.from.index()) {
                    edges.extend(edge.map(|edge| (edge, id)));
                }
            }
        }
        graph.transitions = pages.iter().flatten().map(|(_, id)| *id).collect();
        let edges = pages.into_iter().map(|page| page.into_iter().map(|(edge, _)| edge).collect());
        graph.edges = Edges::new(edges.collect());
        Ok(graph)
    }

    fn edge(
        &self,
        model: &Model,
        id: TransitionId,
        step: Option<usize>,
        given: &Values,
        visits: &[PageId],
    ) -> Option<Edge<u128>> {
        let transition = model.transition(id)?;
        let mut edge = Edge {
            cost: transition.cost,
            mask: self.page.all(),
            bits: self.page.put(transition.from.index()),
            keep: !self.page.all(),
            set: self.page.put(transition.to.index()),
            more: None,
        };
        let mut more = More { tables: Vec::new(), copies: Vec::new() };
        if let Some(step) = step {
            edge.mask |= self.progress.all();
            edge.bits |= self.progress.put(step);
            edge.keep &= !self.progress.all();
            edge.set |= self.progress.put(step + 1);
        }
        if let Some(visit) = visits.iter().position(|visit| *visit == transition.to) {
            edge.set |= self.progress.put(1 << visit);
        }
        if let Some(guard) = &transition.guard {
            for constraint in conditions(guard) {
                let table = self.table(model, guard, constraint, given)?;
                require(&mut edge, &mut more, table);
            }
        }
        for (variable, operand) in &transition.update {
            let (field, _) = self.fields.get(variable)?;
            let places = self.places.get(variable)?;
            edge.keep &= !field.all();
            let place = |value: &Option<Value>| places.get(value).copied();
            match operand {
                Operand::Single(Element::Value(value)) => edge.set |= field.put(place(&Some(value.clone()))?),
                Operand::Variable(other) => match self.fields.get(other) {
                    Some((from, values)) => {
                        let bits = values.iter().map(|value| field.put(place(value).unwrap_or_default()));
                        more.copies.push((*from, bits.collect()));
                    }
                    None => edge.set |= field.put(place(&given.get(other).cloned())?),
                },
                Operand::Single(_) | Operand::List(_) => return None,
            }
        }
        if !(more.tables.is_empty() && more.copies.is_empty()) {
            edge.more = Some(Box::new(more));
        }
        Some(edge)
    }

    /// Which combinations of values a constraint allows; nothing if none.
    fn table(
        &self,
        model: &Model,
        specification: &Specification,
        constraint: &Constraint,
        given: &Values,
    ) -> Option<Table> {
        let bindings = Bindings::new(specification, Default::default(), &[]).ok()?;
        let mut joined = constraint.variables().filter_map(|id| Some((id, self.fields.get(&id)?)));
        let (one, other) = (joined.next(), joined.next());
        let holds = |values: &Values| {
            let scene = Scene { given, ..Scene::new(&model.vocabulary, values) };
            semantics::constraint(&scene, &bindings, constraint, false).is_true()
        };
        let mut allowed: Vec<u64> = Vec::new();
        let mut add = |place: usize, so: bool| {
            if allowed.len() <= place / 64 {
                allowed.resize(place / 64 + 1, 0);
            }
            if let Some(word) = allowed.get_mut(place / 64) {
                *word |= u64::from(so) << (place % 64);
            }
        };
        let Some((first, (field, domain))) = one else {
            // Arguments alone.
            add(0, holds(&Values::new()));
            return allowed.first().is_some_and(|word| *word == 1).then_some(Table {
                one: Field::default(),
                other: None,
                allowed,
            });
        };
        // One place for both: making it anew takes longer than looking at it.
        let mut values = Values::new();
        let set = |values: &mut Values, id: VariableId, value: &Option<Value>| match value {
            Some(value) => drop(values.insert(id, value.clone())),
            None => drop(values.remove(&id)),
        };
        for (place, value) in domain.iter().enumerate() {
            set(&mut values, first, value);
            match &other {
                None => add(place, holds(&values)),
                Some((second, (_, others))) => {
                    for (offset, other) in others.iter().enumerate() {
                        set(&mut values, *second, other);
                        add(place * others.len() + offset, holds(&values));
                    }
                }
            }
        }
        let other = other.map(|(_, (field, domain))| (*field, domain.len()));
        allowed.iter().any(|word| *word != 0).then_some(Table { one: *field, other, allowed })
    }

    /// The state of a page and values.
    pub(super) fn pack(&self, page: PageId, values: &Assigned, visits: &[PageId]) -> Option<u128> {
        let mut state = self.page.put(page.index());
        if let Some(visit) = visits.iter().position(|visit| *visit == page) {
            state |= self.progress.put(1 << visit);
        }
        for (id, (field, domain)) in &self.fields {
            let value = values.get(id).cloned().flatten();
            state |= field.put(domain.iter().position(|known| *known == value)?);
        }
        Some(state)
    }

    /// Where the page stands in a state.
    pub(super) fn page(&self) -> Field {
        self.page
    }

    /// Where a state counts what has been done.
    pub(super) fn progress(&self) -> Field {
        self.progress
    }

    /// Where a variable stands in a state, and what it can be.
    pub(super) fn domain(&self, id: VariableId) -> Option<(Field, &Domain)> {
        self.fields.get(&id).map(|(field, domain)| (*field, domain))
    }

    /// The variables, with what each can be.
    pub(super) fn domains(&self) -> impl Iterator<Item = (VariableId, &[Option<Value>])> {
        self.fields.iter().map(|(id, (_, domain))| (*id, domain.as_slice()))
    }

    /// The values of some variables, by their places in their domains, for which a transition without a function
    /// is possible, and what they become; nothing if they are more than `most`.
    pub(super) fn combinations(
        &self,
        model: &Model,
        transition: &super::Transition,
        variables: &[VariableId],
        most: usize,
    ) -> Option<Vec<(Vec<usize>, Vec<usize>)>> {
        let domains = variables.iter().map(|id| self.fields.get(id).map(|(_, domain)| domain));
        let domains: Vec<&Domain> = domains.collect::<Option<_>>()?;
        let count = domains.iter().try_fold(1_usize, |count, domain| count.checked_mul(domain.len()))?;
        if count > most {
            return None;
        }
        let mut found = Vec::new();
        for number in 0..count {
            let mut rest = number;
            let places: Vec<usize> = domains
                .iter()
                .map(|domain| {
                    let place = rest % domain.len();
                    rest /= domain.len();
                    place
                })
                .collect();
            let mut values = Values::new();
            for ((id, domain), place) in variables.iter().zip(&domains).zip(&places) {
                values.extend(domain.get(*place)?.iter().map(|value| (*id, value.clone())));
            }
            let scene = Scene::new(&model.vocabulary, &values);
            if !scene.allows(transition) {
                continue;
            }
            let mut after = places.clone();
            for (variable, operand) in &transition.update {
                let value = scene.value(operand);
                let at = variables.iter().position(|id| id == variable)?;
                let place = domains.get(at)?.iter().position(|known| *known == value)?;
                *after.get_mut(at)? = place;
            }
            found.push((places, after));
        }
        Some(found)
    }

    /// What has to hold in a state for constraints to hold, all of them; nothing if they never do.
    ///
    /// # Errors
    /// Too many combinations of values.
    pub(super) fn condition(
        &self,
        model: &Model,
        condition: &Specification,
    ) -> Result<Option<Vec<Table>>, Unpacked> {
        if combinations(condition, |id| self.fields.get(&id).map_or(1, |(_, domain)| domain.len()))
            > MOST_COMBINATIONS
        {
            return Err(Unpacked::Guards);
        }
        let constraints = conditions(condition).into_iter();
        Ok(constraints.map(|constraint| self.table(model, condition, constraint, &NOTHING)).collect())
    }
}

/// A condition that allows one value only is a matter of bits.
fn require(edge: &mut Edge<u128>, more: &mut More<u128>, table: Table) {
    let single =
        table.other.is_none() && table.allowed.iter().map(|word| word.count_ones()).sum::<u32>() == 1;
    let place = table.allowed.iter().enumerate().find(|(_, word)| **word != 0);
    match place {
        Some((word, bits)) if single && edge.mask & table.one.all() == 0 => {
            edge.mask |= table.one.all();
            edge.bits |= table.one.put(word * 64 + bits.trailing_zeros() as usize);
        }
        _ => more.tables.push(table),
    }
}

/// The value of every variable; nothing where it is unknown.
pub(super) type Assigned = BTreeMap<VariableId, Option<Value>>;

/// What is known of variables.
pub(super) type Values = BTreeMap<VariableId, Value>;

static NOTHING: Values = Values::new();

/// The arguments of each call, as variables.
pub(super) fn arguments(model: &Model, calls: &[Call]) -> Result<Vec<Values>, Unpacked> {
    let vocabulary = &model.vocabulary;
    calls
        .iter()
        .map(|call| {
            let wrong = |what: String| Unpacked::Call(format!("`{}` {what}", call.function));
            let function =
                vocabulary.find_action(&call.function).ok_or_else(|| wrong("is no function".to_owned()))?;
            let state = vocabulary.find_state(vocabulary.action(function).name());
            let state = state.ok_or_else(|| wrong("is no function".to_owned()))?;
            let mut values = Values::new();
            for (name, value) in &call.arguments {
                let id = vocabulary.find_variable(state, name);
                let id = id.ok_or_else(|| wrong(format!("has no parameter `{name}`")))?;
                let kind = vocabulary.variable(id).variable_type();
                if value.kind() != kind.kind() {
                    return Err(wrong(format!(
                        "takes a {} for `{name}`, not a {}",
                        kind.kind(),
                        value.kind()
                    )));
                }
                values.insert(id, value.clone());
            }
            match vocabulary.state(state).variables().find(|id| !values.contains_key(id)) {
                Some(id) => Err(wrong(format!("needs a value for `{}`", vocabulary.variable(id).name()))),
                None => Ok(values),
            }
        })
        .collect()
}

/// Of how many combinations of values the tables of a condition are.
fn combinations(condition: &Specification, size: impl Fn(VariableId) -> usize) -> usize {
    let sizes = conditions(condition)
        .into_iter()
        .map(|one| one.variables().map(&size).fold(1_usize, usize::saturating_mul));
    sizes.fold(0_usize, usize::saturating_add)
}

/// Whether the tables of all guards and copies can be made in a bounded time.
fn bounded(model: &Model, domains: &BTreeMap<VariableId, Domain>) -> Result<(), Unpacked> {
    let guards = model.transitions.iter().filter_map(|one| one.guard.as_deref());
    let size = |id| domains.get(&id).map_or(1, Vec::len);
    let all = guards.map(|guard| combinations(guard, size)).fold(0_usize, usize::saturating_add);
    // What is copied is a table, too.
    let updates = model.transitions.iter().flat_map(|transition| &transition.update);
    let copied =
        updates.map(|(_, operand)| if let Operand::Variable(from) = operand { size(*from) } else { 0 });
    let all = copied.fold(all, usize::saturating_add);
    if all > MOST_COMBINATIONS { Err(Unpacked::Guards) } else { Ok(()) }
}

/// What each variable can ever be.
///
/// # Errors
/// A variable that can be too much.
pub(super) fn domains(
    model: &Model,
    start: &Assigned,
    arguments: &[Values],
) -> Result<BTreeMap<VariableId, Domain>, Unpacked> {
    let mut growing = Growing::default();
    for (id, value) in start {
        growing.add(model, *id, value.clone())?;
    }
    for (variable, operand) in model.transitions.iter().flat_map(|transition| &transition.update) {
        match operand {
            Operand::Single(Element::Value(value)) => growing.add(model, *variable, Some(value.clone()))?,
            Operand::Variable(other) => {
                if growing.copied.entry(*other).or_default().insert(*variable) {
                    for given in arguments.iter().filter_map(|given| given.get(other)) {
                        growing.add(model, *variable, Some(given.clone()))?;
                    }
                }
            }
            Operand::Single(_) | Operand::List(_) => {}
        }
    }
    growing.spread(model)
}

/// What variables can be, as far as it was found out.
#[derive(Default)]
struct Growing {
    sets: BTreeMap<VariableId, (Domain, HashSet<Option<Value>>)>,
    /// To which variables each is copied.
    copied: BTreeMap<VariableId, BTreeSet<VariableId>>,
}

impl Growing {
    fn add(&mut self, model: &Model, id: VariableId, value: Option<Value>) -> Result<(), Unpacked> {
        let (domain, known) = self.sets.entry(id).or_default();
        if known.insert(value.clone()) {
            domain.push(value);
        }
        if domain.len() > MOST_VALUES {
            return Err(Unpacked::Values(model.variable_name(id)));
        }
        Ok(())
    }

    /// Each value goes where it is copied, once.
    fn spread(mut self, model: &Model) -> Result<BTreeMap<VariableId, Domain>, Unpacked> {
        // How many of its values each variable has passed on.
        let mut passed: BTreeMap<VariableId, usize> = BTreeMap::new();
        let mut open: VecDeque<VariableId> = self.copied.keys().copied().collect();
        while let Some(from) = open.pop_front() {
            let values = self.sets.get(&from).map_or(&[][..], |(domain, _)| domain);
            let done = passed.insert(from, values.len()).unwrap_or_default();
            let new = values.get(done..).unwrap_or_default().to_vec();
            let Some(targets) = self.copied.get(&from).cloned().filter(|_| !new.is_empty()) else { continue };
            for to in targets {
                for value in &new {
                    self.add(model, to, value.clone())?;
                }
                open.push_back(to);
            }
        }
        Ok(self.sets.into_iter().map(|(id, (domain, _))| (id, domain)).collect())
    }
}

/// Values, and the arguments of a call, as the evaluator sees them.
pub(super) struct Scene<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) values: &'a Values,
    pub(super) given: &'a Values,
    pub(super) measure: &'a dyn Similarity,
}

impl<'a> Scene<'a> {
    /// Of values alone.
    pub(super) fn new(vocabulary: &'a Vocabulary, values: &'a Values) -> Scene<'a> {
        Scene { vocabulary, values, given: &NOTHING, measure: &LocalSimilarity }
    }
}

impl Scene<'_> {
    /// Whether all constraints of a condition hold.
    pub(super) fn meets(&self, condition: &Specification) -> bool {
        Bindings::new(condition, Default::default(), &[]).is_ok_and(|bindings| {
            let mut constraints = conditions(condition).into_iter();
            constraints.all(|one| semantics::constraint(self, &bindings, one, false).is_true())
        })
    }

    /// Whether a transition's guard may hold: nothing in it is false.
    pub(super) fn may_allow(&self, transition: &super::Transition) -> bool {
        transition.guard.as_ref().is_none_or(|guard| {
            Bindings::new(guard, Default::default(), &[]).is_ok_and(|bindings| {
                let mut constraints = conditions(guard).into_iter();
                constraints.all(|one| !semantics::constraint(self, &bindings, one, false).is_false())
            })
        })
    }

    /// Whether a transition's guard holds.
    pub(super) fn allows(&self, transition: &super::Transition) -> bool {
        transition.guard.as_ref().is_none_or(|guard| self.meets(guard))
    }

    /// What an update gives a variable.
    pub(super) fn value(&self, operand: &Operand) -> Option<Value> {
        match operand {
            Operand::Single(Element::Value(value)) => Some(value.clone()),
            Operand::Variable(other) => self.values.get(other).or_else(|| self.given.get(other)).cloned(),
            Operand::Single(_) | Operand::List(_) => None,
        }
    }
}

impl View for Scene<'_> {
    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    fn fact(&self, id: VariableId) -> Fact {
        let value = self.values.get(&id).or_else(|| self.given.get(&id));
        Fact { value: value.cloned(), source: ValueSource::App, counts: true }
    }

    fn observed(&self, _: StateId) -> bool {
        true
    }

    fn objective(&self, _: Objective) -> Truth {
        Truth::Unknown
    }

    fn measure(&self) -> &dyn Similarity {
        self.measure
    }
}
