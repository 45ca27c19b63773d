//! How a client is set up.

use super::Client;
use super::address::Address;
use super::key::Key;
use super::tries::Asker;
use super::wait::Retries;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::input::shortened;
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

/// What a client asks with.
pub(super) struct Settings {
    pub(super) address: Address,
    pub(super) model: String,
    pub(super) key: Option<Key>,
    pub(super) temperature: Option<f64>,
    pub(super) max_tokens: Option<u32>,
    pub(super) max_tokens_field: String,
    pub(super) seed: Option<u64>,
    pub(super) grammar_field: Option<String>,
    pub(super) strict_schemas: bool,
    pub(super) extra: Map<String, Value>,
    pub(super) time_limit: Duration,
    pub(super) whole_limit: Duration,
    pub(super) retries: Retries,
    pub(super) longest_answer: u64,
}

impl Settings {
    /// The shorter of the time limits in seconds, a part of one counted as one.
    pub(super) fn seconds(&self) -> u64 {
        let limit = self.time_limit.min(self.whole_limit);
        if limit.subsec_nanos() > 0 { limit.as_secs().saturating_add(1) } else { limit.as_secs() }
    }
}

/// Sets a [`Client`] up; made by [`Client::builder`].
#[must_use = "a client is made by `build`"]
#[derive(Debug, Clone)]
pub struct ClientBuilder {
    base_url: String,
    model: String,
    key: Option<Key>,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    max_tokens_field: String,
    seed: Option<u64>,
    grammar_field: Option<String>,
    strict_schemas: bool,
    extra: Map<String, Value>,
    time_limit: Duration,
    whole_limit: Duration,
    retries: Retries,
    longest_answer: u64,
    key_in_clear: bool,
    proxy: bool,
}

/// Fields that the client writes itself.
const OWN: &[&str] =
    &["model", "messages", "stream", "temperature", "max_tokens", "seed", "response_format", "n", "tools"];

impl ClientBuilder {
    pub(super) fn new(base_url: String, model: String) -> ClientBuilder {
        ClientBuilder {
            base_url,
            model,
            key: None,
            temperature: Some(0.0),
            max_tokens: None,
            max_tokens_field: "max_tokens".to_owned(),
            seed: None,
            grammar_field: None,
            strict_schemas: false,
            extra: Map::new(),
            time_limit: Duration::from_secs(120),
            whole_limit: Duration::from_secs(300),
            retries: Retries::default(),
            longest_answer: 8 << 20,
            key_in_clear: false,
            proxy: true,
        }
    }

    /// With the key in an environment variable of this name, read now. Without a key, none is sent.
    ///
    /// # Errors
    /// As [`Key::from_variable`].
    pub fn key_variable(self, name: &str) -> Result<ClientBuilder, Fault> {
        Ok(self.key(Key::from_variable(name)?))
    }

    /// With a key.
    pub fn key(mut self, key: Key) -> ClientBuilder {
        self.key = Some(key);
        self
    }

    /// The temperature of requests that have none: 0, so that the same question has the same answer as far as the
    /// server can. `None` leaves it to the server: some models refuse the field.
    pub fn temperature(mut self, temperature: impl Into<Option<f64>>) -> ClientBuilder {
        self.temperature = temperature.into();
        self
    }

    /// How many tokens an answer may have where a request doesn't say. Left to the server without this.
    pub fn max_tokens(mut self, tokens: u32) -> ClientBuilder {
        self.max_tokens = Some(tokens);
        self
    }

    /// The field that says so: `max_tokens`, which every server knows, unless some model wants another, such as
    /// `max_completion_tokens`.
    pub fn max_tokens_field(mut self, name: impl Into<String>) -> ClientBuilder {
        self.max_tokens_field = name.into();
        self
    }

    /// Where chance starts where a request doesn't say.
    pub fn seed(mut self, seed: u64) -> ClientBuilder {
        self.seed = Some(seed);
        self
    }

    /// The field that takes a grammar in GBNF: `grammar` for llama.cpp. Without this, a request with a grammar is an
    /// error.
    pub fn grammar_field(mut self, name: impl Into<String>) -> ClientBuilder {
        self.grammar_field = Some(name.into());
        self
    }

