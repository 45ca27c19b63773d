//! Predicate-level verification: what the live rules say of an update (VeriSafe Agent 5.2).

use super::Evaluator;
use crate::schema::VariableId;
use crate::truth::Truth;

/// What the live rules say of an update that is laid over.
///
/// A rule is *live* while its head is not achieved and every objective in its body is; *concerned* if
/// it has a constraint on a variable that the update touches; *violated* if one of these is false.
/// Prohibitions take no part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concern {
    /// How many rules are concerned.
    pub concerned: usize,
    /// How many of these are violated.
    pub violated: usize,
}

impl Evaluator {
    /// Whether an update of these variables, laid over before, is suspect: every rule that it concerns
    /// is violated, or, if `strict`, one of them is. Values count here whatever their source. Costs
    /// what the variables touch.
    pub fn is_suspect(&mut self, touched: impl Iterator<Item = VariableId> + Clone, strict: bool) -> bool {
        // Most updates contradict nothing, and that is soon seen.
        if !touched.clone().any(|variable| self.touches_false(variable)) {
            self.memory.concerned.clear();
            return false;
        }
        let concern = self.concern(touched);
        if strict {
            concern.violated > 0
        } else {
            concern.concerned > 0 && concern.violated == concern.concerned
        }
    }

    /// Whether a constraint on the variable is false.
    fn touches_false(&mut self, variable: VariableId) -> bool {
        let memory = &mut self.memory;
        let network = &self.network;
        network.checks_of(variable).iter().any(|check| match memory.truth(*check) {
            // At rule level a value may not count; here it does.
            Truth::Unknown => memory.evaluate(network, *check, true).is_false(),
            known => known.is_false(),
        })
    }

    fn concern(&mut self, touched: impl Iterator<Item = VariableId>) -> Concern {
        let memory = &mut self.memory;
        let network = &self.network;
        memory.round = memory.round.wrapping_add(2);
        if memory.round == 0 {
            memory.stamps.fill(0);
            memory.round = 2;
        }
        let round = memory.round;
        memory.concerned.clear();
        let mut violated = 0;
        for variable in touched {
            for check in network.checks_of(variable) {
                let truth = match memory.truth(*check) {
                    Truth::Unknown => memory.evaluate(network, *check, true),
                    known => known,
                };
                let Some(target) = network.check_targets.get(*check as usize) else { continue };
                for predicate in network.targets(target) {
                    let Some(target) = network.predicate_targets.get(*predicate as usize) else { continue };
                    for gate in network.targets(target) {
                        let at = *gate as usize;
                        let (Some(true), Some(stamp)) = (memory.live.get(at), memory.stamps.get_mut(at))
                        else {
                            continue;
                        };
                        if *stamp & !1 != round {
                            *stamp = round;
                            memory.concerned.push(*gate);
                        }
                        if truth.is_false() && *stamp == round {
                            *stamp = round | 1;
                            violated += 1;
                        }
                    }
                }
            }
        }
        Concern { concerned: memory.concerned.len(), violated }
    }

    /// The rules that the last [`Evaluator::is_suspect`] found violated, counted over all sets, in order.
    pub fn violated_rules(&self) -> Vec<usize> {
        let violated = |gate: &&u32| {
            self.memory.stamps.get(**gate as usize).is_some_and(|stamp| *stamp == self.memory.round | 1)
        };
        let mut rules: Vec<usize> =
            self.memory.concerned.iter().filter(violated).map(|gate| self.rule_of(*gate)).collect();
        rules.sort_unstable();
        rules
    }
}
