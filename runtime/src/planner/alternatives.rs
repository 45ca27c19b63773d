//! Several ways: the cheapest, the next cheapest, and so on, none with a state twice (Yen, 1971).
//!
//! All other ways leave a way that was found at some step. Of those that leave it at the same step only a bound of what
//! the cheapest costs is known at first; it is looked for when none of the others can be cheaper (Pascoal, 2006), and
//! what was tried once is never tried again (Lawler, 1972). Knows spaces; must never know a model.

mod remaining;

use super::Bounds;
use super::frontier::{Effort, End, Places, Space, Way, cheapest};
use remaining::Remaining;
use std::collections::{BTreeMap, BTreeSet};

/// How many times the effort of the first way each further one may take, and the least effort.
const FURTHER: usize = 4;
const LEAST: usize = 1_000;

/// A space without some states, and without some edges of one state.
struct Without<'s, P: Space> {
    space: &'s mut P,
    /// A way that was found, and how many of its states are left out.
    found: &'s Places<P::State>,
    turn: u32,
    from: P::State,
    edges: &'s BTreeSet<u32>,
}

impl<P: Space> Space for Without<'_, P> {
    type State = P::State;

    fn hash(state: P::State) -> u64 {
        P::hash(state)
    }

    fn uniform(&self) -> Option<u64> {
        self.space.uniform()
    }

    fn expand(&mut self, state: P::State, each: &mut impl FnMut(P::State, u32, u64)) {
        let (found, turn, edges, here) = (self.found, self.turn, self.edges, state == self.from);
        self.space.expand(state, &mut |next, edge, cost| {
            let banned = here && edges.contains(&edge);
            if !banned && found.find::<P>(next).is_none_or(|place| place > turn) {
                each(next, edge, cost);
            }
        });
    }

    fn is_goal(&self, state: P::State) -> bool {
        self.space.is_goal(state)
    }

    fn is_spent(&self) -> bool {
        self.space.is_spent()
    }
}

/// A way that was found, with what its steps cost.
struct Known<S> {
    way: Way<S>,
    /// Its states, by their places in it.
    places: Places<S>,
    /// What it costs to get to each of them.
    costs: Vec<u64>,
}

impl<S: Copy + Eq> Known<S> {
    fn new<P: Space<State = S>>(space: &mut P, first: S, way: Way<S>) -> Known<S> {
        let (mut places, mut costs) = (Places::new(), vec![0]);
        places.place::<P>(first);
        let (mut before, mut sum) = (first, 0_u64);
        for (wanted, next) in &way.steps {
            let mut paid = None;
            space.expand(before, &mut |_, edge, cost| {
                if edge == *wanted && paid.is_none() {
                    paid = Some(cost);
                }
            });
            sum = sum.saturating_add(paid.unwrap_or_default());
            costs.push(sum);
            places.place::<P>(*next);
            before = *next;
        }
        Known { way, places, costs }
    }

    fn state(&self, turn: usize) -> Option<S> {
        self.places.state(u32::try_from(turn).unwrap_or(u32::MAX))
    }
}

/// The ways that leave one that was found at a step, by none of some edges.
struct Leaving<S> {
    found: usize,
    turn: usize,
    edges: BTreeSet<u32>,
    /// The cheapest of them, once it is known.
    way: Option<Way<S>>,
}

/// What was found, and what is left to look at.
struct Several<'s, P: Space> {
    space: &'s mut P,
    first: P::State,
    remaining: Remaining<P::State>,
    found: Vec<Known<P::State>>,
    /// By what they cost at least; of equal ones what is known comes first, then what was come across first.
    open: BTreeMap<(u64, bool, usize), Leaving<P::State>>,
    count: usize,
}

