//! Language models behind servers that speak the OpenAI protocol, `POST <base URL>/chat/completions`: hosted ones,
//! llama.cpp, vLLM, Ollama and others.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (base_url, server) = one_answer()?;
//! use intentgate::language_model::client::{Client, Retries};
//! use intentgate::language_model::{LanguageModel, Request};
//! use std::time::Duration;
//!
//! // A hosted model: `Client::builder("https://api.openai.com/v1", "gpt-4o-mini").key_variable("OPENAI_API_KEY")?`.
//! let model = Client::builder(&base_url, "qwen2.5-7b")
//!     .time_limit(Duration::from_secs(60))
//!     .retries(Retries { tries: 5, ..Retries::default() })
//!     .grammar_field("grammar")
//!     .build()?;
//! let request = Request::new().user("May Bob have a table?").grammar("root ::= \"yes\" | \"no\"");
//! let reply = pollster::block_on(model.answer(&request))?;
//! assert_eq!(reply.text, "yes");
//! # server.join().map_err(|_| "the server")?;
//! # Ok(())
//! # }
//! # fn one_answer() -> std::io::Result<(String, std::thread::JoinHandle<()>)> {
//! #     use std::io::{Read, Write};
//! #     let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
//! #     let address = format!("http://{}/v1", listener.local_addr()?);
//! #     let serve = move || -> std::io::Result<()> {
//! #         let (mut stream, _) = listener.accept()?;
//! #         let mut read = Vec::new();
//! #         while !read.ends_with(b"}") {
//! #             let mut part = [0; 4096];
//! #             let n = stream.read(&mut part)?;
//! #             read.extend(part.iter().take(n));
//! #         }
//! #         let body = r#"{"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}"#;
//! #         let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
//! #         write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len())
//! #     };
//! #     Ok((address, std::thread::spawn(move || serve().unwrap())))
//! # }
//! ```
//!
//! # Waiting
//!
//! [`Client::answer`](LanguageModel::answer) works under every executor, and without a runtime: a thread of its own
//! speaks with the server, one for each request that is being answered, and wakes the task. Dropping the future ends
//! the tries; one that is under way ends by itself, after its time limit at the latest.
//! [`Client::answer_blocking`] asks on the caller's thread. It holds the thread up, so it is not for async functions;
//! there it does no other harm.
//!
//! # What goes where
//!
//! The key goes to the host of the base URL and nowhere else: it is in no message, no `Debug`, no record, and where a
//! server repeats it, in an error or in an answer, it is replaced by `***`. The log of the HTTP library (`ureq`, level
//! debug) leaves it out too, but shows the headers of answers, and so what a server repeats there. A redirect is followed only
//! to the same scheme, host and port (307 and 308). A key isn't sent over plain HTTP, but to this machine, unless
//! [`ClientBuilder::key_in_clear`] says so. Certificates are judged by the machine's own roots. Proxies are taken from
//! the environment (`ALL_PROXY`, `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`), but for servers on this machine; see
//! [`ClientBuilder::without_proxy`].
//!
//! Knows HTTP and the protocol; nothing of what is asked, and nothing of specifications, plans, sessions and devices.

mod address;
mod builder;
mod http;
mod key;
mod question;
mod refusal;
mod reply;
mod tries;
mod wait;

pub use builder::ClientBuilder;
pub use key::Key;
pub use wait::Retries;

use super::scripted::lock;
use super::{Answering, LanguageModel, ModelError, Reply, Request, Why};
use futures_channel::oneshot;
use question::Question;
use std::fmt;
use std::sync::{Arc, mpsc};
use std::thread;
use tries::Asker;

/// A language model behind a server. Cloning it is cheap; clones share connections and what was learned of the
/// server. Idle connections are kept for a few seconds and used again.
#[derive(Clone)]
pub struct Client {
    asker: Arc<Asker>,
}

impl Client {
    /// For the model of that name behind a base URL, such as `https://api.openai.com/v1` or
    /// `http://127.0.0.1:8080/v1`: what stands before `/chat/completions`.
    pub fn builder(base_url: impl Into<String>, model: impl Into<String>) -> ClientBuilder {
        ClientBuilder::new(base_url.into(), model.into())
    }

    /// As [`LanguageModel::answer`], on the caller's thread, which waits: for at most the time limit of the whole.
    ///
    /// # Errors
    /// As there.
    pub fn answer_blocking(&self, request: &Request) -> Result<Reply, ModelError> {
        let question = Question::new(request, &self.asker.settings)?;
        // Its other end lives as long as this call.
        let (_waits, gone) = mpsc::channel();
        self.asker.ask(&question, &gone)
    }

    /// The schemas that the server refused, by name, with what it said: their requests are sent without, and only the
    /// caller's check holds the answer to them. At most 64 are kept in mind.
    pub fn refused_schemas(&self) -> Vec<(String, Why)> {
        lock(&self.asker.refused).values().cloned().collect()
    }
}

impl LanguageModel for Client {
    /// The model's name, as the server is asked for it.
    fn name(&self) -> &str {
        &self.asker.settings.model
    }

    /// Images go as data URLs, a schema as `response_format`, a grammar as the field that
    /// [`ClientBuilder::grammar_field`] names; without that a grammar is [`ModelError::Unsupported`]. With a grammar,
    /// which says more, no schema is sent: servers take one of them.
    fn answer<'a>(&'a self, request: &'a Request) -> Answering<'a> {
        Box::pin(async move {
            let question = Question::new(request, &self.asker.settings)?;
            let asker = Arc::clone(&self.asker);
            let (send, answer) = oneshot::channel();
            let (waits, gone) = mpsc::channel();
            let work = move || {
                // Nobody there to take it: nothing to do about it.
                let _ = send.send(asker.ask(&question, &gone));
            };
            thread::Builder::new().name("language model".to_owned()).spawn(work).map_err(|error| {
                ModelError::Unavailable { why: format!("no thread to ask it on: {error}").into() }
            })?;
            let answered = answer.await;
            drop(waits);
            answered.unwrap_or_else(|_| Err(ModelError::Unavailable { why: "its thread ended".into() }))
        })
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = &self.asker.settings;
        f.debug_struct("Client")
            .field("address", &settings.address.to_string())
            .field("model", &settings.model)
            .field("key", &settings.key)
            .finish_non_exhaustive()
    }
}
