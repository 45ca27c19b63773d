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
    /// The concern of an update of these variables, laid over before. Values count here whatever
    /// their source. Costs what the variables touch.
    pub fn concern(&mut self, touched: impl Iterator<Item = VariableId>) -> Concern {
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
            let start = network.variable_starts.get(variable.index()).copied().unwrap_or(0) as usize;
            let end = network.variable_starts.get(variable.index() + 1).copied().unwrap_or(0) as usize;
            for check in network.variable_checks.get(start..end).unwrap_or(&[]) {
                let truth = match memory.truth(*check) {
                    // At rule level a value may not count; here it does.
                    Truth::Unknown => memory.evaluate(network, *check, true),
                    known => known,
                };
                let Some(target) = network.check_targets.get(*check as usize) else { continue };
                for predicate in network.targets(target) {
                    let Some(target) = network.predicate_targets.get(*predicate as usize) else { continue };
                    for gate in network.targets(target) {
                        let at = *gate as usize;
                        let Some(head) = network.heads.get(at) else { continue };
                        let open = memory.open_objectives.get(at).copied().unwrap_or(1);
                        if head.is_prohibition() || open > 0 || memory.achieved(head.index()) {
                            continue;
                        }
                        let Some(stamp) = memory.stamps.get_mut(at) else { continue };
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

    /// The rules that the last [`Evaluator::concern`] found violated, counted over all sets, in order.
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
