//! `intentgate plan` and `intentgate graph`: plans on app models, and models as pictures.

use crate::args::{Format, GraphArgs, ModelArgs, Picture, PlanArgs};
use crate::files::{self, Unusable};
use crate::{FINE, REFUSED};
use intentgate::engine::diagnostic::{Code, Fault, Problems};
use intentgate::engine::input;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::VariableType;
use intentgate::engine::span::{Source, Span};
use intentgate::engine::suggest;
use intentgate::engine::value::Value;
use intentgate::planner::draw::Marks;
use intentgate::planner::guide::{Guide, Wording};
use intentgate::planner::instruct::{ByWords, Leg};
use intentgate::planner::{Bounds, Call, Found, Goal, Model, PageId, PlanError, Planner, Start};
use std::io::Write;

pub(crate) fn plan(args: &PlanArgs) -> Result<u8, Unusable> {
    let (model, start) = read(&args.model)?;
    if let Some(sentence) = &args.task {
        return task(args, sentence, &model, start);
    }
    let targets = args.to.iter().map(|name| page(&model, name)).collect::<Result<Vec<_>, _>>()?;
    let goal = match (&args.condition, args.functions.is_empty()) {
        (Some(condition), _) => Goal::Condition(condition.clone()),
        (None, false) => {
            let calls = args.functions.iter().map(|text| call(&model, text));
            Goal::Functions(calls.collect::<Result<_, _>>()?)
        }
        (None, true) if args.all => Goal::All(targets.clone()),
        (None, true) => Goal::Any(targets.clone()),
    };
    let found = Planner::new(&model).plan(&start, &goal, &Bounds::default())?;
    let mut out = anstream::stdout();
    let guide = Guide::new(&model, &start, &targets, None, &found, args.hops);
    match (args.format.format, &found) {
        (Format::Json, _) => writeln!(out, "{}", serde_json::json!(guide))?,
        (Format::Text, _) if args.guide => out.write_all(guide.text(&Wording::default()).as_bytes())?,
        (Format::Text, Found::Path(path)) => write!(out, "{path}")?,
        (Format::Text, Found::AlreadyThere | Found::TrueFromTheStart) => {
            writeln!(out, "there is nothing to do")?
        }
        (Format::Text, Found::NoKnownPath) => writeln!(out, "no path is known")?,
        (Format::Text, Found::Limit) => writeln!(out, "the search was not finished")?,
    }
    Ok(match found {
        Found::Path(_) | Found::AlreadyThere | Found::TrueFromTheStart => FINE,
        Found::NoKnownPath | Found::Limit => REFUSED,
    })
}

/// What a sentence asks for, and a plan for it.
fn task(args: &PlanArgs, sentence: &str, model: &Model, start: Start) -> Result<u8, Unusable> {
    let mut parser = ByWords::new();
    if let Some(text) = &args.today {
        match input::spelled(text, &VariableType::Date, None) {
            Some(Value::Date(day)) => parser = parser.today(day),
            _ => return Err(wrong(format!("`{text}` is no date for `--today`, like 2026-11-21")).into()),
        }
    }
    let parsed = parser.read(sentence, &[model]).map_err(|wrong| {
        let mut problems = Problems::new(Source::new("task", sentence));
        let whole = Span::new(0, sentence.len());
        wrong.faults.into_iter().for_each(|fault| problems.push(fault.at(whole)));
        problems
    })?;
    let legs = parsed.plan(&[(model, start)], &Bounds::default())?;
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
        steps.try_for_each(|(number, step)| writeln!(out, "{}. {}", number + 1, step.event))?;
        match legs.last().map(|leg| &leg.found) {
            Some(Found::NoKnownPath) => writeln!(out, "from there no path is known")?,
            Some(Found::Limit) => writeln!(out, "from there the search was not finished")?,
            _ => {}
        }
    }
    Ok(if legs.iter().all(|leg| is_planned(&leg.found)) { FINE } else { REFUSED })
}

fn is_planned(found: &Found) -> bool {
    !matches!(found, Found::NoKnownPath | Found::Limit)
}

pub(crate) fn graph(args: &GraphArgs) -> Result<u8, Unusable> {
    let (model, start) = read(&args.model)?;
    let text = picture(&model, &start, &args.to, args.picture)?;
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(FINE)
}

