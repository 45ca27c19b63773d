//! Cheapest paths in any space of states: breadth first where every step costs the same, else cheapest first.
//!
//! Knows no model: a space says what is next to a state, and what a goal is.

use super::Bounds;
use hashbrown::HashTable;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// States with the steps between them.
pub(super) trait Space {
    /// A state.
    type State: Copy + Eq;

    /// A number that is the same for the same state, and spread over all bits.
    fn hash(state: Self::State) -> u64;

    /// A number below `2^bits` that only this state has, where the space has such.
    fn number(_: Self::State) -> usize {
        0
    }

    /// How many bits such numbers have.
    fn bits(&self) -> Option<u32> {
        None
    }

    /// What every step costs, if all cost the same.
    fn uniform(&self) -> Option<u64>;

    /// Every step that is possible: the next state, the number of the edge, what it costs.
    fn expand(&mut self, state: Self::State, each: &mut impl FnMut(Self::State, u32, u64));

    /// Whether a state will do.
    fn is_goal(&self, state: Self::State) -> bool;

    /// Whether a bound of its own was reached: what comes now may be left out.
    fn is_spent(&self) -> bool {
        false
    }
}

/// A path: its edges, each with the state to which it leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way<S> {
    pub(super) steps: Vec<(u32, S)>,
    pub(super) cost: u64,
}

/// How a search ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End<S> {
    Way(Way<S>),
    /// Everything that can be reached was looked at.
    Exhausted,
    /// A bound was reached.
    Limit,
}

/// What an answer took, over all searches for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// States that were expanded.
    pub expanded: usize,
    /// States that were reached, by the search that reached the most.
    pub states: usize,
    /// The most bytes that were held at a time.
    pub bytes: usize,
}

/// The most bits of a number for a bit of each state: 512 MiB.
const MOST_BITS: u32 = 32;
/// A bit of each state is worth it where at least one of so many states was reached.
const SPARSE: usize = 512;

/// The states that were reached.
enum Seen {
    Bits(Vec<u64>),
    Table(HashTable<u32>),
}

/// Sets a bit; whether it was not set.
#[inline]
fn mark(words: &mut [u64], number: usize) -> bool {
    let bit = 1_u64 << (number % 64);
    match words.get_mut(number / 64) {
        Some(word) if *word & bit == 0 => {
            *word |= bit;
            true
        }
        _ => false,
    }
}

/// What was reached, in this order, and from where.
struct Nodes<S> {
    states: Vec<S>,
    before: Vec<u32>,
    seen: Seen,
    /// How many states are found in a table, before there is a bit for each.
    sparse: usize,
}

impl<S: Copy + Eq> Nodes<S> {
    fn new() -> Nodes<S> {
        let seen = Seen::Table(HashTable::new());
        Nodes { states: Vec::new(), before: Vec::new(), seen, sparse: usize::MAX }
    }

    fn state(&self, at: u32) -> Option<S> {
        self.states.get(at as usize).copied()
    }

    fn push(&mut self, state: S, before: u32) {
        // By half, not to twice: many states are held, and moving them is cheap.
        let held = self.states.len();
        if held == self.states.capacity() && held > 1 << 12 {
            self.states.reserve_exact(held / 2);
            self.before.reserve_exact(held / 2);
        }
        self.states.push(state);
        self.before.push(before);
    }

    /// The place of a state in the table, or a new one.
    fn entry<P: Space<State = S>>(&mut self, state: S, before: u32) -> (u32, bool) {
        let next = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        let Seen::Table(table) = &mut self.seen else { return (next, false) };
        let states = &self.states;
        let hash = |at: &u32| states.get(*at as usize).map_or(0, |state| P::hash(*state));
        let same = |at: &u32| states.get(*at as usize) == Some(&state);
        match table.entry(P::hash(state), same, hash) {
            hashbrown::hash_table::Entry::Occupied(found) => (*found.get(), false),
            hashbrown::hash_table::Entry::Vacant(free) => {
                free.insert(next);
                self.push(state, before);
                (next, true)
            }
        }
    }

    /// Adds a state, if it is new.
    #[inline]
    fn add<P: Space<State = S>>(&mut self, state: S, before: u32) {
        match &mut self.seen {
            Seen::Bits(words) => {
                if mark(words, P::number(state)) {
                    self.push(state, before);
                }
            }
            Seen::Table(_) => {
                self.entry::<P>(state, before);
                if self.states.len() > self.sparse {
                    self.spread::<P>();
                }
            }
        }
    }

    /// From here on there is a bit for each state.
    #[cold]
    fn spread<P: Space<State = S>>(&mut self) {
        let mut words = vec![0; (self.sparse + 1).saturating_mul(SPARSE) / 64];
        for state in &self.states {
            mark(&mut words, P::number(*state));
        }
        self.seen = Seen::Bits(words);
    }

    fn bytes(&self) -> usize {
        let seen = match &self.seen {
            Seen::Bits(words) => words.len() * 8,
            Seen::Table(table) => table.allocation_size(),
        };
        seen + self.states.capacity() * size_of::<S>() + self.before.capacity() * 4
    }

    /// The steps to a state. The edges were not kept: each is the cheapest between its two states.
    fn way<P: Space<State = S>>(&self, space: &mut P, at: u32, cost: u64) -> Way<S> {
        let mut steps = Vec::new();
        let mut at = at;
        while let (Some(state), Some(before)) =
            (self.state(at), self.before.get(at as usize).copied().filter(|before| *before != u32::MAX))
        {
            let Some(from) = self.state(before) else { break };
            let mut best: Option<(u64, u32)> = None;
            space.expand(from, &mut |next, edge, cost| {
                if next == state && best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, edge));
                }
            });
            steps.extend(best.map(|(_, edge)| (edge, state)));
            at = before;
        }
        steps.reverse();
        Way { steps, cost }
    }
}

