//! What `intentgate plan` says where a run found no way on.
//!
//! Knows what was to be reached and where the run ended; must never know how it got there.

use super::completion::{Answer, tell};
use super::{unasked, write_found};
use crate::files::Unusable;
use intentgate::Session;
use intentgate::engine::ir::Kind;
use intentgate::executor::account::Account;
use intentgate::executor::task::{Aim, Status};
use intentgate::planner::{Bounds, Completion, Found, Model, Planner, Start};
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// A run is over: as much as a plan of it may take.
const EXPANSIONS: usize = 100_000;

/// Why no plan leads on.
pub(crate) enum NoPlan {
    /// To the end of the specification.
    Task(Completion),
    /// To a goal on the model; what would lead there and was not asked for.
    Goal(Vec<String>),
}

impl NoPlan {
    /// Of the part of a task that a run did not reach, from where the run ended. Nothing if there is a plan, or it can't
    /// be told.
    pub(crate) fn new(
        account: &Account,
        model: &Model,
        session: &Session,
    ) -> Result<Option<NoPlan>, Unusable> {
        let open = |status| matches!(status, Status::Open | Status::UnderWay);
        let part = account.sub_tasks.iter().find(|part| open(part.status));
        let Some(part) = part.filter(|_| !account.outcome.is_success()) else { return Ok(None) };
        let page = account.log.iter().rev().find_map(|entry| entry.page.as_deref());
        let start = Start { page: page.and_then(|name| model.find_page(name)), ..Start::default() };
        let bounds = Bounds { expansions: EXPANSIONS, ..Bounds::default() };
        let weighed = model.weighed();
        let mut planner = Planner::new(&weighed);
        Ok(match &part.aim {
            Aim::Complete if session.specification().kind() != Kind::Standing => {
                let found = planner.complete(&start, session, &bounds)?;
                let none = matches!(
                    found,
                    Completion::Forbidden(_) | Completion::AgainstAdvice(_) | Completion::NoKnownPath
                );
                none.then_some(NoPlan::Task(found))
            }
            Aim::Goal(goal) => match planner.plan(&start, goal, &bounds)? {
                Found::NoKnownPath => {
                    Some(NoPlan::Goal(planner.functions_on_the_way(&start, goal, &bounds)?))
                }
                _ => None,
            },
            Aim::Complete | Aim::Open => None,
        })
    }

    /// In words.
    pub(crate) fn tell(&self, out: &mut impl Write, model: &Model, session: &Session) -> io::Result<()> {
        match self {
            NoPlan::Task(found) => tell(out, found, model, session),
            NoPlan::Goal(functions) => {
                write_found(out, &Found::NoKnownPath)?;
                unasked(out, functions)
            }
        }
    }

    /// As data.
    pub(crate) fn to_json(&self, model: &Model, session: &Session) -> Value {
        match self {
            NoPlan::Task(found) => serde_json::json!(Answer::new(found, model, session)),
            NoPlan::Goal(only_by) => {
                serde_json::json!(Goal { outcome: "no_known_path", only_by })
            }
        }
    }
}

/// Of a goal on the model.
#[derive(Serialize)]
struct Goal<'a> {
    outcome: &'static str,
    /// Functions that would lead there and were not asked for.
    only_by: &'a [String],
}
