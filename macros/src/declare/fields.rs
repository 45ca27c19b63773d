//! The fields of a struct as variables of a state or arguments of an action.

use super::attributes::{Attributes, Case, Takes};
use super::types::{FieldType, Kind};
use super::{Text, json};
use crate::errors::Errors;
use intentgate_engine::value::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// What fields may say.
const KNOWN: [(&str, Takes); 8] = [
    ("rename", Takes::Text),
    ("description", Takes::Text),
    ("skip", Takes::Nothing),
    ("ignore_case", Takes::Nothing),
    ("source", Takes::Word),
    ("max_age", Takes::Age),
    ("reset_by", Takes::Texts),
    ("type", Takes::Word),
];

/// A field that is a variable.
pub(super) struct Field {
    pub(super) ident: Ident,
    pub(super) ty: FieldType,
    /// Its name in the vocabulary.
    pub(super) name: String,
    name_span: Span,
    attributes: Attributes,
}

/// The fields of a struct.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) variables: Vec<Field>,
    /// Those that are not for rules.
    pub(super) skipped: Vec<Ident>,
}

impl Fields {
    /// Reads them; what is wrong is kept and the rest goes on.
    pub(super) fn read(
        fields: &syn::FieldsNamed,
        helper: &str,
        case: Option<Case>,
        errors: &mut Errors,
    ) -> Fields {
        let mut read = Fields::default();
        for field in &fields.named {
            let Some(ident) = &field.ident else { continue };
            let attributes = Attributes::read(&field.attrs, helper, &KNOWN, errors);
            if attributes.place("skip").is_some() {
                if let Some((other, span)) = attributes.beside("skip") {
                    errors.at(span, format!("`{other}` means nothing for a field that is skipped"));
                }
                read.skipped.push(ident.clone());
                continue;
            }
            let (name, name_span) = attributes.name(ident, case);
            let ty = FieldType::read(&field.ty, attributes.text("type"));
            if let Some(ty) = errors.keep(ty) {
                read.variables.push(Field { ident: ident.clone(), ty, name, name_span, attributes });
            }
        }
        read
    }

    /// The methods of updates have to have different names.
    pub(super) fn distinct_methods(&self, errors: &mut Errors) {
        for field in &self.variables {
            let forget = format!("forget_{}", field.ident.unraw());
            if let Some(other) = self.variables.iter().find(|other| other.ident == forget) {
                let message = format!(
                    "updates have a method `{forget}` for the field `{}` already\n= help: call the field otherwise, with `rename` for its name in rules",
                    field.ident
                );
                errors.at(other.ident.span(), message);
            }
        }
    }

    /// Their declarations, as a JSON list.
    pub(super) fn declare(&self, argument: bool, text: &mut Text) {
        text.sign("[");
        for (index, field) in self.variables.iter().enumerate() {
            if index > 0 {
                text.sign(",");
            }
            field.declare(argument, text);
        }
        text.sign("]");
    }
}

impl Field {
    fn declare(&self, argument: bool, text: &mut Text) {
        let kind = match &self.ty.kind {
            Kind::Known(kind) => kind.to_string(),
            Kind::Enumeration(_) => "Enum".to_owned(),
        };
        text.push(format!("{{\"name\":{}", json(&self.name)), self.name_span);
        text.push(format!(",\"type\":{}", json(&kind)), self.ty.inner.span());
        if let Kind::Enumeration(path) = &self.ty.kind {
            text.values(path.clone());
        }
        let description = self.attributes.description();
        if !description.is_empty() {
            text.member("description", &description, self.name_span);
        }
        if argument && self.ty.optional {
            text.member("optional", &true, self.name_span);
        }
        if let Some(span) = self.attributes.place("ignore_case") {
            text.member("ignore_case", &true, span);
        }
        if let Some(source) = self.attributes.text("source") {
            text.member("source", &source.value(), source.span());
        }
        match self.attributes.literal("max_age") {
            Some(syn::Lit::Int(changes)) => {
                text.push(format!(",\"max_age\":{}", changes.base10_digits()), changes.span());
            }
            Some(syn::Lit::Str(age)) => text.member("max_age", &age.value(), age.span()),
            _ => {}
        }
        if let Some(paths) = self.attributes.texts("reset_by") {
            text.sign(",\"reset_by\":[");
            for (index, path) in paths.iter().enumerate() {
                let comma = if index > 0 { "," } else { "" };
                text.push(format!("{comma}{}", json(&path.value())), path.span());
            }
            text.sign("]");
        }
        text.sign("}");
    }

    /// The field of `self`.
    pub(super) fn own(&self) -> TokenStream {
        let mut ident = self.ident.clone();
        ident.set_span(self.ident.span().located_at(self.place()));
        quote_spanned!(self.place()=> self.#ident)
    }

    /// The local variable `value`.
    pub(super) fn local(&self) -> TokenStream {
        quote_spanned!(self.place()=> value)
    }

    /// Where generated code is about the type of the field.
    fn place(&self) -> Span {
        Span::call_site().located_at(self.ty.inner.span())
    }

    /// The value as an input, where the compiler holds the type of the field against that of the
    /// variable. Errors are about the type of the field.
    pub(super) fn input(&self, private: &TokenStream, value: &TokenStream, optional: bool) -> TokenStream {
        let value = quote_spanned!(self.place()=> &#value);
        let kind = match &self.ty.kind {
            Kind::Enumeration(path) => {
                let span = self.ty.inner.span();
                let input = if optional { "optional_enumerator" } else { "enumerator" };
                let input = Ident::new(input, span);
                return quote_spanned!(span=> #private::#input::<#path>(#value));
            }
            Kind::Known(Type::Text) => "Text",
            Kind::Known(Type::Number) => "Number",
            Kind::Known(Type::Boolean) => "Boolean",
            Kind::Known(Type::Date) => "Date",
            Kind::Known(Type::Time | Type::Enum) => "Time",
        };
        let kind = format_ident!("{kind}");
        quote_spanned!(self.ty.inner.span()=> #private::input::<#private::kind::#kind, _>(#value))
    }
}

/// The named fields of a struct, or why there are none.
pub(super) fn named<'a>(
    input: &'a syn::DeriveInput,
    what: &str,
    errors: &mut Errors,
) -> Option<&'a syn::FieldsNamed> {
    let example = format!("write `struct {} {{ … }}` with a field for each {what}", input.ident);
    match &input.data {
        syn::Data::Struct(syn::DataStruct { fields: syn::Fields::Named(named), .. }) => return Some(named),
        syn::Data::Struct(syn::DataStruct { fields: syn::Fields::Unnamed(fields), .. }) => {
            let message = format!("the fields need names, which rules use\n= help: {example}");
            errors.at(fields.span(), message);
        }
        syn::Data::Struct(_) => {
            errors.at(input.ident.span(), format!("this struct has no fields\n= help: {example}"));
        }
        syn::Data::Enum(data) => {
            let message = format!(
                "an enum can't be derived so\n= help: {example}; for an enum without data derive `Enumeration`"
            );
            errors.at(data.enum_token.span(), message);
        }
        syn::Data::Union(data) => {
            errors.at(data.union_token.span(), format!("a union can't be derived so\n= help: {example}"));
        }
    }
    None
}

/// Type parameters are errors: a declaration is one, not many.
pub(super) fn no_type_parameters(generics: &syn::Generics, errors: &mut Errors) {
    for parameter in &generics.params {
        if !matches!(parameter, syn::GenericParam::Lifetime(_)) {
            let message = "a declaration can't be generic: rules name one type\n= help: use a concrete type";
            errors.at(parameter.span(), message);
        }
    }
}
