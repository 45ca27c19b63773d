//! Which page is it? A short label that stands for a screen (Agent-SAMA, state beacon), so that the same page is
//! one page on every visit.
//!
//! First what the device itself says, then the structural key of screens that were seen, then labels: one that is
//! known, or is near enough to a known one, is that page; else the page is new.

use super::device::Observation;
use super::screen::Screen;
use crate::planner::Model;
use crate::planner::select::{Candidate, Lexical};
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

/// Finds pages.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Locator {
    /// The page of each structural key that was seen, by package.
    seen: BTreeMap<String, String>,
}

impl Locator {
    /// The page that is shown.
    pub fn locate(&mut self, model: &Model, shown: &Observation) -> Located {
        if let Some(page) = &shown.page {
            return match model.find_page(page) {
                Some(id) => Located::Known(model.page_name(id).to_owned()),
                None => Located::New(page.clone()),
            };
        }
        let Some(screen) = &shown.screen else { return Located::Nowhere };
        let key = format!("{} {}", screen.package.as_deref().unwrap_or_default(), screen.key().as_str());
        if let Some(page) = self.seen.get(&key).filter(|page| model.find_page(page).is_some()) {
            return Located::Known(page.clone());
        }
        let beacon = beacon(screen);
        let known = match model.find_page(&beacon) {
            Some(id) => Some(model.page_name(id).to_owned()),
            None => near(model, &beacon),
        };
        match known {
            Some(page) => {
                self.seen.insert(key, page.clone());
                Located::Known(page)
            }
            None => {
                self.seen.insert(key, beacon.clone());
                Located::New(beacon)
            }
        }
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

/// A page whose name says the same in other words, if one stands out.
fn near(model: &Model, beacon: &str) -> Option<String> {
    let candidates: Vec<Candidate> = model.page_candidates();
    let selection = Lexical::new().rank(beacon, &candidates);
    let best = selection.best().ok()?;
    // A label of one word says too little to be taken for another.
    (best.confidence >= 0.9 && beacon.split_whitespace().count() > 1).then(|| best.name.clone())
}

/// A short label for a screen: its title, or else its activity.
pub fn beacon(screen: &Screen) -> String {
    let activity = screen.activity.as_deref().unwrap_or_default();
    let activity = activity.rsplit(['.', '/']).next().unwrap_or_default();
    let titles = screen.elements().filter(|(id, element)| {
        let named = element.resource_id.rsplit('/').next().unwrap_or_default().to_lowercase();
        let title = ["title", "toolbar_title", "action_bar_title", "header"].contains(&named.as_str());
        title && screen.is_shown(*id) && !element.text.is_empty()
    });
    let title = titles.map(|(_, element)| element.text.clone()).next();
    match (title, activity) {
        (Some(title), "") => title,
        (Some(title), activity) => format!("{activity}: {title}"),
        (None, "") => format!("screen {}", screen.key().as_str()),
        (None, activity) => activity.to_owned(),
    }
}
