//! Devices: gestures as data, a program that speaks lines, and Android through a stand-in for the adb server.

use intentgate::EffectError;
use intentgate::executor::device::command::{CommandDevice, CommandOptions};
use intentgate::executor::device::{Device, Direction, Distance, Gesture, Observation, Performed, Target};
use intentgate::executor::screen::{Element, Flags, Point, Screen, Selector, Size};
use serde_json::json;
use std::time::{Duration, Instant};

fn text_target(text: &str) -> Target {
    Target::Element(Selector::text(text))
}

#[test]
fn gestures_are_data() {
    let launch = |activity: Option<&str>| Gesture::Launch {
        package: "com.app".into(),
        activity: activity.map(str::to_owned),
    };
    let swipe = Gesture::Swipe {
        target: Target::Point(Point { x: 540, y: 900 }),
        direction: Direction::Up,
        distance: Distance::Medium,
    };
    for (gesture, form) in [
        (Gesture::Tap(Target::Tag(5)), json!({"tap": {"tag": 5}})),
        (Gesture::LongPress(text_target("Send")), json!({"long_press": {"element": {"text": "Send"}}})),
        (Gesture::Tap(Target::Pixel(Point { x: 1, y: 2 })), json!({"tap": {"pixel": [1, 2]}})),
        (swipe, json!({"swipe": {"target": {"point": [540, 900]}, "direction": "up", "distance": "medium"}})),
        (Gesture::Text("Hello".into()), json!({"text": "Hello"})),
        (Gesture::Back, json!("back")),
        (Gesture::Home, json!("home")),
        (launch(None), json!({"launch": {"package": "com.app"}})),
        (launch(Some(".Main")), json!({"launch": {"package": "com.app", "activity": ".Main"}})),
        (Gesture::Wait(Duration::from_millis(500)), json!({"wait": 500})),
        (Gesture::Event("tap the gear".into()), json!({"event": "tap the gear"})),
    ] {
        assert_eq!(serde_json::to_value(&gesture).unwrap(), form);
        assert_eq!(serde_json::from_value::<Gesture>(form).unwrap(), gesture);
    }
    serde_json::from_str::<Gesture>(r#"{"tap": {"element": {"txt": "Send"}}}"#).unwrap_err();
    serde_json::from_str::<Gesture>(r#"{"format_disk": {}}"#).unwrap_err();
    let observation = json!({"page": "Home", "values": {"Cart": {"total": 30}}});
    let read: Observation = serde_json::from_value(observation.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), observation);
}

/// A list of rows, each a button with a text in it.
fn rows(names: &[&str]) -> Screen {
    let mut elements = vec![Element {
        bounds: Some([0, 0, 100, 1_000].into()),
        flags: Flags { scrollable: true, ..Flags::default() },
        ..Element::new("List")
    }];
    for (at, name) in names.iter().enumerate() {
        let top = i32::try_from(at).unwrap() * 100;
        let flags = Flags { clickable: true, ..Flags::default() };
        let bounds = Some([0, top, 100, top + 100].into());
        let list = serde_json::from_value(0.into()).unwrap();
        let row = serde_json::from_value(elements.len().into()).unwrap();
        elements.push(Element { parent: Some(list), bounds, flags, ..Element::new("Row") });
        let text = (*name).to_owned();
        elements.push(Element { parent: Some(row), bounds, text, ..Element::new("Text") });
    }
    let mut screen = Screen::new(elements).unwrap();
    screen.size = Some(Size { width: 100, height: 1_000 });
    screen
}

#[test]
fn a_target_is_found_again_or_refused() {
    let at = |y: i32| Point { x: 50, y };
    let seen = rows(&["Ana", "Mum", "Bob"]);
    let tag = |name: &str| {
        let row = Selector { contains: Some(name.into()), class: Some("Row".into()), ..Selector::default() };
        Target::Tag(seen.tagged().of(seen.find(&row).unwrap()).unwrap())
    };
    assert_eq!(tag("Mum").locate(Some(&seen), &seen).unwrap(), at(150));
    // A new first row: the tag still means the row that it meant.
    let newer = rows(&["Spam", "Ana", "Mum", "Bob"]);
    assert_eq!(tag("Mum").locate(Some(&seen), &newer).unwrap(), at(250));
    // The row is gone, or there are two of them.
    let gone = rows(&["Spam", "Ana", "Bob"]);
    assert_eq!(tag("Mum").locate(Some(&seen), &gone).unwrap_err().kind(), "missing");
    let two = rows(&["Mum", "Ana", "Mum"]);
    assert_eq!(tag("Mum").locate(Some(&seen), &two).unwrap_err().kind(), "ambiguous");
    // Rows that nothing tells apart but their place.
    let alike = rows(&["Row", "Row", "Row"]);
    assert_eq!(Target::Tag(1).locate(Some(&alike), &alike).unwrap(), at(50));
    let fewer = rows(&["Row", "Row"]);
    assert_eq!(Target::Tag(1).locate(Some(&alike), &fewer).unwrap_err().kind(), "untouchable");
    // Another screen, no screen, no such tag.
    let mut other = seen.clone();
    other.package = Some("other".into());
    assert_eq!(tag("Mum").locate(Some(&seen), &other).unwrap_err().kind(), "untouchable");
    assert_eq!(tag("Mum").locate(None, &seen).unwrap_err().kind(), "untouchable");
    assert_eq!(Target::Tag(9).locate(Some(&seen), &seen).unwrap_err().kind(), "missing");
    // Points.
    assert_eq!(Target::Point(at(999)).locate(None, &seen).unwrap(), at(999));
    assert_eq!(Target::Point(at(1_000)).locate(None, &seen).unwrap_err().kind(), "untouchable");
    assert_eq!(Target::Pixel(at(1)).locate(Some(&seen), &seen).unwrap_err().kind(), "untouchable");
    // What is disabled is not touched.
    let mut off = Element { text: "Send".into(), bounds: Some([0, 0, 9, 9].into()), ..Element::new("B") };
    off.flags.enabled = false;
    let off = Screen::new(vec![off]).unwrap();
    assert_eq!(text_target("Send").locate(None, &off).unwrap_err().kind(), "untouchable");
    // As a selector, for devices that know no tags.
    let Gesture::Tap(Target::Element(selector)) = Gesture::Tap(tag("Mum")).on(&seen).unwrap() else {
        panic!()
    };
    assert_eq!(selector.contains.as_deref(), Some("Mum"));
}

// A program.

/// A shell script as a device.
fn script(script: &str) -> CommandDevice {
    timed(script, Duration::from_secs(20))
}

fn timed(script: &str, timeout: Duration) -> CommandDevice {
    let options = CommandOptions { timeout, ..CommandOptions::default() };
    CommandDevice::start("/bin/sh", &["-c", script], options).unwrap()
}

const SHORT: Duration = Duration::from_millis(700);

/// What a script answers to every request.
fn answering(answer: &str) -> CommandDevice {
    script(&format!("while read line; do printf '%s\\n' '{answer}'; done"))
}

#[test]
fn a_program_is_asked_and_answers() {
    let mut device = script(
        r#"while read line; do case "$line" in
        '{"observe":{}}') echo '{"observation": {"page": "Home", "values": {"Cart": {"total": 30.10}},
            "screen": {"elements": [{"class": "B", "text": "Zürich"}]}}}' | tr -d '\n'; echo;;
        '{"perform":{"tap":{"element":{"text":"Zürich"}}}}') echo '{"done": {}}';;
        '{"perform":"back"}') printf '%s\n' '{"failed": {"reason": "no way\nback", "performed": "no"}}';;
        *) echo '{"failed": {"reason": "odd"}}';;
        esac; done"#,
    );
    let seen = device.observe().unwrap();
    assert_eq!(seen.page.as_deref(), Some("Home"));
    assert_eq!(seen.values["Cart"]["total"].to_string(), "30.1");
    assert_eq!(seen.screen.unwrap().elements().next().unwrap().1.text, "Zürich");
    device.perform(&Gesture::Tap(text_target("Zürich"))).unwrap();
    let error = device.perform(&Gesture::Back).unwrap_err();
    assert_eq!((error.kind(), error.performed()), ("failed", Performed::No));
    assert!(matches!(EffectError::from(error), EffectError::NotPerformed(_)));
    // A failure that doesn't say so may have been performed.
    let error = device.perform(&Gesture::Home).unwrap_err();
    assert!(matches!(EffectError::from(error), EffectError::Unknown(_)));
    // It still works.
    device.observe().unwrap();
}

