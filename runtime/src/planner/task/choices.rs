//! What a transition can be to the gate: its action with every value that makes a difference.
//!
//! Values come from what transitions declare, and from the constants of the rules and what lies beside them.
//! Of values that no constraint tells apart the first is taken.

use super::Asked;
use crate::planner::compile::{Domain, Graph, Scene};
use crate::planner::model::{Link, Linked, Model, Stated, Transition};
use crate::planner::packed::{Field, Word};
use crate::session::Session;
use crate::{Action, Input, Update};
use intentgate_engine::boundary::{any_value, beside, turning_points};
use intentgate_engine::diagnostic::{Code, Fault, Problems};
use intentgate_engine::eval::{Assignment, RuleSet, ValueSource, semantics};
use intentgate_engine::input;
use intentgate_engine::ir::{Constraint, Head, Objective, Operand, PredicateKind, Rule, Specification};
use intentgate_engine::json::Node;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{ActionId, VariableId, VariableType, Vocabulary};
use intentgate_engine::span::Source;
use intentgate_engine::truth::Truth;
use intentgate_engine::value::Value;
use std::collections::BTreeSet;

/// The most values of a variable that are tried.
const MOST_VALUES: usize = 24;
/// The most combinations of values for a transition.
const MOST_CHOICES: usize = 4_096;

/// A transition with values.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) edge: u32,
    pub(super) asked: Asked,
    /// Whether a value in it only serves to differ from another, which matters where something is done again.
    pub(super) spare: bool,
    /// What was chosen or is expected, by `State.variable`.
    pub(super) values: Vec<(String, Value)>,
    /// What variables of the model have to be.
    when: Vec<(Field, usize)>,
}

impl Choice {
    /// Whether the model's variables are what it was made for.
    pub(super) fn fits(&self, state: u128) -> bool {
        self.when.iter().all(|(field, place)| state.get(*field) == *place)
    }
}

/// All choices, by edge.
#[derive(Debug, Default)]
pub(super) struct Choices {
    first: Vec<u32>,
    all: Vec<Choice>,
}

impl Choices {
    pub(super) fn new(model: &Model, graph: &Graph, session: &Session) -> Result<Choices, Fault> {
        let mut choices = Choices { first: vec![0], all: Vec::new() };
        let values = Sources::new(model, Some(graph), session);
        for (edge, id) in graph.transitions.iter().enumerate() {
            if let Some(transition) = model.transition(*id) {
                let edge = u32::try_from(edge).unwrap_or(u32::MAX);
                let found = values.choices(edge, transition).map_err(|mut fault| {
                    fault.message = format!("`{}`: {}", input::shortened(transition.event()), fault.message);
                    fault
                })?;
                choices.all.extend(found);
            }
            choices.first.push(u32::try_from(choices.all.len()).unwrap_or(u32::MAX));
        }
        Ok(choices)
    }

    pub(super) fn get(&self, label: u32) -> Option<&Choice> {
        self.all.get(label as usize)
    }

    /// The choices of an edge, each with its number.
    pub(super) fn of(&self, edge: u32) -> impl Iterator<Item = (u32, &Choice)> {
        let first = self.first.get(edge as usize).copied().unwrap_or(0);
        let end = self.first.get(edge as usize + 1).copied().unwrap_or(first);
        (first..end).zip(self.all.get(first as usize..end as usize).unwrap_or(&[]))
    }

    /// The variables that get values.
    pub(super) fn touched(&self) -> BTreeSet<VariableId> {
        let assigned = |choice: &Choice| {
            let observed = choice.asked.observes.assignments.iter();
            let all = choice.asked.action.0.overlay.iter().chain(observed);
            all.map(|assignment| assignment.variable).collect::<Vec<_>>()
        };
        self.all.iter().flat_map(assigned).collect()
    }
}

