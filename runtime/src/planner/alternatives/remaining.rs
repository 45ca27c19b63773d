//! What is left to pay at least from a state to a goal, as far as the states around the first way tell.
//!
//! A way from a state that was looked at leads to a goal among them, or leaves them: what is behind may cost nothing.
//! Knows spaces; must never know which ways are left out.

use crate::planner::Bounds;
use crate::planner::frontier::{Effort, End, Places, Space, Way, exceeds};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The least that is left to pay from states.
pub(super) struct Remaining<S> {
    places: Places<S>,
    /// By places; the greatest number where no goal is known to be reached.
    least: Vec<u64>,
}

impl<S: Copy + Eq> Remaining<S> {
    /// Looks at `most` states, the cheapest to get to first, and then back from goals and from what was not looked at.
    pub(super) fn new<P: Space<State = S>>(
        space: &mut P,
        first: S,
        most: usize,
        bounds: &Bounds,
        effort: &mut Effort,
    ) -> Remaining<S> {
        let mut places = Places::new();
        places.place::<P>(first);
        let mut costs: Vec<u64> = vec![0];
        let mut looked_at: Vec<bool> = vec![false];
        // From each state back: where from, and for how much.
        let mut back: Vec<Vec<(u32, u64)>> = vec![Vec::new()];
        let mut open = BinaryHeap::from([Reverse((0_u64, 0_u32))]);
        let mut count = 0;
        while let Some(Reverse((cost, at))) = open.pop() {
            if count >= most || effort.expanded >= bounds.expansions || space.is_spent() {
                break;
            }
            let done = looked_at.get(at as usize).copied().unwrap_or(true);
            let Some(state) = places.state(at).filter(|_| !done) else { continue };
            if space.is_goal(state) {
                continue;
            }
            count += 1;
            effort.expanded += 1;
            if let Some(place) = looked_at.get_mut(at as usize) {
                *place = true;
            }
            space.expand(state, &mut |next, _, step| {
                let (place, new) = places.place::<P>(next);
                if new {
                    costs.push(u64::MAX);
                    looked_at.push(false);
                    back.push(Vec::new());
                }
                if let Some(back) = back.get_mut(place as usize) {
                    back.push((at, step));
                }
                let cost = cost.saturating_add(step);
                if let Some(least) = costs.get_mut(place as usize).filter(|least| cost < **least) {
                    *least = cost;
                    open.push(Reverse((cost, place)));
                }
            });
            // What was left out might lead to a goal.
            if space.is_spent()
                && let Some(place) = looked_at.get_mut(at as usize)
            {
                *place = false;
            }
        }
        let edges: usize = back.iter().map(|back| back.capacity() * 16 + 24).sum();
        effort.bytes = effort.bytes.max(places.bytes() + edges + costs.capacity() * 17);
        Remaining { least: backwards(&looked_at, &back), places }
    }

    /// What is left to pay from a state at least; nothing where no goal is reached from it.
    pub(super) fn of<P: Space<State = S>>(&self, state: S) -> Option<u64> {
        let known = self.places.find::<P>(state).and_then(|place| self.least.get(place as usize));
        known.map_or(Some(0), |least| (*least != u64::MAX).then_some(*least))
    }

    /// A cheapest way from a state that is no goal, in a space that has no more ways than the one that was looked at.
    /// Of states that may be equally near to a goal the one that costs less from there comes first.
    pub(super) fn cheapest<P: Space<State = S>>(
        &self,
        space: &mut P,
        first: S,
        bounds: &Bounds,
        effort: &mut Effort,
    ) -> End<S> {
        let mut places = Places::new();
        places.place::<P>(first);
        // What each costs, and from where it is reached by which edge.
        let mut reached: Vec<(u64, u32, u32)> = vec![(0, u32::MAX, 0)];
        let mut open = BinaryHeap::from([Reverse((0_u64, 0_u64, 0_u32, 0_u64))]);
        let mut round = 0;
        while let Some(Reverse((_, _, at, cost))) = open.pop() {
            if reached.get(at as usize).is_none_or(|(least, ..)| *least < cost) {
                continue;
            }
            let Some(state) = places.state(at) else { continue };
            if space.is_goal(state) {
                return End::Way(way(&places, &reached, at, cost));
            }
            let held = || places.bytes() + reached.capacity() * 16 + open.capacity() * 32;
            if space.is_spent() || exceeds(bounds, effort, round, held) {
                return End::Limit;
            }
            round += 1;
            space.expand(state, &mut |next, edge, step| {
                let Some(rest) = self.of::<P>(next) else { return };
                let cost = cost.saturating_add(step);
                let (place, new) = places.place::<P>(next);
                if new {
                    reached.push((u64::MAX, u32::MAX, 0));
                }
                if let Some(least) = reached.get_mut(place as usize).filter(|(least, ..)| cost < *least) {
                    *least = (cost, at, edge);
                    open.push(Reverse((cost.saturating_add(rest), rest, place, cost)));
                }
            });
        }
        if space.is_spent() { End::Limit } else { End::Exhausted }
    }
}

/// What is left to pay, from goals and what was not looked at backwards.
fn backwards(looked_at: &[bool], back: &[Vec<(u32, u64)>]) -> Vec<u64> {
    let mut least = vec![u64::MAX; looked_at.len()];
    let mut open = BinaryHeap::new();
    for (place, _) in looked_at.iter().enumerate().filter(|(_, looked_at)| !**looked_at) {
        if let (Some(least), Ok(place)) = (least.get_mut(place), u32::try_from(place)) {
            *least = 0;
            open.push(Reverse((0_u64, place)));
        }
    }
    while let Some(Reverse((cost, at))) = open.pop() {
        if least.get(at as usize).is_none_or(|least| *least < cost) {
            continue;
        }
        for (before, step) in back.get(at as usize).into_iter().flatten() {
            let cost = cost.saturating_add(*step);
            if let Some(least) = least.get_mut(*before as usize).filter(|least| cost < **least) {
                *least = cost;
                open.push(Reverse((cost, *before)));
            }
        }
    }
    least
}

fn way<S: Copy + Eq>(places: &Places<S>, reached: &[(u64, u32, u32)], at: u32, cost: u64) -> Way<S> {
    let mut steps = Vec::new();
    let mut at = at;
    while let Some((_, before, edge)) = reached.get(at as usize).filter(|(_, before, _)| *before != u32::MAX)
    {
        steps.extend(places.state(at).map(|state| (*edge, state)));
        at = *before;
    }
    steps.reverse();
    Way { steps, cost }
}
