//! Spelling of operands in the language, for messages.

use super::{Element, Operand, Specification};
use crate::value::relative_date_text;

impl Specification {
    /// The operand as it is written in the language.
    pub fn operand_text(&self, operand: &Operand) -> String {
        match operand {
            Operand::Single(element) => self.element_text(element),
            Operand::Variable(id) => self.vocabulary().path(*id),
            Operand::List(elements) => {
                let elements: Vec<String> =
                    elements.iter().map(|element| self.element_text(element)).collect();
                format!("[{}]", elements.join(", "))
            }
        }
    }

    fn element_text(&self, element: &Element) -> String {
        match element {
            Element::Value(value) => value.to_string(),
            Element::Today(days) => relative_date_text(*days),
            Element::Parameter(id) => {
                format!("${}", self.parameters().get(id.index()).map_or("", |parameter| parameter.name()))
            }
        }
    }
}