impl Model {
    /// Checks what transitions say of a session's vocabulary: states, variables, arguments, types. Located in the
    /// model's source.
    pub fn review_links(&self, source: &Source, session: &Session) -> Problems {
        let mut problems = Problems::new(source.clone());
        let values = Sources::new(self, None, session);
        for transition in &self.transitions {
            let Some(link) = &transition.link else { continue };
            let targets = values.targets(transition, link);
            for (linked, target) in targets {
                let checked = target.and_then(|target| values.options(linked, &target).map(|_| ()));
                if let Err(fault) = checked {
                    problems.push(fault.at(linked.span));
                }
            }
        }
        problems.sort();
        problems
    }
}

/// Where a value goes.
enum Target<'v> {
    /// To an argument that the vocabulary declares, and to its variable, if it is a critical action's.
    Argument(String, &'v VariableType, Option<VariableId>),
    /// To an argument that nothing declares.
    Free(String),
    Cause(VariableId),
    Observation(VariableId),
}

/// One of the values that are tried.
#[derive(Debug, Clone, Default)]
struct Tried {
    /// Nothing if it is left out.
    value: Option<Given>,
    unexpected: bool,
    spare: bool,
    when: Option<(Field, usize)>,
}

#[derive(Debug, Clone)]
enum Given {
    Value(Option<Value>),
    Free(serde_json::Value),
}

struct Sources<'a> {
    model: &'a Model,
    graph: Option<&'a Graph>,
    session: &'a Session,
    bodies: Vec<(&'a RuleSet, &'a Constraint, Wanted)>,
    /// The critical actions that transitions perform.
    performed: BTreeSet<ActionId>,
}

impl<'a> Sources<'a> {
    fn new(model: &'a Model, graph: Option<&'a Graph>, session: &'a Session) -> Sources<'a> {
        let actions = model.transitions.iter().map(Transition::action);
        let performed = actions.filter_map(|name| session.vocabulary().find_action(name)).collect();
        Sources { model, graph, session, bodies: bodies(session.evaluator.sets()), performed }
    }

    fn vocabulary(&self) -> &'a Vocabulary {
        self.session.vocabulary()
    }

    /// Every combination of values for a transition.
    fn choices(&self, edge: u32, transition: &Transition) -> Result<Vec<Choice>, Fault> {
        let nothing = Link::default();
        let link = transition.link.as_deref().unwrap_or(&nothing);
        let mut places: Vec<(Target<'a>, Vec<Tried>)> = Vec::new();
        for (linked, target) in self.targets(transition, link) {
            let target = target?;
            let options = self.options(linked, &target)?;
            places.push((target, options));
        }
        let combined = |places: &[(Target<'a>, Vec<Tried>)]| {
            places.iter().fold(1_usize, |count, (_, options)| count.saturating_mul(options.len()))
        };
        if combined(&places) > MOST_CHOICES {
            places.iter_mut().for_each(|(_, options)| options.retain(|option| !option.spare));
        }
        let count = combined(&places);
        if count > MOST_CHOICES {
            let message = format!("there are more than {MOST_CHOICES} combinations of values to choose from");
            return Err(Fault::new(Code::TooLarge, message).help("list the values that matter"));
        }
        (0..count).map(|number| self.choice(edge, transition, &places, number)).collect()
    }

    fn targets<'l>(
        &self,
        transition: &Transition,
        link: &'l Link,
    ) -> Vec<(&'l Linked, Result<Target<'a>, Fault>)> {
        let arguments = link.arguments.iter().map(|one| (one, self.argument(transition.action(), &one.name)));
        let causes = link.causes.iter().map(|one| (one, self.variable(&one.name).map(Target::Cause)));
        let observes =
            link.observes.iter().map(|one| (one, self.variable(&one.name).map(Target::Observation)));
        arguments.chain(causes).chain(observes).collect()
    }

    fn variable(&self, path: &str) -> Result<VariableId, Fault> {
        let (state, name) = path.split_once('.').unwrap_or((path, ""));
        let state = crate::action::find_state(self.vocabulary(), state)?;
        crate::action::find_variable(self.vocabulary(), state, name)
    }

    fn argument(&self, action: &str, name: &str) -> Result<Target<'a>, Fault> {
        let vocabulary = self.vocabulary();
        if let Some(id) = vocabulary.find_action(action) {
            let state = vocabulary.action(id).arguments();
            let id = crate::action::find_variable(vocabulary, state, name)?;
            let kind = vocabulary.variable(id).variable_type();
            return Ok(Target::Argument(name.to_owned(), kind, Some(id)));
        }
        let Some(step) = vocabulary.find_step(action) else { return Ok(Target::Free(name.to_owned())) };
        match step.arguments().find(|(known, _, _)| *known == name) {
            Some((_, kind, _)) => Ok(Target::Argument(name.to_owned(), kind, None)),
            None => {
                let message = format!("`{action}` has no argument `{}`", input::shortened(name));
                Err(Fault::new(Code::UnknownArgument, message))
            }
        }
    }

