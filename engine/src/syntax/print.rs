//! The canonical text of a tree: parse(print(x)) = x.

use super::ast::{Operand, Predicate, Rule, Specification};
use crate::value::{date_text, enumerator_text, number_text, quoted, relative_date_text, time_text};
use std::fmt::{self, Display, Formatter};

/// Which spelling of symbols to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spelling {
    /// `and`, `->`, `<=`
    #[default]
    Ascii,
    /// `∧`, `→`, `≤`
    Mathematical,
}

impl Specification {
    /// The canonical text, a rule a line.
    pub fn print(&self, spelling: Spelling) -> String {
        let mut text = String::new();
        if self.standing.value {
            text.push_str("standing\n");
        }
        for rule in &self.rules {
            text.push_str(&rule.value.print(spelling));
            text.push('\n');
        }
        text
    }
}

impl Display for Specification {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print(Spelling::Ascii))
    }
}

impl Rule {
    /// The canonical text on one line, without a line end.
    pub fn print(&self, spelling: Spelling) -> String {
        let (and, arrow) = match spelling {
            Spelling::Ascii => (" and ", " -> "),
            Spelling::Mathematical => (" ∧ ", " → "),
        };
        let label = self.label.as_ref().map_or(String::new(), |label| format!("{}: ", label.value));
        let body: Vec<String> = self.body.iter().map(|part| part.value.print(spelling)).collect();
        format!("{label}{}{arrow}{}", body.join(and), self.head.value)
    }
}

impl Predicate {
    /// The canonical text.
    pub fn print(&self, spelling: Spelling) -> String {
        match self {
            Predicate::Objective(name) => name.value.clone(),
            Predicate::State(state) => {
                let constraints: Vec<String> = state
                    .constraints
                    .iter()
                    .map(|constraint| {
                        let constraint = &constraint.value;
                        let operator = match spelling {
                            Spelling::Ascii => constraint.operator.value.ascii(),
                            Spelling::Mathematical => constraint.operator.value.mathematical(),
                        };
                        format!("{} {operator} {}", constraint.variable.value, constraint.operand.value)
                    })
                    .collect();
                format!("{}({})", state.name.value, constraints.join(", "))
            }
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Text(text) => f.write_str(&quoted(text)),
            Operand::Number(number) => f.write_str(&number_text(*number)),
            Operand::Boolean(value) => write!(f, "{value}"),
            Operand::Date(date) => f.write_str(&date_text(*date)),
            Operand::Today(days) => f.write_str(&relative_date_text(*days)),
            Operand::Time(time) => f.write_str(&time_text(*time)),
            // A bare name in the text is a name here; a JSON form may hold any text.
            Operand::Name(name) => f.write_str(&enumerator_text(name)),
            Operand::Variable(path) => write!(f, "{}.{}", path.state.value, path.variable.value),
            Operand::Parameter(name) => write!(f, "${name}"),
            Operand::List(elements) => {
                let elements: Vec<String> =
                    elements.iter().map(|element| element.value.to_string()).collect();
                write!(f, "[{}]", elements.join(", "))
            }
        }
    }
}
