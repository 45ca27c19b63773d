//! Rust types as the types of variables.
//!
//! Knows how a value of the host becomes an [`Input`], and back. Must never know a vocabulary.

use crate::Input;
use chrono::{NaiveDate, NaiveTime};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::value::{self, Value};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use std::borrow::Cow;

/// A type whose values can be those of a variable.
///
/// Implemented for texts, numbers, `bool`, [`NaiveDate`], [`NaiveTime`] and `Option` of them; enums
/// derive [`Enumeration`] instead. A newtype hands both functions on; a field of it says what it is:
///
/// ```
/// # mod app {
/// use intentgate::engine::{diagnostic::Fault, value::Value};
/// use intentgate::typed::variable::kind;
/// use intentgate::{FromVariable, Input, State, Variable, rust_decimal::Decimal};
///
/// struct Euro(Decimal);
///
/// impl Variable for Euro {
///     type Kind = kind::Number;
///     fn to_input(&self) -> Result<Input, Fault> { self.0.to_input() }
/// }
///
/// impl FromVariable for Euro {
///     fn from_value(value: &Value) -> Result<Euro, Fault> { Decimal::from_value(value).map(Euro) }
/// }
///
/// /// what is bought
/// #[derive(State)]
/// struct Cart {
///     #[state(type = Number)]
///     total: Euro,
/// }
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the type of a variable",
    label = "not the type of a variable",
    note = "for a newtype implement `Variable` and `FromVariable`",
    note = "a field that is not for rules gets `skip`"
)]
pub trait Variable {
    /// The type of the variable.
    type Kind: kind::Kind;

    /// The value.
    ///
    /// # Errors
    /// A value that the type of the variable doesn't have: NaN, infinity, a number beyond 28 digits.
    fn to_input(&self) -> Result<Input, Fault>;
}

/// A type that can be made of the value of a variable: what an action's arguments are, and what a
/// session reads out.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be made of the value of a variable",
    label = "has to own its value",
    note = "implement `FromVariable`; a borrowed text can be observed but not read: use `String` or `Cow<'_, str>`"
)]
pub trait FromVariable: Sized {
    /// The value of a variable as this type.
    ///
    /// # Errors
    /// A value of another type, or one that this type doesn't have: 1.5 for an `i64`.
    fn from_value(value: &Value) -> Result<Self, Fault>;

    /// What an unknown variable is; nothing if it has to be known.
    fn unknown() -> Option<Self> {
        None
    }
}

/// A set of names: what `#[derive(Enumeration)]` implements for enums without data.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no enumeration, so what type of variable it is can't be seen from its name",
    label = "not an enumeration",
    note = "variables are texts, numbers, `bool`, `NaiveDate`, `NaiveTime`, `Option`s of these, and enums that derive `Enumeration`",
    note = "for an alias of one of these, and for a type that implements `Variable`, say on the field what it is: `type = Number` (or Text, …)",
    note = "a field that is not for rules gets `skip`"
)]
pub trait Enumeration: Sized {
    /// The names, in the order of their declaration.
    const NAMES: &'static [&'static str];

    /// The name of this one.
    fn name(&self) -> &'static str;

    /// The one of that name.
    fn named(name: &str) -> Option<Self>;
}

/// The types of variables, as types: what a field is held against.
pub mod kind {
    /// One of the types below.
    pub trait Kind: sealed::Sealed {}

    mod sealed {
        pub trait Sealed {}
    }

    macro_rules! kinds {
        ($($kind:ident),*) => { $( impl sealed::Sealed for $kind {} impl Kind for $kind {} )* };
    }
    kinds!(Text, Number, Boolean, Date, Time);

    /// A text.
    #[derive(Debug)]
    pub enum Text {}
    /// A number.
    #[derive(Debug)]
    pub enum Number {}
    /// A Boolean.
    #[derive(Debug)]
    pub enum Boolean {}
    /// A date.
    #[derive(Debug)]
    pub enum Date {}
    /// A time.
    #[derive(Debug)]
    pub enum Time {}
}

fn mismatch(value: &Value, wanted: &str) -> Fault {
    Fault::new(Code::UpdateType, format!("{value} is no {wanted}"))
}

