//! One try: a request goes out, an answer comes in.

use super::address::Address;
use super::question::Question;
use super::refusal::{Refusal, Trouble, status_of};
use super::reply::{self, Sent};
use super::tries::Asker;
use super::wait::retry_after;
use crate::language_model::{ModelError, Reply};
use std::borrow::Cow;
use std::io::{self, Read};
use std::time::{Duration, Instant};
use ureq::http::{HeaderMap, Response};
use ureq::{Body, Error};

/// How many redirects are followed in a try.
const REDIRECTS: usize = 3;

/// How much is read of an answer that is none, in bytes.
const LONGEST_REFUSAL: u64 = 65_536;

impl Asker {
    /// Sends it once. Whatever a server says, and wherever, the key is in nothing that comes back.
    pub(super) fn once(
        &self,
        question: &Question,
        with_form: bool,
        limit: Duration,
    ) -> Result<Reply, Trouble> {
        match self.sent(question, with_form, limit) {
            Ok(reply) => Ok(Reply { text: self.hidden(&reply.text).into_owned(), ..reply }),
            Err(trouble) => Err(trouble.map_words(|why| self.hidden(why.as_str()).into_owned().into())),
        }
    }

    fn hidden<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match &self.settings.key {
            Some(key) => key.hide(text),
            None => Cow::Borrowed(text),
        }
    }

    fn sent(&self, question: &Question, with_form: bool, limit: Duration) -> Result<Reply, Trouble> {
        let start = Instant::now();
        let body = question.body(with_form);
        let mut address = self.settings.address.clone();
        for _ in 0..=REDIRECTS {
            let left = limit.saturating_sub(start.elapsed()).max(Duration::from_millis(1));
            let response = self.post(&address, &body, left)?;
            match response.status().as_u16() {
                200..=299 => return self.reply(response, question),
                301 | 302 | 303 | 307 | 308 => address = self.onward(&address, &response)?,
                status => return Err(self.refusal(status, response, question)),
            }
        }
        Err(refused(format!("it sends on more than {REDIRECTS} times")))
    }

    fn post(&self, address: &Address, body: &[u8], limit: Duration) -> Result<Response<Body>, Trouble> {
        let mut request = self.agent.post(address.uri()).header("content-type", "application/json");
        if let Some(key) = &self.settings.key {
            let header =
                key.header().map_err(|_| refused("no header can hold what was given as key".to_owned()))?;
            request = request.header("authorization", header);
        }
        request.config().timeout_global(Some(limit)).build().send(body).map_err(|error| self.failure(error))
    }

    fn reply(&self, mut response: Response<Body>, question: &Question) -> Result<Reply, Trouble> {
        let form = media_type(response.headers());
        let most = self.settings.longest_answer;
        let body = response.body_mut().with_config().limit(most.saturating_add(1)).read_to_vec();
        let body = body.map_err(|error| self.failure(error))?;
        let Ok(body) = std::str::from_utf8(&body) else {
            return Err(malformed("it is not UTF-8".to_owned()));
        };
        // Before anything is cut, so that no half of a key stays.
        let body = self.hidden(body);
        match reply::read(&body, &self.hidden(&form)).map_err(Trouble::for_good)? {
            Sent::Reply(reply) => Ok(reply),
            Sent::Error(error) => Err(Refusal {
                status: status_of(&error),
                body: body.as_bytes(),
                after: None,
                key: self.settings.key.as_ref(),
                has_images: question.has_images,
            }
            .trouble()),
        }
    }

    fn refusal(&self, status: u16, mut response: Response<Body>, question: &Question) -> Trouble {
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let after = header("retry-after").and_then(|value| retry_after(value, header("date")));
        let mut body = Vec::new();
        // What can't be read of it is not needed: the status says enough.
        let _ = response.body_mut().as_reader().take(LONGEST_REFUSAL).read_to_end(&mut body);
        let (key, has_images) = (self.settings.key.as_ref(), question.has_images);
        Refusal { status, body: &body, after, key, has_images }.trouble()
    }

    /// Where a redirect leads, if it may be followed: what is asked, and the key, stay with the server that was named.
    fn onward(&self, here: &Address, response: &Response<Body>) -> Result<Address, Trouble> {
        let status = response.status().as_u16();
        let location = response.headers().get("location").and_then(|value| value.to_str().ok());
        let Some(onward) = location.and_then(|location| here.onward(&self.hidden(location))) else {
            return Err(refused(format!("{status}: it sends on, and doesn't say where to")));
        };
        if !here.same_origin(&onward) {
            let message = format!(
                "{status}: it sends on to {}; if you trust that, make it the base URL",
                onward.origin()
            );
            return Err(refused(message));
        }
        if !matches!(status, 307 | 308) {
            return Err(refused(format!("{status}: it sends on to another page; check the base URL")));
        }
        Ok(onward)
    }

    /// What a failure of the connection means.
    fn failure(&self, error: Error) -> Trouble {
        let server = self.settings.address.origin();
        let gone = |why: String| ModelError::Unavailable { why: why.into() };
        match error {
            Error::Timeout(_) => Trouble::for_now(ModelError::TimeLimit { seconds: self.settings.seconds() }),
            Error::HostNotFound => Trouble::for_now(gone(format!("the host of {server} is not found"))),
            Error::Io(error) => Trouble::for_now(match error.kind() {
                io::ErrorKind::ConnectionRefused => gone(format!("nothing answers at {server}")),
                io::ErrorKind::TimedOut => ModelError::TimeLimit { seconds: self.settings.seconds() },
                io::ErrorKind::UnexpectedEof
                | io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe => {
                    gone(format!("{server} closed the connection before the answer was whole"))
                }
                _ => gone(format!("{server}: {error}")),
            }),
            Error::ConnectionFailed => Trouble::for_now(gone(format!("{server} can't be reached"))),
            Error::BodyExceedsLimit(_) => {
                let most = self.settings.longest_answer;
                malformed(format!("it has more than {most} bytes, which is the limit"))
            }
            Error::LargeResponseHeader(..) => malformed("its headers are too long".to_owned()),
            Error::Protocol(error) => malformed(format!("it is not HTTP as it should be: {error}")),
            // What a proxy says may be about its password.
            Error::ConnectProxyFailed(_) | Error::InvalidProxyUrl => Trouble::for_good(gone(
                "the proxy that the environment names lets nothing through".to_owned(),
            )),
            error => Trouble::for_good(gone(format!("{server}: {error}"))),
        }
    }
}

/// The content type, without its parameters.
fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn refused(why: String) -> Trouble {
    Trouble::for_good(ModelError::Refused { why: why.into() })
}

fn malformed(why: String) -> Trouble {
    Trouble::for_good(ModelError::Malformed { why: why.into() })
}