/// States with a number for each, in the order in which they came.
pub(super) struct Places<S>(Nodes<S>);

impl<S: Copy + Eq> Places<S> {
    pub(super) fn new() -> Places<S> {
        Places(Nodes::new())
    }

    /// The number of a state, and whether it is a new one.
    pub(super) fn place<P: Space<State = S>>(&mut self, state: S) -> (u32, bool) {
        self.0.entry::<P>(state, u32::MAX)
    }

    pub(super) fn find<P: Space<State = S>>(&self, state: S) -> Option<u32> {
        let Seen::Table(table) = &self.0.seen else { return None };
        table.find(P::hash(state), |at| self.0.state(*at) == Some(state)).copied()
    }

    pub(super) fn state(&self, place: u32) -> Option<S> {
        self.0.state(place)
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// A cheapest way from a state that is no goal. Of equally cheap ones the one whose states are reached first.
pub(super) fn cheapest<P: Space>(
    space: &mut P,
    first: P::State,
    bounds: &Bounds,
    effort: &mut Effort,
) -> End<P::State> {
    match space.uniform() {
        Some(cost) => breadth_first(space, first, cost, bounds, effort),
        None => cheapest_first(space, first, bounds, effort),
    }
}

/// How often the memory that is held is counted.
const ROUND: usize = 1 << 10;

/// Counts one more state, and now and then what is held. Whether a bound is exceeded.
pub(super) fn exceeds(
    bounds: &Bounds,
    effort: &mut Effort,
    round: usize,
    held: impl FnOnce() -> usize,
) -> bool {
    effort.expanded += 1;
    if round.is_multiple_of(ROUND) {
        effort.bytes = effort.bytes.max(held());
    }
    effort.expanded > bounds.expansions || effort.bytes > bounds.bytes
}

fn breadth_first<P: Space>(
    space: &mut P,
    first: P::State,
    cost: u64,
    bounds: &Bounds,
    effort: &mut Effort,
) -> End<P::State> {
    let mut nodes = Nodes::new();
    if let Some(bits) = space.bits().filter(|bits| *bits <= MOST_BITS) {
        nodes.sparse = 1_usize.checked_shl(bits).map_or(usize::MAX, |states| states / SPARSE);
    }
    nodes.add::<P>(first, u32::MAX);
    let mut at: u32 = 0;
    // What was reached first is expanded first: the nodes are their own queue.
    let end = 'search: {
        while let Some(state) = nodes.state(at) {
            if exceeds(bounds, effort, at as usize, || nodes.bytes()) || at == u32::MAX - 1 {
                break 'search End::Limit;
            }
            let known = nodes.states.len();
            space.expand(state, &mut |next, _, _| {
                nodes.add::<P>(next, at);
            });
            for number in known..nodes.states.len() {
                if nodes.states.get(number).is_some_and(|next| space.is_goal(*next)) {
                    let mut way = nodes.way(space, u32::try_from(number).unwrap_or(u32::MAX), 0);
                    way.cost = cost.saturating_mul(way.steps.len() as u64);
                    break 'search End::Way(way);
                }
            }
            at += 1;
        }
        End::Exhausted
    };
    effort.bytes = effort.bytes.max(nodes.bytes());
    effort.states = effort.states.max(nodes.states.len());
    end
}

fn cheapest_first<P: Space>(
    space: &mut P,
    first: P::State,
    bounds: &Bounds,
    effort: &mut Effort,
) -> End<P::State> {
    let mut nodes = Nodes::new();
    let mut costs: Vec<u64> = vec![0];
    nodes.entry::<P>(first, u32::MAX);
    // The cheapest first, then what was reached first.
    let mut open = BinaryHeap::from([Reverse((0_u64, 0_u32))]);
    let mut round = 0;
    let held = |nodes: &Nodes<P::State>, costs: &Vec<u64>, open: &BinaryHeap<Reverse<(u64, u32)>>| {
        nodes.bytes() + costs.capacity() * 8 + open.capacity() * 16
    };
    let end = loop {
        let Some(Reverse((cost, at))) = open.pop() else {
            break if space.is_spent() { End::Limit } else { End::Exhausted };
        };
        // What was left out might have been cheaper.
        if space.is_spent() {
            break End::Limit;
        }
        if costs.get(at as usize).is_none_or(|least| *least < cost) {
            continue;
        }
        let Some(state) = nodes.state(at) else { continue };
        if space.is_goal(state) {
            break End::Way(nodes.way(space, at, cost));
        }
        if exceeds(bounds, effort, round, || held(&nodes, &costs, &open)) {
            break End::Limit;
        }
        round += 1;
        space.expand(state, &mut |next, _, step| {
            let cost = cost.saturating_add(step);
            let (place, new) = nodes.entry::<P>(next, at);
            if new {
                costs.push(cost);
                open.push(Reverse((cost, place)));
            } else if let Some(least) = costs.get_mut(place as usize).filter(|least| cost < **least) {
                *least = cost;
                if let Some(before) = nodes.before.get_mut(place as usize) {
                    *before = at;
                }
                open.push(Reverse((cost, place)));
            }
        });
    };
    effort.bytes = effort.bytes.max(held(&nodes, &costs, &open));
    effort.states = effort.states.max(nodes.states.len());
    end
}
