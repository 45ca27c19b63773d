//! JSON Schema of the JSON form of specifications.
//!
//! Keys stand in the order in which a decoder is to write them: a variable before what it is compared
//! with. Only keywords that decoders follow are used.

use super::predicates::{self, Types, operators};
use super::{Grammar, Parameters, lark, literals};
use intentgate_engine::ir::{Kind, Operator};
use intentgate_engine::schema::{VariableId, VariableType};
use intentgate_engine::value::enumerator_text;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// JSON whose objects keep their order.
#[derive(Debug, Clone)]
enum Json {
    Object(Vec<(String, Json)>),
    Array(Vec<Json>),
    Text(String),
    Whole(i64),
    Boolean(bool),
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                members.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
            Json::Array(elements) => elements.serialize(serializer),
            Json::Text(text) => serializer.serialize_str(text),
            Json::Whole(number) => serializer.serialize_i64(*number),
            Json::Boolean(value) => serializer.serialize_bool(*value),
        }
    }
}

/// The schema, indented.
pub(super) fn write(grammar: &Grammar<'_>) -> String {
    let schema = Schema { grammar, types: Types::of(grammar) };
    // Plain data with text keys: writing it can't fail.
    serde_json::to_string_pretty(&schema.document()).unwrap_or_default()
}

fn keyword(key: &str, value: Json) -> Json {
    Json::Object(vec![(key.to_owned(), value)])
}

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

fn constant(name: &str) -> Json {
    keyword("const", text(name))
}

fn one_of_texts(names: impl Iterator<Item = String>) -> Json {
    keyword("enum", Json::Array(names.map(Json::Text).collect()))
}

fn reference(name: &str) -> Json {
    keyword("$ref", Json::Text(format!("#/$defs/{name}")))
}

fn any_of(mut schemas: Vec<Json>) -> Json {
    match (schemas.len(), schemas.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            schemas.extend(last);
            keyword("anyOf", Json::Array(schemas))
        }
    }
}

/// An object with exactly these keys.
fn object(members: Vec<(&str, Json)>) -> Json {
    let required = members.iter().map(|(key, _)| text(key)).collect();
    let properties = members.into_iter().map(|(key, schema)| (key.to_owned(), schema)).collect();
    Json::Object(vec![
        ("type".to_owned(), text("object")),
        ("properties".to_owned(), Json::Object(properties)),
        ("required".to_owned(), Json::Array(required)),
        ("additionalProperties".to_owned(), Json::Boolean(false)),
    ])
}

fn array(items: Json, least: i64) -> Json {
    Json::Object(vec![
        ("type".to_owned(), text("array")),
        ("items".to_owned(), items),
        ("minItems".to_owned(), Json::Whole(least)),
    ])
}

fn pattern(regex: &str) -> Json {
    Json::Object(vec![
        ("type".to_owned(), text("string")),
        ("pattern".to_owned(), Json::Text(format!("^(?:{regex})$"))),
    ])
}

struct Schema<'g, 'v> {
    grammar: &'g Grammar<'v>,
    types: Types,
}

impl Schema<'_, '_> {
    fn document(&self) -> Json {
        let mut members = Vec::new();
        if self.grammar.options.kind == Kind::Standing {
            members.push(("standing", keyword("const", Json::Boolean(true))));
        }
        members.push(("rules", self.rules()));
        let mut document = vec![
            ("$schema".to_owned(), text("https://json-schema.org/draft/2020-12/schema")),
            ("description".to_owned(), Json::Text(self.grammar.header(super::Form::Json))),
        ];
        if let Json::Object(members) = object(members) {
            document.extend(members);
        }
        document.push(("$defs".to_owned(), Json::Object(self.definitions())));
        Json::Object(document)
    }

    fn rules(&self) -> Json {
        let mut rules = array(reference("rule"), 1);
        if let (Kind::Intent, Json::Object(members)) = (self.grammar.options.kind, &mut rules) {
            let first = Json::Array(vec![reference("rule-done")]);
            members.insert(1, ("prefixItems".to_owned(), first));
        }
        rules
    }

    fn definitions(&self) -> Vec<(String, Json)> {
        let mut definitions = Vec::new();
        self.rule_definitions(&mut definitions);
        let states = predicates::states(self.grammar);
        let states: Vec<Json> =
            states.map(|(_, state)| reference(&format!("state-{}", state.name()))).collect();
        if !states.is_empty() {
            definitions.push(("state".to_owned(), any_of(states)));
        }
        for (_, state) in predicates::states(self.grammar) {
            let constraints = state.variables().map(|id| reference(&self.variable_name(id))).collect();
            let inner = object(vec![
                ("name", constant(state.name())),
                ("constraints", array(any_of(constraints), 0)),
            ]);
            definitions.push((format!("state-{}", state.name()), object(vec![("state", inner)])));
            for id in state.variables() {
                definitions.push((self.variable_name(id), self.constraint(id)));
            }
        }
        for (name, kind) in self.types.iter() {
            definitions.push((format!("value-{name}"), any_of(self.values(name, kind))));
            definitions.push((format!("operand-{name}"), self.operand(name, kind)));
            let mut list = array(reference(&format!("value-{name}")), 1);
            if let Json::Object(members) = &mut list {
                members.push(("uniqueItems".to_owned(), Json::Boolean(true)));
            }
            definitions.push((format!("list-{name}"), object(vec![("list", list)])));
        }
        definitions
    }