/// A model with the page on which somebody is, and a cheapest way to one of some pages.
pub(crate) fn picture(
    model: &Model,
    start: &Start,
    to: &[String],
    picture: Picture,
) -> Result<String, Unusable> {
    let targets = to.iter().map(|name| page(model, name)).collect::<Result<Vec<_>, _>>()?;
    let found = match targets.is_empty() {
        true => Found::AlreadyThere,
        false => Planner::new(model).plan(start, &Goal::Any(targets), &Bounds::default())?,
    };
    let plan = match &found {
        Found::Path(path) => Some(path),
        _ => None,
    };
    let marks = Marks { current: start.page, plan };
    Ok(match picture {
        Picture::Dot => model.to_dot(&marks),
        Picture::Mermaid => model.to_mermaid(&marks),
        Picture::Svg => model.to_svg(&marks),
    })
}

/// The model, with what is odd about it said, and where to start.
pub(crate) fn read(args: &ModelArgs) -> Result<(Model, Start), Unusable> {
    let limits = Limits::default();
    let source = files::read(&args.model, &limits)?;
    let model = Model::from_json(&source, &limits)?;
    files::print_problems(&model.review(&source));
    let mut start = Start::default();
    if let Some(name) = &args.from {
        start.page = Some(page(&model, name)?);
    }
    for text in &args.set {
        let (name, value) =
            text.split_once('=').ok_or_else(|| wrong(format!("`{text}` is no NAME=VALUE")))?;
        let id = model
            .find_variable(name.trim())
            .ok_or_else(|| wrong(format!("there is no variable `{name}`")))?;
        let kind = model.vocabulary().variable(id).variable_type();
        let value = input::spelled(value.trim(), kind, None)
            .ok_or_else(|| wrong(format!("`{}` is no {} for `{name}`", value.trim(), kind.kind())))?;
        start.values.insert(id, Some(value));
    }
    Ok((model, start))
}

fn wrong(what: String) -> Fault {
    Fault::new(Code::UnknownFunction, what)
}

pub(crate) fn page(model: &Model, name: &str) -> Result<PageId, Fault> {
    model.find_page(name).ok_or_else(|| {
        let known: Vec<&str> = model.pages().map(|(_, page)| page.name()).collect();
        Fault::new(Code::UnknownPage, format!("there is no page `{}`", input::shortened(name)))
            .help(suggest::known(name, "pages", known))
    })
}

/// `function` or `function(parameter=value, …)`.
pub(crate) fn call(model: &Model, text: &str) -> Result<Call, Fault> {
    let (name, arguments) = match text.split_once('(') {
        Some((name, rest)) => {
            let arguments = rest.trim_end().strip_suffix(')');
            (name.trim(), arguments.ok_or_else(|| wrong(format!("`{text}` has no closing parenthesis")))?)
        }
        None => (text.trim(), ""),
    };
    let vocabulary = model.vocabulary();
    let known: Vec<&str> = vocabulary.actions().map(|(_, action)| action.name()).collect();
    let unknown = || {
        wrong(format!("there is no function `{name}`")).help(suggest::known(name, "functions", known.clone()))
    };
    vocabulary.find_action(name).ok_or_else(unknown)?;
    let state = vocabulary.find_state(name).ok_or_else(unknown)?;
    let mut call = Call::new(name);
    for argument in arguments.split(',').filter(|argument| !argument.trim().is_empty()) {
        let (parameter, value) =
            argument.split_once('=').ok_or_else(|| wrong(format!("`{argument}` is no PARAMETER=VALUE")))?;
        let (parameter, value) = (parameter.trim(), value.trim().trim_matches('"'));
        let id = vocabulary.find_variable(state, parameter);
        let id = id.ok_or_else(|| wrong(format!("`{name}` has no parameter `{parameter}`")))?;
        let kind = vocabulary.variable(id).variable_type();
        let value = input::spelled(value, kind, None)
            .ok_or_else(|| wrong(format!("`{value}` is no {} for `{parameter}`", kind.kind())))?;
        call = call.with(parameter, value);
    }
    Ok(call)
}

impl From<PlanError> for Unusable {
    fn from(error: PlanError) -> Unusable {
        match error {
            PlanError::Condition(problems) => problems.into(),
            PlanError::Fault(fault) => fault.into(),
        }
    }
}
