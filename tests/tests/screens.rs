//! Screens: what the tools write, good and bad; tags, names, selectors, keys, outlines.

use intentgate::engine::diagnostic::{Problems, render};
use intentgate::engine::limits::Limits;
use intentgate::engine::span::Source;
use intentgate::executor::screen::outline::Outline;
use intentgate::executor::screen::{
    Bounds, Element, ElementId, Flags, Point, Screen, Selector, SelectorError, Size, TreeError,
};
use intentgate_tests::root;
use proptest::prelude::*;
use std::fmt::Write;
use std::time::Instant;

fn fixture(name: &str) -> String {
    std::fs::read_to_string(root().join("tests/screens").join(name)).unwrap()
}

fn read(name: &str, text: &str) -> Result<Screen, Problems> {
    let source = Source::new(name, text);
    if name.ends_with(".json") {
        Screen::from_droidbot(&source, &Limits::default())
    } else {
        Screen::from_uiautomator(&source, &Limits::default())
    }
}

fn screen(name: &str) -> Screen {
    read(name, &fixture(name)).unwrap_or_else(|problems| panic!("{problems}"))
}

fn dump(nodes: &str) -> Screen {
    let text = format!("<hierarchy rotation=\"0\">{nodes}</hierarchy>");
    read("screen.xml", &text).unwrap_or_else(|problems| panic!("{problems}"))
}

fn code(name: &str, text: &str) -> &'static str {
    read(name, text).unwrap_err().items()[0].code().as_str()
}

/// What a file gives: all that is made of a screen, or what is wrong with it.
fn told(name: &str) -> String {
    let screen = match read(name.rsplit('/').next().unwrap(), &fixture(name)) {
        Ok(screen) => screen,
        Err(problems) => return render::plain(&problems),
    };
    let mut told = screen.outline(&Outline::default());
    writeln!(told, "\nrotation {}, {} elements", screen.rotation, screen.elements().len()).unwrap();
    for (tag, id) in screen.tagged().iter() {
        let best = screen.selectors(id);
        writeln!(told, "[{tag}] {}", screen.uid(id)).unwrap();
        writeln!(told, "     {} selectors, the best: {}", best.len(), best[0]).unwrap();
    }
    told
}

