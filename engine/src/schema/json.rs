//! Vocabularies as JSON: our form and every published one in, our form out.
//!
//! Published forms (VeriSafe Agent 4.2.1 and its public code): one state, an array of states, an
//! object keyed by state names.

use super::{
    ActionId, CriticalAction, Enumeration, MaxAge, StateId, StateSchema, Step, Variable, VariableId,
    VariableType, Vocabulary, declare, near_keys, next_identity,
};
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::json::{self, Kind, Node};
use crate::limits::Limits;
use crate::span::{Source, Span};
use crate::suggest;
use crate::text::{lookalike, normal};
use crate::value::{Text, is_name};
use hashbrown::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const APP_KEYS: &[&str] = &["app", "description", "states", "actions", "steps", "closed"];
const STATE_KEYS: &[&str] = &["name", "description", "variables"];
const KEYED_STATE_KEYS: &[&str] = &["description", "variables", "key_arg_name"];
const ACTION_KEYS: &[&str] = &["name", "description", "arguments"];
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

    /// The vocabulary in our JSON form, canonical: the same vocabulary has the same bytes.
    pub fn to_json(&self) -> String {
        // Plain data with text keys: writing it can't fail.
        serde_json::to_string_pretty(&self.declaration()).unwrap_or_default()
    }

    /// The vocabulary as a declaration.
    pub fn declaration(&self) -> declare::App {
        let variables = |state: StateId| self.state(state).variables().map(|id| self.declared(id)).collect();
        declare::App {
            app: self.app.clone(),
            states: self
                .states()
                .filter(|(_, state)| state.action.is_none())
                .map(|(id, state)| declare::State {
                    name: state.name().to_owned(),
                    description: state.description.clone(),
                    variables: variables(id),
                })
                .collect(),
            actions: self
                .actions
                .iter()
                .map(|action| declare::Action {
                    name: action.name().to_owned(),
                    description: action.description.clone(),
                    arguments: variables(action.state),
                })
                .collect(),
            steps: self
                .steps
                .iter()
                .map(|step| declare::Action {
                    name: step.name().to_owned(),
                    description: step.description.clone(),
                    arguments: step
                        .arguments
                        .iter()
                        .map(|(name, kind, optional)| declare::Variable {
                            optional: *optional,
                            ..typed(name.as_str(), kind)
                        })
                        .collect(),
                })
                .collect(),
            closed: self.closed,
        }
    }

    fn declared(&self, id: VariableId) -> declare::Variable {
        let variable = self.variable(id);
        declare::Variable {
            description: variable.description.clone(),
            ignore_case: variable.ignore_case,
            source: variable.app_only.then(|| "app".to_owned()),
            max_age: variable.max_age.map(|age| match age {
                MaxAge::Epochs(epochs) => serde_json::json!(epochs),
                MaxAge::Time(time) => serde_json::json!(format!("{}s", time.as_secs())),
            }),
            reset_by: variable.reset_by.iter().map(|id| self.path(*id)).collect(),
            optional: variable.optional,
            ..typed(variable.name(), &variable.kind)
        }
    }
}

fn typed(name: &str, kind: &VariableType) -> declare::Variable {
    let mut variable = declare::Variable::new(name, kind.kind().to_string());
    if let VariableType::Enum(enumeration) = kind {
        variable.values = enumeration.names().map(str::to_owned).collect();
        variable.ordered = enumeration.ordered;
    }
    variable
}

