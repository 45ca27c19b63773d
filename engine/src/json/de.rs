//! A `serde` deserializer over [`Node`], so that a derived format gets located, coded errors.
//!
//! [`Spanned`] carries the place of a value through `serde`; other deserializers leave it empty.

use super::{Kind, Member, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::suggest;
use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A value with the place that it was read from.
#[derive(Debug, Clone, Default)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands; empty if it was not read from a text.
    pub span: Span,
}

/// Places don't count.
impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Spanned<T>) -> bool {
        self.value == other.value
    }
}

impl<T> Spanned<T> {
    /// A value at a place.
    pub fn new(value: T, span: Span) -> Spanned<T> {
        Spanned { value, span }
    }
}

impl<T: Serialize> Serialize for Spanned<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// The name by which [`Located`] and [`Spanned`] know each other.
const SPANNED: &str = "$intentgate::Spanned";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Spanned<T>, D::Error> {
        struct Pair<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Pair<T> {
            type Value = Spanned<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Spanned<T>, D::Error> {
                T::deserialize(inner).map(|value| Spanned { value, span: Span::default() })
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut parts: A) -> Result<Spanned<T>, A::Error> {
                let missing = || de::Error::custom("a place is missing");
                let start: u32 = parts.next_element()?.ok_or_else(missing)?;
                let end: u32 = parts.next_element()?.ok_or_else(missing)?;
                let value = parts.next_element()?.ok_or_else(missing)?;
                Ok(Spanned { value, span: Span::new(start as usize, end as usize) })
            }
        }
        deserializer.deserialize_newtype_struct(SPANNED, Pair(PhantomData))
    }
}

/// Reads a value of any deserializable type.
///
/// # Errors
/// What does not fit, at the innermost value that does not.
pub fn from_node<'de, T: Deserialize<'de>>(node: &'de Node) -> Result<T, Box<Diagnostic>> {
    T::deserialize(Located(node)).map_err(|error| {
        Box::new(error.0.unwrap_or_else(|| Diagnostic::new(Code::JsonType, node.span, "unusable")))
    })
}

/// An error that takes the place of the innermost value it passes through.
#[derive(Debug)]
struct Error(Option<Diagnostic>, Option<(Code, String, Option<String>)>);

impl Error {
    fn at(self, span: Span) -> Error {
        match self {
            Error(None, Some((code, message, help))) => {
                let mut diagnostic = Diagnostic::new(code, span, message);
                if let Some(help) = help {
                    diagnostic = diagnostic.help(help);
                }
                Error(Some(diagnostic), None)
            }
            located => located,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error(Some(diagnostic), _) => f.write_str(&diagnostic.fault.message),
            Error(None, Some((_, message, _))) => f.write_str(message),
            Error(None, None) => f.write_str("unusable"),
        }
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Error {
        Error(None, Some((Code::JsonType, message.to_string(), None)))
    }

    fn missing_field(field: &'static str) -> Error {
        Error(None, Some((Code::MissingKey, format!("the key `{field}` is missing"), None)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Error {
        let help = suggest::known(field, "keys", expected.iter().copied());
        Error(None, Some((Code::UnknownKey, format!("unknown key `{field}`"), Some(help))))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Error {
        let help = suggest::known(variant, "words", expected.iter().copied());
        Error(None, Some((Code::UnknownKey, format!("unknown word `{variant}`"), Some(help))))
    }
}

/// The deserializer of one node.
struct Located<'de>(&'de Node);

impl<'de> Deserializer<'de> for Located<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let read = match &self.0.kind {
            Kind::Null => visitor.visit_unit(),
            Kind::Boolean(value) => visitor.visit_bool(*value),
            // Integers are for places and counts; exact numbers are read from their digits.
            Kind::Number(text) => match text.parse::<i64>() {
                Ok(whole) => visitor.visit_i64(whole),
                Err(_) => visitor.visit_borrowed_str(text),
            },
            Kind::String(text) => visitor.visit_borrowed_str(text),
            Kind::Array(elements) => visitor.visit_seq(Elements(elements.iter())),
            Kind::Object(members) => visitor.visit_map(Members(members.iter(), None)),
        };
        read.map_err(|error| error.at(self.0.span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.kind {
            Kind::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == SPANNED {
            return visitor.visit_seq(Parts(0, self.0));
        }
        let span = self.0.span;
        visitor.visit_newtype_struct(self).map_err(|error| error.at(span))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let span = self.0.span;
        let read = match &self.0.kind {
            Kind::String(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            Kind::Object(members) => match members.as_slice() {
                [member] => visitor.visit_enum(de::value::MapAccessDeserializer::new(Members(
                    std::slice::from_ref(member).iter(),
                    None,
                ))),
                _ => Err(de::Error::custom("expected an object with exactly one key")),
            },
            _ => Err(de::Error::custom(format!(
                "expected a word or an object with one key, not {}",
                self.0.describe()
            ))),
        };
        read.map_err(|error: Error| error.at(span))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Elements<'de>(std::slice::Iter<'de, Node>);

impl<'de> de::SeqAccess<'de> for Elements<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.0.next().map(|node| seed.deserialize(Located(node))).transpose()
    }
}

struct Members<'de>(std::slice::Iter<'de, Member>, Option<&'de Member>);

impl<'de> de::MapAccess<'de> for Members<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        self.1 = self.0.next();
        let Some(member) = self.1 else { return Ok(None) };
        let key = de::value::BorrowedStrDeserializer::<Error>::new(&member.key);
        seed.deserialize(key).map(Some).map_err(|error| error.at(member.key_span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        match self.1.take() {
            Some(member) => seed.deserialize(Located(&member.value)),
            None => Err(de::Error::custom("a value without a key")),
        }
    }
}

/// The three parts of a [`Spanned`].
struct Parts<'de>(u8, &'de Node);

impl<'de> de::SeqAccess<'de> for Parts<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.0 += 1;
        let place = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX).into_deserializer();
        match self.0 {
            1 => seed.deserialize(place(self.1.span.start())).map(Some),
            2 => seed.deserialize(place(self.1.span.end())).map(Some),
            3 => seed.deserialize(Located(self.1)).map(Some),
            _ => Ok(None),
        }
    }
}