    /// Whether schemas are sent as `strict`: hosted models then keep to them without fail, and refuse schemas with
    /// optional properties or without `"additionalProperties": false`. Without this they are not.
    pub fn strict_schemas(mut self, strict: bool) -> ClientBuilder {
        self.strict_schemas = strict;
        self
    }

    /// With a field of the server's own in every request: `cache_prompt`, `reasoning_effort`. It must not be secret.
    pub fn extra(mut self, name: impl Into<String>, value: Value) -> ClientBuilder {
        self.extra.insert(name.into(), value);
        self
    }

    /// How long a try may take, from the look-up of the host to the last byte of the answer: 120 seconds.
    pub fn time_limit(mut self, limit: Duration) -> ClientBuilder {
        self.time_limit = limit;
        self
    }

    /// How long an answer may take, with all its tries and the pauses between them: 300 seconds.
    pub fn whole_limit(mut self, limit: Duration) -> ClientBuilder {
        self.whole_limit = limit;
        self
    }

    /// How it is tried again.
    pub fn retries(mut self, retries: Retries) -> ClientBuilder {
        self.retries = retries;
        self
    }

    /// How many bytes an answer may have, all of the server's JSON: 8 MiB.
    pub fn longest_answer(mut self, bytes: u64) -> ClientBuilder {
        self.longest_answer = bytes;
        self
    }

    /// The key may be sent over plain HTTP to another machine, where everybody on the way can read it: in a network
    /// that is trusted.
    pub fn key_in_clear(mut self) -> ClientBuilder {
        self.key_in_clear = true;
        self
    }

    /// Proxies of the environment are not used.
    pub fn without_proxy(mut self) -> ClientBuilder {
        self.proxy = false;
        self
    }

    /// The client. Nothing is sent yet.
    ///
    /// # Errors
    /// A setting that can't be used ([`Code::ModelSettings`]): a base URL that is none, holds a password or would
    /// show the key on the way, no model, no time, a field that is the client's own.
    pub fn build(self) -> Result<Client, Fault> {
        let address = Address::behind(&self.base_url)?;
        self.check(&address)?;
        let agent = self.agent(&address);
        let settings = Settings {
            address,
            model: self.model,
            key: self.key,
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            max_tokens_field: self.max_tokens_field,
            seed: self.seed,
            grammar_field: self.grammar_field,
            strict_schemas: self.strict_schemas,
            extra: self.extra,
            time_limit: self.time_limit,
            whole_limit: self.whole_limit,
            retries: self.retries,
            longest_answer: self.longest_answer,
        };
        Ok(Client { asker: Arc::new(Asker { agent, settings, refused: Mutex::default() }) })
    }

    fn check(&self, address: &Address) -> Result<(), Fault> {
        if self.key.is_some() && !address.is_private() && !self.key_in_clear {
            let origin = address.origin();
            return Err(wrong(format!(
                "the key would be sent to `{origin}` for everybody on the way to read"
            ))
            .help("use https, or a server on this machine"));
        }
        if self.model.trim().is_empty() {
            return Err(wrong("the language model has no name".to_owned())
                .help("name the model that the server is to use"));
        }
        if self.time_limit.is_zero() || self.whole_limit.is_zero() {
            return Err(wrong("the language model has no time to answer: the time limit is 0".to_owned()));
        }
        if self.temperature.is_some_and(|temperature| !temperature.is_finite()) {
            return Err(wrong("the temperature is no number".to_owned()));
        }
        let named = [Some(&self.max_tokens_field), self.grammar_field.as_ref()].into_iter().flatten();
        let named = named.filter(|name| *name != "max_tokens");
        match self.extra.keys().chain(named).find(|name| OWN.contains(&name.as_str())) {
            Some(name) => Err(wrong(format!("the field `{}` is the client's own", shortened(name)))
                .help("the builder and the request have settings for what it writes itself")),
            None => Ok(()),
        }
    }

    fn agent(&self, address: &Address) -> Agent {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(self.time_limit))
            .user_agent(concat!("intentgate/", env!("CARGO_PKG_VERSION")))
            .accept("application/json")
            .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build());
        let config = match self.proxy && !address.is_here() {
            true => config,
            false => config.proxy(None),
        };
        config.build().new_agent()
    }
}

fn wrong(what: String) -> Fault {
    Fault::new(Code::ModelSettings, what)
}
