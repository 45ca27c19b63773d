//! The state machine of a run: phases, what ends each, and what comes then; without effects.
//!
//! Knows counters and budgets. Must never know a device, an agent, a model or a gate: the driver performs what
//! a phase stands for and says how it ended. A machine can be stepped by hand, saved between any two steps, and
//! resumed.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a run is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Look at the device.
    Observe,
    /// Find out which page that is.
    Locate,
    /// Find a way to the goal.
    Plan,
    /// Ask the agent.
    Decide,
    /// Ask the gate.
    Propose,
    /// Perform what was allowed.
    Act,
    /// Compare what came of it with what was expected.
    Compare,
    /// Get back to where things were as expected.
    Recover,
    /// Nothing more.
    Finish,
}

/// How a phase ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// The device showed something.
    Observed,
    /// The device did not.
    Unobservable,
    /// The page is known, or new.
    Located,
    /// There is a plan.
    Planned,
    /// No way is known; an agent may find one.
    Unplanned,
    /// There can't be a way: policies forbid it.
    Impossible,
    /// The goal is reached.
    Reached,
    /// A sub-task is done, and there is another.
    NextSubTask,
    /// The agent knows what to do.
    Chosen,
    /// What the agent says can't be used.
    Unusable,
    /// The agent says that the task is done.
    Claimed,
    /// The agent gives up.
    GaveUp,
    /// The gate lets it pass.
    Allowed,
    /// The gate advises against it.
    Advised,
    /// The gate blocks it.
    Blocked,
    /// It was performed.
    Performed,
    /// It surely was not.
    NotPerformed,
    /// It may have been, and nobody can tell.
    Unclear,
    /// Things changed since it was allowed.
    Stale,
    /// What was expected.
    Success,
    /// Nothing changed.
    NoChange,
    /// Something else came of it.
    Fail,
    /// Back where things were as expected: once more.
    Retry,
    /// A new plan is needed.
    Replan,
    /// Nothing more can be tried.
    Exhausted,
    /// The time is over.
    TimeUp,
}

/// What follows on what. Everything that is not here is a mistake of the driver, and ends the run.
const TABLE: &[(Phase, Signal, Phase)] = &[
    (Phase::Observe, Signal::Observed, Phase::Locate),
    (Phase::Observe, Signal::Unobservable, Phase::Observe),
    (Phase::Locate, Signal::Located, Phase::Plan),
    (Phase::Plan, Signal::Planned, Phase::Decide),
    (Phase::Plan, Signal::Unplanned, Phase::Decide),
    (Phase::Plan, Signal::Impossible, Phase::Finish),
    (Phase::Plan, Signal::Reached, Phase::Finish),
    (Phase::Plan, Signal::NextSubTask, Phase::Plan),
    (Phase::Decide, Signal::Chosen, Phase::Propose),
    (Phase::Decide, Signal::Unusable, Phase::Decide),
    (Phase::Decide, Signal::Claimed, Phase::Finish),
    (Phase::Decide, Signal::NextSubTask, Phase::Plan),
    (Phase::Decide, Signal::GaveUp, Phase::Finish),
    (Phase::Propose, Signal::Allowed, Phase::Act),
    (Phase::Propose, Signal::Advised, Phase::Decide),
    (Phase::Propose, Signal::Blocked, Phase::Plan),
    (Phase::Propose, Signal::Unusable, Phase::Decide),
    (Phase::Act, Signal::Performed, Phase::Compare),
    (Phase::Act, Signal::NotPerformed, Phase::Recover),
    (Phase::Act, Signal::Unclear, Phase::Finish),
    (Phase::Act, Signal::Stale, Phase::Propose),
    (Phase::Act, Signal::Replan, Phase::Observe),
    (Phase::Compare, Signal::Success, Phase::Plan),
    (Phase::Compare, Signal::NoChange, Phase::Recover),
    (Phase::Compare, Signal::Fail, Phase::Recover),
    (Phase::Compare, Signal::Unclear, Phase::Finish),
    (Phase::Compare, Signal::Replan, Phase::Observe),
    (Phase::Compare, Signal::Unobservable, Phase::Recover),
    (Phase::Recover, Signal::Success, Phase::Plan),
    (Phase::Recover, Signal::Retry, Phase::Propose),
    (Phase::Recover, Signal::Replan, Phase::Observe),
    (Phase::Recover, Signal::Exhausted, Phase::Finish),
];

/// How much a run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budgets {
    /// Gestures that are performed, getting back included: 100.
    pub steps: u32,
    /// Failures altogether: 20.
    pub failures: u32,
    /// Failures in a row before a new plan is made (Agent-SAMA: n = 2).
    pub in_a_row: u32,
    /// Proposals that were blocked: 10.
    pub blocks: u32,
    /// Decisions in a row that can't be used, or are advised against: 5.
    pub decisions: u32,
    /// Observations in a row that failed: 5.
    pub observations: u32,
    /// Seconds: 1,800. Read from the session's clock; without one there is no limit.
    pub seconds: u32,
}

impl Default for Budgets {
    fn default() -> Budgets {
        Budgets {
            steps: 100,
            failures: 20,
            in_a_row: 2,
            blocks: 10,
            decisions: 5,
            observations: 5,
            seconds: 1_800,
        }
    }
}

