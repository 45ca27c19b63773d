//! Looking at the device: what it shows, which page that is, what it says of the vocabulary.

use super::{Driver, Signal};
use crate::Update;
use crate::executor::account::Outcome;
use crate::executor::device::{Gesture, Observation};
use crate::executor::locate::Located;
use crate::planner::{Origin, PageId, Transition};
use crate::session::Observed;
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::input;
use intentgate_engine::json;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{VariableId, VariableType, Vocabulary};
use intentgate_engine::span::Source;
use intentgate_engine::value::Value;

/// What is said of a look, at most.
const SAID: usize = 20;

impl Driver<'_> {
    pub(super) fn look(&mut self) -> (Signal, String) {
        match self.device.observe() {
            Ok(shown) => match self.take_in(shown) {
                Ok(said) => (Signal::Observed, said),
                Err(fault) => {
                    self.outcome = Outcome::GaveUp { because: fault.to_string() };
                    (Signal::Unobservable, fault.to_string())
                }
            },
            Err(error) => (Signal::Unobservable, error.to_string()),
        }
    }

    /// Tells the session and the model what is shown; what could not be told is said.
    pub(super) fn take_in(&mut self, shown: Observation) -> Result<String, Fault> {
        let mut values = shown.values.clone();
        if let Some(reader) = &mut self.options.reader {
            for (state, read) in reader(&shown) {
                values.entry(state).or_insert(read);
            }
        }
        self.shown = shown;
        self.values_shown.clear();
        let mut said = Vec::new();
        let mut assignments = Vec::new();
        for (state, variables) in &values {
            let Some(variables) = variables.as_object() else { continue };
            for (name, value) in variables {
                let path = format!("{state}.{name}");
                self.values_shown.insert(path.clone(), value.clone());
                if let Some(id) = self.session.vocabulary().find_path(&path) {
                    let kind = self.session.vocabulary().variable(id).variable_type();
                    match typed(value, &path, kind) {
                        Ok(value) => {
                            if value.is_some() {
                                self.reported.insert(id);
                            }
                            assignments.push(Assignment { variable: id, value, source: ValueSource::App });
                        }
                        // What is of no use is unknown, and never what it was.
                        Err(fault) => {
                            assignments.push(Assignment {
                                variable: id,
                                value: None,
                                source: ValueSource::App,
                            });
                            said.push(fault.to_string());
                        }
                    }
                } else if let Some(id) = own(self.model.vocabulary(), &path) {
                    let kind = self.model.vocabulary().variable(id).variable_type();
                    match typed(value, &path, kind) {
                        Ok(value) => drop(self.values.insert(id, value)),
                        Err(fault) => said.push(fault.to_string()),
                    }
                } else {
                    said.push(format!("nothing is called `{}`", input::shortened(&path)));
                }
            }
        }
        // Only what is news, or what grows old: what is shown again has not been observed anew by a step.
        assignments.retain(|one| {
            let fact = self.session.fact(one.variable);
            let ages = self.session.vocabulary().variable(one.variable).max_age().is_some();
            fact.value != one.value || !fact.counts || ages
        });
        if !assignments.is_empty() {
            let update = Update::from_assignments(self.session.vocabulary(), assignments);
            let Observed { feedback, .. } = self.session.observe(&update)?;
            said.extend(feedback.map(|feedback| feedback.to_string()));
        }
        self.settle_debts();
        if said.len() > SAID {
            let more = said.len() - SAID;
            said.truncate(SAID);
            said.push(format!("and {more} more"));
        }
        Ok(said.join("; "))
    }

    /// The page that is shown, by the labeller where there is one.
    pub(super) async fn place(&mut self) -> Located {
        match &mut self.options.labeller {
            Some(labeller) => self.locator.locate_by(&self.model, &self.shown, labeller.as_mut()).await,
            None => self.locator.locate(&self.model, &self.shown),
        }
    }

    /// Takes the page that was found for the one that it is on.
    pub(super) fn stand_on(&mut self, located: &Located) {
        self.page = located.page().map(|page| self.model.add_page(page));
        if let Some(page) = self.page
            && !self.visited.contains(&page)
        {
            self.visited.push(page);
        }
    }

    /// Waits until it is looked at once more; each time as long again as before.
    pub(super) fn wait(&mut self, look: u32) {
        let longer = 1_u32.checked_shl(look.saturating_sub(1)).unwrap_or(u32::MAX);
        // Whether the device can wait or not, it is looked at once more.
        let _ = self.device.perform(&Gesture::Wait(self.options.pause.saturating_mul(longer)));
    }

    /// Whether something leads on from a page, or is said to lead to it: it is no page that merely comes up.
    pub(super) fn is_charted(&self, located: &Located) -> bool {
        let Some(page) = located.page().and_then(|page| self.model.find_page(page)) else { return false };
        let leads = |one: &Transition| one.to() == page && one.origin() != Origin::Observed;
        self.leads_on(page) || self.model.transitions().any(|(_, one)| leads(one))
    }

    /// Whether the model knows something that leads on from a page.
    pub(super) fn leads_on(&self, page: PageId) -> bool {
        self.model.transitions().any(|(_, one)| one.from() == page)
    }

    pub(super) async fn locate(&mut self) -> (Signal, String) {
        let mut located = self.place().await;
        // A page that nothing is known of may be one that is not ready yet.
        let some = self.model.transitions().next().is_some();
        for look in 1..self.options.looks {
            if !some || self.is_charted(&located) {
                break;
            }
            self.wait(look);
            let Ok(shown) = self.device.observe() else { break };
            if let Err(fault) = self.take_in(shown) {
                return (Signal::Located, fault.to_string());
            }
            located = self.place().await;
        }
        self.stand_on(&located);
        let said = match located {
            Located::Known(_) => String::new(),
            Located::New(page) => format!("the page {page} is new"),
            Located::Nowhere => "the page can't be told".to_owned(),
        };
        (Signal::Located, said)
    }
}

/// A variable of a model: of a state of its vocabulary that is no function's.
fn own(vocabulary: &Vocabulary, path: &str) -> Option<VariableId> {
    let id = vocabulary.find_path(path)?;
    let state = vocabulary.variable(id).state();
    vocabulary.state(state).arguments_of().is_none().then_some(id)
}

pub(super) fn typed(
    value: &serde_json::Value,
    path: &str,
    kind: &VariableType,
) -> Result<Option<Value>, Fault> {
    let source = Source::new("observation", value.to_string());
    let limits = Limits::default();
    let unreadable = |_| {
        let code = intentgate_engine::diagnostic::Code::ValueRange;
        Fault::new(code, format!("the value of `{path}` can't be read"))
    };
    let node = json::parse(&source, &limits).map_err(unreadable)?;
    input::json_value(&node, path, kind, None, &limits)
}
