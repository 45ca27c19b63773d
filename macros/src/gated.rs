//! `#[gated(Action)]`: the gate in front of a function that performs an effect.

use crate::errors::Errors;
use intentgate_engine::suggest;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;

/// `Action, gate = expression, crate = path`
struct Arguments {
    action: syn::Path,
    gate: Option<syn::Expr>,
    krate: syn::Path,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Arguments> {
        if input.is_empty() {
            return Err(input.error("name the action: `#[gated(Action)]`"));
        }
        let action = input.call(syn::Path::parse_mod_style)?;
        let (mut gate, mut krate) = (None, syn::parse_quote!(::intentgate));
        while !input.is_empty() {
            input.parse::<syn::Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let key = input.call(<Ident as syn::ext::IdentExt>::parse_any)?;
            if key != "gate" && key != "crate" {
                let help = suggest::known(&key.to_string(), "keys", ["gate", "crate"]);
                return Err(syn::Error::new(key.span(), format!("unknown key `{key}`\n= help: {help}")));
            }
            input.parse::<syn::Token![=]>()?;
            if key == "gate" {
                gate = Some(input.parse()?);
            } else {
                krate = input.call(syn::Path::parse_mod_style)?;
            }
        }
        Ok(Arguments { action, gate, krate })
    }
}

pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let function = match syn::parse2::<syn::ImplItemFn>(item.clone()) {
        Ok(function) => function,
        Err(_) => {
            let message = "only a function with a body can be gated";
            let error = syn::Error::new_spanned(&item, message).into_compile_error();
            return quote!(#error #item);
        }
    };
    let expanded = syn::parse2(arguments).and_then(|arguments| gate(&arguments, &function));
    expanded.unwrap_or_else(|error| {
        // Without its gate the function must not run: it stays, for others to name, without its effect.
        let error = error.into_compile_error();
        let syn::ImplItemFn { attrs, vis, sig, .. } = &function;
        quote!(#error #(#attrs)* #[allow(unused)] #vis #sig { ::core::unreachable!() })
    })
}

fn gate(arguments: &Arguments, function: &syn::ImplItemFn) -> syn::Result<TokenStream> {
    let Arguments { action, gate, krate } = arguments;
    let syn::ImplItemFn { attrs, vis, sig, block, .. } = function;
    let mut errors = Errors::default();
    let returned = match &sig.output {
        syn::ReturnType::Type(_, returned) if may_be_result(returned) => Some(returned),
        _ => None,
    };
    let Some(returned) = returned else {
        let message = "a gated function returns a `Result`: the refusal is its error\n= help: `-> Result<(), E>` where `E: EffectFailure + From<GateError>`";
        return Err(syn::Error::new(sig.ident.span(), message));
    };
    if let Some(constness) = &sig.constness {
        errors.at(constness.span(), "a gated function can't be `const`");
    }
    let receiver = sig.receiver();
    let mut proposed = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) if is(&typed.ty, action) => Some(typed),
        _ => None,
    });
    let (first, second) = (proposed.next(), proposed.next());
    let name = action.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let pattern = match (first.map(|typed| &*typed.pat), second) {
        (_, Some(second)) => {
            return Err(syn::Error::new(
                second.span(),
                "one action at a time: what is proposed is one value",
            ));
        }
        (Some(syn::Pat::Ident(pattern)), None) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
            pattern
        }
        (Some(other), None) => {
            return Err(syn::Error::new(
                other.span(),
                "give the action a name here, and take it apart in the body",
            ));
        }
        (None, None) if sig.inputs.iter().any(|input| borrows(input, action)) => {
            let message =
                format!("take `{name}` by value: the gate hands the one that was judged to the body");
            return Err(syn::Error::new(sig.ident.span(), message));
        }
        (None, None) => {
            let message = format!(
                "no parameter of the type `{name}`\n= help: add one: it is what is proposed, and the body gets the arguments that were judged"
            );
            return Err(syn::Error::new(sig.ident.span(), message));
        }
    };
    let gate = match (gate, receiver) {
        (Some(gate), _) => quote!(#gate),
        (None, Some(receiver)) => {
            let this = &receiver.self_token;
            quote!(#this.gate)
        }
        (None, None) => {
            let message = "say where the gate is: `#[gated(Action, gate = gate)]`";
            return Err(syn::Error::new(action.span(), message));
        }
    };
    if !errors.is_empty() {
        return Ok(errors.into_tokens());
    }
    let private = quote!(#krate::__private);
    let value = &pattern.ident;
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let (running, result) = (local("running"), local("result"));
    let (begun, outcome) = (local("begun"), local("outcome"));
    let refusal = Ident::new("refused", Span::mixed_site().located_at(returned.span()));
    // The body as it is, with `?` and `return` of its own.
    let performed = match &sig.asyncness {
        Some(_) => quote!(async #block.await),
        None => quote!((|| -> #returned #block)()),
    };
    // `mut` belongs to the body, which gets another value under the same name.
    let mut sig = sig.clone();
    for input in &mut sig.inputs {
        if let syn::FnArg::Typed(typed) = input
            && let syn::Pat::Ident(parameter) = &mut *typed.pat
            && parameter.ident == *value
        {
            parameter.mutability = None;
        }
    }
    let enter = quote_spanned!(action.span()=> #gate.enter::<#action>(#value));
    // What is wrong with the error is said at the type that is returned.
    let refused = quote_spanned!(returned.span()=> ::core::convert::From::from(#refusal));
    let leave = quote_spanned!(returned.span()=> #private::leave(#result, |#outcome| #gate.leave(#running, #outcome)));
    Ok(quote! {
        #(#attrs)*
        #[allow(clippy::redundant_closure_call, clippy::useless_conversion)]
        #vis #sig {
            let (#pattern, #running) = match #enter {
                ::core::result::Result::Ok(#begun) => #begun,
                ::core::result::Result::Err(#refusal) => {
                    return ::core::result::Result::Err(#refused);
                }
            };
            let #result: #returned = #performed;
            #leave
        }
    })
}

/// Whether a type may be a `Result`, under whatever name.
fn may_be_result(ty: &syn::Type) -> bool {
    const OTHERS: [&str; 17] = [
        "bool", "char", "str", "String", "Option", "Vec", "Box", "i8", "i16", "i32", "i64", "u8", "u16",
        "u32", "u64", "f32", "f64",
    ];
    match ty {
        syn::Type::Path(path) => {
            !path.path.segments.last().is_some_and(|last| OTHERS.iter().any(|other| last.ident == other))
        }
        syn::Type::Group(group) => may_be_result(&group.elem),
        syn::Type::Paren(group) => may_be_result(&group.elem),
        _ => false,
    }
}

/// Whether a parameter borrows the action.
fn borrows(input: &syn::FnArg, action: &syn::Path) -> bool {
    matches!(input, syn::FnArg::Typed(typed) if matches!(&*typed.ty, syn::Type::Reference(borrowed) if is(&borrowed.elem, action)))
}

/// Whether a type is written as the action is.
fn is(ty: &syn::Type, action: &syn::Path) -> bool {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() => {
            path.to_token_stream().to_string() == action.to_token_stream().to_string()
        }
        syn::Type::Group(group) => is(&group.elem, action),
        syn::Type::Paren(group) => is(&group.elem, action),
        _ => false,
    }
}
