//! What a gesture touches, and what that is to the gate.
//!
//! The button of a critical action is that action, whatever an agent calls it. Two things tell: the model, where a
//! transition of the page is performed by the same element; and, where the model says nothing, the names that the
//! element goes by: its text, its description, its name in the program. A declared transition or a declared step
//! says that a button is an ordinary one; one that was merely seen, or found by an analysis, doesn't.
//!
//! What can't be known from a screen: what a button does that is called otherwise, what a text does that ends an
//! input, what a gesture does that no element stands for. A host that needs more declares the transition with its
//! `action`, or closes its vocabulary, so that what isn't declared is refused.

use super::bind;
use super::device::{Gesture, Target};
use super::screen::outline;
use super::screen::{Bounds, Element, ElementId, Point, Screen, Selector};
use crate::planner::{Model, Origin, PageId, TransitionId};
use intentgate_engine::schema::{ActionId, Vocabulary};
use intentgate_engine::text::{lookalike, normal};
use std::collections::BTreeSet;

/// A name of more words is a sentence, and names nothing.
const WORDS: usize = 8;

/// Where a gesture is about to be performed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) model: &'a Model,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) page: Option<PageId>,
    pub(super) screen: Option<&'a Screen>,
}

/// What a gesture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touched {
    /// Nothing that the model or the vocabulary knows.
    Nothing,
    /// What performs a transition of the page.
    Transition(TransitionId),
    /// What is called like a critical action.
    Named(ActionId),
}

impl<'a> Scene<'a> {
    /// What a gesture is; what was said of it first counts, where several transitions are performed alike.
    ///
    /// # Errors
    /// It could be several critical actions, or a critical one and something else; in words for the agent.
    pub(super) fn touched(
        &self,
        gesture: &Gesture,
        preferred: Option<TransitionId>,
    ) -> Result<Touched, String> {
        if let (None, Some(Target::Tag(_) | Target::Point(_) | Target::Pixel(_))) =
            (self.screen, gesture.target())
        {
            return Err("there is no screen on which that could be found".to_owned());
        }
        let names = self.names(gesture);
        let critical = |id: &TransitionId| self.performs_critical(*id);
        let declared = |id: &&TransitionId| {
            self.model.transition(**id).is_some_and(|one| one.origin() == Origin::Declared)
        };
        let mut found = self.performed_by(gesture, &names, false);
        // What was merely seen under a name may be what is declared with a place for it.
        if !found.iter().any(|id| declared(&id)) {
            let loosely = self.performed_by(gesture, &names, true);
            found.extend(loosely.into_iter().filter(|id| !found.contains(id)).collect::<Vec<_>>());
        }
        let actions: BTreeSet<Option<ActionId>> = found.iter().map(critical).collect();
        match (actions.len(), actions.iter().flatten().next()) {
            (0, _) => {}
            (1, Some(_)) => return Ok(self.first(&found, preferred)),
            // What is said to be an ordinary step is one; what was seen once says nothing of that.
            (1, None) if found.iter().any(|id| declared(&id)) => return Ok(self.first(&found, preferred)),
            (1, None) => {}
            (_, Some(_)) => {
                let found: Vec<TransitionId> =
                    found.iter().copied().filter(|id| critical(id).is_some()).collect();
                let actions: BTreeSet<Option<ActionId>> = found.iter().map(critical).collect();
                match (actions.len(), preferred.filter(|id| found.contains(id))) {
                    (_, Some(id)) => return Ok(Touched::Transition(id)),
                    (1, None) => return Ok(self.first(&found, None)),
                    _ => return Err("this could be one of several critical actions".to_owned()),
                }
            }
            (_, None) => {}
        }
        match self.named(gesture, &names)? {
            Some(action) => Ok(Touched::Named(action)),
            None if found.is_empty() => Ok(Touched::Nothing),
            None => Ok(self.first(&found, preferred)),
        }
    }

