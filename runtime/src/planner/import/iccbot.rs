//! ICCBot's component transition graph: `source` elements that hold their `destination` elements.
//!
//! Activities, fragments and other classes are pages; services, receivers and providers show nothing and are
//! left out. What was found by an analysis may not be possible: the origin is `static`. Knows the XML form.

use super::classes::Classes;
use super::collect::{Collected, Rest, leave};
use super::{Form, Imported, Left, Options, Reason, What, nothing_kept};
use crate::planner::declare::Transition;
use crate::planner::model::Origin;
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::span::{Source, Span};
use roxmltree::{Document, Error, Node, ParsingOptions};
use std::collections::HashSet;

/// Attributes of a destination that end up in a transition's event, or say what it is.
const USED: &[&str] =
    &["name", "desType", "edgeType", "ICCType", "method", "instructionId", "action", "data"];

/// The most attributes of an element: each is compared with all others.
const MOST_ATTRIBUTES: usize = 1_000;

pub(super) fn read(source: &Source, options: &Options) -> Result<Imported, Problems> {
    // An element takes at least four bytes, so that the bytes bound the nodes; entities are not expanded.
    let nodes_limit = u32::try_from(options.limits.bytes / 4).unwrap_or(u32::MAX);
    let parsing = ParsingOptions { allow_dtd: false, nodes_limit, ..ParsingOptions::default() };
    let text = source.text();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let shift = source.text().len() - text.len();
    if let Some(at) = crowded(text) {
        let message = format!("an element has more than {MOST_ATTRIBUTES} attributes");
        let diagnostic = Diagnostic::new(Code::TooLarge, Span::new(at, at + 1).shifted(shift), message);
        return Err(Problems::one(
            source.clone(),
            diagnostic.help("an element of a transition graph has some ten"),
        ));
    }
    let document = Document::parse_with_options(text, parsing)
        .map_err(|error| Problems::one(source.clone(), unreadable(text, shift, &error)))?;
    let sources: Vec<Node> = elements(&document, "source").collect();
    if sources.is_empty() {
        let root = document.root_element().tag_name().name();
        let message = format!("`{}` holds no `source` element: this is no transition graph", shortened(root));
        return Err(nothing_kept(source, message));
    }
    let mut reader = Reader {
        shift,
        problems: Problems::new(source.clone()),
        left: Left::default(),
        collected: Collected::default(),
    };
    let hidden: HashSet<&str> = elements(&document, "source")
        .filter(|node| !shows(node.attribute("type")))
        .filter_map(|node| class(&node))
        .collect();
    let screen = |node: &Node| is_screen(node, &hidden);
    let named = document.descendants().filter(|node| screen(node)).filter_map(|node| class(&node));
    let (classes, unclear) = Classes::new(named);
    for name in unclear {
        let message = format!(
            "several classes end with `{}`; it stays a page of its own",
            shortened(name.trim_start_matches('.'))
        );
        reader.problems.push(Diagnostic::new(Code::UnclearName, Span::default(), message));
    }
    let short = classes.short();
    // Pages are in the order in which the text names them, first as sources.
    for name in ["source", "destination"] {
        for name in elements(&document, name).filter(screen).filter_map(|node| class(&node)) {
            reader.page(name, &classes, &short);
        }
    }
    for source in sources {
        reader.source(source, &classes, &short, &screen);
    }
    reader.others(&document);
    let package = classes.package();
    let app = if package.contains('.') { package.as_str() } else { "app" };
    let Reader { problems, left, collected, .. } = reader;
    let rest = Rest { left, warnings: vec![problems], ..Rest::default() };
    collected.finish(Form::Iccbot, source, options, app, None, rest)
}

