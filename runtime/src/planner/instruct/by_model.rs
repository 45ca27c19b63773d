//! Sentences by a language model (SPlanner, section 3.2), every word of its answer checked.

use super::by_words::add;
use super::{Aim, AppStep, Fallback, Misunderstood, ParseError, Parsed, Parser, Parsing, What};
use crate::language_model::ask::{AskError, TRIES, ask};
use crate::language_model::{LanguageModel, Request, fence, json};
use crate::planner::{Call, Model};
use chrono::NaiveDate;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::input::json_value;
use intentgate_engine::json::Node;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{Variable, VariableType};
use intentgate_engine::suggest;
use intentgate_engine::text::normal;
use intentgate_engine::value::Value;
use serde_json::json as value;
use std::fmt::Write;

/// Asks a language model for the apps of a sentence and, for each, the functions with their arguments, in order.
///
/// The answer is checked against the models: unknown apps, functions, pages and parameters, missing and ill-typed
/// arguments go back as feedback. An app without functions is the published fallback: the sentence itself is what is
/// done there. What the sentence doesn't say in so many words is listed in [`Parsed::inferred`].
#[derive(Debug, Clone)]
pub struct ByModel<M> {
    model: M,
    tries: usize,
    today: Option<NaiveDate>,
}

impl<M: LanguageModel> ByModel<M> {
    /// Asks a model.
    pub fn new(model: M) -> ByModel<M> {
        ByModel { model, tries: TRIES, today: None }
    }

    /// Asks so often, at most.
    #[must_use]
    pub fn tries(mut self, tries: usize) -> ByModel<M> {
        self.tries = tries;
        self
    }

    /// With the day that `today` is.
    #[must_use]
    pub fn today(mut self, today: NaiveDate) -> ByModel<M> {
        self.today = Some(today);
        self
    }

