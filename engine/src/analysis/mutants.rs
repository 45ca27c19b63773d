//! Specifications with one thing changed: what tests should notice.

use crate::boundary::neighbour;
use crate::ir::{Constraint, Element, Operand, Operator, PredicateKind, Specification};
use crate::schema::VariableType;
use crate::span::Span;
use crate::value::Value;
use serde::Serialize;

/// A specification with one thing changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mutant {
    /// The line of what is changed, from 1.
    pub line: usize,
    /// The rule.
    pub rule: String,
    /// What is changed.
    pub from: String,
    /// What stands there instead; nothing if it is dropped.
    pub to: String,
    /// The whole text, changed.
    #[serde(skip)]
    pub text: String,
}

impl std::fmt::Display for Mutant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Mutant { line, rule, from, to, .. } = self;
        match to.as_str() {
            "" => write!(f, "line {line}, {rule}: `{from}` is dropped"),
            to => write!(f, "line {line}, {rule}: `{from}` becomes `{to}`"),
        }
    }
}

impl Specification {
    /// Every change of one operator, constant, constraint, predicate or rule. Not all of them pass the
    /// checker.
    pub fn mutants(&self) -> Vec<Mutant> {
        let mut mutants: Vec<Mutant> = Vec::new();
        for (index, rule) in self.rules().iter().enumerate() {
            let mut add = |from: Span, cut: Span, to: &str| {
                let text = self.source().text();
                let (Some(before), Some(after)) = (text.get(..cut.start()), text.get(cut.end()..)) else {
                    return;
                };
                let text = format!("{before}{to}{after}");
                // Two rules may come from one text.
                if mutants.iter().all(|other| other.text != text) {
                    let line = self.source().position(from.start()).line;
                    let from = self.source().slice(from).to_owned();
                    mutants.push(Mutant { line, rule: self.rule_name(index), from, to: to.to_owned(), text });
                }
            };
            let predicates = self.body(rule);
            for (place, predicate) in predicates.iter().enumerate() {
                let constraints = self.constraints(predicate);
                for (place, constraint) in constraints.iter().enumerate() {
                    for other in self.changed(constraint) {
                        add(constraint.span(), constraint.span(), &self.constraint_text(&other));
                    }
                    let spans = constraints.iter().map(Constraint::span);
                    add(constraint.span(), without(&spans.collect::<Vec<_>>(), place), "");
                }
                if predicates.len() > 1 || matches!(predicate.kind(), PredicateKind::State { .. }) {
                    let spans: Vec<Span> = predicates.iter().map(|predicate| predicate.span()).collect();
                    add(predicate.span(), without(&spans, place), "");
                }
            }
            add(rule.span(), rule.span(), "");
        }
        mutants
    }

    /// A constraint with another operator, or another constant.
    fn changed(&self, constraint: &Constraint) -> Vec<Constraint> {
        let kind = self.vocabulary().variable(constraint.variable()).variable_type();
        let operators = others(constraint.operator(), kind);
        let operators =
            operators.iter().map(|operator| Constraint { operator: *operator, ..constraint.clone() });
        let mut changed: Vec<Constraint> = operators.collect();
        let operand = |operand| Constraint { operand, ..constraint.clone() };
        match constraint.operand() {
            Operand::Single(element) => {
                let elements = near(element, kind).into_iter();
                changed.extend(elements.map(|element| operand(Operand::Single(element))));
            }
            Operand::List(elements) if elements.len() > 1 => {
                for place in 0..elements.len() {
                    let kept = elements.iter().enumerate().filter(|(other, _)| *other != place);
                    let kept: Box<[Element]> = kept.map(|(_, element)| element.clone()).collect();
                    changed.push(operand(Operand::List(kept)));
                }
            }
            Operand::List(_) | Operand::Variable(_) => {}
        }
        changed
    }
}

/// The text that goes if one of several parts does, with what joins it to the others.
fn without(parts: &[Span], place: usize) -> Span {
    let Some(part) = parts.get(place) else { return Span::default() };
    match (parts.get(place + 1), place.checked_sub(1).and_then(|before| parts.get(before))) {
        (Some(next), _) => Span::new(part.start(), next.start()),
        (None, Some(before)) => Span::new(before.end(), part.end()),
        (None, None) => *part,
    }
}

/// The operators that one may be mistaken for.
fn others(operator: Operator, kind: &VariableType) -> &'static [Operator] {
    use Operator as O;
    let ordered = match kind {
        VariableType::Enum(enumeration) => enumeration.is_ordered(),
        VariableType::Number | VariableType::Date | VariableType::Time => true,
        VariableType::Text | VariableType::Boolean => false,
    };
    match operator {
        O::Less => &[O::LessEqual, O::GreaterEqual],
        O::LessEqual => &[O::Less, O::Greater],
        O::Greater => &[O::GreaterEqual, O::LessEqual],
        O::GreaterEqual => &[O::Greater, O::Less],
        O::Equal if ordered => &[O::NotEqual, O::LessEqual, O::GreaterEqual],
        O::Equal => &[O::NotEqual],
        O::NotEqual => &[O::Equal],
        O::In => &[O::NotIn],
        O::NotIn => &[O::In],
        O::Contains => &[O::NotContains],
        O::NotContains => &[O::Contains],
        O::Similar => &[O::Equal],
    }
}

/// The constants that one may be mistaken for.
fn near(element: &Element, kind: &VariableType) -> Vec<Element> {
    let value = match element {
        Element::Today(days) => {
            let near = [days.checked_sub(1), days.checked_add(1)];
            return near.into_iter().flatten().map(Element::Today).collect();
        }
        Element::Parameter(_) => return Vec::new(),
        Element::Value(value) => value,
    };
    let mut near: Vec<Value> =
        [false, true].into_iter().filter_map(|up| neighbour(value, kind, up)).collect();
    match (value, kind) {
        (Value::Boolean(so), _) => near.push(Value::Boolean(!so)),
        (Value::Text(text), _) => near.push(Value::text(&format!("{}x", text.as_str()))),
        (Value::Enum(enumerator), VariableType::Enum(enumeration)) if near.is_empty() => {
            let other = enumeration.names().find(|name| *name != enumerator.name());
            near.extend(other.and_then(|name| enumeration.enumerator(name)).map(Value::Enum));
        }
        _ => {}
    }
    near.into_iter().map(Element::Value).collect()
}
