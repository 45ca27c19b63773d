//! Planning problems in PDDL: the published form (Agent+P, Listings 1 and 2), with or without its domain, and
//! plain STRIPS in which every action is ground and a proposition `at-page` says where one is.
//!
//! Objects are pages, facts such as `(connected a b)` transitions, `(at a)` the start, the goal gives the target
//! pages. Knows PDDL as far as that; must never know a planner.

mod graph;
mod strips;

use super::sexpr::{self, Sexpr};
use super::{Imported, Options, nothing_kept};
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::span::Source;
use std::collections::HashMap;

/// A domain or a problem, and the text that holds it.
#[derive(Debug)]
struct Definition<'a> {
    source: &'a Source,
    /// The name that it defines.
    name: String,
    body: Vec<Sexpr>,
}

impl Definition<'_> {
    /// The sections that a word begins, `(:init …)`.
    fn sections<'s>(&'s self, word: &'static str) -> impl Iterator<Item = (&'s Sexpr, &'s [Sexpr])> {
        self.body.iter().filter_map(move |section| {
            let (first, rest) = section.form()?;
            (first == word).then_some((section, rest))
        })
    }

    fn wrong(&self, at: &Sexpr, message: impl Into<String>) -> Problems {
        Problems::one(self.source.clone(), Diagnostic::new(Code::UnreadablePddl, at.span, message))
    }
}

/// A planning problem as it is read.
#[derive(Debug)]
struct Task<'a> {
    domain: Option<Definition<'a>>,
    problem: Definition<'a>,
    /// What names stand for.
    names: HashMap<String, String>,
}

impl Task<'_> {
    /// What a name stands for; without a comment that says it, itself.
    fn stands_for(&self, name: &str) -> String {
        self.names.get(&name.to_ascii_lowercase()).cloned().unwrap_or_else(|| name.to_owned())
    }
}

pub(super) fn read(sources: &[Source], options: &Options) -> Result<Imported, Problems> {
    let task = task(sources, options)?;
    let actions = || task.domain.iter().flat_map(|domain| domain.sections(":action"));
    let ground =
        |(_, rest): (&Sexpr, &[Sexpr])| after(rest, ":parameters").is_none_or(|list| list.list().is_empty());
    // Without any action, what holds at the start tells.
    let init = || task.problem.sections(":init").flat_map(|(_, facts)| facts);
    let plain = || {
        init().next().is_some() && init().all(|one| matches!(fact(one), Some((_, none)) if none.is_empty()))
    };
    if actions().all(ground) && (actions().next().is_some() || plain()) {
        strips::read(&task, options)
    } else {
        graph::read(&task, options)
    }
}

fn task<'a>(sources: &'a [Source], options: &Options) -> Result<Task<'a>, Problems> {
    let (mut domain, mut problem) = (None, None);
    let mut names = HashMap::new();
    for source in sources {
        let one = |diagnostic| Problems::one(source.clone(), diagnostic);
        let read = sexpr::read(source.text(), &options.limits).map_err(one)?;
        names.extend(read.names);
        for form in read.forms {
            let wrong = |message: &str| one(Diagnostic::new(Code::UnreadablePddl, form.span, message));
            let expected = "expected `(define (domain …) …)` or `(define (problem …) …)`";
            let Some((_, [head, body @ ..])) = form.form().filter(|(word, _)| word == "define") else {
                return Err(wrong(expected));
            };
            let Some((kind, [name, ..])) = head.form() else { return Err(wrong(expected)) };
            let name = name.written().unwrap_or_default().to_owned();
            let made = Definition { source, name, body: body.to_vec() };
            let place = match kind.as_str() {
                "domain" => &mut domain,
                "problem" => &mut problem,
                _ => return Err(wrong(expected)),
            };
            if place.replace(made).is_some() {
                return Err(wrong(&format!("a second {kind}: one is read at a time")));
            }
        }
    }
    match (problem, sources.first()) {
        (Some(problem), _) => Ok(Task { domain, problem, names }),
        (None, Some(first)) if domain.is_some() => {
            let mut problems = Problems::new(first.clone());
            let message = "there is a domain and no problem: the pages are in the problem";
            let diagnostic =
                Diagnostic::new(Code::NoModel, intentgate_engine::span::Span::default(), message);
            problems.push(diagnostic.help("give both files"));
            Err(problems)
        }
        (None, first) => {
            Err(nothing_kept(first.unwrap_or(&Source::new("pddl", "")), "there is no planning problem"))
        }
    }
}

/// The expression after a keyword, in an action.
fn after<'a>(list: &'a [Sexpr], keyword: &str) -> Option<&'a Sexpr> {
    let place = list.iter().position(|one| one.word().as_deref() == Some(keyword))?;
    list.get(place + 1)
}

/// The parts of a conjunction; one that isn't any is its only part. Conjunctions in conjunctions count as theirs.
fn parts(expression: Option<&Sexpr>) -> Vec<&Sexpr> {
    let mut parts = Vec::new();
    let mut open: Vec<&Sexpr> = expression.into_iter().collect();
    while let Some(one) = open.pop() {
        match one.form() {
            Some((word, rest)) if word == "and" => open.extend(rest.iter().rev()),
            None if one.list().is_empty() && one.written().is_none() => {}
            _ => parts.push(one),
        }
    }
    parts
}

/// `(name word …)`, all in lower case.
fn fact(expression: &Sexpr) -> Option<(String, Vec<String>)> {
    let (name, rest) = expression.form()?;
    let arguments = rest.iter().map(Sexpr::word).collect::<Option<Vec<String>>>()?;
    Some((name, arguments))
}

/// `(not …)`: what is denied.
fn denied(expression: &Sexpr) -> Option<&Sexpr> {
    match expression.form()? {
        (word, [one]) if word == "not" => Some(one),
        _ => None,
    }
}

/// A whole number, at least 1.
fn cost(expression: &Sexpr) -> Option<u32> {
    expression.written()?.parse::<u32>().ok().filter(|cost| *cost >= 1)
}

/// Whether it is a whole number above 0, whatever its size.
fn is_whole(expression: &Sexpr) -> bool {
    let digits = expression.written().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    digits.is_some_and(|digits| digits.bytes().any(|byte| byte != b'0'))
}

/// That a cost is too high.
fn beyond(source: &Source, expression: &Sexpr) -> Problems {
    let message = format!("a cost is at most {}, found {}", u32::MAX, said(expression, source));
    Problems::one(source.clone(), Diagnostic::new(Code::ValueRange, expression.span, message))
}

fn said(expression: &Sexpr, source: &Source) -> String {
    shortened(source.slice(expression.span))
}
