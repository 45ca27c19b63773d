//! A sentence in sub-tasks, each with its reason (Agent-SAMA, planner agent), every aim checked against the model.
//!
//! Knows models and language models, nothing of devices and gates. Where no division can be used the sentence is one
//! sub-task: nothing of it gets lost.

use super::{Aim, SubTask, Task};
use crate::language_model::ask::{TRIES, Transcript, ask};
use crate::language_model::fence::{self, Fenced};
use crate::language_model::{LanguageModel, Request, json};
use crate::planner::instruct::{Parsed, What, read_call};
use crate::planner::{Goal, Model};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::json::Node;
use intentgate_engine::suggest;
use serde_json::json as value;
use std::fmt::Write;

/// Sub-tasks that a task may have.
const MOST: usize = 20;

/// A task in parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Divided {
    /// The task.
    pub task: Task,
    /// Why it has one part only, where its division could not be used.
    pub note: Option<String>,
    /// What was said.
    pub transcript: Transcript,
}

/// Asks a language model for the parts of a task.
#[derive(Debug, Clone)]
pub struct Split<M> {
    model: M,
    tries: usize,
}

impl<M: LanguageModel> Split<M> {
    /// Asks a model.
    pub fn new(model: M) -> Split<M> {
        Split { model, tries: TRIES }
    }

    /// Asks so often, at most.
    #[must_use]
    pub fn tries(mut self, tries: usize) -> Split<M> {
        self.tries = tries;
        self
    }

    /// The parts of a sentence. The last part aims at what the whole is for, `whole`, whatever the model says: a
    /// division doesn't change when a task is done. Where no answer can be used, one part is the whole.
    pub async fn split(&self, sentence: &str, model: &Model, whole: Aim) -> Divided {
        let check = |answer: &str| parts(&json(answer)?, sentence, model);
        match ask(&self.model, request(sentence, model), self.tries, check).await {
            Ok((sub_tasks, transcript)) => {
                let mut task = Task { sentence: sentence.to_owned(), sub_tasks };
                if let (Some(last), true) = (task.sub_tasks.last_mut(), whole != Aim::Open) {
                    last.aim = whole;
                }
                Divided { task, note: None, transcript }
            }
            Err(error) => Divided {
                task: Task::new(sentence, whole),
                note: Some(format!("in one part: {error}")),
                transcript: error.transcript().clone(),
            },
        }
    }
}

impl Task {
    /// A sentence that was understood: its apps and functions in order, on the model of a run, which may be several
    /// apps joined.
    ///
    /// # Errors
    /// A page or a function that the model doesn't have.
    pub fn parsed(sentence: &str, parsed: &Parsed, model: &Model) -> Result<Task, Fault> {
        let mut sub_tasks = Vec::new();
        for step in &parsed.steps {
            if step.aims.is_empty() {
                let words = format!("in {}: {sentence}", step.app);
                sub_tasks.push(SubTask::new(words, "the sentence means this app", Aim::Open));
            }
            for aim in &step.aims {
                let goal = match &aim.what {
                    What::Call(call) => match model.vocabulary().find_action(&call.function) {
                        Some(_) => Goal::Functions(vec![call.clone()]),
                        None => return Err(nothing("function", &call.function)),
                    },
                    What::Page(_, name) => {
                        let page = model.find_page(&format!("{}.{name}", step.app));
                        let page = page.or_else(|| model.find_page(name));
                        Goal::Any(vec![page.ok_or_else(|| nothing("page", name))?])
                    }
                };
                let why = format!("the sentence says {}", fence::quoted(&aim.said, 200));
                sub_tasks.push(SubTask::new(format!("{}: {}", step.app, aim.what), why, Aim::Goal(goal)));
            }
        }
        if sub_tasks.is_empty() {
            return Ok(Task::new(sentence, Aim::Open));
        }
        Ok(Task { sentence: sentence.to_owned(), sub_tasks })
    }
}

fn nothing(what: &str, name: &str) -> Fault {
    Fault::new(Code::NothingFits, format!("the model has no {what} {}", fence::quoted(name, 60)))
}

