//! The protocol of the adb server: requests with a length before them, answers `OKAY` and `FAIL`, and the
//! packets of the shell, in which output, errors and exit status are told apart.
//!
//! Knows bytes. Must never know sockets. An output that ends before its exit status is an error: half a
//! screen is no screen.

use std::io::{self, Read};

/// What a command of the device wrote, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Output {
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    pub(super) status: u8,
}

/// Why an answer can't be used.
#[derive(Debug)]
pub(super) enum WireError {
    Io(io::Error),
    /// The server refuses, in its words.
    Refused(String),
    /// It is not the protocol.
    Nonsense(String),
}

impl From<io::Error> for WireError {
    fn from(error: io::Error) -> WireError {
        WireError::Io(error)
    }
}

/// A request as it is sent. Nothing if it is too long to have a length of four digits.
pub(super) fn request(text: &str) -> Option<Vec<u8>> {
    (text.len() <= 0xffff).then(|| format!("{:04x}{text}", text.len()).into_bytes())
}

/// The answer to a request.
pub(super) fn accepted(from: &mut impl Read) -> Result<(), WireError> {
    match &array::<4>(from)? {
        b"OKAY" => Ok(()),
        b"FAIL" => Err(WireError::Refused(String::from_utf8_lossy(&sized(from)?).trim().to_owned())),
        other => Err(WireError::Nonsense(format!("neither OKAY nor FAIL, but {}", other.escape_ascii()))),
    }
}

/// A text with its length in four hexadecimal digits before it.
pub(super) fn sized(from: &mut impl Read) -> Result<Vec<u8>, WireError> {
    let digits = array::<4>(from)?;
    let length = std::str::from_utf8(&digits).ok().and_then(|digits| u16::from_str_radix(digits, 16).ok());
    let nonsense = || WireError::Nonsense(format!("no length, but {}", digits.escape_ascii()));
    let mut text = vec![0; usize::from(length.ok_or_else(nonsense)?)];
    from.read_exact(&mut text)?;
    Ok(text)
}

/// The packets of a command up to its exit status. More than `limit` bytes are an error.
pub(super) fn output(from: &mut impl Read, limit: usize) -> Result<Output, WireError> {
    let mut output = Output::default();
    loop {
        let [id, a, b, c, d] = array::<5>(from)?;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if output.stdout.len().saturating_add(output.stderr.len()).saturating_add(length) > limit {
            return Err(WireError::Nonsense(format!("more than {limit} bytes of output")));
        }
        let mut payload = Vec::new();
        let read = from.by_ref().take(length as u64).read_to_end(&mut payload)?;
        if read < length {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        match id {
            1 => output.stdout.append(&mut payload),
            2 => output.stderr.append(&mut payload),
            3 => {
                let status = payload.first().copied();
                output.status = status
                    .ok_or_else(|| WireError::Nonsense("an exit status without a number".to_owned()))?;
                return Ok(output);
            }
            other => return Err(WireError::Nonsense(format!("a packet of the unknown kind {other}"))),
        }
    }
}

fn array<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}
