//! Lists of what is declared in an order: each member once, in that order, so that none stands twice.

use super::expression::{Expression, Production, choice, named, optional, sequence, text};
use intentgate_engine::schema::VariableType;
use intentgate_engine::value::enumerator_text;

/// How many members an ordered list may have: longer enumerations are listed freely.
const MOST: usize = 32;

/// The members of a type whose lists are ordered, as they are written.
pub(super) fn members(kind: &VariableType) -> Option<Vec<String>> {
    match kind {
        VariableType::Boolean => Some(vec!["true".to_owned(), "false".to_owned()]),
        VariableType::Enum(enumeration) if enumeration.names().len() <= MOST => {
            Some(enumeration.names().map(enumerator_text).collect())
        }
        _ => None,
    }
}

/// The productions for a list: `first` of any member, then those behind it that are wanted.
pub(super) fn list(name: &str, members: &[String], productions: &mut Vec<Production>) {
    let rest = |index: usize| format!("{name}-{}", index + 2);
    let more = |index: usize| (index + 1 < members.len()).then(|| named(rest(index)));
    let firsts = members.iter().enumerate().map(|(index, member)| {
        let parts = std::iter::once(text(member)).chain(more(index));
        sequence(parts.collect::<Vec<Expression>>())
    });
    let list = sequence([text("["), choice(firsts), text("]")]);
    productions.push(Production::rule(name, list));
    // `list-3` is: the third member or not, and what comes behind.
    for (index, member) in members.iter().enumerate().skip(1) {
        let one = optional(text(format!(", {member}")));
        let parts = std::iter::once(one).chain(more(index));
        productions.push(Production::rule(rest(index - 1), sequence(parts.collect::<Vec<Expression>>())));
    }
}
