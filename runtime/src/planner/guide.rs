//! Plans in words: the navigation guide (Agent+P, section 4.3 and Table 5), as data and as a text.

use super::search::placed;
use super::{Found, Model, PageId, Path, Start};
use crate::language_model::fence;
use intentgate_engine::input;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What an agent is told before its next step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Guide {
    /// The page on which it is.
    pub current: String,
    /// Where the goal is, as far as that is known.
    pub targets: Vec<String>,
    /// How sure that is, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// What came of planning: `already_there`, `true_from_the_start`, `found`, `no_known_path`, `limit`.
    pub outcome: &'static str,
    /// Whether no path of the known app is cheaper; true where there is none. As JSON it stands only where it is
    /// false.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub optimal: bool,
    /// The plan; empty if there is none.
    pub steps: Vec<GuideStep>,
    /// What can be done otherwise: the pages around, nearest first.
    pub around: Vec<Around>,
}

/// A step of a guide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GuideStep {
    /// From this page.
    pub from: String,
    /// To this page.
    pub to: String,
    /// What is done there.
    pub event: String,
}

/// A page that can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Around {
    /// How many steps away.
    pub hops: usize,
    /// From this page.
    pub from: String,
    /// To this page.
    pub to: String,
    /// By this.
    pub event: String,
}

/// The sentences of a guide; `{}` stands for what they are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    /// The first line.
    pub title: String,
    /// Where the agent is.
    pub current: String,
    /// Before the plan.
    pub plan: String,
    /// Before the targets.
    pub targets: String,
    /// How sure the targets are.
    pub confidence: String,
    /// Before the steps of a plan than which none is cheaper.
    pub path: String,
    /// Before the steps of another plan.
    pub any_path: String,
    /// A step; `{number}`, `{from}`, `{to}` and `{event}` stand for what it is.
    pub step: String,
    /// Before what is to be done next.
    pub next: String,
    /// Where that leads.
    pub leads: String,
    /// How many steps there are in a plan than which none is cheaper.
    pub total: String,
    /// How many steps there are in another plan.
    pub any_total: String,
    /// Where the agent is there already.
    pub there: String,
    /// Where what is wanted holds before anything is done.
    pub held: String,
    /// Where no path is known.
    pub unknown: String,
    /// Where the search for one was not finished.
    pub limit: String,
    /// Behind a plan than which none is cheaper.
    pub cheapest: String,
    /// Advice, a line each.
    pub tips: Vec<String>,
    /// Before the pages around.
    pub around: String,
    /// What leads to a page around, if it is one step away; places as in a step.
    pub near: String,
    /// The same, if it is further away.
    pub far: String,
    /// The last line.
    pub end: String,
}

impl Default for Wording {
    fn default() -> Wording {
        let text = str::to_owned;
        Wording {
            title: text("— UTG Navigation Guide —"),
            current: text("Current UI: {}"),
            plan: text("— NAVIGATION PLAN FOR YOUR GOAL —"),
            targets: text("Goal Analysis: the goal seems to be on"),
            confidence: text("Confidence: {}%"),
            path: text("OPTIMAL PATH (in this order):"),
            any_path: text("PATH (in this order):"),
            step: text("Step {number}: from {from} to {to}: {event}"),
            next: text("IMMEDIATE NEXT ACTION:"),
            leads: text("This leads to: {}"),
            total: text("Total steps in optimal path: {}"),
            any_total: text("Total steps in path: {}"),
            there: text("You are there."),
            held: text("It is so already: there is nothing to do."),
            unknown: text("No path to it is known from here. There may be one all the same: explore."),
            limit: text(
                "The search for a path to it was cut off by its limit: there may be one. Explore, or search longer.",
            ),
            cheapest: text("No path of the known app is cheaper than the one above."),
            tips: vec![
                text("What is not visible may have to be scrolled to."),
                text("If a step leads somewhere else, ask for a new plan."),
            ],
            around: text("— ALL AVAILABLE NAVIGATION OPTIONS FROM HERE —"),
            near: text("  → {event}"),
            far: text("  → from {from}: {event}"),
            end: text("— End Navigation Guide —"),
        }
    }
}

/// How many characters of a page's name are told.
const NAME: usize = 120;
/// How many characters of an event are told.
const EVENT: usize = 300;

impl Guide {
    /// A guide to what planning found, with the pages up to `hops` steps away.
    pub fn new(
        model: &Model,
        start: &Start,
        targets: &[PageId],
        confidence: Option<f64>,
        found: &Found,
        hops: usize,
    ) -> Guide {
        let name = |page: PageId| model.page_name(page).to_owned();
        let page = start.page.unwrap_or(model.start());
        let path = match found {
            Found::Path(path) => Some(path),
            _ => None,
        };
        Guide {
            current: name(page),
            targets: targets.iter().map(|page| name(*page)).collect(),
            confidence,
            outcome: match found {
                Found::AlreadyThere => "already_there",
                Found::TrueFromTheStart => "true_from_the_start",
                Found::Path(_) => "found",
                Found::NoKnownPath => "no_known_path",
                Found::Limit => "limit",
            },
            optimal: true,
            steps: path.map_or_else(Vec::new, |path| steps(model, path)),
            around: around(model, page, hops),
        }
    }

    /// The same of a plan of which nobody knows whether there is a cheaper one.
    #[must_use]
    pub fn not_optimal(self) -> Guide {
        Guide { optimal: false, ..self }
    }

