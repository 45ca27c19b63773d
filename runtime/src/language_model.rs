//! Language models: what they are asked, what they answer, and stand-ins for tests.
//!
//! A model is whatever answers messages of text and images with a text: a server, a local model, a person, a
//! script. With the feature `openai`, the module `client` asks servers; nothing else here does I/O. What a model says
//! is never believed: [`ask`] is the loop that checks an answer and hands what is wrong with it back. [`fence`] keeps
//! foreign text apart from a prompt's own words. Knows nothing of specifications, plans, sessions and devices.
//!
//! ```
//! use intentgate::language_model::{LanguageModel, Request, Scripted};
//!
//! let model = Scripted::new(["four"]);
//! let request = Request::new().user("What is two and two?");
//! let reply = pollster::block_on(model.answer(&request))?;
//! assert_eq!(reply.text, "four");
//! # Ok::<(), intentgate::language_model::ModelError>(())
//! ```

mod answer;
pub mod ask;
#[cfg(feature = "openai")]
pub mod client;
mod error;
pub mod fence;
mod message;
mod recording;
mod replay;
mod scripted;

pub use answer::json;
pub(crate) use answer::objects;
pub use error::{ModelError, Why};
pub use message::{Finish, Message, Part, Reply, Request, Role, Schema, Usage};
pub use recording::Recording;
pub use replay::Replay;
pub use scripted::Scripted;

use std::pin::Pin;
use std::sync::Arc;

/// The answer of a model, once it is there. No particular runtime is needed to wait for it.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<Reply, ModelError>> + Send + 'a>>;

/// A language model.
pub trait LanguageModel: Send + Sync {
    /// What it is called, for records and messages. Never holds an address with a key.
    fn name(&self) -> &str;

    /// Answers a request. A part of the request that it can't honour (an image, a grammar) is an error,
    /// [`ModelError::Unsupported`], not left out.
    fn answer<'a>(&'a self, request: &'a Request) -> Answering<'a>;
}

impl<M: LanguageModel + ?Sized> LanguageModel for &M {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn answer<'a>(&'a self, request: &'a Request) -> Answering<'a> {
        (**self).answer(request)
    }
}

impl<M: LanguageModel + ?Sized> LanguageModel for Arc<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn answer<'a>(&'a self, request: &'a Request) -> Answering<'a> {
        (**self).answer(request)
    }
}

impl<M: LanguageModel + ?Sized> LanguageModel for Box<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn answer<'a>(&'a self, request: &'a Request) -> Answering<'a> {
        (**self).answer(request)
    }
}
