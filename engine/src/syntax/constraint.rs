//! Constraints, operators, operands.

use super::ast::{self, Operand, Operator};
use super::lexical::{Read, Slip, keyword, space, token};
use super::literal;
use super::rule::{Grammar, expected};
use crate::diagnostic::Code;
use crate::json::de::Spanned;
use nom::branch::alt;
use nom::combinator::value;
use nom::sequence::pair;
use nom::{Err, Parser};

impl Grammar<'_> {
    /// `(constraint, …)`; the space after it is left.
    pub(super) fn constraints<'a>(&self, input: &'a str) -> Read<'a, Vec<Spanned<ast::Constraint>>> {
        let (mut at, _) = token("(")(input)?;
        let mut constraints = Vec::new();
        if let Some(after) = at.strip_prefix(')') {
            return Ok((after, constraints));
        }
        loop {
            if constraints.len() == self.limits.constraints.min(65_000) {
                let message = format!("more than {} constraints in one predicate", constraints.len());
                return Slip::new(at, 1, Code::TooManyConstraints, message).fail();
            }
            let (after, constraint) = self.constraint(at)?;
            constraints.push(constraint);
            match after.chars().next() {
                Some(',') => at = token(",")(after)?.0,
                Some(')') => return Ok((after.get(1..).unwrap_or(""), constraints)),
                _ => {
                    let slip = Slip::expected(after, "`,` or `)`");
                    let and = alt((keyword("and"), token("&"), token("∧"))).parse(after);
                    return if and.is_ok() {
                        slip.help("inside parentheses constraints are separated by `,`").fail()
                    } else if after.starts_with("::") {
                        slip.help("a value of an enumeration is written by its own name alone").fail()
                    } else if after.starts_with('-') && !after.starts_with("->") {
                        slip.help("a value that is no name stands in double quotes").fail()
                    } else {
                        slip.fail()
                    };
                }
            }
        }
    }

    fn constraint<'a>(&self, input: &'a str) -> Read<'a, Spanned<ast::Constraint>> {
        let (after, variable) = expected(self.name(input), || Slip::expected(input, "a variable"))?;
        let (operator_input, ()) = space(after)?;
        let (operand_input, operator) = operator(operator_input)?;
        let spelling =
            operator_input.get(..operator_input.len() - operand_input.len()).unwrap_or("").trim_end();
        let operator_end = operator_input.get(spelling.len()..).unwrap_or("");
        let operator = Spanned::new(operator, self.span(operator_input, operator_end));
        let (rest, operand) = self.operand(operand_input)?;
        let span = variable.span.to(operand.span);
        Ok((rest, Spanned::new(ast::Constraint { variable, operator, operand }, span)))
    }

    fn operand<'a>(&self, input: &'a str) -> Read<'a, Spanned<Operand>> {
        let (rest, operand) = match input.chars().next() {
            Some('[') => self.list(input)?,
            Some(_) => self.element(input)?,
            None => return Slip::expected(input, "a value").fail(),
        };
        let span = self.span(input, rest);
        let (rest, ()) = space(rest)?;
        Ok((rest, Spanned::new(operand, span)))
    }

    /// An operand that is no list; the space after it is left, as by everything below.
    fn element<'a>(&self, input: &'a str) -> Read<'a, Operand> {
        match input.chars().next() {
            Some('"') => {
                let (rest, text) = literal::text(input)?;
                if text.len() > self.limits.text {
                    let message =
                        format!("a text of {} bytes; the limit is {}", text.len(), self.limits.text);
                    return Slip::new(input, 1, Code::TextTooLong, message).fail();
                }
                Ok((rest, Operand::Text(text)))
            }
            Some('$') => {
                let after = input.get(1..).unwrap_or("");
                let (rest, name) =
                    expected(self.name(after), || Slip::expected(after, "the name of a parameter"))?;
                Ok((rest, Operand::Parameter(name.value)))
            }
            Some('0'..='9' | '-') => literal::numeric(input),
            Some('\'' | '“' | '”' | '„' | '‘' | '’' | '`') => {
                Slip::expected(input, "a value").help("texts stand in double quotes: \"…\"").fail()
            }
            _ => self.word(input),
        }
    }

    /// A literal word, an enumerator, or another variable.
    fn word<'a>(&self, input: &'a str) -> Read<'a, Operand> {
        let (after, name) = expected(self.name(input), || Slip::expected(input, "a value"))?;
        if after.starts_with('.') {
            let variable_input = after.get(1..).unwrap_or("");
            let (rest, variable) = expected(self.name(variable_input), || {
                Slip::expected(variable_input, "the name of a variable after the point")
            })?;
            return Ok((rest, Operand::Variable(ast::Path { state: name, variable })));
        }
        if let Some(boolean) = match name.value.as_str() {
            "true" | "True" => Some(true),
            "false" | "False" => Some(false),
            _ => None,
        } {
            return Ok((after, Operand::Boolean(boolean)));
        }
        match literal::relative_date(input) {
            Err(Err::Error(_)) => Ok((after, Operand::Name(name.value))),
            read => read,
        }
    }

    fn list<'a>(&self, input: &'a str) -> Read<'a, Operand> {
        let (mut at, _) = token("[")(input)?;
        let mut elements = Vec::new();
        loop {
            if let Some(rest) = at.strip_prefix(']') {
                return Ok((rest, Operand::List(elements)));
            }
            if elements.len() == self.limits.elements {
                let message = format!("more than {} elements in one list", elements.len());
                return Slip::new(at, 1, Code::TooManyElements, message).fail();
            }
            if at.starts_with('[') {
                return Slip::expected(at, "an element").help("lists hold no lists").fail();
            }
            let (rest, element) = self.operand(at)?;
            elements.push(element);
            match rest.chars().next() {
                Some(',') => at = token(",")(rest)?.0,
                Some(']') => at = rest,
                _ => return Slip::expected(rest, "`,` or `]`").fail(),
            }
        }
    }
}

