//! Models from our JSON form.

use super::Model;
use super::model::{Origin, Page, PageId, Transition, conditions};
use intentgate_engine::check;
use intentgate_engine::diagnostic::{Code, Diagnostic, Label, Problems};
use intentgate_engine::input;
use intentgate_engine::ir::{Operand, Operator, Specification};
use intentgate_engine::json::{self, Kind, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{VariableId, Vocabulary};
use intentgate_engine::span::{Source, Span};
use intentgate_engine::suggest;
use intentgate_engine::value::Value;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

const KEYS: &[&str] = &["app", "start", "pages", "variables", "functions", "transitions"];
const PAGE_KEYS: &[&str] = &["name", "description"];
const TRANSITION_KEYS: &[&str] =
    &["from", "event", "function", "guard", "update", "to", "cost", "origin", "count"];

impl Model {
    /// Reads a model in our form.
    ///
    /// # Errors
    /// Everything that is wrong with it, in the order of the text.
    pub fn from_json(source: &Source, limits: &Limits) -> Result<Model, Problems> {
        let document = json::parse(source, limits)?;
        let mut reader = Reader { problems: Problems::new(source.clone()), limits };
        let model = reader.model(&document);
        reader.problems.sort();
        match model {
            Some(model) if !reader.problems.has_errors() => Ok(model),
            _ => Err(reader.problems),
        }
    }

    /// Constraints on the model's variables, as guards are written.
    ///
    /// # Errors
    /// Constraints that can't be used.
    pub(super) fn condition(&self, text: &str) -> Result<Specification, Problems> {
        let rule = Source::new("condition", format!("{}({text}) -> Done\n", Self::STATE));
        Ok(check::specification(&rule, &self.vocabulary, &Limits::default())?.specification)
    }

    /// What is odd about it, if nothing is wrong: pages that can't be reached from the start, functions that
    /// nothing performs.
    pub fn review(&self, source: &Source) -> Problems {
        let mut problems = Problems::new(source.clone());
        let mut reached = HashSet::from([self.start]);
        let mut open = vec![self.start];
        while let Some(page) = open.pop() {
            for transition in self.transitions.iter().filter(|transition| transition.from == page) {
                if reached.insert(transition.to) {
                    open.push(transition.to);
                }
            }
        }
        for (id, page) in self.pages().filter(|(id, _)| !reached.contains(id)) {
            let start = self.page_name(self.start);
            let message = format!("no transition leads from `{start}` to `{}`", self.page_name(id));
            problems.push(Diagnostic::new(Code::UnreachablePage, page.span, message));
        }
        for (id, function) in self.vocabulary.actions() {
            if !self.transitions.iter().any(|transition| transition.function == Some(id)) {
                let message = format!("no transition performs `{}`", function.name());
                problems.push(Diagnostic::new(Code::UnusedFunction, Span::default(), message));
            }
        }
        problems
    }
}

struct Reader<'a> {
    problems: Problems,
    limits: &'a Limits,
}

