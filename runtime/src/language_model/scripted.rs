//! A model that says what it is told to say.

use super::{Answering, LanguageModel, ModelError, Reply, Request};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Answers in order, or by a function of the request; keeps what it was asked.
pub struct Scripted {
    script: Script,
    asked: Mutex<Vec<Request>>,
}

type Function = Box<dyn Fn(&Request) -> Result<Reply, ModelError> + Send + Sync>;

enum Script {
    InOrder { answers: usize, left: Mutex<VecDeque<Result<Reply, ModelError>>> },
    Function(Function),
}

impl Scripted {
    /// Gives these answers, one after the other, and an error when there is none left.
    pub fn new<R: Into<Reply>>(answers: impl IntoIterator<Item = R>) -> Scripted {
        Scripted::results(answers.into_iter().map(|answer| Ok(answer.into())))
    }

    /// As [`Scripted::new`], with errors among the answers.
    pub fn results(answers: impl IntoIterator<Item = Result<Reply, ModelError>>) -> Scripted {
        let left: VecDeque<_> = answers.into_iter().collect();
        let script = Script::InOrder { answers: left.len(), left: Mutex::new(left) };
        Scripted { script, asked: Mutex::default() }
    }

    /// Answers what the function says.
    pub fn by(function: impl Fn(&Request) -> Result<Reply, ModelError> + Send + Sync + 'static) -> Scripted {
        Scripted { script: Script::Function(Box::new(function)), asked: Mutex::default() }
    }

    /// What it was asked so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.asked).clone()
    }

    /// How many answers are left; nothing if a function answers.
    pub fn left(&self) -> Option<usize> {
        match &self.script {
            Script::InOrder { left, .. } => Some(lock(left).len()),
            Script::Function(_) => None,
        }
    }

    fn next(&self, request: &Request) -> Result<Reply, ModelError> {
        lock(&self.asked).push(request.clone());
        match &self.script {
            Script::InOrder { answers, left } => {
                let next = lock(left).pop_front();
                next.unwrap_or(Err(ModelError::NoScriptLeft { answers: *answers }))
            }
            Script::Function(function) => function(request),
        }
    }
}

/// A panic of another thread leaves whole data behind: each step is one push or pop.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LanguageModel for Scripted {
    fn name(&self) -> &str {
        "script"
    }

    fn answer<'a>(&'a self, request: &'a Request) -> Answering<'a> {
        Box::pin(async move { self.next(request) })
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").field("left", &self.left()).finish_non_exhaustive()
    }
}
