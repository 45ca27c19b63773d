//! What is taken in, and what of it is new.

use super::Possible;
use crate::executor::device::Observation;
use crate::executor::locate::{Located, Locator};
use crate::executor::reply::{Documents, Interaction};
use crate::planner::{Learned, Model};
use serde::Serialize;

/// A transition that nobody knew, or knew otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewTransition {
    /// From this page.
    pub from: String,
    /// By this.
    pub event: String,
    /// To this page.
    pub to: String,
}

/// A document that is new, or another one than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewDocument {
    /// The element's published name.
    pub uid: String,
    /// What is done with it.
    pub interaction: Interaction,
    /// What that does.
    pub text: String,
}

/// What was learnt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct News {
    /// Pages.
    pub pages: Vec<String>,
    /// Transitions.
    pub transitions: Vec<NewTransition>,
    /// Documents.
    pub documents: Vec<NewDocument>,
}

/// What grows.
#[derive(Debug)]
pub(super) struct Learner {
    pub(super) model: Model,
    pub(super) documents: Documents,
    pub(super) locator: Locator,
    pub(super) news: News,
}

impl Learner {
    pub(super) fn new(model: Model, documents: Documents, locator: Locator) -> Learner {
        Learner { model, documents, locator, news: News::default() }
    }

    /// The page that is shown; a new one is added.
    pub(super) fn locate(&mut self, shown: &Observation) -> Option<String> {
        match self.locator.locate(&self.model, shown) {
            Located::Known(page) => Some(page),
            Located::New(page) => {
                let page = self.model.add_page(&page);
                let page = self.model.page_name(page).to_owned();
                self.news.pages.push(page.clone());
                Some(page)
            }
            Located::Nowhere => None,
        }
    }

    /// Something led from page to page.
    pub(super) fn arrive(&mut self, from: &str, event: &str, to: &str) {
        let page = self.model.add_page(from);
        if let Learned::AddedPage(_, _) | Learned::AddedEdge(_) | Learned::UpdatedEdge(_) =
            self.model.observe(page, event, to)
        {
            let new = NewTransition { from: from.to_owned(), event: event.to_owned(), to: to.to_owned() };
            self.news.transitions.push(new);
        }
    }

    /// What an element does. A text that is not general is not kept.
    pub(super) fn document(&mut self, possible: &Possible, text: Option<&str>) {
        let Some(text) = text.filter(|_| !possible.is_plain()) else { return };
        let (uid, interaction) = (possible.uid.clone(), possible.interaction);
        let known = self.documents.get(&uid).and_then(|known| known.get(interaction));
        if known == Some(text.trim()) || self.documents.learn(&uid, interaction, text).is_err() {
            return;
        }
        self.news.documents.push(NewDocument { uid, interaction, text: text.trim().to_owned() });
    }
}
