//! Plans for what a sentence asks.

use super::start::{Place, wrong};
use super::{bounds, is_planned};
use crate::args::{Format, PlanArgs};
use crate::files::Unusable;
use crate::{FINE, REFUSED};
use intentgate::engine::diagnostic::Problems;
use intentgate::engine::input;
use intentgate::engine::schema::VariableType;
use intentgate::engine::span::{Source, Span};
use intentgate::engine::value::Value;
use intentgate::planner::guide::Guide;
use intentgate::planner::instruct::{ByWords, Leg};
use intentgate::planner::{Found, Goal};
use std::io::Write;

/// What a sentence asks for, and a plan for it.
pub(super) fn plan(args: &PlanArgs, sentence: &str, place: &Place) -> Result<u8, Unusable> {
    let model = &place.model;
    let mut parser = ByWords::new();
    if let Some(text) = &args.today {
        match input::spelled(text, &VariableType::Date, None) {
            Some(Value::Date(day)) => parser = parser.today(day),
            _ => {
                return Err(wrong(format!(
                    "`{}` is no date for `--today`, like 2026-11-21",
                    input::shortened(text)
                ))
                .into());
            }
        }
    }
    let parsed = parser.read(sentence, &[model]).map_err(|wrong| {
        let mut problems = Problems::new(Source::new("task", sentence));
        let whole = Span::new(0, sentence.len());
        wrong.faults.into_iter().for_each(|fault| problems.push(fault.at(whole)));
        problems
    })?;
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
            writeln!(out, "there is nothing to do")?;
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
