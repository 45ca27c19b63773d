//! The loop that every use of a model goes through: ask, check, hand back what is wrong, ask again, give up.

use super::{Finish, LanguageModel, Message, ModelError, Reply, Request, Role, Usage};
use serde::Serialize;

/// How often a model is asked before it is given up: 3.
pub const TRIES: usize = 3;

/// An answer and what was wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exchange {
    /// What the model said.
    pub reply: Reply,
    /// What was wrong with it, as it was handed back; nothing if it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

/// Everything that was said, from the first question on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Transcript {
    /// The model.
    pub model: String,
    /// The first question.
    pub request: Request,
    /// The answers, in order; each feedback was part of the next question.
    pub exchanges: Vec<Exchange>,
}

impl Transcript {
    /// What it cost, as far as that is known.
    pub fn usage(&self) -> Usage {
        self.exchanges.iter().fold(Usage::default(), |sum, exchange| sum.plus(exchange.reply.usage))
    }
}

/// Why no answer was taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// There was none.
    #[error("{error}")]
    Model {
        /// Why.
        #[source]
        error: ModelError,
        /// What was said before.
        transcript: Box<Transcript>,
    },
    /// Every one was wrong.
    #[error("no usable answer in {tries} tries; of the last: {feedback}")]
    Unusable {
        /// How often it was asked.
        tries: usize,
        /// What was wrong with the last.
        feedback: String,
        /// All of it.
        transcript: Box<Transcript>,
    },
}

impl AskError {
    /// What was said.
    pub fn transcript(&self) -> &Transcript {
        match self {
            AskError::Model { transcript, .. } | AskError::Unusable { transcript, .. } => transcript,
        }
    }
}

/// Asks until `check` takes an answer, at most `tries` times, and at least once. What `check` says of a wrong one
/// is handed back, behind the answer. An answer that was cut off is wrong.
///
/// # Errors
/// The model gives no answer, or none of the answers is taken.
pub async fn ask<T>(
    model: &dyn LanguageModel,
    request: Request,
    tries: usize,
    mut check: impl FnMut(&str) -> Result<T, String>,
) -> Result<(T, Transcript), AskError> {
    let mut transcript =
        Transcript { model: model.name().to_owned(), request: request.clone(), exchanges: Vec::new() };
    let mut conversation = request;
    let tries = tries.max(1);
    loop {
        let reply = match model.answer(&conversation).await {
            Ok(reply) => reply,
            Err(error) => return Err(AskError::Model { error, transcript: Box::new(transcript) }),
        };
        let checked = match reply.finish {
            Finish::Length => Err("the answer was cut off; give a shorter one".to_owned()),
            Finish::Whole => check(&reply.text),
        };
        let feedback = match checked {
            Ok(taken) => {
                transcript.exchanges.push(Exchange { reply, feedback: None });
                return Ok((taken, transcript));
            }
            Err(feedback) => feedback,
        };
        conversation.messages.push(Message::text(Role::Assistant, reply.text.as_str()));
        conversation.messages.push(Message::text(Role::User, again(&feedback)));
        transcript.exchanges.push(Exchange { reply, feedback: Some(feedback.clone()) });
        if transcript.exchanges.len() >= tries {
            return Err(AskError::Unusable { tries, feedback, transcript: Box::new(transcript) });
        }
    }
}

fn again(feedback: &str) -> String {
    format!("This answer can't be used: {feedback}\nAnswer again, in the same form.")
}
