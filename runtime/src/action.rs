//! What an agent proposes: actions, their arguments, and updates.
//!
//! All of them are made against a vocabulary and are well-typed once they exist. Must never decide
//! anything.

mod builder;
mod input;
mod update;

use crate::gate::feedback::Feedback;
pub use builder::ActionBuilder;
use chrono::{NaiveDate, NaiveTime};
pub use input::Input;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::eval::{Assignment, ValueSource};
use intentgate_engine::schema::{ActionId, Vocabulary};
use intentgate_engine::value::{Text, Value};
use rust_decimal::Decimal;
pub use update::{Update, UpdateBuilder};
pub(crate) use update::{distinct, find_state, find_variable};

/// An argument of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// Declared, and of its declared type.
    Typed(Value),
    /// Of an action that declares none: passed on as it came.
    Free(serde_json::Value),
}

/// The arguments of an action: what was judged, and what the effect gets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arguments {
    items: Vec<(Text, Argument)>,
}

impl Arguments {
    /// An argument by name.
    pub fn get(&self, name: &str) -> Option<&Argument> {
        self.items.iter().find(|(known, _)| known.as_str() == name).map(|(_, argument)| argument)
    }

    /// All of them, in the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Argument)> {
        self.items.iter().map(|(name, argument)| (name.as_str(), argument))
    }

    /// A declared Text or Enum argument, or a free text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Argument::Typed(Value::Text(text)) => Some(text.as_str()),
            Argument::Typed(Value::Enum(enumerator)) => Some(enumerator.name()),
            Argument::Free(value) => value.as_str(),
            Argument::Typed(_) => None,
        }
    }

    /// A declared Number argument.
    pub fn number(&self, name: &str) -> Option<Decimal> {
        match self.get(name)? {
            Argument::Typed(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// A declared Boolean argument, or a free one.
    pub fn boolean(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Argument::Typed(Value::Boolean(value)) => Some(*value),
            Argument::Free(value) => value.as_bool(),
            Argument::Typed(_) => None,
        }
    }

    /// A declared Date argument.
    pub fn date(&self, name: &str) -> Option<NaiveDate> {
        match self.get(name)? {
            Argument::Typed(Value::Date(date)) => Some(*date),
            _ => None,
        }
    }

    /// A declared Time argument.
    pub fn time(&self, name: &str) -> Option<NaiveTime> {
        match self.get(name)? {
            Argument::Typed(Value::Time(time)) => Some(*time),
            _ => None,
        }
    }

    /// Keeps them in the order of their names, so that the order of a proposal doesn't matter.
    fn push(&mut self, name: Text, argument: Argument) {
        let place = self.items.partition_point(|(known, _)| *known < name);
        self.items.insert(place, (name, argument));
    }
}

/// An action that is proposed. Moving it moves a pointer.
#[derive(Debug, Clone)]
pub struct Action(pub(crate) Box<Parts>);

/// The same name, arguments and update; by whichever proposal.
impl PartialEq for Action {
    fn eq(&self, other: &Action) -> bool {
        let (left, right) = (&self.0, &other.0);
        left.vocabulary == right.vocabulary
            && left.name == right.name
            && left.claims_critical == right.claims_critical
            && left.trigger_failed == right.trigger_failed
            && left.arguments == right.arguments
            && left.overlay == right.overlay
    }
}

/// What binds a permit to its situation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ticket {
    pub(crate) session: u64,
    pub(crate) epoch: u64,
    pub(crate) activity: u64,
    pub(crate) note: Option<Box<Feedback>>,
    /// The permit's name in the record.
    pub(crate) hold: Option<Box<str>>,
}