    /// The critical action that a gesture is.
    ///
    /// # Errors
    /// As [`Scene::touched`].
    pub(super) fn critical(
        &self,
        gesture: &Gesture,
        of: Option<TransitionId>,
    ) -> Result<Option<ActionId>, String> {
        Ok(self.critical_of(self.touched(gesture, of)?))
    }

    /// The critical action that something touched is.
    pub(super) fn critical_of(&self, touched: Touched) -> Option<ActionId> {
        match touched {
            Touched::Nothing => None,
            Touched::Transition(id) => self.performs_critical(id),
            Touched::Named(action) => Some(action),
        }
    }

    /// Whether a gesture touches what an event names.
    pub(super) fn performs(&self, event: &str, gesture: &Gesture) -> bool {
        self.is_performed(event, None, gesture, &self.names(gesture), false)
    }

    fn first(&self, found: &[TransitionId], preferred: Option<TransitionId>) -> Touched {
        let first = preferred.filter(|id| found.contains(id)).or_else(|| found.first().copied());
        first.map_or(Touched::Nothing, Touched::Transition)
    }

    fn performs_critical(&self, id: TransitionId) -> Option<ActionId> {
        let action = self.model.transition(id)?.action();
        self.vocabulary.find_action(action).or_else(|| self.vocabulary.near_action(action))
    }

    /// The transitions that a gesture performs: of this page; and, where the model says nothing of this page, the
    /// critical ones of all pages, as the page may be one of them under another name.
    fn performed_by(&self, gesture: &Gesture, names: &[String], loosely: bool) -> Vec<TransitionId> {
        let here = self.page.is_some_and(|page| {
            let mut own = self.model.transitions().filter(|(_, one)| one.from() == page);
            own.any(|(_, one)| one.origin() == Origin::Declared)
        });
        let mut found: Vec<TransitionId> = Vec::new();
        for (id, one) in self.model.transitions() {
            let meant = Some(one.from()) == self.page || (!here && self.performs_critical(id).is_some());
            if meant && self.is_performed(one.event(), Some(id), gesture, names, loosely) {
                found.push(id);
            }
        }
        found
    }

    fn is_performed(
        &self,
        event: &str,
        id: Option<TransitionId>,
        gesture: &Gesture,
        names: &[String],
        loosely: bool,
    ) -> bool {
        let label = bind::quoted(event).unwrap_or(event);
        if let Gesture::Event(done) = gesture {
            // However a critical one is spelled, it is one.
            let critical = id.filter(|id| self.performs_critical(*id).is_some());
            let same = done == event || (critical.is_some() && bare(done) == bare(event));
            let quoted = bind::quoted(event).zip(bind::quoted(done));
            let said = quoted.map(|(label, name)| event.replacen(label, name, 1));
            return same
                || id.is_some_and(|id| loosely && self.model.is_event(id, done))
                || critical.zip(said).is_some_and(|(id, said)| loosely && self.model.is_event(id, &said));
        }
        // Without a screen there is nothing to touch, but for what needs none.
        let bound = bind::gesture(event, Some(self.screen.unwrap_or(&Screen::default())));
        if gesture.target().is_none() {
            let typed = |done: &str| {
                let mut typed = bind::TYPING.iter().map(|verb| format!("{verb} \"{done}\""));
                id.is_some_and(|id| typed.any(|event| self.model.is_event(id, &event)))
            };
            return match gesture {
                Gesture::Text(text) => bound == *gesture || (loosely && typed(text)),
                _ => bound == *gesture,
            };
        }
        let folded = key(label);
        match (label.contains('{'), loosely) {
            (false, false) => names.iter().any(|name| !folded.is_empty() && key(name) == folded),
            (true, false) => names.iter().any(|name| name == label),
            (true, true) => names.iter().any(|name| {
                let said = event.replacen(label, name, 1);
                id.is_some_and(|id| self.model.is_event(id, &said))
            }),
            (false, true) => false,
        }
    }

