//! Where the server is.

use intentgate_engine::diagnostic::{Code, Fault};
use std::fmt;
use std::net::IpAddr;
use ureq::http::Uri;
use ureq::http::uri::{Authority, PathAndQuery, Scheme};

/// The address of an endpoint: `http` or `https`, a host, a path, and nothing that is secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    uri: Uri,
    scheme: Scheme,
    authority: Authority,
}

/// What the protocol adds to a base URL.
const ENDPOINT: &str = "/chat/completions";

impl Address {
    /// The endpoint behind a base URL. Slashes at its end don't count, and the endpoint itself is understood.
    pub(super) fn behind(base_url: &str) -> Result<Address, Fault> {
        let base = base_url.trim().trim_end_matches('/');
        let base = base.strip_suffix(ENDPOINT).unwrap_or(base).trim_end_matches('/');
        if base.contains(['?', '#']) {
            return Err(wrong("the base URL of the language model has a query or a fragment")
                .help("leave out what stands behind `?` or `#`; a key goes into an environment variable"));
        }
        format!("{base}{ENDPOINT}").parse().ok().and_then(Address::of).ok_or_else(|| {
            // It isn't shown: it may hold a password.
            wrong("the base URL of the language model is none").help(
                "write it like `https://api.openai.com/v1` or `http://127.0.0.1:8080/v1`, without name and password",
            )
        })
    }

    fn of(uri: Uri) -> Option<Address> {
        let scheme = uri.scheme()?.clone();
        let authority = uri.authority()?.clone();
        let known = scheme == Scheme::HTTP || scheme == Scheme::HTTPS;
        let plain = !authority.as_str().contains('@') && !authority.host().is_empty();
        (known && plain).then_some(Address { uri, scheme, authority })
    }

    /// Where a `Location` leads, seen from here.
    pub(super) fn onward(&self, location: &str) -> Option<Address> {
        let path = location.starts_with('/') && !location.starts_with("//");
        if !path {
            return Address::of(location.parse().ok()?);
        }
        let path: PathAndQuery = location.parse().ok()?;
        let mut parts = self.uri.clone().into_parts();
        parts.path_and_query = Some(path);
        Address::of(Uri::from_parts(parts).ok()?)
    }

    /// Whether both are the same scheme, host and port.
    pub(super) fn same_origin(&self, other: &Address) -> bool {
        let host = |address: &Address| address.authority.host().to_ascii_lowercase();
        self.scheme == other.scheme && host(self) == host(other) && self.port() == other.port()
    }

    fn port(&self) -> u16 {
        let usual = if self.scheme == Scheme::HTTPS { 443 } else { 80 };
        self.authority.port_u16().unwrap_or(usual)
    }

    /// Whether nobody on the way can read what is sent.
    pub(super) fn is_private(&self) -> bool {
        self.scheme == Scheme::HTTPS || self.is_here()
    }

    /// Whether it is this machine.
    pub(super) fn is_here(&self) -> bool {
        let host = self.authority.host();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let address: Option<IpAddr> = bare.parse().ok();
        address.is_some_and(|address| address.is_loopback()) || host.eq_ignore_ascii_case("localhost")
    }

    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    /// Scheme, host and port.
    pub(super) fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.authority)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.uri)
    }
}

fn wrong(what: &str) -> Fault {
    Fault::new(Code::ModelSettings, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_are_completed_or_refused() {
        for (base, expected) in [
            ("https://api.example/v1", Some("https://api.example/v1/chat/completions")),
            (" http://127.0.0.1:8080/v1/ ", Some("http://127.0.0.1:8080/v1/chat/completions")),
            ("http://[::1]:1/chat/completions/", Some("http://[::1]:1/chat/completions")),
            ("https://api.example", Some("https://api.example/chat/completions")),
            ("api.example/v1", None),
            ("/v1", None),
            ("", None),
            ("ftp://api.example", None),
            ("https://me:secret@api.example/v1", None),
            ("https://api.example/v1?key=secret", None),
            ("https://api.example/v1#a", None),
            ("https://api example/v1", None),
            ("https://", None),
        ] {
            let address = Address::behind(base);
            if let Err(fault) = &address {
                assert!(!format!("{fault:?}").contains("secret"), "{fault:?}");
            }
            assert_eq!(address.ok().map(|address| address.to_string()).as_deref(), expected, "{base}");
        }
    }

    #[test]
    fn redirects_stay_or_leave() {
        let here = Address::behind("https://api.example/v1").unwrap();
        for (location, stays) in [
            ("/v2/chat/completions", Some(true)),
            ("https://API.example:443/v2", Some(true)),
            ("https://api.example:8443/v2", Some(false)),
            ("http://api.example/v2", Some(false)),
            ("https://api.example.evil/v2", Some(false)),
            ("https://api.example@evil/v2", None),
            ("//evil/v2", None),
            ("v2", None),
            ("", None),
        ] {
            let onward = here.onward(location);
            assert_eq!(onward.map(|onward| here.same_origin(&onward)), stays, "{location}");
        }
    }

    #[test]
    fn only_this_machine_is_private_without_encryption() {
        for (base, private) in [
            ("http://localhost:1", true),
            ("http://127.9.9.9", true),
            ("http://[::1]", true),
            ("http://localhost.evil", false),
            ("http://127.0.0.1.evil", false),
            ("http://192.168.0.2", false),
            ("https://anything", true),
        ] {
            assert_eq!(Address::behind(base).unwrap().is_private(), private, "{base}");
        }
    }
}