fn request(sentence: &str, model: &Model) -> Request {
    let system = format!(
        "You divide a user's task in mobile apps into sub-tasks, in the order in which they are done, each with the \
         reason why the task needs it. Don't add anything that the task doesn't ask for. A task that is simple has one \
         sub-task.\nEach sub-task has an aim: {{\"page\": \"…\"}} to get to a page, {{\"function\": \"…\", \
         \"arguments\": {{…}}}} to have a function performed, \"complete\" for the completion of the user's \
         rules, or \"open\" where nothing of this fits.\n{}",
        fence::RULE
    );
    let mut known = String::new();
    for (_, page) in model.pages() {
        let _ = writeln!(known, "page {}: {}", page.name(), page.description());
    }
    let vocabulary = model.vocabulary();
    for (_, function) in vocabulary.actions() {
        let parameters = vocabulary.state(function.arguments()).variables();
        let parameters: Vec<&str> = parameters.map(|id| vocabulary.variable(id).name()).collect();
        let _ = writeln!(
            known,
            "function {}({}): {}",
            function.name(),
            parameters.join(", "),
            function.description()
        );
    }
    let known = Fenced::new("app", known.trim_end(), 10 * fence::LIMIT);
    let user = format!(
        "What is known of the apps:\n{known}\n\nThe task:\n{}\n\nAnswer with JSON only, like:\n{{\"sub_tasks\": \
         [{{\"goal\": \"…\", \"reason\": \"…\", \"aim\": {{\"page\": \"…\"}}}}]}}",
        Fenced::new("task", sentence, fence::LIMIT)
    );
    let aim = value!({"anyOf": [{"enum": ["complete", "open"]}, {"type": "object"}]});
    let part = value!({
        "type": "object", "additionalProperties": false, "required": ["goal", "reason", "aim"],
        "properties": {"goal": {"type": "string"}, "reason": {"type": "string"}, "aim": aim},
    });
    let schema = value!({
        "type": "object", "additionalProperties": false, "required": ["sub_tasks"],
        "properties": {"sub_tasks": {"type": "array", "minItems": 1, "maxItems": MOST, "items": part}},
    });
    Request::new().system(system).user(user).schema("sub_tasks", schema).temperature(0.0)
}

fn parts(answer: &Node, sentence: &str, model: &Model) -> Result<Vec<SubTask>, String> {
    let list = answer.get("sub_tasks").and_then(|list| list.array("`sub_tasks`").ok());
    let list = list.ok_or("there has to be an object with the list `sub_tasks`")?;
    if list.is_empty() || list.len() > MOST {
        return Err(format!("there have to be 1 to {MOST} sub-tasks, not {}", list.len()));
    }
    let (mut parts, mut wrong) = (Vec::new(), Vec::new());
    for (number, node) in list.iter().enumerate() {
        let said = |key: &str| {
            let text = node.get(key).and_then(Node::as_str).map(str::trim).filter(|text| !text.is_empty());
            text.map(str::to_owned).ok_or_else(|| format!("sub-task {} needs a text `{key}`", number + 1))
        };
        let aim = match node.get("aim") {
            Some(aim) => {
                aim_of(aim, sentence, model).map_err(|said| format!("sub-task {}: {said}", number + 1))
            }
            None => Err(format!("sub-task {} has no `aim`", number + 1)),
        };
        match (said("goal"), said("reason"), aim) {
            (Ok(goal), Ok(reason), Ok(aim)) => parts.push(SubTask::new(goal, reason, aim)),
            (goal, reason, aim) => wrong.extend([goal.err(), reason.err(), aim.err()].into_iter().flatten()),
        }
    }
    if wrong.is_empty() { Ok(parts) } else { Err(wrong.join("\n")) }
}

fn aim_of(node: &Node, sentence: &str, model: &Model) -> Result<Aim, String> {
    match node.as_str() {
        Some("complete") => return Ok(Aim::Complete),
        Some("open") => return Ok(Aim::Open),
        Some(other) => return Err(format!("there is no aim {}", fence::quoted(other, 60))),
        None => {}
    }
    if let Some(name) = node.get("page").and_then(Node::as_str) {
        let known =
            || suggest::known(name, "pages", model.pages().map(|(_, page)| page.name()).collect::<Vec<_>>());
        let page = model.find_page(name);
        let page =
            page.ok_or_else(|| format!("there is no page {}; {}", fence::quoted(name, 60), known()))?;
        return Ok(Aim::Goal(Goal::Any(vec![page])));
    }
    if node.get("function").is_some() {
        return read_call(node, sentence, model).map(|call| Aim::Goal(Goal::Functions(vec![call])));
    }
    Err("`aim` has to be an object with `page` or `function`, or \"complete\", or \"open\"".to_owned())
}
