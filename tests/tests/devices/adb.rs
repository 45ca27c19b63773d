//! Android through a stand-in for the adb server: it speaks the protocol, and keeps what it was asked.

use super::text_target;
use intentgate::executor::device::adb::{Adb, AdbOptions, Keyboard};
use intentgate::executor::device::{Device, DeviceError, Direction, Distance, Gesture, Performed, Target};
use intentgate::executor::screen::{Point, Selector, Size};
use intentgate_tests::root;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What the stand-in does with a request.
enum Answer {
    /// A command's output, errors and exit status.
    Output(Vec<u8>, &'static str, u8),
    /// `FAIL` with these words.
    Fail(&'static str),
    /// These bytes instead of `OKAY` and what follows, then the end.
    Raw(Vec<u8>),
    /// `OKAY`, then these bytes, then the end.
    Cut(Vec<u8>),
    /// `OKAY`, then a byte now and then, without end.
    Dribble,
}

fn says(text: &str) -> Answer {
    Answer::Output(text.as_bytes().to_vec(), "", 0)
}

fn packet(kind: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    [&[kind][..], &length, payload].concat()
}

fn request(stream: &mut TcpStream) -> Option<String> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let length = usize::from_str_radix(std::str::from_utf8(&length).unwrap(), 16).unwrap();
    let mut text = vec![0; length];
    stream.read_exact(&mut text).ok()?;
    Some(String::from_utf8(text).unwrap())
}

/// Answers a request; false if the connection is over.
fn answer(stream: &mut TcpStream, answer: Answer) -> bool {
    let bytes = match answer {
        Answer::Output(stdout, stderr, status) => {
            // In several packets, as a device sends them.
            let (first, second) = stdout.split_at(stdout.len() / 2);
            let parts =
                [packet(1, first), packet(2, stderr.as_bytes()), packet(1, second), packet(3, &[status])];
            [b"OKAY".to_vec(), parts.concat()].concat()
        }
        Answer::Fail(words) => format!("FAIL{:04x}{words}", words.len()).into_bytes(),
        Answer::Raw(bytes) => bytes,
        Answer::Cut(bytes) => [b"OKAY".to_vec(), bytes].concat(),
        Answer::Dribble => {
            let mut alive = stream.write_all(b"OKAY").is_ok();
            // A packet that announces much.
            for byte in packet(1, &[b'x'; 1_000]) {
                alive = alive && stream.write_all(&[byte]).is_ok();
                thread::sleep(Duration::from_millis(30));
                if !alive {
                    break;
                }
            }
            return false;
        }
    };
    let _ = stream.write_all(&bytes);
    false
}

type Handler = Box<dyn Fn(&str) -> Answer + Send>;

/// A server with one device, `emulator-5554`. Commands are answered by `handler`.
fn server(handler: Handler) -> (AdbOptions, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            while let Some(text) = request(&mut stream) {
                let open = match text.as_str() {
                    "host:transport:emulator-5554" | "host:transport-any" => {
                        stream.write_all(b"OKAY").is_ok()
                    }
                    "host:devices" => {
                        let list = "emulator-5554\tdevice\nR58M\tunauthorized\n";
                        answer(&mut stream, Answer::Raw(format!("OKAY{:04x}{list}", list.len()).into_bytes()))
                    }
                    "host:transport:R58M" => answer(&mut stream, Answer::Fail("device unauthorized.")),
                    "host:transport:off" => answer(&mut stream, Answer::Fail("device offline")),
                    other if other.starts_with("host:transport:") => {
                        answer(&mut stream, Answer::Fail("device 'nobody' not found"))
                    }
                    other => {
                        let command =
                            other.strip_prefix("shell,v2,raw:").expect("a shell request").to_owned();
                        log.lock().unwrap().push(command.clone());
                        answer(&mut stream, handler(&command))
                    }
                };
                if !open {
                    break;
                }
            }
        }
    });
    let serial = Some("emulator-5554".to_owned());
    let timeout = Duration::from_secs(10);
    (AdbOptions { address, serial, timeout, ..AdbOptions::default() }, asked)
}

