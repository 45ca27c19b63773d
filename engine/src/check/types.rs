//! Constraints: does the operator exist for the type, does the operand fit?

use super::{Lowering, count};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir;
use crate::json::de::Spanned;
use crate::schema::{Enumeration, StateId, VariableId, VariableType};
use crate::span::Span;
use crate::suggest;
use crate::syntax::ast::{self, Operand, Operator};
use crate::text::{lookalike, normal};
use crate::value::{Text, Type, Value, quoted};

impl<'a> Lowering<'a> {
    pub(super) fn constraint(
        &mut self,
        state: StateId,
        constraint: &Spanned<ast::Constraint>,
    ) -> Option<ir::Constraint> {
        let (span, constraint) = (constraint.span, &constraint.value);
        let variable = self.variable(state, &constraint.variable)?;
        self.operator(variable, constraint)?;
        let operator = constraint.operator.value;
        let operand = match &constraint.operand.value {
            Operand::List(elements) => {
                ir::Operand::List(self.list(variable, constraint.operand.span, elements)?)
            }
            Operand::Variable(path) => self.other(variable, path, constraint.operand.span)?,
            _ => ir::Operand::Single(self.element(variable, &constraint.operand)?),
        };
        let empty = matches!(&operand, ir::Operand::Single(ir::Element::Value(Value::Text(t))) if t.as_str().is_empty());
        if empty && is_occurrence(operator) {
            self.problems.push(
                Diagnostic::new(Code::NeverTrue, span, "this is unknown whatever is observed")
                    .label("the empty text is in nothing"),
            );
        }
        Some(ir::Constraint { variable, operator, operand, span })
    }

    /// Whether the operator exists for the type and the form of the operand.
    fn operator(&mut self, variable: VariableId, constraint: &ast::Constraint) -> Option<()> {
        let vocabulary = self.vocabulary;
        let declared = vocabulary.variable(variable);
        let operator = constraint.operator.value;
        let list = matches!(constraint.operand.value, Operand::List(_));
        let allowed = allowed(&declared.kind, list);
        if allowed.contains(&operator) {
            return Some(());
        }
        let kind = declared.kind.kind();
        let message = match (list, operator) {
            (true, _) => format!("`{}` does not compare with a list", operator.ascii()),
            (false, Operator::In | Operator::NotIn) => {
                format!("`{}` of type {kind} can only be in a list", declared.name())
            }
            _ => format!("`{}` does not exist for `{}` of type {kind}", operator.ascii(), declared.name()),
        };
        let names: Vec<String> = allowed.iter().map(|operator| format!("`{}`", operator.ascii())).collect();
        let of = match kind {
            _ if list => "a list".to_owned(),
            Type::Text => kind.to_string(),
            _ => format!("{kind} (with a list also `in` `not in`)"),
        };
        let mut diagnostic = Diagnostic::new(Code::OperatorNotAllowed, constraint.operator.span, message)
            .help(format!("operators for {of}: {}", names.join(" ")));
        if kind == Type::Enum && operator_orders(operator) {
            diagnostic =
                diagnostic.help("an enumeration has an order only where it is declared `\"ordered\": true`");
        }
        self.error(diagnostic);
        None
    }

    fn list(
        &mut self,
        variable: VariableId,
        span: Span,
        elements: &[Spanned<Operand>],
    ) -> Option<Box<[ir::Element]>> {
        if elements.is_empty() {
            self.error(
                Diagnostic::new(Code::EmptyList, span, "the list is empty")
                    .help("nothing is in an empty list: leave the constraint out or name the elements"),
            );
            return None;
        }
        let mut lowered: Vec<ir::Element> = Vec::new();
        let mut seen: hashbrown::HashMap<ir::Element, Span> = hashbrown::HashMap::new();
        let mut complete = true;
        for element in elements {
            let Some(value) = self.element(variable, element) else {
                complete = false;
                continue;
            };
            if let Some(first) = seen.insert(value.clone(), element.span) {
                let message = format!("the element {} stands twice", element.value);
                self.error(
                    Diagnostic::new(Code::DuplicateElement, element.span, message).also(first, "first here"),
                );
                complete = false;
            }
            lowered.push(value);
        }
        complete.then(|| lowered.into_boxed_slice())
    }

