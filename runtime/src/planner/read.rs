//! Models from our JSON form.
//!
//! What transitions say of the gate's vocabulary is read as it is written; it is checked where that vocabulary
//! is known.

mod constraints;
mod link;
mod vocabulary;

use super::Model;
use super::model::{Origin, Page, PageId, Transition};
use intentgate_engine::check;
use intentgate_engine::diagnostic::{Code, Diagnostic, Label, Problems};
use intentgate_engine::input;
use intentgate_engine::ir::{Rule, Specification};
use intentgate_engine::json::{self, Kind, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{StateId, VariableId, Vocabulary};
use intentgate_engine::span::{Source, Span};
use intentgate_engine::suggest;
use intentgate_engine::value::Value;
use std::collections::HashMap;
use std::ops::RangeInclusive;
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

    /// A name that is not known. What was meant is looked for as long as it is shown: it takes time in proportion to
    /// what is known.
    fn unknown(&mut self, code: Code, span: Span, message: String, meant: impl FnOnce() -> String) {
        let diagnostic = Diagnostic::new(code, span, message);
        let full = self.problems.is_full();
        self.push(if full { diagnostic } else { diagnostic.help(meant()) });
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
        let functions =
            nodes.iter().flat_map(|node| self.list(node, "functions")).map(|one| one.span).collect();
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
        let start = start?;
        Some(Model { app, apps, vocabulary, start, starts, pages, by_name, functions, initial, transitions })
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
            self.unknown(Code::UnknownPage, span, message, || {
                let mut known: Vec<&str> = pages.keys().map(String::as_str).collect();
                known.sort_unstable();
                suggest::known(name, "pages", known)
            });
        }
        found
    }

    /// What is wrong with a text that was checked elsewhere, at its place here; at the whole where that isn't known.
    fn relocate(&mut self, items: &[Diagnostic], whole: Span, place: impl Fn(Span) -> Option<Span>) {
        for item in items {
            let label = |label: &Label| Some(Label { span: place(label.span)?, text: label.text.clone() });
            let text = item.primary.text.clone();
            let primary = label(&item.primary).unwrap_or(Label { span: whole, text });
            let secondary = item.secondary.iter().filter_map(label).collect();
            self.push(Diagnostic { fault: item.fault.clone(), primary, secondary });
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
                self.unknown(Code::UnknownFunction, function.span, message, || {
                    let known: Vec<&str> = vocabulary.actions().map(|(_, action)| action.name()).collect();
                    suggest::known(&name, "functions", known)
                });
            }
            found
        });
        let guard = self.guard(node, state(from), function, scope);
        let update = self.update(node, state(to), function, scope);
        Some(Transition {
            from: from?,
            to: to?,
            event,
            function,
            guard,
            guard_text: self.text_or(node, "guard"),
            span: node.span,
            guard_span: node.get("guard").map_or(node.span, |guard| guard.span),
            update,
            update_text: self.text_or(node, "update"),
            cost: self.cost(node),
            origin: self.origin(node),
            count: self.number(node, "count", 0..=u64::MAX, 0),
            link: self.link(node, scope),
        })
    }

    fn cost(&mut self, node: &Node) -> u32 {
        let cost = self.number(node, "cost", 1..=u64::from(u32::MAX), 1);
        u32::try_from(cost).unwrap_or(u32::MAX)
    }

    /// A whole number of a range.
    fn number(&mut self, node: &Node, key: &str, range: RangeInclusive<u64>, without: u64) -> u64 {
        let Some(value) = node.get(key) else { return without };
        let (least, most) = (range.start(), range.end());
        let digits = match &value.kind {
            Kind::Number(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text,
            _ => {
                let message = format!("`{key}` is a whole number, at least {least}");
                self.push(Diagnostic::new(Code::JsonType, value.span, message));
                return without;
            }
        };
        match digits.parse::<u64>() {
            Ok(number) if range.contains(&number) => number,
            Ok(number) if number < *least => {
                let message = format!("`{key}` is a whole number, at least {least}");
                self.push(Diagnostic::new(Code::JsonType, value.span, message));
                without
            }
            _ => {
                let message = format!("`{key}` is at most {most}, found {}", input::shortened(digits));
                self.push(Diagnostic::new(Code::ValueRange, value.span, message));
                without
            }
        }
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
}
