//! Screens from `uiautomator dump`.
//!
//! Knows that XML, and what stands around it: messages before and after the document, entities that stand
//! for halves of a surrogate pair (old versions write emoji so), bounds of every kind. A document that is
//! not whole is an error, never a smaller screen.

use super::{Bounds, Element, ElementId, Flags, Screen};
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::limits::Limits;
use intentgate_engine::span::{Source, Span};
use roxmltree::{Document, Error, Node, ParsingOptions, TextPos};

/// Screens nest deeper than documents: so many times [`Limits::nesting`].
pub(super) const DEEPER: usize = 4;

impl Screen {
    /// Reads what `uiautomator dump` wrote. Its size is that of what is on it.
    ///
    /// Takes at most `limits.elements` elements, four times `limits.nesting` levels, and texts of
    /// `limits.text` bytes.
    ///
    /// # Errors
    /// A document that is damaged or cut off, or none at all ([`Code::NoScreen`]); bounds and flags that are
    /// none ([`Code::BadElement`]); what is beyond the limits.
    pub fn from_uiautomator(source: &Source, limits: &Limits) -> Result<Screen, Problems> {
        let text = source.text();
        let one = |diagnostic| Problems::one(source.clone(), diagnostic);
        if text.len() > limits.bytes {
            let message = format!("the dump has {} bytes; the limit is {}", text.len(), limits.bytes);
            return Err(one(Diagnostic::new(Code::TooLarge, Span::default(), message)));
        }
        let part = document(text).map_err(|diagnostic| one(*diagnostic))?;
        let mended = joined(text.get(part.start()..part.end()).unwrap_or(""));
        let options = ParsingOptions {
            allow_dtd: false,
            nodes_limit: u32::try_from(limits.elements.saturating_mul(4)).unwrap_or(u32::MAX),
            entity_resolver: None,
        };
        let parsed = Document::parse_with_options(&mended, options);
        let parsed = parsed.map_err(|error| one(damaged(&error, &mended, part.start())))?;
        let mut reader = Reader {
            problems: Problems::new(source.clone()),
            limits,
            offset: part.start(),
            elements: Vec::new(),
        };
        let rotation = reader.hierarchy(parsed.root_element());
        reader.problems.sort();
        if reader.problems.has_errors() {
            return Err(reader.problems);
        }
        let package = parsed.descendants().find_map(|node| node.attribute("package"));
        let screen = Screen::new(reader.elements);
        let screen =
            screen.map_err(|error| one(Diagnostic::new(Code::BadElement, part, error.to_string())))?;
        let package = package.filter(|package| !package.is_empty()).map(str::to_owned);
        Ok(Screen { package, rotation, ..screen.measured() })
    }
}

/// Where the XML document is among what the tool says besides.
fn document(text: &str) -> Result<Span, Box<Diagnostic>> {
    let error = |message: &str| Box::new(Diagnostic::new(Code::NoScreen, Span::at(0), message));
    if text.trim().is_empty() {
        return Err(Box::new(Diagnostic::new(Code::EmptyInput, Span::default(), "the dump is empty")));
    }
    let Some(root) = text.find("<hierarchy") else {
        let said = text.trim().lines().next().unwrap_or("").trim();
        let help = if said.contains("idle state") {
            "something on the screen moves: wait, and dump it again".to_owned()
        } else {
            format!("there is no `<hierarchy>`; it starts with `{}`", shortened(said))
        };
        return Err(Box::new(error("this is not a dump of a screen").help(help)));
    };
    let start = text.get(..root).and_then(|before| before.rfind("<?xml")).unwrap_or(root);
    let rest = text.get(root..).unwrap_or("");
    let end = match rest.rfind("</hierarchy>") {
        Some(close) => root + close + "</hierarchy>".len(),
        // An empty screen, or one that was cut off: the parser tells.
        None => match rest.find('>').filter(|close| rest.get(..*close).is_some_and(|tag| tag.ends_with('/')))
        {
            Some(close) => root + close + 1,
            None => text.len(),
        },
    };
    match text.get(end..).and_then(|after| after.find('<')) {
        Some(more) => Err(Box::new(
            Diagnostic::new(Code::NoScreen, Span::at(end + more), "there is more than one document")
                .help("dump one screen into one file"),
        )),
        None => Ok(Span::new(start, end)),
    }
}

