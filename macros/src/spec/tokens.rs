//! Rust tokens as a text of the language.
//!
//! Line breaks are kept, since the parser goes on at the next line after an error. Comments and escapes
//! are Rust's; an expression in braces is a parameter.

use crate::errors::Errors;
use crate::source_map::SourceMap;
use intentgate_engine::value;
use proc_macro2::{Delimiter, LineColumn, Literal, Spacing, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;

/// A specification as a text, and the expressions in it, by the names of their parameters.
pub(super) struct Written {
    pub(super) map: SourceMap,
    pub(super) expressions: Vec<(String, TokenStream)>,
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
    let mut flattening =
        Flattening { written, errors, before: Before::Nothing, end: start, margin: start.column };
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
                    let comment = matches!(tokens.peek(), Some(TokenTree::Group(group)) if is_doc(group));
                    if comment {
                        tokens.next();
                    } else {
                        let message = "comments are Rust's here: write `//`";
                        self.errors.at(sign.span(), message);
                    }
                }
                TokenTree::Punct(sign) => {
                    let glued = sign.spacing() == Spacing::Joint || matches!(sign.as_char(), '$' | '.');
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
        match syn::Lit::new(literal) {
            syn::Lit::Str(text) => self.put(&value::quoted(&text.value()), span, Before::Other),
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
        let expression = match syn::parse2::<syn::Expr>(tokens.clone()) {
            Ok(_) => tokens.clone(),
            Err(error) => return self.errors.at(span, format!("this is no expression: {error}")),
        };
        let name = match syn::parse2::<syn::Ident>(tokens) {
            Ok(ident) => ident.unraw().to_string(),
            Err(_) => format!("value_{}", self.written.expressions.len() + 1),
        };
        self.put(&format!("${name}"), span, Before::Other);
        if !self.written.expressions.iter().any(|(known, _)| *known == name) {
            self.written.expressions.push((name, expression));
        }
    }

    fn put(&mut self, text: &str, span: Span, after: Before) {
        let start = span.start();
        let map = &mut self.written.map;
        if self.before != Before::Glued && self.before != Before::Nothing {
            if start.line > self.end.line {
                let lines = "\n".repeat(start.line - self.end.line);
                map.space(&format!("{lines}{}", " ".repeat(start.column.saturating_sub(self.margin))));
            } else if start != self.end {
                map.space(" ");
            }
        }
        map.push(text, span);
        self.before = after;
        self.end = span.end();
    }
}

/// `[doc = "…"]`: a doc comment, which is a comment here.
fn is_doc(group: &proc_macro2::Group) -> bool {
    group.delimiter() == Delimiter::Bracket
        && matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(word)) if word == "doc")
}
