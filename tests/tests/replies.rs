//! Replies of models: a corpus with its outcomes, reflections, documents.

use intentgate::executor::device::{Direction, Distance, Gesture, Target};
use intentgate::executor::reply::{
    AgentAction, Document, Documents, Interaction, Offer, Reflection, Reply, ReplyProblem,
};
use intentgate_tests::root;
use proptest::prelude::*;
use std::fmt::{Debug, Display, Write};

/// The cases of a file, each behind a line `== name`.
fn cases(file: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join("tests/screens").join(file)).unwrap();
    let mut cases: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix("== "), cases.last_mut()) {
            (Some(name), _) => cases.push((name.trim().to_owned(), String::new())),
            (None, Some((_, text))) => text.push_str(line),
            (None, None) => panic!("{file} starts without a name"),
        }
    }
    cases
}

/// Every case with its outcome.
fn told<T: Debug, E: Display>(file: &str, read: impl Fn(&str) -> Result<T, E>) -> String {
    let mut all = String::new();
    for (name, text) in cases(file) {
        let outcome = match read(&text) {
            Ok(read) => format!("{read:?}"),
            Err(problem) => format!("Problem: {problem}"),
        };
        writeln!(all, "== {name}\n{}\n-> {outcome}\n", text.trim_end()).unwrap();
    }
    all
}

const OFFER: Offer = Offer { tags: 30, grid: false };

fn action(text: &str) -> Result<AgentAction, ReplyProblem> {
    Reply::parse(text, &OFFER).map(|reply| reply.action)
}

#[test]
fn the_corpus() {
    assert!(cases("replies.txt").len() >= 60);
    insta::assert_snapshot!(told("replies.txt", |text| Reply::parse(text, &OFFER)));
}

#[test]
fn reflections() {
    insta::assert_snapshot!(told("reflections.txt", Reflection::parse));
}

#[test]
fn a_grid_has_to_be_offered() {
    let offer = Offer { grid: true, ..OFFER };
    assert_eq!(Reply::parse("Action: grid()", &offer).unwrap().action, AgentAction::Grid);
    let problem = Reply::parse("Action: zoom()", &offer).unwrap_err();
    assert!(problem.to_string().contains("grid()"));
    let none = Reply::parse("Action: tap(1)", &Offer::default()).unwrap_err();
    assert!(none.to_string().contains("no numeric tags"), "{none}");
}

#[test]
fn feedback_is_short_whatever_the_reply() {
    for text in [
        format!("Action: {}", "x".repeat(60_000)),
        format!("Action: text({}", "x\n\"".repeat(9_000)),
        format!("Action: tap({})", "9".repeat(60_000)),
        format!("Action: {}(1)", "a".repeat(60_000)),
        "x".repeat(1 << 20),
        "Action: tap(1)\n\u{202e}".to_owned() + &"\u{200b}".repeat(9_000),
    ] {
        let problem = action(&text).unwrap_err().to_string();
        assert!(problem.len() < 3_000, "{}", problem.len());
        assert!(!problem.contains(['\u{202e}', '\u{200b}', '\n']), "{problem}");
    }
}

#[test]
fn actions_are_gestures_on_tags() {
    let tag = Target::Tag(21);
    let swipe = action("Action: swipe(21, \"up\", \"medium\")").unwrap();
    let gesture =
        Gesture::Swipe { target: tag.clone(), direction: Direction::Up, distance: Distance::Medium };
    assert_eq!(swipe.gesture(), Some(gesture));
    assert_eq!(action("Action: tap(21)").unwrap().gesture(), Some(Gesture::Tap(tag)));
    assert_eq!(action("Action: FINISH").unwrap().gesture(), None);
    assert_eq!(Interaction::of(&swipe), Some(Interaction::VSwipe));
    let swipe = action("Action: swipe(21, \"left\", \"long\")").unwrap();
    assert_eq!(Interaction::of(&swipe), Some(Interaction::HSwipe));
}