/// An operator in either spelling, and the space after it.
fn operator(input: &str) -> Read<'_, Operator> {
    let wrong = |length: usize, help: &str| {
        let (shown, _) = input.split_at_checked(length).unwrap_or((input, ""));
        Slip::new(input, length, Code::Syntax, format!("unknown operator `{shown}`")).help(help).fail()
    };
    for (spelling, help) in [
        ("==", "equality is `=`"),
        ("=<", "less or equal is `<=`"),
        ("=>", "greater or equal is `>=`"),
        ("<>", "inequality is `!=`"),
        ("!~", "there is no negated similarity"),
        ("=~", "similarity is `~`"),
    ] {
        if input.starts_with(spelling) {
            return wrong(spelling.len(), help);
        }
    }
    let not = |word: &'static str| pair(keyword("not"), keyword(word));
    let read: Read<'_, Operator> = alt((
        alt((
            value(Operator::NotEqual, alt((token("!="), token("≠")))),
            value(Operator::LessEqual, alt((token("<="), token("≤")))),
            value(Operator::GreaterEqual, alt((token(">="), token("≥")))),
            value(Operator::Equal, token("=")),
            value(Operator::Less, token("<")),
            value(Operator::Greater, token(">")),
            value(Operator::Similar, alt((token("~"), token("≃")))),
        )),
        alt((
            value(Operator::In, alt((keyword("in"), token("⊆")))),
            value(Operator::NotIn, token("⊈")),
            value(Operator::NotIn, not("in")),
            value(Operator::Contains, alt((keyword("contains"), token("⊇")))),
            value(Operator::NotContains, token("⊉")),
            value(Operator::NotContains, not("contains")),
        )),
    ))
    .parse(input);
    read.or_else(|_| {
        Slip::expected(input, "an operator")
            .help("operators are = != ~ < <= > >=, `in`, `not in`, `contains`, `not contains`")
            .fail()
    })
}
