//! Android devices, through a running adb server on a socket.
//!
//! Speaks the server's own protocol, with a time limit on every request: `adb_client` 3.2 has none, takes an
//! output that is cut off for a whole one, and brings TLS and a C compiler along. Needs Android 7 or newer (the
//! shell's packets). Starts no server: `adb start-server` does. Must never know what a gesture is for.

mod shell;
mod wire;

use super::{Device, DeviceError, Gesture, Observation, Performed, Target};
use crate::executor::screen::outline::visible;
use crate::executor::screen::{Point, Screen, Size};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use intentgate_engine::limits::Limits;
use intentgate_engine::span::Source;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use wire::{Output, WireError};

/// How text gets into the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keyboard {
    /// `input text`: printable ASCII alone. Other characters are [`DeviceError::Unsupported`]; so is a line
    /// break, which would press Enter and may send a form.
    #[default]
    Input,
    /// The input method ADBKeyBoard, which has to be installed and chosen on the device: any text.
    AdbKeyboard,
}

/// How a device is reached and used.
#[derive(Debug, Clone)]
pub struct AdbOptions {
    /// Where the server listens; 127.0.0.1:5037.
    pub address: SocketAddr,
    /// The device's serial number, as `adb devices` lists it; without it there has to be exactly one.
    pub serial: Option<String>,
    /// How long one request may take; 20 s.
    pub timeout: Duration,
    /// Whether observations come with a screenshot; they do.
    pub screenshot: bool,
    /// How often a screen is dumped anew that was not idle; 3 times in all.
    pub attempts: u32,
    /// How text gets in.
    pub keyboard: Keyboard,
    /// Whether text is typed only if an input field has the focus; it is.
    pub needs_focus: bool,
    /// The longest wait that a gesture may ask for; 60 s.
    pub longest_wait: Duration,
    /// How large screens may be.
    pub limits: Limits,
}

impl Default for AdbOptions {
    fn default() -> AdbOptions {
        AdbOptions {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 5037)),
            serial: None,
            timeout: Duration::from_secs(20),
            screenshot: true,
            attempts: 3,
            keyboard: Keyboard::default(),
            needs_focus: true,
            longest_wait: Duration::from_secs(60),
            limits: Limits::default(),
        }
    }
}

/// An Android device.
#[derive(Debug)]
pub struct Adb {
    name: String,
    options: AdbOptions,
    seen: Option<Screen>,
}

/// A file on the device that is there for the time of a dump.
const DUMP: &str = "f=/data/local/tmp/intentgate-window.xml; rm -f $f; uiautomator dump $f 1>&2; cat $f; s=$?; \
                    rm -f $f; exit $s";

/// Characters of the device's words in a message.
const SAID: usize = 120;

/// Between two attempts to dump a screen that was not idle.
const PAUSE: Duration = Duration::from_millis(500);

impl Adb {
    /// A device that answers.
    ///
    /// # Errors
    /// There is no server, no such device, more than one, or it is off-line or not authorised.
    pub fn connect(options: AdbOptions) -> Result<Adb, DeviceError> {
        let name = format!("adb:{}", options.serial.as_deref().unwrap_or("any"));
        let adb = Adb { name, options, seen: None };
        adb.size().map_err(DeviceError::before)?;
        Ok(adb)
    }

    /// The serial numbers that a server knows, each with its state, `device`, `offline` or `unauthorized`,
    /// say.
    ///
    /// # Errors
    /// There is no server, or its answer can't be used.
    pub fn devices(options: &AdbOptions) -> Result<Vec<(String, String)>, DeviceError> {
        let adb = Adb { name: "adb".to_owned(), options: options.clone(), seen: None };
        let mut stream = adb.open().map_err(DeviceError::before)?;
        let answer = stream.send("host:devices").and_then(|()| wire::sized(&mut stream));
        let text = answer.map_err(|error| adb.error(error, "the list of devices").before())?;
        let text = String::from_utf8_lossy(&text);
        let pair =
            |line: &str| line.split_once('\t').map(|(serial, state)| (serial.to_owned(), state.to_owned()));
        Ok(text.lines().filter_map(pair).collect())
    }

