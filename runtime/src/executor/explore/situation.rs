//! What was tried in which situation, and where it led.

use super::{Danger, Possible, Refused};
use crate::executor::device::Observation;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// A page with the structure of what it shows: what is alike.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Situation {
    page: String,
    key: String,
}

impl Situation {
    pub(super) fn of(page: &str, shown: &Observation) -> Situation {
        let key = shown.screen.as_ref().map(|screen| screen.key().as_str().to_owned());
        Situation { page: page.to_owned(), key: key.unwrap_or_default() }
    }
}

/// What is known of the app during an exploration.
#[derive(Debug, Default)]
pub(super) struct Map {
    /// What is not tried yet.
    open: BTreeMap<Situation, Vec<Possible>>,
    /// How often something failed.
    failed: BTreeMap<(Situation, String), u32>,
    /// Where things led: from, by what, to.
    ways: BTreeMap<(String, String), (Possible, String)>,
    /// Ways that can't be relied on.
    unreliable: HashSet<(String, String)>,
    refused: BTreeSet<Refused>,
    /// Pages that lead away from the goal.
    put_off: HashSet<String>,
}

impl Map {
    pub(super) fn is_known(&self, situation: &Situation) -> bool {
        self.open.contains_key(situation)
    }

    /// Whether something of a page was seen.
    pub(super) fn is_seen(&self, page: &str) -> bool {
        self.open.keys().any(|situation| situation.page == page)
    }

    pub(super) fn survey(&mut self, situation: Situation, possible: Vec<Possible>) {
        self.open.insert(situation, possible);
    }

    pub(super) fn open(&self, situation: &Situation) -> Vec<Possible> {
        self.open.get(situation).cloned().unwrap_or_default()
    }

    /// Pages that lead away from the goal are looked at when nothing else is left.
    pub(super) fn put_off(&mut self, page: &str) {
        self.put_off.insert(page.to_owned());
    }

    pub(super) fn is_put_off(&self, page: &str) -> bool {
        self.put_off.contains(page)
    }

    pub(super) fn refuse(&mut self, page: &str, event: &str, danger: Danger) {
        self.refused.insert(Refused { page: page.to_owned(), event: event.to_owned(), danger });
    }

    pub(super) fn refused(&self) -> Vec<Refused> {
        self.refused.iter().cloned().collect()
    }

    /// It is not done again in a like situation.
    pub(super) fn tried(&mut self, situation: &Situation, possible: &Possible) {
        if let Some(open) = self.open.get_mut(situation) {
            open.retain(|one| one != possible);
        }
    }

    pub(super) fn failed(&mut self, situation: &Situation, possible: &Possible, tries: u32) {
        let times = self.failed.entry((situation.clone(), possible.event.clone())).or_default();
        *times += 1;
        if *times >= tries {
            self.tried(situation, possible);
        }
    }

    pub(super) fn leads(&mut self, from: &str, possible: &Possible, to: &str) {
        let way = (from.to_owned(), possible.event.clone());
        self.unreliable.remove(&way);
        self.ways.insert(way, (possible.clone(), to.to_owned()));
    }

    pub(super) fn unreliable(&mut self, from: &str, possible: &Possible) {
        self.unreliable.insert((from.to_owned(), possible.event.clone()));
    }

    /// Whether it led nowhere the last time.
    pub(super) fn is_unreliable(&self, from: &str, possible: &Possible) -> bool {
        self.unreliable.contains(&(from.to_owned(), possible.event.clone()))
    }

    /// The first step of a shortest known way to another page on which something is not tried yet; to one that was put
    /// off, or to one that was not.
    pub(super) fn towards_open(&self, page: &str, put_off: bool) -> Option<Possible> {
        let wanted = |page: &str| {
            let open =
                |(situation, open): (&Situation, &Vec<Possible>)| situation.page == page && !open.is_empty();
            self.is_put_off(page) == put_off && self.open.iter().any(open)
        };
        let mut reached = HashSet::from([page.to_owned()]);
        let mut queue: VecDeque<(&str, Option<&Possible>)> = VecDeque::from([(page, None)]);
        while let Some((at, first)) = queue.pop_front() {
            if at != page && wanted(at) {
                return first.cloned();
            }
            for (way, (possible, to)) in self.ways.iter().filter(|((from, _), _)| from == at) {
                if !self.unreliable.contains(way) && reached.insert(to.clone()) {
                    queue.push_back((to, first.or(Some(possible))));
                }
            }
        }
        None
    }
}
