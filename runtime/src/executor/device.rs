//! What an agent acts on: a phone, a browser, a simulated app, behind one trait.
//!
//! Knows gestures, observations and what can go wrong with them. Must never know what a gesture is for,
//! who decided on it, or whether it was allowed. A device says of every failure whether the gesture may
//! have been performed all the same: what may have happened is never reported as not performed.

#[cfg(feature = "adb")]
pub mod adb;
pub mod command;
mod gesture;
pub mod simulated;

pub use gesture::{Direction, Distance, Gesture, Target};

use super::screen::{Screen, SelectorError};
use crate::EffectError;
use intentgate_engine::diagnostic::Problems;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a device shows and tells.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Observation {
    /// The screen, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<Screen>,
    /// The page of the app's model, where the device knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// What it knows of the vocabulary's states: state, then variable, then value, as in a trace's
    /// `observe`.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub values: serde_json::Map<String, serde_json::Value>,
}

/// Something that can be watched and acted on, one at a time.
pub trait Device {
    /// Its name, for messages and reports.
    fn name(&self) -> &str;

    /// What it shows now.
    ///
    /// # Errors
    /// It can't be told. Nothing was changed by asking.
    fn observe(&mut self) -> Result<Observation, DeviceError>;

    /// Performs a gesture. A target that is an element is looked up on the screen as it is now, and has to
    /// be exactly one; a tag is one of the screen that was observed last.
    ///
    /// # Errors
    /// It was not performed, or it may have been: [`DeviceError::performed`] tells.
    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError>;
}

impl<D: Device + ?Sized> Device for Box<D> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        (**self).observe()
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        (**self).perform(gesture)
    }
}

/// Whether what failed was performed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Performed {
    /// Surely not: nothing of it reached the app.
    No,
    /// It may have been, in whole or in part.
    Maybe,
}

/// Why a device did not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is no such device, it is off-line, or what leads to it is gone.
    #[error("the device {device} is not available: {reason}")]
    Unavailable {
        /// The device's name.
        device: String,
        /// Why.
        reason: String,
        /// Whether the gesture may have been performed.
        performed: Performed,
    },
    /// No answer in time.
    #[error("{what} took longer than {} s", .limit.as_secs_f32())]
    Timeout {
        /// What was waited for.
        what: String,
        /// How long.
        limit: Duration,
        /// Whether the gesture may have been performed.
        performed: Performed,
    },
    /// No element fits the target, or several do.
    #[error(transparent)]
    Selector(#[from] SelectorError),
    /// The target is a tag that the screen doesn't have.
    #[error("there is no tag {tag}; the screen that was observed last has {tags}")]
    NoSuchTag {
        /// The tag.
        tag: u32,
        /// How many tags there are, from 1.
        tags: usize,
    },
    /// The target has no place on the screen that could be touched.
    #[error("the target can't be touched: {reason}")]
    Untouchable {
        /// Why.
        reason: String,
    },
    /// The device can't do that.
    #[error("the device can't do that: {reason}")]
    Unsupported {
        /// Why.
        reason: String,
    },
    /// The device says that it failed.
    #[error("it failed: {reason}")]
    Failed {
        /// The device's words.
        reason: String,
        /// Whether the gesture may have been performed.
        performed: Performed,
    },
    /// The device says what is not an answer.
    #[error("the answer can't be used: {reason}")]
    Protocol {
        /// What is wrong with it.
        reason: String,
        /// Whether the gesture may have been performed.
        performed: Performed,
    },
    /// The screen can't be read.
    #[error("the screen can't be read: {0}")]
    Screen(Box<Problems>),
}

impl DeviceError {
    /// Whether the gesture may have been performed all the same.
    pub fn performed(&self) -> Performed {
        match self {
            DeviceError::Unavailable { performed, .. }
            | DeviceError::Timeout { performed, .. }
            | DeviceError::Failed { performed, .. }
            | DeviceError::Protocol { performed, .. } => *performed,
            DeviceError::Selector(_)
            | DeviceError::NoSuchTag { .. }
            | DeviceError::Untouchable { .. }
            | DeviceError::Unsupported { .. }
            | DeviceError::Screen(_) => Performed::No,
        }
    }

    /// A word for each kind, for records: `unavailable`, `timeout`, `missing`, `ambiguous`, `untouchable`,
    /// `unsupported`, `failed`, `protocol`, `screen`.
    pub fn kind(&self) -> &'static str {
        match self {
            DeviceError::Unavailable { .. } => "unavailable",
            DeviceError::Timeout { .. } => "timeout",
            DeviceError::Selector(SelectorError::Ambiguous { .. } | SelectorError::Empty) => "ambiguous",
            DeviceError::Selector(SelectorError::NotFound { .. }) | DeviceError::NoSuchTag { .. } => {
                "missing"
            }
            DeviceError::Untouchable { .. } => "untouchable",
            DeviceError::Unsupported { .. } => "unsupported",
            DeviceError::Failed { .. } => "failed",
            DeviceError::Protocol { .. } => "protocol",
            DeviceError::Screen(_) => "screen",
        }
    }

    /// The same error of something that came before the gesture: nothing of that was performed.
    #[must_use]
    fn before(mut self) -> DeviceError {
        self.set(Performed::No);
        self
    }

    /// The same error of something that may have been performed.
    #[cfg(feature = "adb")]
    #[must_use]
    fn during(mut self) -> DeviceError {
        self.set(Performed::Maybe);
        self
    }

    fn set(&mut self, to: Performed) {
        match self {
            DeviceError::Unavailable { performed, .. }
            | DeviceError::Timeout { performed, .. }
            | DeviceError::Failed { performed, .. }
            | DeviceError::Protocol { performed, .. } => *performed = to,
            _ => {}
        }
    }
}

/// For effects that the gate runs: what may have been performed has an unknown outcome.
impl From<DeviceError> for EffectError<DeviceError> {
    fn from(error: DeviceError) -> EffectError<DeviceError> {
        match error.performed() {
            Performed::No => EffectError::NotPerformed(error),
            Performed::Maybe => EffectError::Unknown(error),
        }
    }
}
