//! What came of an action: one of four decisions, and what the element does (AppAgent, section 3.2).
//!
//! Knows what was shown before and after. [`ByChange`] decides by structure and words and always decides the same;
//! [`ByModel`] asks a language model, and falls back on the other where that gives no usable answer.

use super::Possible;
use crate::executor::device::Observation;
use crate::executor::reply::{Decision, Interaction, Reflection};
use crate::executor::screen::Screen;
use crate::executor::screen::outline::Outline;
use crate::language_model::ask::{TRIES, ask};
use crate::language_model::{LanguageModel, Message, Request, Role, fence};
use crate::planner::select::{Candidate, Lexical};
use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;

/// An action, and what was shown before and after it.
#[derive(Debug)]
pub struct Change<'a> {
    /// What the exploration is for.
    pub goal: &'a str,
    /// What was done.
    pub possible: &'a Possible,
    /// From this page.
    pub from: &'a str,
    /// To this page.
    pub to: &'a str,
    /// What was shown before.
    pub before: &'a Observation,
    /// What was shown after.
    pub after: &'a Observation,
    /// Whether another program is shown after it.
    pub foreign: bool,
    /// What is known of the element, for this interaction.
    pub known: Option<&'a str>,
}

impl Change<'_> {
    /// Whether nothing changed: not even a text. A picture alone says nothing, since clocks and cursors move.
    pub fn is_nothing(&self) -> bool {
        let bare = |shown: &Observation| {
            let mut shown = shown.clone();
            if let Some(screen) = &mut shown.screen {
                screen.screenshot = None;
            }
            shown
        };
        self.from == self.to && bare(self.before) == bare(self.after)
    }
}

/// What is on its way.
pub type Reflecting<'a> = Pin<Box<dyn Future<Output = Reflection> + Send + 'a>>;

/// Says what came of an action that changed something.
pub trait Reflector: Send {
    /// The decision, and what the element does, in general words: without tags, and without what is only on this
    /// screen.
    fn reflect<'a>(&'a mut self, change: &'a Change<'a>) -> Reflecting<'a>;
}

/// Nothing changed.
pub(super) fn ineffective() -> Reflection {
    let thought = Some("nothing changed".to_owned());
    Reflection { decision: Decision::Ineffective, thought, documentation: None }
}

/// How much nearer to the goal a page has to be, by its words, to count.
const NEARER: f64 = 0.05;
/// How much farther away it leads into a wrong direction.
const FARTHER: f64 = 0.1;
/// Texts of a screen that are looked at.
const TEXTS: usize = 50;

/// By structure and words: a page that has more to do with the goal is a success, one that has clearly less or is
/// another program's leads away, everything else goes on.
#[derive(Default)]
pub struct ByChange(Lexical);

impl fmt::Debug for ByChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByChange")
    }
}

impl ByChange {
    fn decide(&self, change: &Change) -> Reflection {
        if change.is_nothing() {
            return ineffective();
        }
        let [was, is] = self.relevance(change);
        let (decision, why) = match () {
            () if change.foreign => (Decision::Back, "it leads to another program"),
            () if is > was + NEARER => (Decision::Success, "it leads to what has more to do with the goal"),
            () if is + FARTHER < was => (Decision::Back, "it leads to what has less to do with the goal"),
            () => (Decision::Continue, "it changes something that is no nearer to the goal"),
        };
        Reflection { decision, thought: Some(why.to_owned()), documentation: Some(documentation(change)) }
    }

    /// How much the pages before and after have to do with the goal.
    fn relevance(&self, change: &Change) -> [f64; 2] {
        let texts = |shown: &Observation| {
            let screen = shown.screen.as_ref();
            let elements = screen.into_iter().flat_map(Screen::elements);
            let texts = elements.map(|(_, element)| element.shown_text()).filter(|text| !text.is_empty());
            texts.take(TEXTS).collect::<Vec<_>>().join(" ")
        };
        let candidates = [
            Candidate::new(change.from, texts(change.before)),
            Candidate::new(change.to, texts(change.after)),
        ];
        let ranked = self.0.rank(change.goal, &candidates).ranked;
        [0, 1].map(|place| ranked.iter().find(|one| one.index == place).map_or(0.0, |one| one.confidence))
    }
}

/// What the element does, in words that name no content: the program's own names of screens, and nothing that is
/// shown.
fn documentation(change: &Change) -> String {
    let done = match change.possible.interaction {
        Interaction::Tap => "Tapping",
        Interaction::Text => "Typing into",
        Interaction::VSwipe | Interaction::HSwipe => "Swiping",
        Interaction::LongPress => "Pressing",
    };
    let activity = |shown: &Observation| {
        let activity = shown.screen.as_ref().and_then(|screen| screen.activity.clone())?;
        activity.rsplit(['.', '/']).next().map(str::to_owned)
    };
    match (change.from == change.to, activity(change.after)) {
        (true, _) => format!("{done} this UI element changes what the screen shows, and stays on it."),
        (false, Some(name)) => format!("{done} this UI element opens the screen {name}."),
        (false, None) => format!("{done} this UI element opens another screen."),
    }
}

impl Reflector for ByChange {
    fn reflect<'a>(&'a mut self, change: &'a Change<'a>) -> Reflecting<'a> {
        Box::pin(ready(self.decide(change)))
    }
}