/// What has been used of the budgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Counters {
    /// Gestures that were performed, getting back included.
    pub steps: u32,
    /// Failures altogether.
    pub failures: u32,
    /// Failures since the last success.
    pub in_a_row: u32,
    /// Failures after which things went on as expected.
    pub recovered: u32,
    /// New plans because of failures.
    pub replans: u32,
    /// Proposals that were advised against.
    pub advised: u32,
    /// Proposals that were blocked.
    pub blocks: u32,
    /// Decisions in a row that led to no action.
    pub decisions: u32,
    /// Observations in a row that failed.
    pub observations: u32,
}

/// Which budget was used up, and how much it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spent {
    /// Actions.
    Steps(u32),
    /// Failures.
    Failures(u32),
    /// Blocked proposals.
    Blocks(u32),
    /// Decisions that led to no action.
    Decisions(u32),
    /// Observations that failed.
    Observations(u32),
    /// Time, in seconds.
    Seconds(u32),
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spent::Steps(most) => write!(f, "as many actions as it may ({most})"),
            Spent::Failures(most) => write!(f, "more failures than it may ({most})"),
            Spent::Blocks(most) => write!(f, "more blocked proposals than it may ({most})"),
            Spent::Decisions(most) => {
                write!(f, "more decisions in a row than it may that led to no action ({most})")
            }
            Spent::Observations(most) => write!(f, "more looks in a row than it may that failed ({most})"),
            Spent::Seconds(most) => write!(f, "more time than it may ({most} seconds)"),
        }
    }
}

/// A signal that nothing follows on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("nothing follows on {signal:?} in the phase {phase:?}")]
pub struct Unexpected {
    /// The phase.
    pub phase: Phase,
    /// The signal.
    pub signal: Signal,
}

/// Where a run is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    phase: Phase,
    /// What may be used.
    pub budgets: Budgets,
    counters: Counters,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spent: Option<Spent>,
}

impl Machine {
    /// At the start.
    pub fn new(budgets: Budgets) -> Machine {
        Machine { phase: Phase::Observe, budgets, counters: Counters::default(), spent: None }
    }

    /// As it goes on after it was saved: what was under way is looked at anew.
    #[must_use]
    pub fn resumed(mut self) -> Machine {
        if self.phase != Phase::Finish {
            self.phase = Phase::Observe;
        }
        self
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// What has been used.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The budget that ended the run, if one did.
    pub fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// What the phase ended with; the next phase. A budget that is used up ends the run.
    ///
    /// # Errors
    /// A signal that nothing follows on: the run is at its end then, too.
    pub fn on(&mut self, signal: Signal) -> Result<Phase, Unexpected> {
        let phase = self.phase;
        if signal == Signal::TimeUp {
            self.end(Spent::Seconds(self.budgets.seconds));
            return Ok(self.phase);
        }
        let next = TABLE.iter().find(|(from, on, _)| *from == phase && *on == signal);
        let Some((_, _, next)) = next else {
            self.phase = Phase::Finish;
            return Err(Unexpected { phase, signal });
        };
        self.phase = *next;
        self.count(phase, signal);
        if self.phase == Phase::Act && self.counters.steps >= self.budgets.steps {
            self.end(Spent::Steps(self.budgets.steps));
        }
        Ok(self.phase)
    }

    /// Counts a gesture of getting back; whether it may be performed.
    pub fn gesture(&mut self) -> bool {
        let may = self.counters.steps < self.budgets.steps;
        self.counters.steps += u32::from(may);
        may
    }

    fn count(&mut self, phase: Phase, signal: Signal) {
        let Counters {
            steps,
            failures,
            in_a_row,
            recovered,
            replans,
            advised,
            blocks,
            decisions,
            observations,
        } = &mut self.counters;
        match signal {
            Signal::Observed => *observations = 0,
            Signal::Unobservable => *observations += 1,
            Signal::Unusable | Signal::Stale => *decisions += 1,
            Signal::Advised => (*advised, *decisions) = (*advised + 1, *decisions + 1),
            Signal::Blocked => *blocks += 1,
            Signal::Performed => (*steps, *decisions) = (*steps + 1, 0),
            Signal::NoChange | Signal::Fail | Signal::NotPerformed => {
                (*failures, *in_a_row) = (*failures + 1, *in_a_row + 1);
            }
            Signal::Success => {
                *recovered += *in_a_row;
                *in_a_row = 0;
            }
            Signal::Replan => {
                *replans += 1;
                // Nothing was done: it was decided in vain.
                *decisions += u32::from(phase == Phase::Act);
            }
            _ => {}
        }
        let Counters { failures, blocks, decisions, observations, .. } = self.counters;
        let budgets = &self.budgets;
        let spent = [
            (failures > budgets.failures, Spent::Failures(budgets.failures)),
            (blocks > budgets.blocks, Spent::Blocks(budgets.blocks)),
            (decisions > budgets.decisions, Spent::Decisions(budgets.decisions)),
            (observations > budgets.observations, Spent::Observations(budgets.observations)),
        ];
        if let Some((_, spent)) = spent.into_iter().find(|(over, _)| *over)
            && self.phase != Phase::Finish
        {
            self.end(spent);
        }
    }

    fn end(&mut self, spent: Spent) {
        self.phase = Phase::Finish;
        self.spent = Some(spent);
    }

    /// Whether the failures in a row ask for a new plan rather than for another try.
    pub fn escalates(&self) -> bool {
        self.counters.in_a_row >= self.budgets.in_a_row
    }
}