/// The document with halves of surrogate pairs joined. Its length stays, so that places stay.
fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("&#") {
        let (before, reference) = rest.split_at(at);
        joined.push_str(before);
        let Some((unit, length)) = unit(reference) else {
            joined.push_str("&#");
            rest = reference.get(2..).unwrap_or("");
            continue;
        };
        let after = reference.get(length..).unwrap_or("");
        let (character, length) = match (unit, self::unit(after)) {
            (high @ 0xd800..=0xdbff, Some((low @ 0xdc00..=0xdfff, more))) => {
                (0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), length + more)
            }
            (0xd800..=0xdfff, _) => (0xfffd, length),
            (unit, _) => (unit, length),
        };
        // As long as what it stands for: `&#x`, digits, `;`.
        let digits = length.saturating_sub(4);
        if matches!(unit, 0xd800..=0xdfff) {
            joined.push_str(&format!("&#x{character:0digits$X};"));
        } else {
            joined.push_str(reference.get(..length).unwrap_or(""));
        }
        rest = reference.get(length..).unwrap_or("");
    }
    joined.push_str(rest);
    joined
}

/// The number of a character reference at the start of a text, and its length.
fn unit(text: &str) -> Option<(u32, usize)> {
    let end = text.bytes().take(12).position(|byte| byte == b';')?;
    let number = text.get(..end)?.strip_prefix("&#")?;
    let parsed = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    Some((parsed.ok()?, end + 1))
}

/// The error of the parser at its place. It gives none where a text ends too early.
fn damaged(error: &Error, text: &str, offset: usize) -> Diagnostic {
    let end = Span::at(offset + text.len());
    match error {
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream | Error::NoRootNode => {
            Diagnostic::new(Code::NoScreen, end, "the dump ends in the middle").help("dump the screen again")
        }
        Error::DtdDetected => {
            Diagnostic::new(Code::NoScreen, Span::at(offset), "the dump declares a document type")
                .help("a dump of a screen has none; it is not read")
        }
        Error::NodesLimitReached => Diagnostic::new(
            Code::TooManyElements,
            Span::at(offset),
            "the screen has more elements than the limit",
        ),
        _ => {
            let at = offset + byte(text, error.pos());
            if at >= end.start() {
                return Diagnostic::new(Code::NoScreen, end, "the dump ends in the middle")
                    .help("dump the screen again");
            }
            Diagnostic::new(Code::NoScreen, Span::at(at), format!("the dump is damaged: {}", told(error)))
                .help("dump the screen again")
        }
    }
}

/// The parser's message without its place, which is one in the document alone.
fn told(error: &Error) -> String {
    let text = error.to_string();
    let text = text.rsplit_once(" at ").map_or(text.as_str(), |(before, _)| before);
    shortened(text)
}

/// The byte at a line and a column, both from 1; columns count characters.
fn byte(text: &str, at: TextPos) -> usize {
    let (row, column) = (at.row.saturating_sub(1) as usize, at.col.saturating_sub(1) as usize);
    let line_start: usize = text.split_inclusive('\n').take(row).map(str::len).sum();
    let line = text.get(line_start..).unwrap_or("");
    line_start + line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte)
}

struct Reader<'a> {
    problems: Problems,
    limits: &'a Limits,
    offset: usize,
    elements: Vec<Element>,
}

