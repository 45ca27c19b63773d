//! Runs by chance: an app that fails in every way, an agent that does as it likes, whoever can tell or can't, runs that
//! are cut off; and what holds of all of them.

use super::*;
use intentgate_tests::random::Dice;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

const KNOWN: &str = r#"{"app": "Bank", "start": "Home",
  "pages": [{"name": "Home"}, {"name": "Form"}, {"name": "Result"}, {"name": "History"}, {"name": "Settings"}],
  "transitions": [
    {"from": "Home", "event": "tap \"New payment\"", "to": "Form", "observes": {"Draft": {"amount": {"expect": [5]}}}},
    {"from": "Home", "event": "tap \"History\"", "to": "History"},
    {"from": "Home", "event": "tap \"Settings\"", "to": "Settings"},
    {"from": "History", "event": "go back", "to": "Home"},
    {"from": "Settings", "event": "go back", "to": "Home"},
    {"from": "Settings", "event": "tap \"Yes\"", "to": "Home", "action": "Delete"},
    {"from": "Form", "event": "tap \"To Bob\"", "to": "Form", "observes": {"Draft": {"to": {"expect": ["Bob"]}}}},
    {"from": "Form", "event": "tap \"To Eve\"", "to": "Form", "observes": {"Draft": {"to": {"expect": ["Eve"]}}}},
    {"from": "Form", "event": "tap \"Confirm\"", "to": "Result", "action": "Pay",
     "arguments": {"to": {"choose": ["Bob", "Eve"]}, "amount": 5},
     "observes": {"Receipt": {"ok": {"expect": [true]}}}},
    {"from": "Form", "event": "go back", "to": "Home"},
    {"from": "Result", "event": "go back", "to": "Home"},
    {"from": "Result", "event": "tap \"Done\"", "to": "Home"}]}"#;
const SPEC: &str = "R1: Draft(to = \"Bob\", amount = 5) and Account(balance > 100) and Pay(to = Draft.to, amount = Draft.amount) -> Pay\n\
     R2: Pay and Receipt(ok = true) -> Done\n";
const RUNS: usize = 1_500;
/// What a run may take: enough to pay, to fail, and to get back.
const MOST: Budgets =
    Budgets { steps: 30, failures: 6, in_a_row: 2, blocks: 6, decisions: 5, observations: 5, seconds: 1_800 };
/// More phases than any run takes.
const ENDLESS: usize = 10_000;

/// One of them.
fn of<T: Clone>(dice: &mut Dice, all: &[T]) -> T {
    all[dice.below(all.len())].clone()
}

