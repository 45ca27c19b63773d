//! The macros that carry the way to this crate with them, so that it may have another name.

/// Makes a vocabulary of types; checked when the program is compiled.
///
/// ```
/// # mod app {
/// # use intentgate::{CriticalAction, State, vocabulary};
/// # /// the front door
/// # #[derive(State)]
/// # pub struct Door { pub locked: bool }
/// # /// leave the house
/// # #[derive(CriticalAction)]
/// # pub struct Leave;
/// vocabulary! {
///     /// The house.
///     pub struct House {
///         states: [Door],
///         actions: [Leave],
///     }
/// }
/// # }
/// ```
///
/// Keys: `states`, `actions`, `steps`: lists of types that derive `State`, `CriticalAction`, `Step`;
/// `closed: true` blocks what is not declared; `name: "…"` is the app's name, in place of the struct's.
/// The struct implements [`App`](crate::App).
///
/// What is wrong is reported on the type or the field that says it: names that are declared twice or
/// are too alike, a `reset_by` that names nothing, a type in the wrong list.
#[macro_export]
macro_rules! vocabulary {
    ($($declared:tt)*) => { $crate::__private::vocabulary! { { $crate } $($declared)* } };
}

/// A specification in Rust tokens, checked when the program is compiled; gives a [`Spec`](crate::Spec).
///
/// ```
/// # mod app {
/// # use intentgate::{CriticalAction, State, vocabulary};
/// # /// the front door
/// # #[derive(State)]
/// # pub struct Door { pub locked: bool, pub key: String }
/// # /// leave the house
/// # #[derive(CriticalAction)]
/// # pub struct Leave;
/// # vocabulary! { pub struct House { states: [Door], actions: [Leave] } }
/// # }
/// # use app::{Door, House, Leave};
/// use intentgate::{Session, spec};
///
/// let key = "brass".to_owned();
/// let intent = spec! { in House;
///     R1: Door(locked = true, key = {key}) -> Leave
///     R2: Leave -> Done
/// };
/// let session = Session::builder(intent).start()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The language in its ASCII spelling; comments, texts and escapes are Rust's. `{expression}` stands for
/// a value that the compiler holds against the type of the variable. Warnings are errors, unless they are
/// allowed by code behind the vocabulary: `in House; allow W0404;`.
///
/// Every mistake is reported on its token, all at once, with its code.
#[macro_export]
macro_rules! spec {
    ($($rules:tt)*) => { $crate::__private::spec! { { $crate } { spec } $($rules)* } };
}

/// A policy in Rust tokens: as [`spec!`](crate::spec), with rules for `Never` alone.
#[macro_export]
macro_rules! policy {
    ($($rules:tt)*) => { $crate::__private::spec! { { $crate } { policy } $($rules)* } };
}

/// A specification in a file, checked when the program is compiled; gives a [`Spec`](crate::Spec).
///
/// `include_spec!(in House; "leave.intent", key = expression)`: the path starts at the folder of the
/// source file; parameters may be given, or left to [`SessionBuilder::parameter`](crate::SessionBuilder).
/// Errors show file, line and column. The program is built anew when the file changes.
#[macro_export]
macro_rules! include_spec {
    ($($included:tt)*) => { $crate::__private::spec! { { $crate } { include } $($included)* } };
}

/// A policy in a file: as [`include_spec!`](crate::include_spec), with rules for `Never` alone.
#[macro_export]
macro_rules! include_policy {
    ($($included:tt)*) => { $crate::__private::spec! { { $crate } { include policy } $($included)* } };
}
