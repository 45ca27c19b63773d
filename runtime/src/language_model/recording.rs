//! A model whose answers are written down.

use super::message::key;
use super::scripted::lock;
use super::{Answering, LanguageModel, ModelError, Reply, Request};
use serde::Serialize;
use serde_json::value::RawValue;
use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// Passes requests on, and writes each with its answer as a line of JSON: `{"key", "model", "request", "reply"}`,
/// with `"error"` instead of `"reply"` where there was none. [`super::Replay`] answers from such lines.
///
/// A line is written and flushed before the answer is handed on; what can't be written is an error. Requests that
/// are answered at the same time are written in the order of their answers.
pub struct Recording<M, W> {
    model: M,
    out: Mutex<W>,
}

/// A line; keys in this order.
#[derive(Serialize)]
struct Line<'a> {
    key: &'a str,
    model: &'a str,
    request: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<&'a Reply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a ModelError>,
}

impl<M: LanguageModel, W: Write + Send> Recording<M, W> {
    /// Writes what `model` answers to `out`: a file, or a `Vec<u8>`.
    pub fn new(model: M, out: W) -> Recording<M, W> {
        Recording { model, out: Mutex::new(out) }
    }

    /// The model and what was written to.
    pub fn into_parts(self) -> (M, W) {
        (self.model, self.out.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn write(&self, request: &Request, answer: &Result<Reply, ModelError>) -> io::Result<()> {
        let canonical = request.canonical();
        let key = key(&canonical);
        let request = RawValue::from_string(canonical)?;
        let (reply, error) = (answer.as_ref().ok(), answer.as_ref().err());
        let line = Line { key: &key, model: self.model.name(), request: &request, reply, error };
        let mut bytes = serde_json::to_vec(&line)?;
        bytes.push(b'\n');
        let mut out = lock(&self.out);
        out.write_all(&bytes)?;
        out.flush()
    }
}

impl<M: LanguageModel, W: Write + Send> LanguageModel for Recording<M, W> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn answer<'a>(&'a self, request: &'a Request) -> Answering<'a> {
        Box::pin(async move {
            let answer = self.model.answer(request).await;
            match self.write(request, &answer) {
                Ok(()) => answer,
                Err(error) => Err(ModelError::Unwritten { why: error.to_string().into() }),
            }
        })
    }
}

impl<M: fmt::Debug, W> fmt::Debug for Recording<M, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("model", &self.model).finish_non_exhaustive()
    }
}
