//! Examples in which as much as can be is as it was.
//!
//! Knows what is known at present; must never know what is searched for.

use crate::analysis::{Analyst, Found, Trouble};
use crate::schema::{ActionId, VariableId};
use crate::solve::Claim;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};

impl Analyst {
    /// An example as [`Analyst::find`] gives it, in which as much as can be is as it was.
    pub(super) fn find_near(
        &mut self,
        claims: &[Claim],
        spoken: &BTreeSet<VariableId>,
        present: &BTreeMap<VariableId, Value>,
        attempted: Option<ActionId>,
    ) -> Result<Found, Trouble> {
        // Arguments of other actions are as they were performed.
        let present: Vec<(VariableId, &Value)> = present
            .iter()
            .map(|(id, value)| (*id, value))
            .filter(|(id, _)| self.argument_of(*id).is_none_or(|of| Some(of) == attempted))
            .collect();
        if present.is_empty() {
            return self.find(claims, spoken);
        }
        let spoken: BTreeSet<VariableId> =
            spoken.iter().copied().chain(present.iter().map(|(id, _)| *id)).collect();
        let mut kept: Vec<Claim> = present.iter().map(|(id, value)| self.problem.is(*id, value)).collect();
        let mut given_up: Vec<Claim> = Vec::new();
        let mut best = loop {
            let all: Vec<Claim> = claims.iter().chain(&kept).cloned().collect();
            match self.find(&all, &spoken)? {
                Found::Nothing(core) => {
                    let mut vain: Vec<usize> =
                        core.iter().filter_map(|place| place.checked_sub(claims.len())).collect();
                    if vain.is_empty() {
                        return Ok(Found::Nothing(core));
                    }
                    vain.sort_unstable();
                    given_up.extend(vain.into_iter().rev().map(|place| kept.remove(place)));
                }
                found => break found,
            }
        };
        // Not all of a core was in the way.
        for claim in given_up {
            kept.push(claim);
            let all: Vec<Claim> = claims.iter().chain(&kept).cloned().collect();
            match self.find(&all, &spoken)? {
                Found::Nothing(_) => drop(kept.pop()),
                found => best = found,
            }
        }
        Ok(best)
    }
}
