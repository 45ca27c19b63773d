//! Declarations: states, enumerations, actions.
//!
//! Each derive reads its item into a model, writes the JSON of the declaration with the place of every
//! part, lets the engine check it, and emits the impl and the companion.

pub(crate) mod action;
mod attributes;
pub(crate) mod enumeration;
mod fields;
pub(crate) mod state;
mod types;

use crate::companion::{self, Payload, Subject};
use crate::errors::Errors;
use crate::source_map::SourceMap;
use crate::vocabulary::Assembly;
use intentgate_engine::diagnostic::{Code, Problems};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

/// The text of a declaration, with the places of its parts, and holes for what the companions of
/// enumerations say.
#[derive(Default)]
pub(crate) struct Text {
    parts: Vec<Part>,
}

enum Part {
    Text(String, Span),
    /// What the companion of this type says of its values.
    Values(syn::Path),
}

impl Text {
    fn push(&mut self, text: impl Into<String>, span: Span) {
        self.parts.push(Part::Text(text.into(), span));
    }

    /// What belongs to no token: it goes with the part before it.
    fn sign(&mut self, sign: &str) {
        match self.parts.last_mut() {
            Some(Part::Text(text, _)) => text.push_str(sign),
            _ => self.push(sign, Span::call_site()),
        }
    }

    /// `,"key":value`
    fn member(&mut self, key: &str, value: &impl serde::Serialize, span: Span) {
        self.push(format!(",\"{key}\":{}", json(value)), span);
    }

    fn values(&mut self, of: syn::Path) {
        self.parts.push(Part::Values(of));
    }
}

/// A value as JSON.
fn json(value: &(impl serde::Serialize + ?Sized)) -> String {
    // Texts, numbers and lists of texts: writing them can't fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// The companion of a declaration: at once, or once the companions of its enumerations were asked.
fn companion(krate: &syn::Path, subject: Subject, input: &syn::DeriveInput, text: Text) -> TokenStream {
    let (name, visibility) = (&input.ident, &input.vis);
    let mut asked = Vec::new();
    let mut tokens = TokenStream::new();
    let mut map = SourceMap::default();
    for part in text.parts {
        match part {
            Part::Text(text, span) => {
                let mut literal = Literal::string(&text);
                literal.set_span(span);
                literal.to_tokens(&mut tokens);
                map.push(&text, span);
            }
            Part::Values(path) => {
                let span = path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
                tokens.extend(quote_spanned!(span=> _));
                asked.push(path);
            }
        }
    }
    if asked.is_empty() {
        return finish(name, visibility, Payload { subject, map });
    }
    let critical = matches!(subject, Subject::Action);
    let state = matches!(subject, Subject::State);
    let rest = quote!({ #visibility } { #name } { #state #critical } { #tokens });
    companion::ask(&asked, &quote!(#krate::__private::declaration_answered), &rest)
}

/// The second half of [`companion`].
pub(crate) fn answered(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let said = Payload::read_all(&mut input);
    let visibility = syn::parse2(companion::next_group(&mut input)).unwrap_or(syn::Visibility::Inherited);
    let name = syn::parse2::<Ident>(companion::next_group(&mut input));
    let Ok(name) = name else { return TokenStream::new() };
    let kind = companion::next_group(&mut input).to_string();
    let subject = match kind.as_str() {
        "true false" => Subject::State,
        "false true" => Subject::Action,
        _ => Subject::Step,
    };
    let mut errors = Errors::default();
    let mut map = SourceMap::default();
    let mut said = said.into_iter();
    for token in companion::next_group(&mut input) {
        let span = token.span();
        if let TokenTree::Literal(_) = token {
            if let Ok(text) = syn::parse2::<syn::LitStr>(token.into()) {
                map.push(&text.value(), span);
            }
            continue;
        }
        match said.next() {
            Some(payload) if payload.subject == Subject::Enumeration => map.push(payload.map.text(), span),
            Some(payload) => {
                if payload.subject != Subject::Broken {
                    let what = payload.subject.described();
                    errors.at(span, format!("this is {what}, which can't be the type of a variable"));
                }
                return with_errors(errors, companion::define(&name, &visibility, &broken()));
            }
            None => {}
        }
    }
    finish(&name, &visibility, Payload { subject, map })
}

/// Checks the declaration by itself, and defines its companion.
fn finish(name: &Ident, visibility: &syn::Visibility, payload: Payload) -> TokenStream {
    let mut errors = Errors::default();
    let mut assembly = Assembly::new("");
    assembly.add(&payload);
    let payload = match assembly.check() {
        Err(wrong) => {
            let (problems, map) = *wrong;
            // What resets a variable may be declared elsewhere, and so may everything but a step.
            let mut own = Problems::new(problems.source().clone());
            let elsewhere = [Code::BadReset, Code::EmptyVocabulary];
            let items = problems.items().iter().filter(|item| !elsewhere.contains(&item.code()));
            items.for_each(|item| own.push(item.clone()));
            errors.problems(&own, &map, &[]);
            if errors.is_empty() { payload } else { broken() }
        }
        Ok(_) => payload,
    };
    let companion = companion::define(name, visibility, &payload);
    with_errors(errors, companion)
}

/// The companion of what could not be read: what asks it stays silent, since it was reported.
fn broken() -> Payload {
    Payload { subject: Subject::Broken, map: SourceMap::default() }
}

fn with_errors(errors: Errors, tokens: TokenStream) -> TokenStream {
    let errors = errors.into_tokens();
    quote!(#errors #tokens)
}

/// For an item that can't be declared: the errors, and everything that others may name.
fn fallback(errors: Errors, input: &syn::DeriveInput, impls: &TokenStream) -> TokenStream {
    let companion = companion::define(&input.ident, &input.vis, &broken());
    let impls = anonymous(impls);
    with_errors(errors, quote!(#impls #companion))
}

/// Impls in a scope of their own.
fn anonymous(impls: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(non_local_definitions, unused_qualifications, clippy::all, clippy::pedantic, clippy::restriction)]
        const _: () = { #impls };
    }
}
