//! Everything that is wrong, as `compile_error!`s on the user's tokens, all at once.

use crate::source_map::SourceMap;
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems, Severity};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// Collects errors in the order in which they are found.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    /// The value, or nothing and the error kept.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Errors, and the warnings that are not allowed: the compiler has no way to warn from here. Notes
    /// are left out.
    pub(crate) fn problems(&mut self, problems: &Problems, map: &SourceMap, allowed: &[Code]) {
        for item in problems.items() {
            let words = words(problems, item);
            match item.severity() {
                Severity::Error => self.push(spanned(map.tokens(item.primary.span), &words)),
                Severity::Warning if !allowed.contains(&item.code()) => {
                    let code = item.code();
                    let words =
                        format!("{words}\n= note: if it is meant, write `allow {code};` after `in …;`");
                    self.push(spanned(map.tokens(item.primary.span), &words));
                }
                Severity::Warning | Severity::Note => {}
            }
        }
        if problems.omitted() > 0 {
            self.at(Span::call_site(), format!("… and {} more errors", problems.omitted()));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// As items or statements.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.map(syn::Error::into_compile_error).unwrap_or_default()
    }
}

/// The words of a diagnostic, without its place.
fn words(problems: &Problems, item: &Diagnostic) -> String {
    let mut words = format!("intentgate {}: {}", item.code(), item.fault.message);
    if !item.primary.text.is_empty() {
        words.push_str(&format!("\n= note: {}", item.primary.text));
    }
    for label in &item.secondary {
        let place = problems.source().slice(label.span);
        words.push_str(&format!("\n= note: {}: `{}`", label.text, place.trim()));
    }
    for help in &item.fault.help {
        words.push_str(&format!("\n= help: {help}"));
    }
    words
}

/// An error that underlines from one token to another.
fn spanned((first, last): (Span, Span), message: &str) -> syn::Error {
    let token = |span| TokenTree::Ident(Ident::new("_", span));
    syn::Error::new_spanned(TokenStream::from_iter([token(first), token(last)]), message)
}
