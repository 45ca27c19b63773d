//! The attributes of derives: `#[state(rename = "…", skip)]` and its kin.

use crate::errors::Errors;
use heck::{
    ToKebabCase, ToLowerCamelCase, ToShoutyKebabCase, ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase,
};
use intentgate_engine::suggest;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;

/// What an attribute takes.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// Nothing.
    Nothing,
    /// `= "text"`
    Text,
    /// `= path::to::it`
    Path,
    /// `= word` or `= "word"`
    Word,
    /// `= "60s"` or `= 3`
    Age,
    /// `= "one"` or `= ["one", "two"]`
    Texts,
}

/// What an attribute was given.
enum Given {
    Nothing,
    Path(syn::Path),
    Literal(syn::Lit),
    Texts(Vec<syn::LitStr>),
}

/// The attributes of one item, and its description.
#[derive(Default)]
pub(super) struct Attributes {
    items: Vec<(&'static str, Span, Given)>,
    documentation: String,
}

impl Attributes {
    /// Reads the attributes called `helper` and the doc comment.
    pub(super) fn read(
        attributes: &[syn::Attribute],
        helper: &str,
        known: &[(&'static str, Takes)],
        errors: &mut Errors,
    ) -> Attributes {
        let mut read = Attributes { documentation: documentation(attributes), items: Vec::new() };
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(helper)) {
            if let syn::Meta::Path(path) = &attribute.meta {
                errors.at(path.span(), format!("write `#[{helper}(…)]` with what it says in parentheses"));
                continue;
            }
            let parsed = attribute.parse_nested_meta(|meta| {
                let rest = meta.input.fork();
                if let Err(error) = read.item(&meta, helper, known) {
                    errors.push(error);
                    // One mistake doesn't hide the next.
                    advance(meta.input, &rest)?;
                }
                Ok(())
            });
            errors.keep(parsed);
        }
        read
    }

    fn item(
        &mut self,
        meta: &ParseNestedMeta<'_>,
        helper: &str,
        known: &[(&'static str, Takes)],
    ) -> syn::Result<()> {
        let word = meta.path.get_ident().map(|word| word.unraw().to_string()).unwrap_or_default();
        let Some((name, takes)) = known.iter().find(|(name, _)| *name == word) else {
            let names = known.iter().map(|(name, _)| *name);
            let help = suggest::known(&word, "attributes here", names);
            return Err(meta.error(format!("unknown attribute `{word}` in `#[{helper}(…)]`\n= help: {help}")));
        };
        if self.items.iter().any(|(earlier, ..)| earlier == name) {
            return Err(meta.error(format!("`{name}` stands twice")));
        }
        let span = meta.path.span();
        let example = match takes {
            Takes::Nothing => "",
            Takes::Text | Takes::Texts => " = \"…\"",
            Takes::Path => " = path",
            Takes::Word => " = …",
            Takes::Age => " = \"60s\"",
        };
        let has_value = meta.input.peek(syn::Token![=]);
        let given = match (takes, has_value) {
            (Takes::Nothing, false) if !meta.input.peek(syn::token::Paren) => Given::Nothing,
            (Takes::Nothing, _) => return Err(meta.error(format!("`{name}` takes no value"))),
            (_, false) => return Err(meta.error(format!("`{name}` needs a value: `{name}{example}`"))),
            (Takes::Path, true) => {
                let value = meta.value()?;
                // `crate = "path"` is how other derives write it.
                Given::Path(if value.peek(syn::LitStr) {
                    value.parse::<syn::LitStr>()?.parse_with(syn::Path::parse_mod_style)?
                } else {
                    value.call(syn::Path::parse_mod_style)?
                })
            }
            (Takes::Word, true) => {
                let value = meta.value()?;
                let word = if value.peek(syn::Ident) {
                    let word = value.call(syn::Ident::parse_any)?;
                    syn::LitStr::new(&word.to_string(), word.span())
                } else {
                    value.parse()?
                };
                Given::Literal(syn::Lit::Str(word))
            }
            (Takes::Text, true) => {
                let value = meta.value()?;
                if !value.peek(syn::LitStr) {
                    return Err(value.error(format!("write a text: `{name}{example}`")));
                }
                Given::Literal(syn::Lit::Str(value.parse()?))
            }
            (Takes::Age, true) => match meta.value()?.parse()? {
                syn::Lit::Int(changes) if changes.suffix().is_empty() => {
                    Given::Literal(syn::Lit::Int(changes))
                }
                literal @ syn::Lit::Str(_) => Given::Literal(literal),
                other => {
                    let message = "write a length of time like \"60s\", or a whole number of changes";
                    return Err(syn::Error::new(other.span(), message));
                }
            },
            (Takes::Texts, true) => {
                let value = meta.value()?;
                Given::Texts(if value.peek(syn::token::Bracket) {
                    let list;
                    syn::bracketed!(list in value);
                    list.parse_terminated(<syn::LitStr as syn::parse::Parse>::parse, syn::Token![,])?
                        .into_iter()
                        .collect()
                } else if value.peek(syn::LitStr) {
                    vec![value.parse()?]
                } else {
                    return Err(value.error(format!("write a text: `{name} = \"State.variable\"`")));
                })
            }
        };
        self.items.push((name, span, given));
        Ok(())
    }

    fn get(&self, name: &str) -> Option<(&Given, Span)> {
        self.items.iter().find(|(known, ..)| *known == name).map(|(_, span, given)| (given, *span))
    }

    /// What stands beside an attribute, and where.
    pub(super) fn beside(&self, name: &str) -> Option<(&'static str, Span)> {
        self.items.iter().find(|(other, ..)| *other != name).map(|(other, span, _)| (*other, *span))
    }

    /// Where an attribute stands.
    pub(super) fn place(&self, name: &str) -> Option<Span> {
        self.get(name).map(|(_, span)| span)
    }

    pub(super) fn text(&self, name: &str) -> Option<&syn::LitStr> {
        match self.get(name) {
            Some((Given::Literal(syn::Lit::Str(text)), _)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn literal(&self, name: &str) -> Option<&syn::Lit> {
        match self.get(name) {
            Some((Given::Literal(literal), _)) => Some(literal),
            _ => None,
        }
    }

    pub(super) fn texts(&self, name: &str) -> Option<&[syn::LitStr]> {
        match self.get(name) {
            Some((Given::Texts(texts), _)) => Some(texts),
            _ => None,
        }
    }

    pub(super) fn path(&self, name: &str) -> Option<&syn::Path> {
        match self.get(name) {
            Some((Given::Path(path), _)) => Some(path),
            _ => None,
        }
    }

    /// What it is: the attribute `description`, or the doc comment.
    pub(super) fn description(&self) -> String {
        self.text("description").map_or_else(|| self.documentation.clone(), syn::LitStr::value)
    }

    /// The name in the vocabulary, and the token that says it.
    pub(super) fn name(&self, ident: &syn::Ident, case: Option<Case>) -> (String, Span) {
        match self.text("rename") {
            Some(name) => (name.value(), name.span()),
            None => {
                let name = ident.unraw().to_string();
                (case.map_or(name.clone(), |case| case.of(&name)), ident.span())
            }
        }
    }

    /// Where generated code finds the crate.
    pub(super) fn krate(&self) -> syn::Path {
        self.path("crate").cloned().unwrap_or_else(|| syn::parse_quote!(::intentgate))
    }

    /// The case of `rename_all`.
    pub(super) fn case(&self, errors: &mut Errors) -> Option<Case> {
        let text = self.text("rename_all")?;
        let case = Case::named(&text.value());
        if case.is_none() {
            let help = suggest::known(&text.value(), "cases", CASES.iter().map(|(name, _)| *name));
            errors.at(text.span(), format!("unknown case `{}`\n= help: {help}", text.value()));
        }
        case
    }
}

/// Goes on behind the value that starts at `from`, wherever reading it has stopped.
fn advance(input: syn::parse::ParseStream<'_>, from: &syn::parse::ParseBuffer<'_>) -> syn::Result<()> {
    if from.peek(syn::Token![=]) {
        from.parse::<syn::Token![=]>()?;
        from.parse::<syn::Expr>()?;
    } else if from.peek(syn::token::Paren) {
        from.parse::<proc_macro2::Group>()?;
    }
    let left = from.cursor();
    while input.cursor() < left {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

/// The first paragraph of a doc comment, on one line.
fn documentation(attributes: &[syn::Attribute]) -> String {
    let lines = attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).filter_map(|doc| {
        let syn::Meta::NameValue(meta) = &doc.meta else { return None };
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &meta.value else { return None };
        Some(text.value())
    });
    let text: Vec<String> = lines.collect();
    let lines = text.iter().flat_map(|text| text.split('\n'));
    let paragraph = lines.map(str::trim).skip_while(|line| line.is_empty());
    paragraph.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// How names are written.
#[derive(Clone, Copy)]
pub(super) struct Case(Writing);

type Writing = fn(&str) -> String;

const CASES: [(&str, Writing); 8] = [
    ("lowercase", |name| name.to_lowercase()),
    ("UPPERCASE", |name| name.to_uppercase()),
    ("PascalCase", |name| name.to_upper_camel_case()),
    ("camelCase", |name| name.to_lower_camel_case()),
    ("snake_case", |name| name.to_snake_case()),
    ("SCREAMING_SNAKE_CASE", |name| name.to_shouty_snake_case()),
    ("kebab-case", |name| name.to_kebab_case()),
    ("SCREAMING-KEBAB-CASE", |name| name.to_shouty_kebab_case()),
];

impl Case {
    fn named(name: &str) -> Option<Case> {
        CASES.iter().find(|(known, _)| *known == name).map(|(_, case)| Case(*case))
    }

    pub(super) fn of(self, name: &str) -> String {
        (self.0)(name)
    }
}
