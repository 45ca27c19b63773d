//! `#[derive(State)]`

use super::attributes::{Attributes, Takes};
use super::fields::{self, Fields};
use super::{Text, anonymous, companion, fallback, json};
use crate::companion::Subject;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

const KNOWN: [(&str, Takes); 4] = [
    ("rename", Takes::Text),
    ("rename_all", Takes::Text),
    ("description", Takes::Text),
    ("crate", Takes::Path),
];

pub(crate) fn expand(input: syn::DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let attributes = Attributes::read(&input.attrs, "state", &KNOWN, &mut errors);
    let krate = attributes.krate();
    let (name, name_span) = attributes.name(&input.ident, None);
    fields::no_type_parameters(&input.generics, &mut errors);
    let case = attributes.case(&mut errors);
    let named = fields::named(&input, "variable", &mut errors);
    let fields = named.map(|named| Fields::read(named, "state", case, &mut errors)).unwrap_or_default();
    fields.distinct_methods(&mut errors);
    if !errors.is_empty() {
        let impls = impls(&input, &krate, &name, &Fields::default(), true);
        return fallback(errors, &input, &impls);
    }
    let mut text = Text::default();
    text.push(format!("{{\"name\":{}", json(&name)), name_span);
    text.member("description", &attributes.description(), name_span);
    text.sign(",\"variables\":");
    fields.declare(false, &mut text);
    text.sign("}");
    let companion = companion(&krate, Subject::State, &input, text);
    let impls = anonymous(&impls(&input, &krate, &name, &fields, false));
    quote!(#impls #companion)
}

fn impls(
    input: &syn::DeriveInput,
    krate: &syn::Path,
    name: &str,
    fields: &Fields,
    broken: bool,
) -> TokenStream {
    let private = quote!(#krate::__private);
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let puts = fields.variables.iter().map(|field| {
        let name = &field.name;
        let input = field.input(&private, &field.own(), field.ty.optional);
        quote!(fields.put(#name, #input);)
    });
    let methods = fields.variables.iter().map(|field| {
        let (name, ty) = (&field.name, &field.ty.inner);
        let method = &field.ident;
        let input = field.input(&private, &field.local(), false);
        let forget = format_ident!("forget_{}", field.ident.unraw(), span = field.ident.span());
        quote! {
            pub fn #method #generics (mut self, value: impl ::core::convert::Into<#ty>) -> Self #bounds {
                let value: #ty = ::core::convert::Into::into(value);
                self.0.put(#name, #input);
                self
            }
            pub fn #forget(mut self) -> Self {
                self.0.forget(#name);
                self
            }
        }
    });
    // What borrows can be observed, not read.
    let readable = !broken && !fields.variables.iter().any(|field| field.ty.borrowed);
    let from = readable.then(|| {
        let reads = fields.variables.iter().map(|field| {
            let (ident, name) = (&field.ident, &field.name);
            let span = field.ty.inner.span();
            let get = quote_spanned!(span=> known.get(#name)?);
            quote!(#ident: #get)
        });
        let skipped = &fields.skipped;
        quote! {
            #[automatically_derived]
            impl #generics #private::FromState for #ident #arguments #bounds {
                fn from_known(
                    known: &#private::Known<'_>,
                ) -> ::core::result::Result<Self, #private::Absent> {
                    ::core::result::Result::Ok(Self {
                        #(#reads,)*
                        #(#skipped: ::core::default::Default::default(),)*
                    })
                }
            }
        }
    });
    quote! {
        #[must_use]
        #[derive(::core::fmt::Debug, ::core::clone::Clone)]
        pub struct __Update(#private::Fields);

        #[automatically_derived]
        impl __Update { #(#methods)* }

        #[automatically_derived]
        impl ::core::default::Default for __Update {
            fn default() -> Self { __Update(#private::Fields::of(#name)) }
        }

        #[automatically_derived]
        impl #private::Observation for __Update {
            fn to_update(
                &self,
                vocabulary: &#private::Vocabulary,
            ) -> ::core::result::Result<#private::Cow<'_, #private::Update>, #private::Fault> {
                #private::Observation::to_update(&self.0, vocabulary)
            }
        }

        #[automatically_derived]
        impl #generics #private::State for #ident #arguments #bounds {
            const NAME: &'static str = #name;
            type Update = __Update;
            fn fields(&self) -> #private::Fields {
                let mut fields = #private::Fields::of(#name);
                #(#puts)*
                fields
            }
        }

        #[automatically_derived]
        impl #generics #private::Declared for #ident #arguments #bounds {}

        #from
    }
}
