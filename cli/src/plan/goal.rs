//! What a plan is for: pages, functions, a condition.

use super::start::{page, wrong};
use crate::args::PlanArgs;
use intentgate::engine::diagnostic::Fault;
use intentgate::engine::input;
use intentgate::engine::suggest;
use intentgate::planner::{Call, Goal, Model, PageId};

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

/// `function` or `function(parameter=value, …)`.
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
    for argument in arguments.split(',').filter(|argument| !argument.trim().is_empty()) {
        let (parameter, value) = argument
            .split_once('=')
            .ok_or_else(|| wrong(format!("`{}` is no PARAMETER=VALUE", input::shortened(argument))))?;
        let (parameter, value) = (parameter.trim(), value.trim().trim_matches('"'));
        let id = vocabulary.find_variable(state, parameter);
        let id =
            id.ok_or_else(|| wrong(format!("`{name}` has no parameter `{}`", input::shortened(parameter))))?;
        let kind = vocabulary.variable(id).variable_type();
        let value = input::spelled(value, kind, None).ok_or_else(|| {
            wrong(format!("`{}` is no {} for `{parameter}`", input::shortened(value), kind.kind()))
        })?;
        call = call.with(parameter, value);
    }
    Ok(call)
}
