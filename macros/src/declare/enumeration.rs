//! `#[derive(Enumeration)]`

use super::attributes::{Attributes, Takes};
use super::{anonymous, fallback, json};
use crate::companion::{self, Payload, Subject};
use crate::errors::Errors;
use crate::source_map::SourceMap;
use intentgate_engine::schema::Enumeration;
use intentgate_engine::text::normal::nfc;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;

const KNOWN: [(&str, Takes); 3] =
    [("rename_all", Takes::Text), ("ordered", Takes::Nothing), ("crate", Takes::Path)];

const VARIANT: [(&str, Takes); 1] = [("rename", Takes::Text)];

pub(crate) fn expand(input: syn::DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let attributes = Attributes::read(&input.attrs, "enumeration", &KNOWN, &mut errors);
    let krate = attributes.krate();
    let case = attributes.case(&mut errors);
    let mut variants: Vec<(&syn::Ident, String, Span)> = Vec::new();
    match &input.data {
        syn::Data::Enum(data) => {
            for variant in &data.variants {
                let read = Attributes::read(&variant.attrs, "enumeration", &VARIANT, &mut errors);
                if !variant.fields.is_empty() {
                    let message = "a value of an enumeration is a name alone\n= help: take the fields out";
                    errors.at(variant.fields.span(), message);
                }
                let (name, span) = read.name(&variant.ident, case);
                // As the vocabulary has it.
                variants.push((&variant.ident, nfc(&name).into_owned(), span));
            }
            if data.variants.is_empty() {
                errors.at(input.ident.span(), "an enumeration needs at least one value");
            }
        }
        syn::Data::Struct(_) | syn::Data::Union(_) => {
            let message = format!(
                "only an enum can be an enumeration\n= help: write `enum {} {{ … }}` with the names of the values",
                input.ident
            );
            errors.at(input.ident.span(), message);
        }
    }
    super::fields::no_type_parameters(&input.generics, &mut errors);
    let ordered = attributes.place("ordered").is_some();
    if !errors.is_empty() {
        return fallback(errors, &input, &impls(&input, &krate, &[], ordered));
    }
    let mut map = SourceMap::default();
    map.push(",\"values\":[", input.ident.span());
    for (index, (_, name, span)) in variants.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        map.push(&format!("{comma}{}", json(name)), *span);
    }
    map.push(&format!("],\"ordered\":{ordered}"), input.ident.span());
    // Checked where it is used, in a variable; and here in one, so that it is told once.
    let errors = checked(&map);
    if !errors.is_empty() {
        return fallback(errors, &input, &impls(&input, &krate, &variants, ordered));
    }
    let payload = Payload { subject: Subject::Enumeration, map };
    let companion = companion::define(&input.ident, &input.vis, &payload);
    let impls = anonymous(&impls(&input, &krate, &variants, ordered));
    quote!(#impls #companion)
}

/// Checks the values in a variable of their own.
fn checked(values: &SourceMap) -> Errors {
    let mut state = SourceMap::default();
    state.push(
        "{\"name\":\"S\",\"description\":\"\",\"variables\":[{\"name\":\"v\",\"type\":\"Enum\"",
        Span::call_site(),
    );
    values.pieces().for_each(|(text, span)| state.push(text, span));
    state.push("}]}", Span::call_site());
    let mut assembly = crate::vocabulary::Assembly::new("");
    assembly.add(&Payload { subject: Subject::State, map: state });
    let mut errors = Errors::default();
    if let Err(wrong) = assembly.check() {
        errors.problems(&wrong.0, &wrong.1, &[]);
    }
    errors
}

/// A number that enumerations with the same values share, and others hardly ever.
pub(crate) fn fingerprint<'a>(names: impl Iterator<Item = &'a str>, ordered: bool) -> u64 {
    let names: Vec<&str> = names.collect();
    fingerprint_of_text(&json(&(names, ordered)))
}

/// A number that equal texts share, and others hardly ever.
pub(crate) fn fingerprint_of_text(text: &str) -> u64 {
    let hash = intentgate_engine::schema::hash(text.as_bytes());
    hash.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// The fingerprint of a declared one.
pub(crate) fn fingerprint_of(enumeration: &Enumeration) -> u64 {
    fingerprint(enumeration.names(), enumeration.is_ordered())
}

fn impls(
    input: &syn::DeriveInput,
    krate: &syn::Path,
    variants: &[(&syn::Ident, String, Span)],
    ordered: bool,
) -> TokenStream {
    let private = quote!(#krate::__private);
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let idents: Vec<_> = variants.iter().map(|(ident, ..)| ident).collect();
    let names: Vec<_> = variants.iter().map(|(_, name, _)| name).collect();
    let fingerprint = fingerprint(names.iter().map(|name| name.as_str()), ordered);
    let name = if variants.is_empty() {
        quote!(::core::unreachable!())
    } else {
        quote!(match self { #(Self::#idents => #names,)* })
    };
    quote! {
        #[automatically_derived]
        impl #generics #private::Enumeration for #ident #arguments #bounds {
            const NAMES: &'static [&'static str] = &[#(#names),*];
            fn name(&self) -> &'static str { #name }
            fn named(name: &str) -> ::core::option::Option<Self> {
                match name {
                    #(#names => ::core::option::Option::Some(Self::#idents),)*
                    _ => ::core::option::Option::None,
                }
            }
        }
        #[automatically_derived]
        impl #generics #private::operand::Enumerator<#fingerprint> for #ident #arguments #bounds {
            fn operand(&self) -> #private::Given {
                #private::named(#private::Enumeration::name(self))
            }
        }
    }
}
