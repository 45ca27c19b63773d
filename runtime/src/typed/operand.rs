//! What may stand in a specification as `{expression}`.
//!
//! A trait for each type of variable, so that the compiler can say what would fit. Every value of such a
//! type has its place: unlike for [`super::Variable`], nothing can go wrong at run time. For generated
//! code.

use chrono::{NaiveDate, NaiveTime};
use intentgate_engine::compile::bind::Given;
use intentgate_engine::value::Value;
use rust_decimal::Decimal;
use std::borrow::Cow;

macro_rules! operands {
    ($($kind:ident $message:literal $label:literal $note:literal { $($type:ty),* } |$operand:ident| $value:expr;)*) => { $(
        /// A value for a variable of this type.
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $kind {
            /// The value.
            fn operand(&self) -> Given;
        }
        impl<T: $kind + ?Sized> $kind for &T {
            fn operand(&self) -> Given {
                T::operand(self)
            }
        }
        $(
            #[allow(clippy::useless_conversion, reason = "a number may be a `Decimal` already")]
            impl $kind for $type {
                fn operand(&self) -> Given {
                    let $operand = self;
                    Given::Value($value)
                }
            }
        )*
    )* };
}

operands! {
    Text "`{Self}` doesn't fit a variable of the type Text" "this variable is of the type Text"
        "texts are `&str`, `String`, `Box<str>` and `Cow<str>`"
        { str, String, Box<str>, Cow<'_, str> } |text| Value::text(text);
    Number "`{Self}` doesn't fit a variable of the type Number" "this variable is of the type Number"
        "numbers are integers of up to 64 bits and `Decimal`, which is exact; `Decimal::try_from` takes a float"
        { i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, Decimal } |number| Value::Number((*number).into());
    Boolean "`{Self}` doesn't fit a variable of the type Boolean" "this variable is of the type Boolean"
        "Booleans are `bool`"
        { bool } |value| Value::Boolean(*value);
    Date "`{Self}` doesn't fit a variable of the type Date" "this variable is of the type Date"
        "dates are `chrono::NaiveDate`"
        { NaiveDate } |date| Value::Date(*date);
    Time "`{Self}` doesn't fit a variable of the type Time" "this variable is of the type Time"
        "times are `chrono::NaiveTime`"
        { NaiveTime } |time| Value::Time(*time);
}

/// A value for a variable whose enumeration has this fingerprint.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the enumeration of this variable",
    label = "this variable is of another type",
    note = "give a value of the enum that derives `Enumeration` with the same values as the variable, or write its name"
)]
pub trait Enumerator<const VALUES: u64> {
    /// The value.
    fn operand(&self) -> Given;
}

impl<T: Enumerator<VALUES>, const VALUES: u64> Enumerator<VALUES> for &T {
    fn operand(&self) -> Given {
        T::operand(self)
    }
}
