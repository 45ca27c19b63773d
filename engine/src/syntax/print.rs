//! The canonical text of a tree: parse(print(x)) = x.

use super::ast::{Operand, Predicate, Rule, Specification};
use crate::value::{date_text, enumerator_text, number_text, quoted, relative_date_text, time_text};
use std::fmt::{self, Display, Formatter, Write};

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
            // Writing to a String can't fail.
            let _ = rule.value.write(&mut text, spelling);
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
        let mut text = String::new();
        // Writing to a String can't fail.
        let _ = self.write(&mut text, spelling);
        text
    }

    fn write(&self, out: &mut String, spelling: Spelling) -> fmt::Result {
        let (and, arrow) = match spelling {
            Spelling::Ascii => (" and ", " -> "),
            Spelling::Mathematical => (" ∧ ", " → "),
        };
        if let Some(label) = &self.label {
            write!(out, "{}: ", label.value)?;
        }
        for (index, predicate) in self.body.iter().enumerate() {
            if index > 0 {
                out.push_str(and);
            }
            predicate.value.write(out, spelling)?;
        }
        write!(out, "{arrow}{}", self.head.value)
    }
}

impl Predicate {
    fn write(&self, out: &mut String, spelling: Spelling) -> fmt::Result {
        let state = match self {
            Predicate::Objective(name) => return out.write_str(&name.value),
            Predicate::State(state) => state,
        };
        write!(out, "{}(", state.name.value)?;
        for (index, constraint) in state.constraints.iter().enumerate() {
            let constraint = &constraint.value;
            let operator = match spelling {
                Spelling::Ascii => constraint.operator.value.ascii(),
                Spelling::Mathematical => constraint.operator.value.mathematical(),
            };
            if index > 0 {
                out.push_str(", ");
            }
            write!(out, "{} {operator} {}", constraint.variable.value, constraint.operand.value)?;
        }
        out.write_char(')')
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
