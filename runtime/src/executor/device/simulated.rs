//! An app that is simulated from its model, with faults from a seed.
//!
//! It knows the model, what the vocabulary's values are, and what happens by chance; the same seed and the same
//! gestures give the same run. Its ledger is what really happened, whatever anybody says.

use super::{Device, DeviceError, Gesture, Observation, Performed, Target};
use crate::Action;
use crate::executor::bind;
use crate::executor::screen::{Bounds, Element, Screen, SelectorError};
use crate::planner::{Model, PageId, SimulatedStep, Start, TransitionId};
use intentgate_engine::schema::{VariableId, Vocabulary};
use intentgate_engine::value::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// How often which fault happens, in percent of the actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Faults {
    /// The element is missing.
    pub missing: u32,
    /// Nothing happens, and nobody says so.
    pub no_change: u32,
    /// It leads somewhere else.
    pub other: u32,
    /// A pop-up covers the page, and what is on it, until one goes back.
    pub pop_up: u32,
    /// The next look shows what was before.
    pub delay: u32,
    /// The app crashes and starts anew.
    pub crash: u32,
    /// A result is another one than is declared first.
    pub surprise: u32,
}

impl Faults {
    /// Each of the six faults of actions this often.
    pub fn each(percent: u32) -> Faults {
        let (missing, no_change, other, pop_up, delay, crash) =
            (percent, percent, percent, percent, percent, percent);
        Faults { missing, no_change, other, pop_up, delay, crash, surprise: 0 }
    }

    /// In how many percent of the actions there is one of the six faults; surprises come on top.
    pub fn of_actions(&self) -> u32 {
        let Faults { missing, no_change, other, pop_up, delay, crash, surprise: _ } = *self;
        [missing, no_change, other, pop_up, delay, crash].into_iter().fold(0, u32::saturating_add)
    }
}

/// A critical action that was really performed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fact {
    /// Its name.
    pub action: String,
    /// The event that performed it.
    pub event: String,
    /// The number of the attempt that performed it.
    pub attempt: usize,
}

/// What really happened, shared with who may ask.
#[derive(Debug, Default)]
struct Ledger {
    attempts: usize,
    facts: Vec<Fact>,
}

/// Numbers by chance: the same seed gives the same ones (SplitMix64).
#[derive(Debug, Clone)]
pub(in crate::executor) struct Dice(pub(in crate::executor) u64);

impl Dice {
    pub(in crate::executor) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % (bound.max(1) as u64)).unwrap_or(0)
    }
}

/// What a fault does to an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Missing,
    NoChange,
    Other,
    PopUp,
    Delay,
    Crash,
}

/// A simulated app.
#[derive(Debug, Clone)]
pub struct SimulatedApp {
    model: Model,
    vocabulary: Arc<Vocabulary>,
    faults: Faults,
    dice: Dice,
    screens: bool,
    page: PageId,
    values: BTreeMap<VariableId, Option<Value>>,
    covered: bool,
    /// What the last action changed of the vocabulary's states.
    changed: serde_json::Map<String, serde_json::Value>,
    stale: Option<Observation>,
    ledger: Arc<Mutex<Ledger>>,
    injected: BTreeMap<&'static str, usize>,
}

/// The height of a row of a simulated screen, and its width, in pixels.
const ROW: i32 = 100;
const WIDTH: i32 = 1_080;

/// The page that stands for a pop-up.
pub const POP_UP: &str = "Pop-up";

impl SimulatedApp {
    /// The app of a model, at its start. Actions and states are those of a vocabulary.
    pub fn new(model: Model, vocabulary: Arc<Vocabulary>, seed: u64) -> SimulatedApp {
        let start = Start::default();
        SimulatedApp {
            page: model.start(),
            values: start.valuation(&model),
            model,
            vocabulary,
            faults: Faults::default(),
            dice: Dice(seed),
            screens: false,
            covered: false,
            changed: serde_json::Map::new(),
            stale: None,
            ledger: Arc::default(),
            injected: BTreeMap::new(),
        }
    }

    /// With faults.
    #[must_use]
    pub fn faults(mut self, faults: Faults) -> SimulatedApp {
        self.faults = faults;
        self
    }

    /// Shows a screen, too: an element for each thing that can be done.
    #[must_use]
    pub fn screens(mut self) -> SimulatedApp {
        self.screens = true;
        self
    }

    /// Every critical action that was really performed.
    pub fn ledger(&self) -> Vec<Fact> {
        self.ledger.lock().map(|ledger| ledger.facts.clone()).unwrap_or_default()
    }