#[test]
fn documents_are_general_and_merge() {
    let mut documents = Documents::default();
    let opens = "This UI element opens the chat.";
    assert_eq!(documents.learn("a", Interaction::Tap, opens), Ok(None));
    assert_eq!(documents.learn("a", Interaction::Tap, opens), Ok(None));
    let both = "This UI element opens the chat, or the archive.";
    assert_eq!(documents.learn("a", Interaction::Tap, both), Ok(Some(opens.to_owned())));
    assert_eq!(documents.learn("a", Interaction::LongPress, "Selects the row."), Ok(None));
    let known = documents.get("a").unwrap();
    assert_eq!((known.get(Interaction::Tap), known.get(Interaction::VSwipe)), (Some(both), None));
    for (text, general) in [
        ("Tapping element 5 opens it.", false),
        ("The button labeled 12.", false),
        ("the numeric tag '3'", false),
        ("See #4.", false),
        ("Opens [4].", false),
        ("UID 15 is the search bar", false),
        ("the element with the number 5", false),
        ("Sets a timer of 10 minutes.", true),
        ("Shows 3 elements", true),
        ("Adds one element.", true),
        ("Opens 2026 in the calendar", true),
        (" ", false),
        (&"x".repeat(3_000), false),
    ] {
        let learnt = Documents::default().learn("a", Interaction::Tap, text);
        assert_eq!(learnt.is_ok(), general, "{text}: {learnt:?}");
    }
    // In files as published: all five keys, empty texts included.
    let json = serde_json::to_value(&documents).unwrap();
    assert_eq!(json["a"]["h_swipe"], "");
    assert_eq!(serde_json::from_value::<Documents>(json).unwrap(), documents);
    let newer = serde_json::json!({"a": {"v_swipe": "Scrolls."}, "b": {"text": "A name."}, "c": {}});
    let newer: Documents = serde_json::from_value(newer).unwrap();
    documents.merge(&newer);
    assert_eq!(documents.get("a").unwrap().get(Interaction::Tap), Some(both));
    assert_eq!(documents.get("a").unwrap().get(Interaction::VSwipe), Some("Scrolls."));
    assert_eq!(documents.iter().map(|(uid, _)| uid).collect::<Vec<_>>(), ["a", "b"]);
    assert!(Document::default().is_empty());
}

/// A text as a careful model writes it.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_reply_is_read_or_refused(text in "(?s).{0,120}") {
        let _ = action(&text);
        let _ = action(&format!("Action: {text}"));
        let _ = action(&format!("Action: text(\"{text}"));
        let _ = Reflection::parse(&format!("Decision: {text}"));
        if let Err(problem) = action(&format!("Action: swipe({text})")) {
            prop_assert!(!problem.to_string().contains('\n'));
        }
    }

    /// What is made of the parts of replies.
    #[test]
    fn pieces_of_replies(pieces in prop::collection::vec(prop::sample::select(vec![
        "Action:", "**Action:**", "Thought:", "Summary: x", "\n", " ", "tap(1)", "text(\"", "\")", "'", "\"", ")",
        "(", "FINISH", "\\", "swipe(1,", "\"up\",", "\"long\")", "```", "`", ",", "5", "é", "1. ", "##",
    ]), 0..14)) {
        let _ = action(&pieces.concat());
    }

    /// Escaped, any text arrives as it is, whatever stands around it.
    #[test]
    fn any_text_can_be_typed(text in "[ -~é😊\n]{0,60}") {
        let reply = format!("Thought: t\nAction: text(\"{}\")\nSummary: s", escaped(&text));
        match Reply::parse(&reply, &OFFER) {
            Ok(reply) => {
                prop_assert_eq!(reply.action, AgentAction::Text(text));
                prop_assert_eq!(reply.summary.as_deref(), Some("s"));
            }
            Err(problem) => prop_assert!(false, "{}: {}", reply, problem),
        }
    }

    /// A call that is read has the tag that is written, and it is one of the screen.
    #[test]
    fn tags_are_those_written(tag in 0..60_u32, tags in 0..60_usize) {
        let read = Reply::parse(&format!("Action: tap({tag})"), &Offer { tags, grid: false });
        match read {
            Ok(reply) => {
                prop_assert_eq!(reply.action, AgentAction::Tap(tag));
                prop_assert!(tag >= 1 && tag as usize <= tags);
            }
            Err(ReplyProblem::NoSuchTag { .. }) => prop_assert!(tag == 0 || tag as usize > tags),
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}
