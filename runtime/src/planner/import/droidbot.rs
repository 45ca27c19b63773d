//! A DroidBot run: `states/*.json`, what was seen, and `events/*.json`, what was done between two states.
//!
//! A file is told by what it holds, not by its name; the order of the run is that of the names. Knows the JSON
//! forms; must never know how files are found.

use super::classes::Classes;
use super::collect::{Collected, Rest, leave};
use super::event::{Event, filled, is_true};
use super::{Form, Imported, Left, Options, Pages, Reason, What, entrance, nothing_kept};
use crate::planner::declare::Transition;
use crate::planner::model::Origin;
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems, Severity};
use intentgate_engine::input::shortened;
use intentgate_engine::json::{self, Node};
use intentgate_engine::span::{Source, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(super) fn read(sources: &[Source], options: &Options) -> Result<Imported, Problems> {
    let mut sources: Vec<&Source> = sources.iter().collect();
    sources.sort_by_cached_key(|source| natural(source.name()));
    let Some(first) = sources.first().copied() else {
        return Err(nothing_kept(&Source::new("run", ""), "a run without files"));
    };
    let mut run = Run::default();
    for (place, source) in sources.iter().enumerate() {
        run.file(place, source, options);
    }
    if run.states.is_empty() && run.events.is_empty() {
        let mut problems = run.warnings.into_values().next().unwrap_or_else(|| Problems::new(first.clone()));
        let message = "nothing of it is a state or an event of a run";
        problems.push(Diagnostic::new(Code::NoModel, Span::default(), message));
        return Err(problems);
    }
    run.model(first, options)
}

/// Names in the order of the numbers in them.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let (mut word, mut number) = (String::new(), None::<u64>);
    for c in name.chars() {
        match (c.to_digit(10), number) {
            (Some(digit), before) => {
                let more = before.unwrap_or(0).saturating_mul(10).saturating_add(u64::from(digit));
                number = Some(more);
            }
            (None, Some(before)) => {
                parts.push((std::mem::take(&mut word), before));
                number = None;
                word.push(c);
            }
            (None, None) => word.push(c),
        }
    }
    parts.push((word, number.unwrap_or(0)));
    parts
}

/// A state that was seen.
struct State<'s> {
    place: usize,
    source: &'s Source,
    span: Span,
    id: String,
    /// The full name of its activity, if that is known.
    activity: Option<String>,
    structure: String,
}

/// Something that was done, and what it led to.
struct Seen<'s> {
    place: usize,
    source: &'s Source,
    span: Span,
    from: Option<String>,
    to: Option<String>,
    event: String,
}

#[derive(Default)]
struct Run<'s> {
    states: Vec<State<'s>>,
    events: Vec<Seen<'s>>,
    left: Left,
    /// By the place of the file.
    warnings: BTreeMap<usize, Problems>,
}

impl<'s> Run<'s> {
    /// Takes in a file; one that can't be read is left out.
    fn file(&mut self, place: usize, source: &'s Source, options: &Options) {
        let read = entrance(source, &options.limits).and_then(|()| json::parse(source, &options.limits));
        let mut problems = Problems::new(source.clone());
        match read {
            Ok(node) => self.part(place, source, &node, &mut problems),
            Err(wrong) => {
                for item in wrong.items().iter().filter(|item| item.severity() == Severity::Error) {
                    let message = format!("left out, {}: {}", item.code(), item.fault.message);
                    problems.push(Diagnostic::new(Code::UnreadablePart, item.primary.span, message));
                }
                self.left.out(What::File, Reason::Unreadable);
            }
        }
        if !problems.is_empty() {
            self.warnings.insert(place, problems);
        }
    }