    /// The critical action that something is called like. A step that is declared under that very name is none.
    fn named(&self, gesture: &Gesture, names: &[String]) -> Result<Option<ActionId>, String> {
        let mut called: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Gesture::Event(event) = gesture {
            called.push(event);
            called.extend(bind::quoted(event));
        }
        let ordinary = |name: &str| self.vocabulary.find_step(name).is_some();
        let mut found: BTreeSet<ActionId> = BTreeSet::new();
        for name in called.into_iter().filter(|name| !ordinary(name)) {
            found.extend(self.vocabulary.find_action(name).or_else(|| self.vocabulary.near_action(name)));
            let said = words(name);
            let short = said.len() <= WORDS;
            let all = |action: &str| {
                let wanted = words(action);
                !wanted.is_empty() && wanted.iter().all(|word| said.contains(word))
            };
            let like = self.vocabulary.actions().filter(|(_, action)| short && all(action.name()));
            found.extend(like.map(|(id, _)| id));
        }
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (first, None) => Ok(first),
            (Some(one), Some(other)) => {
                let name = |id| self.vocabulary.action(id).name();
                Err(format!("this could be {} or {}", name(one), name(other)))
            }
            (None, Some(_)) => Ok(None),
        }
    }

    /// What the elements are called that a gesture reaches.
    fn names(&self, gesture: &Gesture) -> Vec<String> {
        let nothing = Screen::default();
        let screen = self.screen.unwrap_or(&nothing);
        let mut names = Vec::new();
        let mut reached: BTreeSet<ElementId> = BTreeSet::new();
        let Some(target) = gesture.target() else { return names };
        let touched = elements(screen, target);
        // One that is not on this screen may be on the next look.
        if let (Target::Element(selector), true) = (target, touched.is_empty()) {
            let said = [&selector.text, &selector.description, &selector.contains, &selector.resource_id];
            names.extend(said.into_iter().flatten().map(|name| own(name).to_owned()));
        }
        for id in touched {
            reached.extend(labels(screen, id));
            // What is not clickable hands the touch on to what it stands in.
            let mut around =
                Some(id).filter(|id| !is_clickable(screen, *id)).and_then(|id| parent(screen, id));
            while let Some(id) = around {
                around = parent(screen, id).filter(|_| !is_clickable(screen, id));
                reached.extend(Some(id).filter(|id| is_clickable(screen, *id)));
            }
            // What lies at the same place may be what takes the touch, but for what it stands in.
            if let Some(center) = screen.visible_bounds(id).map(Bounds::center) {
                let there = |other: &ElementId| {
                    let at = screen.visible_bounds(*other).is_some_and(|one| holds(one, center));
                    at && is_clickable(screen, *other) && !stands_in(screen, id, *other)
                };
                let over: Vec<ElementId> = screen.elements().map(|(id, _)| id).filter(there).collect();
                over.into_iter().for_each(|id| reached.extend(labels(screen, id)));
            }
        }
        for element in reached.into_iter().filter_map(|id| screen.get(id)) {
            let all = [element.shown_text(), &element.description, own(&element.resource_id)];
            names.extend(all.into_iter().filter(|name| !name.is_empty()).map(str::to_owned));
        }
        names
    }
}

/// Whether a gesture means the same on a screen as on another, which it was decided on: it touches elements of the
/// same kinds and names. What changes by itself may differ in what is touched, but is not what is touched.
pub(super) fn means_the_same(
    gesture: &Gesture,
    before: Option<&Screen>,
    now: Option<&Screen>,
    volatile: &[Selector],
) -> bool {
    if let Gesture::Text(_) = gesture {
        let focused = |screen: &Screen| -> Vec<[String; 5]> {
            screen
                .elements()
                .filter(|(_, element)| element.flags.focused)
                .map(|(_, element)| says(element))
                .collect()
        };
        return before.map(focused) == now.map(focused);
    }
    let Some(target) = gesture.target() else { return true };
    let (Some(before), Some(now)) = (before, now) else { return before.is_none() && now.is_none() };
    let touched = |screen: &Screen| -> Vec<[String; 5]> {
        let changing = changing(screen, volatile);
        let mut reached: Vec<ElementId> = Vec::new();
        for id in elements(screen, target) {
            let strict = changing.contains(&id);
            reached
                .extend(labels(screen, id).into_iter().filter(|label| strict || !changing.contains(label)));
        }
        let said = reached.into_iter().filter_map(|id| screen.get(id)).map(says);
        said.collect()
    };
    touched(before) == touched(now)
}