    fn other(&mut self, variable: VariableId, path: &ast::Path, span: Span) -> Option<ir::Operand> {
        let state = self.state(&path.state)?;
        let other = self.variable(state, &path.variable)?;
        let vocabulary = self.vocabulary;
        let (left, right) = (vocabulary.variable(variable), vocabulary.variable(other));
        if left.kind != right.kind {
            let (path, other_path) = (vocabulary.path(variable), vocabulary.path(other));
            let diagnostic = match (&left.kind, &right.kind) {
                (VariableType::Enum(one), VariableType::Enum(another)) => {
                    let message = format!("`{path}` and `{other_path}` are different enumerations");
                    Diagnostic::new(Code::WrongType, span, message)
                        .label(difference([one, another], [&path, &other_path]))
                        .help(
                            "two enumerations compare only where their values are the same, in order, and both are \
                             ordered or none is",
                        )
                }
                (one, another) => {
                    let message = format!("`{path}` is {}, `{other_path}` is {}", one.kind(), another.kind());
                    Diagnostic::new(Code::WrongType, span, message)
                }
            };
            self.error(diagnostic);
            return None;
        }
        Some(ir::Operand::Variable(other))
    }

    /// A constant or a parameter for a variable.
    fn element(&mut self, variable: VariableId, operand: &Spanned<Operand>) -> Option<ir::Element> {
        let vocabulary = self.vocabulary;
        let declared = vocabulary.variable(variable);
        let value = match (&operand.value, &declared.kind) {
            (Operand::Parameter(name), kind) => return self.parameter(name, kind, operand.span),
            (Operand::Today(days), VariableType::Date) => return self.today(*days, operand.span),
            (Operand::Text(text), VariableType::Text) => Value::text(text),
            (Operand::Number(number), VariableType::Number) => Value::Number(*number),
            (Operand::Boolean(value), VariableType::Boolean) => Value::Boolean(*value),
            (Operand::Date(date), VariableType::Date) => Value::Date(*date),
            (Operand::Time(time), VariableType::Time) => Value::Time(*time),
            (Operand::Text(name) | Operand::Name(name), VariableType::Enum(enumeration)) => {
                let Some(enumerator) = enumeration.enumerator(name) else {
                    let message = format!("`{}` has no value `{name}`", declared.name());
                    let help = suggest::known(name, "values", enumeration.names());
                    self.error(Diagnostic::new(Code::UnknownEnumerator, operand.span, message).help(help));
                    return None;
                };
                Value::Enum(enumerator)
            }
            (found, kind) => {
                self.error(mismatch(declared.name(), kind, found, operand.span));
                return None;
            }
        };
        Some(ir::Element::Value(value))
    }

    fn today(&mut self, days: i64, span: Span) -> Option<ir::Element> {
        // Whatever today is, the sum has to be a date of four digits.
        if days.unsigned_abs() > 2_000_000 {
            let message = format!("{} days are beyond the calendar", days.unsigned_abs());
            self.error(Diagnostic::new(Code::DateRange, span, message));
            return None;
        }
        Some(ir::Element::Today(days))
    }

    fn parameter(&mut self, name: &str, kind: &VariableType, span: Span) -> Option<ir::Element> {
        let name = normal::nfc(name).into_owned();
        if let Some(id) = self.parameters.get(&name) {
            let first = self.specification.parameters.get(id.index())?;
            if first.kind != *kind {
                let message = format!("`${name}` is used as {} and as {}", first.kind.kind(), kind.kind());
                let diagnostic = Diagnostic::new(Code::ParameterTypes, span, message)
                    .also(first.span, format!("{} here", first.kind.kind()))
                    .help("a parameter has one type; use two parameters");
                self.error(diagnostic);
                return None;
            }
            return Some(ir::Element::Parameter(*id));
        }
        let key = lookalike::distinct(&name);
        if let Some((other, place)) = self.parameter_names.get(&key) {
            let message = format!("`${name}` and `${other}` differ only in case or look alike");
            let mut diagnostic =
                Diagnostic::new(Code::NamesLookAlike, span, message).also(*place, "the other");
            if !name.is_ascii() {
                let told = lookalike::telling_characters(&name, "").join(", ");
                diagnostic = diagnostic.help(format!("`${name}` holds {told}"));
            }
            self.error(diagnostic.help("give one of them another name"));
            return None;
        }
        self.parameter_names.insert(key, (name.clone(), span));
        let id = ir::ParameterId(count(self.specification.parameters.len()));
        self.specification.parameters.push(ir::Parameter {
            name: Text::new(&name),
            kind: kind.clone(),
            span,
        });
        self.parameters.insert(name, id);
        Some(ir::Element::Parameter(id))
    }
}

