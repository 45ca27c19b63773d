//! Tries and the pauses between them.

use super::builder::Settings;
use super::question::Question;
use super::refusal::{Again, Trouble};
use crate::language_model::scripted::lock;
use crate::language_model::{ModelError, Reply, Why};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use ureq::Agent;

/// What asks, shared by the clones of a client.
pub(super) struct Asker {
    pub(super) agent: Agent,
    pub(super) settings: Settings,
    /// Schemas that the server refused, by hash: their names and what it said.
    pub(super) refused: Mutex<BTreeMap<String, (String, Why)>>,
}

/// How many refused schemas are kept in mind.
const REMEMBERED: usize = 64;

impl Asker {
    /// Asks until there is an answer, an error for good, or no try left. `gone` is closed when nobody waits any more.
    pub(super) fn ask(&self, question: &Question, gone: &Receiver<Infallible>) -> Result<Reply, ModelError> {
        let mut with_form =
            question.form.as_ref().is_some_and(|form| !lock(&self.refused).contains_key(&form.key));
        let mut tried = 0;
        let start = Instant::now();
        loop {
            let left = self.settings.whole_limit.saturating_sub(start.elapsed());
            let trouble = match self.once(question, with_form, left.min(self.settings.time_limit)) {
                Ok(reply) => return Ok(reply),
                Err(trouble) => trouble,
            };
            // Not counted as a try: it is another question now, and this happens once.
            if with_form && let (Some(form), Some(why)) = (&question.form, &trouble.of_schema) {
                with_form = false;
                let mut refused = lock(&self.refused);
                if refused.len() < REMEMBERED {
                    refused.insert(form.key.clone(), (form.name.clone(), why.clone()));
                }
                continue;
            }
            tried += 1;
            let Some(pause) = self.pause(&trouble, tried) else { return Err(after(trouble.error, tried)) };
            if start.elapsed().saturating_add(pause) >= self.settings.whole_limit {
                return Err(after(trouble.error, tried));
            }
            if is_gone_within(gone, pause) {
                return Err(ModelError::Unavailable { why: "nobody waits for it any more".into() });
            }
        }
    }

    /// How long to wait before the next try, if there is to be one.
    fn pause(&self, trouble: &Trouble, tried: usize) -> Option<Duration> {
        let retries = &self.settings.retries;
        match trouble.again {
            _ if tried >= retries.tries => None,
            Again::No => None,
            Again::Later => Some(retries.pause(tried)),
            Again::After(wait) => (wait <= retries.longest).then_some(wait),
        }
    }
}

/// Waits, and says whether nobody does so any more on the other side.
fn is_gone_within(gone: &Receiver<Infallible>, pause: Duration) -> bool {
    match gone.recv_timeout(pause) {
        Err(RecvTimeoutError::Disconnected) => true,
        Err(RecvTimeoutError::Timeout) => false,
        Ok(never) => match never {},
    }
}

/// An error with the number of tries, where it has words for that.
fn after(error: ModelError, tried: usize) -> ModelError {
    match error {
        ModelError::Unavailable { why } if tried > 1 => {
            ModelError::Unavailable { why: format!("{why}, after {tried} tries").into() }
        }
        error => error,
    }
}