/// The element that a gesture reaches is on the screen, and is one.
///
/// # Errors
/// There is none, or several; in words.
pub(super) fn reaches(gesture: &Gesture, screen: Option<&Screen>) -> Result<(), String> {
    let Some(target) = gesture.target() else { return Ok(()) };
    let screen = screen.ok_or("there is no screen on which that could be found")?;
    match target {
        Target::Element(selector) => screen.find(selector).map(drop).map_err(|error| error.to_string()),
        Target::Tag(tag) if screen.tagged().get(*tag).is_none() => {
            Err(format!("there is no element with the tag {tag}"))
        }
        Target::Point(_) | Target::Pixel(_) if elements(screen, target).is_empty() => {
            Err("no element is known to be at that place".to_owned())
        }
        _ => Ok(()),
    }
}

/// The gesture as it is performed: an element that is told by its class or its place alone is told by what it says as
/// well, so that nothing that came in its place is touched.
pub(super) fn pinned(gesture: &Gesture, screen: Option<&Screen>) -> Gesture {
    let mut pinned = gesture.clone();
    let (Some(Target::Element(selector)), Some(screen)) = (pinned.target_mut(), screen) else {
        return pinned;
    };
    let found = screen.find(selector).ok().and_then(|id| Some((id, screen.get(id)?)));
    if let Some((id, element)) = found.filter(|_| selector.is_weak()) {
        let said = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let whole = Selector {
            resource_id: said(&element.resource_id),
            description: said(&element.description),
            text: said(&element.text).filter(|_| !element.flags.password),
            ..selector.clone()
        };
        if screen.find(&whole) == Ok(id) {
            *selector = whole;
        }
    }
    pinned
}

/// What a screen says, but for what changes by itself: the app, and every element that is shown.
pub(super) fn said(screen: &Screen, volatile: &[Selector]) -> Vec<[String; 5]> {
    let changing = changing(screen, volatile);
    let of = |name: &Option<String>| name.clone().unwrap_or_default();
    let app = [of(&screen.package), of(&screen.activity), String::new(), String::new(), String::new()];
    let shown = screen.elements().filter(|(id, _)| screen.is_shown(*id) && !changing.contains(id));
    [app].into_iter().chain(shown.map(|(_, element)| says(element))).collect()
}

/// The first thing that a screen says otherwise than one before it, in words.
pub(super) fn difference(before: &Screen, now: &Screen, volatile: &[Selector]) -> Option<String> {
    let (was, is) = (said(before, volatile), said(now, volatile));
    let same = was.iter().zip(&is).take_while(|(was, is)| was == is).count();
    match (was.get(same), is.get(same)) {
        (Some(old), Some(new)) if is.contains(old) => Some(format!("{} is new", in_words(new))),
        (Some(old), Some(new)) if was.contains(new) => Some(format!("{} is gone", in_words(old))),
        (Some(old), Some(new)) => Some(format!("{} is now {}", in_words(old), in_words(new))),
        (Some(old), None) => Some(format!("{} is gone", in_words(old))),
        (None, Some(new)) => Some(format!("{} is new", in_words(new))),
        (None, None) => None,
    }
}

fn in_words(said: &[String; 5]) -> String {
    let [class, id, text, description, state] = said;
    let name = [text, description, id, class].into_iter().find(|name| !name.is_empty());
    format!("{}{state}", outline::foreign(name.map_or("", String::as_str), 80))
}

