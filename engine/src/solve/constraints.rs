//! When constraints are true, when they are false, when neither.

use super::encode::{Encoded, Problem, Slot, conjunction, disjunction};
use super::terms::{self, DAYS, Term};
use super::texts::TextSort;
use crate::comparison::compare;
use crate::ir::{Constraint, Element, Operand, Operator};
use crate::schema::VariableType;
use crate::text::{self, normal, within};
use crate::truth::Truth;
use crate::value::{Text, Value};
use std::sync::Arc;
use z3::ast::{Bool, Int, Regexp};

/// When a constraint is true and when it is false; neither where it is unknown.
#[derive(Debug, Clone)]
pub(super) struct Truths {
    pub(super) holds: Bool,
    pub(super) fails: Bool,
}

impl Problem {
    /// When a constraint is true and false; each is encoded once.
    pub(super) fn constraint(&mut self, set: usize, constraint: &Constraint) -> Truths {
        let committed = self.sees_committed && constraint.variables().any(|id| self.is_argument(id));
        // Without parameters it means the same in every rule set.
        let of = match constraint.operand() {
            operand if elements(operand).iter().any(|one| matches!(one, Element::Parameter(_))) => set,
            _ => 0,
        };
        let key = (of, committed, constraint.variable(), constraint.operator(), constraint.operand().clone());
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
    pub(super) fn table(
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

pub(super) fn elements(operand: &Operand) -> &[Element] {
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
