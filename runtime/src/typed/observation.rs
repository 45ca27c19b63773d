//! What can be reported to a session.

use super::State;
use crate::Update;
use crate::action::distinct;
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::eval::ValueSource;
use intentgate_engine::schema::Vocabulary;
use std::borrow::Cow;

/// What can be observed: an [`Update`], a state, an update of a state, and tuples of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be observed",
    label = "not an observation",
    note = "observe an `Update`, a value of a type that derives `State`, its `update()`, or a tuple of these"
)]
pub trait Observation {
    /// The values, for a vocabulary.
    ///
    /// # Errors
    /// A vocabulary without the state or the variable, or with another type; values out of range; a
    /// variable that stands twice.
    fn to_update(&self, vocabulary: &Vocabulary) -> Result<Cow<'_, Update>, Fault>;

    /// The same, said by somebody else than the app.
    fn said_by(self, source: ValueSource) -> SaidBy<Self>
    where
        Self: Sized,
    {
        SaidBy { observation: self, source }
    }
}

impl Observation for Update {
    fn to_update(&self, _: &Vocabulary) -> Result<Cow<'_, Update>, Fault> {
        Ok(Cow::Borrowed(self))
    }
}

impl<S: State> Observation for S {
    fn to_update(&self, vocabulary: &Vocabulary) -> Result<Cow<'_, Update>, Fault> {
        Ok(Cow::Owned(self.fields().to_update(vocabulary)?.into_owned()))
    }
}

/// An observation with its source.
#[derive(Debug, Clone)]
pub struct SaidBy<O> {
    observation: O,
    source: ValueSource,
}

impl<O: Observation> Observation for SaidBy<O> {
    fn to_update(&self, vocabulary: &Vocabulary) -> Result<Cow<'_, Update>, Fault> {
        let mut update = self.observation.to_update(vocabulary)?.into_owned();
        for assignment in &mut update.assignments {
            assignment.source = self.source;
        }
        Ok(Cow::Owned(update))
    }
}

macro_rules! tuples {
    ($(($($part:ident)*))*) => { $(
        #[expect(non_snake_case, reason = "a variable for each type parameter")]
        impl<$($part: Observation),*> Observation for ($($part,)*) {
            fn to_update(&self, vocabulary: &Vocabulary) -> Result<Cow<'_, Update>, Fault> {
                let ($($part,)*) = self;
                let mut assignments = Vec::new();
                $(
                    let part = $part.to_update(vocabulary)?.into_owned();
                    // One made for another vocabulary stays so, and is refused as such.
                    if part.vocabulary != vocabulary.identity() {
                        return Ok(Cow::Owned(part));
                    }
                    assignments.extend(part.assignments);
                )*
                distinct(vocabulary, &assignments)?;
                Ok(Cow::Owned(Update::from_assignments(vocabulary, assignments)))
            }
        }
    )* };
}
tuples!((A B) (A B C) (A B C D) (A B C D E) (A B C D E F));
