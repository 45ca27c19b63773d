//! Which page is it? A short label that stands for a screen (Agent-SAMA, state beacon), so that the same page is
//! one page on every visit.
//!
//! First what the device itself says, then what the screen calls itself, then the structural key of screens that were
//! seen under that title, then labels: one that is known, or is near enough to a known one, is that page; else the page
//! is new.

mod by_model;

pub use by_model::{ByModel, Labeller, Labelling};

use super::device::Observation;
use super::screen::Screen;
use crate::planner::Model;
use crate::planner::select::{Candidate, Lexical};
use intentgate_engine::text::similar::{LocalSimilarity, Similarity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where a device is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Located {
    /// On a page of the model.
    Known(String),
    /// On a page that the model doesn't have, under this label.
    New(String),
    /// It can't be told.
    Nowhere,
}

impl Located {
    /// The page, if it can be told.
    pub fn page(&self) -> Option<&str> {
        match self {
            Located::Known(page) | Located::New(page) => Some(page),
            Located::Nowhere => None,
        }
    }
}

/// Finds pages.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Locator {
    /// The page of each structural key that was seen, by package and title.
    seen: BTreeMap<String, String>,
}

impl Locator {
    /// The page that is shown, by what the screen says of itself.
    pub fn locate(&mut self, model: &Model, shown: &Observation) -> Located {
        match self.settled(model, shown) {
            Settled::Located(located) => located,
            Settled::Unseen(key, screen) => self.remember(model, key, label(screen)),
        }
    }

    /// As [`Locator::locate`], with the label of somebody who can tell for screens that were not seen before. One
    /// who can't leaves it to the screen.
    pub async fn locate_by(
        &mut self,
        model: &Model,
        shown: &Observation,
        labeller: &mut (dyn Labeller + '_),
    ) -> Located {
        match self.settled(model, shown) {
            Settled::Located(located) => located,
            Settled::Unseen(key, screen) => {
                let known: Vec<&str> = model.pages().map(|(_, page)| page.name()).collect();
                let said = labeller.label(screen, &known).await;
                self.remember(model, key, said.unwrap_or_else(|_| label(screen)))
            }
        }
    }

    /// What the device says, or what was seen before.
    fn settled<'s>(&self, model: &Model, shown: &'s Observation) -> Settled<'s> {
        if let Some(page) = &shown.page {
            // A page of that name that several apps have is the one of the app that is shown, if that can be told.
            let package =
                shown.screen.as_ref().and_then(|screen| screen.package.as_deref()).unwrap_or_default();
            let own = || model.find_page(&format!("{package}.{page}"));
            return Settled::Located(match model.find_page(page).or_else(own) {
                Some(id) => Located::Known(model.page_name(id).to_owned()),
                None if model.has_page_of_several(page) => Located::Nowhere,
                None => Located::New(page.clone()),
            });
        }
        let Some(screen) = &shown.screen else { return Settled::Located(Located::Nowhere) };
        // What the screen calls itself counts before what was remembered: dialogs of one form ask for different things.
        if let Some(page) = model.find_page(&beacon(screen)).or_else(|| model.find_page(&label(screen))) {
            return Settled::Located(Located::Known(model.page_name(page).to_owned()));
        }
        let package = screen.package.as_deref().unwrap_or_default();
        let title = title(screen).map(uncounted).unwrap_or_default();
        let key = format!("{package} {} {title}", screen.key().as_str());
        match self.seen.get(&key).filter(|page| model.find_page(page).is_some()) {
            Some(page) => Settled::Located(Located::Known(page.clone())),
            None => Settled::Unseen(key, screen),
        }
    }

    /// Whether the device or the screen itself says which page of the model it is: neither what somebody called it, nor
    /// what is nearly it.
    pub fn is_sure(&self, model: &Model, shown: &Observation) -> bool {
        let own = |screen: &Screen| {
            model.find_page(&beacon(screen)).or_else(|| model.find_page(&label(screen))).is_some()
        };
        shown.page.is_some() || shown.screen.as_ref().is_some_and(own)
    }

    /// The page of a label: one that is known, one that says the same in other words, or a new one.
    fn remember(&mut self, model: &Model, key: String, label: String) -> Located {
        let known = match model.find_page(&label) {
            Some(id) => Some(model.page_name(id).to_owned()),
            None => near(model, &label),
        };
        self.seen.insert(key, known.clone().unwrap_or_else(|| label.clone()));
        known.map_or(Located::New(label), Located::Known)
    }

    /// Takes over the screens that another knows; of those that both know, the other's page.
    pub fn merge(&mut self, other: &Locator) {
        self.seen.extend(other.seen.clone());
    }

    /// How many screens are known.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Whether no screen is known.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }
}

/// What is known of a screen without looking closer.
enum Settled<'s> {
    Located(Located),
    /// Its key, and itself.
    Unseen(String, &'s Screen),
}

/// A page whose name says the same in other words, if one stands out.
fn near(model: &Model, beacon: &str) -> Option<String> {
    let candidates: Vec<Candidate> = model.page_candidates();
    let selection = Lexical::new().rank(beacon, &candidates);
    let best = selection.best().ok()?;
    // A label of one word says too little to be taken for another, and another word or number may be another thing.
    let same = LocalSimilarity.similar(beacon, &best.name).is_true();
    (same && best.confidence >= 0.9 && beacon.split_whitespace().count() > 1).then(|| best.name.clone())
}

/// What a screen calls itself: its activity and its title.
fn beacon(screen: &Screen) -> String {
    named(screen, title(screen))
}

/// A short label for a screen: its activity and its title, but for what the title counts: "Inbox (3)" is "Inbox".
pub fn label(screen: &Screen) -> String {
    named(screen, title(screen).map(uncounted))
}

/// A title without a number in parentheses at its end.
fn uncounted(title: &str) -> &str {
    let counted = title.trim_end().strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let number = |text: &str| {
        let digits = text.trim().trim_end_matches('+');
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' '))
    };
    match counted {
        Some((name, count)) if number(count) && !name.trim().is_empty() => name.trim_end(),
        _ => title,
    }
}

fn named(screen: &Screen, title: Option<&str>) -> String {
    let activity = screen.activity.as_deref().unwrap_or_default();
    let activity = activity.rsplit(['.', '/']).next().unwrap_or_default();
    match (title, activity) {
        (Some(title), "") => title.to_owned(),
        (Some(title), activity) => format!("{activity}: {title}"),
        (None, "") => format!("screen {}", screen.key().as_str()),
        (None, activity) => activity.to_owned(),
    }
}

/// What the screen says above all else.
fn title(screen: &Screen) -> Option<&str> {
    let mut titles = screen.elements().filter(|(id, element)| {
        let named = element.resource_id.rsplit('/').next().unwrap_or_default().to_lowercase();
        let title =
            ["title", "alerttitle", "toolbar_title", "action_bar_title", "header"].contains(&named.as_str());
        title && screen.is_shown(*id) && !element.text.is_empty()
    });
    titles.next().map(|(_, element)| element.text.as_str())
}
