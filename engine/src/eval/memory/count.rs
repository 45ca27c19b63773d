//! Counters: how many parts of each predicate and each rule's body are unmet, and what hangs on their truth.
//!
//! Knows truths of checks; must never know values.

use super::{Memory, Undo};
use crate::compile::{FALSE_PART, Network, UNKNOWN_PART};
use crate::truth::Truth;

/// The truth of something so many of whose parts are unmet.
pub(super) fn truth(parts: u32) -> Truth {
    if parts == 0 {
        Truth::True
    } else if parts >= FALSE_PART {
        Truth::False
    } else {
        Truth::Unknown
    }
}

/// What a part of this truth adds to the unmet ones.
fn part(truth: Truth) -> u32 {
    const PARTS: [u32; 3] = [FALSE_PART, UNKNOWN_PART, 0];
    PARTS[truth as usize]
}

impl Memory {
    /// Changes the truth of a check, so that it can be taken back.
    #[inline]
    pub(super) fn change(&mut self, network: &Network, check: u32, new: Truth) {
        let old = self.truths[check as usize];
        if old != new {
            if self.tentative {
                self.undo.push(Undo::Check(check, old));
            }
            self.set_truth(network, check, new);
        }
    }

    /// Sets the truth of a check, and counts what hangs on it.
    pub(super) fn set_truth(&mut self, network: &Network, check: u32, new: Truth) {
        let old = std::mem::replace(&mut self.truths[check as usize], new);
        let delta = part(new).wrapping_sub(part(old));
        for predicate in network.targets(&network.check_targets[check as usize]) {
            let before = self.predicates[*predicate as usize];
            let after = before.wrapping_add(delta);
            self.predicates[*predicate as usize] = after;
            let (before, after) = (truth(before), truth(after));
            if before != after {
                let delta = part(after).wrapping_sub(part(before));
                for gate in network.targets(&network.predicate_targets[*predicate as usize]) {
                    self.add(network, *gate, delta);
                }
            }
        }
    }

    /// Changes the unmet parts of a gate, and what hangs on its truth.
    fn add(&mut self, network: &Network, gate: u32, delta: u32) {
        let before = self.gates[gate as usize];
        let after = before.wrapping_add(delta);
        self.gates[gate as usize] = after;
        let (before, after) = (truth(before), truth(after));
        if before == after {
            return;
        }
        let head = network.heads[gate as usize];
        if head.is_prohibition() {
            let standing = &mut self.standing[head.index()];
            if before.is_false() {
                *standing += 1;
            } else if after.is_false() {
                *standing -= 1;
            }
        } else if after.is_true() {
            self.true_gates[head.index()] += 1;
            if head.index() >= network.actions && !self.achieved[head.index()] {
                self.ripe.push(gate);
            }
        } else if before.is_true() {
            self.true_gates[head.index()] -= 1;
        }
    }

    /// Marks an objective, or `Done`, as achieved.
    pub(in crate::eval) fn achieve(&mut self, network: &Network, objective: usize) {
        if std::mem::replace(&mut self.achieved[objective], true) {
            return;
        }
        let doubted = self.doubted.get(objective).copied().unwrap_or(false);
        for gate in network.alternatives.get(objective) {
            self.live[*gate as usize] = false;
        }
        for gate in network.objective_gates.get(objective) {
            let head = network.heads[*gate as usize];
            let was = if doubted && head.is_prohibition() { UNKNOWN_PART } else { FALSE_PART };
            let open = &mut self.open_objectives[*gate as usize];
            *open -= 1;
            self.live[*gate as usize] = !head.is_prohibition() && *open == 0 && !self.achieved[head.index()];
            self.add(network, *gate, 0_u32.wrapping_sub(was));
        }
    }

    /// Says whether it is unknown if an action was performed: prohibitions that name it are unknown in
    /// that part.
    pub(in crate::eval) fn doubt(&mut self, network: &Network, action: usize, doubt: bool) {
        if std::mem::replace(&mut self.doubted[action], doubt) == doubt || self.achieved[action] {
            return;
        }
        let delta = UNKNOWN_PART.wrapping_sub(FALSE_PART);
        let delta = if doubt { delta } else { 0_u32.wrapping_sub(delta) };
        for gate in network.objective_gates.get(action) {
            if network.heads[*gate as usize].is_prohibition() {
                self.add(network, *gate, delta);
            }
        }
    }
}
