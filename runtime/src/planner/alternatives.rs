//! Several ways: the cheapest, the next cheapest, and so on, none with a state twice (Yen, 1971).

use super::Bounds;
use super::frontier::{Effort, End, Space, Way, cheapest};
use std::collections::{BTreeSet, HashSet};

/// A space without some states, and without some edges of one state.
struct Without<'s, P: Space> {
    space: &'s mut P,
    states: Vec<P::State>,
    from: P::State,
    edges: HashSet<u32>,
}

impl<P: Space> Space for Without<'_, P> {
    type State = P::State;

    fn hash(state: P::State) -> u64 {
        P::hash(state)
    }

    fn number(state: P::State) -> usize {
        P::number(state)
    }

    fn bits(&self) -> Option<u32> {
        self.space.bits()
    }

    fn uniform(&self) -> Option<u64> {
        self.space.uniform()
    }

    fn expand(&mut self, state: P::State, each: &mut impl FnMut(P::State, u32, u64)) {
        let (states, edges, here) = (&self.states, &self.edges, state == self.from);
        self.space.expand(state, &mut |next, edge, cost| {
            let banned = here && edges.contains(&edge);
            if !banned && !states.contains(&next) {
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

/// Up to `most` ways, cheapest first, and whether a bound was reached before they were all found.
pub(super) fn several<P: Space>(
    space: &mut P,
    first: P::State,
    most: usize,
    bounds: &Bounds,
    effort: &mut Effort,
) -> (Vec<Way<P::State>>, bool) {
    let mut found: Vec<Way<P::State>> = Vec::new();
    // What was found on the way, by cost and then by the order in which it was found.
    let mut candidates: Vec<Way<P::State>> = Vec::new();
    let mut open: BTreeSet<(u64, usize)> = BTreeSet::new();
    let mut known: HashSet<Vec<u32>> = HashSet::new();
    let edges = |way: &Way<P::State>| way.steps.iter().map(|(edge, _)| *edge).collect::<Vec<u32>>();
    match cheapest(space, first, bounds, effort) {
        End::Way(way) => {
            known.insert(edges(&way));
            found.push(way);
        }
        End::Exhausted => return (found, false),
        End::Limit => return (found, true),
    }
    while found.len() < most {
        let Some(last) = found.last().cloned() else { break };
        let mut before = first;
        for (turn, (_, next)) in last.steps.iter().enumerate() {
            let root = last.steps.get(..turn).unwrap_or(&[]);
            let alike = found.iter().filter(|way| way.steps.get(..turn) == Some(root));
            let banned = alike.filter_map(|way| way.steps.get(turn)).map(|(edge, _)| *edge).collect();
            let states = std::iter::once(first).chain(root.iter().map(|(_, state)| *state)).collect();
            let mut without = Without { space: &mut *space, states, from: before, edges: banned };
            match cheapest(&mut without, before, bounds, effort) {
                End::Way(rest) => {
                    let mut way = Way { steps: root.to_vec(), cost: rest.cost };
                    way.cost = way.cost.saturating_add(cost_of(space, first, root));
                    way.steps.extend(rest.steps);
                    if known.insert(edges(&way)) {
                        open.insert((way.cost, candidates.len()));
                        candidates.push(way);
                    }
                }
                End::Exhausted => {}
                End::Limit => return (found, true),
            }
            before = *next;
        }
        let Some((_, place)) = open.pop_first() else { break };
        found.extend(candidates.get(place).cloned());
    }
    (found, false)
}

/// What the first steps of a way cost.
fn cost_of<P: Space>(space: &mut P, first: P::State, steps: &[(u32, P::State)]) -> u64 {
    let mut sum = 0_u64;
    let mut before = first;
    for (wanted, next) in steps {
        let mut paid = None;
        space.expand(before, &mut |_, edge, cost| {
            if edge == *wanted && paid.is_none() {
                paid = Some(cost);
            }
        });
        sum = sum.saturating_add(paid.unwrap_or_default());
        before = *next;
    }
    sum
}
