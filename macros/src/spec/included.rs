//! `include_spec!("path.intent")`: a specification in a file.

use super::Context;
use crate::errors::Errors;
use intentgate_engine::diagnostic::{Problems, Severity, render};
use intentgate_engine::span::Source;
use intentgate_engine::suggest;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::path::PathBuf;
use syn::ext::IdentExt;
use syn::parse::Parser;

/// `"path.intent", name = expression, …`
pub(super) fn expand(context: &Context<'_>, rest: TokenStream, errors: &mut Errors) -> Option<TokenStream> {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let named = "write the file's name in quotes: `\"reserve.intent\"`";
        let path: syn::LitStr = input.parse().map_err(|error| syn::Error::new(error.span(), named))?;
        let mut given: Vec<(syn::Ident, syn::Expr)> = Vec::new();
        while !input.is_empty() {
            input.parse::<syn::Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let name = input.call(syn::Ident::parse_any)?;
            input.parse::<syn::Token![=]>()?;
            given.push((name, input.parse()?));
        }
        Ok((path, given))
    };
    let (path, given) = errors.keep(parser.parse2(rest))?;
    let (file, text) = errors.keep(read(&path))?;
    let name = path.value();
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let source = Source::new(name, text.as_str());
    let checked = match context.check(&source) {
        Ok(checked) => {
            report(&checked.warnings, &path, context, errors);
            checked
        }
        Err(problems) => {
            report(&problems, &path, context, errors);
            return None;
        }
    };
    let mut parameters = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for (name, expression) in &given {
        let word = name.unraw().to_string();
        if seen.contains(&word) {
            errors.at(name.span(), format!("the parameter `${word}` is given twice"));
            continue;
        }
        seen.push(word.clone());
        match context.parameter(&checked, &word, &expression.to_token_stream()) {
            Some(parameter) => parameters.push(parameter),
            None => {
                let known = checked.specification.parameters().iter().map(|parameter| parameter.name());
                let help = suggest::known(&word, "parameters", known.collect::<Vec<_>>());
                errors.at(name.span(), format!("there is no parameter `${word}`\n= help: {help}"));
            }
        }
    }
    let written = context.written(name, 1, &quote!(#text), parameters.into_iter());
    // What was checked is what is used. The compiler looks at the file, too, to build anew when it changes.
    Some(quote!({
        const _: &[::core::primitive::u8] = ::core::include_bytes!(#file);
        #written
    }))
}

/// A file beside the one in which its name stands, and its text.
fn read(path: &syn::LitStr) -> syn::Result<(String, String)> {
    let beside = path.span().local_file().and_then(|file| file.parent().map(PathBuf::from));
    let file = beside.unwrap_or_default().join(path.value());
    let absolute = std::path::absolute(&file).unwrap_or_else(|_| file.clone());
    let bytes = std::fs::read(&file).map_err(|error| {
        let help = "= help: the path starts at the folder of this source file";
        syn::Error::new(path.span(), format!("can't read `{}`: {error}\n{help}", file.display()))
    })?;
    let text = String::from_utf8(bytes)
        .map_err(|_| syn::Error::new(path.span(), format!("`{}` is not UTF-8", file.display())))?;
    Ok((absolute.display().to_string(), text))
}

/// The compiler can point at tokens alone: the place in the file is in the words.
fn report(problems: &Problems, path: &syn::LitStr, context: &Context<'_>, errors: &mut Errors) {
    for item in problems.items() {
        let warning = match item.severity() {
            Severity::Error => "",
            Severity::Warning if !context.allowed.contains(&item.code()) => {
                "= note: a warning is an error here; if it is meant, write `allow` and its code after `in …;`"
            }
            Severity::Warning | Severity::Note => continue,
        };
        let one = Problems::one(problems.source().clone(), item.clone());
        let words = format!("intentgate: in `{}`\n{}{warning}", path.value(), render::plain(&one));
        errors.at(path.span(), words.trim_end());
    }
}
