//! Predicates over states and arguments: which constraints can be written.

use super::expression::{Expression, Production, choice, many, named, optional, separated, sequence, text};
use super::{Form, Grammar, Parameters, literals, ordered};
use intentgate_engine::ir::Operator;
use intentgate_engine::schema::{StateId, StateSchema, Variable, VariableType};
use intentgate_engine::value::enumerator_text;

/// The name of the production for any predicate over a state.
pub(super) const ANY: &str = "state";

/// The types of a vocabulary's variables, each once, with a name.
pub(super) struct Types(Vec<(String, VariableType)>);

impl Types {
    pub(super) fn of(grammar: &Grammar<'_>) -> Types {
        let (mut types, mut enumerations) = (Vec::<(String, VariableType)>::new(), 0);
        for (_, variable) in grammar.vocabulary.variables() {
            let kind = variable.variable_type();
            if types.iter().any(|(_, known)| known == kind) {
                continue;
            }
            let name = match kind {
                VariableType::Enum(_) => {
                    enumerations += 1;
                    format!("enum{enumerations}")
                }
                other => other.kind().to_string().to_lowercase(),
            };
            types.push((name, kind.clone()));
        }
        Types(types)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &VariableType)> {
        self.0.iter().map(|(name, kind)| (name.as_str(), kind))
    }

    /// The name of a type, which is one of the vocabulary's.
    pub(super) fn name(&self, kind: &VariableType) -> &str {
        self.iter().find(|(_, known)| *known == kind).map_or("text", |(name, _)| name)
    }
}

/// The operators for one value or one variable.
pub(super) fn operators(kind: &VariableType) -> Vec<Operator> {
    let ordered = match kind {
        VariableType::Number | VariableType::Date | VariableType::Time => true,
        VariableType::Enum(enumeration) => enumeration.is_ordered(),
        VariableType::Text | VariableType::Boolean => false,
    };
    let fits = |operator: &Operator| match operator {
        Operator::Equal | Operator::NotEqual => true,
        Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => ordered,
        Operator::Similar | Operator::In | Operator::NotIn | Operator::Contains | Operator::NotContains => {
            *kind == VariableType::Text
        }
    };
    Operator::ALL.into_iter().filter(fits).collect()
}

/// The states that can stand in a predicate.
pub(super) fn states<'v>(
    grammar: &Grammar<'v>,
) -> impl Iterator<Item = (StateId, &'v StateSchema)> + use<'v> {
    grammar.vocabulary.states().filter(|(_, state)| state.variables().len() > 0)
}

/// Whether the grammar lets a value stand twice in a list for the variable.
pub(super) fn may_repeat(variable: &Variable, form: Form) -> bool {
    match form {
        // `uniqueItems` knows no normal form of texts.
        Form::Json => *variable.variable_type() == VariableType::Text,
        Form::Text => ordered::members(variable.variable_type()).is_none(),
    }
}

/// Every production for predicates, literals among them; none where no state has a variable.
pub(super) fn productions(grammar: &Grammar<'_>) -> Vec<Production> {
    let types = Types::of(grammar);
    let mut productions = Vec::new();
    let names: Vec<String> = states(grammar).map(|(id, state)| state_name(id, state)).collect();
    if names.is_empty() {
        return productions;
    }
    productions.push(Production::rule(ANY, choice(names.into_iter().map(named))));
    for (id, state) in states(grammar) {
        let name = state_name(id, state);
        let part = format!("{name}-part");
        let parts = optional(separated(&named(&part), ", "));
        productions
            .push(Production::rule(name, sequence([text(format!("{}(", state.name())), parts, text(")")])));
        let constraints = state.variables().map(|id| {
            let variable = grammar.vocabulary.variable(id);
            let comparison = named(format!("compare-{}", types.name(variable.variable_type())));
            sequence([text(variable.name()), comparison])
        });
        productions.push(Production::rule(part, choice(constraints)));
    }
    for (name, kind) in types.iter() {
        comparison(grammar, name, kind, &mut productions);
    }
    productions
}

/// What stands behind a variable of a type.
fn comparison(grammar: &Grammar<'_>, name: &str, kind: &VariableType, productions: &mut Vec<Production>) {
    let operators = operators(kind).into_iter().map(|operator| text(format!(" {} ", operator.ascii())));
    let (value, other, list) = (format!("value-{name}"), format!("other-{name}"), format!("list-{name}"));
    let single = sequence([choice(operators), choice([named(&value), named(&other)])]);
    let several = sequence([choice([text(" in "), text(" not in ")]), named(&list)]);
    productions.push(Production::rule(format!("compare-{name}"), choice([single, several])));
    let same = grammar.vocabulary.variables().filter(|(_, variable)| variable.variable_type() == kind);
    let paths = same.map(|(id, _)| text(grammar.vocabulary.path(id)));
    productions.push(Production::rule(other, choice(paths)));
    let mut values = Vec::new();
    literal(name, kind, &mut values, productions);
    parameter(grammar, name, kind, &mut values, productions);
    productions.push(Production::rule(&value, choice(values)));
    match ordered::members(kind) {
        Some(members) => ordered::list(&list, &members, productions),
        None => {
            let elements = separated(&named(&value), ", ");
            productions.push(Production::rule(list, sequence([text("["), elements, text("]")])));
        }
    }
}

fn literal(name: &str, kind: &VariableType, values: &mut Vec<Expression>, productions: &mut Vec<Production>) {
    let mut token = |name: &str, body: Expression| {
        let name = format!("{name}-literal");
        values.push(named(&name));
        productions.push(Production::token(name, body));
    };
    match kind {
        VariableType::Text => token(name, literals::quoted_text()),
        VariableType::Number => token(name, literals::number()),
        VariableType::Date => {
            token(name, literals::date());
            token("day", literals::relative_date());
        }
        VariableType::Time => token(name, literals::time()),
        VariableType::Boolean => values.extend([text("true"), text("false")]),
        VariableType::Enum(enumeration) => {
            values.extend(enumeration.names().map(|name| text(enumerator_text(name))));
        }
    }
}

fn parameter(
    grammar: &Grammar<'_>,
    name: &str,
    kind: &VariableType,
    values: &mut Vec<Expression>,
    productions: &mut Vec<Production>,
) {
    match &grammar.options.parameters {
        Parameters::None => {}
        Parameters::ByType => {
            let token = format!("{name}-parameter");
            values.push(sequence([text("$"), named(&token)]));
            productions.push(Production::token(token, literals::parameter(name)));
        }
        Parameters::Named(given) => {
            let fitting = given.iter().filter(|(_, of)| of == kind);
            values.extend(fitting.map(|(name, _)| text(format!("${name}"))));
        }
    }
}

/// The production of a state: its number keeps it apart where names are not ASCII.
fn state_name(id: StateId, state: &StateSchema) -> String {
    let letters = state.name().chars().filter(char::is_ascii_alphanumeric);
    let letters: String = letters.map(|c| c.to_ascii_lowercase()).take(24).collect();
    format!("state-{}{}{letters}", id.index() + 1, if letters.is_empty() { "" } else { "-" })
}

/// Parts of a body, joined.
pub(super) fn joined(part: &Expression) -> Expression {
    sequence([part.clone(), many(sequence([text(" and "), part.clone()]))])
}