    async fn read(&self, sentence: &str, models: &[&Model]) -> Result<Parsed, ParseError> {
        let request = self.request(sentence, models);
        let check = |answer: &str| {
            let mut reader =
                Reader { models, sentence, today: self.today, wrong: Vec::new(), inferred: Vec::new() };
            let steps = reader.steps(&json(answer)?);
            if reader.wrong.is_empty() { Ok((steps, reader.inferred)) } else { Err(reader.wrong.join("\n")) }
        };
        let misunderstood = |fault: Fault, transcript| {
            let fallback = Fallback { sentence: sentence.to_owned(), apps: Vec::new() };
            let transcript = Some(Box::new(transcript));
            ParseError::Misunderstood(Box::new(Misunderstood { faults: vec![fault], fallback, transcript }))
        };
        match ask(&self.model, request, self.tries, check).await {
            Ok(((steps, _), transcript)) if steps.is_empty() => {
                let fault = Fault::new(Code::NothingFits, "no app fits the sentence");
                Err(misunderstood(fault, transcript))
            }
            Ok(((steps, inferred), transcript)) => {
                Ok(Parsed { steps, inferred, transcript: Some(transcript) })
            }
            Err(AskError::Unusable { tries, feedback, transcript }) => {
                let message = format!("the language model's answers can't be used, {tries} of them");
                Err(misunderstood(Fault::new(Code::NothingFits, message).help(feedback), *transcript))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn request(&self, sentence: &str, models: &[&Model]) -> Request {
        let system = format!(
            "You read a user's instruction for mobile apps: which of the apps are needed, in which order, and which of \
             their functions carry it out, in which order. Only functions that are listed exist. Every parameter needs \
             a value that the instruction gives. If no function of an app fits, list the app with no functions; if no \
             app fits, list none.\n{}",
            fence::RULE
        );
        let mut user = String::from("The apps:\n");
        models.iter().for_each(|model| describe(model, &mut user));
        if let Some(today) = self.today {
            let _ = writeln!(user, "\nToday is {}.", today.format("%Y-%m-%d, a %A"));
        }
        let _ = write!(
            user,
            "\nThe instruction:\n{}\n\nAnswer with JSON only, like:\n{{\"apps\": [{{\"app\": \"…\", \"steps\": \
             [{{\"function\": \"…\", \"arguments\": {{\"…\": …}}}}, {{\"page\": \"…\"}}]}}]}}\nA step with a `page` goes \
             to that page. Dates are written 2026-11-21, times 19:00, numbers without units.",
            fence::Fenced::new("instruction", sentence, fence::LIMIT)
        );
        Request::new().system(system).user(user).schema("instruction", schema()).temperature(0.0)
    }
}

fn describe(model: &Model, text: &mut String) {
    let quoted = |text: &str| fence::quoted(text, 300);
    let about = |description: &str| match description {
        "" => String::new(),
        description => format!(": {}", quoted(description)),
    };
    let _ = writeln!(text, "app {}", quoted(model.app()));
    for (_, page) in model.pages() {
        let _ = writeln!(text, "  page {}{}", quoted(page.name()), about(page.description()));
    }
    let vocabulary = model.vocabulary();
    for (_, function) in vocabulary.actions() {
        let _ = writeln!(text, "  function {}{}", quoted(function.name()), about(function.description()));
        for id in vocabulary.state(function.arguments()).variables() {
            let parameter = vocabulary.variable(id);
            let kind = match parameter.variable_type() {
                VariableType::Enum(enumeration) => {
                    let names: Vec<String> = enumeration.names().map(quoted).collect();
                    format!("one of {}", names.join(", "))
                }
                other => other.kind().to_string(),
            };
            let (name, about) = (quoted(parameter.name()), about(parameter.description()));
            let _ = writeln!(text, "    parameter {name}, {kind}{about}");
        }
    }
}

fn schema() -> serde_json::Value {
    let step = value!({
        "type": "object",
        "properties": {"function": {"type": "string"}, "arguments": {"type": "object"}, "page": {"type": "string"}},
        "additionalProperties": false,
    });
    let app = value!({
        "type": "object",
        "properties": {"app": {"type": "string"}, "steps": {"type": "array", "items": step}},
        "required": ["app", "steps"],
        "additionalProperties": false,
    });
    value!({
        "type": "object",
        "properties": {"apps": {"type": "array", "items": app}},
        "required": ["apps"],
        "additionalProperties": false,
    })
}

/// Checks an answer; all that is wrong is kept.
struct Reader<'a> {
    models: &'a [&'a Model],
    sentence: &'a str,
    today: Option<NaiveDate>,
    wrong: Vec<String>,
    inferred: Vec<String>,
}

impl Reader<'_> {
    fn steps(&mut self, node: &Node) -> Vec<AppStep> {
        let mut steps: Vec<AppStep> = Vec::new();
        self.keys(node, &["apps"]);
        for app in self.list(node, "apps").to_vec() {
            self.keys(&app, &["app", "steps"]);
            let Some(name) = self.text(&app, "app") else { continue };
            let Some(at) = self.models.iter().position(|model| model.app() == name) else {
                let known = suggest::known(&name, "apps", self.models.iter().map(|model| model.app()));
                self.wrong.push(format!("there is no app {}; {known}", fence::quoted(&name, 60)));
                continue;
            };
            let Some(model) = self.models.get(at) else { continue };
            let aims = self.list(&app, "steps").to_vec();
            if aims.is_empty() {
                steps.push(AppStep { model: at, app: model.app().to_owned(), aims: Vec::new() });
            }
            for aim in aims {
                if let Some(what) = self.what(&aim, model) {
                    let aim = Aim { what, said: self.sentence.to_owned(), confidence: None };
                    add(&mut steps, at, self.models, aim);
                }
            }
        }
        steps
    }

    fn what(&mut self, node: &Node, model: &Model) -> Option<What> {
        self.keys(node, &["function", "arguments", "page"]);
        match (node.get("function").is_some(), node.get("page").is_some()) {
            (true, false) => self.call(node, model).map(What::Call),
            (false, true) => {
                let name = self.text(node, "page")?;
                let page = model.find_page(&name);
                if page.is_none() {
                    let known = suggest::known(
                        &name,
                        "pages",
                        model.pages().map(|(_, page)| page.name()).collect::<Vec<_>>(),
                    );
                    self.wrong.push(format!("there is no page {}; {known}", fence::quoted(&name, 60)));
                }
                Some(What::Page(page?, name))
            }
            _ => {
                self.wrong.push("a step has either a `function` or a `page`".to_owned());
                None
            }
        }
    }