/// Where the first element stands that has too many attributes.
fn crowded(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = text.get(at..)?.find('<').map(|offset| at + offset) {
        let rest = text.get(start..)?;
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">"), ("</", ">")];
        if let Some((_, end)) = skipped.iter().find(|(begin, _)| rest.starts_with(begin)) {
            at = start + rest.find(end)? + end.len();
            continue;
        }
        let (mut quote, mut count) = (None, 0_usize);
        let end = rest.char_indices().find(|(_, c)| {
            match quote {
                Some(open) if open == *c => quote = None,
                None if matches!(c, '"' | '\'') => (quote, count) = (Some(*c), count + 1),
                _ => {}
            }
            quote.is_none() && *c == '>'
        });
        if count > MOST_ATTRIBUTES {
            return Some(start);
        }
        at = start + end?.0;
    }
    None
}

/// Errors of the XML reader, at their places.
fn unreadable(text: &str, shift: usize, error: &Error) -> Diagnostic {
    let position = error.pos();
    let line = usize::try_from(position.row).unwrap_or(1).saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let column = usize::try_from(position.col).unwrap_or(1).saturating_sub(1);
    let inside = text.get(start..).unwrap_or("").chars().take(column).map(char::len_utf8).sum::<usize>();
    // What is wrong at the very end is a file that was cut.
    let cut = matches!(error, Error::UnexpectedEndOfStream | Error::UnclosedRootNode | Error::NoRootNode)
        || start + inside >= text.trim_end().len();
    let place = if matches!(error, Error::UnexpectedEndOfStream | Error::UnclosedRootNode) {
        text.trim_end().len()
    } else {
        start + inside
    };
    let said = error.to_string();
    let said = said.split(" at ").next().unwrap_or(&said);
    let diagnostic = Diagnostic::new(
        Code::UnreadableXml,
        Span::at(shift + place),
        format!("this is not XML: {}", shortened(said)),
    );
    match error {
        Error::DtdDetected => diagnostic.help("document types and entities of their own are not read"),
        _ if cut => diagnostic.help("the file seems to be cut: write it anew"),
        _ => diagnostic,
    }
}

fn elements<'a, 'd: 'a>(
    document: &'a Document<'d>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'd>> {
    document.descendants().filter(move |node| node.is_element() && node.tag_name().name() == name)
}

/// The name of a component that shows something, without the mark of a transition between apps.
fn class<'a>(node: &Node<'a, '_>) -> Option<&'a str> {
    let name = node.attribute("name")?.trim();
    let name = name.strip_prefix("interICC_").unwrap_or(name);
    (!matches!(name, "" | "." | "null")).then_some(name)
}

/// Whether a component shows something, by its type. What is not known may.
fn shows(kind: Option<&str>) -> bool {
    let kind = kind.unwrap_or_default().to_ascii_lowercase();
    !["service", "receiver", "reciever", "broadcast", "provider"].iter().any(|other| kind.contains(other))
}

/// Whether an element names something that shows something: by its own type, else by that of the source of its name.
fn is_screen(node: &Node, hidden: &HashSet<&str>) -> bool {
    match node.tag_name().name() {
        "source" => shows(node.attribute("type")),
        "destination" if node.has_attribute("desType") => shows(node.attribute("desType")),
        "destination" => class(node).is_none_or(|name| !hidden.contains(name)),
        _ => false,
    }
}

struct Reader {
    shift: usize,
    problems: Problems,
    left: Left,
    collected: Collected,
}

impl Reader {
    fn span(&self, node: &Node) -> Span {
        let range = node.range();
        Span::new(range.start, range.start + 1 + node.tag_name().name().len()).shifted(self.shift)
    }

    fn leave(&mut self, what: What, reason: Reason, node: &Node, code: Code, message: String) {
        let diagnostic = Diagnostic::new(code, self.span(node), message);
        leave(&mut self.left, &mut self.problems, what, reason, diagnostic);
    }

    fn page(&mut self, name: &str, classes: &Classes, short: &[String]) -> Option<usize> {
        let id = classes.find(name)?;
        let short = short.get(id.index()).map_or(name, String::as_str);
        Some(self.collected.page(short, classes.full(id)))
    }

