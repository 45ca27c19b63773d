//! What a plan is for: pages, functions, a condition.

use super::start::{page, wrong};
use crate::args::PlanArgs;
use intentgate::engine::diagnostic::Fault;
use intentgate::engine::input;
use intentgate::engine::suggest;
use intentgate::engine::syntax::literal;
use intentgate::planner::{Call, Goal, Model, PageId};
use std::borrow::Cow;

/// The goal that arguments name, and the pages among them.
pub(super) fn goal(args: &PlanArgs, model: &Model) -> Result<(Goal, Vec<PageId>), Fault> {
    let targets = args.to.iter().map(|name| page(model, name)).collect::<Result<Vec<_>, _>>()?;
    let goal = match (&args.condition, args.functions.is_empty()) {
        (Some(condition), _) => Goal::Condition(condition.clone()),
        (None, false) => {
            let calls = args.functions.iter().map(|text| call(model, text));
            Goal::Functions(calls.collect::<Result<_, _>>()?)
        }
        (None, true) if args.all => Goal::All(targets.clone()),
        (None, true) => Goal::Any(targets.clone()),
    };
    Ok((goal, targets))
}

/// `function` or `function(parameter=value, …)`; a value may be a text in double quotes.
pub(crate) fn call(model: &Model, text: &str) -> Result<Call, Fault> {
    let (name, arguments) = match text.split_once('(') {
        Some((name, rest)) => {
            let arguments = rest.trim_end().strip_suffix(')');
            (
                name.trim(),
                arguments.ok_or_else(|| {
                    wrong(format!("`{}` has no closing parenthesis", input::shortened(text)))
                })?,
            )
        }
        None => (text.trim(), ""),
    };
    let vocabulary = model.vocabulary();
    let known: Vec<&str> = vocabulary.actions().map(|(_, action)| action.name()).collect();
    let unknown = || {
        wrong(format!("there is no function `{}`", input::shortened(name))).help(suggest::known(
            name,
            "functions",
            known.clone(),
        ))
    };
    vocabulary.find_action(name).ok_or_else(unknown)?;
    let state = vocabulary.find_state(name).ok_or_else(unknown)?;
    let mut call = Call::new(name);
    let mut rest = arguments.trim_start();
    while !rest.is_empty() {
        let (parameter, spelled, behind) = argument(rest)?;
        let id = vocabulary.find_variable(state, parameter);
        let id =
            id.ok_or_else(|| wrong(format!("`{name}` has no parameter `{}`", input::shortened(parameter))))?;
        if call.arguments.iter().any(|(known, _)| known == parameter) {
            let message = format!("`{parameter}` of `{name}` is given twice");
            return Err(wrong(message).help("give each parameter one value"));
        }
        let kind = vocabulary.variable(id).variable_type();
        let value = input::spelled(&spelled, kind, None).ok_or_else(|| {
            wrong(format!("`{}` is no {} for `{parameter}`", input::shortened(&spelled), kind.kind()))
        })?;
        call = call.with(parameter, value);
        rest = behind;
    }
    Ok(call)
}

/// The first of some arguments: its parameter, what its value spells, and what stands behind it. A value in double
/// quotes is a text as the language has it, any other goes to the next comma.
fn argument(text: &str) -> Result<(&str, Cow<'_, str>, &str), Fault> {
    let first = text.split(',').next().unwrap_or(text);
    let (parameter, value) = text
        .split_once('=')
        .filter(|(parameter, _)| !parameter.contains(','))
        .ok_or_else(|| wrong(format!("`{}` is no PARAMETER=VALUE", input::shortened(first.trim()))))?;
    let value = value.trim_start();
    let (value, behind) = match value.starts_with('"') {
        true => {
            let (value, behind) = literal::quoted_text(value)?;
            (Cow::Owned(value), behind.trim_start())
        }
        false => {
            let end = value.find(',').unwrap_or(value.len());
            let (value, behind) = value.split_at_checked(end).unwrap_or((value, ""));
            (Cow::Borrowed(value.trim()), behind)
        }
    };
    if behind.is_empty() {
        return Ok((parameter.trim(), value, behind));
    }
    let behind = behind.strip_prefix(',').ok_or_else(|| {
        wrong(format!("expected a comma behind the text for `{}`", input::shortened(parameter.trim())))
            .help(format!("found `{}`", input::shortened(behind)))
    })?;
    Ok((parameter.trim(), value, behind.trim_start()))
}
