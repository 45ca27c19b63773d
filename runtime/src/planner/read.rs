//! Models from our JSON form.
//!
//! What transitions say of the gate's vocabulary is read as it is written; it is checked where that vocabulary
//! is known.

mod link;

use super::Model;
use super::guards;
use super::model::{Origin, Page, PageId, Transition, conditions};
use intentgate_engine::check;
use intentgate_engine::diagnostic::{Code, Diagnostic, Label, Problems};
use intentgate_engine::input;
use intentgate_engine::ir::{Operand, Operator, Rule, Specification};
use intentgate_engine::json::{self, Kind, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{StateId, VariableId, Vocabulary};
use intentgate_engine::span::{Source, Span};
use intentgate_engine::suggest;
use intentgate_engine::value::Value;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

const KEYS: &[&str] = &["app", "start", "pages", "variables", "functions", "transitions"];
const SET_KEYS: &[&str] = &["start", "apps", "handovers"];
const PAGE_KEYS: &[&str] = &["name", "description"];
const TRANSITION_KEYS: &[&str] = &[
    "from",
    "event",
    "function",
    "guard",
    "update",
    "action",
    "arguments",
    "causes",
    "observes",
    "to",
    "cost",
    "origin",
    "count",
];

impl Model {
    /// Reads a model in our form: an app, or several under `apps`.
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

    /// Constraints on the model's variables: of a single app as guards are written, of several with their
    /// states, `Mail(unread = 0) and Files(open = true)`.
    ///
    /// # Errors
    /// Constraints that can't be used.
    pub(super) fn condition(&self, text: &str) -> Result<Specification, Problems> {
        let rule = match self.apps.len() {
            1 => format!("{}({text}) -> Done\n", Self::STATE),
            _ => format!("{text} -> Done\n"),
        };
        let rule = Source::new("condition", rule);
        let condition = check::specification(&rule, &self.vocabulary, &Limits::default())?.specification;
        if !is_condition(&condition) {
            let mut problems = Problems::new(rule);
            let message = "a condition holds more than constraints on variables";
            problems.push(Diagnostic::new(Code::NotAssignment, Span::default(), message));
            return Err(problems);
        }
        Ok(condition)
    }

    /// What is odd about it, if nothing is wrong: pages that can't be reached from the start, functions that
    /// nothing performs, guards that never hold. With the feature `z3` the solver is asked about guards on values
    /// that are not known beforehand.
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
        for (id, why) in guards::dead(self) {
            let Some(transition) = self.transition(id) else { continue };
            let message =
                format!("the guard of `{}` never holds: {why}", input::shortened(transition.event()));
            problems.push(Diagnostic::new(Code::DeadGuard, transition.guard_span, message));
        }
        problems
    }
}

/// Whether a rule set is one rule with constraints on variables and nothing else.
fn is_condition(specification: &Specification) -> bool {
    let plain = |rule: &Rule| {
        let mut body = specification.body(rule).iter();
        body.all(|predicate| !specification.constraints(predicate).is_empty())
    };
    let one = matches!(specification.rules(), [rule] if plain(rule));
    one && specification.parameters().is_empty()
}

