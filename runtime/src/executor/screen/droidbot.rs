//! Screens from the states of a DroidBot run, `states/state_*.json`.
//!
//! Knows that JSON: a flat list of views with numbers and parents, in any order. Nulls and missing keys are
//! read as empty; what contradicts itself is an error.

use super::uiautomator::DEEPER;
use super::{Bounds, Element, ElementId, Flags, Screen, Size, activity_name};
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::json::{self, Kind, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::{Source, Span};
use std::collections::HashMap;

impl Screen {
    /// Reads a state that DroidBot wrote.
    ///
    /// # Errors
    /// What is not JSON, values of wrong types, a view with a parent that is not in the list or is below it,
    /// two views of one number ([`Code::BadElement`]), and what is beyond the limits.
    pub fn from_droidbot(source: &Source, limits: &Limits) -> Result<Screen, Problems> {
        let document = json::parse(source, limits)?;
        let mut reader = Reader { problems: Problems::new(source.clone()), limits };
        let screen = reader.state(&document);
        reader.problems.sort();
        match screen {
            Some(screen) if !reader.problems.has_errors() => Ok(screen),
            _ => Err(reader.problems),
        }
    }
}

struct Reader<'a> {
    problems: Problems,
    limits: &'a Limits,
}

/// A view as it is listed.
struct View {
    number: i64,
    parent: i64,
    span: Span,
    element: Element,
}

/// A key that is there and not null.
fn present<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    node.get(key).filter(|value| !matches!(value.kind, Kind::Null))
}

