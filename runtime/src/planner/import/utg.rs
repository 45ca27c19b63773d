//! DroidBot's transition graph, `utg.js`: JSON after an assignment.
//!
//! Knows the JSON form; pages and events are those of a run.

use super::collect::{Collected, Rest, leave};
use super::droidbot::{Screens, full_name, hash};
use super::event::{Event, filled};
use super::{Form, Imported, Left, Options, Reason, What, nothing_kept};
use crate::planner::declare::Transition;
use crate::planner::model::Origin;
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::json::{self, Node};
use intentgate_engine::span::{Source, Span};
use std::collections::HashMap;

pub(super) fn read(source: &Source, options: &Options) -> Result<Imported, Problems> {
    let plain = Source::new(source.name(), without_assignment(source.text()));
    let document = json::parse(&plain, &options.limits).map_err(|wrong| {
        let mut problems = Problems::new(source.clone());
        wrong.items().iter().cloned().for_each(|item| problems.push(item));
        problems
    })?;
    let lists = ["nodes", "edges"].map(|key| document.get(key).and_then(|list| list.array(key).ok()));
    let [Some(nodes), Some(edges)] = lists else {
        let message = "a transition graph has the lists `nodes` and `edges`";
        return Err(nothing_kept(source, message));
    };
    let mut reader = Reader { problems: Problems::new(source.clone()), left: Left::default() };
    let activities: Vec<Option<String>> = nodes.iter().map(activity).collect();
    let known = activities.iter().filter_map(Option::as_deref);
    let mut screens = Screens::new(options.pages, known.clone());
    let mut collected = Collected::default();
    let (mut pages, mut start, mut first) = (HashMap::new(), None, None);
    for (node, activity) in nodes.iter().zip(&activities) {
        let Some(id) = filled(node.get("id")).or_else(|| filled(node.get("state_str"))) else {
            reader.leave(What::Page, Reason::Nameless, node, Code::Nameless, "a node has no `id`".to_owned());
            continue;
        };
        if pages.get(&id).is_some_and(Option::is_some) {
            let message = format!("a node `{}` stands there already: the first counts", shortened(&id));
            reader.leave(What::Page, Reason::Twice, node, Code::UnclearName, message);
            continue;
        }
        let structure = filled(node.get("structure_str")).unwrap_or_else(|| hash(&id));
        let page = screens.page(&mut collected, activity.as_deref(), &structure);
        if page.is_none() {
            let message = format!("the node `{}` has no activity", shortened(&id));
            reader.leave(What::Page, Reason::Nameless, node, Code::Nameless, message);
        }
        if node.get("label").and_then(Node::as_str).is_some_and(|label| label.contains("<FIRST>")) {
            start = start.or(page);
        }
        first = first.or(page);
        pages.insert(id, page);
    }
    for edge in edges {
        reader.edge(edge, &pages, &mut collected);
    }
    let app = filled(document.get("app_package")).unwrap_or_else(|| screens.app(known));
    let rest = Rest { left: reader.left, warnings: vec![reader.problems], ..Rest::default() };
    collected.finish(Form::Utg, source, options, &app, start.or(first), rest)
}

/// The JSON at its place, the script around it blank.
fn without_assignment(text: &str) -> String {
    let blank =
        |text: &str| -> String { text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect() };
    let start = text.find('{').unwrap_or(0);
    let (before, rest) = text.split_at_checked(start).unwrap_or(("", text));
    let end = rest.trim_end();
    let json = end.trim_end_matches(';');
    format!("{}{json}{}", blank(before), blank(rest.get(json.len()..).unwrap_or("")))
}

fn activity(node: &Node) -> Option<String> {
    let activity = filled(node.get("activity"))?;
    let whole = match filled(node.get("package")) {
        Some(package) if !activity.contains('/') => format!("{package}/{activity}"),
        _ => activity,
    };
    full_name(&whole)
}

struct Reader {
    problems: Problems,
    left: Left,
}

impl Reader {
    fn leave(&mut self, what: What, reason: Reason, node: &Node, code: Code, message: String) {
        let diagnostic = Diagnostic::new(code, Span::at(node.span.start()), message);
        leave(&mut self.left, &mut self.problems, what, reason, diagnostic);
    }

    fn edge(&mut self, edge: &Node, pages: &HashMap<String, Option<usize>>, collected: &mut Collected) {
        let none = [];
        let events = edge.get("events").and_then(|events| events.array("events").ok()).unwrap_or(&none);
        // Each event is a transition; an edge that names none is one.
        let count = events.len().max(1);
        let ends = [edge.get("from"), edge.get("to")].map(|end| filled(end));
        let [Some(from), Some(to)] = ends else {
            let message = "an edge has no `from` or no `to`".to_owned();
            self.leave(What::Transition, Reason::Nameless, edge, Code::Nameless, message);
            self.left.add(What::Transition, Reason::Nameless, count - 1);
            return;
        };
        let (from, to) = match (pages.get(&from), pages.get(&to)) {
            (Some(Some(from)), Some(Some(to))) => (*from, *to),
            (Some(_), Some(_)) => {
                let message = "an edge starts or ends in a node without an activity".to_owned();
                self.leave(What::Transition, Reason::Nameless, edge, Code::Nameless, message);
                self.left.add(What::Transition, Reason::Nameless, count - 1);
                return;
            }
            (found, _) => {
                let lacking = if found.is_none() { from } else { to };
                let message = format!("there is no node `{}`", shortened(&lacking));
                self.leave(What::Transition, Reason::Dangling, edge, Code::DanglingEdge, message);
                self.left.add(What::Transition, Reason::Dangling, count - 1);
                return;
            }
        };
        if events.is_empty() {
            keep(collected, (from, to), &Event::default());
        }
        for event in events {
            if event.as_object().is_none() {
                let message = format!("an event is an object, not {}: it is left out", event.describe());
                self.leave(What::Transition, Reason::Unreadable, event, Code::UnreadablePart, message);
                continue;
            }
            let kind = filled(event.get("event_type")).unwrap_or_default();
            let words = filled(event.get("event_str")).unwrap_or_default();
            keep(collected, (from, to), &Event::of_words(&kind, &words));
        }
    }
}

fn keep(collected: &mut Collected, (from, to): (usize, usize), event: &Event) {
    let transition = Transition {
        origin: Origin::Observed.name().to_owned(),
        count: Some(1),
        ..Transition::new(collected.page_name(from), event.words(), collected.page_name(to))
    };
    collected.transition(from, to, transition);
}
