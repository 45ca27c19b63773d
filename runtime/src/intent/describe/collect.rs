//! From checked rules to the data of a description.

use super::{
    Case, Compared, Concluded, Constant, Constraint, Declared, Describer, Description, Kind, Named, Operand,
    Parameter, Part, Prohibition, State, Variable,
};
use crate::gate::wording;
use chrono::NaiveDate;
use hashbrown::HashSet;
use intentgate_engine::compile::bind::day;
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::eval::semantics;
use intentgate_engine::ir::{self, Head, Objective, Operator, PredicateKind};
use intentgate_engine::schema::{ActionId, MaxAge, StateId, VariableId, VariableType, Vocabulary};
use intentgate_engine::text::{lookalike, normal};
use intentgate_engine::value::{Value, date_text, quoted};

/// One rule set, with what is fixed for it.
struct Set<'s> {
    specification: &'s ir::Specification,
    vocabulary: &'s Vocabulary,
    today: Option<NaiveDate>,
    values: Vec<Option<Value>>,
}

pub(super) fn description(describer: &Describer<'_>) -> Result<Description, Fault> {
    let specification = describer.specification;
    let vocabulary = specification.vocabulary();
    let mut sets = Vec::new();
    for specification in describer.sets() {
        let values = specification.parameters().iter().map(|parameter| describer.value(parameter));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        sets.push(Set { specification, vocabulary, today: describer.today, values });
    }
    let kind = match specification.kind() {
        ir::Kind::Intent => Kind::Task,
        ir::Kind::Standing => Kind::Standing,
        ir::Kind::Policy => Kind::Policy,
    };
    let (mut actions, mut milestones, mut completion) = (Vec::new(), Vec::new(), Vec::new());
    let mut concluded: HashSet<Head> = HashSet::new();
    for set in sets.iter().take(1) {
        for rule in specification.rules() {
            if rule.head() == Head::Never || !concluded.insert(rule.head()) {
                continue;
            }
            match rule.head() {
                Head::Objective(Objective::Action(_)) => actions.push(set.concluded(rule.head())),
                Head::Objective(Objective::Milestone(_)) => milestones.push(set.concluded(rule.head())),
                Head::Done => completion = set.cases(rule.head()),
                Head::Never => {}
            }
        }
    }
    let allowed = |id: ActionId| concluded.contains(&Head::Objective(Objective::Action(id)));
    let never_allowed = vocabulary.actions().filter(|(id, _)| kind != Kind::Policy && !allowed(*id));
    Ok(Description {
        app: vocabulary.app().to_owned(),
        source: specification.source().name().to_owned(),
        kind,
        policies: describer.policies.iter().map(|policy| policy.source().name().to_owned()).collect(),
        today: describer.today.map(date_text),
        actions,
        milestones,
        completion,
        prohibitions: sets.iter().flat_map(Set::prohibitions).collect(),
        never_allowed: never_allowed.map(|(_, action)| named(action.name(), action.description())).collect(),
        closed: vocabulary.is_closed(),
        parameters: sets.iter().flat_map(Set::parameters).collect(),
        states: states(&sets, vocabulary),
    })
}

fn named(name: &str, description: &str) -> Named {
    Named { name: name.to_owned(), description: wording::description(description) }
}

