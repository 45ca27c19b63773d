//! The JSON form of a specification, equivalent to the text.

use super::ast;
use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::json;
use crate::limits::Limits;
use crate::span::Source;

/// Reads the JSON form, with places in it.
///
/// # Errors
/// Malformed JSON, unknown, missing and duplicate keys, values of the wrong kind, limits.
pub fn parse(source: &Source, limits: &Limits) -> Result<ast::Specification, Problems> {
    let node = json::parse(source, limits)?;
    let specification: ast::Specification =
        json::de::from_node(&node).map_err(|diagnostic| Problems::one(source.clone(), *diagnostic))?;
    if specification.rules.len() > limits.rules {
        let message = format!("more than {} rules", limits.rules);
        return Err(Problems::one(source.clone(), Diagnostic::new(Code::TooManyRules, node.span, message)));
    }
    Ok(specification)
}

/// The JSON form, indented.
pub fn print(specification: &ast::Specification) -> String {
    // Plain data with text keys: writing it can't fail.
    serde_json::to_string_pretty(specification).unwrap_or_default()
}

macro_rules! as_text {
    ($module:ident, $type:ty, $write:expr, $read:expr, $what:literal) => {
        pub(crate) mod $module {
            pub(crate) fn serialize<S: serde::Serializer>(
                value: &$type,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&$write(*value))
            }

            pub(crate) fn deserialize<'de, D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$type, D::Error> {
                deserializer.deserialize_any(Words)
            }

            struct Words;

            impl serde::de::Visitor<'_> for Words {
                type Value = $type;

                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str($what)
                }

                fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$type, E> {
                    $read(text).ok_or_else(|| E::custom(format!("`{text}` is not {}", $what)))
                }

                fn visit_i64<E: serde::de::Error>(self, whole: i64) -> Result<$type, E> {
                    self.visit_str(&whole.to_string())
                }

                fn visit_u64<E: serde::de::Error>(self, whole: u64) -> Result<$type, E> {
                    self.visit_str(&whole.to_string())
                }
            }
        }
    };
}

as_text!(
    number,
    rust_decimal::Decimal,
    crate::value::number_text,
    crate::syntax::literal::number,
    "an exact number in quotes, like \"1.5\""
);
as_text!(
    date,
    chrono::NaiveDate,
    crate::value::date_text,
    crate::syntax::literal::date,
    "a date like \"2026-11-21\""
);
as_text!(
    time,
    chrono::NaiveTime,
    crate::value::time_text,
    crate::syntax::literal::time,
    "a time like \"19:00\""
);