impl Reader<'_> {
    fn wrong(&mut self, code: Code, node: Node<'_, '_>, attribute: &str, message: String) {
        let range = node.attribute_node(attribute).map_or(node.range(), |attribute| attribute.range_value());
        let span = Span::new(range.start + self.offset, range.end + self.offset);
        self.problems.push(Diagnostic::new(code, span, message));
    }

    /// All elements, without recursion; how the screen is turned.
    fn hierarchy(&mut self, root: Node<'_, '_>) -> u8 {
        let rotation = match root.attribute("rotation").map(str::parse) {
            None => 0,
            Some(Ok(rotation @ 0..=3)) => rotation,
            Some(_) => {
                self.wrong(
                    Code::BadElement,
                    root,
                    "rotation",
                    "`rotation` counts quarters, from 0 to 3".into(),
                );
                0
            }
        };
        // The next node to read, and its parent's number and depth.
        let mut open: Vec<(Node<'_, '_>, Option<ElementId>, usize)> = Vec::new();
        open.extend(below(root).map(|node| (node, None, 1)));
        while let Some((node, parent, depth)) = open.pop() {
            let deepest = self.limits.nesting.saturating_mul(DEEPER);
            if depth > deepest {
                let message = format!("nested deeper than {deepest} levels");
                self.wrong(Code::NestedTooDeep, node, "", message);
                return rotation;
            }
            if self.elements.len() >= self.limits.elements {
                let message = format!("the screen has more than {} elements", self.limits.elements);
                self.wrong(Code::TooManyElements, node, "", message);
                return rotation;
            }
            let id = ElementId::new(self.elements.len());
            let element = self.element(node, parent);
            self.elements.push(element);
            open.extend(below(node).map(|child| (child, Some(id), depth + 1)));
        }
        rotation
    }

    fn element(&mut self, node: Node<'_, '_>, parent: Option<ElementId>) -> Element {
        let class = self.text(node, "class");
        let editable = self.flag(node, "editable", is_editor(&class));
        let flags = Flags {
            clickable: self.flag(node, "clickable", false),
            long_clickable: self.flag(node, "long-clickable", false),
            editable,
            scrollable: self.flag(node, "scrollable", false),
            checkable: self.flag(node, "checkable", false),
            checked: self.flag(node, "checked", false),
            focusable: self.flag(node, "focusable", false),
            focused: self.flag(node, "focused", false),
            password: self.flag(node, "password", false),
            selected: self.flag(node, "selected", false),
            enabled: self.flag(node, "enabled", true),
            visible: self.flag(node, "visible-to-user", true),
        };
        Element {
            parent,
            class,
            resource_id: self.text(node, "resource-id"),
            text: self.text(node, "text"),
            description: self.text(node, "content-desc"),
            index: node.attribute("index").and_then(|index| index.trim().parse().ok()),
            bounds: self.bounds(node),
            flags,
        }
    }

    fn text(&mut self, node: Node<'_, '_>, name: &str) -> String {
        let text = node.attribute(name).unwrap_or("");
        if text.len() > self.limits.text {
            let message = format!("`{name}` has {} bytes; the limit is {}", text.len(), self.limits.text);
            self.wrong(Code::TextTooLong, node, name, message);
            return String::new();
        }
        text.to_owned()
    }

    fn flag(&mut self, node: Node<'_, '_>, name: &str, without: bool) -> bool {
        match node.attribute(name) {
            None => without,
            Some("true") => true,
            Some("false") => false,
            Some(other) => {
                let message = format!("`{name}` is `true` or `false`, not `{}`", shortened(other));
                self.wrong(Code::BadElement, node, name, message);
                without
            }
        }
    }

    fn bounds(&mut self, node: Node<'_, '_>) -> Option<Bounds> {
        let text = node.attribute("bounds")?;
        let bounds = Bounds::parse(text);
        if bounds.is_none() {
            self.wrong(Code::BadElement, node, "bounds", format!("`{}` are no bounds", shortened(text)));
        }
        bounds
    }
}

/// The elements in one, last first.
fn below<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().rev().filter(Node::is_element)
}

/// Dumps don't say what takes text: its class does.
pub(super) fn is_editor(class: &str) -> bool {
    let kind = class.rsplit(['.', '$']).next().unwrap_or(class);
    kind.ends_with("EditText") || kind.ends_with("AutoCompleteTextView") || kind == "SearchAutoComplete"
}
