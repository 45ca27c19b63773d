//! Plans to the end of a specification, which the gate lets through.

use super::start::Place;
use super::{alternatives, bounds, json};
use crate::args::{Format, PlanArgs, SessionArgs};
use crate::files::{self, Unusable};
use crate::run::played;
use crate::{FINE, REFUSED, format};
use intentgate::Session;
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::engine::input;
use intentgate::engine::ir::Kind;
use intentgate::engine::limits::Limits;
use intentgate::planner::{Asked, Completion, Path, Planner};
use std::io::{self, Write};

pub(super) fn plan(args: &PlanArgs, session: &SessionArgs, place: &Place) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let (builder, today, zone) = files::session(session, &limits)?;
    let (player, started);
    let session = match &args.completion.trace {
        Some(trace) => {
            player = played(trace, builder, (today, zone), &limits)?;
            player.session()
        }
        None => {
            started = builder.start()?;
            &started
        }
    };
    if session.specification().kind() == Kind::Standing {
        let fault =
            Fault::new(Code::NoPlan, "a standing specification never completes: it has no end to plan to");
        return Err(fault.help("plan to a page, through functions or to a condition").into());
    }
    let Place { model, source, start } = place;
    let problems = model.review_links(source, session);
    if problems.has_errors() {
        return Err(problems.into());
    }
    files::print_problems(&problems);
    let mut planner = Planner::new(model);
    let found = planner.complete(start, session, &bounds(args))?;
    let vocabulary = session.vocabulary();
    let mut out = anstream::stdout();
    match (&found, args.alternatives) {
        (Completion::Path(_), Some(most)) => {
            let several = planner.completions(start, session, most as usize, &bounds(args))?;
            let data = |path: &Path| Completion::Path(path.clone()).told(model, vocabulary);
            let format = args.format.format;
            alternatives(&mut out, format, &several, data, |out, path| steps(out, path, session))?;
        }
        _ => match args.format.format {
            Format::Json => json(&mut out, &found.told(model, vocabulary))?,
            Format::Text => tell(&mut out, &found, session)?,
        },
    }
    if let (Some(file), Completion::Path(path)) = (&args.completion.trace_out, &found) {
        match file.as_os_str() == "-" {
            true => out.write_all(path.trace(vocabulary).as_bytes())?,
            false => format::replace(file, &path.trace(vocabulary))?,
        }
    }
    Ok(match found {
        Completion::Path(_) | Completion::TrueFromTheStart => FINE,
        Completion::Forbidden(_)
        | Completion::AgainstAdvice(_)
        | Completion::NoKnownPath
        | Completion::Limit => REFUSED,
    })
}

fn tell(out: &mut impl Write, found: &Completion, session: &Session) -> io::Result<()> {
    match found {
        Completion::Path(path) => {
            steps(out, path, session)?;
            writeln!(out, "then the task is complete; cost {}", path.cost)
        }
        Completion::TrueFromTheStart => {
            writeln!(out, "there is nothing to do: the task is complete before anything is done")
        }
        Completion::Forbidden(prohibitions) => {
            writeln!(out, "there is no plan; there would be one, but for what is forbidden:")?;
            prohibitions.iter().try_for_each(|one| {
                let text = one.text.split_whitespace().collect::<Vec<_>>().join(" ");
                writeln!(out, "  {} ({}:{}): {}", one.rule, one.source, one.line, input::on_one_line(&text))
            })
        }
        Completion::AgainstAdvice(path) => {
            writeln!(out, "there is no plan without a step that the gate advises against; with insisting:")?;
            steps(out, path, session)
        }
        Completion::NoKnownPath => {
            writeln!(out, "no plan is known; what is not in the model may be possible all the same")
        }
        Completion::Limit => writeln!(out, "the search was not finished; `--expansions` sets its limit"),
    }
}

/// The steps, with what is critical and what the plan counts on.
fn steps(out: &mut impl Write, path: &Path, session: &Session) -> io::Result<()> {
    for (number, step) in path.steps.iter().enumerate() {
        let critical = step.asked.as_ref().filter(|asked| asked.action.critical().is_some());
        let critical =
            critical.map_or_else(String::new, |asked| format!("  [critical: {}]", asked.action.name()));
        writeln!(out, "{}. {}{critical}", number + 1, input::on_one_line(&step.event))?;
        step.asked.iter().try_for_each(|asked| expected(out, asked, session))?;
    }
    Ok(())
}

/// What is expected to be seen after a step.
fn expected(out: &mut impl Write, asked: &Asked, session: &Session) -> io::Result<()> {
    let Some(observation) = asked.observation(session.vocabulary()) else { return Ok(()) };
    let values = observation.values().into_iter().map(|(path, value)| match value {
        Some(value) => format!("{path} = {}", input::shortened(&value.to_string())),
        None => format!("{path} unknown"),
    });
    let values = values.collect::<Vec<_>>().join(", ");
    match asked.unexpected {
        true => writeln!(out, "   counts on {values}, which is not what is expected first"),
        false => writeln!(out, "   expects {values}"),
    }
}
