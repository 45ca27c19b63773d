//! JSON Schema, as far as exported schemas use it: values of a schema, and whether a value is one.

use super::Grammar;
use super::pattern::regex;
use crate::random::Dice;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// The keywords that are understood.
const KEYWORDS: &[&str] = &[
    "$schema",
    "$defs",
    "$ref",
    "description",
    "type",
    "const",
    "enum",
    "anyOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "minItems",
    "uniqueItems",
    "pattern",
    "minimum",
    "maximum",
];

/// A schema.
pub struct Schema {
    document: Value,
}

fn pattern(schema: &Value) -> Option<Grammar> {
    let text = schema.get("pattern")?.as_str().unwrap();
    let inner = text.strip_prefix("^(?:").and_then(|text| text.strip_suffix(")$")).unwrap();
    Some(Grammar::new("pattern", HashMap::from([("pattern".to_owned(), regex(inner))])))
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Panics
    /// If it is none, or uses another keyword.
    pub fn read(text: &str) -> Schema {
        let schema = Schema { document: serde_json::from_str(text).unwrap() };
        schema.known(&schema.document);
        schema
    }

    fn known(&self, schema: &Value) {
        for (keyword, value) in schema.as_object().unwrap() {
            assert!(KEYWORDS.contains(&keyword.as_str()), "{keyword}");
            match keyword.as_str() {
                "$defs" | "properties" => value.as_object().unwrap().values().for_each(|one| self.known(one)),
                "anyOf" | "prefixItems" => {
                    assert!(!value.as_array().unwrap().is_empty());
                    value.as_array().unwrap().iter().for_each(|one| self.known(one));
                }
                "enum" => assert!(!value.as_array().unwrap().is_empty()),
                "items" => self.known(value),
                "$ref" => drop(self.resolved(schema)),
                _ => {}
            }
        }
    }

    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        match schema.get("$ref") {
            Some(path) => {
                let path = path.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                self.resolved(&self.document["$defs"].as_object().unwrap()[path])
            }
            None => schema,
        }
    }

    /// A random value.
    pub fn produce(&self, dice: &mut Dice) -> Value {
        self.value(&self.document, dice)
    }

    fn value(&self, schema: &Value, dice: &mut Dice) -> Value {
        let schema = self.resolved(schema);
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        for keyword in ["enum", "anyOf"] {
            if let Some(choices) = schema.get(keyword).and_then(Value::as_array) {
                let chosen = &choices[dice.below(choices.len())];
                return if keyword == "enum" { chosen.clone() } else { self.value(chosen, dice) };
            }
        }
        match schema["type"].as_str().unwrap() {
            "object" => {
                let properties = schema["properties"].as_object().unwrap();
                let members = properties.iter().map(|(key, one)| (key.clone(), self.value(one, dice)));
                Value::Object(members.collect::<Map<_, _>>())
            }
            "array" => {
                let mut elements: Vec<Value> = Vec::new();
                for first in schema.get("prefixItems").and_then(Value::as_array).into_iter().flatten() {
                    elements.push(self.value(first, dice));
                }
                let least = schema["minItems"].as_u64().unwrap() as usize;
                let count = least.saturating_sub(elements.len()) + dice.below(3);
                elements.extend((0..count).map(|_| self.value(&schema["items"], dice)));
                if schema.get("uniqueItems") == Some(&json!(true)) {
                    let mut seen: Vec<Value> = Vec::new();
                    elements.retain(|element| {
                        !seen.contains(element) && {
                            seen.push(element.clone());
                            true
                        }
                    });
                }
                Value::Array(elements)
            }
            "string" => match pattern(schema) {
                Some(grammar) => json!(grammar.produce(dice)),
                None => json!(dice.pick(&["R", "", "a \"b\" \\ \n\u{200b}", "中 😀", "today"])),
            },
            "boolean" => json!(dice.chance(50)),
            "integer" => {
                let (least, most) =
                    (schema["minimum"].as_i64().unwrap(), schema["maximum"].as_i64().unwrap());
                json!(least + dice.below((most - least + 1) as usize) as i64)
            }
            other => panic!("the type {other}"),
        }
    }

    /// Whether the schema lets a value through.
    pub fn accepts(&self, value: &Value) -> bool {
        self.fits(&self.document, value)
    }

    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let schema = self.resolved(schema);
        let list = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
        if schema.get("const").is_some_and(|wanted| wanted != value)
            || list("enum").is_some_and(|wanted| !wanted.contains(value))
            || list("anyOf").is_some_and(|any| !any.iter().any(|one| self.fits(one, value)))
        {
            return false;
        }
        match schema.get("type").and_then(Value::as_str) {
            None => true,
            Some("object") => {
                let (Some(members), properties) = (value.as_object(), &schema["properties"]) else {
                    return false;
                };
                list("required").unwrap().iter().all(|key| members.contains_key(key.as_str().unwrap()))
                    && members
                        .iter()
                        .all(|(key, value)| properties.get(key).is_some_and(|one| self.fits(one, value)))
            }
            Some("array") => {
                let Some(elements) = value.as_array() else { return false };
                let first = list("prefixItems").map_or(&[][..], Vec::as_slice);
                let least = schema["minItems"].as_u64().unwrap() as usize;
                let unique = schema.get("uniqueItems") != Some(&json!(true))
                    || elements.iter().enumerate().all(|(at, one)| !elements[..at].contains(one));
                unique
                    && elements.len() >= least
                    && elements.iter().enumerate().all(|(index, element)| {
                        self.fits(first.get(index).unwrap_or(&schema["items"]), element)
                    })
            }
            Some("string") => {
                value.as_str().is_some_and(|text| pattern(schema).is_none_or(|grammar| grammar.accepts(text)))
            }
            Some("boolean") => value.is_boolean(),
            Some("integer") => value.as_i64().is_some_and(|number| {
                (schema["minimum"].as_i64().unwrap()..=schema["maximum"].as_i64().unwrap()).contains(&number)
            }),
            Some(other) => panic!("the type {other}"),
        }
    }
}