/// What a form says.
type Draft = (Option<&'static str>, i64);

/// A touch, with what it was aimed at.
#[derive(Clone)]
struct Touch {
    page: &'static str,
    covered: bool,
    hit: String,
    draft: Draft,
}

/// What is so, whatever is shown.
struct World {
    /// The page, and those below it.
    pages: Vec<&'static str>,
    covers: Vec<&'static str>,
    draft: Draft,
    paid: Vec<Draft>,
    deleted: bool,
    gestures: usize,
    /// Touches that take effect so many looks later.
    late: Vec<(usize, Touch)>,
    /// How many looks the receipt still takes.
    receipt: Option<usize>,
    /// What the history says of an older payment.
    old: Option<bool>,
}

impl World {
    fn new(old: Option<bool>) -> World {
        World {
            pages: vec!["Home"],
            covers: Vec::new(),
            draft: (None, 5),
            paid: Vec::new(),
            deleted: false,
            gestures: 0,
            late: Vec::new(),
            receipt: None,
            old,
        }
    }

    fn page(&self) -> &'static str {
        self.pages.last().copied().unwrap_or("Home")
    }

    fn pass(&mut self) -> Vec<Touch> {
        self.receipt = self.receipt.map(|looks| looks.saturating_sub(1));
        let (due, late) = std::mem::take(&mut self.late).into_iter().partition(|(looks, _)| *looks == 0);
        self.late = Vec::into_iter(late).map(|(looks, touch)| (looks - 1, touch)).collect();
        Vec::into_iter(due).map(|(_, touch)| touch).collect()
    }

    /// Everything that is still on its way arrives.
    fn settle(&mut self) {
        while let Some((_, touch)) = self.late.pop() {
            self.touched(&touch, &mut Dice::new(0), 0);
        }
    }

    fn touched(&mut self, touch: &Touch, dice: &mut Dice, rate: usize) {
        let (there, otherwise) = (self.page() == touch.page, dice.chance(rate));
        match (touch.page, touch.hit.as_str()) {
            _ if touch.covered => drop(self.covers.pop()),
            // What was sent is paid, wherever one is by then.
            ("Form", "Confirm") => self.pay(touch.draft, there, dice, if otherwise { 100 } else { 0 }),
            _ if !there || !self.covers.is_empty() => {}
            (_, "Back") if self.pages.len() > 1 => drop(self.pages.pop()),
            ("Home", "New payment") => {
                self.draft = (None, 5);
                self.pages.push(if otherwise { "History" } else { "Form" });
            }
            ("Home", "History") => self.pages.push("History"),
            ("Home", "Settings") => self.pages.push("Settings"),
            ("Settings", "Yes") => self.deleted = true,
            ("Form", "To Bob") => self.draft.0 = Some(if otherwise { "Eve" } else { "Bob" }),
            ("Form", "To Eve") => self.draft.0 = Some("Eve"),
            ("Form", "More") => self.draft.1 = 50,
            ("Result", "Done") => self.pages = vec!["Home"],
            _ => {}
        }
    }

    /// A payment succeeds, fails, says that it failed, or says nothing for a while.
    fn pay(&mut self, draft: Draft, there: bool, dice: &mut Dice, rate: usize) {
        let otherwise = dice.chance(rate);
        let fate = if otherwise { dice.below(5) } else { 4 };
        if fate > 1 {
            self.paid.push(draft);
            self.receipt = Some(if otherwise { dice.below(12) } else { 0 });
        }
        match fate {
            _ if !there => {}
            0 | 2 => self.pages.push("Error"),
            1 => *self.pages.last_mut().unwrap() = "Error",
            3 => drop(self.pages.pop()),
            _ => *self.pages.last_mut().unwrap() = "Result",
        }
        if there && dice.chance(rate / 4) {
            self.covers.push("Rate us");
        }
    }

    fn values(&self) -> serde_json::Value {
        let receipt = match (self.page(), self.receipt, self.old) {
            ("Result" | "History", Some(0), _) => json!({"ok": true}),
            ("History", _, Some(old)) => json!({"ok": old}),
            _ => json!({}),
        };
        let account = json!({"balance": 500 - self.paid.iter().map(|(_, amount)| amount).sum::<i64>()});
        match self.page() {
            _ if !self.covers.is_empty() => json!({}),
            "Home" => json!({"Account": account}),
            "Form" => json!({"Account": account, "Draft": {"to": self.draft.0, "amount": self.draft.1}}),
            _ => json!({"Receipt": receipt}),
        }
    }

    fn buttons(&self) -> &'static [&'static str] {
        match self.page() {
            _ if !self.covers.is_empty() => &["Yes", "No", "Not now"],
            "Home" => &["New payment", "History", "Settings"],
            "Form" => &["To Bob", "To Eve", "More", "Confirm"],
            "Result" => &["Done"],
            "Settings" => &["Yes"],
            _ => &["Help"],
        }
    }
}

/// An app in which so many of a hundred things go otherwise.
struct App {
    world: Arc<Mutex<World>>,
    dice: Dice,
    rate: usize,
    /// Whether it says which page it is.
    tells: bool,
    looks: usize,
    last: Option<Screen>,
}

fn text(id: &str, text: &str, place: usize) -> Element {
    let mut element = Element::new("android.widget.TextView");
    (element.resource_id, element.bounds) = (format!("bank:id/{id}"), button(text, place).bounds);
    element.text = text.to_owned();
    element
}

impl Device for App {
    fn name(&self) -> &str {
        "random"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        let App { dice, rate, .. } = self;
        if dice.chance(*rate / 6) {
            return Err(DeviceError::Failed { reason: "it is dark".into(), performed: Performed::No });
        }
        let mut world = self.world.lock().unwrap();
        world.pass().iter().for_each(|touch| world.touched(touch, dice, *rate));
        match world.covers.is_empty() {
            true if dice.chance(*rate / 3) => world.covers.push(of(dice, &["Tip", "Offer", "Rate us"])),
            false if dice.chance(*rate / 6) => world.covers.clear(),
            _ => {}
        }
        self.looks += 1;
        let title = world.covers.last().copied().unwrap_or(world.page());
        let mut elements = vec![text("title", title, 9), text("clock", &format!("12:{}", self.looks), 19)];
        if title == "Form" {
            elements.push(text("draft", &format!("{:?}", world.draft), 10));
        }
        elements.extend(world.buttons().iter().enumerate().map(|(place, text)| button(text, place)));
        let mut screen = screen("", elements);
        screen.activity = None;
        self.last = Some(screen.clone());
        Ok(Observation {
            screen: Some(screen),
            page: self.tells.then(|| title.to_owned()),
            values: world.values().as_object().unwrap().clone(),
        })
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        if let Gesture::Wait(_) = gesture {
            return Ok(());
        }
        let App { dice, rate, .. } = self;
        let failed = |performed| Err(DeviceError::Failed { reason: "it is lost".into(), performed });
        if dice.chance(*rate / 4) {
            return failed(Performed::No);
        }
        let hit =
            if *gesture == Gesture::Back { "Back".to_owned() } else { hit(gesture, self.last.as_ref())? };
        let mut world = self.world.lock().unwrap();
        world.gestures += 1;
        let (page, covered, draft) = (world.page(), !world.covers.is_empty(), world.draft);
        let touch = Touch { page, covered, hit, draft };
        match if dice.chance(*rate) { dice.below(4) } else { 4 } {
            0 => return failed(Performed::Maybe),
            1 => {}
            2 => world.late.push((dice.below(6), touch)),
            3 => {
                world.touched(&touch, dice, *rate);
                let (what, limit) = ("it".to_owned(), Duration::from_secs(1));
                return Err(DeviceError::Timeout { what, limit, performed: Performed::Maybe });
            }
            _ => world.touched(&touch, dice, *rate),
        }
        Ok(())
    }
}