/// Up to `most` ways, cheapest first, and whether a bound was reached before they were all found. The further ones take a
/// few times what the first one takes, or remain unknown.
pub(super) fn several<P: Space>(
    space: &mut P,
    first: P::State,
    most: usize,
    bounds: &Bounds,
    effort: &mut Effort,
) -> (Vec<Way<P::State>>, bool) {
    let before = effort.expanded;
    let way = match cheapest(space, first, bounds, effort) {
        End::Way(way) => way,
        End::Exhausted => return (Vec::new(), false),
        End::Limit => return (Vec::new(), true),
    };
    if most < 2 {
        return (vec![way], false);
    }
    let took = effort.expanded - before;
    let further = took.saturating_mul(FURTHER).max(LEAST).saturating_mul(most);
    let bounds =
        Bounds { expansions: bounds.expansions.min(effort.expanded.saturating_add(further)), ..*bounds };
    let remaining = Remaining::new(space, first, took, &bounds, effort);
    let mut several = Several { space, first, remaining, found: Vec::new(), open: BTreeMap::new(), count: 0 };
    let limited = !several.find(way, most, &bounds, effort);
    (several.found.into_iter().map(|known| known.way).collect(), limited)
}

impl<P: Space> Several<'_, P> {
    /// Whether all were found that there are, or that are wanted.
    fn find(&mut self, way: Way<P::State>, most: usize, bounds: &Bounds, effort: &mut Effort) -> bool {
        if !self.add(way, 0, BTreeSet::new(), bounds, effort) {
            return self.found.len() >= most;
        }
        while self.found.len() < most {
            // Where nothing more could be asked, something was left out.
            let Some((_, leaving)) = self.open.pop_first() else { return !self.space.is_spent() };
            if let Some(way) = leaving.way {
                if !self.add(way, leaving.turn, leaving.edges, bounds, effort) {
                    return self.found.len() >= most;
                }
                continue;
            }
            match self.leave(&leaving, bounds, effort) {
                End::Way(way) => self.push(way.cost, Leaving { way: Some(way), ..leaving }),
                End::Exhausted => {}
                End::Limit => return false,
            }
        }
        true
    }

    fn push(&mut self, cost: u64, leaving: Leaving<P::State>) {
        self.open.insert((cost, leaving.way.is_none(), self.count), leaving);
        self.count += 1;
    }

    /// The cheapest way that leaves one at a step.
    fn leave(&mut self, leaving: &Leaving<P::State>, bounds: &Bounds, effort: &mut Effort) -> End<P::State> {
        let Some(found) = self.found.get(leaving.found) else { return End::Exhausted };
        let Some(from) = found.state(leaving.turn) else { return End::Exhausted };
        let turn = u32::try_from(leaving.turn).unwrap_or(u32::MAX);
        let mut without =
            Without { space: &mut *self.space, found: &found.places, turn, from, edges: &leaving.edges };
        match self.remaining.cheapest(&mut without, from, bounds, effort) {
            End::Way(rest) => {
                let root = found.way.steps.get(..leaving.turn).unwrap_or(&[]);
                let paid = found.costs.get(leaving.turn).copied().unwrap_or_default();
                let steps = root.iter().copied().chain(rest.steps).collect();
                End::Way(Way { steps, cost: paid.saturating_add(rest.cost) })
            }
            end => end,
        }
    }

    /// A way that was found, and the ways that leave it from a step on; at that step by none of some edges. Whether
    /// all of them could be looked at.
    fn add(
        &mut self,
        way: Way<P::State>,
        from: usize,
        edges: BTreeSet<u32>,
        bounds: &Bounds,
        effort: &mut Effort,
    ) -> bool {
        let known = Known::new(self.space, self.first, way);
        let number = self.found.len();
        let mut edges = Some(edges);
        let mut whole = true;
        for (turn, (edge, _)) in known.way.steps.iter().enumerate().skip(from) {
            let mut edges = edges.take().unwrap_or_default();
            edges.insert(*edge);
            effort.expanded += 1;
            if effort.expanded > bounds.expansions {
                whole = false;
                break;
            }
            let Some(from) = known.state(turn) else { break };
            let place = u32::try_from(turn).unwrap_or(u32::MAX);
            let paid = known.costs.get(turn).copied().unwrap_or_default();
            let mut least: Option<u64> = None;
            let mut without =
                Without { space: &mut *self.space, found: &known.places, turn: place, from, edges: &edges };
            let remaining = &self.remaining;
            without.expand(from, &mut |next, _, cost| {
                let rest = remaining.of::<P>(next).map(|rest| cost.saturating_add(rest));
                least = least.into_iter().chain(rest).min();
            });
            if let Some(least) = least {
                self.push(paid.saturating_add(least), Leaving { found: number, turn, edges, way: None });
            }
        }
        self.found.push(known);
        whole
    }
}
