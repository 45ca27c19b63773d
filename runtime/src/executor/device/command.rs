//! A device that is another program: it speaks JSON lines on its standard input and output.
//!
//! A request is a line, `{"observe": {}}` or `{"perform": {"tap": {…}}}`; the answer is one line,
//! `{"observation": {…}}` ([`Observation`]), `{"done": {}}`, or
//! `{"failed": {"reason": "…", "performed": "no"}}`. Without `"performed": "no"` a gesture that failed may
//! have been performed. Nothing else may be said; what it writes to standard error is kept for messages.
//!
//! Knows processes and lines. A program that is late, says something else or dies is ended: from then on the
//! device is not available. Nothing here waits without end.

use super::{Device, DeviceError, Gesture, Observation, Performed};
use crate::executor::screen::outline::{foreign, visible};
use crate::process;
use intentgate_engine::diagnostic::Problems;
use intentgate_engine::json::{self, Node, de};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::Source;
use serde::Deserialize;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How a program is started and spoken to.
#[derive(Debug, Clone)]
pub struct CommandOptions {
    /// How long an answer may take; 30 s.
    pub timeout: Duration,
    /// The size of an answer (`bytes`, 32 MiB) and of its screen (`elements`, 10,000).
    pub limits: Limits,
}

impl Default for CommandOptions {
    fn default() -> CommandOptions {
        CommandOptions { timeout: Duration::from_secs(30), limits: Limits::default() }
    }
}

/// Characters of the program's words in a message.
const SAID: usize = 120;

/// Bytes of standard error that are kept.
const KEPT: usize = 2_000;

/// A program that is a device. It is ended when this is dropped.
#[derive(Debug)]
pub struct CommandDevice {
    name: String,
    options: CommandOptions,
    child: Child,
    requests: Option<Sender<Vec<u8>>>,
    answers: Receiver<Heard>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    reading_errors: JoinHandle<()>,
    /// Why it is no longer spoken to.
    ended: Option<String>,
}

/// What comes from the program.
#[derive(Debug)]
enum Heard {
    Line(Vec<u8>),
    TooLong,
    End,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Observation(Box<Observation>),
    Done(Empty),
    Failed(Failure),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Empty {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Failure {
    reason: String,
    performed: Option<Performed>,
}

impl CommandDevice {
    /// Starts a program, without a shell.
    ///
    /// # Errors
    /// It can't be started.
    pub fn start(
        program: &str,
        arguments: &[impl AsRef<str>],
        options: CommandOptions,
    ) -> Result<CommandDevice, DeviceError> {
        let mut command = Command::new(program);
        command.args(arguments.iter().map(AsRef::as_ref));
        CommandDevice::spawn(command, program, options)
    }

    /// Starts a prepared command, with its own directory or environment, say. Its standard streams are
    /// taken.
    ///
    /// # Errors
    /// It can't be started.
    pub fn spawn(
        mut command: Command,
        name: &str,
        options: CommandOptions,
    ) -> Result<CommandDevice, DeviceError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        process::in_group(&mut command);
        let unavailable = |reason: String| DeviceError::Unavailable {
            device: name.to_owned(),
            reason,
            performed: Performed::No,
        };
        let mut child =
            command.spawn().map_err(|error| unavailable(format!("it can't be started: {error}")))?;
        let streams = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
        let Some(((stdin, stdout), stderr)) = streams else {
            let _ = process::end(&mut child);
            return Err(unavailable("it has no standard streams".to_owned()));
        };
        let (requests, to_write) = mpsc::channel();
        let (heard, answers) = mpsc::channel();
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&errors);
        let longest = options.limits.bytes;
        // The threads end with the streams: when the program does, or when this is dropped.
        thread::spawn(move || write_all(stdin, &to_write));
        thread::spawn(move || read_lines(stdout, longest, &heard));
        let reading_errors = thread::spawn(move || keep_errors(stderr, &kept));
        let requests = Some(requests);
        let name = name.to_owned();
        Ok(CommandDevice { name, options, child, requests, answers, errors, reading_errors, ended: None })
    }

    /// The answer to a request.
    fn ask(&mut self, request: &serde_json::Value) -> Result<Answer, DeviceError> {
        if let Some(reason) = &self.ended {
            return Err(self.unavailable(reason.clone(), Performed::No));
        }
        match self.answers.try_recv() {
            Err(TryRecvError::Empty) => {}
            Ok(Heard::End) | Err(TryRecvError::Disconnected) => return Err(self.died(Performed::No)),
            Ok(Heard::Line(_) | Heard::TooLong) => {
                return Err(self.nonsense("it said something before it was asked".to_owned(), Performed::No));
            }
        }
        let mut line = request.to_string().into_bytes();
        line.push(b'\n');
        if self.requests.as_ref().is_none_or(|requests| requests.send(line).is_err()) {
            return Err(self.died(Performed::No));
        }
        match self.answers.recv_timeout(self.options.timeout) {
            Ok(Heard::Line(line)) => self.read(&line),
            Ok(Heard::TooLong) => {
                let reason = format!("a line of more than {} bytes", self.options.limits.bytes);
                Err(self.nonsense(reason, Performed::Maybe))
            }
            Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => Err(self.died(Performed::Maybe)),
            Err(RecvTimeoutError::Timeout) => {
                self.end("it was ended because it did not answer in time");
                let what = format!("the answer of {}", self.name);
                Err(DeviceError::Timeout { what, limit: self.options.timeout, performed: Performed::Maybe })
            }
        }
    }

