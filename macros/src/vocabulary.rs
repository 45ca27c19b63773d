//! `vocabulary!`: a vocabulary from types.

use crate::companion::{self, Payload, Subject};
use crate::declare::enumeration::fingerprint_of_text;
use crate::errors::Errors;
use crate::source_map::SourceMap;
use intentgate_engine::diagnostic::Problems;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::span::Source;
use intentgate_engine::suggest;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;

/// The JSON of a vocabulary, put together of declarations.
pub(crate) struct Assembly {
    app: String,
    states: Vec<SourceMap>,
    actions: Vec<SourceMap>,
    steps: Vec<SourceMap>,
    closed: bool,
}

impl Assembly {
    pub(crate) fn new(app: &str) -> Assembly {
        let app = app.to_owned();
        Assembly { app, states: Vec::new(), actions: Vec::new(), steps: Vec::new(), closed: false }
    }

    /// Adds what a companion said.
    pub(crate) fn add(&mut self, payload: &Payload) {
        match payload.subject {
            Subject::State => self.states.push(payload.map.clone()),
            Subject::Action => self.actions.push(payload.map.clone()),
            Subject::Step => self.steps.push(payload.map.clone()),
            Subject::Enumeration | Subject::Vocabulary | Subject::Broken => {}
        }
    }

    /// The vocabulary, or what is wrong with it and where the parts came from.
    pub(crate) fn check(&self) -> Result<Vocabulary, Box<(Problems, SourceMap)>> {
        let map = self.text();
        let limits = Limits { bytes: usize::MAX, ..Limits::default() };
        Vocabulary::from_json(&Source::new(self.app.as_str(), map.text()), &limits)
            .map_err(|problems| Box::new((problems, map)))
    }

    fn text(&self) -> SourceMap {
        let mut map = SourceMap::default();
        let name = serde_json::Value::from(self.app.as_str());
        map.push(&format!("{{\"app\":{name},\"closed\":{}", self.closed), Span::call_site());
        for (key, parts) in [("states", &self.states), ("actions", &self.actions), ("steps", &self.steps)] {
            map.push(&format!(",\"{key}\":["), Span::call_site());
            for (index, part) in parts.iter().enumerate() {
                if index > 0 {
                    map.push(",", Span::call_site());
                }
                part.pieces().for_each(|(text, span)| map.push(text, span));
            }
            map.push("]", Span::call_site());
        }
        map.push("}", Span::call_site());
        map
    }
}

/// `struct Name { states: […], actions: […], … }`
struct Header {
    attributes: Vec<syn::Attribute>,
    visibility: syn::Visibility,
    ident: Ident,
    app: Option<syn::LitStr>,
    states: Vec<syn::Path>,
    actions: Vec<syn::Path>,
    steps: Vec<syn::Path>,
    closed: bool,
}

const KEYS: [&str; 5] = ["states", "actions", "steps", "closed", "name"];

impl Parse for Header {
    fn parse(input: ParseStream<'_>) -> syn::Result<Header> {
        let attributes = input.call(syn::Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let example = "write `struct Name { states: [A, B], actions: [C] }`";
        let _: syn::Token![struct] = input.parse().map_err(|error| syn::Error::new(error.span(), example))?;
        let ident = input.parse()?;
        let mut header = Header {
            attributes,
            visibility,
            ident,
            app: None,
            states: Vec::new(),
            actions: Vec::new(),
            steps: Vec::new(),
            closed: false,
        };
        let content;
        syn::braced!(content in input);
        let mut seen: Vec<String> = Vec::new();
        while !content.is_empty() {
            let key: Ident = content.parse()?;
            let word = key.to_string();
            if !KEYS.contains(&word.as_str()) {
                let help = suggest::known(&word, "keys", KEYS);
                return Err(syn::Error::new(key.span(), format!("unknown key `{word}`\n= help: {help}")));
            }
            if seen.contains(&word) {
                return Err(syn::Error::new(key.span(), format!("`{word}` stands twice")));
            }
            content.parse::<syn::Token![:]>()?;
            match word.as_str() {
                "closed" => header.closed = content.parse::<syn::LitBool>()?.value,
                "name" => header.app = Some(content.parse()?),
                list => {
                    let paths;
                    syn::bracketed!(paths in content);
                    let paths = paths.parse_terminated(syn::Path::parse_mod_style, syn::Token![,])?;
                    let place = match list {
                        "states" => &mut header.states,
                        "actions" => &mut header.actions,
                        _ => &mut header.steps,
                    };
                    place.extend(paths);
                }
            }
            seen.push(word);
            if !content.is_empty() {
                content.parse::<syn::Token![,]>()?;
            }
        }
        if !input.is_empty() {
            return Err(input.error("one vocabulary at a time"));
        }
        Ok(header)
    }
}

impl Header {
    /// Every type, with the list that it stands in.
    fn listed(&self) -> impl Iterator<Item = (&syn::Path, Subject)> {
        let states = self.states.iter().map(|path| (path, Subject::State));
        let actions = self.actions.iter().map(|path| (path, Subject::Action));
        let steps = self.steps.iter().map(|path| (path, Subject::Step));
        states.chain(actions).chain(steps)
    }

