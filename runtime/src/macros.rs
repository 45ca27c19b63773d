//! The macros that carry the way to this crate with them.

/// Makes a vocabulary of types; checked when the program is compiled.
#[macro_export]
macro_rules! vocabulary {
    ($($declared:tt)*) => { $crate::__private::vocabulary! { { $crate } $($declared)* } };
}

/// A specification in Rust tokens, checked when the program is compiled.
#[macro_export]
macro_rules! spec {
    ($($rules:tt)*) => { $crate::__private::spec! { { $crate } { spec } $($rules)* } };
}

/// A policy in Rust tokens, checked when the program is compiled.
#[macro_export]
macro_rules! policy {
    ($($rules:tt)*) => { $crate::__private::spec! { { $crate } { policy } $($rules)* } };
}

/// A specification in a file, checked when the program is compiled.
#[macro_export]
macro_rules! include_spec {
    ($($included:tt)*) => { $crate::__private::spec! { { $crate } { include } $($included)* } };
}

/// A policy in a file, checked when the program is compiled.
#[macro_export]
macro_rules! include_policy {
    ($($included:tt)*) => { $crate::__private::spec! { { $crate } { include policy } $($included)* } };
}
