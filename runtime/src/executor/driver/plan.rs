//! Finding a way, and choosing among several.
//!
//! Knows the model, the goal, the session and a judge. Must never know a device or an agent.

use super::{Driver, Signal};
use crate::executor::account::Outcome;
use crate::executor::judge::Case;
use crate::executor::task::{Aim, Status};
use crate::planner::{Bounds, Completion, Goal, Model, PageId, Path, Planner, Start, Step, Transition};
use std::collections::{HashMap, HashSet};

/// What a transition costs more for each time that it failed.
const DISTRUST: u32 = 5;
/// States, or questions to the evaluator, that a plan may take.
const EXPANSIONS: usize = 1_000_000;

impl Driver<'_> {
    pub(super) async fn find_way(&mut self) -> (Signal, String) {
        self.no_plan = None;
        let Some(part) = self.task.sub_tasks.get(self.part) else { return (Signal::Reached, String::new()) };
        if part.status == Status::Open {
            (self.acted, self.performed) = (false, 0);
            self.visited = self.page.into_iter().collect();
        }
        if self.is_reached() {
            return self.next_part();
        }
        if let Some(part) = self.task.sub_tasks.get_mut(self.part) {
            part.status = Status::UnderWay;
        }
        if !self.options.plans {
            self.plan = None;
            return (Signal::Unplanned, String::new());
        }
        if self.page.is_none() {
            self.plan = None;
            return self.unplanned("the page can't be told, so no way can be planned".to_owned());
        }
        if let Some(next) = self.rest().and_then(|rest| rest.steps.first().cloned())
            && Some(next.from) == self.page
            && self.is_possible(&next)
        {
            return (Signal::Planned, String::new());
        }
        self.plan_anew().await
    }

    /// What is left of the plan.
    pub(super) fn rest(&self) -> Option<Path> {
        let plan = self.plan.as_ref()?;
        let steps = plan.steps.get(self.followed..)?.to_vec();
        (!steps.is_empty()).then_some(Path { steps, cost: plan.cost })
    }

    fn is_possible(&self, step: &Step) -> bool {
        let start = Start { page: self.page, values: self.values.clone() };
        self.model.is_possible(&start, step.transition)
    }

    /// The goal is reached: what holds before anything was done was not done for it.
    fn next_part(&mut self) -> (Signal, String) {
        let acted = self.acted;
        if let Some(part) = self.task.sub_tasks.get_mut(self.part) {
            part.status = if acted { Status::Done } else { Status::HeldBefore };
        }
        self.plan = None;
        self.part += 1;
        if self.part < self.task.sub_tasks.len() {
            return (Signal::NextSubTask, String::new());
        }
        (Signal::Reached, String::new())
    }

    fn is_reached(&self) -> bool {
        let Some(part) = self.task.sub_tasks.get(self.part) else { return true };
        match &part.aim {
            Aim::Complete => self.session.is_done(),
            Aim::Open => false,
            Aim::Goal(goal) => match (self.remaining(goal), self.page) {
                (Goal::Any(pages), Some(page)) => pages.contains(&page),
                (Goal::All(pages), _) => pages.is_empty(),
                (Goal::Functions(calls), _) => calls.is_empty(),
                (condition @ Goal::Condition(_), page) => {
                    let start = Start { page, values: self.values.clone() };
                    self.model.validate(&start, &condition, &[]).is_ok()
                }
                (Goal::Any(_), None) => false,
            },
        }
    }

    /// What is left of a goal.
    fn remaining(&self, goal: &Goal) -> Goal {
        match goal {
            Goal::All(pages) => {
                Goal::All(pages.iter().copied().filter(|page| !self.visited.contains(page)).collect())
            }
            Goal::Functions(calls) => Goal::Functions(calls.get(self.performed..).unwrap_or(&[]).to_vec()),
            other => other.clone(),
        }
    }

    /// No way is known; an agent may find one.
    fn unplanned(&mut self, said: String) -> (Signal, String) {
        let owed = self.owed.keys().map(|action| owed(action)).filter(|owed| *owed != said);
        let besides: String = owed.chain(self.stuck.clone()).map(|said| format!("; {said}")).collect();
        let said = format!("{said}{besides}");
        self.no_plan = Some(said.clone());
        (Signal::Unplanned, said)
    }

    async fn plan_anew(&mut self) -> (Signal, String) {
        (self.plan, self.followed) = (None, 0);
        let start = Start { page: self.page, values: self.values.clone() };
        // Evidence counts, and what failed is taken for dearer than it is.
        let model = self
            .model
            .weighed()
            .with_costs(|id| self.suspects.get(&id).map_or(0, |count| count.saturating_mul(DISTRUST)));
        let mut planner = Planner::new(&model);
        let bounds = Bounds { expansions: EXPANSIONS, ..Bounds::default() };
        let most = self.options.candidates.max(1);
        let aim = self.task.sub_tasks.get(self.part).map_or(Aim::Open, |part| part.aim.clone());
        let plans = match &aim {
            Aim::Open => return (Signal::Unplanned, String::new()),
            Aim::Goal(goal) => {
                let goal = self.remaining(goal);
                planner.plans(&start, &goal, most, &bounds).map_err(|error| error.to_string())
            }
            Aim::Complete => match planner.complete(&start, &self.session, &bounds) {
                Ok(Completion::Path(path)) => {
                    // Others are looked for as long as the first took, a few times over.
                    let expansions = planner.effort().expanded.saturating_mul(most).max(200);
                    let bounds = Bounds { expansions, ..bounds };
                    let others = planner.completions(&start, &self.session, most, &bounds);
                    let others = others.map_err(|error| error.to_string());
                    others.map(|others| match others.paths.is_empty() {
                        true => crate::planner::Several { paths: vec![path], limited: true },
                        false => others,
                    })
                }
                Ok(Completion::TrueFromTheStart) => return self.next_part(),
                Ok(Completion::Forbidden(prohibitions)) => {
                    let named =
                        prohibitions.iter().map(|one| format!("{} ({}:{})", one.rule, one.source, one.line));
                    let because = named.collect::<Vec<_>>().join(", ");
                    self.outcome = Outcome::Forbidden { because: because.clone() };
                    return (Signal::Impossible, because);
                }
                Ok(Completion::AgainstAdvice(_)) => {
                    return self.unplanned("the gate advises against every way that is known".to_owned());
                }
                Ok(Completion::NoKnownPath) => return self.unplanned(self.no_way()),
                Ok(Completion::Limit) => {
                    return self.unplanned("the search for a way was not finished".to_owned());
                }
                Err(fault) => Err(fault.to_string()),
            },
        };
        match plans {
            Ok(several) if several.paths.is_empty() => self.unplanned(self.no_way()),
            Ok(several) => {
                let (best, note) = self.judged(&model, &several.paths).await;
                let note = note.map(|note| format!("; {note}")).unwrap_or_default();
                let said = format!("{} of {} plans{note}", best + 1, several.paths.len());
                let plan = several.paths.into_iter().nth(best);
                if let Some(owed) = plan.as_ref().and_then(|plan| self.owed_in(plan)) {
                    return self.unplanned(owed);
                }
                self.plan = plan;
                (Signal::Planned, said)
            }
            Err(error) => self.unplanned(error),
        }
    }

    fn no_way(&self) -> String {
        format!("no way to the goal is known from `{}`", self.page_name().unwrap_or_default())
    }

    /// Why a plan is none: it performs once more what was performed.
    fn owed_in(&self, plan: &Path) -> Option<String> {
        let mut steps = plan.steps.iter().filter_map(|step| step.asked.as_ref());
        steps.find(|asked| self.owes(asked.action.name())).map(|asked| owed(asked.action.name()))
    }

    /// The place of the plan that the judge likes best, and what it has to say.
    async fn judged(&mut self, model: &Model, plans: &[Path]) -> (usize, Option<String>) {
        let Some(sub_task) = self.task.sub_tasks.get(self.part) else { return (0, None) };
        // There is nothing to choose.
        if plans.len() < 2 {
            return (0, None);
        }
        let case = Case { sentence: &self.task.sentence, sub_task, model, plans };
        let judged = self.options.judge.scores(&case).await;
        (judged.best(), judged.note)
    }
}

/// What is said of a critical action that was performed, and nothing shows it.
pub(super) fn owed(action: &str) -> String {
    format!(
        "`{action}` was performed, and what should be seen after it was not: it is not performed once more"
    )
}

/// Where actions lead by evidence: where they were seen to lead more than once, and at least half as often as elsewhere.
pub(super) fn trusted(model: &Model) -> HashSet<(PageId, String, PageId)> {
    let mut most: HashMap<(PageId, &str), u64> = HashMap::new();
    for (_, one) in model.transitions() {
        let most = most.entry((one.from(), one.event())).or_default();
        *most = (*most).max(one.count());
    }
    let often = |one: &Transition| {
        let most = most.get(&(one.from(), one.event())).copied().unwrap_or(0);
        one.count() >= 2 && one.count().saturating_mul(2) >= most
    };
    let seen = model.transitions().map(|(_, one)| one).filter(|one| often(one));
    seen.map(|one| (one.from(), one.event().to_owned(), one.to())).collect()
}