    fn open(&self) -> Result<Timed, DeviceError> {
        let deadline = Instant::now().checked_add(self.options.timeout);
        let stream = TcpStream::connect_timeout(&self.options.address, self.options.timeout);
        let stream = stream.map_err(|error| DeviceError::Unavailable {
            device: self.name.clone(),
            reason: format!(
                "no adb server at {} ({error}): `adb start-server` starts one",
                self.options.address
            ),
            performed: Performed::No,
        })?;
        Ok(Timed { stream, deadline })
    }

    fn error(&self, error: WireError, what: &str) -> DeviceError {
        let performed = Performed::Maybe;
        let unavailable = |reason| DeviceError::Unavailable { device: self.name.clone(), reason, performed };
        match error {
            WireError::Io(error)
                if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) =>
            {
                DeviceError::Timeout { what: what.to_owned(), limit: self.options.timeout, performed }
            }
            WireError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                unavailable(format!("the connection ended in the middle of {what}"))
            }
            WireError::Io(error) => unavailable(error.to_string()),
            WireError::Refused(reason) => unavailable(visible(&reason, SAID)),
            WireError::Nonsense(reason) => DeviceError::Protocol { reason, performed },
        }
    }

    /// Runs a command on the device. Before the server has accepted it, nothing of it was performed.
    fn run(&self, command: &str, what: &str) -> Result<Output, DeviceError> {
        let mut stream = self.open()?;
        let transport = match &self.options.serial {
            Some(serial) => format!("host:transport:{serial}"),
            None => "host:transport-any".to_owned(),
        };
        stream.send(&transport).map_err(|error| self.error(error, "the device").before())?;
        match stream.send(&format!("shell,v2,raw:{command}")) {
            Ok(()) => {}
            Err(error @ WireError::Refused(_)) => return Err(self.error(error, what).before()),
            Err(error) => return Err(self.error(error, what)),
        }
        let most = self.options.limits.bytes.saturating_mul(2);
        wire::output(&mut stream, most).map_err(|error| self.error(error, what))
    }

    /// The text that a command writes, if it succeeds.
    fn text(&self, command: &str, what: &str) -> Result<String, DeviceError> {
        let output = self.run(command, what)?;
        if output.status != 0 {
            return Err(failed(&output, what));
        }
        String::from_utf8(output.stdout).map_err(|_| DeviceError::Protocol {
            reason: format!("{what} is not UTF-8"),
            performed: Performed::Maybe,
        })
    }

    fn size(&self) -> Result<Size, DeviceError> {
        let text = self.text("wm size", "the size of the display")?;
        shell::display_size(&text).ok_or_else(|| DeviceError::Protocol {
            reason: format!("no size of a display: {}", visible(&text, SAID)),
            performed: Performed::Maybe,
        })
    }

    fn in_front(&self) -> Result<Option<(String, String)>, DeviceError> {
        let names = shell::IN_FRONT.join("|");
        let command = format!(
            "dumpsys activity activities | grep -E '^ *({names})'; dumpsys window | grep -E '^ *({names})'; true"
        );
        Ok(shell::in_front(&self.text(&command, "the activity in front")?))
    }

    /// The elements on the screen as they are now.
    fn dump(&self) -> Result<Screen, DeviceError> {
        let mut attempt = 1;
        let text = loop {
            match self.text(DUMP, "the dump of the screen") {
                Err(DeviceError::Failed { .. }) if attempt < self.options.attempts => {
                    attempt += 1;
                    thread::sleep(PAUSE);
                }
                dumped => break dumped?,
            }
        };
        let source = Source::new("window.xml", text);
        let screen = Screen::from_uiautomator(&source, &self.options.limits);
        let mut screen = screen.map_err(|problems| DeviceError::Screen(Box::new(problems)))?;
        let Size { width, height } = self.size()?;
        screen.size = Some(match screen.rotation % 2 {
            0 => Size { width, height },
            _ => Size { width: height, height: width },
        });
        Ok(screen)
    }

    fn picture(&self) -> Result<Arc<[u8]>, DeviceError> {
        let output = self.run("screencap -p", "the screenshot")?;
        if output.status != 0 || !output.stdout.starts_with(b"\x89PNG") {
            return Err(failed(&output, "the screenshot"));
        }
        Ok(Arc::from(output.stdout))
    }

    /// The screen as it is now with its activity, without a picture.
    fn now(&self) -> Result<Screen, DeviceError> {
        let front = self.in_front()?;
        let mut screen = self.dump()?;
        // What is in front may have changed in between, or a window of another app lies over it.
        let same = |(package, activity): (String, String)| {
            (screen.package.as_ref() == Some(&package)).then_some(activity)
        };
        screen.activity = front.and_then(same);
        Ok(screen)
    }

    fn look(&self) -> Result<Screen, DeviceError> {
        let mut screen = self.now()?;
        if self.options.screenshot {
            screen.screenshot = Some(self.picture()?);
        }
        Ok(screen)
    }

    /// Where a target is now, and how large the screen is.
    fn locate(&self, target: &Target) -> Result<(Point, Size), DeviceError> {
        let fresh = match (target, &self.seen) {
            (Target::Point(_) | Target::Pixel(_), Some(seen)) => seen.clone(),
            _ => self.now().map_err(DeviceError::before)?,
        };
        let point = target.locate(self.seen.as_ref(), &fresh)?;
        let size = fresh.size.ok_or_else(|| unsupported("the size of the screen is not known"))?;
        Ok((point, size))
    }

    /// Runs a command that does something.
    fn act(&self, command: &str, what: &str) -> Result<Output, DeviceError> {
        let output = self.run(command, what)?;
        let complaint = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            text.lines().any(|line| line.starts_with("Error") || line.contains("Exception"))
        };
        if output.status != 0 || complaint(&output.stderr) || complaint(&output.stdout) {
            return Err(failed(&output, what));
        }
        Ok(output)
    }

    fn type_text(&self, text: &str) -> Result<(), DeviceError> {
        if text.len() > self.options.limits.text {
            return Err(unsupported("the text is longer than the limit"));
        }
        let calls = match self.options.keyboard {
            Keyboard::Input => shell::typed(text)
                .map_err(|c| {
                    let name = format!("U+{:04X}", u32::from(c));
                    unsupported(&match c {
                        '\n' | '\r' => {
                            format!("a line break ({name}) would press Enter, which may send a form")
                        }
                        _ => format!("`input text` can't type {name}; the keyboard ADBKeyBoard can"),
                    })
                })?
                .iter()
                .map(|part| format!("input text {}", shell::quoted(part)))
                .collect(),
            Keyboard::AdbKeyboard => self.broadcasts(text)?,
        };
        if self.options.needs_focus {
            let screen = self.dump().map_err(DeviceError::before)?;
            if !screen.elements().any(|(_, element)| element.flags.focused && element.flags.editable) {
                let reason = "no input field has the focus; tap one first".to_owned();
                return Err(DeviceError::Untouchable { reason });
            }
        }
        for (number, call) in calls.iter().enumerate() {
            let done = self.act(call, "typing");
            let done = if number == 0 { done } else { done.map_err(DeviceError::during) }?;
            if self.options.keyboard == Keyboard::AdbKeyboard
                && !String::from_utf8_lossy(&done.stdout).contains("Broadcast completed")
            {
                return Err(failed(&done, "typing").during());
            }
        }
        Ok(())
    }

    fn broadcasts(&self, text: &str) -> Result<Vec<String>, DeviceError> {
        let chosen = "settings get secure default_input_method";
        let chosen = self.text(chosen, "the input method").map_err(DeviceError::before)?;
        if !chosen.trim().starts_with("com.android.adbkeyboard/") {
            return Err(unsupported("the input method ADBKeyBoard is not chosen on the device"));
        }
        let characters: Vec<char> = text.chars().collect();
        let part = |part: &[char]| {
            let text = STANDARD.encode(part.iter().collect::<String>());
            format!("am broadcast -a ADB_INPUT_B64 --es msg {}", shell::quoted(&text))
        };
        Ok(characters.chunks(500).map(part).collect())
    }

    fn launch(&self, package: &str, activity: Option<&str>) -> Result<(), DeviceError> {
        if !shell::is_name(package) || !activity.is_none_or(shell::is_name) {
            return Err(unsupported("this is not the name of a package and of an activity"));
        }
        let command = match activity {
            Some(activity) => format!("am start -W -n {}", shell::quoted(&format!("{package}/{activity}"))),
            None => format!("monkey -p {} -c android.intent.category.LAUNCHER 1", shell::quoted(package)),
        };
        let output = self.run(&command, "the start of the app")?;
        let said = [&output.stdout[..], &output.stderr[..]].map(String::from_utf8_lossy).concat();
        let absent = ["does not exist", "No activities found", "unable to resolve Intent"];
        if absent.iter().any(|words| said.contains(words)) {
            return Err(failed(&output, "the start of the app").before());
        }
        if output.status != 0
            || said.lines().any(|line| line.starts_with("Error"))
            || said.contains("aborted")
        {
            return Err(failed(&output, "the start of the app"));
        }
        Ok(())
    }
}

