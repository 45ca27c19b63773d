//! What only the world can tell, reported after the fact. It cannot be blocked.

use super::Session;
use crate::Update;
use crate::gate::feedback::{Feedback, FeedbackKind, contradictions};
use crate::typed::Observation;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::Assignment;

/// What an observation led to.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// Whether anything changed.
    pub changed: bool,
    /// How many objectives it achieved, `Done` included.
    pub achieved: usize,
    /// Whether the task is complete now.
    pub done: bool,
    /// What is worth knowing: that it leads away from the task, or that the task needed no action.
    pub feedback: Option<Box<Feedback>>,
}

impl Session {
    /// Reports what was observed. It is evaluated the same way as a step, and stays whatever that says.
    /// An observation made while an effect runs wins over what the effect would set.
    ///
    /// # Errors
    /// An update for another vocabulary; no more texts can be remembered; the record can't be written.
    /// The variables of an update that can't be remembered become unknown; after a failed record the
    /// session decides nothing more.
    pub fn observe(&mut self, observation: &(impl Observation + ?Sized)) -> Result<Observed, Fault> {
        let update = observation.to_update(self.vocabulary())?;
        self.observe_update(&update)
    }

    fn observe_update(&mut self, update: &Update) -> Result<Observed, Fault> {
        if let Some(fault) = self.broken_fault() {
            return Err(fault);
        }
        self.check_vocabulary(update.vocabulary)?;
        self.tick();
        match self.observe_now(update) {
            Ok(observed) => {
                self.record_observation(update, &observed)?;
                Ok(observed)
            }
            Err(fault) => {
                // What can't be remembered is not what was remembered before: it is unknown.
                let forget = |a: &Assignment| Assignment { value: None, ..a.clone() };
                let assignments = update.assignments.iter().map(forget).collect();
                let forgotten = Update { vocabulary: update.vocabulary, assignments };
                let observed = self.observe_now(&forgotten)?;
                self.record_observation(&forgotten, &observed)?;
                Err(fault)
            }
        }
    }

    // Inlined for the path on which nothing is amiss.
    #[inline(always)]
    fn observe_now(&mut self, update: &Update) -> Result<Observed, Fault> {
        let was_done = self.is_done();
        let changed = self.commit(&update.assignments, false)?;
        for flight in &mut self.flights {
            for assignment in &update.assignments {
                if !flight.overridden.contains(&assignment.variable) {
                    flight.overridden.push(assignment.variable);
                }
            }
        }
        let touched = update.assignments.iter().map(|assignment| assignment.variable);
        let suspect = !was_done && self.evaluator.is_suspect(touched, false);
        let mut feedback = suspect.then(|| {
            let alternatives = contradictions(&self.evaluator, &update.assignments);
            Box::new(Feedback { alternatives, ..Feedback::new(FeedbackKind::Note, None, Code::Suspect) })
        });
        let achieved = self.settle();
        let done = self.is_done();
        if done && !was_done && !self.acted {
            feedback = Some(Box::new(Feedback::new(FeedbackKind::Note, None, Code::CompleteAtStart)));
        }
        Ok(Observed { changed, achieved, done, feedback })
    }
}