/// What goes wrong with a program: a script, then kind, whether it may have been performed, and words of the
/// error of a `perform`.
#[test]
fn a_program_that_goes_wrong_is_an_error_and_never_a_hang() {
    let long = "x".repeat(2_000);
    let wrong: [(&str, &str, Performed, &str); 13] = [
        ("sleep 60", "timeout", Performed::Maybe, "0.7 s"),
        ("read line; exit 3", "unavailable", Performed::Maybe, "exit status: 3"),
        ("read line; echo 'no battery' >&2; exit 1", "unavailable", Performed::Maybe, "no battery"),
        ("read line; kill -9 $$", "unavailable", Performed::Maybe, "signal: 9"),
        ("read line; echo hello; sleep 60", "protocol", Performed::Maybe, "E0201"),
        ("read line; echo; sleep 60", "protocol", Performed::Maybe, "E0004"),
        ("read line; echo '{\"done\": {}, \"more\": 1}'; sleep 60", "protocol", Performed::Maybe, ""),
        ("read line; echo '{\"observation\": {}}'; sleep 60", "protocol", Performed::Maybe, "`observation`"),
        ("read line; printf '{\"done\": {}}'", "unavailable", Performed::Maybe, "has ended"),
        ("read line; printf '\\377\\n'; sleep 60", "protocol", Performed::Maybe, "UTF-8"),
        (
            "read line; printf '{\"done\": {}}\\n{\"done\": {}}\\n'; sleep 60",
            "protocol",
            Performed::No,
            "before",
        ),
        ("exec 0<&-; exec 1>&-; sleep 60", "unavailable", Performed::Maybe, "has ended"),
        ("read line; printf '{\"failed\": {\"reason\": \"%s\"}}\\n' LONG", "failed", Performed::Maybe, "…"),
    ];
    for (text, kind, performed, words) in wrong {
        let start = Instant::now();
        let timeout = if kind == "timeout" { SHORT } else { Duration::from_secs(20) };
        let mut device = timed(&text.replace("LONG", &long), timeout);
        let mut outcome = device.perform(&Gesture::Back);
        if outcome.is_ok() {
            // Two answers to one question: the second is noticed before the next question.
            std::thread::sleep(Duration::from_millis(100));
            outcome = device.perform(&Gesture::Back);
        }
        let error = outcome.unwrap_err();
        let told = error.to_string();
        assert_eq!((error.kind(), told.contains(words)), (kind, true), "{text}: {told}");
        // What died before it was asked was asked nothing.
        assert!(error.performed() == performed || told.contains("has ended"), "{text}: {told}");
        assert!(told.len() < 600 && !told.contains('\n'), "{told}");
        if kind != "failed" {
            // From then on it is not spoken to.
            let after = device.observe().unwrap_err();
            assert_eq!((after.kind(), after.performed()), ("unavailable", Performed::No), "{text}");
        }
        drop(device);
        assert!(start.elapsed() < Duration::from_secs(15), "{text}: {:?}", start.elapsed());
    }
    let none: [&str; 0] = [];
    let error = CommandDevice::start("/no/such/program", &none, CommandOptions::default()).unwrap_err();
    assert_eq!((error.kind(), error.performed()), ("unavailable", Performed::No));
}