    fn source(&mut self, node: Node, classes: &Classes, short: &[String], screen: &impl Fn(&Node) -> bool) {
        let destinations = node.children().filter(|child| child.tag_name().name() == "destination");
        let Some(name) = class(&node) else {
            let count = destinations.count();
            self.leave(
                What::Page,
                Reason::Nameless,
                &node,
                Code::Nameless,
                "a source has no name".to_owned(),
            );
            self.left.add(What::Transition, Reason::Nameless, count);
            return;
        };
        if !screen(&node) {
            self.left.out(What::Page, Reason::NoScreen);
            self.left.add(What::Transition, Reason::NoScreen, destinations.count());
            return;
        }
        let Some(from) = self.page(name, classes, short) else { return };
        let mut labels: HashSet<(usize, String)> = HashSet::new();
        let mut seen: HashSet<Vec<(&str, &str)>> = HashSet::new();
        for destination in destinations {
            if !screen(&destination) {
                self.left.out(What::Transition, Reason::NoScreen);
                continue;
            }
            let Some(to) = class(&destination).and_then(|name| self.page(name, classes, short)) else {
                let message = format!("a destination of `{}` has no name", shortened(name));
                self.leave(What::Transition, Reason::Nameless, &destination, Code::Nameless, message);
                continue;
            };
            self.details(&destination);
            let mut event = event(&destination, self.collected.page_name(to));
            // The same words from another place of the program are another transition.
            let attributes = destination.attributes().map(|one| (one.name(), one.value())).collect();
            if seen.insert(attributes) && !labels.insert((to, event.clone())) {
                let instruction = destination.attribute("instructionId").unwrap_or_default();
                event = format!("{event}, instruction {}", shortened(instruction));
                labels.insert((to, event.clone()));
            }
            let transition = Transition {
                origin: Origin::Static.name().to_owned(),
                ..Transition::new(self.collected.page_name(from), event, self.collected.page_name(to))
            };
            self.collected.transition(from, to, transition);
        }
    }

    /// Attributes that a model has no place for.
    fn details(&mut self, destination: &Node) {
        let other =
            destination.attributes().filter(|one| !USED.contains(&one.name()) && !one.value().is_empty());
        self.left.add(What::Detail, Reason::NotInModels, other.count());
    }

    /// Elements that are neither.
    fn others(&mut self, document: &Document) {
        let root = document.root_element();
        for node in document.descendants().filter(|node| node.is_element() && *node != root) {
            let parent = node.parent_element().map_or("", |parent| parent.tag_name().name());
            match node.tag_name().name() {
                "source" => {}
                "destination" if parent == "source" => {}
                "destination" => {
                    let message = "a destination stands outside of a source".to_owned();
                    self.leave(What::Transition, Reason::Dangling, &node, Code::DanglingEdge, message);
                }
                _ => self.left.out(What::Detail, Reason::NotInModels),
            }
        }
    }
}

/// What leads to the destination, in words: the method from which it is opened, and with what.
fn event(destination: &Node, to: &str) -> String {
    let mut event = format!("open {to}");
    if let Some(method) = destination.attribute("method").and_then(method) {
        event = format!("{event} by {method}");
    }
    for key in ["action", "data"] {
        let value = destination.attribute(key).map(str::trim).unwrap_or_default();
        if !value.is_empty() && value != "null" {
            event = format!("{event}, {key} {}", shortened(value));
        }
    }
    event
}

/// `Class.method` of `<package.Class: type method(types)>`, or the text as it is.
fn method(signature: &str) -> Option<String> {
    let signature = signature.trim();
    if matches!(signature, "" | "null") {
        return None;
    }
    let inside = signature.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let parts = inside.and_then(|inside| inside.split_once(": "));
    let said = parts.and_then(|(class, rest)| {
        let name = rest.split('(').next()?.split_whitespace().last()?;
        Some(format!("{}.{name}", class.rsplit('.').next().unwrap_or(class)))
    });
    Some(said.unwrap_or_else(|| shortened(signature)))
}