    /// The guide as a text. What the model says is foreign to whoever reads it: events stand in double quotes, names
    /// too where they are more than a name, on one line and cut, so that none can pose as a line of the guide.
    pub fn text(&self, wording: &Wording) -> String {
        let mut text = String::new();
        let mut line = |line: &str| {
            text.push_str(line);
            text.push('\n');
        };
        let about = |sentence: &str, what: &str| sentence.replacen("{}", what, 1);
        line(&wording.title);
        line(&about(&wording.current, &name(&self.current)));
        line(&wording.plan);
        if !self.targets.is_empty() {
            line(&wording.targets);
            self.targets.iter().for_each(|target| line(&format!("• {}", name(target))));
        }
        if let Some(confidence) = self.confidence {
            line(&about(&wording.confidence, &format!("{:.0}", confidence.clamp(0.0, 1.0) * 100.0)));
        }
        match (self.steps.first(), self.outcome) {
            (Some(first), _) => {
                line(if self.optimal { &wording.path } else { &wording.any_path });
                for (number, step) in self.steps.iter().enumerate() {
                    let number = (number + 1).to_string();
                    line(&told(
                        &wording.step,
                        [&number, &name(&step.from), &name(&step.to), &event(&step.event)],
                    ));
                }
                line(&wording.next);
                line(&format!("→ {}", event(&first.event)));
                line(&about(&wording.leads, &name(&first.to)));
                let total = if self.optimal { &wording.total } else { &wording.any_total };
                line(&about(total, &self.steps.len().to_string()));
                if self.optimal {
                    line(&format!("• {}", wording.cheapest));
                }
                wording.tips.iter().for_each(|tip| line(&format!("• {tip}")));
            }
            (None, "already_there") => line(&wording.there),
            (None, "true_from_the_start") => line(&wording.held),
            (None, "limit") => line(&wording.limit),
            (None, _) => line(&wording.unknown),
        }
        if !self.around.is_empty() {
            line(&wording.around);
        }
        for Around { hops, from, to, event: by } in &self.around {
            line(&format!("• {}", name(to)));
            let sentence = if *hops == 1 { &wording.near } else { &wording.far };
            line(&told(sentence, [&hops.to_string(), &name(from), &name(to), &event(by)]));
        }
        line(&wording.end);
        text
    }
}

/// The name of a page for a prompt: as it is if it looks like one, else quoted, and cut.
fn name(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | '-' | '$');
    let plain = !name.is_empty() && name.len() <= NAME && name.chars().all(simple);
    if plain { name.to_owned() } else { fence::quoted(name, NAME) }
}

/// An event for a prompt: quoted, and cut.
fn event(event: &str) -> String {
    fence::quoted(event, EVENT)
}

/// A text cut to so many characters.
fn cut(text: &str, length: usize) -> Cow<'_, str> {
    match text.char_indices().nth(length) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// A sentence about a way between pages. What a model says stays on its line.
fn told(sentence: &str, said: [&str; 4]) -> String {
    let names = ["number", "from", "to", "event"];
    placed(sentence, |name| {
        let place = names.iter().position(|known| *known == name)?;
        said.get(place).map(|said| input::on_one_line(said).into_owned())
    })
}

/// The sentences of concise steps (SPlanner, section 3.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concise {
    /// A step; `{number}`, `{from}`, `{to}` and `{event}` stand for what it is.
    pub step: String,
    /// Where the agent is there already.
    pub there: String,
    /// Where what is wanted holds before anything is done.
    pub held: String,
    /// Where the search was not finished.
    pub limit: String,
    /// Where there is no plan: the published fallback.
    pub none: String,
}

impl Default for Concise {
    fn default() -> Concise {
        Concise {
            step: "{number}. {event}".to_owned(),
            there: "You are there: there is nothing to do.".to_owned(),
            held: "It is so already: there is nothing to do.".to_owned(),
            limit: "The search for a path was cut off by its limit: there may be one.".to_owned(),
            none: super::instruct::Fallback::NO_PATH.to_owned(),
        }
    }
}

impl Concise {
    /// What planning found, for the agent that carries it out: a line for each step.
    pub fn text(&self, model: &Model, found: &Found) -> String {
        let steps = match found {
            Found::Path(path) => steps(model, path),
            Found::AlreadyThere => return format!("{}\n", self.there),
            Found::TrueFromTheStart => return format!("{}\n", self.held),
            Found::Limit => return format!("{}\n", self.limit),
            Found::NoKnownPath => return format!("{}\n", self.none),
        };
        let lines = steps.iter().enumerate().map(|(number, step)| {
            let number = (number + 1).to_string();
            let (from, to) = (cut(&step.from, NAME), cut(&step.to, NAME));
            told(&self.step, [&number, &from, &to, &cut(&step.event, EVENT)]) + "\n"
        });
        lines.collect()
    }
}

fn steps(model: &Model, path: &Path) -> Vec<GuideStep> {
    let name = |page: PageId| model.page_name(page).to_owned();
    let steps = path.steps.iter();
    steps
        .map(|step| GuideStep { from: name(step.from), to: name(step.to), event: step.event.clone() })
        .collect()
}

/// The pages around one, each by the first way that leads to it with the fewest steps. Guards are not asked.
fn around(model: &Model, page: PageId, hops: usize) -> Vec<Around> {
    let mut found = Vec::new();
    let mut known = BTreeSet::from([page]);
    let mut ring = vec![page];
    for hop in 1..=hops {
        let mut next = Vec::new();
        for from in ring {
            for (_, transition) in model.transitions().filter(|(_, transition)| transition.from() == from) {
                if known.insert(transition.to()) {
                    next.push(transition.to());
                    found.push(Around {
                        hops: hop,
                        from: model.page_name(from).to_owned(),
                        to: model.page_name(transition.to()).to_owned(),
                        event: transition.event().to_owned(),
                    });
                }
            }
        }
        ring = next;
    }
    found
}