    fn name(&self) -> String {
        self.app.as_ref().map_or_else(|| self.ident.to_string(), syn::LitStr::value)
    }
}

/// The first half: asks the companions of all the types.
pub(crate) fn ask(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let krate = companion::next_group(&mut tokens);
    let written = TokenStream::from_iter(tokens);
    let header = match syn::parse2::<Header>(written.clone()) {
        Ok(header) => header,
        Err(error) => return error.into_compile_error(),
    };
    // The compiler's own words for a type without the derive.
    let required = header
        .listed()
        .map(|(path, _)| quote_spanned!(path.span()=> #krate::__private::declared_type::<#path>();));
    let paths: Vec<syn::Path> = header.listed().map(|(path, _)| path.clone()).collect();
    let callback = quote!(#krate::__private::vocabulary_answered);
    let asked = companion::ask(&paths, &callback, &quote!({ #krate } #written));
    quote! {
        #[allow(elided_lifetimes_in_paths)]
        const _: fn() = || { #(#required)* };
        #asked
    }
}

/// The second half: the vocabulary, checked.
pub(crate) fn answered(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let said = Payload::read_all(&mut tokens);
    let krate = companion::next_group(&mut tokens);
    let header = match syn::parse2::<Header>(TokenStream::from_iter(tokens)) {
        Ok(header) => header,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let mut assembly = Assembly { closed: header.closed, ..Assembly::new(&header.name()) };
    let mut broken = false;
    let mut seen: Vec<String> = Vec::new();
    for ((path, list), payload) in header.listed().zip(&said) {
        let written = path.to_token_stream().to_string();
        if seen.contains(&written) {
            errors.at(path.span(), format!("`{written}` is listed twice"));
            continue;
        }
        seen.push(written);
        if payload.subject == Subject::Broken {
            broken = true;
        } else if payload.subject == list {
            assembly.add(payload);
        } else {
            let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            let mut message =
                format!("`{name}` is {}, not {}", payload.subject.described(), list.described());
            match payload.subject {
                Subject::State => message.push_str("\n= help: list it under `states`"),
                Subject::Action => message.push_str("\n= help: list it under `actions`"),
                Subject::Step => message.push_str("\n= help: list it under `steps`"),
                _ => {}
            }
            errors.at(path.span(), message);
        }
    }
    let mut payload = Payload { subject: Subject::Broken, map: SourceMap::default() };
    let mut declaration = String::new();
    if errors.is_empty() && !broken {
        match assembly.check() {
            Ok(vocabulary) => {
                declaration = vocabulary.to_json();
                payload.subject = Subject::Vocabulary;
                payload.map.push(&declaration, header.ident.span());
            }
            Err(wrong) => errors.problems(&wrong.0, &wrong.1, &[]),
        }
    }
    let Header { attributes, visibility, ident, actions, steps, .. } = &header;
    let private = quote!(#krate::__private);
    let name = header.name();
    let typed: Vec<&syn::Path> = actions.iter().chain(steps).collect();
    let companion = companion::define(ident, visibility, &payload);
    let fingerprint = fingerprint_of_text(&declaration);
    let errors = errors.into_tokens();
    quote! {
        #errors
        #(#attributes)*
        #visibility struct #ident;

        #[automatically_derived]
        impl #private::App for #ident {
            const DECLARATION: &'static str = #declaration;
            const FINGERPRINT: u64 = #fingerprint;
            fn vocabulary() -> &'static #private::Arc<#private::Vocabulary> {
                static VOCABULARY: #private::OnceLock<#private::Arc<#private::Vocabulary>> =
                    #private::OnceLock::new();
                VOCABULARY.get_or_init(|| #private::declared(#name, <Self as #private::App>::DECLARATION))
            }
            fn register(builder: #private::SessionBuilder) -> #private::SessionBuilder {
                #(let builder = <#typed as #private::TypedAction>::register(builder);)*
                builder
            }
        }
        #companion
    }
}