    fn call(&mut self, node: &Node, model: &Model) -> Option<Call> {
        let name = self.text(node, "function")?;
        let vocabulary = model.vocabulary();
        let Some(id) = vocabulary.find_action(&name) else {
            let known: Vec<&str> = vocabulary.actions().map(|(_, function)| function.name()).collect();
            let known = suggest::known(&name, "functions", known);
            self.wrong.push(format!("the app has no function {}; {known}", fence::quoted(&name, 60)));
            return None;
        };
        let state = vocabulary.state(vocabulary.action(id).arguments());
        let parameters: Vec<&Variable> = state.variables().map(|id| vocabulary.variable(id)).collect();
        let arguments = node.get("arguments");
        let given = arguments.and_then(Node::as_object).unwrap_or_default();
        if arguments.is_some_and(|node| node.as_object().is_none()) {
            self.wrong.push("`arguments` must be an object".to_owned());
        }
        for member in given.iter().filter(|member| !parameters.iter().any(|one| one.name() == member.key)) {
            let known = suggest::known(&member.key, "parameters", parameters.iter().map(|one| one.name()));
            self.wrong.push(format!("`{name}` has no parameter {}; {known}", fence::quoted(&member.key, 60)));
        }
        let mut call = Call::new(&name);
        for parameter in parameters {
            let node = given.iter().find(|member| member.key == parameter.name()).map(|member| &member.value);
            let kind = parameter.variable_type();
            let read =
                node.map(|node| json_value(node, parameter.name(), kind, self.today, &Limits::default()));
            match read {
                Some(Ok(Some(value))) => {
                    if !is_said(self.sentence, parameter, &value) {
                        self.inferred.push(format!("{name}.{}", parameter.name()));
                    }
                    call = call.with(parameter.name(), value);
                }
                Some(Err(fault)) => {
                    self.wrong.push(format!("`{name}`: {} ({})", fault.message, fault.help.join("; ")));
                }
                Some(Ok(None)) | None => {
                    self.wrong.push(format!("`{name}` needs a value for `{}`", parameter.name()));
                }
            }
        }
        Some(call)
    }

    fn keys(&mut self, node: &Node, known: &[&str]) {
        let Some(members) = node.as_object() else {
            self.wrong.push(format!(
                "there has to be an object with {}, not {}",
                known.join(", "),
                node.describe()
            ));
            return;
        };
        for member in members.iter().filter(|member| !known.contains(&member.key.as_str())) {
            self.wrong.push(format!("unknown key {}", fence::quoted(&member.key, 60)));
        }
    }

    fn list<'n>(&mut self, node: &'n Node, key: &str) -> &'n [Node] {
        match node.get(key).map(|list| list.array(&format!("`{key}`"))) {
            Some(Ok(list)) => list,
            Some(Err(wrong)) => {
                self.wrong.push(wrong.fault.message.clone());
                &[]
            }
            None => {
                self.wrong.push(format!("`{key}` is missing"));
                &[]
            }
        }
    }

    fn text(&mut self, node: &Node, key: &str) -> Option<String> {
        match node.get(key).and_then(Node::as_str) {
            Some(text) => Some(text.to_owned()),
            None => {
                self.wrong.push(format!("`{key}` must be a text"));
                None
            }
        }
    }
}

/// A call of a function as a language model writes it, `{"function": …, "arguments": {…}}`.
///
/// # Errors
/// What is wrong with it, for the model.
pub(crate) fn read_call(node: &Node, sentence: &str, model: &Model) -> Result<Call, String> {
    let mut reader =
        Reader { models: &[model], sentence, today: None, wrong: Vec::new(), inferred: Vec::new() };
    match (reader.call(node, model), reader.wrong.as_slice()) {
        (Some(call), []) => Ok(call),
        (_, wrong) => Err(wrong.join("\n")),
    }
}

/// Whether a sentence says a value in so many words; of truth, whether it names what is true.
fn is_said(sentence: &str, parameter: &Variable, value: &Value) -> bool {
    let sentence = normal::fold(sentence);
    let says = |text: &str| normal::occurs(&normal::fold(text), &sentence);
    match value {
        Value::Text(text) => says(text.as_str()),
        Value::Enum(enumerator) => says(enumerator.name()),
        Value::Boolean(_) => says(parameter.name()),
        other => says(&other.to_string()),
    }
}

impl<M: LanguageModel> Parser for ByModel<M> {
    fn parse<'a>(&'a self, sentence: &'a str, models: &'a [&'a Model]) -> Parsing<'a> {
        Box::pin(self.read(sentence, models))
    }
}