#[test]
fn a_program_that_does_not_read_does_not_hold_anybody_up() {
    let mut device = timed("sleep 60", SHORT);
    let start = Instant::now();
    let error = device.perform(&Gesture::Text("x".repeat(1 << 20))).unwrap_err();
    assert_eq!((error.kind(), error.performed()), ("timeout", Performed::Maybe));
    drop(device);
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn answers_have_a_size() {
    let mut options = CommandOptions::default();
    options.limits.bytes = 1_000;
    let endless = ["-c", "read line; while true; do printf xxxxxxxxxxxxxxxx; done"];
    let mut device = CommandDevice::start("/bin/sh", &endless, options).unwrap();
    let error = device.observe().unwrap_err();
    assert_eq!((error.kind(), error.performed()), ("protocol", Performed::No));
    assert!(error.to_string().contains("1000 bytes"), "{error}");
    let many = format!(r#"{{"observation": {{"screen": {{"elements": [{}{{}}]}}}}}}"#, "{},".repeat(10_000));
    let error = answering(&many).observe().unwrap_err();
    assert!(error.to_string().contains("10001 elements"), "{error}");
    // A screen that is none.
    let mut device = answering(r#"{"observation": {"screen": {"elements": [{"parent": 3}]}}}"#);
    let error = device.observe().unwrap_err();
    assert!(error.to_string().contains("does not come before it"), "{error}");
}

#[cfg(feature = "adb")]
#[path = "devices/adb.rs"]
mod adb;