    /// Tells whether a critical action was really performed since it was asked last: what a server's list of orders
    /// would.
    pub fn confirm(&self) -> impl FnMut(&Action, &Observation) -> Option<bool> + Send + use<> {
        let ledger = Arc::clone(&self.ledger);
        let mut told = self.ledger().len();
        move |action, _| {
            let ledger = ledger.lock().ok()?;
            let since = ledger.facts.get(told..).unwrap_or_default();
            told = ledger.facts.len();
            Some(since.iter().any(|fact| fact.action == action.name()))
        }
    }

    /// How many faults of each kind there were.
    pub fn injected(&self) -> &BTreeMap<&'static str, usize> {
        &self.injected
    }

    /// The page that it is really on.
    pub fn page(&self) -> &str {
        self.model.page_name(self.page)
    }

    fn fault(&mut self) -> Option<Fault> {
        let Faults { missing, no_change, other, pop_up, delay, crash, .. } = self.faults;
        let kinds = [
            (missing, Fault::Missing, "missing"),
            (no_change, Fault::NoChange, "no_change"),
            (other, Fault::Other, "other"),
            (pop_up, Fault::PopUp, "pop_up"),
            (delay, Fault::Delay, "delay"),
            (crash, Fault::Crash, "crash"),
        ];
        let mut rolled = u32::try_from(self.dice.below(100)).unwrap_or(0);
        for (percent, fault, name) in kinds {
            if rolled < percent {
                *self.injected.entry(name).or_default() += 1;
                return Some(fault);
            }
            rolled -= percent;
        }
        None
    }

    fn now(&self) -> Observation {
        if self.covered {
            let screen = self.screens.then(|| self.screen(POP_UP));
            return Observation { screen, page: Some(POP_UP.to_owned()), ..Observation::default() };
        }
        let mut values = self.changed.clone();
        // What the app remembers is shown on its pages.
        for (id, value) in &self.values {
            let path = self.model.vocabulary().path(*id);
            if let Some((state, name)) = path.split_once('.') {
                let known = value.as_ref().map_or(serde_json::Value::Null, |value| serde_json::json!(value));
                let state = values.entry(state).or_insert_with(|| serde_json::json!({}));
                if let Some(state) = state.as_object_mut() {
                    state.entry(name).or_insert(known);
                }
            }
        }
        let page = self.page();
        Observation { screen: self.screens.then(|| self.screen(page)), page: Some(page.to_owned()), values }
    }

    /// An element for each thing that can be done.
    fn screen(&self, page: &str) -> Screen {
        let mut elements = vec![Element::new("android.widget.FrameLayout")];
        let from_here = self.model.transitions().filter(|(_, one)| one.from() == self.page && !self.covered);
        let mut events: Vec<&str> = Vec::new();
        for (id, one) in from_here {
            // What may lead to several pages is one thing to do.
            if events.contains(&one.event()) {
                continue;
            }
            let top = i32::try_from(events.len()).unwrap_or(0).saturating_mul(ROW);
            events.push(one.event());
            let mut element = Element::new("android.widget.Button");
            element.text = bind::quoted(one.event()).unwrap_or(one.event()).to_owned();
            one.event().clone_into(&mut element.description);
            element.resource_id = format!("{page}:id/t{}", id.index());
            element.bounds = Some(Bounds { left: 0, top, right: WIDTH, bottom: top.saturating_add(ROW) });
            element.flags.clickable = true;
            elements.push(element);
        }
        let mut screen = Screen::new(elements).unwrap_or_default();
        screen.package = Some(self.model.app_of(self.page).to_owned());
        screen.activity = Some(page.to_owned());
        screen
    }

    /// The event of this page that is performed by a gesture.
    fn event_of(&self, gesture: &Gesture) -> Option<String> {
        let screen = self.screen(self.page());
        let from_here = self.model.transitions().filter(|(_, one)| one.from() == self.page && !self.covered);
        let mut events = from_here.map(|(_, one)| one.event());
        let same = events.find(|event| bind::gesture(event, Some(&screen)) == *gesture).map(str::to_owned);
        same.or_else(|| {
            let Gesture::Text(text) = gesture else { return None };
            let mut typed = bind::TYPING.iter().map(|verb| format!("{verb} \"{text}\""));
            typed.find(|event| self.find(event).is_some())
        })
    }

    fn launch(&mut self) -> Result<(), DeviceError> {
        self.changed.clear();
        self.covered = false;
        self.page = self.model.start();
        Ok(())
    }

    fn no_element(&self, event: &str) -> DeviceError {
        DeviceError::Selector(SelectorError::NotFound {
            selector: Box::new(crate::executor::screen::Selector::text(event)),
        })
    }

    /// The transitions of an event from here that are possible, with the values that it names.
    fn find(&self, event: &str) -> Option<SimulatedStep> {
        let from_here = self.model.transitions().filter(|(_, one)| one.from() == self.page);
        let ids: Vec<TransitionId> = from_here.map(|(id, _)| id).collect();
        ids.into_iter().find_map(|id| self.model.simulate(id, event, &self.values, &self.vocabulary))
    }

    /// What a critical action did is in the ledger.
    fn enter(&self, step: &SimulatedStep, event: &str) {
        if step.critical
            && let Ok(mut ledger) = self.ledger.lock()
        {
            let (action, attempt) = (step.action.clone(), ledger.attempts);
            ledger.facts.push(Fact { action, event: event.to_owned(), attempt });
        }
    }

    fn perform_event(&mut self, event: &str) -> Result<(), DeviceError> {
        if self.covered {
            return Err(self.no_element(event));
        }
        self.changed.clear();
        let Some(step) = self.find(event) else { return Err(self.no_element(event)) };
        let before = self.now();
        let fault = self.fault();
        match fault {
            Some(Fault::Missing) => return Err(self.no_element(event)),
            Some(Fault::NoChange) => return Ok(()),
            Some(Fault::Other) => {
                let ways = self.model.transitions().filter(|(_, one)| one.from() == self.page);
                let ways: Vec<PageId> =
                    ways.map(|(_, one)| one.to()).filter(|to| *to != step.to && *to != self.page).collect();
                if let Some(to) = ways.get(self.dice.below(ways.len())) {
                    self.page = *to;
                    return Ok(());
                }
                // There is nowhere else: nothing happens.
                return Ok(());
            }
            Some(Fault::Crash) => {
                // Before it stopped, what can't be undone was done, or not.
                if self.dice.below(2) == 1 {
                    self.enter(&step, event);
                }
                self.page = self.model.start();
                self.values = Start::default().valuation(&self.model);
                let reason = "the app has stopped".to_owned();
                return Err(DeviceError::Failed { reason, performed: Performed::Maybe });
            }
            Some(Fault::PopUp | Fault::Delay) | None => {}
        }
        self.enter(&step, event);
        self.page = step.to;
        self.values = step.values;
        for (path, results) in step.effects {
            let surprise = self.dice.below(100) < self.faults.surprise as usize && results.len() > 1;
            let place = if surprise { 1 + self.dice.below(results.len() - 1) } else { 0 };
            if surprise {
                *self.injected.entry("surprise").or_default() += 1;
            }
            let Some(((state, name), result)) = path.split_once('.').zip(results.get(place)) else {
                continue;
            };
            let known = result.as_ref().map_or(serde_json::Value::Null, |value| serde_json::json!(value));
            let state = self.changed.entry(state).or_insert_with(|| serde_json::json!({}));
            if let Some(state) = state.as_object_mut() {
                state.insert(name.to_owned(), known);
            }
        }
        match fault {
            Some(Fault::PopUp) => self.covered = true,
            Some(Fault::Delay) => self.stale = Some(before),
            _ => {}
        }
        Ok(())
    }
}

