//! DroidBot's events in words, such as `tap "Save"`.
//!
//! Knows the kinds of events; must never know states and pages.

use intentgate_engine::input::shortened;
use intentgate_engine::json::{Kind, Node};
use intentgate_engine::value::quoted;

/// An event, as far as its words need it.
#[derive(Debug, Default, Clone)]
pub(super) struct Event {
    /// `touch`, `click`, `key` …, as written.
    pub(super) kind: String,
    /// What it is done to, in words.
    pub(super) target: Option<String>,
    /// Where, if it isn't done to anything known.
    pub(super) point: Option<String>,
    /// What is typed.
    pub(super) text: Option<String>,
    pub(super) direction: Option<String>,
    /// The name of a key.
    pub(super) name: Option<String>,
    pub(super) intent: Option<String>,
    /// Whether what is typed is a password.
    pub(super) secret: bool,
}

impl Event {
    /// What a user does.
    pub(super) fn words(&self) -> String {
        let on = |verb: &str| match (&self.target, &self.point) {
            (Some(target), _) => format!("{verb} {target}"),
            (None, Some(point)) => format!("{verb} at {point}"),
            (None, None) => verb.to_owned(),
        };
        let direction = |verb: &str| match &self.direction {
            Some(direction) => format!("{verb} {}", shortened(&direction.to_lowercase())),
            None => verb.to_owned(),
        };
        let other = |verb: &str, value: &Option<String>| match value {
            Some(value) => format!("{verb} {}", quoted(&shortened(value))),
            None => verb.to_owned(),
        };
        match self.kind.as_str() {
            "touch" | "click" | "tap" => on("tap"),
            "long_touch" | "long_click" | "long_press" => on("long press"),
            "select" => on("select"),
            "unselect" => on("unselect"),
            "swipe" => on(&direction("swipe")),
            "scroll" => on(&direction("scroll")),
            "set_text" | "text" => {
                let what = match (&self.text, self.secret) {
                    (_, true) => "type a password".to_owned(),
                    (Some(text), _) => format!("type {}", quoted(&shortened(text))),
                    (None, _) => "type".to_owned(),
                };
                match &self.target {
                    Some(target) => format!("{what} into {target}"),
                    None => what,
                }
            }
            "key" => match &self.name {
                Some(name) => format!("press {}", shortened(name)),
                None => "press a key".to_owned(),
            },
            "intent" => other("send the intent", &self.intent),
            "kill_app" => "kill the app".to_owned(),
            "" => "do something".to_owned(),
            kind => on(&shortened(&kind.replace('_', " "))),
        }
    }

    /// An event of an `events/event_*.json`.
    pub(super) fn of_log(node: &Node) -> Event {
        let text = |key: &str| filled(node.get(key));
        let view = node.get("view").filter(|view| view.as_object().is_some());
        let x_y = [node.get("x"), node.get("y")].map(|value| value.and_then(number));
        Event {
            kind: text("event_type").unwrap_or_default(),
            target: view.and_then(target),
            point: if let [Some(x), Some(y)] = x_y { Some(format!("({x}, {y})")) } else { None },
            text: text("text"),
            direction: text("direction"),
            name: text("name"),
            intent: text("intent"),
            secret: view.and_then(|view| view.get("is_password")).is_some_and(is_true),
        }
    }

    /// An event of a `utg.js`: its kind, and DroidBot's own words, `TouchEvent(state=…, view=…(Main/Button-OK))`.
    pub(super) fn of_words(kind: &str, words: &str) -> Event {
        let inside = words.split_once('(').map_or("", |(_, rest)| rest);
        let inside = inside.strip_suffix(')').unwrap_or(inside);
        let value = |key: &str| field(inside, key);
        let x_y = [value("x"), value("y")];
        let kind = match kind {
            "" => kind_of(words.split('(').next().unwrap_or_default()),
            kind => kind.to_owned(),
        };
        Event {
            kind,
            target: value("view").and_then(|view| shown_view(&view)),
            point: if let [Some(x), Some(y)] = x_y { Some(format!("({x}, {y})")) } else { None },
            text: value("text"),
            direction: value("direction"),
            name: value("name"),
            intent: value("intent").map(|intent| intent.trim_matches('\'').to_owned()),
            secret: false,
        }
    }
}

