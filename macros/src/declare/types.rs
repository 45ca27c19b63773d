//! Rust types as written, as types of variables.
//!
//! A macro sees names, not types: what a name stands for is said here, and the generated code makes
//! the compiler hold the type against it.

use intentgate_engine::suggest;
use intentgate_engine::value::Type;
use quote::ToTokens;
use syn::spanned::Spanned;

/// What a field is.
#[derive(Clone)]
pub(super) enum Kind {
    /// A type that the macro knows.
    Known(Type),
    /// A type with a companion, which should be that of an enumeration.
    Enumeration(syn::Path),
}

/// The type of a field, without the `Option` around it.
#[derive(Clone)]
pub(super) struct FieldType {
    pub(super) kind: Kind,
    /// Whether there was an `Option` around it.
    pub(super) optional: bool,
    /// The type without it.
    pub(super) inner: syn::Type,
    /// Whether its values are borrowed from elsewhere.
    pub(super) borrowed: bool,
}

const TYPES: [(&str, Type); 6] = [
    ("Text", Type::Text),
    ("Number", Type::Number),
    ("Boolean", Type::Boolean),
    ("Enum", Type::Enum),
    ("Date", Type::Date),
    ("Time", Type::Time),
];

impl FieldType {
    /// What the type says, or what the attribute `type` says of it.
    pub(super) fn read(ty: &syn::Type, said: Option<&syn::LitStr>) -> syn::Result<FieldType> {
        let ty = bare(ty);
        let (optional, inner) = match argument_of(ty, "Option") {
            Some(inner) => (true, bare(inner)),
            None => (false, ty),
        };
        let kind = match said {
            Some(said) => Kind::Known(named(said)?),
            None => kind(inner)?,
        };
        let borrowed = matches!(inner, syn::Type::Reference(_));
        Ok(FieldType { kind, optional, inner: inner.clone(), borrowed })
    }
}

fn named(said: &syn::LitStr) -> syn::Result<Type> {
    let name = said.value();
    match TYPES.iter().find(|(known, _)| *known == name) {
        Some((_, Type::Enum)) => {
            let message = "derive `Enumeration` for the type: its values have to be known";
            Err(syn::Error::new(said.span(), message))
        }
        Some((_, kind)) => Ok(*kind),
        None => {
            let names = TYPES.iter().map(|(name, _)| *name).filter(|name| *name != "Enum");
            let help = suggest::known(&name, "types", names);
            Err(syn::Error::new(said.span(), format!("unknown type `{name}`\n= help: {help}")))
        }
    }
}

fn kind(ty: &syn::Type) -> syn::Result<Kind> {
    if let syn::Type::Reference(reference) = ty
        && reference.mutability.is_none()
        && is_str(&reference.elem)
    {
        return Ok(Kind::Known(Type::Text));
    }
    let syn::Type::Path(syn::TypePath { qself: None, path }) = ty else { return Err(unsupported(ty)) };
    let Some(last) = path.segments.last() else { return Err(unsupported(ty)) };
    if argument_of(ty, "Cow").or_else(|| argument_of(ty, "Box")).is_some_and(is_str) {
        return Ok(Kind::Known(Type::Text));
    }
    if !last.arguments.is_none() {
        return Err(unsupported(ty));
    }
    Ok(match last.ident.to_string().as_str() {
        "String" => Kind::Known(Type::Text),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize"
        | "f32" | "f64" | "Decimal" => Kind::Known(Type::Number),
        "bool" => Kind::Known(Type::Boolean),
        "NaiveDate" => Kind::Known(Type::Date),
        "NaiveTime" => Kind::Known(Type::Time),
        "char" | "str" => return Err(unsupported(ty)),
        _ => Kind::Enumeration(path.clone()),
    })
}

fn unsupported(ty: &syn::Type) -> syn::Error {
    let shown = ty.to_token_stream().to_string().replace(" < ", "<").replace(" >", ">").replace(" :: ", "::");
    let help = match ty {
        syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "DateTime") => {
            "= help: a variable is a day or a time of day: use `NaiveDate` and `NaiveTime`"
        }
        syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option") => {
            "= help: one `Option` is enough: unknown is unknown"
        }
        syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "char") => {
            "= help: use `String`"
        }
        _ => {
            "= help: texts, numbers, `bool`, `NaiveDate`, `NaiveTime`, `Option` of these, and enums that derive `Enumeration` can\n\
             = help: say `type = Text` (or Number, …) for a type that implements `Variable`, and `skip` for a field that is not for rules"
        }
    };
    syn::Error::new(ty.span(), format!("`{shown}` can't be the type of a variable\n{help}"))
}

fn is_str(ty: &syn::Type) -> bool {
    matches!(bare(ty), syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "str"))
}

/// The type argument of `name<…>`, however it is qualified.
fn argument_of<'a>(ty: &'a syn::Type, name: &str) -> Option<&'a syn::Type> {
    let syn::Type::Path(syn::TypePath { qself: None, path }) = ty else { return None };
    let last = path.segments.last().filter(|last| last.ident == name)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.last()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// Without parentheses, and the invisible ones of macros.
fn bare(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Paren(inner) => bare(&inner.elem),
        syn::Type::Group(inner) => bare(&inner.elem),
        other => other,
    }
}