/// Follows plans so many times of a hundred, and does anything else.
struct Erratic {
    dice: Dice,
    follows: usize,
    /// Whether it names the critical action itself.
    names: bool,
}

impl Erratic {
    fn own(&mut self, briefing: &Briefing<'_>) -> Decision {
        let dice = &mut self.dice;
        match dice.below(12) {
            0..3 if !briefing.known.is_empty() => Decision::Take(of(dice, briefing.known).0),
            3..7 => {
                let tags = briefing.shown.screen.as_ref().map_or(1, |screen| screen.tagged().len());
                let tag = 1 + u32::try_from(dice.below(tags.max(1))).unwrap();
                let named = self.names && dice.chance(40);
                let action = named.then(|| pay(of(dice, &["Bob", "Bob", "Eve"]), of(dice, &[5, 5, 50])));
                let (event, gesture) =
                    (of(dice, &["tap it", "go on"]).to_owned(), Gesture::Tap(Target::Tag(tag)));
                let to = dice.chance(20).then(|| "Form".to_owned());
                Decision::Perform(Box::new(Move { event, gesture, action, observes: None, to }))
            }
            7 => perform("tap \"Confirm\"", Gesture::Tap(Target::Element(Selector::text("Confirm"))), None),
            8 => Decision::Finish,
            9 if briefing.next().is_some() => Decision::Follow,
            _ => perform("go back", Gesture::Back, None),
        }
    }
}

impl Agent for Erratic {
    fn name(&self) -> &str {
        "erratic"
    }

    fn decide<'a>(&'a mut self, briefing: &'a Briefing<'a>) -> Deciding<'a> {
        let follows = briefing.next().is_some() && self.dice.chance(self.follows);
        let decision = if follows { Decision::Follow } else { self.own(briefing) };
        Box::pin(std::future::ready(Ok(decision.into())))
    }
}

/// Where a run is cut off.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    /// Saved after so many phases.
    Saved(usize),
    /// A crash right after a critical action was performed, with the journal.
    Crashed,
}

/// What came of all runs.
#[derive(Debug, Default)]
struct Tally {
    successes: usize,
    paid: usize,
    unclear: usize,
    saved: usize,
    crashed: usize,
    named: usize,
}

/// Tells of which seed an assertion failed.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("it is seed {}", self.0);
        }
    }
}

fn seen(world: &Mutex<World>) -> MutexGuard<'_, World> {
    world.lock().unwrap()
}

/// Who can tell so many times of a hundred; of what is still on its way nobody can.
fn confirm(world: &Arc<Mutex<World>>, mut dice: Dice, percent: usize) -> Confirm<'static> {
    let world = Arc::clone(world);
    Box::new(move |_, _| {
        let world = seen(&world);
        (world.late.is_empty() && dice.chance(percent)).then_some(!world.paid.is_empty())
    })
}

/// Goes on until the end, or until it is cut off; then what was kept of it.
fn until(driver: &mut Driver<'_>, cut: Option<Cut>, kept: &Mutex<Option<SavedRun>>) -> Option<SavedRun> {
    for phases in 0.. {
        assert!(phases < ENDLESS, "it does not end");
        if cut == Some(Cut::Saved(phases)) {
            return Some(driver.save());
        }
        kept.lock().unwrap().take();
        match block_on(driver.step()) {
            Phase::Finish => return None,
            Phase::Compare if cut == Some(Cut::Crashed) => {
                if let Some(saved) = kept.lock().unwrap().take() {
                    return Some(saved);
                }
            }
            _ => {}
        }
    }
    None
}

/// What was kept, as it is read again; the host has found out what came of what had begun.
fn restored(saved: &SavedRun, world: &Mutex<World>) -> (SavedRun, Session) {
    let saved: SavedRun = serde_json::from_str(&serde_json::to_string(saved).unwrap()).unwrap();
    let mut session = builder(SPEC).restore(&saved.session).unwrap();
    seen(world).settle();
    if session.unsettled().any(|action| action == "Pay") {
        session.resolve("Pay", !seen(world).paid.is_empty()).unwrap();
    }
    (saved, session)
}

