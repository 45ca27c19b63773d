//! `#[derive(CriticalAction)]` and `#[derive(Step)]`

use super::attributes::{Attributes, Takes};
use super::fields::{self, Fields};
use super::{Text, anonymous, companion, fallback, json};
use crate::companion::Subject;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

const KNOWN: [(&str, Takes); 5] = [
    ("rename", Takes::Text),
    ("rename_all", Takes::Text),
    ("description", Takes::Text),
    ("trigger", Takes::Path),
    ("crate", Takes::Path),
];

pub(crate) fn expand_critical(input: syn::DeriveInput) -> TokenStream {
    expand(input, Subject::Action, "action")
}

pub(crate) fn expand_step(input: syn::DeriveInput) -> TokenStream {
    expand(input, Subject::Step, "step")
}

fn expand(input: syn::DeriveInput, subject: Subject, helper: &str) -> TokenStream {
    let mut errors = Errors::default();
    let attributes = Attributes::read(&input.attrs, helper, &KNOWN, &mut errors);
    let krate = attributes.krate();
    let (name, name_span) = attributes.name(&input.ident, None);
    let case = attributes.case(&mut errors);
    for parameter in &input.generics.params {
        let message = "an action owns its arguments, and is one type\n= help: take the parameters out; use `String` in place of `&str`";
        errors.at(parameter.span(), message);
    }
    let unit = matches!(&input.data, syn::Data::Struct(data) if matches!(data.fields, syn::Fields::Unit));
    // An action without arguments needs no braces.
    let named = if unit { None } else { fields::named(&input, "argument", &mut errors) };
    let fields = named.map(|named| Fields::read(named, helper, case, &mut errors)).unwrap_or_default();
    for field in fields.variables.iter().filter(|field| field.ty.borrowed) {
        let message =
            "an action owns its arguments: the effect gets them from the permit\n= help: use `String`";
        errors.at(field.ty.inner.span(), message);
    }
    let action = Action {
        krate: &krate,
        name: &name,
        subject,
        trigger: attributes.path("trigger"),
        broken: !errors.is_empty(),
    };
    if action.broken {
        return fallback(errors, &input, &action.impls(&input, &Fields::default()));
    }
    let mut text = Text::default();
    text.push(format!("{{\"name\":{}", json(&name)), name_span);
    text.member("description", &attributes.description(), name_span);
    text.sign(",\"arguments\":");
    fields.declare(true, &mut text);
    text.sign("}");
    let companion = companion(&krate, subject, &input, text);
    let impls = anonymous(&action.impls(&input, &fields));
    quote!(#impls #companion)
}

/// What the impls of an action are made of.
struct Action<'a> {
    krate: &'a syn::Path,
    name: &'a str,
    subject: Subject,
    trigger: Option<&'a syn::Path>,
    /// Whether its fields could not be read.
    broken: bool,
}

impl Action<'_> {
    fn impls(&self, input: &syn::DeriveInput, fields: &Fields) -> TokenStream {
        let (krate, name, ident) = (self.krate, self.name, &input.ident);
        let private = quote!(#krate::__private);
        let (generics, parameters, bounds) = input.generics.split_for_impl();
        let puts = fields.variables.iter().map(|field| {
            let name = &field.name;
            let input = field.input(&private, &field.own(), field.ty.optional);
            quote!(let action = action.argument(#name, #input?);)
        });
        let reads = fields.variables.iter().map(|field| {
            let (ident, name) = (&field.ident, &field.name);
            let span = field.ty.inner.span();
            let read = quote_spanned!(span=> arguments.typed(#name)?);
            quote!(#ident: #read)
        });
        let skipped = &fields.skipped;
        let judged = if self.broken {
            quote!(::core::unreachable!())
        } else {
            quote! {
                ::core::result::Result::Ok(Self {
                    #(#reads,)*
                    #(#skipped: ::core::default::Default::default(),)*
                })
            }
        };
        let (start, marker) = match self.subject {
            Subject::Action => (quote!(critical), quote!(CriticalAction)),
            _ => (quote!(step), quote!(Step)),
        };
        let critical = self.subject == Subject::Action;
        let register = self.trigger.map(|trigger| {
            let span = trigger.span();
            let register = quote_spanned!(span=> #private::register::<Self, _>(builder, #trigger));
            quote! {
                fn register(builder: #private::SessionBuilder) -> #private::SessionBuilder { #register }
            }
        });
        quote! {
            #[automatically_derived]
            impl #generics #private::Proposal for #ident #parameters #bounds {
                type Judged = Self;
                fn into_action(
                    self,
                    vocabulary: &#private::Vocabulary,
                ) -> ::core::result::Result<#private::Action, #private::Fault> {
                    let action = #private::#start(vocabulary, #name)?;
                    #(#puts)*
                    action.build()
                }
                fn judged(arguments: #private::Arguments) -> ::core::result::Result<Self, #private::Fault> {
                    let _ = &arguments;
                    #judged
                }
            }
            #[automatically_derived]
            impl #generics #private::TypedAction for #ident #parameters #bounds {
                const NAME: &'static str = #name;
                const CRITICAL: bool = #critical;
                #register
            }
            #[automatically_derived]
            impl #generics #private::#marker for #ident #parameters #bounds {}
            #[automatically_derived]
            impl #generics #private::Declared for #ident #parameters #bounds {}
        }
    }
}
