//! Exploration: trying what an app offers, with a goal in mind, and keeping what came of it (AppAgent, section 3.2).
//!
//! Knows a device, a model, and what was tried in which situation. No critical action is performed here, and nothing
//! that may be one: there is no specification that could allow it ([`caution`]). After each action one of four
//! decisions is made ([`reflect`]): BACK, INEFFECTIVE, CONTINUE, SUCCESS; what was done in a situation is not done
//! again in a like one. Demonstrations lead to the same without performing anything ([`demonstrate()`]).

pub mod caution;
pub mod choose;
pub mod demonstrate;
mod learner;
pub mod reflect;
mod situation;

pub use caution::{Caution, Danger};
pub use choose::{ByGoal, Chooser, Possible};
pub use demonstrate::{Demonstrated, demonstrate};
pub use learner::{NewDocument, NewTransition, News};
pub use reflect::{ByChange, ByModel, Change, Reflector};

use super::device::{Device, DeviceError, Gesture, Observation, Performed};
use super::locate::Locator;
use super::reply::{Decision, Documents};
use crate::planner::Model;
use intentgate_engine::schema::Vocabulary;
use learner::Learner;
use serde::Serialize;
use situation::{Map, Situation};
use std::fmt;
use std::sync::Arc;

/// Is told how far an exploration is.
pub type Told<'a> = Box<dyn FnMut(&Progress) + 'a>;

/// What an exploration may take, and how it goes about it.
pub struct Options<'a> {
    /// Gestures that are performed: 50.
    pub steps: u32,
    /// Gestures and looks that fail, altogether: 20.
    pub failures: u32,
    /// What is left alone.
    pub caution: Caution,
    /// The programs that are explored, by their packages, the one that is started anew first; without any the one that
    /// is shown first.
    pub programs: Vec<String>,
    /// Whether the labels of elements are events of a model, as on simulated apps.
    pub labels_are_events: bool,
    /// Chooses what is tried next.
    pub chooser: Box<dyn Chooser + 'a>,
    /// Says what came of it.
    pub reflector: Box<dyn Reflector + 'a>,
    /// What is known of elements.
    pub documents: Documents,
    /// What is known of screens.
    pub locator: Locator,
    /// Told after every gesture.
    pub progress: Option<Told<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            steps: 50,
            failures: 20,
            caution: Caution::default(),
            programs: Vec::new(),
            labels_are_events: false,
            chooser: Box::new(ByGoal::default()),
            reflector: Box::new(ByChange::default()),
            documents: Documents::default(),
            locator: Locator::default(),
            progress: None,
        }
    }
}

/// How far an exploration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Gestures so far.
    pub steps: u32,
    /// Gestures at most.
    pub of: u32,
    /// New pages so far.
    pub pages: usize,
    /// New transitions so far.
    pub transitions: usize,
}

/// A gesture, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Taken {
    /// On this page.
    pub from: String,
    /// What was done.
    pub event: String,
    /// To this page, if it can be told.
    pub to: Option<String>,
    /// What was decided; nothing for what was only on the way, or failed.
    pub decision: Option<Decision>,
    /// Why, or what failed.
    pub why: String,
}

/// Something that was left alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Refused {
    /// On this page.
    pub page: String,
    /// What would have been done.
    pub event: String,
    /// Why not.
    pub danger: Danger,
}

/// Why an exploration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// As many gestures as it may.
    Steps,
    /// As many failures as it may.
    Failures,
    /// Everything that can be reached was tried, but for what is left alone, and for other programs.
    Exhausted,
    /// The chooser has seen enough.
    Finished,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ended::Steps => "as many gestures as it may",
            Ended::Failures => "as many failures as it may",
            Ended::Exhausted => "everything that can be reached was tried",
            Ended::Finished => "enough was seen",
        })
    }
}

/// What came of an exploration.
#[derive(Debug, Clone)]
pub struct Explored {
    /// The model, with what was seen.
    pub model: Model,
    /// What is known of elements.
    pub documents: Documents,
    /// What is known of screens.
    pub locator: Locator,
    /// What is new.
    pub news: News,
    /// Every gesture, in order.
    pub taken: Vec<Taken>,
    /// What was left alone, each once.
    pub refused: Vec<Refused>,
    /// Why it ended.
    pub ended: Ended,
}

/// An exploration.
pub struct Explorer<'a> {
    device: &'a mut dyn Device,
    goal: String,
    vocabulary: Arc<Vocabulary>,
    options: Options<'a>,
    learner: Learner,
    map: Map,
    taken: Vec<Taken>,
    steps: u32,
    failures: u32,
    /// Steps back since something new was tried, and whether the app was started anew.
    lost: u32,
    launched: bool,
}

