//! Plans for what a sentence asks.

use super::start::{Place, wrong};
use super::{bounds, is_planned};
use crate::args::{Format, PlanArgs};
use crate::files::Unusable;
use crate::{FINE, REFUSED, model};
use intentgate::engine::diagnostic::{Code, Fault, Problems};
use intentgate::engine::input;
use intentgate::engine::schema::VariableType;
use intentgate::engine::span::{Source, Span};
use intentgate::engine::value::Value;
use intentgate::planner::guide::Guide;
use intentgate::planner::instruct::{ByModel, ByWords, Leg, ParseError, Parsed, Parser};
use intentgate::planner::{Found, Goal, Model};
use std::io::Write;

/// What a sentence asks for, and a plan for it.
pub(super) fn plan(args: &PlanArgs, sentence: &str, place: &Place) -> Result<u8, Unusable> {
    let model = &place.model;
    let parsed = understood(args, sentence, model)?;
    let legs = parsed.plan(&[(model, place.start.clone())], &bounds(args))?;
    let mut out = anstream::stdout();
    if args.format.format == Format::Json {
        let guide = |leg: &Leg| {
            let targets = match &leg.goal {
                Goal::Any(pages) => pages.as_slice(),
                _ => &[],
            };
            Guide::new(model, &leg.start, targets, None, &leg.found, args.hops)
        };
        let guides: Vec<Guide> = legs.iter().map(guide).collect();
        writeln!(out, "{}", serde_json::json!({"understood": parsed, "plan": guides}))?;
    } else {
        write!(out, "understood:\n{parsed}plan:\n")?;
        let paths = legs.iter().filter_map(|leg| match &leg.found {
            Found::Path(path) => Some(path),
            _ => None,
        });
        let mut steps = paths.flat_map(|path| &path.steps).enumerate().peekable();
        if steps.peek().is_none() && legs.iter().all(|leg| is_planned(&leg.found)) {
            let there = legs.iter().all(|leg| matches!(leg.found, Found::AlreadyThere));
            let why = if there { "already there" } else { "true from the start" };
            writeln!(out, "{why}: there is nothing to do")?;
        }
        steps.try_for_each(|(number, step)| {
            writeln!(out, "{}. {}", number + 1, input::on_one_line(&step.event))
        })?;
        match legs.last().map(|leg| &leg.found) {
            Some(Found::NoKnownPath) => writeln!(out, "from there no path is known")?,
            Some(Found::Limit) => writeln!(out, "from there the search was not finished")?,
            _ => {}
        }
    }
    Ok(if legs.iter().all(|leg| is_planned(&leg.found)) { FINE } else { REFUSED })
}

/// The sentence, by its words or by a language model.
fn understood(args: &PlanArgs, sentence: &str, model: &Model) -> Result<Parsed, Unusable> {
    let today =
        match args.today.as_deref().map(|text| (text, input::spelled(text, &VariableType::Date, None))) {
            None => None,
            Some((_, Some(Value::Date(day)))) => Some(day),
            Some((text, _)) => {
                let text = input::shortened(text);
                return Err(wrong(format!("`{text}` is no date for `--today`, like 2026-11-21")).into());
            }
        };
    let parsed = if args.by_model {
        let parser = ByModel::new(model::wanted()?);
        let parser = today.into_iter().fold(parser, ByModel::today);
        pollster::block_on(parser.parse(sentence, &[model]))
    } else {
        let parser = today.into_iter().fold(ByWords::new(), ByWords::today);
        parser.read(sentence, &[model]).map_err(|wrong| ParseError::Misunderstood(Box::new(wrong)))
    };
    parsed.map_err(|error| match error {
        ParseError::Misunderstood(wrong) => {
            let mut problems = Problems::new(Source::new("task", sentence));
            let whole = Span::new(0, sentence.len());
            wrong.faults.into_iter().for_each(|fault| problems.push(fault.at(whole)));
            problems.into()
        }
        error => Fault::new(Code::NoModelAnswer, error.to_string()).into(),
    })
}
