//! A small HTTP/1.1 server on loopback that says what it is told to say, byte for byte.

use serde_json::Value;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What is said to one request.
#[derive(Debug, Clone)]
pub struct Said {
    bytes: Vec<u8>,
    /// How long it takes before the first byte.
    late: Duration,
    /// The connection is closed behind it.
    close: bool,
}

impl Said {
    /// A status with a JSON body.
    pub fn json(status: u16, body: impl AsRef<str>) -> Said {
        Said::with(status, &["Content-Type: application/json"], body)
    }

    /// A status with headers and a body.
    pub fn with(status: u16, headers: &[&str], body: impl AsRef<str>) -> Said {
        let body = body.as_ref();
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        Said::raw(format!("HTTP/1.1 {status} Said\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len()))
    }

    /// Whatever it is.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Said {
        Said { bytes: bytes.into(), late: Duration::ZERO, close: false }
    }

    /// An answer of a model.
    pub fn answer(text: &str) -> Said {
        let message = serde_json::json!({"role": "assistant", "content": text});
        let choice = serde_json::json!({"index": 0, "message": message, "finish_reason": "stop"});
        let usage = serde_json::json!({"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15});
        Said::json(200, serde_json::json!({"choices": [choice], "usage": usage}).to_string())
    }

    /// Later.
    #[must_use]
    pub fn late(self, late: Duration) -> Said {
        Said { late, ..self }
    }

    /// And then nothing more.
    #[must_use]
    pub fn close(self) -> Said {
        Said { close: true, ..self }
    }
}

/// A request that came in.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The number of its connection.
    pub connection: usize,
    /// The first line.
    pub line: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
}

impl Asked {
    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The server. Its threads end with the process.
pub struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
}

type Script = Arc<dyn Fn(usize, &Asked) -> Said + Send + Sync>;

impl Server {
    /// Says these, one after the other, and 599 when there are none left.
    ///
    /// # Panics
    /// If there is no loopback.
    pub fn new(script: impl IntoIterator<Item = Said>) -> Server {
        let script: Vec<Said> = script.into_iter().collect();
        Server::by(move |number, _| script.get(number).cloned().unwrap_or(Said::json(599, "{}")))
    }

    /// Says what the function says of a request and its number.
    ///
    /// # Panics
    /// If there is no loopback.
    #[expect(clippy::unwrap_used, reason = "a helper of tests")]
    pub fn by(script: impl Fn(usize, &Asked) -> Said + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (script, kept): (Script, _) = (Arc::new(script), Arc::clone(&asked));
        thread::spawn(move || {
            for (connection, stream) in listener.incoming().flatten().enumerate() {
                let (script, kept) = (Arc::clone(&script), Arc::clone(&kept));
                // A client that goes away ends its connection.
                thread::spawn(move || serve(stream, connection, &script, &kept));
            }
        });
        Server { address, asked }
    }

    /// Its base URL.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What it was asked, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve(
    mut stream: TcpStream,
    connection: usize,
    script: &Script,
    kept: &Mutex<Vec<Asked>>,
) -> io::Result<()> {
    while let Some(asked) = read(&mut stream, connection)? {
        let said = {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let said = script(kept.len(), &asked);
            kept.push(asked);
            said
        };
        thread::sleep(said.late);
        stream.write_all(&said.bytes)?;
        if said.close {
            break;
        }
    }
    Ok(())
}

/// A request; nothing at the end of the connection.
fn read(stream: &mut TcpStream, connection: usize) -> io::Result<Option<Asked>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte)? == 0 {
            return Ok(None);
        }
        head.extend(byte);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.lines();
    let line = lines.next().unwrap_or_default().to_owned();
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers: Vec<_> =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Ok(Some(Asked { connection, line, headers, body }))
}
