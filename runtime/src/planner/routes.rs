//! Shortest ways in a model without guards, where every transition costs the same: breadth first from both ends.
//!
//! Knows pages and transitions, nothing of variables.

use super::model::{Model, PageId, TransitionId};

/// Neighbours in one direction: for each page the transitions and the pages at their other ends.
#[derive(Debug, Clone, Default)]
struct Neighbours {
    first: Vec<u32>,
    /// The other page, and the transition.
    ends: Vec<(u32, u32)>,
}

impl Neighbours {
    /// Of (page, other page, transition), in the order of the transitions.
    fn new(pages: usize, edges: &[(u32, u32, u32)]) -> Neighbours {
        let mut first = vec![0_u32; pages + 1];
        for (page, _, _) in edges {
            if let Some(count) = first.get_mut(*page as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut first {
            sum += *count;
            *count = sum;
        }
        let mut next = first.clone();
        let mut ends = vec![(0, 0); edges.len()];
        for (page, other, transition) in edges {
            if let Some(place) = next.get_mut(*page as usize) {
                if let Some(end) = ends.get_mut(*place as usize) {
                    *end = (*other, *transition);
                }
                *place += 1;
            }
        }
        Neighbours { first, ends }
    }

    fn of(&self, page: u32) -> &[(u32, u32)] {
        let place = page as usize;
        match (self.first.get(place), self.first.get(place + 1)) {
            (Some(first), Some(end)) => self.ends.get(*first as usize..*end as usize).unwrap_or(&[]),
            _ => &[],
        }
    }
}

/// One end of a search: what it has reached in which round, and by which transition from where.
#[derive(Debug, Clone, Default)]
struct Side {
    reached: Vec<(u32, u32, u32)>,
    frontier: Vec<u32>,
    next: Vec<u32>,
}

impl Side {
    fn new(pages: usize) -> Side {
        Side { reached: vec![(0, 0, 0); pages], frontier: Vec::new(), next: Vec::new() }
    }

    fn has(&self, page: u32, round: u32) -> bool {
        self.reached.get(page as usize).is_some_and(|(when, _, _)| *when == round)
    }

    fn start(&mut self, pages: impl Iterator<Item = u32>, round: u32) {
        self.frontier.clear();
        for page in pages {
            if self.reach(page, round, u32::MAX, u32::MAX) {
                self.frontier.push(page);
            }
        }
    }

    fn reach(&mut self, page: u32, round: u32, by: u32, from: u32) -> bool {
        match self.reached.get_mut(page as usize) {
            Some(reached) if reached.0 != round => {
                *reached = (round, by, from);
                true
            }
            _ => false,
        }
    }

    /// Reaches everything that is one step further. The first page that the other side has reached, too.
    fn advance(&mut self, neighbours: &Neighbours, other: &Side, round: u32) -> Option<u32> {
        self.next.clear();
        let frontier = std::mem::take(&mut self.frontier);
        let mut met = None;
        'pages: for page in &frontier {
            for (next, by) in neighbours.of(*page) {
                if self.reach(*next, round, *by, *page) {
                    if other.has(*next, round) {
                        met = Some(*next);
                        break 'pages;
                    }
                    self.next.push(*next);
                }
            }
        }
        self.frontier = frontier;
        std::mem::swap(&mut self.frontier, &mut self.next);
        met
    }

    /// The transitions from a page back to where this side began.
    fn trace(&self, page: u32, mut each: impl FnMut(u32)) {
        let mut page = page;
        while let Some((_, by, from)) = self.reached.get(page as usize).filter(|(_, by, _)| *by != u32::MAX) {
            each(*by);
            page = *from;
        }
    }
}

/// Finds shortest ways between pages, many times on one model. Holds about 40 bytes a page and 16 a transition.
#[derive(Debug, Clone)]
pub struct Router {
    forward: Neighbours,
    backward: Neighbours,
    ahead: Side,
    behind: Side,
    round: u32,
    cost: u32,
}

impl Router {
    /// For a model of which every transition without a function is always possible, and costs the same; nothing
    /// for others. Takes time in proportion to the model's size.
    pub fn new(model: &Model) -> Option<Router> {
        let plain = || model.transitions().filter(|(_, transition)| transition.function.is_none());
        let cost = plain().next().map_or(1, |(_, transition)| transition.cost);
        if plain().any(|(_, transition)| transition.guard.is_some() || transition.cost != cost) {
            return None;
        }
        let pages = model.pages.len();
        let edges = |turn: fn(&super::Transition) -> (PageId, PageId)| {
            let edges = plain().map(|(id, transition)| {
                let (page, other) = turn(transition);
                (page.0, other.0, id.0)
            });
            Neighbours::new(pages, &edges.collect::<Vec<_>>())
        };
        Some(Router {
            forward: edges(|transition| (transition.from, transition.to)),
            backward: edges(|transition| (transition.to, transition.from)),
            ahead: Side::new(pages),
            behind: Side::new(pages),
            round: 0,
            cost,
        })
    }

    /// What every transition costs.
    pub fn cost(&self) -> u32 {
        self.cost
    }

    /// Puts a shortest way from a page to one of others into `way`, nothing if the page is one of them. Whether
    /// there is one. Takes time in proportion to what lies within half the way of either end.
    pub fn route(&mut self, from: PageId, to: &[PageId], way: &mut Vec<TransitionId>) -> bool {
        way.clear();
        // Marks of 4,294,967,295 searches ago would count again.
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            let pages = self.ahead.reached.len();
            (self.ahead, self.behind) = (Side::new(pages), Side::new(pages));
            1
        });
        let round = self.round;
        self.ahead.start(std::iter::once(from.0), round);
        self.behind.start(to.iter().map(|page| page.0), round);
        if self.behind.has(from.0, round) {
            return true;
        }
        loop {
            // What neither side has reached by now is as far as both together.
            let met = match (self.ahead.frontier.len(), self.behind.frontier.len()) {
                (0, _) | (_, 0) => return false,
                (ahead, behind) if ahead <= behind => self.ahead.advance(&self.forward, &self.behind, round),
                _ => self.behind.advance(&self.backward, &self.ahead, round),
            };
            if let Some(page) = met {
                self.ahead.trace(page, |by| way.push(TransitionId(by)));
                way.reverse();
                self.behind.trace(page, |by| way.push(TransitionId(by)));
                return true;
            }
        }
    }
}
