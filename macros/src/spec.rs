//! `spec!`, `policy!`, `include_spec!`, `include_policy!`: specifications, checked against a vocabulary.

mod included;
mod tokens;

use crate::companion::{self, Payload, Subject};
use crate::declare::enumeration::{fingerprint_of, fingerprint_of_text};
use crate::errors::Errors;
use crate::source_map::SourceMap;
use intentgate_engine::check::{self, Checked};
use intentgate_engine::diagnostic::{Code, Problems};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{VariableType, Vocabulary};
use intentgate_engine::span::Source;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use syn::parse::Parser;
use syn::spanned::Spanned;

/// Which of the macros it is.
#[derive(Clone, Copy)]
struct Form {
    policy: bool,
    included: bool,
}

/// The first half: asks the companion of the vocabulary.
pub(crate) fn ask(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let krate = companion::next_group(&mut tokens);
    let form = companion::next_group(&mut tokens);
    let parser = |input: syn::parse::ParseStream<'_>| {
        let start = "start with the vocabulary: `in Name;`";
        input.parse::<syn::Token![in]>().map_err(|error| syn::Error::new(error.span(), start))?;
        let path = input.call(syn::Path::parse_mod_style)?;
        let end = format!("expected `;` after the vocabulary: `in {};`", quote!(#path));
        input.parse::<syn::Token![;]>().map_err(|error| syn::Error::new(error.span(), end))?;
        Ok((path, input.parse::<TokenStream>()?))
    };
    match parser.parse2(TokenStream::from_iter(tokens)) {
        Ok((path, rest)) => {
            let callback = quote!(#krate::__private::spec_answered);
            let rest = quote!({ #krate } { #path } { #form } { #rest });
            companion::ask(&[path], &callback, &rest)
        }
        Err(error) => failed(&krate, error.into_compile_error()),
    }
}

/// The second half: the specification, checked.
pub(crate) fn answered(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let said = Payload::read_all(&mut tokens).pop();
    let krate = companion::next_group(&mut tokens);
    let path = companion::next_group(&mut tokens);
    let form = companion::next_group(&mut tokens).to_string();
    let form = Form { policy: form.contains("policy"), included: form.contains("include") };
    let rest = companion::next_group(&mut tokens);
    let mut errors = Errors::default();
    let vocabulary = match said {
        Some(payload) if payload.subject == Subject::Vocabulary => vocabulary(payload.map.text()),
        Some(payload) if payload.subject != Subject::Broken => {
            let what = payload.subject.described();
            let message = format!(
                "`{path}` is {what}, not a vocabulary\n= help: name the type that `vocabulary!` makes"
            );
            errors.push(syn::Error::new_spanned(&path, message));
            None
        }
        // What is wrong with it was reported there.
        _ => None,
    };
    let Some(vocabulary) = vocabulary else { return failed(&krate, errors.into_tokens()) };
    let (allowed, rest) = allowed(rest, &mut errors);
    let context = Context { krate: &krate, path: &path, form, vocabulary: &vocabulary, allowed: &allowed };
    let expanded = if form.included {
        included::expand(&context, rest, &mut errors)
    } else {
        context.inline(rest, &mut errors)
    };
    match expanded {
        Some(tokens) if errors.is_empty() => tokens,
        _ => failed(&krate, errors.into_tokens()),
    }
}

/// Errors in the place of a specification, so that nothing else is wrong because of them.
fn failed(krate: &TokenStream, errors: TokenStream) -> TokenStream {
    quote!({ #errors #krate::__private::unwritten() })
}

/// The vocabulary of a declaration that was checked before; read once for each crate.
fn vocabulary(declaration: &str) -> Option<Arc<Vocabulary>> {
    thread_local! {
        static KNOWN: RefCell<HashMap<String, Arc<Vocabulary>>> = RefCell::new(HashMap::new());
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(vocabulary) = known.get(declaration) {
            return Some(Arc::clone(vocabulary));
        }
        let limits = Limits { bytes: usize::MAX, ..Limits::default() };
        let read = Vocabulary::from_json(&Source::new("vocabulary", declaration), &limits).ok()?;
        let read = Arc::new(read);
        known.insert(declaration.to_owned(), Arc::clone(&read));
        Some(read)
    })
}

/// `allow W0401, W0404;` at the start.
fn allowed(rest: TokenStream, errors: &mut Errors) -> (Vec<Code>, TokenStream) {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let mut codes = Vec::new();
        let ahead = input.fork();
        let starts = ahead.parse::<syn::Ident>().is_ok_and(|word| word == "allow")
            && ahead.parse::<syn::Ident>().is_ok_and(|word| {
                let ends = ahead.peek(syn::Token![,]) || ahead.peek(syn::Token![;]);
                ends || Code::parse(&word.to_string()).is_some()
            });
        if starts {
            input.parse::<syn::Ident>()?;
            loop {
                codes.push(input.parse::<syn::Ident>()?);
                if input.parse::<syn::Token![;]>().is_ok() {
                    break;
                }
                let end = "expected `,` and another code, or `;` after the codes that are allowed";
                input.parse::<syn::Token![,]>().map_err(|error| syn::Error::new(error.span(), end))?;
            }
        }
        Ok((codes, input.parse::<TokenStream>()?))
    };
    match parser.parse2(rest) {
        Ok((words, rest)) => {
            let mut codes = Vec::new();
            for word in words {
                match Code::parse(&word.to_string()).filter(|code| code.as_str().starts_with('W')) {
                    Some(code) => codes.push(code),
                    None => errors.at(word.span(), format!("`{word}` is not the code of a warning")),
                }
            }
            (codes, rest)
        }
        Err(error) => {
            errors.push(error);
            (Vec::new(), TokenStream::new())
        }
    }
}

/// Everything around a specification.
struct Context<'a> {
    krate: &'a TokenStream,
    path: &'a TokenStream,
    form: Form,
    vocabulary: &'a Arc<Vocabulary>,
    allowed: &'a [Code],
}

impl Context<'_> {
    fn check(&self, source: &Source) -> Result<Checked, Problems> {
        let check = if self.form.policy { check::policy } else { check::specification };
        check(source, self.vocabulary, &Limits::default())
    }

    /// A specification in tokens.
    fn inline(&self, rest: TokenStream, errors: &mut Errors) -> Option<TokenStream> {
        let first = rest.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
        let written = tokens::flatten(rest, errors);
        if !errors.is_empty() {
            return None;
        }
        let file = first.file();
        let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
        let source = Source::new(file, written.map.text()).at_line(first.start().line);
        let checked = self.passed(self.check(&source), &written.map, errors)?;
        let parameters = written
            .expressions
            .iter()
            .map(|given| self.parameter(&checked, &given.parameter, &given.tokens).unwrap_or_default());
        let text = written.map.text();
        Some(self.written(file, first.start().line, &quote!(#text), parameters))
    }

    fn passed(
        &self,
        checked: Result<Checked, Problems>,
        map: &SourceMap,
        errors: &mut Errors,
    ) -> Option<Checked> {
        let problems = match &checked {
            Ok(checked) => &checked.warnings,
            Err(problems) => problems,
        };
        errors.problems(problems, map, self.allowed);
        checked.ok()
    }

    /// The value of a parameter, held against its type by the compiler.
    fn parameter(&self, checked: &Checked, name: &str, expression: &TokenStream) -> Option<TokenStream> {
        let krate = self.krate;
        let private = quote!(#krate::__private);
        let mut parameters = checked.specification.parameters().iter();
        let parameter = parameters.find(|parameter| parameter.name() == name)?;
        let kind = match parameter.variable_type() {
            VariableType::Text => quote!(Text),
            VariableType::Number => quote!(Number),
            VariableType::Boolean => quote!(Boolean),
            VariableType::Date => quote!(Date),
            VariableType::Time => quote!(Time),
            VariableType::Enum(enumeration) => {
                let fingerprint = fingerprint_of(enumeration);
                quote!(Enumerator::<#fingerprint>)
            }
        };
        let name = parameter.name();
        Some(quote_spanned!(expression.span()=> (#name, #private::operand::#kind::operand(&(#expression)))))
    }

    /// The value of the macro.
    fn written(
        &self,
        file: &str,
        line: usize,
        text: &TokenStream,
        parameters: impl Iterator<Item = TokenStream>,
    ) -> TokenStream {
        let (krate, path, policy) = (self.krate, self.path, self.form.policy);
        let private = quote!(#krate::__private);
        let fingerprint = fingerprint_of_text(&self.vocabulary.to_json());
        // The expressions stand outside of the block: nothing in it is in their way.
        quote! {
            {
                const _: () = #private::same_vocabulary(<#path as #private::App>::FINGERPRINT, #fingerprint);
                static WRITTEN: #private::Written = #private::Written::new(#file, #line, #text, #policy);
                &WRITTEN
            }
            .with::<#path, _>([#(#parameters),*])
        }
    }
}
