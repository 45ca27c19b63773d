//! Rust tokens as a text of the language.
//!
//! Line breaks and indents are kept, since the parser goes on at the next line after an error. Comments
//! and escapes are Rust's; an expression in braces is a parameter.

use crate::errors::Errors;
use crate::source_map::SourceMap;
use intentgate_engine::text::lookalike::is_hidden;
use intentgate_engine::value;
use proc_macro2::{Delimiter, LineColumn, Literal, Spacing, Span, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::ext::IdentExt;

/// A specification as a text, and the expressions in it.
pub(super) struct Written {
    pub(super) map: SourceMap,
    pub(super) expressions: Vec<Expression>,
}

/// An expression in braces.
pub(super) struct Expression {
    /// The name of its parameter, which nothing else has.
    pub(super) parameter: String,
    pub(super) tokens: TokenStream,
}

/// What stood before, as far as white space depends on it.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    Name,
    Number,
    /// A sign that the next one belongs to: the first half of `->`, a `$`, a `.`.
    Glued,
    Other,
}

struct Flattening<'a> {
    written: Written,
    /// Every name that stands anywhere in the tokens, outside of expressions.
    names: HashSet<String>,
    errors: &'a mut Errors,
    before: Before,
    /// Where the last token ended.
    end: LineColumn,
    /// The column of the first token: what stands there starts a line of the text.
    margin: usize,
}

pub(super) fn flatten(tokens: TokenStream, errors: &mut Errors) -> Written {
    let start = tokens.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span()).start();
    let written = Written { map: SourceMap::default(), expressions: Vec::new() };
    let mut names = HashSet::new();
    collect_names(tokens.clone(), &mut names);
    let mut flattening =
        Flattening { written, names, errors, before: Before::Nothing, end: start, margin: start.column };
    flattening.stream(tokens);
    flattening.written
}

impl Flattening<'_> {
    fn stream(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.group(&group),
                TokenTree::Ident(ident) => {
                    self.put(&ident.unraw().to_string(), ident.span(), Before::Name);
                }
                TokenTree::Literal(literal) => self.literal(literal),
                TokenTree::Punct(sign) if sign.as_char() == '#' => {
                    if matches!(tokens.peek(), Some(TokenTree::Punct(sign)) if sign.as_char() == '!') {
                        tokens.next();
                    }
                    let comment = matches!(tokens.peek(), Some(TokenTree::Group(group)) if is_doc(group));
                    if comment {
                        tokens.next();
                    } else {
                        let message = "comments are Rust's here: write `//`";
                        self.errors.at(sign.span(), message);
                    }
                }
                TokenTree::Punct(sign) => {
                    let negative = sign.as_char() == '-' && self.before == Before::Other;
                    let glued =
                        sign.spacing() == Spacing::Joint || matches!(sign.as_char(), '$' | '.') || negative;
                    let numeric = self.before == Before::Number && matches!(sign.as_char(), ':' | '-');
                    let after = match (glued, numeric) {
                        (_, true) if matches!(tokens.peek(), Some(TokenTree::Literal(_))) => Before::Glued,
                        (true, _) => Before::Glued,
                        _ => Before::Other,
                    };
                    if after == Before::Glued && numeric || sign.as_char() == '.' {
                        self.before = Before::Glued;
                    }
                    self.put(&sign.as_char().to_string(), sign.span(), after);
                }
            }
        }
    }

    fn group(&mut self, group: &proc_macro2::Group) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => return self.stream(group.stream()),
            Delimiter::Brace => return self.expression(group),
        };
        self.put(open, group.span_open(), Before::Other);
        self.stream(group.stream());
        self.put(close, group.span_close(), Before::Other);
    }

    fn literal(&mut self, literal: Literal) {
        let span = literal.span();
        let shown = literal.to_string();
        let literal = syn::Lit::new(literal);
        let odd = match &literal {
            syn::Lit::Str(text) => (!text.suffix().is_empty()).then_some("texts have no suffix"),
            number => {
                let plain = matches!(number.suffix(), "" | "am" | "pm" | "AM" | "PM") && !shown.contains('_');
                (!plain).then_some("numbers are plain decimal digits, without suffix or `_`")
            }
        };
        if let Some(help) = odd {
            return self.errors.at(span, format!("{shown} is no value of the language\n= help: {help}"));
        }
        match literal {
            syn::Lit::Str(text) => {
                // What can't be seen stays so, for the checker to warn of it; escapes are escapes.
                let hidden = shown.chars().filter(|c| is_hidden(*c));
                let text = hidden.fold(value::quoted(&text.value()), |text, c| {
                    text.replace(&format!("\\u{{{:x}}}", u32::from(c)), &c.to_string())
                });
                self.put(&text, span, Before::Other);
            }
            syn::Lit::Int(_) | syn::Lit::Float(_) => self.put(&shown, span, Before::Number),
            _ => {
                let message =
                    format!("{shown} is no value of the language\n= help: texts stand in double quotes");
                self.errors.at(span, message);
            }
        }
    }

    /// `{expression}`: a parameter, called as the expression if that is a name.
    fn expression(&mut self, group: &proc_macro2::Group) {
        let tokens = group.stream();
        let span = group.span();
        if tokens.is_empty() {
            return self.errors.at(span, "an expression is missing between the braces");
        }
        if let Err(error) = syn::parse2::<syn::Expr>(tokens.clone()) {
            return self.errors.at(span, format!("this is no expression: {error}"));
        }
        let name = syn::parse2::<syn::Ident>(tokens.clone()).ok().map(|ident| ident.unraw().to_string());
        let parameter = self.free_name(name.as_deref());
        self.put(&format!("${parameter}"), span, Before::Other);
        self.names.insert(parameter.clone());
        self.written.expressions.push(Expression { parameter, tokens });
    }

    /// A name that nothing has: the given one, if it is free. Two expressions never share one: what is
    /// written the same may mean different things, in a macro for one.
    fn free_name(&self, name: Option<&str>) -> String {
        let wanted = name.unwrap_or("value");
        let first = if name.is_some() { 2 } else { 1 };
        let numbered = (first..).map(|number: u32| format!("{wanted}_{number}"));
        let mut names = name.map(str::to_owned).into_iter().chain(numbered);
        names.find(|name| !self.names.contains(name)).unwrap_or_default()
    }

    fn put(&mut self, text: &str, span: Span, after: Before) {
        let start = span.start();
        let map = &mut self.written.map;
        if self.before != Before::Glued && self.before != Before::Nothing {
            if start.line > self.end.line {
                map.space(&format!("\n{}", " ".repeat(start.column.saturating_sub(self.margin))));
            } else if start != self.end || start == span.end() {
                // Where there are no positions, as in some editors, everything stands apart.
                map.space(" ");
            }
        }
        map.push(text, span);
        self.before = after;
        self.end = span.end();
    }
}

/// The names in tokens, outside of braces.
fn collect_names(tokens: TokenStream, names: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                names.insert(ident.unraw().to_string());
            }
            TokenTree::Group(group) if group.delimiter() != Delimiter::Brace => {
                collect_names(group.stream(), names);
            }
            _ => {}
        }
    }
}

/// `[doc = "…"]`: a doc comment, which is a comment here.
fn is_doc(group: &proc_macro2::Group) -> bool {
    group.delimiter() == Delimiter::Bracket
        && matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(word)) if word == "doc")
}