/// By name.
impl<E: Enumeration> FromVariable for E {
    fn from_value(value: &Value) -> Result<E, Fault> {
        let wrong = || mismatch(value, "value of this enumeration");
        match value {
            Value::Enum(enumerator) => E::named(enumerator.name()).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }
}

macro_rules! texts {
    ($($type:ty),*) => { $(
        impl Variable for $type {
            type Kind = kind::Text;
            fn to_input(&self) -> Result<Input, Fault> { Ok(Input::Text(self.to_string())) }
        }
    )* };
}
texts!(String, Box<str>, &str, Cow<'_, str>);

macro_rules! owned_texts {
    ($($type:ty),*) => { $(
        impl FromVariable for $type {
            fn from_value(value: &Value) -> Result<Self, Fault> {
                match value {
                    Value::Text(text) => Ok(text.as_str().to_owned().into()),
                    other => Err(mismatch(other, "text")),
                }
            }
        }
    )* };
}
owned_texts!(String, Box<str>, Cow<'_, str>);

macro_rules! integers {
    ($($type:ident $to:ident),*) => { $(
        impl Variable for $type {
            type Kind = kind::Number;
            fn to_input(&self) -> Result<Input, Fault> { Ok(Input::Number(Decimal::from(*self))) }
        }
        whole!($type $to);
    )* };
}

macro_rules! whole {
    ($type:ident $to:ident) => {
        impl FromVariable for $type {
            fn from_value(value: &Value) -> Result<Self, Fault> {
                let whole = |number: &Decimal| number.fract().is_zero().then(|| number.$to()).flatten();
                match value {
                    Value::Number(number) => whole(number).ok_or_else(|| mismatch(value, stringify!($type))),
                    other => Err(mismatch(other, "number")),
                }
            }
        }
    };
}
integers!(
    i8 to_i8, i16 to_i16, i32 to_i32, i64 to_i64, isize to_isize,
    u8 to_u8, u16 to_u16, u32 to_u32, u64 to_u64, usize to_usize
);

/// Numbers that may be beyond the exact range, through their shortest decimal spelling.
macro_rules! checked_numbers {
    ($($type:ident),*) => { $(
        impl Variable for $type {
            type Kind = kind::Number;
            fn to_input(&self) -> Result<Input, Fault> {
                value::number(&self.to_string()).map(Input::Number).ok_or_else(|| {
                    let message = format!("{self} is no number with 28 digits at most");
                    Fault::new(Code::ValueRange, message).help("NaN, infinity and what can't be exact can't be judged")
                })
            }
        }
    )* };
}
checked_numbers!(i128, u128, f32, f64);
whole!(i128 to_i128);
whole!(u128 to_u128);

macro_rules! floats {
    ($($type:ident),*) => { $(
        /// The nearest one: what became a number comes back the same.
        impl FromVariable for $type {
            fn from_value(value: &Value) -> Result<Self, Fault> {
                match value {
                    Value::Number(number) => {
                        number.to_string().parse().map_err(|_| mismatch(value, stringify!($type)))
                    }
                    other => Err(mismatch(other, "number")),
                }
            }
        }
    )* };
}
floats!(f32, f64);

macro_rules! plain {
    ($($type:ident $kind:ident $word:literal),*) => { $(
        impl Variable for $type {
            type Kind = kind::$kind;
            fn to_input(&self) -> Result<Input, Fault> { Ok(Input::from(*self)) }
        }
        impl FromVariable for $type {
            fn from_value(value: &Value) -> Result<Self, Fault> {
                match value {
                    Value::$kind(value) => Ok(*value),
                    other => Err(mismatch(other, $word)),
                }
            }
        }
    )* };
}
plain!(bool Boolean "Boolean", Decimal Number "number", NaiveDate Date "date", NaiveTime Time "time");

/// Nothing is an unknown value.
impl<T: Variable> Variable for Option<T> {
    type Kind = T::Kind;
    fn to_input(&self) -> Result<Input, Fault> {
        self.as_ref().map_or(Ok(Input::Unknown), T::to_input)
    }
}

impl<T: FromVariable> FromVariable for Option<T> {
    fn from_value(value: &Value) -> Result<Self, Fault> {
        T::from_value(value).map(Some)
    }

    fn unknown() -> Option<Self> {
        Some(None)
    }
}

/// What a field of a state or an action gives, of the type that it says.
#[doc(hidden)]
pub fn input<K, V: Variable<Kind = K>>(value: &V) -> Result<Input, Fault> {
    value.to_input()
}

/// As [`input`], for an enumeration.
#[doc(hidden)]
pub fn enumerator<E: Enumeration>(value: &E) -> Result<Input, Fault> {
    Ok(Input::from(value.name()))
}

/// As [`enumerator`], where nothing is unknown.
#[doc(hidden)]
pub fn optional_enumerator<E: Enumeration>(value: &Option<E>) -> Result<Input, Fault> {
    Ok(value.as_ref().map_or(Input::Unknown, |value| Input::from(value.name())))
}