fn one(seed: u64, known: &Model, all: &Mutex<Tally>) {
    let _seed = Seed(seed);
    let mut dice = Dice::new(seed);
    let rate = of(&mut dice, &[0, 6, 15, 30]);
    let world = Arc::new(Mutex::new(World::new(of(&mut dice, &[None, None, Some(true), Some(false)]))));
    let (tells, own) = (dice.chance(50), Dice::new(dice.bits()));
    let mut app = App { world: Arc::clone(&world), dice: own, rate, tells, looks: 0, last: None };
    let (follows, names) = (of(&mut dice, &[0, 60, 90, 95, 100, 100]), dice.chance(50));
    let mut agent = Erratic { dice: Dice::new(dice.bits()), follows, names };
    let asked = of(&mut dice, &[None, Some(100), Some(50), Some(20)]);
    let mut cut = of(&mut dice, &[None, None, Some(Cut::Saved(0)), Some(Cut::Crashed)]);
    if let Some(Cut::Saved(phases)) = &mut cut {
        *phases = dice.below(60);
    }
    let kept: Arc<Mutex<Option<SavedRun>>> = Arc::default();
    let mut options = || {
        let keeps = Arc::clone(&kept);
        let journal: Journal<'_> = Box::new(move |saved| {
            *keeps.lock().unwrap() = Some(saved.clone());
            Ok(())
        });
        Options {
            confirm: asked.map(|percent| confirm(&world, Dice::new(dice.bits()), percent)),
            volatile: vec![Selector::resource_id("bank:id/clock")],
            journal: Some(journal),
            budgets: MOST,
            plans: follows > 0,
            candidates: 1,
            log_screens: false,
            ..Options::default()
        }
    };
    let task = || Task::new("pay Bob", Aim::Complete);
    let session = builder(SPEC).start().unwrap();
    let mut driver = Driver::new(&mut app, &mut agent, session, known.clone(), task(), options()).unwrap();
    if let Some(saved) = until(&mut driver, cut, &kept) {
        drop(driver);
        let (saved, session) = restored(&saved, &world);
        driver = Driver::resume(&mut app, &mut agent, session, saved, task(), options()).unwrap();
        let mut all = all.lock().unwrap();
        *(if cut == Some(Cut::Crashed) { &mut all.crashed } else { &mut all.saved }) += 1;
        drop(all);
        until(&mut driver, None, &kept);
    }
    let (account, session, _) = driver.into_parts();
    seen(&world).settle();
    holds(&account, &session, &seen(&world));
    let mut all = all.lock().unwrap();
    all.successes += usize::from(account.outcome.is_success());
    all.paid += seen(&world).paid.len();
    all.unclear += usize::from(matches!(account.outcome, Outcome::Unclear { .. }));
    all.named += usize::from(names && account.steps.iter().any(|step| step.critical));
}

/// What holds of every run.
fn holds(account: &Account, session: &Session, world: &World) {
    let World { paid, deleted, gestures, .. } = world;
    assert!(paid.is_empty() || *paid == [(Some("Bob"), 5)], "{paid:?}: {account}");
    assert!(!deleted, "{account}");
    assert!(!account.outcome.is_success() || !paid.is_empty(), "nothing was paid: {account}");
    let unsettled = session.unsettled().any(|action| action == "Pay");
    match session.is_achieved("Pay") {
        true => assert!(!paid.is_empty(), "the gate takes it for paid: {account}"),
        false => assert!(paid.is_empty() || unsettled, "the gate takes it for not paid: {account}"),
    }
    let critical = account.steps.iter().filter(|step| step.critical).count();
    assert!(critical >= paid.len(), "the payment is not in the account: {account}");
    assert!(account.steps.len() >= *gestures, "{gestures} gestures: {account}");
    let (counted, most) = (account.counters.steps as usize, MOST.steps as usize);
    assert!((*gestures..=most).contains(&counted), "{gestures} gestures: {account}");
}

#[test]
fn whatever_happens_it_is_paid_once_and_known() {
    let (known, all) = (model(KNOWN), Mutex::new(Tally::default()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let seeds = (thread..RUNS).step_by(threads);
            scope.spawn(|| seeds.for_each(|seed| one(seed as u64, &known, &all)));
        }
    });
    let all = all.into_inner().unwrap();
    // Much has happened.
    let Tally { successes, paid, unclear, saved, crashed, named } = all;
    assert!(successes > 900 && paid > 1_000 && unclear > 60, "{all:?}");
    assert!(saved > 200 && crashed > 250 && named > 400, "{all:?}");
}