/// What names of pages mean in a list of transitions, and whose variables guards and updates are on.
struct Scope<'a> {
    pages: &'a HashMap<String, PageId>,
    vocabulary: &'a Arc<Vocabulary>,
    /// Before every page's name.
    prefix: &'a str,
    apps: &'a [String],
    /// The app of each page.
    of_pages: &'a [Page],
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
        let several = node.get("apps").is_some();
        self.keys(node, "a model", if several { SET_KEYS } else { KEYS });
        node.as_object()?;
        let nodes = if several { self.list(node, "apps") } else { std::slice::from_ref(node) };
        if several {
            nodes.iter().for_each(|app| self.keys(app, "an app", KEYS));
        }
        let apps: Vec<String> = nodes.iter().map(|app| self.text_or(app, "app")).collect();
        let prefix = |app: usize| match (several, apps.get(app)) {
            (true, Some(name)) => format!("{name}."),
            _ => String::new(),
        };
        let (mut pages, mut by_name) = (Vec::new(), HashMap::new());
        for (app, node) in nodes.iter().enumerate() {
            self.pages(node, app, &prefix(app), &mut pages, &mut by_name);
        }
        let vocabulary = Arc::new(self.vocabulary(node, nodes, &apps)?);
        let mut initial = Vec::new();
        let mut transitions = Vec::new();
        for (app, node) in nodes.iter().enumerate() {
            let state = vocabulary.find_state(Model::state_name(&apps, app));
            initial.extend(self.initial(node, state, &vocabulary));
            let prefix = prefix(app);
            let (by_name, of_pages) = (&by_name, &pages);
            let scope =
                Scope { pages: by_name, vocabulary: &vocabulary, prefix: &prefix, apps: &apps, of_pages };
            for transition in self.list(node, "transitions") {
                transitions.extend(self.transition(transition, &scope));
            }
        }
        let scope =
            Scope { pages: &by_name, vocabulary: &vocabulary, prefix: "", apps: &apps, of_pages: &pages };
        for handover in self.list(node, "handovers") {
            transitions.extend(self.transition(handover, &scope));
        }
        let mut starts = Vec::new();
        for (app, node) in nodes.iter().enumerate() {
            let start = self.text(node, "start", "the app");
            starts.extend(
                start.and_then(|(name, span)| self.page(&by_name, &format!("{}{name}", prefix(app)), span)),
            );
        }
        let start = match several {
            false => starts.first().copied(),
            true => self.text(node, "start", "the model").and_then(|(name, span)| {
                // The page on which an app starts, or any.
                match apps.iter().position(|app| *app == name) {
                    Some(app) => starts.get(app).copied(),
                    None => self.page(&by_name, &name, span),
                }
            }),
        };
        let app = apps.join(" and ");
        Some(Model { app, apps, vocabulary, start: start?, starts, pages, by_name, initial, transitions })
    }

    fn pages(
        &mut self,
        node: &Node,
        app: usize,
        prefix: &str,
        pages: &mut Vec<Page>,
        by_name: &mut HashMap<String, PageId>,
    ) {
        for page in self.list(node, "pages") {
            self.keys(page, "a page", PAGE_KEYS);
            let Some((name, span)) = self.text(page, "name", "a page") else { continue };
            let name = format!("{prefix}{name}");
            if by_name.contains_key(&name) {
                let message = format!("there is a page `{}` already", input::shortened(&name));
                self.push(Diagnostic::new(Code::DuplicatePage, span, message).help("give it another name"));
                continue;
            }
            let id = PageId(u32::try_from(pages.len()).unwrap_or(u32::MAX));
            by_name.insert(name.clone(), id);
            pages.push(Page { app, name, description: self.text_or(page, "description"), span });
        }
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
    fn vocabulary(&mut self, node: &Node, nodes: &[Node], apps: &[String]) -> Option<Vocabulary> {
        let mut states = Vec::new();
        let mut functions = Vec::new();
        for (app, node) in nodes.iter().enumerate() {
            let written = self.list(node, "variables").iter().map(|variable| {
                let mut value = variable.to_value();
                if let Some(object) = value.as_object_mut() {
                    object.remove("initial");
                }
                value
            });
            let name = Model::state_name(apps, app);
            states.push(json!({"name": name, "variables": written.collect::<Vec<_>>()}));
            functions.extend(self.list(node, "functions").iter().map(|function| {
                let mut function = function.to_value();
                if let Some(object) = function.as_object_mut()
                    && let Some(parameters) = object.remove("parameters")
                {
                    object.insert("arguments".to_owned(), parameters);
                }
                function
            }));
        }
        let text = json!({"app": apps.join(" and "), "states": states, "actions": functions}).to_string();
        match Vocabulary::from_json(&Source::new("variables and functions", text), self.limits) {
            Ok(vocabulary) => Some(vocabulary),
            Err(problems) => {
                // Located as far as that goes: in one of the lists.
                let lists = nodes.iter().filter_map(|app| app.get("variables").or(app.get("functions")));
                let span = lists.map(|list| list.span).next().unwrap_or(node.span);
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

    fn initial(
        &mut self,
        node: &Node,
        state: Option<StateId>,
        vocabulary: &Vocabulary,
    ) -> Vec<(VariableId, Option<Value>)> {
        let mut initial = Vec::new();
        let Some(state) = state else { return initial };
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

    fn transition(&mut self, node: &Node, scope: &Scope<'_>) -> Option<Transition> {
        self.keys(node, "a transition", TRANSITION_KEYS);
        node.as_object()?;
        let what = "a transition";
        let vocabulary = scope.vocabulary;
        let mut page = |key: &str| {
            let (name, span) = self.text(node, key, what)?;
            self.page(scope.pages, &format!("{}{name}", scope.prefix), span)
        };
        let (from, to) = (page("from"), page("to"));
        // Guards are on the app that is left, updates on the app that is entered.
        let state = |page: Option<PageId>| {
            let page = page.and_then(|page| scope.of_pages.get(page.index()));
            Model::state_name(scope.apps, page.map_or(0, |page| page.app))
        };
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
        let guard = self.constraints(node, "guard", state(from), vocabulary);
        let update = self.constraints(node, "update", state(to), vocabulary);
        let update = update.map_or_else(Vec::new, |specification| self.assignments(node, &specification));
        Some(Transition {
            from: from?,
            to: to?,
            event,
            function,
            guard,
            guard_text: self.text_or(node, "guard"),
            guard_span: node.get("guard").map_or(node.span, |guard| guard.span),
            update,
            update_text: self.text_or(node, "update"),
            cost: self.number(node, "cost", 1).clamp(1, u64::from(u32::MAX)).try_into().unwrap_or(u32::MAX),
            origin: self.origin(node),
            count: self.number(node, "count", 0),
            link: self.link(node, scope),
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
        state: &str,
        vocabulary: &Arc<Vocabulary>,
    ) -> Option<Arc<Specification>> {
        let value = node.get(key)?;
        let text = self.keep(value.string(&format!("`{key}`")).map(str::to_owned))?;
        if text.trim().is_empty() {
            return None;
        }
        let before = format!("{state}(");
        let rule = Source::new(key, format!("{before}{text}) -> Done\n"));
        match check::specification(&rule, vocabulary, self.limits) {
            Ok(checked) if is_condition(&checked.specification) => Some(Arc::new(checked.specification)),
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
