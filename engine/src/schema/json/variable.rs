//! One variable or argument of a vocabulary, read: its type, its values, its attributes.
//!
//! Knows the forms in which a variable may be written; must never know other variables.

use super::{Builder, Resets};
use crate::diagnostic::{Code, Diagnostic};
use crate::json::{Kind, Node};
use crate::schema::{Enumeration, MaxAge, StateId, Variable, VariableType};
use crate::span::Span;
use crate::suggest;
use crate::text::lookalike;
use crate::value::Text;
use hashbrown::HashMap;
use std::sync::Arc;
use std::time::Duration;

const VARIABLE_KEYS: &[&str] = &[
    "name",
    "type",
    "description",
    "values",
    "enum_values",
    "ordered",
    "ignore_case",
    "source",
    "max_age",
    "reset_by",
    "optional",
];
const TYPES: &[&str] = &["Text", "String", "Number", "Boolean", "Enum", "Enumeration", "Date", "Time"];

impl Builder<'_> {
    /// A variable or an argument, in the long form or the short one, and what resets it.
    pub(super) fn variable(
        &mut self,
        node: &Node,
        state: StateId,
        scope: &str,
        argument: bool,
    ) -> Option<(Variable, Resets)> {
        let members = self.report(node.object("a variable"))?;
        let long;
        let (name, name_span, kind) = match members {
            [] => {
                self.problems.push(
                    Diagnostic::new(Code::MissingKey, node.span, "a variable needs a name and a type")
                        .help("write `{\"date\": \"Date\"}` or `{\"name\": \"date\", \"type\": \"Date\"}`"),
                );
                return None;
            }
            [short] => {
                long = false;
                (short.key.as_str(), short.key_span, &short.value)
            }
            _ => {
                long = true;
                self.unknown_keys(node, VARIABLE_KEYS);
                let name = self.name(node, "a variable");
                let Some(kind) = node.get("type") else {
                    let message = "a variable with more than one key needs the key `type`";
                    self.problems.push(Diagnostic::new(Code::MissingKey, node.span, message));
                    return None;
                };
                let (name, span) = name?;
                (name, span, kind)
            }
        };
        self.check_name(name, name_span);
        self.unlike(scope, name, name_span);
        let attribute = |key: &str| if long { node.get(key) } else { None };
        let type_name = self.report(kind.string("a type"))?;
        let mut flag = |key: &str| {
            attribute(key).and_then(|node| self.report(node.boolean(&format!("`{key}`")))).unwrap_or(false)
        };
        let (ordered, ignore_case, optional) = (flag("ordered"), flag("ignore_case"), flag("optional"));
        let values = attribute("values").or(attribute("enum_values"));
        let variable_type = match type_name {
            "Text" | "String" => VariableType::Text,
            "Number" => VariableType::Number,
            "Boolean" => VariableType::Boolean,
            "Date" => VariableType::Date,
            "Time" => VariableType::Time,
            "Enum" | "Enumeration" => {
                let Some(values) = values else {
                    self.problems.push(
                        Diagnostic::new(
                            Code::EnumValues,
                            kind.span,
                            format!("the enumeration `{name}` has no values"),
                        )
                        .help("add `\"values\": [\"first\", \"second\"]` to the long form of the variable"),
                    );
                    return None;
                };
                VariableType::Enum(Arc::new(Enumeration { names: self.enumerators(values)?, ordered }))
            }
            other => {
                self.problems.push(
                    Diagnostic::new(Code::UnknownType, kind.span, format!("unknown type `{other}`"))
                        .help(suggest::known(other, "types", TYPES.iter().copied())),
                );
                return None;
            }
        };
        let is_enum = matches!(variable_type, VariableType::Enum(_));
        for (key, fits, wanted) in [
            ("values", is_enum, "Enum"),
            ("enum_values", is_enum, "Enum"),
            ("ordered", is_enum, "Enum"),
            ("ignore_case", variable_type == VariableType::Text, "Text"),
            ("optional", argument, "argument"),
        ] {
            if let Some(node) = attribute(key)
                && !fits
                && !matches!(node.kind, Kind::Boolean(false))
                && !matches!(&node.kind, Kind::Array(values) if values.is_empty())
            {
                let message = if wanted == "argument" {
                    format!("`{key}` is for arguments of actions")
                } else {
                    format!("`{key}` is for variables of type {wanted}; `{name}` is {type_name}")
                };
                self.problems.push(Diagnostic::new(Code::MisplacedAttribute, node.span, message));
            }
        }
        let variable = Variable {
            name: Text::new(name),
            description: if long { self.description(node) } else { String::new() },
            state,
            kind: variable_type,
            ignore_case,
            app_only: attribute("source").is_some_and(|node| self.demands_app(node)),
            optional,
            max_age: attribute("max_age").and_then(|node| self.max_age(node)),
            reset_by: Vec::new(),
        };
        let resets = match attribute("reset_by").map(|node| self.report(node.array("`reset_by`"))) {
            Some(Some(list)) => list
                .iter()
                .filter_map(|node| {
                    self.report(node.string("an element of `reset_by`"))
                        .map(|text| (text.to_owned(), node.span))
                })
                .collect(),
            _ => Vec::new(),
        };
        Some((variable, resets))
    }

    fn enumerators(&mut self, node: &Node) -> Option<Vec<Text>> {
        let list = self.report(node.array("`values`"))?;
        if list.is_empty() || list.len() > usize::from(u16::MAX) {
            let message =
                if list.is_empty() { "an enumeration needs at least one value" } else { "too many values" };
            self.problems.push(Diagnostic::new(Code::EnumValues, node.span, message));
            return None;
        }
        let mut seen: HashMap<String, (String, Span)> = HashMap::new();
        let mut names = Vec::new();
        for value in list {
            let text = self.report(value.string("an enumerator"))?;
            let name = Text::new(text);
            if let Some((first, span)) =
                seen.insert(lookalike::distinct(text), (name.as_str().to_owned(), value.span))
            {
                let (code, message) = if first == name.as_str() {
                    (Code::DuplicateEnumerator, format!("the enumerator `{text}` stands twice"))
                } else {
                    (Code::NamesTooAlike, format!("the enumerators `{first}` and `{text}` are too alike"))
                };
                self.problems.push(Diagnostic::new(code, value.span, message).also(span, "first here"));
            }
            names.push(name);
        }
        Some(names)
    }

    fn demands_app(&mut self, node: &Node) -> bool {
        match node.as_str() {
            Some("app") => true,
            Some("any") => false,
            _ => {
                let message = "`source` must be \"app\" (only the app's values count) or \"any\"";
                self.problems.push(Diagnostic::new(Code::MisplacedAttribute, node.span, message));
                true
            }
        }
    }

    fn max_age(&mut self, node: &Node) -> Option<MaxAge> {
        let age = match &node.kind {
            Kind::Number(text) => text.parse().ok().map(MaxAge::Epochs),
            Kind::String(text) => duration(text).map(MaxAge::Time),
            _ => None,
        };
        if age.is_none() {
            self.problems.push(Diagnostic::new(Code::BadDuration, node.span, "this is not an age").help(
                "write a length of time like \"90s\", \"10m\", \"2h\", \"1d\", or a whole number of changes",
            ));
        }
        age
    }
}

/// A length of time: a whole number and a unit.
fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit())?;
    let (count, unit) = text.split_at_checked(split)?;
    let seconds = match unit.trim() {
        "s" | "sec" | "seconds" => 1,
        "m" | "min" | "minutes" => 60,
        "h" | "hours" => 3_600,
        "d" | "days" => 86_400,
        _ => return None,
    };
    Some(Duration::from_secs(count.parse::<u64>().ok()?.checked_mul(seconds)?))
}
