//! Cycles among objectives, with their path. Iterative: the depth of a specification is its author's.

use super::Lowering;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Head, Objective, PredicateKind};
use crate::span::Span;
use hashbrown::{HashMap, HashSet};

/// How many cycles are reported.
const MOST: usize = 10;

impl Lowering<'_> {
    /// Reports a cycle for every edge that closes one; counting evaluation is wrong on cycles, and an
    /// objective that needs itself can never be achieved.
    pub(super) fn cycles(&mut self) {
        let edges = self.edges();
        let mut finished: HashSet<Objective> = HashSet::new();
        let mut cycles = Vec::new();
        let mut starts: Vec<Objective> = edges.keys().copied().collect();
        starts.sort_unstable();
        for start in starts {
            if finished.contains(&start) {
                continue;
            }
            let mut path: Vec<(Objective, usize)> = vec![(start, 0)];
            let mut on_path: HashSet<Objective> = HashSet::from_iter([start]);
            while let Some((at, next)) = path.last_mut() {
                let at = *at;
                let Some((to, _)) = edges.get(&at).and_then(|edges| edges.get(*next)) else {
                    finished.insert(at);
                    on_path.remove(&at);
                    path.pop();
                    continue;
                };
                let edge = *next;
                *next += 1;
                if on_path.contains(to) {
                    let from = path.iter().position(|(objective, _)| objective == to).unwrap_or(0);
                    let mut cycle: Vec<(Objective, usize)> = path.iter().skip(from).copied().collect();
                    if let Some(last) = cycle.last_mut() {
                        last.1 = edge + 1;
                    }
                    cycles.push(cycle);
                } else if !finished.contains(to) {
                    on_path.insert(*to);
                    path.push((*to, 0));
                }
                if cycles.len() == MOST {
                    break;
                }
            }
        }
        for cycle in cycles {
            self.report(&cycle, &edges);
        }
    }

    /// From each head to the objectives of its bodies, with the places.
    fn edges(&self) -> HashMap<Objective, Vec<(Objective, Span)>> {
        let mut edges: HashMap<Objective, Vec<(Objective, Span)>> = HashMap::new();
        for rule in self.specification.rules() {
            let Head::Objective(head) = rule.head() else { continue };
            for predicate in self.specification.body(rule) {
                if let PredicateKind::Objective(objective) = predicate.kind() {
                    edges.entry(head).or_default().push((objective, predicate.span()));
                }
            }
        }
        edges
    }

    /// `cycle` holds each objective with the number, from 1, of the edge that leaves it.
    fn report(&mut self, cycle: &[(Objective, usize)], edges: &HashMap<Objective, Vec<(Objective, Span)>>) {
        let name = |objective: Objective| self.specification.objective_name(objective);
        let mut path: Vec<&str> = cycle.iter().map(|(objective, _)| name(*objective)).collect();
        path.extend(path.first().copied());
        let message = match path.as_slice() {
            [one, _] => format!("`{one}` needs itself"),
            _ => format!("objectives need each other: {}", path.join(" needs ")),
        };
        let mut places = cycle.iter().filter_map(|(from, edge)| {
            let (to, span) = edges.get(from)?.get(edge.checked_sub(1)?)?;
            Some((*span, format!("`{}` needs `{}`", name(*from), name(*to))))
        });
        let Some((span, label)) = places.next() else { return };
        let mut diagnostic = Diagnostic::new(Code::Cycle, span, message).label(label);
        for (span, label) in places.take(16) {
            diagnostic = diagnostic.also(span, label);
        }
        self.error(diagnostic.help("none of them can ever be achieved: take one of these needs out"));
    }
}