    /// The values that are tried for a place.
    fn options(&self, linked: &Linked, target: &Target<'a>) -> Result<Vec<Tried>, Fault> {
        let (kind, variable) = match target {
            Target::Argument(_, kind, variable) => (*kind, *variable),
            Target::Cause(id) | Target::Observation(id) => {
                (self.vocabulary().variable(*id).variable_type(), Some(*id))
            }
            Target::Free(_) => {
                let Stated::Value(node) = &linked.stated else {
                    let message =
                        format!("`{}` is declared nowhere, so it takes plain values alone", linked.name);
                    return Err(Fault::new(Code::UnknownArgument, message));
                };
                return Ok(vec![Tried { value: Some(Given::Free(node.to_value())), ..Tried::default() }]);
            }
        };
        let typed = |node: &Node| {
            let today = Some(self.session.today());
            input::json_value(node, &linked.name, kind, today, &Limits::default())
        };
        let given = |value| Tried { value: Some(Given::Value(value)), ..Tried::default() };
        let list = |nodes: &[Node]| nodes.iter().map(typed).collect::<Result<Vec<_>, Fault>>();
        let classes = |values: Vec<Option<Value>>| {
            let values = match variable {
                Some(id) => self.told_apart(id, values),
                None => values.into_iter().map(|value| (value, false)).collect(),
            };
            let tried = |(value, spare)| Tried { spare, ..given(value) };
            values.into_iter().map(tried).collect::<Vec<Tried>>()
        };
        Ok(match &linked.stated {
            Stated::Value(node) => vec![given(typed(node)?)],
            Stated::Choose(Some(nodes)) => classes(list(nodes)?),
            Stated::Expect(Some(nodes)) => {
                let mut options = classes(list(nodes)?);
                options.iter_mut().skip(1).for_each(|option| option.unexpected = true);
                options
            }
            Stated::Choose(None) | Stated::Expect(None) => {
                let values = variable.map(|id| self.candidates(id)).unwrap_or_default();
                // What no rule looks at may be anything.
                match values.is_empty() {
                    true => vec![Tried::default()],
                    false => classes(values.into_iter().map(Some).collect()),
                }
            }
            Stated::Variable(id) => self.copied(*id, kind, &linked.name)?,
        })
    }

    /// What a variable of the model can be.
    fn copied(&self, id: VariableId, kind: &VariableType, name: &str) -> Result<Vec<Tried>, Fault> {
        let own = self.model.vocabulary.variable(id);
        if own.variable_type().kind() != kind.kind() {
            let (wanted, found) = (kind.kind(), own.variable_type().kind());
            let message = format!("`{name}` is a {wanted}, and `{}` a {found}", own.name());
            return Err(Fault::new(Code::WrongType, message));
        }
        let nothing = Domain::new();
        let (field, domain) = match self.graph.and_then(|graph| graph.domain(id)) {
            Some((field, domain)) => (field, domain),
            None => (Field::default(), &nothing),
        };
        let values = domain.iter().enumerate().map(|(place, value)| {
            let value = match value {
                Some(Value::Enum(enumerator)) => {
                    let spelled = input::spelled(enumerator.name(), kind, None).ok_or_else(|| {
                        let message = format!("`{name}` has no value `{}`", enumerator.name());
                        Fault::new(Code::UpdateEnumerator, message)
                    })?;
                    Some(spelled)
                }
                other => other.clone(),
            };
            let when = Some((field, place));
            Ok(Tried { value: Some(Given::Value(value)), when, ..Tried::default() })
        });
        values.collect()
    }

