//! A screen in words, for prompts and reports.
//!
//! Everything on a screen is foreign: texts are quoted, what can't be seen is escaped, and lengths are cut,
//! so that no text of an app can pose as a line of the outline.

use super::{Element, Screen};
use intentgate_engine::input;
use intentgate_engine::text::normal;
use intentgate_engine::value::quoted;
use std::fmt::Write;

/// How much of a screen is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// Characters of one text; 80.
    pub text: usize,
    /// Elements; 300.
    pub elements: usize,
}

impl Default for Outline {
    fn default() -> Outline {
        Outline { text: 80, elements: 300 }
    }
}

impl Screen {
    /// The screen, a line for each element that has a tag or says something, in document order and indented
    /// by what they stand in.
    ///
    /// ```text
    /// Screen of com.app, activity com.app.Main, 1080 by 2280, 3 tags
    /// [1] EditText "To" id=com.app:id/to (clickable, editable, focused)
    ///     TextView "Saved at 9:41"
    /// ```
    pub fn outline(&self, options: &Outline) -> String {
        let mut text = self.title(options);
        let tags = self.tagged();
        let mut tag_of = vec![None; self.elements.len()];
        for (tag, id) in tags.iter() {
            if let Some(slot) = tag_of.get_mut(id.index()) {
                *slot = Some(tag);
            }
        }
        let mut told = 0_usize;
        let mut untold = 0_usize;
        let mut level_of = vec![0_usize; self.elements.len()];
        for (id, element) in self.elements() {
            let around = element.parent.and_then(|parent| level_of.get(parent.index())).copied().unwrap_or(0);
            let tag = tag_of.get(id.index()).copied().flatten();
            let says = !element.text.is_empty() || !element.description.is_empty();
            let listed = self.is_shown(id) && (tag.is_some() || says);
            if let Some(level) = level_of.get_mut(id.index()) {
                *level = around + usize::from(listed);
            }
            if !listed {
                continue;
            }
            if told == options.elements {
                untold += 1;
                continue;
            }
            told += 1;
            let mark = tag.map_or_else(String::new, |tag| format!("[{tag}]"));
            let indent = 2 * around.min(12);
            let _ = writeln!(text, "{mark:<5}{:indent$}{}", "", line(element, options));
        }
        if untold > 0 {
            let _ = writeln!(text, "… and {untold} more");
        }
        text
    }

    fn title(&self, options: &Outline) -> String {
        let name = |name: &Option<String>| {
            name.as_deref().map_or_else(|| "unknown".to_owned(), |name| plain(name, options.text))
        };
        let mut title = format!("Screen of {}, activity {}", name(&self.package), name(&self.activity));
        if let Some(size) = self.size {
            let _ = write!(title, ", {} by {}", size.width, size.height);
        }
        let _ = writeln!(title, ", {} tags", self.tagged().len());
        title
    }
}

/// One element in words: kind, text, description, resource id, what can be done with it and how it is.
pub(super) fn line(element: &Element, options: &Outline) -> String {
    let mut parts = vec![plain(element.kind(), options.text)];
    if !element.text.is_empty() {
        parts.push(foreign(element.shown_text(), options.text));
    }
    if !element.description.is_empty() {
        parts.push(format!("described {}", foreign(&element.description, options.text)));
    }
    if !element.resource_id.is_empty() {
        parts.push(format!("id={}", plain(&element.resource_id, options.text)));
    }
    let state = state(element);
    if !state.is_empty() {
        parts.push(format!("({})", state.join(", ")));
    }
    parts.join(" ")
}

fn state(element: &Element) -> Vec<&'static str> {
    let flags = &element.flags;
    let all = [
        (flags.clickable, "clickable"),
        (flags.long_clickable, "long-clickable"),
        (flags.editable, "editable"),
        (flags.password, "password"),
        (flags.scrollable, "scrollable"),
        (flags.checkable && !flags.checked, "not checked"),
        (flags.checked, "checked"),
        (flags.selected, "selected"),
        (flags.focused, "focused"),
        (!flags.enabled, "disabled"),
    ];
    all.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect()
}

/// A foreign text: NFC, cut to so many characters, in quotes, with everything escaped that can't be seen.
pub fn foreign(text: &str, length: usize) -> String {
    quoted(&cut(text, length))
}

/// A foreign text inside of a sentence: cut to so many characters, on one line, with everything escaped that
/// can't be seen.
pub fn visible(text: &str, length: usize) -> String {
    input::on_one_line(&cut(text.trim(), length)).into_owned()
}

/// A foreign name: as it is if it looks like one, else as a foreign text.
fn plain(name: &str, length: usize) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':' | '/' | '-' | '$');
    if !name.is_empty() && name.chars().all(simple) { cut(name, length) } else { foreign(name, length) }
}

fn cut(text: &str, length: usize) -> String {
    let text = normal::nfc(text);
    if text.chars().count() > length {
        text.chars().take(length).chain(['…']).collect()
    } else {
        text.into_owned()
    }
}
