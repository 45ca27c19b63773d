//! An agent that asks a language model (AppAgent, section 3.3, with what is ours: plan, roadmap, feedback).
//!
//! Knows briefings, replies and language models. What it wants is a gesture, a transition or an end; what that is to
//! the gate is found out from what the gesture touches, never from what the model says of it.

use super::prompt;
use super::{Agent, AgentError, Briefing, Decided, Deciding, Decision, Move};
use crate::executor::device::{Gesture, Target};
use crate::executor::reply::{AgentAction, Offer, Reply};
use crate::executor::screen::{ElementId, Screen, Tags};
use crate::executor::touch::{Scene, Touched};
use crate::language_model::fence::quoted;
use crate::language_model::{Finish, LanguageModel};
use crate::planner::TransitionId;

/// Characters of a name in an event.
const NAME: usize = 60;

/// Asks a language model for each step.
///
/// It is asked once a decision. What it says in a wrong form is [`AgentError::Unusable`], so that the driver's budget
/// counts it and the next question tells it; nothing is asked behind the driver's back.
#[derive(Debug, Clone)]
pub struct ModelAgent<M> {
    model: M,
    name: String,
    pictures: bool,
    /// What it said it has done so far.
    summary: Option<String>,
}

impl<M: LanguageModel> ModelAgent<M> {
    /// Asks a model; with pictures, where a screen has one.
    pub fn new(model: M) -> ModelAgent<M> {
        ModelAgent { name: model.name().to_owned(), model, pictures: true, summary: None }
    }

    /// Without pictures, for models that take none.
    #[must_use]
    pub fn words_only(mut self) -> ModelAgent<M> {
        self.pictures = false;
        self
    }

    async fn ask(&mut self, briefing: &Briefing<'_>) -> Result<Decided, AgentError> {
        let tags = briefing.shown.screen.as_ref().map(Screen::tagged).unwrap_or_default();
        let request = prompt::request(briefing, &tags, self.summary.as_deref(), self.pictures);
        let answer = self.model.answer(&request).await;
        let answer = answer.map_err(|error| AgentError::Unavailable(error.to_string()))?;
        if answer.finish == Finish::Length {
            return Err(AgentError::Unusable("The reply was cut off. Answer in a few sentences.".to_owned()));
        }
        let reply = Reply::parse(&answer.text, &Offer { tags: tags.len(), grid: false });
        let reply = reply.map_err(|problem| AgentError::Unusable(problem.to_string()))?;
        let decision = decision(&reply.action, briefing, &tags)?;
        self.summary = reply.summary.or(self.summary.take());
        let why = reply.thought.unwrap_or_default();
        Ok(Decided { decision, why, assume: reply.precondition, expect: reply.postcondition })
    }
}

impl<M: LanguageModel> Agent for ModelAgent<M> {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide<'a>(&'a mut self, briefing: &'a Briefing<'a>) -> Deciding<'a> {
        Box::pin(self.ask(briefing))
    }
}

/// What an action is: the plan's next step, a transition of the model, or a gesture of its own.
fn decision(action: &AgentAction, briefing: &Briefing<'_>, tags: &Tags) -> Result<Decision, AgentError> {
    let Some(gesture) = action.gesture() else {
        return match action {
            AgentAction::Finish => Ok(Decision::Finish),
            _ => Err(AgentError::Unusable("There is no grid on this screen.".to_owned())),
        };
    };
    let screen = briefing.shown.screen.as_ref();
    let gesture = lasting(gesture, screen, tags);
    let page = briefing.page.and_then(|page| briefing.model.find_page(page));
    let scene = Scene { model: briefing.model, vocabulary: briefing.vocabulary, page, screen };
    let preferred = briefing.next().map(|next| next.transition);
    match scene.touched(&gesture, preferred).map_err(AgentError::Unusable)? {
        Touched::Transition(id) if is_here(briefing, id) => {
            let next = briefing.next().filter(|next| next.transition == id);
            let template = briefing.model.transition(id).map(crate::planner::Transition::event);
            let open = template.is_some_and(|event| event.contains('{'));
            // An element that shows the template itself leaves the values to the plan.
            let whole = || template.is_some_and(|event| scene.performs(event, &gesture));
            if next.is_some_and(|next| !open || scene.performs(&next.event, &gesture) || whole()) {
                return Ok(Decision::Follow);
            }
            if !open {
                return Ok(Decision::Take(id));
            }
        }
        _ => {}
    }
    let event = event(action, screen, tags);
    Ok(Decision::Perform(Box::new(Move { event, gesture, action: None, observes: None, to: None })))
}

fn is_here(briefing: &Briefing<'_>, id: TransitionId) -> bool {
    briefing.known.iter().any(|(known, _)| *known == id)
}

/// The gesture with an element in place of its tag: tags change with the next look, and another element must not be
/// touched then. Where nothing tells the element from others, the tag stays.
fn lasting(gesture: Gesture, screen: Option<&Screen>, tags: &Tags) -> Gesture {
    let element = |target: Target| match target {
        Target::Tag(tag) => {
            let found = screen.and_then(|screen| screen.selectors(tags.get(tag)?).into_iter().next());
            found.map_or(Target::Tag(tag), Target::Element)
        }
        other => other,
    };
    match gesture {
        Gesture::Tap(target) => Gesture::Tap(element(target)),
        Gesture::LongPress(target) => Gesture::LongPress(element(target)),
        Gesture::Swipe { target, direction, distance } => {
            Gesture::Swipe { target: element(target), direction, distance }
        }
        other => other,
    }
}

/// What is done, in the words of models: `tap "Save"`.
fn event(action: &AgentAction, screen: Option<&Screen>, tags: &Tags) -> String {
    let name = |tag: &u32| {
        let named = screen.and_then(|screen| called(screen, tags.get(*tag)?));
        quoted(&named.unwrap_or_else(|| format!("element {tag}")), NAME)
    };
    match action {
        AgentAction::Tap(tag) => format!("tap {}", name(tag)),
        AgentAction::LongPress(tag) => format!("long press {}", name(tag)),
        AgentAction::Swipe { tag, direction, .. } => format!("swipe {} {}", name(tag), direction.name()),
        AgentAction::Text(text) => format!("type {}", quoted(text, NAME)),
        AgentAction::Back => "go back".to_owned(),
        AgentAction::Grid | AgentAction::Finish => String::new(),
    }
}

/// What an element is called: by what it shows, by what it says, by its name in the program; else by what stands in
/// it.
pub(super) fn called(screen: &Screen, id: ElementId) -> Option<String> {
    let element = screen.get(id)?;
    let own = element.resource_id.rsplit('/').next().unwrap_or_default();
    let names = [element.shown_text(), &element.description, own];
    let name = names.into_iter().find(|name| !name.is_empty()).map(str::to_owned);
    name.or_else(|| screen.children(id).iter().find_map(|child| called(screen, *child)))
}