    fn choice(
        &self,
        edge: u32,
        transition: &Transition,
        places: &[(Target<'a>, Vec<Tried>)],
        number: usize,
    ) -> Result<Choice, Fault> {
        let vocabulary = self.vocabulary();
        let mut action = Action::named(vocabulary, transition.action()).source(ValueSource::App);
        let (mut observed, mut causes) = (Vec::new(), Vec::new());
        let (mut when, mut values, mut unexpected, mut spare) = (Vec::new(), Vec::new(), false, false);
        let mut rest = number;
        // The first place changes slowest, so that what is written first is tried first.
        for (target, options) in places.iter().rev() {
            let Some(option) = options.get(rest % options.len().max(1)) else { continue };
            rest /= options.len().max(1);
            unexpected |= option.unexpected;
            spare |= option.spare;
            when.extend(option.when);
            let assigned = |variable, value: &Option<Value>| Assignment {
                variable,
                value: value.clone(),
                source: ValueSource::App,
            };
            match (&option.value, target) {
                (Some(Given::Value(value)), Target::Argument(name, _, variable)) => {
                    let path = variable.map_or_else(|| name.clone(), |id| vocabulary.path(id));
                    values.extend(value.clone().map(|value| (path, value)));
                    action = action.argument(name, value.clone().map_or(Input::Unknown, Input::Value));
                }
                (Some(Given::Free(value)), Target::Free(name)) => {
                    action = action.json_argument(name, value.clone(), |_, _| Ok(None));
                }
                (Some(Given::Value(value)), Target::Cause(id) | Target::Observation(id)) => {
                    values.extend(value.clone().map(|value| (vocabulary.path(*id), value)));
                    let list = if matches!(target, Target::Cause(_)) { &mut causes } else { &mut observed };
                    list.push(assigned(*id, value));
                }
                _ => {}
            }
        }
        causes.reverse();
        observed.reverse();
        let action = action.assign(causes).build()?;
        let observes = Update::from_assignments(vocabulary, observed);
        Ok(Choice { edge, asked: Asked { action, observes, unexpected }, spare, values, when })
    }

    fn sets(&self) -> &'a [RuleSet] {
        self.session.evaluator.sets()
    }

    /// Every constraint of every rule set.
    fn constraints(&self) -> impl Iterator<Item = (&'a RuleSet, &'a Constraint)> {
        self.bodies.iter().map(|(set, one, _)| (*set, *one))
    }

    /// Whether a rule that matters to the end of the task looks at a variable.
    fn is_looked_at(&self, id: VariableId) -> bool {
        let state = self.vocabulary().variable(id).state();
        self.sets().iter().any(|set| {
            let specification = set.specification();
            let numbers = relevant(specification, &self.performed).into_iter();
            let mut rules = numbers.filter_map(|number| specification.rules().get(number));
            rules.any(|rule| {
                specification.body(rule).iter().any(|predicate| match predicate.kind() {
                    PredicateKind::State { state: asked, constraints: (_, 0) } => asked == state,
                    _ => {
                        let constraints = specification.constraints(predicate).iter();
                        constraints.flat_map(Constraint::variables).any(|variable| variable == id)
                    }
                })
            })
        })
    }

    /// The values at which constraints on a variable turn, and those of variables that it is compared with;
    /// nothing if no rule looks at it.
    fn candidates(&self, id: VariableId) -> Vec<Value> {
        if !self.is_looked_at(id) {
            return Vec::new();
        }
        let vocabulary = self.vocabulary();
        let kind = vocabulary.variable(id).variable_type();
        let mut joined = vec![id];
        let mut next = 0;
        let mut values: Vec<Value> = Vec::new();
        while let Some(variable) = joined.get(next).copied() {
            next += 1;
            for (set, constraint) in
                self.constraints().filter(|(_, one)| one.variables().any(|v| v == variable))
            {
                for other in
                    constraint.variables().filter(|other| !joined.contains(other)).collect::<Vec<_>>()
                {
                    joined.push(other);
                }
                values.extend(turning_points(constraint, set.bindings(), kind));
            }
        }
        // What is known of those that it is compared with, now or by a transition.
        let known = joined.iter().filter_map(|id| self.session.fact(*id).value);
        values.extend(known);
        let linked = self.model.transitions.iter().filter_map(|one| one.link.as_deref());
        let stated = linked.flat_map(|link| link.causes.iter().chain(&link.observes));
        for one in stated.filter(|one| self.variable(&one.name).is_ok_and(|id| joined.contains(&id))) {
            let nodes: &[Node] = match &one.stated {
                Stated::Value(node) => std::slice::from_ref(node),
                Stated::Choose(Some(nodes)) | Stated::Expect(Some(nodes)) => nodes,
                Stated::Choose(None) | Stated::Expect(None) | Stated::Variable(_) => &[],
            };
            let today = Some(self.session.today());
            let read = |node| input::json_value(node, &one.name, kind, today, &Limits::default());
            values.extend(nodes.iter().filter_map(|node| read(node).ok().flatten()));
        }
        match kind {
            VariableType::Boolean => values.extend([true, false].map(Value::Boolean)),
            VariableType::Enum(enumeration) => {
                let all = enumeration.names().filter_map(|name| enumeration.enumerator(name));
                values.extend(all.map(Value::Enum));
            }
            VariableType::Text => values.extend([Value::text("another"), Value::text("other")]),
            VariableType::Number | VariableType::Date | VariableType::Time => values.extend(any_value(kind)),
        }
        // Variables that are compared need values that differ, as many as there are of them.
        let mut next = any_value(kind);
        for _ in joined.iter().skip(1) {
            next = next.and_then(|value| beside(&value, kind, true));
            values.extend(next.clone());
        }
        let mut distinct: Vec<Value> = Vec::new();
        for value in values {
            if value.is_writable() && !distinct.contains(&value) && distinct.len() < MOST_VALUES {
                distinct.push(value);
            }
        }
        distinct
    }

    /// Whether it matters that a value is another than before: the gate lets a critical action pass again only where
    /// something is, and other values may be reset by it.
    fn may_have_to_differ(&self, id: VariableId) -> bool {
        let vocabulary = self.vocabulary();
        vocabulary.actions().any(|(action, _)| self.session.history.variables(action).contains(&id))
            || vocabulary.variables().any(|(_, variable)| variable.reset_by().contains(&id))
    }

    /// Without the values that are worse than another in every respect, and of those that no constraint tells apart
    /// only the first, and where it matters a spare one. The first of all stays: it may be what is expected.
    fn told_apart(&self, id: VariableId, values: Vec<Option<Value>>) -> Vec<(Option<Value>, bool)> {
        let on_it: Vec<(&RuleSet, &Constraint, Wanted)> =
            self.bodies.iter().filter(|(_, one, _)| one.variables().any(|v| v == id)).copied().collect();
        // A value may matter to what it is compared with.
        if on_it.iter().any(|(_, one, _)| matches!(one.operand(), Operand::Variable(_))) {
            return values.into_iter().map(|value| (value, false)).collect();
        }
        let spares = usize::from(self.may_have_to_differ(id));
        let merits = |value: &Option<Value>| {
            let known = value.iter().map(|value| (id, value.clone())).collect();
            let measure = self.session.evaluator.measure();
            let scene = Scene { measure, ..Scene::new(self.vocabulary(), &known) };
            let truths = on_it.iter().map(|(set, one, wanted)| {
                let merit = match semantics::constraint(&scene, set.bindings(), one, false) {
                    Truth::False => 0_i8,
                    Truth::Unknown => 1,
                    Truth::True => 2,
                };
                match wanted {
                    Wanted::True => vec![merit],
                    Wanted::False => vec![-merit],
                    Wanted::Either => vec![merit, -merit],
                }
            });
            std::iter::once(i8::from(value.is_some())).chain(truths.flatten()).collect::<Vec<i8>>()
        };
        let merits: Vec<Vec<i8>> = values.iter().map(merits).collect();
        let as_good = |one: &[i8], other: &[i8]| one.iter().zip(other).all(|(one, other)| one >= other);
        // How many as good ones come before it; nothing if another one is better.
        let place_in_class = |place: usize, own: &[i8]| {
            let better = |merits: &Vec<i8>| merits != own && as_good(merits, own);
            if merits.iter().any(better) {
                return None;
            }
            Some(merits.iter().take(place).filter(|merits| *merits == own).count())
        };
        let numbered = values.into_iter().zip(&merits).enumerate();
        let kept = numbered.filter_map(|(place, (value, own))| match place_in_class(place, own) {
            Some(0) => Some((value, false)),
            Some(number) if number <= spares => Some((value, true)),
            _ if place == 0 => Some((value, false)),
            _ => None,
        });
        kept.collect()
    }
}

/// How a constraint helps to let actions pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// If it is true.
    True,
    /// If it is false: it belongs to a prohibition.
    False,
    /// Either way: what it concludes is named in a prohibition.
    Either,
}

