//! Vocabularies as JSON: our form and every published one in, our form out.
//!
//! Published forms (VeriSafe Agent 4.2.1 and its public code): one state, an array of states, an
//! object keyed by state names. Knows which declarations there are and what they may hold; must never let one be
//! dropped silently.

mod names;
mod variable;
mod write;

use super::{
    ActionId, CriticalAction, StateId, StateSchema, Step, Variable, VariableId, Vocabulary, near_keys,
    next_identity,
};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::json::{self, Kind, Member, Node};
use crate::limits::Limits;
use crate::span::{Source, Span};
use crate::suggest;
use crate::text::normal;
use crate::value::Text;
use hashbrown::HashMap;
use std::sync::OnceLock;

const APP_KEYS: &[&str] = &["app", "description", "states", "actions", "steps", "closed"];
const STATE_KEYS: &[&str] = &["name", "description", "variables"];
const KEYED_STATE_KEYS: &[&str] = &["description", "variables", "key_arg_name"];
const ACTION_KEYS: &[&str] = &["name", "description", "arguments"];
impl Vocabulary {
    /// Reads a vocabulary in our form or a published one.
    ///
    /// # Errors
    /// Everything that is wrong with it, in the order of the text.
    pub fn from_json(source: &Source, limits: &Limits) -> Result<Vocabulary, Problems> {
        let document = json::parse(source, limits)?;
        let mut builder = Builder::new(source.clone(), limits);
        builder.document(&document);
        builder.finish(&document)
    }
}

/// What resets a variable, as it is written.
type Resets = Vec<(String, Span)>;

/// Collects declarations and problems; nothing is dropped silently.
struct Builder<'a> {
    problems: Problems,
    limits: &'a Limits,
    vocabulary: Vocabulary,
    /// Where a name was declared, by what must differ: the folded skeleton.
    names: HashMap<String, (String, Span)>,
    /// `reset_by` entries, resolved at the end.
    resets: Vec<(VariableId, Resets)>,
}

impl<'a> Builder<'a> {
    fn new(source: Source, limits: &'a Limits) -> Builder<'a> {
        Builder {
            problems: Problems::new(source),
            limits,
            vocabulary: Vocabulary {
                identity: next_identity(),
                hash: OnceLock::new(),
                app: String::new(),
                states: Vec::new(),
                variables: Vec::new(),
                actions: Vec::new(),
                steps: Vec::new(),
                closed: false,
                state_names: HashMap::new(),
                near_names: HashMap::new(),
                resets: HashMap::new(),
                aging: Vec::new(),
            },
            names: HashMap::new(),
            resets: Vec::new(),
        }
    }

    fn report<T>(&mut self, read: Result<T, Diagnostic>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(diagnostic) => {
                self.problems.push(diagnostic);
                None
            }
        }
    }

    fn document(&mut self, document: &Node) {
        match &document.kind {
            Kind::Array(states) => states.iter().for_each(|state| self.state(state)),
            Kind::Object(members) => {
                let own =
                    members.iter().any(|m| matches!(m.key.as_str(), "states" | "actions" | "app" | "steps"));
                let keyed =
                    |node: &Node| node.get("variables").is_some() || node.get("description").is_some();
                if own {
                    self.app(document);
                } else if document.get("name").is_some_and(|name| name.as_str().is_some()) {
                    self.state(document);
                } else if !members.is_empty() && members.iter().all(|member| keyed(&member.value)) {
                    self.keyed_states(members);
                } else {
                    self.app(document);
                }
            }
            _ => self.problems.push(document.unexpected("a vocabulary", "an object or an array of states")),
        }
    }

    fn app(&mut self, node: &Node) {
        self.unknown_keys(node, APP_KEYS);
        if let Some(app) = node.get("app")
            && let Some(app) = self.report(app.string("`app`"))
        {
            self.vocabulary.app = normal::nfc(app).into_owned();
        }
        if let Some(text) = node.get("description") {
            self.report(text.string("`description`"));
        }
        if let Some(closed) = node.get("closed") {
            self.vocabulary.closed = self.report(closed.boolean("`closed`")).unwrap_or(false);
        }
        match node.get("states").map(|states| &states.kind) {
            Some(Kind::Object(members)) => self.keyed_states(members),
            _ => self.list(node, "states").iter().for_each(|state| self.state(state)),
        }
        self.list(node, "actions").iter().for_each(|action| self.action(action));
        self.list(node, "steps").iter().for_each(|step| self.step(step));
    }