/// A phone that shows the chat.
fn phone(command: &str) -> Answer {
    let chat = std::fs::read_to_string(root().join("tests/screens/chat.xml")).unwrap();
    match command {
        "wm size" => says("Physical size: 1080x2280\n"),
        "screencap -p" => Answer::Output(picture(540, 1_140), "", 0),
        _ if command.starts_with("dumpsys activity") => {
            says("    topResumedActivity=ActivityRecord{e4 u0 com.example.chat/.ChatsActivity t8}\n")
        }
        _ if command.contains("uiautomator dump") => {
            Answer::Output(chat.into_bytes(), "UI hierchary dumped", 0)
        }
        _ if command.starts_with("input ") => says(""),
        _ => Answer::Output(Vec::new(), "sh: not found", 127),
    }
}

/// The header of a PNG: all of it that is looked at here.
fn picture(width: u32, height: u32) -> Vec<u8> {
    [&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], &width.to_be_bytes(), &height.to_be_bytes()].concat()
}

fn inputs(asked: &Mutex<Vec<String>>) -> Vec<String> {
    let asked = asked.lock().unwrap();
    asked
        .iter()
        .filter(|command| !command.contains("dump") && *command != "wm size" && *command != "screencap -p")
        .cloned()
        .collect()
}

#[test]
fn a_phone_is_observed() {
    let (options, asked) = server(Box::new(phone));
    let mut adb = Adb::connect(options).unwrap();
    assert_eq!(adb.name(), "adb:emulator-5554");
    let screen = adb.observe().unwrap().screen.unwrap();
    assert_eq!(screen.package.as_deref(), Some("com.example.chat"));
    assert_eq!(screen.activity.as_deref(), Some("com.example.chat.ChatsActivity"));
    assert_eq!(screen.size, Some(Size { width: 1_080, height: 2_280 }));
    assert_eq!(screen.picture_size(), Some(Size { width: 540, height: 1_140 }));
    assert_eq!(screen.tagged().len(), 11);
    insta::assert_snapshot!(asked.lock().unwrap().join("\n"));
}

#[test]
fn gestures_are_commands() {
    let (options, asked) = server(Box::new(phone));
    let mut adb = Adb::connect(options).unwrap();
    let screen = adb.observe().unwrap().screen.unwrap();
    let list = screen.find(&Selector::resource_id("com.example.chat:id/list")).unwrap();
    let list = screen.tagged().of(list).unwrap();
    let at = |x, y| Point { x, y };
    let swipe = |target, direction, distance| Gesture::Swipe { target, direction, distance };
    for gesture in [
        Gesture::Tap(Target::Element(Selector::resource_id("com.example.chat:id/search"))),
        Gesture::Tap(Target::Tag(list)),
        Gesture::LongPress(Target::Point(at(3, 4))),
        // The picture is half as large as the screen.
        Gesture::Tap(Target::Pixel(at(100, 200))),
        swipe(Target::Tag(list), Direction::Up, Distance::Medium),
        swipe(Target::Point(at(50, 50)), Direction::Left, Distance::Long),
        swipe(Target::Point(at(50, 2_200)), Direction::Down, Distance::Short),
        Gesture::Text("it's 100%sure $(reboot) `x` \"y\" & z; | > \\ ~#*?".into()),
        Gesture::Text("x".repeat(150)),
        Gesture::Back,
        Gesture::Home,
        Gesture::Wait(Duration::from_millis(1)),
    ] {
        adb.perform(&gesture).unwrap_or_else(|error| panic!("{gesture:?}: {error}"));
    }
    insta::assert_snapshot!(inputs(&asked).join("\n"));
}