/// Collects declarations and problems; nothing is dropped silently.
struct Builder<'a> {
    problems: Problems,
    limits: &'a Limits,
    vocabulary: Vocabulary,
    /// Where a name was declared, by what must differ: the folded skeleton.
    names: HashMap<String, (String, Span)>,
    /// `reset_by` entries, resolved at the end.
    resets: Vec<(VariableId, Vec<(String, Span)>)>,
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
                    for member in members {
                        self.unknown_keys(&member.value, KEYED_STATE_KEYS);
                        self.state_named(&member.key, member.key_span, &member.value);
                    }
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
            Some(Kind::Object(members)) => {
                for member in members {
                    self.unknown_keys(&member.value, KEYED_STATE_KEYS);
                    self.state_named(&member.key, member.key_span, &member.value);
                }
            }
            _ => self.each(node, "states", Builder::state),
        }
        self.each(node, "actions", Builder::action);
        self.each(node, "steps", Builder::step);
    }

    fn each(&mut self, node: &Node, key: &str, read: impl Fn(&mut Self, &Node)) {
        if let Some(list) = node.get(key)
            && let Some(list) = self.report(list.array(&format!("`{key}`")))
        {
            list.iter().for_each(|element| read(self, element));
        }
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

    fn action(&mut self, node: &Node) {
        let (name, span, description) = match &node.kind {
            Kind::String(name) => (name.as_str(), node.span, String::new()),
            Kind::Object(_) => {
                self.unknown_keys(node, ACTION_KEYS);
                let Some((name, span)) = self.name(node, "an action") else { return };
                (name, span, self.description(node))
            }
            _ => return self.problems.push(node.unexpected("an action", "an object with a `name`")),
        };
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
        let (name, span, description) = match &node.kind {
            Kind::String(name) => (name.as_str(), node.span, String::new()),
            Kind::Object(_) => {
                self.unknown_keys(node, ACTION_KEYS);
                let Some((name, span)) = self.name(node, "a step") else { return };
                (name, span, self.description(node))
            }
            _ => return self.problems.push(node.unexpected("a step", "a text or an object with a `name`")),
        };
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
        if let Some(list) = node.get("arguments")
            && let Some(list) = self.report(list.array("`arguments`"))
        {
            let scope = format!("step {name}.");
            for argument in list {
                if let Some(variable) = self.variable(argument, StateId(u32::MAX), &scope, true) {
                    arguments.push((variable.0.name, variable.0.kind, variable.0.optional));
                }
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
        if let Some(list) = node.get(key)
            && let Some(list) = self.report(list.array(&format!("`{key}`")))
        {
            let scope = format!("{name}.");
            for variable in list {
                if let Some((variable, resets)) = self.variable(variable, id, &scope, action.is_some()) {
                    let id = VariableId(u32::try_from(self.vocabulary.variables.len()).ok()?);
                    if variable.max_age.is_some() {
                        self.vocabulary.aging.push(id);
                    }
                    self.resets.push((id, resets));
                    self.vocabulary.variables.push(variable);
                }
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

    fn variable(
        &mut self,
        node: &Node,
        state: StateId,
        scope: &str,
        argument: bool,
    ) -> Option<(Variable, Vec<(String, Span)>)> {
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
            description: attribute("description")
                .and_then(|text| self.report(text.string("`description`")))
                .unwrap_or_default()
                .to_owned(),
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

    /// Checks and registers the name of a state or a critical action.
    fn declare_name(&mut self, name: &str, span: Span, scope: &str) {
        self.check_name(name, span);
        if matches!(normal::bare(name).as_str(), "done" | "never") {
            self.problems.push(
                Diagnostic::new(Code::ReservedName, span, format!("`{name}` is a reserved name"))
                    .help("`Done` and `Never` are heads of rules, in any case"),
            );
        }
        if matches!(name, "and" | "not") {
            self.problems.push(
                Diagnostic::new(Code::ReservedName, span, format!("`{name}` is a word of the language"))
                    .help("variables may be called so, states and actions not"),
            );
        }
        self.unlike(scope, name, span);
    }

    fn check_name(&mut self, name: &str, span: Span) {
        if is_name(normal::nfc(name).as_ref()) {
            if name.len() > self.limits.text {
                let message = format!("a name of {} bytes; the limit is {}", name.len(), self.limits.text);
                self.problems.push(Diagnostic::new(Code::TextTooLong, span, message));
            }
            return;
        }
        let mut diagnostic = Diagnostic::new(Code::BadName, span, format!("`{name}` is not a name"));
        diagnostic = match usable_name(name) {
            Some(usable) => diagnostic.help(format!("did you mean `{usable}`?")),
            None => {
                diagnostic.help("a name starts with a letter or `_` and goes on with letters, digits and `_`")
            }
        };
        self.problems.push(diagnostic);
    }

    /// Two names of one scope must not differ in case alone, nor look alike.
    fn unlike(&mut self, scope: &str, name: &str, span: Span) {
        let key = format!("{scope}{}", lookalike::distinct(name));
        if let Some((first, first_span)) = self.names.get(&key) {
            let (code, message) = if normal::nfc(first) == normal::nfc(name) {
                (Code::DuplicateName, format!("`{name}` is declared twice"))
            } else {
                (Code::NamesTooAlike, format!("`{first}` and `{name}` differ only in case or look alike"))
            };
            let diagnostic = Diagnostic::new(code, span, message).also(*first_span, "first here");
            self.problems.push(diagnostic.help("give one of them another name"));
        } else {
            self.names.insert(key, (name.to_owned(), span));
        }
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

/// A name made of a text that is none, if letters are left.
fn usable_name(text: &str) -> Option<String> {
    let mut name = String::new();
    let mut gap = false;
    for c in normal::nfc(text).chars() {
        if if name.is_empty() { crate::value::is_name_start(c) } else { crate::value::is_name_continue(c) } {
            if gap && !name.is_empty() {
                name.push('_');
            }
            gap = false;
            name.push(c);
        } else {
            gap = true;
        }
    }
    is_name(&name).then_some(name)
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