impl Reader<'_> {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.problems.push(diagnostic);
    }

    /// What a reading gives; what is wrong with it is kept.
    fn keep<T>(&mut self, read: Result<T, Diagnostic>) -> Option<T> {
        read.map_err(|diagnostic| self.push(diagnostic)).ok()
    }

    fn keys(&mut self, node: &Node, what: &str, known: &[&str]) {
        if let Some(members) = self.keep(node.object(what).map(<[_]>::to_vec)) {
            let unknown = members.iter().filter(|member| !known.contains(&member.key.as_str()));
            unknown.for_each(|member| self.push(member.unknown(known)));
        }
    }

    fn text(&mut self, node: &Node, key: &str, what: &str) -> Option<(String, Span)> {
        let Some(value) = node.get(key) else {
            let message = format!("{what} has no `{key}`");
            self.push(Diagnostic::new(Code::MissingKey, node.span, message));
            return None;
        };
        let text = self.keep(value.string(&format!("`{key}`")).map(str::to_owned))?;
        Some((text, value.span))
    }

    fn text_or(&mut self, node: &Node, key: &str) -> String {
        let text = node.get(key).map(|value| value.string(&format!("`{key}`")).map(str::to_owned));
        text.and_then(|text| self.keep(text)).unwrap_or_default()
    }

    fn list<'n>(&mut self, node: &'n Node, key: &str) -> &'n [Node] {
        let list = node.get(key).map(|value| value.array(&format!("`{key}`")));
        list.and_then(|list| self.keep(list)).unwrap_or(&[])
    }

    fn model(&mut self, node: &Node) -> Option<Model> {
        self.keys(node, "a model", KEYS);
        node.as_object()?;
        let app = self.text_or(node, "app");
        let (pages, by_name) = self.pages(node);
        let vocabulary = Arc::new(self.vocabulary(node, &app)?);
        let initial = self.initial(node, &vocabulary);
        let start = self.text(node, "start", "the model");
        let start = start.and_then(|(name, span)| self.page(&by_name, &name, span));
        let mut transitions = Vec::new();
        for transition in self.list(node, "transitions") {
            transitions.extend(self.transition(transition, &by_name, &vocabulary));
        }
        Some(Model { app, vocabulary, start: start?, pages, by_name, initial, transitions })
    }

    fn pages(&mut self, node: &Node) -> (Vec<Page>, HashMap<String, PageId>) {
        let mut pages: Vec<Page> = Vec::new();
        let mut by_name: HashMap<String, PageId> = HashMap::new();
        for page in self.list(node, "pages") {
            self.keys(page, "a page", PAGE_KEYS);
            let Some((name, span)) = self.text(page, "name", "a page") else { continue };
            if by_name.contains_key(&name) {
                let message = format!("there is a page `{name}` already");
                self.push(Diagnostic::new(Code::DuplicatePage, span, message).help("give it another name"));
                continue;
            }
            let id = PageId(u32::try_from(pages.len()).unwrap_or(u32::MAX));
            by_name.insert(name.clone(), id);
            pages.push(Page { name, description: self.text_or(page, "description"), span });
        }
        (pages, by_name)
    }

    fn page(&mut self, pages: &HashMap<String, PageId>, name: &str, span: Span) -> Option<PageId> {
        let found = pages.get(name).copied();
        if found.is_none() {
            let message = format!("there is no page `{}`", input::shortened(name));
            let mut known: Vec<&str> = pages.keys().map(String::as_str).collect();
            known.sort_unstable();
            let help = suggest::known(name, "pages", known);
            self.push(Diagnostic::new(Code::UnknownPage, span, message).help(help));
        }
        found
    }

    /// Variables and functions, read as the engine reads them.
    fn vocabulary(&mut self, node: &Node, app: &str) -> Option<Vocabulary> {
        let variables = node.get("variables");
        let written = self.list(node, "variables").iter().map(|variable| {
            let mut value = variable.to_value();
            if let Some(object) = value.as_object_mut() {
                object.remove("initial");
            }
            value
        });
        let state = json!({"name": Model::STATE, "variables": written.collect::<Vec<_>>()});
        let functions = node.get("functions").map_or(json!([]), Node::to_value);
        let functions = match functions {
            serde_json::Value::Array(functions) => functions
                .into_iter()
                .map(|mut function| {
                    if let Some(object) = function.as_object_mut()
                        && let Some(parameters) = object.remove("parameters")
                    {
                        object.insert("arguments".to_owned(), parameters);
                    }
                    function
                })
                .collect(),
            other => other,
        };
        let text = json!({"app": app, "states": [state], "actions": functions}).to_string();
        match Vocabulary::from_json(&Source::new("variables and functions", text), self.limits) {
            Ok(vocabulary) => Some(vocabulary),
            Err(problems) => {
                // Located as far as that goes: in one of the two lists.
                let span = variables.or(node.get("functions")).map_or(node.span, |list| list.span);
                self.relocate(problems.items(), |_| span);
                None
            }
        }
    }

    /// What is wrong with a text that was checked elsewhere, at its place here.
    fn relocate(&mut self, items: &[Diagnostic], place: impl Fn(Span) -> Span) {
        for item in items {
            let label = Label { span: place(item.primary.span), text: item.primary.text.clone() };
            self.push(Diagnostic { primary: label, secondary: Vec::new(), ..item.clone() });
        }
    }

    fn initial(&mut self, node: &Node, vocabulary: &Vocabulary) -> Vec<(VariableId, Option<Value>)> {
        let mut initial = Vec::new();
        let Some(state) = vocabulary.find_state(Model::STATE) else { return initial };
        for (variable, id) in self.list(node, "variables").iter().zip(vocabulary.state(state).variables()) {
            let declared = vocabulary.variable(id);
            let value = match variable.get("initial") {
                Some(value) => {
                    let kind = declared.variable_type();
                    let read = input::json_value(value, declared.name(), kind, None, self.limits);
                    self.keep(read.map_err(|fault| fault.at(value.span))).flatten()
                }
                None => None,
            };
            initial.push((id, value));
        }
        initial
    }

    fn transition(
        &mut self,
        node: &Node,
        pages: &HashMap<String, PageId>,
        vocabulary: &Arc<Vocabulary>,
    ) -> Option<Transition> {
        self.keys(node, "a transition", TRANSITION_KEYS);
        node.as_object()?;
        let what = "a transition";
        let (from, to) = (self.text(node, "from", what), self.text(node, "to", what));
        let from = from.and_then(|(name, span)| self.page(pages, &name, span));
        let to = to.and_then(|(name, span)| self.page(pages, &name, span));
        let event = self.text_or(node, "event");
        let function = node.get("function").and_then(|function| {
            let name = self.keep(function.string("`function`").map(str::to_owned))?;
            let found = vocabulary.find_action(&name);
            if found.is_none() {
                let message = format!("there is no function `{}`", input::shortened(&name));
                let known: Vec<&str> = vocabulary.actions().map(|(_, action)| action.name()).collect();
                let help = suggest::known(&name, "functions", known);
                self.push(Diagnostic::new(Code::UnknownFunction, function.span, message).help(help));
            }
            found
        });
        let guard = self.constraints(node, "guard", vocabulary);
        let update = self.constraints(node, "update", vocabulary);
        let update = update.map_or_else(Vec::new, |specification| self.assignments(node, &specification));
        Some(Transition {
            from: from?,
            to: to?,
            event,
            function,
            guard,
            guard_text: self.text_or(node, "guard"),
            update,
            update_text: self.text_or(node, "update"),
            cost: self.number(node, "cost", 1).clamp(1, u64::from(u32::MAX)).try_into().unwrap_or(u32::MAX),
            origin: self.origin(node),
            count: self.number(node, "count", 0),
        })
    }

    fn number(&mut self, node: &Node, key: &str, without: u64) -> u64 {
        let Some(value) = node.get(key) else { return without };
        let number = match &value.kind {
            Kind::Number(text) => text.parse::<u64>().ok(),
            _ => None,
        };
        let least = u64::from(key == "cost");
        if number.is_none_or(|number| number < least) {
            let message = format!("`{key}` is a whole number, at least {least}");
            self.push(Diagnostic::new(Code::JsonType, value.span, message));
        }
        number.unwrap_or(without)
    }

    fn origin(&mut self, node: &Node) -> Origin {
        let Some(value) = node.get("origin") else { return Origin::default() };
        let name = self.keep(value.string("`origin`").map(str::to_owned)).unwrap_or_default();
        let found = Origin::ALL.into_iter().find(|origin| origin.name() == name);
        if found.is_none() {
            let message = format!("there is no origin `{}`", input::shortened(&name));
            let help = suggest::known(&name, "origins", Origin::ALL.map(Origin::name));
            self.push(Diagnostic::new(Code::UnknownKey, value.span, message).help(help));
        }
        found.unwrap_or_default()
    }

    /// Constraints on the model's variables, checked by the engine.
    fn constraints(
        &mut self,
        node: &Node,
        key: &str,
        vocabulary: &Arc<Vocabulary>,
    ) -> Option<Arc<Specification>> {
        let value = node.get(key)?;
        let text = self.keep(value.string(&format!("`{key}`")).map(str::to_owned))?;
        if text.trim().is_empty() {
            return None;
        }
        let before = format!("{}(", Model::STATE);
        let rule = Source::new(key, format!("{before}{text}) -> Done\n"));
        match check::specification(&rule, vocabulary, self.limits) {
            Ok(checked)
                if checked.specification.parameters().is_empty()
                    && checked.specification.rules().len() == 1 =>
            {
                Some(Arc::new(checked.specification))
            }
            Ok(_) => {
                let message = format!("`{key}` holds more than constraints on variables");
                self.push(Diagnostic::new(Code::NotAssignment, value.span, message));
                None
            }
            Err(problems) => {
                // Where the text has no escapes, its places are known.
                let plain = value.span.end() - value.span.start() == text.len() + 2;
                self.relocate(problems.items(), |span| {
                    let inside = span.start() >= before.len() && span.end() <= before.len() + text.len();
                    if !(plain && inside) {
                        return value.span;
                    }
                    let shift = value.span.start() + 1 - before.len();
                    Span::new(span.start() + shift, span.end() + shift)
                });
                None
            }
        }
    }

    fn assignments(&mut self, node: &Node, specification: &Specification) -> Vec<(VariableId, Operand)> {
        let span = node.get("update").map_or(node.span, |update| update.span);
        let mut assignments = Vec::new();
        for constraint in conditions(specification) {
            let twice = assignments.iter().any(|(variable, _)| *variable == constraint.variable());
            match (constraint.operator(), constraint.operand()) {
                (Operator::Equal, operand @ (Operand::Single(_) | Operand::Variable(_))) if !twice => {
                    assignments.push((constraint.variable(), operand.clone()));
                }
                _ => {
                    let message = "an update sets each variable once, as `variable = value`";
                    self.push(Diagnostic::new(Code::NotAssignment, span, message));
                }
            }
        }
        assignments
    }
}