/// The states that are spoken of, in the order of their declaration.
fn states(sets: &[Set<'_>], vocabulary: &Vocabulary) -> Vec<State> {
    let (mut spoken, mut states) = (HashSet::<VariableId>::new(), HashSet::<StateId>::new());
    for set in sets {
        for predicate in set.specification.rules().iter().flat_map(|rule| set.specification.body(rule)) {
            if let PredicateKind::State { state, .. } = predicate.kind() {
                states.insert(state);
            }
            let constraints = set.specification.constraints(predicate);
            spoken.extend(constraints.iter().flat_map(ir::Constraint::variables));
        }
    }
    states.extend(spoken.iter().map(|id| vocabulary.variable(*id).state()));
    let used = vocabulary.states().filter(|(id, _)| states.contains(id));
    used.map(|(_, state)| State {
        named: named(state.name(), state.description()),
        arguments: state.arguments_of().is_some(),
        variables: state
            .variables()
            .filter(|id| spoken.contains(id))
            .map(|id| declared(vocabulary, id))
            .collect(),
    })
    .collect()
}

fn declared(vocabulary: &Vocabulary, id: VariableId) -> Declared {
    let variable = vocabulary.variable(id);
    Declared {
        named: named(variable.name(), variable.description()),
        kind: variable.variable_type().kind().to_string(),
        values: members(variable.variable_type()),
        app_only: variable.demands_app(),
        max_age: variable.max_age().map(|age| match age {
            MaxAge::Epochs(1) => "1 change of the session".to_owned(),
            MaxAge::Epochs(changes) => format!("{changes} changes of the session"),
            MaxAge::Time(time) => duration(time.as_secs()),
        }),
        reset_by: variable.reset_by().iter().map(|id| vocabulary.path(*id)).collect(),
    }
}

fn members(kind: &VariableType) -> Vec<String> {
    match kind {
        VariableType::Enum(enumeration) => enumeration.names().map(quoted).collect(),
        _ => Vec::new(),
    }
}

/// Seconds in the largest unit that says them exactly.
fn duration(seconds: u64) -> String {
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let fits = |(length, _): &&(u64, &str)| seconds >= *length && seconds.is_multiple_of(*length);
    let (length, unit) = units.iter().find(fits).unwrap_or(&(1, "second"));
    let count = seconds / length;
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

impl Set<'_> {
    fn concluded(&self, head: Head) -> Concluded {
        let description = head.action().map_or("", |action| self.vocabulary.action(action).description());
        Concluded {
            objective: named(self.specification.head_name(head), description),
            cases: self.cases(head),
        }
    }

    fn cases(&self, head: Head) -> Vec<Case> {
        let rules = self.specification.rules().iter().enumerate().filter(|(_, rule)| rule.head() == head);
        rules.map(|(index, rule)| self.case(index, rule)).collect()
    }

    fn case(&self, index: usize, rule: &ir::Rule) -> Case {
        Case {
            rule: index + 1,
            label: rule.label().map(str::to_owned),
            parts: self.specification.body(rule).iter().map(|predicate| self.part(predicate)).collect(),
            free_arguments: rule.head().action().map_or(Vec::new(), |action| self.free(action, rule)),
        }
    }

    /// The arguments of an action that a rule does not look at.
    fn free(&self, action: ActionId, rule: &ir::Rule) -> Vec<String> {
        let predicates = self.specification.body(rule).iter();
        let constraints = predicates.flat_map(|predicate| self.specification.constraints(predicate));
        let seen: HashSet<VariableId> = constraints.flat_map(ir::Constraint::variables).collect();
        let arguments = self.vocabulary.state(self.vocabulary.action(action).arguments()).variables();
        let free = arguments.filter(|id| !seen.contains(id));
        free.map(|id| self.vocabulary.variable(id).name().to_owned()).collect()
    }

    fn prohibitions(&self) -> Vec<Prohibition> {
        let rules = self.specification.rules().iter().enumerate();
        let never = rules.filter(|(_, rule)| rule.head() == Head::Never);
        let described = never.map(|(index, rule)| {
            let concerned = semantics::named_actions(self.specification, rule).into_iter();
            Prohibition {
                source: self.specification.source().name().to_owned(),
                concerns: concerned.map(|id| self.vocabulary.action(id).name().to_owned()).collect(),
                case: self.case(index, rule),
            }
        });
        described.collect()
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameters = self.specification.parameters().iter().zip(&self.values);
        let described = parameters.map(|(parameter, value)| Parameter {
            name: parameter.name().to_owned(),
            kind: parameter.variable_type().kind().to_string(),
            values: members(parameter.variable_type()),
            value: value.as_ref().map(spelled),
            source: self.specification.source().name().to_owned(),
        });
        described.collect()
    }

    fn part(&self, predicate: &ir::Predicate) -> Part {
        let state = match predicate.kind() {
            PredicateKind::Objective(objective) => {
                let name = self.specification.objective_name(objective).to_owned();
                return match objective {
                    Objective::Action(_) => Part::Performed(name),
                    Objective::Milestone(_) => Part::Reached(name),
                };
            }
            PredicateKind::State { state, .. } => self.vocabulary.state(state),
        };
        let name = state.name().to_owned();
        let constraints = self.specification.constraints(predicate);
        match (constraints, state.arguments_of()) {
            ([], None) => Part::Observed(name),
            ([], Some(_)) => Part::Given(name),
            (constraints, _) => {
                let constraints = constraints.iter().map(|constraint| self.constraint(constraint)).collect();
                Part::Holds { state: name, constraints }
            }
        }
    }

    fn constraint(&self, constraint: &ir::Constraint) -> Constraint {
        let variable = self.vocabulary.variable(constraint.variable());
        let operator = constraint.operator();
        let orders = matches!(
            operator,
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual
        );
        let other_ignores = match constraint.operand() {
            ir::Operand::Variable(other) => self.vocabulary.variable(*other).ignores_case(),
            _ => false,
        };
        Constraint {
            variable: self.variable(constraint.variable()),
            compared: match variable.variable_type() {
                VariableType::Text => {
                    Compared::Text { ignore_case: variable.ignores_case() || other_ignores }
                }
                VariableType::Number => Compared::Number,
                VariableType::Boolean => Compared::Boolean,
                VariableType::Enum(_) => Compared::Enum {
                    order: if orders { members(variable.variable_type()) } else { Vec::new() },
                },
                VariableType::Date => Compared::Date,
                VariableType::Time => Compared::Time,
            },
            operator,
            operand: match constraint.operand() {
                ir::Operand::Single(element) => Operand::Constant(self.constant(element)),
                ir::Operand::Variable(other) => Operand::Variable(self.variable(*other)),
                ir::Operand::List(elements) => {
                    Operand::List(elements.iter().map(|element| self.constant(element)).collect())
                }
            },
        }
    }

    fn variable(&self, id: VariableId) -> Variable {
        let state = self.vocabulary.state(self.vocabulary.variable(id).state());
        Variable { path: self.vocabulary.path(id), argument: state.arguments_of().is_some() }
    }

    fn constant(&self, element: &ir::Element) -> Constant {
        match element {
            ir::Element::Value(value) => Constant::Value { text: spelled(value), alike: alike(value) },
            ir::Element::Today(days) => {
                let date = self.today.and_then(|today| day(today, *days));
                Constant::Today { days: *days, date: date.map(date_text) }
            }
            ir::Element::Parameter(id) => Constant::Parameter {
                name: self
                    .specification
                    .parameters()
                    .get(id.index())
                    .map_or("", ir::Parameter::name)
                    .to_owned(),
                value: self.values.get(id.index()).and_then(Option::as_ref).map(spelled),
            },
        }
    }
}

/// A value as it is shown: enumerators are quoted as texts are, so that they stand out of a sentence.
fn spelled(value: &Value) -> String {
    match value {
        Value::Enum(enumerator) => quoted(enumerator.name()),
        other => other.to_string(),
    }
}

/// The characters of words that can be taken for plain Latin letters and digits, and are not.
fn alike(value: &Value) -> Vec<String> {
    let Value::Text(text) = value else { return Vec::new() };
    misleading(text.as_str())
}

/// As [`alike`], of a name.
pub(super) fn misleading(text: &str) -> Vec<String> {
    let disguised = |word: &&str| {
        let plain = normal::typographic(word);
        !plain.is_ascii() && lookalike::skeleton(word).is_ascii()
    };
    let words: Vec<&str> = text.split_whitespace().filter(disguised).collect();
    if words.is_empty() { Vec::new() } else { lookalike::telling_characters(&words.join(""), "") }
}