    fn part(&mut self, place: usize, source: &'s Source, node: &Node, problems: &mut Problems) {
        let start = node.get("start_state");
        if node.get("event").is_some() || (start.is_some() && node.get("stop_state").is_some()) {
            let words = filled(node.get("event_str")).unwrap_or_default();
            let event = match node.get("event").filter(|event| event.as_object().is_some()) {
                Some(event) => {
                    let own = Event::of_log(event);
                    let told = Event::of_words(&own.kind, &words);
                    // What the view does not say, DroidBot's words may.
                    Event { target: own.target.or(told.target), intent: own.intent.or(told.intent), ..own }
                }
                None => Event::of_words("", &words),
            };
            self.events.push(Seen {
                place,
                source,
                span: start.map_or(node.span, |start| start.span),
                from: filled(start),
                to: filled(node.get("stop_state")),
                event: event.words(),
            });
        } else if node.get("views").is_some() || node.get("state_str").is_some() {
            let Some(id) = filled(node.get("state_str")) else {
                let message = "the state has no `state_str`, by which events name it";
                let diagnostic = Diagnostic::new(Code::Nameless, Span::at(node.span.start()), message);
                leave(&mut self.left, problems, What::Page, Reason::Nameless, diagnostic);
                return;
            };
            let activity = filled(node.get("foreground_activity"));
            let activity = activity.and_then(|activity| full_name(&activity));
            let structure = structure(node, activity.as_deref());
            let span = node.get("foreground_activity").map_or(Span::at(node.span.start()), |node| node.span);
            self.states.push(State { place, source, span, id, activity, structure });
        } else {
            let message = "this is neither a state nor an event";
            let diagnostic = Diagnostic::new(Code::UnreadablePart, Span::at(node.span.start()), message);
            leave(&mut self.left, problems, What::File, Reason::Unreadable, diagnostic);
        }
    }

    fn model(mut self, first: &Source, options: &Options) -> Result<Imported, Problems> {
        let mut screens =
            Screens::new(options.pages, self.states.iter().filter_map(|state| state.activity.as_deref()));
        let mut collected = Collected::default();
        let mut pages: HashMap<&str, Option<usize>> = HashMap::new();
        let mut start = None;
        for state in &self.states {
            let page = screens.page(&mut collected, state.activity.as_deref(), &state.structure);
            if page.is_none() {
                self.left.out(What::Page, Reason::Nameless);
                let message = format!("the state `{}` has no activity", shortened(&state.id));
                let diagnostic = Diagnostic::new(Code::Nameless, state.span, message);
                let problems = self.warnings.entry(state.place);
                problems
                    .or_insert_with(|| Problems::new(state.source.clone()))
                    .push(diagnostic.help("by state, it is a page all the same"));
            }
            start = start.or(page);
            let known = pages.entry(&state.id).or_default();
            *known = known.or(page);
        }
        for seen in std::mem::take(&mut self.events) {
            let find = |id: &Option<String>| id.as_deref().map(|id| pages.get(id).copied());
            let wrong = match (find(&seen.from), find(&seen.to)) {
                (Some(Some(Some(from))), Some(Some(Some(to)))) => {
                    let transition = Transition {
                        origin: Origin::Observed.name().to_owned(),
                        count: Some(1),
                        ..Transition::new(collected.page_name(from), seen.event, collected.page_name(to))
                    };
                    collected.transition(from, to, transition);
                    continue;
                }
                (None, _) | (_, None) => {
                    (Reason::Nameless, Code::Nameless, "a state without a name".to_owned())
                }
                (Some(None), _) | (_, Some(None)) => {
                    let lacking = if find(&seen.from) == Some(None) { &seen.from } else { &seen.to };
                    let lacking = shortened(lacking.as_deref().unwrap_or_default());
                    (Reason::Dangling, Code::DanglingEdge, format!("`{lacking}`, of which there is no state"))
                }
                _ => (Reason::Nameless, Code::Nameless, "a state without an activity".to_owned()),
            };
            let (reason, code, why) = wrong;
            let message = format!("`{}` starts or ends in {why}", shortened(&seen.event));
            let diagnostic = Diagnostic::new(code, seen.span, message);
            self.left.out(What::Transition, reason);
            let problems = self.warnings.entry(seen.place);
            problems.or_insert_with(|| Problems::new(seen.source.clone())).push(diagnostic);
        }
        let app = screens.app(self.states.iter().filter_map(|state| state.activity.as_deref()));
        let rest =
            Rest { left: self.left, warnings: self.warnings.into_values().collect(), ..Rest::default() };
        collected.finish(Form::Droidbot, first, options, &app, start, rest)
    }
}