impl Reader<'_> {
    fn wrong(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::new(code, span, message));
    }

    fn state(&mut self, document: &Node) -> Option<Screen> {
        if let Err(diagnostic) = document.object("a state") {
            self.problems.push(diagnostic);
            return None;
        }
        let views = match present(document, "views").map(|views| views.array("`views`")) {
            Some(Ok(views)) => views,
            Some(Err(diagnostic)) => {
                self.problems.push(diagnostic);
                return None;
            }
            None => {
                self.wrong(Code::MissingKey, document.span, "the state has no `views`");
                return None;
            }
        };
        if views.len() > self.limits.elements {
            let message =
                format!("the screen has {} views; the limit is {}", views.len(), self.limits.elements);
            self.wrong(Code::TooManyElements, document.span, message);
            return None;
        }
        let views: Vec<View> = views.iter().enumerate().map(|(place, view)| self.view(view, place)).collect();
        let elements = self.ordered(views);
        let shown = self.text(document, "foreground_activity");
        let (package, activity) = match shown.split_once('/') {
            Some((package, activity)) => (package.to_owned(), activity_name(package, activity)),
            None => (String::new(), shown),
        };
        let size = (self.length(document, "width"), self.length(document, "height"));
        let known = |text: String| Some(text).filter(|text| !text.is_empty());
        let screen = match Screen::new(elements) {
            Ok(screen) => screen,
            Err(error) => {
                self.wrong(Code::BadElement, document.span, error.to_string());
                return None;
            }
        };
        let screen = match size {
            (Some(width), Some(height)) => Screen { size: Some(Size { width, height }), ..screen },
            _ => screen.measured(),
        };
        Some(Screen { package: known(package), activity: known(activity), ..screen })
    }

    fn text(&mut self, node: &Node, key: &str) -> String {
        let Some(value) = present(node, key) else { return String::new() };
        match value.string(&format!("`{key}`")) {
            Ok(text) if text.len() > self.limits.text => {
                let message = format!("`{key}` has {} bytes; the limit is {}", text.len(), self.limits.text);
                self.wrong(Code::TextTooLong, value.span, message);
                String::new()
            }
            Ok(text) => text.to_owned(),
            Err(diagnostic) => {
                self.problems.push(diagnostic);
                String::new()
            }
        }
    }

    fn flag(&mut self, node: &Node, key: &str, without: bool) -> bool {
        let Some(value) = present(node, key) else { return without };
        match value.boolean(&format!("`{key}`")) {
            Ok(flag) => flag,
            Err(diagnostic) => {
                self.problems.push(diagnostic);
                without
            }
        }
    }

    fn number(&mut self, node: &Node, key: &str) -> Option<i64> {
        let value = present(node, key)?;
        let number = whole(value);
        if number.is_none() {
            self.wrong(Code::JsonType, value.span, format!("`{key}` must be a whole number"));
        }
        number
    }

    fn length(&mut self, node: &Node, key: &str) -> Option<u32> {
        self.number(node, key).and_then(|length| u32::try_from(length).ok()).filter(|length| *length > 0)
    }

    fn view(&mut self, view: &Node, place: usize) -> View {
        if let Err(diagnostic) = view.object("a view") {
            self.problems.push(diagnostic);
        }
        let class = self.text(view, "class");
        let flags = Flags {
            clickable: self.flag(view, "clickable", false),
            long_clickable: self.flag(view, "long_clickable", false),
            editable: self.flag(view, "editable", false),
            scrollable: self.flag(view, "scrollable", false),
            checkable: self.flag(view, "checkable", false),
            checked: self.flag(view, "checked", false),
            focusable: self.flag(view, "focusable", false),
            focused: self.flag(view, "focused", false),
            password: self.flag(view, "is_password", false),
            selected: self.flag(view, "selected", false),
            enabled: self.flag(view, "enabled", true),
            visible: self.flag(view, "visible", true),
        };
        let element = Element {
            parent: None,
            class,
            resource_id: self.text(view, "resource_id"),
            text: self.text(view, "text"),
            description: self.text(view, "content_description"),
            index: None,
            bounds: self.bounds(view),
            flags,
        };
        let number = self.number(view, "temp_id").unwrap_or(i64::try_from(place).unwrap_or(i64::MAX));
        View { number, parent: self.number(view, "parent").unwrap_or(-1), span: view.span, element }
    }

    fn bounds(&mut self, view: &Node) -> Option<Bounds> {
        let node = present(view, "bounds")?;
        let pair = |node: &Node| match node.array("").ok()? {
            [x, y] => Some((i32::try_from(whole(x)?).ok()?, i32::try_from(whole(y)?).ok()?)),
            _ => None,
        };
        let bounds = match node.array("`bounds`") {
            Ok([from, to]) => pair(from).zip(pair(to)),
            _ => None,
        };
        if bounds.is_none() {
            self.wrong(Code::BadElement, node.span, "`bounds` are `[[left, top], [right, bottom]]`");
        }
        bounds.map(|((left, top), (right, bottom))| Bounds { left, top, right, bottom })
    }

    /// The views with parents before children; siblings keep the order of the list.
    fn ordered(&mut self, views: Vec<View>) -> Vec<Element> {
        let mut places: HashMap<i64, usize> = HashMap::new();
        for (place, view) in views.iter().enumerate() {
            if places.insert(view.number, place).is_some() {
                self.wrong(Code::BadElement, view.span, format!("there are two views {}", view.number));
            }
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); views.len()];
        let mut open: Vec<(usize, Option<ElementId>, usize)> = Vec::new();
        for (place, view) in views.iter().enumerate().rev() {
            match places.get(&view.parent) {
                _ if view.parent < 0 => open.push((place, None, 1)),
                Some(parent) => children.get_mut(*parent).into_iter().for_each(|below| below.push(place)),
                None => {
                    let message = format!("the parent {} is not in the list", view.parent);
                    self.wrong(Code::BadElement, view.span, message);
                }
            }
        }
        let mut elements = Vec::with_capacity(views.len());
        while let Some((place, parent, depth)) = open.pop() {
            let Some(view) = views.get(place) else { continue };
            if depth > self.limits.nesting.saturating_mul(DEEPER) {
                self.wrong(Code::NestedTooDeep, view.span, "nested deeper than the limit");
                return elements;
            }
            let id = ElementId::new(elements.len());
            elements.push(Element { parent, ..view.element.clone() });
            let below = children.get(place).map_or(&[][..], Vec::as_slice);
            open.extend(below.iter().map(|child| (*child, Some(id), depth + 1)));
        }
        if elements.len() < views.len() && !self.problems.has_errors() {
            let span = views.first().map_or(Span::default(), |view| view.span);
            self.wrong(Code::BadElement, span, "some views are their own ancestors");
        }
        elements
    }
}

fn whole(node: &Node) -> Option<i64> {
    match &node.kind {
        Kind::Number(text) => text.parse().ok(),
        _ => None,
    }
}