impl Device for Adb {
    fn name(&self) -> &str {
        &self.name
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        self.seen = None;
        let screen = self.look().map_err(DeviceError::before)?;
        self.seen = Some(screen.clone());
        Ok(Observation { screen: Some(screen), ..Observation::default() })
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        let key = |code: &str| self.act(&format!("input keyevent {code}"), "the key").map(drop);
        match gesture {
            Gesture::Tap(target) => {
                let (Point { x, y }, _) = self.locate(target)?;
                self.act(&format!("input tap {x} {y}"), "the tap").map(drop)
            }
            Gesture::LongPress(target) => {
                let (Point { x, y }, _) = self.locate(target)?;
                self.act(&format!("input swipe {x} {y} {x} {y} 1000"), "the long press").map(drop)
            }
            Gesture::Swipe { target, direction, distance } => {
                let (from, size) = self.locate(target)?;
                let to = direction.swiped(from, *distance, size);
                let command = format!("input swipe {} {} {} {} 400", from.x, from.y, to.x, to.y);
                self.act(&command, "the swipe").map(drop)
            }
            Gesture::Text(text) => self.type_text(text),
            Gesture::Back => key("KEYCODE_BACK"),
            Gesture::Home => key("KEYCODE_HOME"),
            Gesture::Launch { package, activity } => self.launch(package, activity.as_deref()),
            Gesture::Wait(duration) if *duration <= self.options.longest_wait => {
                thread::sleep(*duration);
                Ok(())
            }
            Gesture::Wait(_) => Err(unsupported("that is longer than may be waited")),
            Gesture::Event(_) => Err(unsupported("it knows gestures and no events of a model")),
        }
    }
}

fn unsupported(reason: &str) -> DeviceError {
    DeviceError::Unsupported { reason: reason.to_owned() }
}

/// What a command said that failed.
fn failed(output: &Output, what: &str) -> DeviceError {
    let said = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
    let said = said.iter().find(|said| !said.is_empty()).map_or("it said nothing", String::as_str);
    let first = said.lines().next().unwrap_or("");
    let reason = format!("{what}: {} (status {})", visible(first, SAID), output.status);
    DeviceError::Failed { reason, performed: Performed::Maybe }
}

/// A connection with one time limit for all that is sent and read on it.
#[derive(Debug)]
struct Timed {
    stream: TcpStream,
    deadline: Option<Instant>,
}

impl Timed {
    fn send(&mut self, request: &str) -> Result<(), WireError> {
        let bytes =
            wire::request(request).ok_or_else(|| WireError::Nonsense("the request is too long".into()))?;
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write_all(&bytes)?;
        wire::accepted(self)
    }

    fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let left = left.unwrap_or(Duration::MAX);
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer)
    }
}