    fn read(&mut self, line: &[u8]) -> Result<Answer, DeviceError> {
        match parsed(line, &self.options.limits) {
            Ok(answer) => Ok(answer),
            Err(reason) => Err(self.nonsense(reason, Performed::Maybe)),
        }
    }

    fn unavailable(&self, reason: String, performed: Performed) -> DeviceError {
        DeviceError::Unavailable { device: self.name.clone(), reason, performed }
    }

    fn nonsense(&mut self, reason: String, performed: Performed) -> DeviceError {
        self.end("it was ended because it said what is no answer");
        DeviceError::Protocol { reason, performed }
    }

    /// The program has closed its output.
    fn died(&mut self, performed: Performed) -> DeviceError {
        // It may need a moment to end, and what it wrote last to arrive. How long that takes is bounded.
        until(100, || !matches!(process::has_ended(&mut self.child), Ok(false)));
        until(20, || self.reading_errors.is_finished());
        self.end("it has ended");
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let mut reason = format!("it has ended ({status})");
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(&errors.iter().copied().collect::<Vec<u8>>()).trim().to_owned();
        if let Some(last) = said.lines().next_back() {
            reason.push_str(": ");
            reason.push_str(&foreign(last, SAID));
        }
        self.unavailable(reason, performed)
    }

    fn end(&mut self, reason: &str) {
        if self.ended.is_none() {
            self.ended = Some(reason.to_owned());
            self.requests = None;
            let _ = process::end(&mut self.child);
        }
    }

    fn misplaced(&mut self, found: &Answer, performed: Performed) -> DeviceError {
        let found = match found {
            Answer::Observation(_) => "`observation` to `perform`",
            Answer::Done(Empty {}) => "`done` to `observe`",
            Answer::Failed(_) => "`failed`",
        };
        self.nonsense(format!("it answered {found}"), performed)
    }
}

impl Device for CommandDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        match self.ask(&serde_json::json!({"observe": {}})).map_err(DeviceError::before)? {
            Answer::Observation(observation) => Ok(*observation),
            Answer::Failed(Failure { reason, .. }) => {
                Err(DeviceError::Failed { reason: visible(&reason, SAID), performed: Performed::No })
            }
            other => Err(self.misplaced(&other, Performed::No)),
        }
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        // Time passes without the program.
        if let Gesture::Wait(time) = gesture {
            thread::sleep((*time).min(self.options.timeout));
            return Ok(());
        }
        match self.ask(&serde_json::json!({ "perform": gesture }))? {
            Answer::Done(Empty {}) => Ok(()),
            Answer::Failed(Failure { reason, performed }) => Err(DeviceError::Failed {
                reason: visible(&reason, SAID),
                performed: performed.unwrap_or(Performed::Maybe),
            }),
            other => Err(self.misplaced(&other, Performed::Maybe)),
        }
    }
}

impl Drop for CommandDevice {
    fn drop(&mut self) {
        self.end("it was dropped");
    }
}

fn parsed(line: &[u8], limits: &Limits) -> Result<Answer, String> {
    let text = std::str::from_utf8(line).map_err(|_| "a line that is not UTF-8".to_owned())?;
    let source = Source::new("answer", text);
    let told = |problems: Problems| match problems.items().first() {
        Some(first) => {
            format!("{} in the line {}", visible(&first.fault.to_string(), SAID), foreign(text, SAID))
        }
        None => "unusable".to_owned(),
    };
    let node: Node = json::parse(&source, limits).map_err(told)?;
    let mut answer =
        de::from_node(&node).map_err(|diagnostic| told(Problems::one(source.clone(), *diagnostic)))?;
    if let Answer::Observation(observation) = &mut answer {
        let values = node.get("observation").and_then(|node| node.get("values")).map(Node::to_value);
        // Numbers as they are written, as everywhere.
        if let Some(serde_json::Value::Object(values)) = values {
            observation.values = values;
        }
        let elements = observation.screen.as_ref().map_or(0, |screen| screen.elements().len());
        if elements > limits.elements {
            return Err(format!("a screen of {elements} elements; the limit is {}", limits.elements));
        }
    }
    Ok(answer)
}

/// Looks so many times, with a hundredth of a second in between, whether something is so.
fn until(times: u32, mut is_so: impl FnMut() -> bool) {
    for _ in 0..times {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn write_all(mut stdin: impl Write, requests: &Receiver<Vec<u8>>) {
    while let Ok(line) = requests.recv() {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, longest: usize, heard: &Sender<Heard>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let most = u64::try_from(longest).unwrap_or(u64::MAX).saturating_add(1);
        let read = reader.by_ref().take(most).read_until(b'\n', &mut line);
        let last = match read {
            Ok(0) | Err(_) => Heard::End,
            Ok(_) if line.last() == Some(&b'\n') => {
                if heard.send(Heard::Line(line)).is_err() {
                    return;
                }
                continue;
            }
            Ok(_) if line.len() > longest => Heard::TooLong,
            // A line without an end is half a line.
            Ok(_) => Heard::End,
        };
        let _ = heard.send(last);
        return;
    }
}

fn keep_errors(mut stderr: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0_u8; 1_024];
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(buffer.get(..length).unwrap_or(&[]));
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }
}