impl Device for SimulatedApp {
    fn name(&self) -> &str {
        "simulated"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        Ok(self.stale.take().unwrap_or_else(|| self.now()))
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        self.stale = None;
        let acts = !matches!(gesture, Gesture::Wait(_));
        if acts && let Ok(mut ledger) = self.ledger.lock() {
            ledger.attempts += 1;
        }
        match gesture {
            Gesture::Event(event) => self.perform_event(event),
            Gesture::Tap(target) => {
                let page = if self.covered { POP_UP } else { self.model.page_name(self.page) }.to_owned();
                let screen = self.screen(&page);
                let id = match target {
                    Target::Element(selector) => screen.find(selector)?,
                    Target::Tag(tag) => {
                        let tags = screen.tagged();
                        tags.get(*tag).ok_or(DeviceError::NoSuchTag { tag: *tag, tags: tags.len() })?
                    }
                    Target::Point(_) | Target::Pixel(_) => {
                        return Err(DeviceError::Unsupported { reason: "it has no places".to_owned() });
                    }
                };
                let number = screen.get(id).and_then(|element| element.resource_id.rsplit_once("/t"));
                let number = number.and_then(|(_, number)| number.parse::<usize>().ok());
                let one = self.model.transitions().find(|(id, _)| Some(id.index()) == number);
                let event = one.map(|(_, one)| one.event().to_owned()).unwrap_or_default();
                self.perform_event(&event)
            }
            Gesture::Back if self.covered => {
                self.covered = false;
                Ok(())
            }
            Gesture::Launch { .. } => self.launch(),
            Gesture::Wait(_) => Ok(()),
            // What the model calls it: `go back`, `back`, `type "Hello"`, `swipe "List" up`.
            gesture => match (self.event_of(gesture), gesture) {
                (Some(event), _) => self.perform_event(&event),
                (None, Gesture::Back) => Err(self.no_element("go back")),
                (None, Gesture::Home) => self.launch(),
                _ => Err(DeviceError::Unsupported { reason: "the model has no such event here".to_owned() }),
            },
        }
    }
}