    /// A rule for each kind of head, with the objectives that its body can name.
    fn rule_definitions(&self, definitions: &mut Vec<(String, Json)>) {
        let options = &self.grammar.options;
        let actions: Vec<&str> = self.grammar.vocabulary.actions().map(|(_, action)| action.name()).collect();
        let milestones: Vec<&str> = options.milestones.iter().map(String::as_str).collect();
        let all: Vec<&str> = milestones.iter().chain(&actions).copied().collect();
        let mut heads: Vec<(String, Vec<&str>, Json)> = Vec::new();
        if options.kind != Kind::Policy {
            for (index, milestone) in milestones.iter().enumerate() {
                let before = milestones.iter().take(index).chain(&actions).copied().collect();
                heads.push((format!("milestone-{}", index + 1), before, constant(milestone)));
            }
            if !actions.is_empty() {
                let names = one_of_texts(actions.iter().map(|name| (*name).to_owned()));
                heads.push(("action".to_owned(), all.clone(), names));
            }
        }
        if options.kind == Kind::Intent {
            heads.push(("done".to_owned(), all.clone(), constant("Done")));
        }
        heads.push(("never".to_owned(), all, constant("Never")));
        let rules = heads.iter().map(|(name, ..)| reference(&format!("rule-{name}"))).collect();
        definitions.push(("rule".to_owned(), any_of(rules)));
        for (name, objectives, head) in heads {
            definitions.push((format!("rule-{name}"), self.rule(&objectives, head)));
        }
    }

    fn rule(&self, objectives: &[&str], head: Json) -> Json {
        let states = predicates::states(self.grammar).next();
        let mut parts: Vec<Json> = states.map(|_| reference("state")).into_iter().collect();
        if !objectives.is_empty() {
            let names = one_of_texts(objectives.iter().map(|name| (*name).to_owned()));
            parts.push(object(vec![("objective", names)]));
        }
        let mut members = vec![("body", array(any_of(parts), 1)), ("head", head)];
        if self.grammar.options.labels {
            members.insert(0, ("label", pattern(&lark::regex(&literals::label(), 0))));
        }
        object(members)
    }

    fn variable_name(&self, id: VariableId) -> String {
        format!("constraint-{}", self.grammar.vocabulary.path(id))
    }

    fn constraint(&self, id: VariableId) -> Json {
        let variable = self.grammar.vocabulary.variable(id);
        let kind = variable.variable_type();
        let name = self.types.name(kind);
        let constraint = |operators: Vec<Operator>, operand: String| {
            object(vec![
                ("variable", constant(variable.name())),
                ("operator", one_of_texts(operators.iter().map(|operator| operator.ascii().to_owned()))),
                ("operand", reference(&operand)),
            ])
        };
        any_of(vec![
            constraint(operators(kind), format!("operand-{name}")),
            constraint(vec![Operator::In, Operator::NotIn], format!("list-{name}")),
        ])
    }

    /// A value, or another variable of the type.
    fn operand(&self, name: &str, kind: &VariableType) -> Json {
        let vocabulary = self.grammar.vocabulary;
        let same = vocabulary.variables().filter(|(_, variable)| variable.variable_type() == kind);
        let paths = same.map(|(_, variable)| {
            let state = vocabulary.state(variable.state());
            let path = vec![("state", constant(state.name())), ("variable", constant(variable.name()))];
            object(vec![("variable", object(path))])
        });
        any_of(std::iter::once(reference(&format!("value-{name}"))).chain(paths).collect())
    }

    fn values(&self, name: &str, kind: &VariableType) -> Vec<Json> {
        let regex = |literal| pattern(&lark::regex(&literal, 0));
        let mut values = match kind {
            VariableType::Text => vec![object(vec![("text", keyword("type", text("string")))])],
            VariableType::Number => vec![object(vec![("number", regex(literals::number()))])],
            VariableType::Boolean => vec![object(vec![("boolean", keyword("type", text("boolean")))])],
            // As the canonical text has them: bare or in quotes.
            VariableType::Enum(enumeration) => {
                let (bare, quoted): (Vec<&str>, Vec<&str>) =
                    enumeration.names().partition(|name| enumerator_text(name) == *name);
                let forms =
                    [("name", bare), ("text", quoted)].into_iter().filter(|(_, names)| !names.is_empty());
                let names = |names: Vec<&str>| one_of_texts(names.into_iter().map(str::to_owned));
                forms.map(|(key, of)| object(vec![(key, names(of))])).collect()
            }
            VariableType::Date => {
                let days = Json::Object(vec![
                    ("type".to_owned(), text("integer")),
                    ("minimum".to_owned(), Json::Whole(-9999)),
                    ("maximum".to_owned(), Json::Whole(9999)),
                ]);
                vec![object(vec![("date", regex(literals::date()))]), object(vec![("today", days)])]
            }
            VariableType::Time => vec![object(vec![("time", regex(literals::time()))])],
        };
        match &self.grammar.options.parameters {
            Parameters::None => {}
            Parameters::ByType => {
                values.push(object(vec![("parameter", regex(literals::parameter(name)))]));
            }
            Parameters::Named(given) => {
                let fitting: Vec<String> =
                    given.iter().filter(|(_, of)| of == kind).map(|(name, _)| name.clone()).collect();
                if !fitting.is_empty() {
                    values.push(object(vec![("parameter", one_of_texts(fitting.into_iter()))]));
                }
            }
        }
        values
    }
}