/// A text that isn't empty.
pub(super) fn filled(node: Option<&Node>) -> Option<String> {
    node.and_then(Node::as_str).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

pub(super) fn is_true(node: &Node) -> bool {
    matches!(node.kind, Kind::Boolean(true))
}

fn number(node: &Node) -> Option<String> {
    match &node.kind {
        Kind::Number(text) => Some(shortened(text.split('.').next().unwrap_or(text))),
        _ => None,
    }
}

/// A view by what a user sees of it: its text, else its description, else its resource id, else its class.
fn target(view: &Node) -> Option<String> {
    let secret = view.get("is_password").is_some_and(is_true);
    let text = filled(view.get("text")).filter(|_| !secret);
    let seen = text.or_else(|| filled(view.get("content_description")));
    let seen = seen.or_else(|| filled(view.get("content_desc")));
    if let Some(seen) = seen {
        return Some(quoted(&shortened(&seen)));
    }
    if let Some(id) = filled(view.get("resource_id")) {
        return Some(quoted(&shortened(id.rsplit('/').next().unwrap_or(&id))));
    }
    filled(view.get("class"))
        .map(|class| format!("a {}", shortened(class.rsplit('.').next().unwrap_or(&class))))
}

/// `touch` of `TouchEvent`, `set_text` of `SetTextEvent`.
fn kind_of(name: &str) -> String {
    let mut kind = String::new();
    for c in name.trim().strip_suffix("Event").unwrap_or(name).chars() {
        if c.is_uppercase() && !kind.is_empty() {
            kind.push('_');
        }
        kind.extend(c.to_lowercase());
    }
    kind
}

/// The keys of DroidBot's words for events.
const FIELDS: &[&str] = &[
    "state",
    "view",
    "x",
    "y",
    "start_x",
    "start_y",
    "start_view",
    "end_x",
    "end_y",
    "end_view",
    "duration",
    "direction",
    "text",
    "name",
    "intent",
];

/// The value of a key: up to the next known key, since texts may hold commas and parentheses.
fn field(inside: &str, key: &str) -> Option<String> {
    let marks = inside.match_indices('=').filter_map(|(equals, _)| {
        let before = inside.get(..equals)?;
        let start = before.rfind(", ").map_or(0, |comma| comma + 2);
        let name = before.get(start..)?;
        FIELDS.contains(&name).then_some((start, equals, name))
    });
    let mut value = None;
    for (start, equals, name) in marks {
        match value {
            None if name == key => value = Some(equals + 1),
            None => {}
            Some(from) => {
                return inside
                    .get(from..start)?
                    .strip_suffix(", ")
                    .map(str::to_owned)
                    .filter(|text| !text.is_empty());
            }
        }
    }
    inside.get(value?..).map(str::to_owned).filter(|text| !text.is_empty())
}

/// `"OK"` of `9bdd82d4…(MainActivity/Button-OK)`, `a Button` of one without a text, else the view's own mark.
fn shown_view(view: &str) -> Option<String> {
    let (mark, rest) = view.split_once('(').unwrap_or((view, ""));
    let rest = rest.strip_suffix(')').unwrap_or(rest);
    let class_and_text = rest.split_once('/').map_or(rest, |(_, rest)| rest);
    match class_and_text.split_once('-') {
        Some((_, text)) if !text.trim().is_empty() => Some(quoted(&shortened(text.trim()))),
        // Views without a text differ in their marks.
        Some((class, _)) if !class.is_empty() => Some(format!("a {} {}", shortened(class), start_of(mark))),
        _ => (!mark.is_empty()).then(|| format!("the view {}", start_of(mark))),
    }
}

fn start_of(mark: &str) -> String {
    mark.trim().chars().take(8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_droidbot_become_ours() {
        for (kind, words, ours) in [
            ("touch", "TouchEvent(state=e5b8, view=2c8b8a86e7b5(Main/Button-OK))", "tap \"OK\""),
            (
                "click",
                "TouchEvent(state=e5b8, view=2c8b8a86e7b5(Main/Button-Yes, (really)))",
                "tap \"Yes, (really)\"",
            ),
            ("touch", "TouchEvent(state=e5b8, view=9bdd82d47b33(Main/View-))", "tap a View 9bdd82d4"),
            ("touch", "TouchEvent(state=e5b8, view=9bdd82d47b33_5)", "tap the view 9bdd82d4"),
            ("", "LongTouchEvent(state=e5b8, x=540, y=960)", "long press at (540, 960)"),
            ("key", "KeyEvent(state=e5b8, name=BACK)", "press BACK"),
            (
                "scroll",
                "ScrollEvent(state=e5b8, view=9b(Main/ListView-), direction=down)",
                "scroll down a ListView 9b",
            ),
            (
                "set_text",
                "SetTextEvent(state=e5b8, view=9b(Main/EditText-Name), text=a, name=b)",
                "type \"a\" into \"Name\"",
            ),
            (
                "intent",
                "IntentEvent(intent='am start com.app/.Main')",
                "send the intent \"am start com.app/.Main\"",
            ),
            ("kill_app", "KillAppEvent()", "kill the app"),
            ("", "", "do something"),
            ("spawn", "SpawnEvent(", "spawn"),
        ] {
            assert_eq!(Event::of_words(kind, words).words(), ours);
        }
    }
}