/// The elements that change by themselves: those that are named, and what stands in them.
fn changing(screen: &Screen, volatile: &[Selector]) -> BTreeSet<ElementId> {
    let mut all = BTreeSet::new();
    // One that says nothing would fit everything.
    let named = volatile.iter().filter(|selector| !selector.is_empty());
    let mut open: Vec<ElementId> = named.flat_map(|selector| screen.fitting(selector)).collect();
    while let Some(id) = open.pop() {
        if all.insert(id) {
            open.extend(screen.children(id));
        }
    }
    all
}

/// What an element is and says, and whether it is chosen.
fn says(element: &Element) -> [String; 5] {
    let Element { class, resource_id, text, description, flags, .. } = element;
    let states =
        [(flags.checked, " (checked)"), (flags.selected, " (selected)"), (!flags.enabled, " (disabled)")];
    let state = states.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect();
    [class.clone(), resource_id.clone(), text.clone(), description.clone(), state]
}

/// The last part of a name in a program: `send` of `com.app:id/send`.
fn own(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

fn parent(screen: &Screen, id: ElementId) -> Option<ElementId> {
    screen.get(id)?.parent
}

fn is_clickable(screen: &Screen, id: ElementId) -> bool {
    screen.get(id).is_some_and(|element| element.flags.clickable)
}

fn holds(bounds: Bounds, point: Point) -> bool {
    let across = (bounds.left..bounds.right).contains(&point.x);
    across && (bounds.top..bounds.bottom).contains(&point.y)
}

/// Whether an element stands in another.
fn stands_in(screen: &Screen, id: ElementId, other: ElementId) -> bool {
    let mut around = parent(screen, id);
    while let Some(id) = around {
        if id == other {
            return true;
        }
        around = parent(screen, id);
    }
    false
}

/// An element and what stands in it, but for what takes touches of its own.
fn labels(screen: &Screen, id: ElementId) -> Vec<ElementId> {
    let (mut found, mut open) = (Vec::new(), vec![id]);
    while let Some(id) = open.pop() {
        found.push(id);
        open.extend(screen.children(id).iter().copied().filter(|child| !is_clickable(screen, *child)));
    }
    found
}

/// The elements that a target can be.
fn elements(screen: &Screen, target: &Target) -> Vec<ElementId> {
    let at = |point: Option<Point>| {
        let point = point.into_iter();
        point.flat_map(|point| {
            let there = move |id: &ElementId| screen.visible_bounds(*id).is_some_and(|one| holds(one, point));
            screen.elements().map(|(id, _)| id).filter(there)
        })
    };
    match target {
        Target::Element(selector) => screen.find(selector).into_iter().collect(),
        Target::Tag(tag) => screen.tagged().get(*tag).into_iter().collect(),
        Target::Point(point) => at(Some(*point)).collect(),
        Target::Pixel(pixel) => at(screen.from_pixel(*pixel)).collect(),
    }
}

/// What an event is done to, to compare by: what it quotes, else its words without the one for the gesture.
fn bare(event: &str) -> String {
    let words = words(bind::quoted(event).unwrap_or(event));
    let verb = words.first().is_some_and(|word| words.len() > 1 && bind::is_verb(word));
    words.into_iter().skip(usize::from(verb)).collect()
}

/// A name to compare by: without case, spacing, punctuation, and what can't be seen or looks like something else.
fn key(name: &str) -> String {
    words(name).concat()
}

/// The words of a name: `sendMessage`, `send_message` and `Send message…` are two.
fn words(name: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let seen: String = normal::nfc(name).chars().filter(|c| !lookalike::is_hidden(*c)).collect();
    let mut lower = false;
    for c in seen.chars() {
        if !c.is_alphanumeric() || (lower && c.is_uppercase()) {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.push(c);
        }
        lower = c.is_lowercase();
    }
    words.push(word);
    let folded = words.into_iter().filter(|word| !word.is_empty());
    folded.map(|word| lookalike::skeleton(&lookalike::skeleton(&word).to_lowercase())).collect()
}