/// What is shown, and where that is.
struct Here {
    shown: Observation,
    page: String,
    situation: Situation,
}

/// The program that is shown, if that can be told.
fn package(shown: &Observation) -> Option<&str> {
    shown.screen.as_ref()?.package.as_deref()
}

/// Steps back before the app is started anew.
const MOST_LOST: u32 = 4;
/// How often something that failed is tried in a like situation.
const TRIES: u32 = 2;

impl<'a> Explorer<'a> {
    /// An exploration with a goal. The model may be empty but for a page, and grows; the vocabulary says which
    /// actions are critical.
    pub fn new(
        device: &'a mut dyn Device,
        model: Model,
        vocabulary: Arc<Vocabulary>,
        goal: impl Into<String>,
        mut options: Options<'a>,
    ) -> Explorer<'a> {
        let documents = std::mem::take(&mut options.documents);
        let locator = std::mem::take(&mut options.locator);
        Explorer {
            device,
            goal: goal.into(),
            vocabulary,
            options,
            learner: Learner::new(model, documents, locator),
            map: Map::default(),
            taken: Vec::new(),
            steps: 0,
            failures: 0,
            lost: 0,
            launched: false,
        }
    }

    /// Explores until the end.
    pub async fn run(mut self) -> Explored {
        let ended = loop {
            if self.steps >= self.options.steps {
                break Ended::Steps;
            }
            if self.failures >= self.options.failures {
                break Ended::Failures;
            }
            let Some(here) = self.look() else { continue };
            if self.options.programs.is_empty() {
                self.options.programs.extend(package(&here.shown).map(str::to_owned));
            }
            if let Some(ended) = self.go_on(here).await {
                break ended;
            }
        };
        let Learner { model, documents, locator, news } = self.learner;
        let refused = self.map.refused();
        Explored { model, documents, locator, news, taken: self.taken, refused, ended }
    }

    /// One more gesture; or the end.
    async fn go_on(&mut self, here: Here) -> Option<Ended> {
        if self.is_foreign(&here.shown) {
            return self.find_back(here);
        }
        self.survey(&here);
        let open = self.map.open(&here.situation);
        let towards = self.map.towards_open(&here.page, false);
        let later = towards.is_some() && self.map.is_put_off(&here.page);
        if !open.is_empty() && !later {
            let choice =
                choose::Choice { goal: &self.goal, page: &here.page, shown: &here.shown, open: &open };
            let Some(chosen) = self.options.chooser.choose(&choice).await else {
                return Some(Ended::Finished);
            };
            let Some(possible) = open.get(chosen).cloned() else { return Some(Ended::Finished) };
            (self.lost, self.launched) = (0, false);
            self.attempt(here, &possible).await;
            return None;
        }
        if let Some(step) = towards.or_else(|| self.map.towards_open(&here.page, true)) {
            self.move_on(here, &step);
            return None;
        }
        self.find_back(here)
    }

    /// What can be done here, and what is left alone.
    fn survey(&mut self, here: &Here) {
        if self.map.is_known(&here.situation) {
            return;
        }
        let offered =
            here.shown.screen.as_ref().map(|screen| choose::offered(screen, self.options.labels_are_events));
        let mut fine = Vec::new();
        for possible in offered.unwrap_or_default() {
            match self.danger(&here.page, &possible) {
                Some(danger) => self.map.refuse(&here.page, &possible.event, danger),
                None => fine.push(possible),
            }
        }
        self.map.survey(here.situation.clone(), fine);
    }

    /// Whether another program is shown.
    fn is_foreign(&self, shown: &Observation) -> bool {
        let programs = &self.options.programs;
        package(shown)
            .is_some_and(|package| !programs.is_empty() && !programs.iter().any(|one| one == package))
    }

    fn danger(&self, page: &str, possible: &Possible) -> Option<Danger> {
        self.options.caution.judge(&self.vocabulary, &self.learner.model, page, possible)
    }

    fn look(&mut self) -> Option<Here> {
        match self.device.observe() {
            Ok(shown) => {
                let Some(page) = self.learner.locate(&shown) else {
                    self.failures += 1;
                    return None;
                };
                let situation = Situation::of(&page, &shown);
                Some(Here { shown, page, situation })
            }
            Err(error) => {
                self.fail(String::new(), String::new(), &error);
                None
            }
        }
    }

    fn fail(&mut self, from: String, event: String, error: &DeviceError) {
        self.failures += 1;
        self.taken.push(Taken { from, event, to: None, decision: None, why: error.to_string() });
    }

    /// Performs a gesture, if the screen is still the one that it was chosen on, and it is not dangerous there.
    /// Nothing if it surely was not performed.
    fn perform(&mut self, here: &Here, possible: &Possible) -> Option<Result<Here, DeviceError>> {
        let fresh = self.look()?;
        if fresh.situation != here.situation || self.danger(&fresh.page, possible).is_some() {
            self.failures += 1;
            return None;
        }
        self.steps += 1;
        if let Err(error) = self.device.perform(&possible.gesture) {
            self.fail(here.page.clone(), possible.event.clone(), &error);
            return match error.performed() {
                Performed::No => None,
                Performed::Maybe => Some(Err(error)),
            };
        }
        let mut after = self.look()?;
        // What seems unchanged may only be late.
        if after.shown == fresh.shown {
            after = self.look()?;
        }
        Some(Ok(after))
    }

    /// Tries something new, and says what came of it.
    async fn attempt(&mut self, here: Here, possible: &Possible) {
        let Some(Ok(after)) = self.perform(&here, possible) else {
            self.map.failed(&here.situation, possible, TRIES);
            self.tell();
            return;
        };
        self.map.tried(&here.situation, possible);
        let change = Change {
            goal: &self.goal,
            possible,
            from: &here.page,
            to: &after.page,
            before: &here.shown,
            after: &after.shown,
            foreign: self.is_foreign(&after.shown),
            known: self
                .learner
                .documents
                .get(&possible.uid)
                .and_then(|known| known.get(possible.interaction)),
        };
        let reflection = match change.is_nothing() {
            true => reflect::ineffective(),
            false => self.options.reflector.reflect(&change).await,
        };
        if reflection.decision != Decision::Ineffective {
            self.arrive(&here.page, &possible.event, &after.page, possible);
            self.learner.document(possible, reflection.documentation.as_deref());
        }
        self.taken.push(Taken {
            from: here.page,
            event: possible.event.clone(),
            to: Some(after.page.clone()),
            decision: Some(reflection.decision),
            why: reflection.thought.unwrap_or_default(),
        });
        self.tell();
        if reflection.decision == Decision::Back {
            // What is there is looked at when nothing else is left, but for other programs.
            if !self.is_foreign(&after.shown) && !self.map.is_seen(&after.page) {
                self.survey(&after);
                self.map.put_off(&after.page);
            }
            self.move_on(after, &Possible::back());
        }
    }

    fn arrive(&mut self, from: &str, event: &str, to: &str, possible: &Possible) {
        self.learner.arrive(from, event, to);
        self.map.leads(from, possible, to);
    }

    /// A gesture on the way, or back; whether it led anywhere else.
    fn move_on(&mut self, here: Here, step: &Possible) -> bool {
        let after = match self.danger(&here.page, step) {
            Some(danger) => {
                self.map.refuse(&here.page, &step.event, danger);
                None
            }
            None => self.perform(&here, step),
        };
        let Some(Ok(after)) = after else {
            self.map.unreliable(&here.page, step);
            self.tell();
            return false;
        };
        let moved = after.shown != here.shown;
        match moved {
            true => self.arrive(&here.page, &step.event, &after.page, step),
            false => self.map.unreliable(&here.page, step),
        }
        let (from, event) = (here.page, step.event.clone());
        let why = "on the way".to_owned();
        self.taken.push(Taken { from, event, to: Some(after.page), decision: None, why });
        self.tell();
        moved
    }

    /// Nothing is left here, and no way to where something is left is known.
    fn find_back(&mut self, here: Here) -> Option<Ended> {
        self.lost += 1;
        let program = self.options.programs.first().cloned();
        let package = program.or_else(|| package(&here.shown).map(str::to_owned));
        // Where going back leads nowhere, the app is started once more; where that doesn't help either, it is the end.
        let back = Possible::back();
        let stuck = self.lost > MOST_LOST || self.map.is_unreliable(&here.page, &back);
        let step = match (stuck && !self.launched, package) {
            (true, Some(package)) => {
                self.launched = true;
                Possible::launch(package)
            }
            _ if stuck => return Some(Ended::Exhausted),
            _ => back,
        };
        self.move_on(here, &step);
        None
    }

    fn tell(&mut self) {
        let News { pages, transitions, .. } = &self.learner.news;
        let progress = Progress {
            steps: self.steps,
            of: self.options.steps,
            pages: pages.len(),
            transitions: transitions.len(),
        };
        if let Some(told) = &mut self.options.progress {
            told(&progress);
        }
    }
}

/// A gesture as a model's event that is not an element's.
impl Possible {
    /// Going back.
    pub fn back() -> Possible {
        Possible::plain("go back", Gesture::Back)
    }

    fn launch(package: String) -> Possible {
        Possible::plain("start the app", Gesture::Launch { package, activity: None })
    }
}