#[test]
fn what_tools_write() {
    let mut all = String::new();
    for name in ["chat.xml", "settings.xml", "empty.xml", "state_2026-11-21.json", "state_nulls.json"] {
        writeln!(all, "==== {name}\n{}", told(name)).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_is_damaged() {
    let mut names: Vec<String> = std::fs::read_dir(root().join("tests/screens/bad"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() >= 12);
    let mut all = String::new();
    for name in names {
        let told = told(&format!("bad/{name}"));
        assert!(told.starts_with("error"), "{name}: {told}");
        writeln!(all, "==== {name}\n{told}").unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_dump_that_is_cut_anywhere_is_an_error_or_the_whole() {
    let text = fixture("chat.xml");
    let whole = screen("chat.xml");
    let end = text.find("</hierarchy>").unwrap() + "</hierarchy>".len();
    for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        match read("chat.xml", &text[..at]) {
            Ok(screen) => {
                assert!(at >= end, "cut at {at}");
                assert_eq!(screen, whole);
            }
            Err(problems) => {
                assert!(at < end, "{problems}");
                let place = problems.items()[0].primary.span;
                assert!(place.end() <= at, "cut at {at}: {place:?}");
            }
        }
    }
}

#[test]
fn halves_of_surrogate_pairs_are_joined() {
    let shown = |text: &str| {
        let screen = dump(&format!("<node text=\"{text}\" bounds=\"[0,0][9,9]\"/>"));
        screen.elements().next().unwrap().1.text.clone()
    };
    assert_eq!(shown("a&#55357;&#56842;b"), "a😊b");
    assert_eq!(shown("&#xD83D;&#xde0a;"), "😊");
    assert_eq!(shown("&#55357;&#xde0a;"), "😊");
    assert_eq!(shown("&#55357; &#56842;"), "\u{fffd} \u{fffd}");
    assert_eq!(shown("&#128522;&#65;&lt;&#x41;"), "😊A<A");
    assert_eq!(code("s.xml", "<hierarchy><node text=\"&#x;\"/></hierarchy>"), "E0901");
    // Places after them are those of the text.
    let text = "<hierarchy><node text=\"&#55357;&#56842;\" bounds=\"x\"/></hierarchy>";
    let problems = read("s.xml", text).unwrap_err();
    assert_eq!(problems.source().slice(problems.items()[0].primary.span), "x");
}

#[test]
fn limits_hold() {
    let deep = |levels: usize| {
        let text = format!(
            "<hierarchy>{}{}</hierarchy>",
            "<node bounds=\"[0,0][9,9]\">".repeat(levels),
            "</node>".repeat(levels)
        );
        read("s.xml", &text)
    };
    assert_eq!(deep(256).unwrap().elements().len(), 256);
    assert_eq!(deep(257).unwrap_err().items()[0].code().as_str(), "E0114");
    assert_eq!(deep(100_000).unwrap_err().items()[0].code().as_str(), "E0113");
    let many = |count: usize| format!("<hierarchy>{}</hierarchy>", "<node/>".repeat(count));
    assert_eq!(read("s.xml", &many(10_000)).unwrap().elements().len(), 10_000);
    assert_eq!(code("s.xml", &many(10_001)), "E0113");
    assert_eq!(code("s.xml", &many(1_000_000)), "E0113");
    let long = format!("<hierarchy><node text=\"{}\"/></hierarchy>", "x".repeat(70_000));
    assert_eq!(code("s.xml", &long), "E0115");
    let source = Source::new("s.xml", many(10));
    let limits = Limits { bytes: 10, ..Limits::default() };
    assert_eq!(Screen::from_uiautomator(&source, &limits).unwrap_err().items()[0].code().as_str(), "E0003");
    let chain = |count: i64| {
        let views: Vec<_> =
            (0..count).map(|at| serde_json::json!({"temp_id": at, "parent": at - 1})).collect();
        serde_json::json!({ "views": views }).to_string()
    };
    assert_eq!(read("s.json", &chain(256)).unwrap().elements().len(), 256);
    assert_eq!(code("s.json", &chain(9_000)), "E0114");
    let own = |count: u32| {
        (0..count).map(|at| Element { parent: at.checked_sub(1).map(id), ..Element::default() }).collect()
    };
    assert!(matches!(Screen::new(own(2_000)), Err(TreeError::Deep { child: 1_000, .. })));
    let wrong = Element { parent: Some(id(0)), ..Element::default() };
    assert_eq!(Screen::new(vec![wrong]), Err(TreeError::Parent { child: 0, parent: 0 }));
}

fn id(index: u32) -> ElementId {
    serde_json::from_value(index.into()).unwrap()
}

#[test]
fn a_thousand_elements_are_read_at_once() {
    let nodes: String = (0..1_000)
        .map(|at| {
            format!(
                "<node index=\"{at}\" text=\"Row {at}\" class=\"android.widget.Button\" clickable=\"true\" \
                 bounds=\"[0,{}][1080,{}]\"/>",
                at * 100,
                at * 100 + 100
            )
        })
        .collect();
    let start = Instant::now();
    let screen = dump(&nodes);
    assert_eq!(screen.tagged().len(), 1_000);
    let _ = (screen.key(), screen.outline(&Outline::default()));
    let last = id(999);
    assert_eq!(screen.selectors(last)[0], Selector::text("Row 999"));
    // A hundredth of this is usual: what is quadratic in the text or worse takes far longer.
    assert!(start.elapsed().as_millis() < 1_000, "{:?}", start.elapsed());
}

#[test]
fn passwords_are_shown_nowhere() {
    for (name, secret) in [("chat.xml", "hunter2"), ("state_2026-11-21.json", "s3cret")] {
        assert!(fixture(name).contains(secret));
        let screen = screen(name);
        let shown = [
            format!("{screen:?}"),
            screen.outline(&Outline::default()),
            serde_json::to_string(&screen).unwrap(),
            format!("{:?}", screen.elements().flat_map(|(id, _)| screen.selectors(id)).collect::<Vec<_>>()),
            format!("{:?}", screen.find(&Selector::text(secret))),
        ];
        for shown in &shown[..4] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert!(shown[0].contains("••••"));
        assert!(screen.find(&Selector::text(secret)).is_err());
        assert!(screen.find(&Selector::text("••••")).is_err());
    }
    let flags = Flags { password: true, ..Flags::default() };
    let element = Element { text: "hunter2".into(), flags, ..Element::default() };
    assert!(!format!("{element:?}").contains("hunter2"));
    let json = r#"{"elements": [{"text": "hunter2", "flags": {"password": true}}]}"#;
    let screen: Screen = serde_json::from_str(json).unwrap();
    assert!(!serde_json::to_string(&screen).unwrap().contains("hunter2"));
}

#[test]
fn an_outline_is_the_outlines_own_words() {
    let screen = dump(
        "<node class=\"a.Button\" text=\"ok&#10;[9] Button &#8238;evil\u{200b}\" clickable=\"true\" \
         resource-id=\"x&#10;[3] y\" content-desc=\"\" bounds=\"[0,0][90,90]\"/>\
         <node class=\"a.Text\" text=\"long long long long\" bounds=\"[0,90][90,99]\"/>\
         <node class=\"a.Text\" text=\"one more\" bounds=\"[0,90][90,99]\"/>",
    );
    insta::assert_snapshot!(screen.outline(&Outline { text: 22, elements: 2 }));
}

#[test]
fn tags_follow_the_published_order() {
    let node = |class: &str, flag: &str, bounds: &str| {
        format!("<node class=\"{class}\" {flag}=\"true\" bounds=\"{bounds}\"/>")
    };
    let nodes = [
        node("Focus", "focusable", "[0,0][100,100]"),
        node("Click", "clickable", "[0,100][100,200]"),
        // The centre is 30 away: near. The next is 31 away.
        node("Near", "clickable", "[30,100][130,200]"),
        node("Far", "clickable", "[31,100][131,200]"),
        node("Scroll", "scrollable", "[0,400][100,500]"),
        // As near to a clickable one.
        node("FocusNear", "focusable", "[10,110][90,190]"),
        node("Gone", "clickable", "[0,700][100,600]"),
        node("Out", "clickable", "[5000,0][4000,10]"),
        "<node class=\"Hidden\" clickable=\"true\" visible-to-user=\"false\" bounds=\"[0,600][9,700]\"/>"
            .into(),
    ];
    let screen = dump(&nodes.concat());
    let tags = screen.tagged();
    let classes: Vec<&str> = tags.iter().map(|(_, id)| screen.get(id).unwrap().class.as_str()).collect();
    assert_eq!(classes, ["Click", "Far", "Focus", "Scroll"]);
    assert_eq!((tags.get(0), tags.get(5)), (None, None));
    assert_eq!(tags.of(tags.get(3).unwrap()), Some(3));
    // Around one button the outermost clickable container has the tag.
    let chat = self::screen("chat.xml");
    let new = chat.find(&Selector::description("New chat")).unwrap();
    assert_eq!(chat.tagged().of(new), None);
    assert!(chat.tagged().of(chat.get(new).unwrap().parent.unwrap()).is_some());
}

/// Tags as they are published, each against all before it.
fn plainly_tagged(screen: &Screen) -> Vec<ElementId> {
    let passes: [fn(&Flags) -> bool; 3] = [|f| f.clickable, |f| f.focusable, |f| f.scrollable];
    let mut all: Vec<(ElementId, Point)> = Vec::new();
    for pass in passes {
        for (id, element) in screen.elements() {
            let Some(bounds) = screen.visible_bounds(id).filter(|_| pass(&element.flags)) else { continue };
            let at = Point {
                x: (bounds.left + bounds.right).div_euclid(2),
                y: (bounds.top + bounds.bottom).div_euclid(2),
            };
            let distance = |other: Point| f64::from((at.x - other.x).pow(2) + (at.y - other.y).pow(2)).sqrt();
            if all.iter().all(|(_, other)| distance(*other) > 30.0) {
                all.push((id, at));
            }
        }
    }
    all.into_iter().map(|(id, _)| id).collect()
}

#[test]
fn names_are_the_published_ones() {
    let chat = screen("chat.xml");
    let unlock = chat.find(&Selector::text("Unlock")).unwrap();
    assert_eq!(chat.uid(unlock), "android.widget.FrameLayout_1080_2280_android.widget.Button_180_140_4");
    let new = chat.find(&Selector::description("New chat")).unwrap();
    assert_eq!(chat.uid(new), "android.widget.FrameLayout_160_120_com.example.chat.id_new_Newchat_0");
    let long =
        dump("<node class=\"B\" content-desc=\"exactly twenty chars\" index=\"4\" bounds=\"[0,0][9,8]\"/>");
    assert_eq!(long.uid(id(0)), "B_9_8_4");
}

#[test]
fn a_selector_finds_one_or_nothing() {
    let chat = screen("chat.xml");
    assert_eq!(chat.find(&Selector::default()), Err(SelectorError::Empty));
    let photo = Selector::resource_id("com.example.chat:id/photo");
    let Err(error @ SelectorError::Ambiguous { count: 3, .. }) = chat.find(&photo) else { panic!() };
    insta::assert_snapshot!(error);
    insta::assert_snapshot!(chat.find(&Selector::text("Pay\n\"now\"")).unwrap_err());
    // Of the four rows one is scrolled away.
    let rows = Selector::resource_id("com.example.chat:id/row");
    assert!(matches!(chat.find(&rows), Err(SelectorError::Ambiguous { count: 3, .. })));
    let both = Selector { resource_id: Some("com.example.chat:id/name".into()), ..Selector::text("Mum") };
    assert_eq!(chat.get(chat.find(&both).unwrap()).unwrap().text, "Mum");
    // The rows of a list are told by what stands in them.
    let row = Selector { contains: Some("Mum".into()), ..rows };
    let row = chat.find(&row).unwrap();
    assert!(!chat.selectors(row)[0].is_weak());
    // All that are offered find the element, and there always is one.
    for name in ["chat.xml", "settings.xml", "state_2026-11-21.json"] {
        let screen = screen(name);
        for (id, _) in screen.elements() {
            let all = screen.selectors(id);
            assert_eq!(all.is_empty(), !screen.is_shown(id));
            all.iter().for_each(|selector| assert_eq!(screen.find(selector), Ok(id)));
            assert!(all.last().is_none_or(Selector::is_weak));
        }
    }
    let composed = dump("<node text=\"Cafe\u{301}\" bounds=\"[0,0][9,9]\"/>");
    assert!(composed.find(&Selector::text("Café")).is_ok());
}

#[test]
fn the_key_is_that_of_the_structure() {
    let text = fixture("chat.xml");
    let key = |text: &str| read("chat.xml", text).unwrap().key();
    let first = key(&text);
    assert_eq!(first.as_str().len(), 16);
    // Another message, a checked state, the focus, a scroll offset.
    for (from, to) in [
        ("See you at 7", "Running late"),
        ("focused=\"true\"", "focused=\"false\""),
        ("enabled='false'", "enabled='true'"),
        ("[0,210][1080,390]", "[0,190][1080,370]"),
        ("content-desc=\"PIN\"", "content-desc=\"Your PIN\""),
    ] {
        assert!(text.contains(from), "{from}");
        assert_eq!(key(&text.replace(from, to)), first, "{from}");
    }
    // A row less, or its lower half cut away.
    let row = |name: &str| {
        let start = text.find(name).unwrap();
        let start = text[..start]
            .rfind("<node index=\"1\" text=\"\" resource-id=\"com.example.chat:id/row\"")
            .unwrap();
        let end = start
            + text[start..]
                .find("<node index=\"2\" text=\"\" resource-id=\"com.example.chat:id/row\"")
                .unwrap();
        start..end
    };
    let mut less = text.clone();
    less.replace_range(row("text=\"Mum\""), "");
    assert_eq!(key(&less), first);
    assert_eq!(key(&text.replace("[180,660][900,730]", "[180,730][900,730]")), first);
    // Siblings in another order.
    let bar = text.find("<node index=\"2\" text=\"Search").unwrap();
    let pin = bar + text[bar..].find("<node index=\"3\" text=\"hunter2\"").unwrap();
    let unlock = pin + text[pin..].find("<node index='4'").unwrap();
    let swapped = [&text[..bar], &text[pin..unlock], &text[bar..pin], &text[unlock..]].concat();
    assert_eq!(key(&swapped), first);
    // What is another screen.
    for (from, to) in [
        ("com.example.chat:id/search", "com.example.chat:id/compose"),
        ("package=\"com.example.chat\"", "package=\"com.example.mail\""),
        ("[0,2040][900,2180]", "[0,2180][900,2180]"),
        ("password=\"true\"", "password=\"false\""),
        ("android.widget.ImageButton", "android.widget.Switch"),
    ] {
        assert_ne!(key(&text.replace(from, to)), first, "{from}");
    }
    let mut elsewhere = screen("chat.xml");
    elsewhere.activity = Some("com.example.chat.Other".into());
    assert_ne!(elsewhere.key(), first);
}

#[test]
fn our_own_form_goes_around() {
    for name in ["chat.xml", "settings.xml", "empty.xml", "state_2026-11-21.json"] {
        let mut screen = screen(name);
        screen.screenshot = Some(tiny_png().into());
        let json = serde_json::to_string(&screen).unwrap();
        assert_eq!(serde_json::from_str::<Screen>(&json).unwrap(), screen);
    }
    for (json, wrong) in [
        (r#"{"elements": [{"parent": 0}]}"#, "does not come before it"),
        (r#"{"elements": [], "rotation": 4}"#, "quarters"),
        (r#"{"elements": [], "screenshot": "?"}"#, "base64"),
        (r#"{"elements": [], "screenshot": "AAAA"}"#, "PNG"),
        (r#"{"elements": [{"clickable": true}]}"#, "unknown field"),
        (r#"{}"#, "missing field"),
    ] {
        let error = serde_json::from_str::<Screen>(json).unwrap_err().to_string();
        assert!(error.contains(wrong), "{json}: {error}");
    }
}

#[test]
fn pixels_of_the_picture_are_points_of_the_screen() {
    let size = |width, height| Size { width, height };
    let at = |x, y| Point { x, y };
    assert_eq!(at(540, 1140).scaled(size(1080, 2280), size(720, 1520)), Some(at(360, 760)));
    assert_eq!(at(1080, 0).scaled(size(1080, 2280), size(720, 1520)), None);
    assert_eq!(at(-1, 0).scaled(size(1080, 2280), size(720, 1520)), None);
    assert_eq!(size(10, 20).clamped(at(-5, 50)), at(0, 19));
    let mut screen = screen("chat.xml");
    assert_eq!(screen.from_pixel(at(0, 0)), None);
    screen.screenshot = Some(tiny_png().into());
    assert_eq!(screen.picture_size(), Some(size(2, 2)));
    assert_eq!(screen.from_pixel(at(1, 1)), Some(at(540, 1140)));
    for (text, bounds) in [
        ("[0,0][9,9]", Some([0, 0, 9, 9])),
        ("[-30,-10][60,50]", Some([-30, -10, 60, 50])),
        ("[9,9][0,0]", Some([9, 9, 0, 0])),
        ("[0,0][9]", None),
        ("[0,0][9,9", None),
        ("[0.5,0][9,9]", None),
    ] {
        assert_eq!(Bounds::parse(text), bounds.map(Bounds::from), "{text}");
    }
}

#[cfg(feature = "images")]
#[path = "screens/pictures.rs"]
mod pictures;

/// A picture of two by two pixels.
fn tiny_png() -> Vec<u8> {
    let hex = "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a730000000e49\
               444154789c633801060c100a0041ae096103a79dc30000000049454e44ae426082";
    let digits: Vec<u8> = hex.bytes().filter(|byte| byte.is_ascii_hexdigit()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_screen_or_an_error(text in ".{0,200}") {
        for name in ["s.xml", "s.json"] {
            let _ = read(name, &text);
            let _ = read(name, &format!("<hierarchy>{text}</hierarchy>"));
        }
    }

    /// Any place in a dump damaged: never a panic, and places stay inside the text.
    #[test]
    fn damage_is_located(at in 0..5_000_usize, with in "[<>&\"'#;x\\[\\]0-9 é😀-]{0,6}") {
        let text = fixture("chat.xml");
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let damaged = [&text[..at], &with, &text[at..]].concat();
        match read("s.xml", &damaged) {
            Ok(screen) => {
                let _ = (screen.key(), screen.outline(&Outline::default()));
                for (id, _) in screen.elements() {
                    let _ = screen.uid(id);
                }
            }
            Err(problems) => {
                prop_assert!(problems.items().iter().all(|item| item.primary.span.end() <= damaged.len()));
                let _ = render::plain(&problems);
            }
        }
    }

    /// A random tree: what it gives for each element finds it, tags are without gaps, keys don't depend on
    /// the order of siblings or on how often they repeat.
    #[test]
    fn random_screens(parents in prop::collection::vec((0..30_u32, 0..4_u8, -50..200_i32), 1..40), turn in 0..7_u32) {
        let element = |at: usize, (parent, kind, left): (u32, u8, i32)| Element {
            parent: (at > 0).then(|| id(parent % u32::try_from(at).unwrap())),
            text: format!("t{kind}"),
            bounds: Some([left, i32::from(kind) * 40, left + 50, i32::from(kind) * 40 + 20].into()),
            flags: Flags { clickable: kind % 2 == 0, scrollable: kind == 3, ..Flags::default() },
            ..Element::new(format!("a.K{kind}"))
        };
        let elements: Vec<Element> = parents.iter().enumerate().map(|(at, parts)| element(at, *parts)).collect();
        let sized = |elements: Vec<Element>| {
            let mut screen = Screen::new(elements).unwrap();
            screen.size = Some(Size { width: 150, height: 150 });
            screen
        };
        let screen = sized(elements.clone());
        for (at, _) in screen.elements() {
            let all = screen.selectors(at);
            prop_assert_eq!(all.is_empty(), !screen.is_shown(at));
            for selector in all {
                prop_assert_eq!(screen.find(&selector), Ok(at));
            }
        }
        prop_assert_eq!(screen.tagged().iter().map(|(_, id)| id).collect::<Vec<_>>(), plainly_tagged(&screen));
        let json = serde_json::to_string(&screen).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Screen>(&json).unwrap(), &screen);
        // Every leaf once more, at the end.
        let mut more = elements.clone();
        for at in 0..elements.len() {
            let leaf = elements.iter().all(|other| other.parent != Some(id(u32::try_from(at).unwrap())));
            if leaf && at as u32 % 7 == turn && elements[at].parent.is_some() {
                more.push(elements[at].clone());
            }
        }
        prop_assert_eq!(sized(more).key(), screen.key());
    }
}
