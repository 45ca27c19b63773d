//! Variables and functions, read as the engine reads them: states and actions of a vocabulary.

use super::Reader;
use crate::planner::model::Model;
use intentgate_engine::json::{Kind, Member, Node};
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::span::{Source, Span};
use std::collections::HashMap;

impl Reader<'_> {
    /// Variables and functions, read as the engine reads them. What is wrong with one is said at its place.
    pub(super) fn vocabulary(&mut self, node: &Node, nodes: &[Node], apps: &[String]) -> Option<Vocabulary> {
        let mut written = Written::default();
        written.text.push_str("{\"app\":");
        written.string(&apps.join(" and "));
        written.text.push_str(",\"states\":[");
        for (app, node) in nodes.iter().enumerate() {
            written.comma();
            written.text.push_str("{\"name\":");
            let name = Model::state_name(apps, app);
            match node.get("app").filter(|_| apps.len() > 1) {
                Some(own) => written.placed(own.span, |written| written.string(name)),
                None => written.string(name),
            }
            written.text.push_str(",\"variables\":[");
            for variable in self.list(node, "variables") {
                written.comma();
                written.object(variable, |key| (key != "initial").then_some(key));
            }
            written.text.push_str("]}");
        }
        written.text.push_str("],\"actions\":[");
        for function in nodes.iter().flat_map(|node| self.list(node, "functions")) {
            written.comma();
            written.object(function, |key| Some(if key == "parameters" { "arguments" } else { key }));
        }
        written.text.push_str("]}");
        let Written { text, places } = written;
        match Vocabulary::from_json(&Source::new("variables and functions", text), self.limits) {
            Ok(vocabulary) => Some(vocabulary),
            Err(problems) => {
                let place = |span: Span| places.get(&(span.start(), span.end())).copied();
                self.relocate(problems.items(), node.span, place);
                None
            }
        }
    }
}

/// JSON made of parts of a text, with the place of each part in that text.
#[derive(Default)]
struct Written {
    text: String,
    /// The place of what stands from here to there.
    places: HashMap<(usize, usize), Span>,
}

impl Written {
    /// A comma, unless something begins here.
    fn comma(&mut self) {
        if !self.text.ends_with(['[', '{']) {
            self.text.push(',');
        }
    }

    fn string(&mut self, text: &str) {
        self.text.push_str(&serde_json::Value::from(text).to_string());
    }

    /// Something that comes from a place.
    fn placed(&mut self, span: Span, write: impl FnOnce(&mut Written)) {
        let start = self.text.len();
        write(self);
        self.places.insert((start, self.text.len()), span);
        // Messages about something that is missing stand at its start.
        self.places.entry((start, start)).or_insert(Span::at(span.start()));
    }

    fn node(&mut self, node: &Node) {
        self.object(node, Some);
    }

    /// A value; the keys of an object by other names, or left out.
    fn object<'k>(&mut self, node: &'k Node, renamed: impl Fn(&'k str) -> Option<&'k str>) {
        self.placed(node.span, |written| match &node.kind {
            Kind::Null => written.text.push_str("null"),
            Kind::Boolean(value) => written.text.push_str(if *value { "true" } else { "false" }),
            Kind::Number(digits) => written.text.push_str(digits),
            Kind::String(text) => written.string(text),
            Kind::Array(elements) => {
                written.text.push('[');
                for element in elements {
                    written.comma();
                    written.node(element);
                }
                written.text.push(']');
            }
            Kind::Object(members) => {
                written.text.push('{');
                for Member { key, key_span, value } in members {
                    let Some(key) = renamed(key) else { continue };
                    written.comma();
                    written.placed(*key_span, |written| written.string(key));
                    written.text.push(':');
                    written.node(value);
                }
                written.text.push('}');
            }
        });
    }
}