/// Every constraint of every rule set, with how it helps.
fn bodies(sets: &[RuleSet]) -> Vec<(&RuleSet, &Constraint, Wanted)> {
    let mut dreaded: BTreeSet<Objective> = BTreeSet::new();
    let rules =
        || sets.iter().flat_map(|set| set.specification().rules().iter().map(move |rule| (set, rule)));
    // What prohibitions name, and what leads to that.
    loop {
        let before = dreaded.len();
        for (set, rule) in rules() {
            let leads = match rule.head() {
                Head::Never => true,
                Head::Objective(objective) => dreaded.contains(&objective),
                Head::Done => false,
            };
            let named =
                set.specification().body(rule).iter().filter_map(|predicate| match predicate.kind() {
                    PredicateKind::Objective(objective) => Some(objective),
                    PredicateKind::State { .. } => None,
                });
            if leads {
                dreaded.extend(named);
            }
        }
        if dreaded.len() == before {
            break;
        }
    }
    let wanted = |head: Head| match head {
        Head::Never => Wanted::False,
        Head::Objective(objective) if dreaded.contains(&objective) => Wanted::Either,
        Head::Objective(_) | Head::Done => Wanted::True,
    };
    let constraints = rules().flat_map(|(set, rule)| {
        let specification = set.specification();
        let body = specification.body(rule).iter();
        let constraints = body.flat_map(|predicate| specification.constraints(predicate));
        constraints.map(move |one| (set, one, rule.head()))
    });
    constraints.map(|(set, one, head)| (set, one, wanted(head))).collect()
}

/// The rules that can matter to the end of the task: those for `Done`, for what transitions perform, for what these
/// name, and prohibitions.
fn relevant(specification: &Specification, performed: &BTreeSet<ActionId>) -> BTreeSet<usize> {
    let mut heads = vec![Head::Done];
    heads.extend(performed.iter().map(|id| Head::Objective(Objective::Action(*id))));
    let mut rules = BTreeSet::new();
    let named = |rule: &Rule| {
        specification.body(rule).iter().filter_map(|predicate| match predicate.kind() {
            PredicateKind::Objective(objective) => Some(Head::Objective(objective)),
            PredicateKind::State { state, .. } => {
                // Arguments are known once their action was performed.
                let action = specification.vocabulary().state(state).arguments_of()?;
                Some(Head::Objective(Objective::Action(action)))
            }
        })
    };
    for (number, rule) in specification.rules().iter().enumerate() {
        if rule.head() == Head::Never {
            rules.insert(number);
            heads.extend(named(rule));
        }
    }
    while let Some(head) = heads.pop() {
        for (number, rule) in specification.rules().iter().enumerate() {
            if rule.head() == head && rules.insert(number) {
                heads.extend(named(rule));
            }
        }
    }
    rules
}
