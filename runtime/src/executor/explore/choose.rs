//! What can be tried on a screen, and which of it is tried next.

use crate::executor::device::{Direction, Distance, Gesture, Observation, Target};
use crate::executor::reply::Interaction;
use crate::executor::screen::{ElementId, Screen};
use crate::planner::select::{Candidate, Lexical};
use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;

/// Something that can be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Possible {
    /// In words: the event under which the model remembers it.
    pub event: String,
    /// The gesture.
    pub gesture: Gesture,
    /// The published name of the element; empty for what touches none.
    pub uid: String,
    /// What is done with the element.
    pub interaction: Interaction,
    /// Everything that the element is called: text, description, name in the program, texts within it.
    called: Vec<String>,
}

impl Possible {
    pub(super) fn plain(event: &str, gesture: Gesture) -> Possible {
        let (event, uid) = (event.to_owned(), String::new());
        Possible { event, gesture, uid, interaction: Interaction::Tap, called: Vec::new() }
    }

    /// Whether it touches no element.
    pub fn is_plain(&self) -> bool {
        self.uid.is_empty()
    }

    /// Everything that it is called: the event, what is quoted in it, and the names of its element.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let quoted = self.event.split('"').nth(1);
        [self.event.as_str()].into_iter().chain(quoted).chain(self.called.iter().map(String::as_str))
    }

    /// What one reads of it.
    pub fn label(&self) -> &str {
        self.called.first().map_or(self.event.as_str(), String::as_str)
    }
}

/// What can be done on a screen: what can be tapped, pressed long, or scrolled, and is told from all else by one of
/// its selectors. Nothing is typed: no text is known to be harmless.
pub fn offered(screen: &Screen, labels_are_events: bool) -> Vec<Possible> {
    let mut offered: Vec<Possible> = Vec::new();
    for (id, element) in
        screen.elements().filter(|(id, element)| screen.is_shown(*id) && element.flags.enabled)
    {
        let flags = &element.flags;
        let target = screen.selectors(id).into_iter().find(|selector| screen.find(selector) == Ok(id));
        let Some(target) = target.map(Target::Element) else { continue };
        let called = names(screen, id);
        let Some(label) = called.first() else { continue };
        let event = |verb: &str| match labels_are_events {
            // A simulated app says the whole event to those who can't see it.
            true if !element.description.is_empty() => element.description.clone(),
            true => label.clone(),
            false => format!("{verb} \"{label}\""),
        };
        let direction = (Direction::Up, Distance::Medium);
        let swipe = Gesture::Swipe { target: target.clone(), direction: direction.0, distance: direction.1 };
        let ways = [
            (flags.clickable || flags.checkable, "tap", Gesture::Tap(target.clone()), Interaction::Tap),
            (flags.long_clickable, "long press", Gesture::LongPress(target), Interaction::LongPress),
            (flags.scrollable, "swipe up", swipe, Interaction::VSwipe),
        ];
        for (_, verb, gesture, interaction) in ways.into_iter().filter(|(can, ..)| *can) {
            let (event, uid, called) = (event(verb), screen.uid(id), called.clone());
            let possible = Possible { event, gesture, uid, interaction, called };
            if !offered.iter().any(|known| known.event == possible.event) {
                offered.push(possible);
            }
        }
    }
    offered
}

/// What an element is called, what one reads first: its text, its description, the texts within it, its name in the
/// program.
fn names(screen: &Screen, id: ElementId) -> Vec<String> {
    let Some(element) = screen.get(id) else { return Vec::new() };
    let mut names = vec![element.shown_text().to_owned(), element.description.clone()];
    let mut within: Vec<ElementId> = screen.children(id).to_vec();
    while let Some(id) = within.pop() {
        if let Some(element) = screen.get(id) {
            names.extend([element.shown_text().to_owned(), element.description.clone()]);
            within.extend(screen.children(id));
        }
    }
    names.push(element.resource_id.rsplit('/').next().unwrap_or_default().replace('_', " "));
    names.retain(|name| !name.is_empty());
    names
}

/// What a chooser is told.
#[derive(Debug)]
pub struct Choice<'a> {
    /// What the exploration is for.
    pub goal: &'a str,
    /// The page.
    pub page: &'a str,
    /// What is shown.
    pub shown: &'a Observation,
    /// What is not tried yet in a situation like this one, and may be; at least one.
    pub open: &'a [Possible],
}

/// What is on its way.
pub type Choosing<'a> = Pin<Box<dyn Future<Output = Option<usize>> + Send + 'a>>;

/// Chooses what is tried next.
pub trait Chooser: Send {
    /// The place of what is tried next; nothing if enough was seen.
    fn choose<'a>(&'a mut self, choice: &'a Choice<'a>) -> Choosing<'a>;
}

/// What has most to do with the goal, by its words; else what comes first.
#[derive(Default)]
pub struct ByGoal(Lexical);

impl fmt::Debug for ByGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByGoal")
    }
}

impl Chooser for ByGoal {
    fn choose<'a>(&'a mut self, choice: &'a Choice<'a>) -> Choosing<'a> {
        let open = choice.open.iter();
        let candidates: Vec<Candidate> = open.map(|one| Candidate::new(one.label(), "")).collect();
        let ranked = self.0.rank(choice.goal, &candidates).ranked;
        let chosen = ranked.first().map_or(0, |best| best.index);
        Box::pin(ready(Some(chosen)))
    }
}
