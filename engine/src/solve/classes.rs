//! Which texts are compared with which.

use super::constraints::elements;
use super::texts::Class;
use crate::compile::bind::Given;
use crate::ir::{Element, Operand, Operator, Specification};
use crate::schema::{VariableId, VariableType};
use crate::text::normal;
use crate::value::{Text, Value};
use hashbrown::HashMap;
use std::sync::Arc;

/// A variable or a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Member {
    Variable(VariableId),
    Parameter(Text),
}

/// The classes of texts that are compared with one another.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// The class of each member.
    members: HashMap<Member, usize>,
    /// Where a class was merged into another one.
    merged: Vec<usize>,
    pub(super) classes: Vec<Class>,
}

impl Classes {
    pub(super) fn of(sets: &[Arc<Specification>], given: &[(String, Given)]) -> Classes {
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

    pub(super) fn meet(&mut self, member: &Member, equality: bool) {
        let class = self.class_of(member);
        class.equality &= equality;
    }

    pub(super) fn find(&mut self, member: &Member) -> usize {
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

    pub(super) fn class_of(&mut self, member: &Member) -> &mut Class {
        let class = self.find(member);
        // `find` gives the place of a class that is there.
        if class >= self.classes.len() {
            self.classes.resize(class + 1, Class::default());
        }
        #[expect(clippy::indexing_slicing, reason = "made long enough above")]
        &mut self.classes[class]
    }

    pub(super) fn join(&mut self, one: &Member, other: &Member) {
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

    pub(super) fn class(&self, class: usize) -> Class {
        self.classes.get(class).cloned().unwrap_or_default()
    }

    pub(super) fn constants(&mut self, member: &Member) -> Vec<Text> {
        self.class_of(member).constants.clone()
    }
}
