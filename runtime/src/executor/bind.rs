//! Events of a model as gestures on a screen: `tap "Save"`, `type "Hello"`, `go back`.
//!
//! Knows the words that models use for what users do. What it can't read is an [`Gesture::Event`], for devices
//! that know the model. It never chooses between elements: a target that several fit stays one for the device,
//! which refuses it.

use super::device::{Direction, Distance, Gesture, Target};
use super::screen::{ElementId, Screen, Selector};

/// Words for tapping.
const TAPPING: [&str; 7] = ["tap", "click", "press", "touch", "open", "select", "choose"];
/// Words for typing a text.
pub(super) const TYPING: [&str; 3] = ["type", "enter", "write"];

/// Whether a word is one for a gesture.
pub(super) fn is_verb(word: &str) -> bool {
    TAPPING.contains(&word) || TYPING.contains(&word) || ["hold", "long", "swipe", "scroll"].contains(&word)
}

/// The gesture of an event, on a screen where there is one.
pub fn gesture(event: &str, screen: Option<&Screen>) -> Gesture {
    let Some(screen) = screen else { return Gesture::Event(event.to_owned()) };
    let text = event.trim();
    let verb = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    let quoted = quoted(text);
    let plain = Gesture::Event(event.to_owned());
    match (verb.as_str(), quoted) {
        (verb, Some(target)) if TAPPING.contains(&verb) => {
            Gesture::Tap(Target::Element(selector(screen, target)))
        }
        ("long-press" | "hold", Some(target)) => {
            Gesture::LongPress(Target::Element(selector(screen, target)))
        }
        ("long", Some(target)) if text.to_lowercase().starts_with("long press") => {
            Gesture::LongPress(Target::Element(selector(screen, target)))
        }
        (verb, Some(content)) if TYPING.contains(&verb) => Gesture::Text(content.to_owned()),
        ("swipe" | "scroll", Some(target)) => {
            let words = text.to_lowercase();
            let named = |word: &str| words.split(|c: char| !c.is_alphabetic()).any(|part| part == word);
            let direction = [
                ("up", Direction::Up),
                ("down", Direction::Down),
                ("left", Direction::Left),
                ("right", Direction::Right),
            ];
            match direction.into_iter().find(|(word, _)| named(word)) {
                Some((_, direction)) => {
                    let target = Target::Element(selector(screen, target));
                    Gesture::Swipe { target, direction, distance: Distance::Medium }
                }
                None => plain,
            }
        }
        ("back", None) => Gesture::Back,
        ("go", None) if text.eq_ignore_ascii_case("go back") => Gesture::Back,
        ("home", None) => Gesture::Home,
        _ => plain,
    }
}

/// What stands in the first pair of double quotes.
pub(super) fn quoted(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('"')?;
    let (inside, _) = rest.rsplit_once('"')?;
    Some(inside)
}

/// By what is shown, then by what is said to those who can't see it, then by the name in the program; of several that
/// say it, the only one that takes touches.
fn selector(screen: &Screen, target: &str) -> Selector {
    let ways = [Selector::text(target), Selector::description(target), Selector::resource_id(target)];
    let [text, ..] = &ways;
    if let Some(only) = ways.iter().find(|way| screen.find(way).is_ok()) {
        return only.clone();
    }
    let clickable = |id: &ElementId| screen.get(*id).is_some_and(|element| element.flags.clickable);
    let found = ways.iter().find_map(|way| {
        let fitting: Vec<ElementId> = screen.fitting(way).into_iter().filter(clickable).collect();
        let [only] = fitting.as_slice() else { return None };
        screen.selectors(*only).into_iter().next()
    });
    found.unwrap_or_else(|| text.clone())
}