/// What makes two enumerations different.
fn difference([one, another]: [&Enumeration; 2], [path, other]: [&str; 2]) -> String {
    let lacks = |lacking: &Enumeration, other: &Enumeration| {
        other.names().find(|name| lacking.enumerator(name).is_none()).map(str::to_owned)
    };
    match (lacks(one, another), lacks(another, one)) {
        (Some(name), _) => format!("`{path}` has no value `{name}`"),
        (None, Some(name)) => format!("`{other}` has no value `{name}`"),
        (None, None) if one.names().ne(another.names()) => "their values are in another order".to_owned(),
        (None, None) => {
            let ordered = if one.is_ordered() { path } else { other };
            format!("only `{ordered}` is ordered")
        }
    }
}

fn is_occurrence(operator: Operator) -> bool {
    matches!(operator, Operator::In | Operator::NotIn | Operator::Contains | Operator::NotContains)
}

fn operator_orders(operator: Operator) -> bool {
    matches!(operator, Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual)
}

/// The operators of a type, against a single value or against a list.
fn allowed(kind: &VariableType, list: bool) -> Vec<Operator> {
    if list {
        return vec![Operator::In, Operator::NotIn];
    }
    let mut allowed = vec![Operator::Equal, Operator::NotEqual];
    match kind {
        VariableType::Text => allowed.extend([
            Operator::Similar,
            Operator::In,
            Operator::NotIn,
            Operator::Contains,
            Operator::NotContains,
        ]),
        VariableType::Number | VariableType::Date | VariableType::Time => allowed.extend(ORDER),
        VariableType::Enum(enumeration) if enumeration.is_ordered() => allowed.extend(ORDER),
        VariableType::Boolean | VariableType::Enum(_) => {}
    }
    allowed
}

const ORDER: [Operator; 4] = [Operator::Less, Operator::LessEqual, Operator::Greater, Operator::GreaterEqual];

/// An operand of the wrong type, with the literal that was probably meant.
fn mismatch(variable: &str, kind: &VariableType, found: &Operand, span: Span) -> Diagnostic {
    let what = match found {
        Operand::Text(_) => "a text",
        Operand::Number(_) => "a number",
        Operand::Boolean(_) => "a Boolean",
        Operand::Date(_) | Operand::Today(_) => "a date",
        Operand::Time(_) => "a time",
        Operand::Name(_) => "a name",
        Operand::Variable(_) => "a variable",
        Operand::Parameter(_) => "a parameter",
        Operand::List(_) => "a list",
    };
    let message = format!("`{variable}` is {}, this is {what}", kind.kind());
    let diagnostic = Diagnostic::new(Code::WrongType, span, message);
    let meant = match (kind, found) {
        (VariableType::Text, Operand::Name(name)) => Some(quoted(name)),
        (VariableType::Text, Operand::List(_) | Operand::Variable(_)) => None,
        (VariableType::Text, other) => Some(quoted(&other.to_string())),
        (kind, Operand::Text(text)) => respelled(kind, text),
        _ => None,
    };
    diagnostic.help(match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => match kind {
            VariableType::Text => "a text stands in double quotes: \"R\"".to_owned(),
            VariableType::Number => "a number is written 12 or -0.5".to_owned(),
            VariableType::Boolean => "a Boolean is `true` or `false`".to_owned(),
            VariableType::Enum(enumeration) => {
                suggest::known(&found.to_string(), "values", enumeration.names())
            }
            VariableType::Date => {
                "a date is written 2026-11-21, or `today`, `tomorrow`, `today + 3`".to_owned()
            }
            VariableType::Time => "a time is written 19:00 or 7 pm".to_owned(),
        },
    })
}

/// The literal that a quoted text would be without its quotes.
fn respelled(kind: &VariableType, text: &str) -> Option<String> {
    use crate::syntax::literal;
    match kind {
        VariableType::Number => literal::number(text).map(crate::value::number_text),
        VariableType::Date => literal::date(text)
            .map(crate::value::date_text)
            .or_else(|| literal::days_from_today(&text.to_lowercase()).map(crate::value::relative_date_text)),
        VariableType::Time => literal::time(text).map(crate::value::time_text),
        VariableType::Boolean => match text.to_lowercase().as_str() {
            "true" | "yes" => Some("true".to_owned()),
            "false" | "no" => Some("false".to_owned()),
            _ => None,
        },
        VariableType::Text | VariableType::Enum(_) => None,
    }
}