/// `com.app.Main` of `com.app/.Main` and of `com.app/com.app.Main`.
pub(super) fn full_name(activity: &str) -> Option<String> {
    let activity = activity.trim();
    let full = match activity.split_once('/') {
        Some((package, class)) if class.starts_with('.') => format!("{package}{class}"),
        Some((_, class)) => class.to_owned(),
        None => activity.to_owned(),
    };
    (!matches!(full.as_str(), "" | "." | "null" | "None")).then_some(full)
}

/// What is visible, without texts and in no order: the same screen has it on every visit.
fn structure(state: &Node, activity: Option<&str>) -> String {
    let views = state.get("views").map(|views| views.array("").unwrap_or(&[])).unwrap_or_default();
    let mut visible: BTreeSet<String> = BTreeSet::new();
    for view in views.iter().filter(|view| view.get("visible").is_none_or(is_true)) {
        let text = |key: &str| filled(view.get(key)).unwrap_or_default();
        let can = ["clickable", "long_clickable", "scrollable", "editable", "checkable"]
            .map(|key| if view.get(key).is_some_and(is_true) { '1' } else { '0' });
        visible.insert(format!("{}|{}|{}", text("class"), text("resource_id"), String::from_iter(can)));
    }
    let all: Vec<String> = visible.into_iter().collect();
    hash(&format!("{}\n{}", activity.unwrap_or_default(), all.join("\n")))
}

/// FNV-1a of 64 bits: the same on every machine and for ever. It tells screens apart and protects nothing.
pub(super) fn hash(text: &str) -> String {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, mix))
}

/// Pages of states: by activity, or by activity and structure.
pub(super) struct Screens {
    by: Pages,
    classes: Classes,
    short: Vec<String>,
    /// The structures that a short mark stands for.
    marks: HashMap<String, String>,
}

impl Screens {
    pub(super) fn new<'a>(by: Pages, activities: impl Iterator<Item = &'a str> + Clone) -> Screens {
        let (classes, _) = Classes::new(activities);
        let short = classes.short();
        Screens { by, classes, short, marks: HashMap::new() }
    }

    /// The page of a state. By activity, a state without one has none.
    pub(super) fn page(
        &mut self,
        collected: &mut Collected,
        activity: Option<&str>,
        structure: &str,
    ) -> Option<usize> {
        let id = activity.and_then(|activity| self.classes.find(activity));
        let short = id.and_then(|id| self.short.get(id.index())).map(String::as_str);
        let full = id.map_or("", |id| self.classes.full(id));
        match self.by {
            Pages::Activity => Some(collected.page(short?, full)),
            Pages::State => {
                let short = short.unwrap_or("unknown");
                // Six digits tell the screens of an app apart; where they don't, all of them do.
                let mark: String = structure.chars().take(6).collect();
                let mark = format!("{short}#{mark}");
                let known = self.marks.entry(mark.clone()).or_insert_with(|| structure.to_owned());
                let name = if known == structure { mark } else { format!("{short}#{structure}") };
                Some(collected.page(&name, full))
            }
        }
    }

    /// The app's package: the one with most states, but for launchers and the system.
    pub(super) fn app<'a>(&self, activities: impl Iterator<Item = &'a str>) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for activity in activities {
            let package = activity.rsplit_once('.').map_or("", |(package, _)| package);
            let system = ["launcher", "com.android.systemui", "com.android.settings"];
            if !package.is_empty() && !system.iter().any(|word| activity.to_lowercase().contains(word)) {
                *counts.entry(package).or_default() += 1;
            }
        }
        let most = counts.into_iter().reduce(|most, one| if one.1 > most.1 { one } else { most });
        most.map_or_else(|| "app".to_owned(), |(package, _)| package.to_owned())
    }
}