    /// The elements of a list; none where it is left out, or is something else.
    fn list<'n>(&mut self, node: &'n Node, key: &str) -> &'n [Node] {
        let list = node.get(key).and_then(|list| self.report(list.array(&format!("`{key}`"))));
        list.unwrap_or_default()
    }

    fn unknown_keys(&mut self, node: &Node, allowed: &[&str]) {
        for member in node.as_object().unwrap_or(&[]) {
            if !allowed.contains(&member.key.as_str()) {
                self.problems.push(member.unknown(allowed));
            }
        }
    }

    fn name<'n>(&mut self, node: &'n Node, what: &str) -> Option<(&'n str, Span)> {
        let Some(name) = node.get("name") else {
            let message = format!("{what} needs the key `name`");
            self.problems.push(Diagnostic::new(Code::MissingKey, node.span, message));
            return None;
        };
        let text = self.report(name.string("`name`"))?;
        Some((text, name.span))
    }

    fn description(&mut self, node: &Node) -> String {
        node.get("description")
            .and_then(|text| self.report(text.string("`description`")))
            .unwrap_or_default()
            .to_owned()
    }

    fn state(&mut self, node: &Node) {
        if self.report(node.object("a state")).is_none() {
            return;
        }
        self.unknown_keys(node, STATE_KEYS);
        if let Some((name, span)) = self.name(node, "a state") {
            self.state_named(name, span, node);
        }
    }

    fn state_named(&mut self, name: &str, span: Span, node: &Node) {
        if self.report(node.object("a state")).is_none() {
            return;
        }
        self.declare_name(name, span, "");
        let description = self.description(node);
        let state = self.group(name, description, node, "variables", None);
        if let Some(key) = node.get("key_arg_name")
            && let Some(text) = self.report(key.string("`key_arg_name`"))
            && let Some(state) = state
            && self.vocabulary.find_variable(state, text).is_none()
        {
            let message = format!("`key_arg_name` names no variable of `{name}`");
            self.problems.push(Diagnostic::new(Code::UnknownVariable, key.span, message));
        }
        if node.get("variables").is_none() {
            let message = format!("the state `{name}` needs the key `variables`");
            self.problems.push(Diagnostic::new(Code::MissingKey, node.span, message));
        }
    }

    /// States by their names.
    fn keyed_states(&mut self, members: &[Member]) {
        for member in members {
            self.unknown_keys(&member.value, KEYED_STATE_KEYS);
            self.state_named(&member.key, member.key_span, &member.value);
        }
    }

    /// The name and the description of an action or a step, which may be a name alone.
    fn head<'n>(&mut self, node: &'n Node, what: &str, wanted: &str) -> Option<(&'n str, Span, String)> {
        match &node.kind {
            Kind::String(name) => Some((name, node.span, String::new())),
            Kind::Object(_) => {
                self.unknown_keys(node, ACTION_KEYS);
                let (name, span) = self.name(node, what)?;
                Some((name, span, self.description(node)))
            }
            _ => self.report(Err(node.unexpected(what, wanted))),
        }
    }

    fn action(&mut self, node: &Node) {
        let head = self.head(node, "an action", "a text or an object with a `name`");
        let Some((name, span, description)) = head else { return };
        self.declare_name(name, span, "");
        let Ok(id) = u32::try_from(self.vocabulary.actions.len()).map(ActionId) else { return };
        if let Some(state) = self.group(name, description.clone(), node, "arguments", Some(id)) {
            self.vocabulary.actions.push(CriticalAction { name: Text::new(name), description, state });
            for key in near_keys(name) {
                self.vocabulary.near_names.insert(key, id);
            }
        }
    }

    fn step(&mut self, node: &Node) {
        let head = self.head(node, "a step", "a text or an object with a `name`");
        let Some((name, span, description)) = head else { return };
        if normal::bare(name).is_empty() {
            let message = format!("the name `{name}` of a step has no letters");
            self.problems.push(Diagnostic::new(Code::BadName, span, message));
        }
        if let Some(action) = self.vocabulary.near_action(name) {
            let action = self.vocabulary.action(action).name().to_owned();
            self.problems.push(
                Diagnostic::new(Code::NamesTooAlike, span, format!("the step `{name}` is nearly `{action}`"))
                    .help(format!("`{action}` is a critical action; the gate would block this step")),
            );
        }
        self.unlike("step ", name, span);
        let mut arguments = Vec::new();
        let scope = format!("step {name}.");
        for argument in self.list(node, "arguments") {
            if let Some((argument, _)) = self.variable(argument, StateId(u32::MAX), &scope, true) {
                arguments.push((argument.name, argument.kind, argument.optional));
            }
        }
        self.vocabulary.steps.push(Step { name: Text::new(name), description, arguments });
    }

    /// Declares a state, or the arguments of an action.
    fn group(
        &mut self,
        name: &str,
        description: String,
        node: &Node,
        key: &str,
        action: Option<ActionId>,
    ) -> Option<StateId> {
        let id = StateId(u32::try_from(self.vocabulary.states.len()).ok()?);
        let first = u32::try_from(self.vocabulary.variables.len()).ok()?;
        let scope = format!("{name}.");
        for variable in self.list(node, key) {
            if let Some((variable, resets)) = self.variable(variable, id, &scope, action.is_some()) {
                let id = VariableId(u32::try_from(self.vocabulary.variables.len()).ok()?);
                if variable.max_age.is_some() {
                    self.vocabulary.aging.push(id);
                }
                self.resets.push((id, resets));
                self.vocabulary.variables.push(variable);
            }
        }
        let end = u32::try_from(self.vocabulary.variables.len()).ok()?;
        let mut by_name: Vec<u32> = (first..end).collect();
        let name_of = |id: &u32| self.vocabulary.variables.get(*id as usize).map(Variable::name);
        by_name.sort_by(|a, b| name_of(a).cmp(&name_of(b)));
        let name = Text::new(name);
        let schema =
            StateSchema { name: name.clone(), description, first, count: end - first, by_name, action };
        self.vocabulary.states.push(schema);
        self.vocabulary.state_names.insert(name, id);
        Some(id)
    }

    fn finish(mut self, document: &Node) -> Result<Vocabulary, Problems> {
        for (id, names) in std::mem::take(&mut self.resets) {
            for (path, span) in names {
                match self.vocabulary.find_path(&path) {
                    Some(by) if by != id => {
                        self.vocabulary.resets.entry(by).or_default().push(id);
                        if let Some(variable) = self.vocabulary.variables.get_mut(id.index()) {
                            variable.reset_by.push(by);
                        }
                    }
                    Some(_) => {
                        let message = format!("`{path}` can't reset itself");
                        self.problems.push(Diagnostic::new(Code::BadReset, span, message));
                    }
                    None => {
                        let paths: Vec<String> =
                            self.vocabulary.variables().map(|(id, _)| self.vocabulary.path(id)).collect();
                        let help = suggest::known(&path, "variables", paths.iter().map(String::as_str));
                        let message = format!("there is no variable `{path}`");
                        self.problems.push(Diagnostic::new(Code::BadReset, span, message).help(help));
                    }
                }
            }
        }
        if self.problems.is_empty() && self.vocabulary.states.is_empty() && self.vocabulary.actions.is_empty()
        {
            self.problems.push(
                Diagnostic::new(Code::EmptyVocabulary, document.span, "the vocabulary declares nothing")
                    .help("declare states under `states` and critical actions under `actions`"),
            );
        }
        self.problems.sort();
        if self.problems.is_empty() { Ok(self.vocabulary) } else { Err(self.problems) }
    }
}