/// What an action is made of.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    /// What a permit adds: it lives here, so that a permit is a pointer, too.
    pub(crate) ticket: Ticket,
    pub(crate) vocabulary: u64,
    pub(crate) name: Text,
    pub(crate) critical: Option<ActionId>,
    pub(crate) claims_critical: bool,
    /// The critical action that its name is nearly, if it is not one itself.
    pub(crate) near: Option<ActionId>,
    /// Whether the vocabulary declares it.
    pub(crate) declared: bool,
    /// Why its trigger could not say what it would change.
    pub(crate) trigger_failed: Option<String>,
    pub(crate) arguments: Arguments,
    /// What it lays over the store: its arguments, then what the agent states, then what triggers say.
    pub(crate) overlay: Vec<Assignment>,
    /// How many of these are arguments.
    pub(crate) argument_count: usize,
    /// How many of these are arguments or stated; what a trigger says stands behind them, wins over
    /// them, and is forgotten before the action is judged again.
    pub(crate) stated_count: usize,
}

impl Action {
    /// Starts an action of that name. One that is named like a declared critical action is one.
    pub fn named<'v>(vocabulary: &'v Vocabulary, name: &str) -> ActionBuilder<'v> {
        let critical = vocabulary.find_action(name);
        let mut builder = ActionBuilder {
            vocabulary,
            source: ValueSource::Agent,
            fault: checked_name(name).err(),
            action: Action(Box::new(Parts {
                ticket: Ticket::default(),
                vocabulary: vocabulary.identity(),
                name: Text::new(name),
                near: if critical.is_some() { None } else { vocabulary.near_action(name) },
                declared: critical.is_some() || vocabulary.find_step(name).is_some(),
                critical,
                claims_critical: false,
                trigger_failed: None,
                arguments: Arguments::default(),
                overlay: Vec::new(),
                argument_count: 0,
                stated_count: 0,
            })),
        };
        if let Some(id) = builder.action.0.critical {
            // Arguments that are not given are unknown, whatever an earlier proposal said.
            for variable in vocabulary.state(vocabulary.action(id).arguments()).variables() {
                builder.action.0.overlay.push(Assignment { variable, value: None, source: ValueSource::App });
            }
            builder.action.0.argument_count = builder.action.0.overlay.len();
        }
        builder
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.0.name.as_str()
    }

    /// The critical action that it is, if it is one.
    pub fn critical(&self) -> Option<ActionId> {
        self.0.critical
    }

    /// Its arguments.
    pub fn arguments(&self) -> &Arguments {
        &self.0.arguments
    }

    /// Puts its update in the order of the vocabulary: the same update is the same, however it was
    /// written.
    pub(crate) fn order(&mut self) {
        let arguments = self.0.argument_count;
        if let Some(update) = self.0.overlay.get_mut(arguments..) {
            update.sort_by_key(|assignment| assignment.variable);
        }
    }

    /// The same, every value of it said by an agent.
    pub(crate) fn said_by_agent(mut self) -> Action {
        self.0.overlay.iter_mut().for_each(|assignment| assignment.source = ValueSource::Agent);
        self
    }

    /// Its update as one: what a trigger says in place of what the agent states of the same variable.
    pub(crate) fn merged_update(&self) -> Vec<Assignment> {
        let update = self.update();
        let said_later = |index: usize, assignment: &Assignment| {
            update.iter().skip(index + 1).any(|later| later.variable == assignment.variable)
        };
        let kept = update.iter().enumerate().filter(|(index, assignment)| !said_later(*index, assignment));
        let mut merged: Vec<Assignment> = kept.map(|(_, assignment)| assignment.clone()).collect();
        merged.sort_by_key(|assignment| assignment.variable);
        merged
    }

    /// What it lays over the store besides its arguments, later ones over earlier ones.
    pub fn update(&self) -> &[Assignment] {
        self.0.overlay.get(self.0.argument_count..).unwrap_or(&[])
    }
}

fn checked_name(name: &str) -> Result<(), Fault> {
    if name.trim().is_empty() {
        return Err(Fault::new(Code::NamelessAction, "the action has no name"));
    }
    if matches!(name.trim(), "Done" | "Never") {
        let message = format!("`{}` is no action", name.trim());
        return Err(Fault::new(Code::ReservedAction, message)
            .help("the task is complete when a rule for `Done` is true; nobody performs it"));
    }
    Ok(())
}
