//! The macros where every name means something else: no prelude, and types of the crate's own that are
//! called like those of the standard library. It compiles; that is the test.
#![no_implicit_prelude]
#![forbid(unsafe_code)]

extern crate std;

/// Names that generated code must not mean.
pub mod shadows {
    /// Not the one.
    #[derive(::core::fmt::Debug)]
    pub enum Option<T> {
        /// Not that either.
        Some(T),
    }

    /// Not the one.
    #[derive(::core::fmt::Debug)]
    pub struct Result;

    /// Not the one.
    #[derive(::core::fmt::Debug)]
    pub struct Vec;

    /// Not the one.
    #[derive(::core::fmt::Debug)]
    pub struct Arc;

    /// Not the one.
    pub trait Into {}

    /// Not the one.
    pub trait Default {}

    /// Not the one.
    #[derive(::core::fmt::Debug)]
    pub struct Update;

    /// Not the one.
    #[derive(::core::fmt::Debug)]
    pub struct Vocabulary;
}

/// Declarations between shadows.
pub mod app {
    #[expect(unused_imports, reason = "they are there to be in the way")]
    use crate::shadows::{Arc, Default, Into, Option, Result, Update, Vec, Vocabulary};

    /// The module's own `String` is one that can be a variable.
    type String = ::std::string::String;

    /// how big
    #[derive(::gate::Enumeration, ::core::fmt::Debug)]
    #[enumeration(crate = ::gate, rename_all = "lowercase")]
    pub enum Size {
        /// Not big.
        Small,
        /// Big.
        Large,
    }

    /// a thing
    #[derive(::gate::State, ::core::fmt::Debug)]
    #[state(crate = ::gate)]
    pub struct Thing {
        /// what it is called
        pub name: String,
        /// how big it is
        pub size: Size,
        /// what it weighs
        pub weight: ::core::option::Option<u32>,
    }

    /// a thing that is borrowed
    #[derive(::gate::State, ::core::fmt::Debug)]
    #[state(crate = ::gate)]
    pub struct Borrowed<'a> {
        /// from whom
        pub from: &'a str,
        /// until when
        pub until: ::std::borrow::Cow<'a, str>,
    }

    /// throw it away
    #[derive(::gate::CriticalAction, ::core::fmt::Debug)]
    #[action(crate = ::gate)]
    pub struct Discard {
        /// what
        pub name: String,
    }

    /// look at it
    #[derive(::gate::Step, ::core::fmt::Debug)]
    #[step(crate = ::gate, trigger = looked)]
    pub struct Look {
        /// at what
        pub name: String,
    }

    fn looked(look: &Look, _: &dyn ::gate::session::Facts) -> impl ::gate::Observation + use<> {
        <Thing as ::gate::State>::update().name(::core::clone::Clone::clone(&look.name))
    }

    ::gate::vocabulary! {
        /// Things.
        #[derive(::core::fmt::Debug)]
        pub struct Things {
            states: [Thing, Borrowed],
            actions: [Discard],
            steps: [Look],
        }
    }

    /// What may be thrown away.
    pub fn discard(name: &str) -> ::gate::Spec {
        ::gate::spec! { in Things;
            Thing(name = {name}, size = small) and Discard(name = {name}) -> Discard
            Discard -> Done
        }
    }

    /// The error of [`Owner::discard`].
    #[derive(::core::fmt::Debug)]
    pub struct Failed(pub ::gate::GateError);

    impl ::core::convert::From<::gate::GateError> for Failed {
        fn from(error: ::gate::GateError) -> Self {
            Failed(error)
        }
    }

    impl ::gate::EffectFailure for Failed {}

    /// Somebody with things.
    #[derive(::core::fmt::Debug)]
    pub struct Owner {
        /// In front of them.
        pub gate: ::gate::Gate,
    }

    impl Owner {
        /// Throws one away.
        ///
        /// # Errors
        /// If that is refused.
        #[::gate::gated(Discard, crate = ::gate)]
        pub fn discard(&self, discard: Discard) -> ::core::result::Result<String, Failed> {
            ::core::result::Result::Ok(discard.name)
        }

        /// Throws one away, some time.
        ///
        /// # Errors
        /// If that is refused.
        #[::gate::gated(Discard, crate = ::gate)]
        pub async fn discard_later(&self, discard: Discard) -> ::core::result::Result<String, Failed> {
            ::core::result::Result::Ok(discard.name)
        }
    }
}

/// In another module than the declarations, by path.
pub mod elsewhere {
    /// What must never be thrown away.
    pub fn never() -> ::gate::Spec {
        ::gate::policy! { in crate::app::Things; allow W0404;
            Discard and Thing(size = large) -> Never
        }
    }

    ::gate::vocabulary! {
        /// The same things, in a vocabulary of its own.
        #[derive(::core::fmt::Debug)]
        pub struct Others {
            name: "Others",
            states: [super::app::Thing],
        }
    }
}

/// Inside a function, where items see each other and nothing else does.
pub fn inside() -> ::gate::Spec {
    /// how it is
    #[derive(::gate::Enumeration)]
    #[enumeration(crate = ::gate)]
    enum Mood {
        Good,
        Bad,
    }
    /// somebody
    #[derive(::gate::State)]
    #[state(crate = ::gate)]
    struct Person {
        mood: Mood,
    }
    ::gate::vocabulary! {
        struct Inside {
            states: [Person, app::Thing],
        }
    }
    let wanted = Mood::Good;
    let _ = Mood::Bad;
    let _ = <Person as ::gate::State>::fields(&Person { mood: Mood::Bad });
    ::gate::spec! { in Inside; Person(mood = {wanted}) and Thing(size = large) -> Done }
}
