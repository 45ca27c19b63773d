//! Companions: how one macro tells another what it knows.
//!
//! A companion is a `macro_rules!` macro of the type's name. Its payload is a group: what it is of
//! (`state`, `action`, …), then string literals, each with the span of the token it speaks of, which
//! together are a text. Asked as `Name! { (said) [{next} …] rest }` it adds its payload to what others
//! said, and asks the next one; the last is the callback, which gets `(all payloads) [] rest`.

use crate::source_map::SourceMap;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::sync::atomic::{AtomicUsize, Ordering};
use syn::ext::IdentExt;

/// What a companion is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    State,
    Action,
    Step,
    Enumeration,
    Vocabulary,
    /// Of something that was wrong, and reported.
    Broken,
}

impl Subject {
    const ALL: [(Subject, &str); 6] = [
        (Subject::State, "state"),
        (Subject::Action, "action"),
        (Subject::Step, "step"),
        (Subject::Enumeration, "enumeration"),
        (Subject::Vocabulary, "vocabulary"),
        (Subject::Broken, "broken"),
    ];

    fn word(self) -> &'static str {
        Subject::ALL.iter().find(|(subject, _)| *subject == self).map_or("broken", |(_, word)| word)
    }

    /// In a sentence.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Subject::State => "a state",
            Subject::Action => "a critical action",
            Subject::Step => "a step",
            Subject::Enumeration => "an enumeration",
            Subject::Vocabulary => "a vocabulary",
            Subject::Broken => "wrong",
        }
    }
}

/// What a companion said.
pub(crate) struct Payload {
    pub(crate) subject: Subject,
    pub(crate) map: SourceMap,
}

impl Payload {
    /// Reads a payload group; what is none counts as broken.
    fn read(group: TokenTree) -> Payload {
        let mut payload = Payload { subject: Subject::Broken, map: SourceMap::default() };
        let TokenTree::Group(group) = group else { return payload };
        for token in group.stream() {
            let span = token.span();
            match token {
                TokenTree::Ident(word) => {
                    let found = Subject::ALL.iter().find(|(_, known)| word == known);
                    payload.subject = found.map_or(Subject::Broken, |(subject, _)| *subject);
                }
                other => {
                    if let Ok(text) = syn::parse2::<syn::LitStr>(other.into()) {
                        payload.map.push(&text.value(), span);
                    }
                }
            }
        }
        payload
    }

    /// What all companions said to a callback; the rest is left.
    pub(crate) fn read_all(tokens: &mut impl Iterator<Item = TokenTree>) -> Vec<Payload> {
        let said = next_group(tokens).into_iter().map(Payload::read).collect();
        // Nobody is left to be asked.
        tokens.next();
        said
    }

    fn tokens(&self) -> TokenStream {
        let subject = Ident::new(self.subject.word(), Span::call_site());
        let literals = self.map.pieces().map(|(text, span)| {
            let mut literal = Literal::string(text);
            literal.set_span(span);
            literal
        });
        quote!({ #subject #(#literals)* })
    }
}

/// The companion of `name`, visible where the type is.
pub(crate) fn define(name: &Ident, visibility: &syn::Visibility, payload: &Payload) -> TokenStream {
    let payload = payload.tokens();
    // No two companions of a crate have the same name, whatever their types are called.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let hidden = format_ident!("__intentgate_{}_{count}", name.unraw());
    // Other crates can name an exported macro only; inside the crate its alias is used.
    let export = match visibility {
        syn::Visibility::Public(_) => quote!(#[macro_export]),
        _ => TokenStream::new(),
    };
    let mut alias = name.clone();
    alias.set_span(name.span().resolved_at(Span::call_site()));
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros, non_local_definitions)]
        #export
        macro_rules! #hidden {
            (($($said:tt)*) [{ $($next:tt)* } $($other:tt)*] $($rest:tt)*) => {
                $($next)*! { ($($said)* #payload) [$($other)*] $($rest)* }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        #visibility use #hidden as #alias;
    }
}

/// Asks companions in order, and hands all that they say, then `rest`, to `callback`.
pub(crate) fn ask(companions: &[syn::Path], callback: &TokenStream, rest: &TokenStream) -> TokenStream {
    let Some((first, others)) = companions.split_first() else {
        return quote!(#callback! { () [] #rest });
    };
    let others = others.iter().map(|path| quote!({ #path }));
    quote!(#first! { () [#(#others)* { #callback }] #rest })
}

/// The tokens of the next group.
pub(crate) fn next_group(tokens: &mut impl Iterator<Item = TokenTree>) -> TokenStream {
    match tokens.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    }
}
