//! What was seen changes a model (Agent+P, section 4.1): an edge gets its label, an edge or a page is added.
//! Edges keep count; one action may lead to several pages, and evidence decides between them.

use super::model::{Link, Model, Origin, Page, PageId, Transition, TransitionId};
use super::simulate::matched;
use intentgate_engine::span::Span;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What an observation changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learned {
    /// Nothing but a count.
    Confirmed(TransitionId),
    /// An edge that nobody had seen has another action than was thought.
    UpdatedEdge(TransitionId),
    /// There is an edge between known pages.
    AddedEdge(TransitionId),
    /// There is a page, and an edge to it.
    AddedPage(PageId, TransitionId),
}

impl Model {
    /// Takes in that an action led from a page to a page. An edge that an analysis found and nobody saw, and that says
    /// no more than its label, gets the label of what was seen: the analysis was wrong about it. Every other edge keeps
    /// its own, and another action between the same pages becomes an edge beside it. What an action on a page is to the
    /// gate stays, wherever it led: a new edge of such an action says the same.
    /// A new page is of the app from which it was reached; of several apps `App.Page` is of that app.
    pub fn observe(&mut self, from: PageId, event: &str, to: &str) -> Learned {
        self.observe_often(from, event, to, 1)
    }

    /// As [`Model::observe`], seen several times.
    pub fn observe_often(&mut self, from: PageId, event: &str, to: &str, times: u64) -> Learned {
        let Some(to) = self.find_page(to) else {
            let app = self.pages.get(from.index()).map_or(0, |page| page.app);
            let app = self.named_app(to).unwrap_or(app);
            let id = self.push_page(app, to);
            return Learned::AddedPage(id, self.add_edge(from, event, id, times));
        };
        let between = |transition: &Transition| transition.from == from && transition.to == to;
        let same = self.transitions.iter().position(|one| between(one) && one.event == event);
        let means = self.meaning(from, event).is_some();
        let unseen = |one: &Transition| {
            let guessed = one.origin == Origin::Static || one.event.is_empty();
            guessed && one.is_plain() && one.link.is_none() && one.function.is_none() && !means
        };
        let unseen = self.transitions.iter().position(|one| between(one) && unseen(one));
        let id = |place: usize| TransitionId(u32::try_from(place).unwrap_or(u32::MAX));
        match (same, unseen) {
            (Some(place), _) => {
                if let Some(transition) = self.transitions.get_mut(place) {
                    transition.count = transition.count.saturating_add(times);
                    // What the host declares is more than what was seen.
                    if transition.origin != Origin::Declared {
                        transition.origin = Origin::Observed;
                    }
                }
                Learned::Confirmed(id(place))
            }
            (None, Some(place)) => {
                if let Some(transition) = self.transitions.get_mut(place) {
                    event.clone_into(&mut transition.event);
                    transition.count = times;
                    transition.origin = Origin::Observed;
                }
                Learned::UpdatedEdge(id(place))
            }
            (None, None) => Learned::AddedEdge(self.add_edge(from, event, to, times)),
        }
    }

    /// The same model, its costs those that are to be expected: an action that was seen to lead to several pages is tried
    /// so much oftener as it leads elsewhere. Once in a hundred times makes a transition a hundred times as dear. What
    /// has a guard or an update, performs a function or says something to the gate leads where it is declared to.
    pub fn weighed(&self) -> Model {
        let leads = |one: &Transition| one.is_plain() && one.guard.is_none();
        // A declaration is worth an observation, and so is what was never seen and may be next.
        let weight = |one: &Transition| match one.origin {
            Origin::Declared => one.count.saturating_add(1),
            Origin::Static | Origin::Observed => one.count.max(1),
        };
        let mut all: HashMap<(PageId, &str), u64> = HashMap::new();
        for one in self.transitions.iter().filter(|one| leads(one)) {
            let sum = all.entry((one.from, one.event.as_str())).or_default();
            *sum = sum.saturating_add(weight(one));
        }
        self.clone().with_costs(|id| {
            let Some(one) = self.transition(id).filter(|one| leads(one)) else { return 0 };
            let all = all.get(&(one.from, one.event.as_str())).copied().unwrap_or(1);
            let more = all.div_ceil(weight(one)).saturating_sub(1).saturating_mul(u64::from(one.cost));
            u32::try_from(more).unwrap_or(u32::MAX)
        })
    }

    /// The page of that name; a new one if there is none: of several apps `App.Page` is of that app, another name of
    /// the first.
    pub fn add_page(&mut self, name: &str) -> PageId {
        let app = self.named_app(name).unwrap_or(0);
        self.find_page(name).unwrap_or_else(|| self.push_page(app, name))
    }

    /// The app that the name of a page says, of several: `App.Page`.
    fn named_app(&self, name: &str) -> Option<usize> {
        let (app, _) = name.split_once('.').filter(|(_, page)| self.apps.len() > 1 && !page.is_empty())?;
        self.apps.iter().position(|known| known == app)
    }

    fn push_page(&mut self, app: usize, name: &str) -> PageId {
        let id = PageId(u32::try_from(self.pages.len()).unwrap_or(u32::MAX));
        let prefix = match self.apps.get(app) {
            Some(app) if self.apps.len() > 1 && !name.starts_with(&format!("{app}.")) => format!("{app}."),
            _ => String::new(),
        };
        let name = format!("{prefix}{name}");
        // One name is one page.
        if let Some(known) = self.by_name.get(&name) {
            return *known;
        }
        self.by_name.insert(name.clone(), id);
        self.pages.push(Page { app, name, description: String::new(), span: Span::default() });
        id
    }

    /// What an action on a page is to the gate, if something is known of that: wherever it leads, it is the same
    /// action. What it causes and what is seen after it is not taken over.
    fn meaning(&self, from: PageId, event: &str) -> Option<Arc<Link>> {
        let here = || self.transitions.iter().filter(|one| one.from == from);
        let same = here().filter(|one| one.event == event).find_map(|one| one.link.as_deref());
        let named = || here().filter(|one| matched(&one.event, event).is_some());
        let link = same.or_else(|| named().find_map(|one| one.link.as_deref()))?;
        let (action, arguments) = (link.action.clone(), link.arguments.clone());
        Some(Arc::new(Link { action, arguments, ..Link::default() }))
    }

    fn add_edge(&mut self, from: PageId, event: &str, to: PageId, times: u64) -> TransitionId {
        let id = TransitionId(u32::try_from(self.transitions.len()).unwrap_or(u32::MAX));
        let link = self.meaning(from, event);
        self.transitions.push(Transition {
            from,
            to,
            event: event.to_owned(),
            function: None,
            guard: None,
            guard_text: String::new(),
            span: Span::default(),
            guard_span: Span::default(),
            update: Vec::new(),
            update_text: String::new(),
            cost: 1,
            origin: Origin::Observed,
            count: times,
            link,
        });
        id
    }

    /// The pages to which an action on a page is known to lead, with how often it was seen to: the most often
    /// first, then in the order of the pages.
    pub fn successors(&self, from: PageId, event: &str) -> Vec<(PageId, u64)> {
        let mut counts: BTreeMap<PageId, u64> = BTreeMap::new();
        for transition in self.transitions.iter().filter(|one| one.from == from && one.event == event) {
            let count = counts.entry(transition.to).or_default();
            *count = count.saturating_add(transition.count);
        }
        let mut successors: Vec<(PageId, u64)> = counts.into_iter().collect();
        successors.sort_by_key(|(page, count)| (std::cmp::Reverse(*count), *page));
        successors
    }
}