/// Asks a language model, with pictures where there are some; the screens are described in any case.
pub struct ByModel<M> {
    model: M,
    tries: usize,
    otherwise: ByChange,
}

impl<M: LanguageModel> ByModel<M> {
    /// Asks a model, three times at most.
    pub fn new(model: M) -> ByModel<M> {
        ByModel { model, tries: TRIES, otherwise: ByChange::default() }
    }

    /// Asks so often, at most.
    #[must_use]
    pub fn tries(mut self, tries: usize) -> ByModel<M> {
        self.tries = tries;
        self
    }

    async fn ask(&self, change: &Change<'_>) -> Reflection {
        let check = |answer: &str| {
            let reflection = Reflection::parse(answer).map_err(|problem| problem.to_string())?;
            match reflection.documentation.as_deref().and_then(|text| content(text, change)) {
                Some(found) => Err(format!(
                    "The documentation says {}, which is only on this screen. Speak of the UI element in general.",
                    fence::quoted(&found, 60)
                )),
                None => Ok(reflection),
            }
        };
        match ask(&self.model, request(change), self.tries, check).await {
            Ok((reflection, _)) => reflection,
            Err(error) => {
                let reflection = self.otherwise.decide(change);
                let thought = reflection.thought.unwrap_or_default();
                Reflection { thought: Some(format!("{thought} (the model: {error})")), ..reflection }
            }
        }
    }
}

impl<M: LanguageModel> Reflector for ByModel<M> {
    fn reflect<'a>(&'a mut self, change: &'a Change<'a>) -> Reflecting<'a> {
        Box::pin(self.ask(change))
    }
}

/// What a document says that is content, and not the app: texts of fields and of rows of lists.
fn content(text: &str, change: &Change) -> Option<String> {
    let screens = [change.before, change.after].into_iter().filter_map(|shown| shown.screen.as_ref());
    for screen in screens {
        for (id, element) in screen.elements() {
            let said = element.text.trim();
            let filled = element.flags.editable || in_list(screen, id);
            if filled && said.chars().count() > 2 && holds(text, said) {
                return Some(said.to_owned());
            }
        }
    }
    None
}

fn in_list(screen: &Screen, mut id: crate::executor::screen::ElementId) -> bool {
    while let Some(parent) = screen.get(id).and_then(|element| element.parent) {
        if screen.get(parent).is_some_and(|element| element.flags.scrollable) {
            return true;
        }
        id = parent;
    }
    false
}

/// Whether a text holds another as whole words.
fn holds(text: &str, part: &str) -> bool {
    let (text, part) = (text.to_lowercase(), part.to_lowercase());
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(&part).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + part.len()..).and_then(|after| after.chars().next());
        edge(before) && edge(after)
    })
}

/// Characters of a screen in a prompt.
const SCREEN: usize = 8_000;
/// Characters of everything else.
const SAID: usize = 1_000;

fn request(change: &Change) -> Request {
    let system = format!(
        "You compare two screens of a mobile app, before and after an action on a UI element, and decide what comes \
         next.\n{}\nAnswer in these parts, each at the start of a line:\nDecision: BACK if the action led where the \
         task can't go on, so that one has to go back; INEFFECTIVE if it changed nothing; CONTINUE if it changed \
         something that does not serve the task; SUCCESS if it moved the task forward.\nThought: why, in a \
         sentence.\nDocumentation: what the UI element does, in one or two general sentences, without numeric tags \
         and without names of people or things on the screen; not for INEFFECTIVE.",
        fence::RULE
    );
    let outline = |shown: &Observation| {
        let outline = shown.screen.as_ref().map(|screen| screen.outline(&Outline::default()));
        outline.unwrap_or_else(|| "nothing is known of it".to_owned())
    };
    let known = change.known.map_or(String::new(), |known| {
        let known = fence::Fenced::new("documentation", known, SAID);
        format!("What was written of this element before; combine it with what you see now:\n{known}\n\n")
    });
    let text = format!(
        "The task:\n{}\n\nThe action: {}\n\n{known}Before, the screen {}:\n{}\n\nAfter, the screen {}:\n{}",
        fence::Fenced::new("task", change.goal, SAID),
        fence::quoted(&change.possible.event, SAID),
        fence::quoted(change.from, SAID),
        fence::Fenced::new("before", &outline(change.before), SCREEN),
        fence::quoted(change.to, SAID),
        fence::Fenced::new("after", &outline(change.after), SCREEN),
    );
    let message = pictured(Message::text(Role::User, text), change);
    Request::new().system(system).message(message).temperature(0.0)
}

/// With the screenshots before and after, where there are both: side by side with their tags where they can be drawn,
/// else one after the other as they are.
fn pictured(message: Message, change: &Change) -> Message {
    let (Some(before), Some(after)) = (change.before.screen.as_ref(), change.after.screen.as_ref()) else {
        return message;
    };
    #[cfg(feature = "images")]
    if let Ok(both) = before.before_and_after(after) {
        return message.image("image/png", both);
    }
    match (before.screenshot.clone(), after.screenshot.clone()) {
        (Some(before), Some(after)) => message.image("image/png", before).image("image/png", after),
        _ => message,
    }
}