/// What a shell makes of what is typed is what was to be typed.
#[test]
fn text_arrives_as_it_is() {
    let (options, asked) = server(Box::new(phone));
    let mut adb = Adb::connect(options).unwrap();
    let every: String = (' '..='~').chain("%s%%s %ss".chars()).collect();
    adb.perform(&Gesture::Text(every.clone())).unwrap();
    let mut arrived = String::new();
    for command in inputs(&asked) {
        let arguments = command.strip_prefix("input text ").unwrap();
        let script = format!("printf '%s' {arguments}");
        let shell = std::process::Command::new("/bin/sh").args(["-c", &script]).output().unwrap();
        // As `input` reads it.
        arrived += &String::from_utf8(shell.stdout).unwrap().replace("%s", " ");
    }
    assert_eq!(arrived, every);
}

#[test]
fn what_can_not_be_done_is_not_tried() {
    let (options, asked) = server(Box::new(phone));
    let mut adb = Adb::connect(options.clone()).unwrap();
    let launch = |package: &str| Gesture::Launch { package: package.into(), activity: None };
    for (gesture, kind, words) in [
        (Gesture::Text("Grüße".into()), "unsupported", "U+00FC"),
        (Gesture::Text("a\nb".into()), "unsupported", "Enter"),
        (Gesture::Text("x".repeat(70_000)), "unsupported", "limit"),
        (Gesture::Event("tap the gear".into()), "unsupported", "events"),
        (Gesture::Wait(Duration::from_secs(3_600)), "unsupported", "longer"),
        (launch("com.app; reboot"), "unsupported", "name"),
        (Gesture::Tap(Target::Tag(3)), "untouchable", "no screen was observed"),
        (Gesture::Tap(text_target("Pay")), "missing", "\"Pay\""),
        (Gesture::Tap(text_target("Unlock")), "untouchable", "disabled"),
        (
            Gesture::Tap(Target::Element(Selector::resource_id("com.example.chat:id/photo"))),
            "ambiguous",
            "3 elements",
        ),
    ] {
        let error = adb.perform(&gesture).unwrap_err();
        assert_eq!((error.kind(), error.performed()), (kind, Performed::No), "{gesture:?}: {error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    assert_eq!(inputs(&asked), Vec::<String>::new());
    // Without a focus nothing is typed.
    let unfocused: Handler = Box::new(|command| match phone(command) {
        Answer::Output(bytes, stderr, status) => {
            let text = String::from_utf8_lossy(&bytes).replace("focused=\"true\"", "focused=\"false\"");
            if bytes.starts_with(b"\x89PNG") {
                phone(command)
            } else {
                Answer::Output(text.into_bytes(), stderr, status)
            }
        }
        other => other,
    });
    let (options, asked) = server(unfocused);
    let error = Adb::connect(options).unwrap().perform(&Gesture::Text("hello".into())).unwrap_err();
    assert_eq!((error.kind(), inputs(&asked).len()), ("untouchable", 0), "{error}");
}

#[test]
fn any_text_is_typed_by_the_other_keyboard() {
    let keyboard = |chosen: &'static str| -> Handler {
        Box::new(move |command| match command {
            "settings get secure default_input_method" => says(chosen),
            _ if command.starts_with("am broadcast") => says("Broadcast completed: result=0\n"),
            _ => phone(command),
        })
    };
    let text = Gesture::Text("Grüße 😊\n你好".into());
    let (options, asked) = server(keyboard("com.android.adbkeyboard/.AdbIME\n"));
    let options = AdbOptions { keyboard: Keyboard::AdbKeyboard, ..options };
    Adb::connect(options).unwrap().perform(&text).unwrap();
    let last = inputs(&asked).pop().unwrap();
    assert_eq!(last, "am broadcast -a ADB_INPUT_B64 --es msg 'R3LDvMOfZSDwn5iKCuS9oOWlvQ=='");
    let (options, _) = server(keyboard("com.google.android.inputmethod.latin/x\n"));
    let options = AdbOptions { keyboard: Keyboard::AdbKeyboard, ..options };
    let error = Adb::connect(options).unwrap().perform(&text).unwrap_err();
    assert_eq!((error.kind(), error.performed()), ("unsupported", Performed::No), "{error}");
}

#[test]
fn apps_are_started() {
    let starts: Handler = Box::new(|command| match command {
        "am start -W -n 'com.app/.Main'" => says("Starting: Intent { cmp=com.app/.Main }\nStatus: ok\n"),
        "am start -W -n 'com.app/.Gone'" => Answer::Output(
            b"Error type 3\n".to_vec(),
            "Error: Activity class {com.app/com.app.Gone} does not exist.",
            0,
        ),
        "monkey -p 'com.app' -c android.intent.category.LAUNCHER 1" => says("Events injected: 1\n"),
        "monkey -p 'com.gone' -c android.intent.category.LAUNCHER 1" => {
            Answer::Output(Vec::new(), "** No activities found to run, monkey aborted.", 252)
        }
        other => phone(other),
    });
    let (options, _) = server(starts);
    let mut adb = Adb::connect(options).unwrap();
    let launch = |package: &str, activity: Option<&str>| Gesture::Launch {
        package: package.into(),
        activity: activity.map(str::to_owned),
    };
    adb.perform(&launch("com.app", Some(".Main"))).unwrap();
    adb.perform(&launch("com.app", None)).unwrap();
    for gesture in [launch("com.app", Some(".Gone")), launch("com.gone", None)] {
        let error = adb.perform(&gesture).unwrap_err();
        assert_eq!((error.kind(), error.performed()), ("failed", Performed::No), "{error}");
    }
}

/// What goes wrong with a tap: how `input` is answered, then kind, whether it may have been performed, words.
#[test]
fn what_goes_wrong_says_whether_it_may_have_happened() {
    type Wrong = (fn() -> Answer, &'static str, Performed, &'static str);
    let wrong: [Wrong; 9] = [
        (|| Answer::Fail("closed"), "unavailable", Performed::No, "closed"),
        (|| Answer::Raw(Vec::new()), "unavailable", Performed::Maybe, "in the middle"),
        (|| Answer::Raw(b"HTTP/1.1 400".to_vec()), "protocol", Performed::Maybe, "HTTP"),
        (|| Answer::Cut(Vec::new()), "unavailable", Performed::Maybe, "in the middle"),
        (|| Answer::Cut(packet(1, b"half")), "unavailable", Performed::Maybe, "in the middle"),
        (|| Answer::Cut(packet(9, b"x")), "protocol", Performed::Maybe, "kind 9"),
        (|| Answer::Cut(b"\x01\xff\xff\xff\xff".to_vec()), "protocol", Performed::Maybe, "more than"),
        (|| Answer::Dribble, "timeout", Performed::Maybe, "0.6 s"),
        (
            || Answer::Output(Vec::new(), "java.lang.SecurityException: Injecting to another application", 0),
            "failed",
            Performed::Maybe,
            "SecurityException",
        ),
    ];
    for (answer, kind, performed, words) in wrong {
        let handler: Handler =
            Box::new(move |command| if command.starts_with("input") { answer() } else { phone(command) });
        let (options, _) = server(handler);
        let short = |options: AdbOptions| match kind {
            "timeout" => AdbOptions { timeout: Duration::from_millis(600), ..options },
            _ => options,
        };
        let mut adb = Adb::connect(short(options)).unwrap();
        let start = Instant::now();
        let error = adb.perform(&Gesture::Back).unwrap_err();
        assert_eq!((error.kind(), error.performed()), (kind, performed), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(start.elapsed() < Duration::from_secs(9), "{words}: {:?}", start.elapsed());
        // Looking changes nothing: it never may have happened.
        let handler: Handler =
            Box::new(move |command| if command.contains("dump") { answer() } else { phone(command) });
        let (options, _) = server(handler);
        let mut adb = Adb::connect(AdbOptions { attempts: 1, ..short(options) }).unwrap();
        assert_eq!(adb.observe().unwrap_err().performed(), Performed::No);
        assert_eq!(adb.perform(&Gesture::Tap(text_target("Chats"))).unwrap_err().performed(), Performed::No);
    }
}

#[test]
fn a_text_that_breaks_off_may_have_been_typed_in_part() {
    let handler: Handler = Box::new(|command| match command {
        "input text 'y'" => Answer::Fail("closed"),
        _ => phone(command),
    });
    let (options, _) = server(handler);
    let text = Gesture::Text("x".repeat(100) + "y");
    let error = Adb::connect(options).unwrap().perform(&text).unwrap_err();
    assert_eq!((error.kind(), error.performed()), ("unavailable", Performed::Maybe), "{error}");
}

#[test]
fn servers_and_devices_that_are_not_there() {
    let (options, _) = server(Box::new(phone));
    let listed = Adb::devices(&options).unwrap();
    let pair = |serial: &str, state: &str| (serial.to_owned(), state.to_owned());
    assert_eq!(listed, [pair("emulator-5554", "device"), pair("R58M", "unauthorized")]);
    for (serial, words) in [("R58M", "unauthorized"), ("off", "offline"), ("nobody", "not found")] {
        let options = AdbOptions { serial: Some(serial.to_owned()), ..options.clone() };
        let error = Adb::connect(options).unwrap_err();
        assert_eq!((error.kind(), error.performed()), ("unavailable", Performed::No));
        assert!(error.to_string().contains(words), "{error}");
    }
    let any = Adb::connect(AdbOptions { serial: None, ..options }).unwrap();
    assert_eq!(any.name(), "adb:any");
    // A port on which nobody listens.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = Adb::connect(AdbOptions { address, ..AdbOptions::default() }).unwrap_err();
    assert_eq!((error.kind(), error.performed()), ("unavailable", Performed::No));
    assert!(error.to_string().contains("adb start-server"), "{error}");
}

#[test]
fn a_screen_that_is_not_idle_is_dumped_again() {
    let tries = Arc::new(Mutex::new(0));
    let count = Arc::clone(&tries);
    let handler: Handler = Box::new(move |command| {
        if !command.contains("uiautomator") {
            return phone(command);
        }
        *count.lock().unwrap() += 1;
        match *count.lock().unwrap() {
            1 => Answer::Output(Vec::new(), "ERROR: could not get idle state.\ncat: no such file", 1),
            _ => phone(command),
        }
    });
    let (options, _) = server(handler);
    let mut adb = Adb::connect(AdbOptions { screenshot: false, ..options }).unwrap();
    assert!(adb.observe().unwrap().screen.unwrap().screenshot.is_none());
    assert_eq!(*tries.lock().unwrap(), 2);
    // Half a dump is none, and is not what is acted on.
    let handler: Handler = Box::new(|command| match phone(command) {
        Answer::Output(bytes, stderr, status) if command.contains("uiautomator") => {
            Answer::Output(bytes[..3_000].to_vec(), stderr, status)
        }
        other => other,
    });
    let (options, asked) = server(handler);
    let mut adb = Adb::connect(options).unwrap();
    let error = adb.perform(&Gesture::Tap(text_target("Chats"))).unwrap_err();
    assert!(matches!(&error, DeviceError::Screen(problems) if problems.has_errors()), "{error}");
    assert!(inputs(&asked).is_empty());
}

#[test]
fn a_turned_screen_has_its_sides_turned() {
    let handler: Handler = Box::new(|command| {
        if command.contains("uiautomator") {
            let text = std::fs::read(root().join("tests/screens/settings.xml")).unwrap();
            return Answer::Output(text, "", 0);
        }
        match command {
            "wm size" => says("Physical size: 1440x2960\nOverride size: 1080x2280\n"),
            _ => phone(command),
        }
    });
    let (options, _) = server(handler);
    let screen = Adb::connect(options).unwrap().observe().unwrap().screen.unwrap();
    assert_eq!(screen.size, Some(Size { width: 2_280, height: 1_080 }));
    // What is in front belongs to another app: it is not this screen's.
    assert_eq!((screen.package.as_deref(), screen.activity), (Some("com.android.settings"), None));
}
