//! Plans to the end of a specification, which the gate lets through.

use super::start::{Place, linked};
use super::{alternatives, bounds, json};
use crate::args::{Format, PlanArgs, SessionArgs};
use crate::files::{self, Unusable};
use crate::run::played;
use crate::{FINE, REFUSED, format};
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::engine::input;
use intentgate::engine::ir::Kind;
use intentgate::engine::limits::Limits;
use intentgate::engine::text::normal;
use intentgate::engine::value::Value;
use intentgate::planner::{Asked, Completion, Lacks, Model, Path, Planner, Told, Unmet};
use intentgate::{Argument, Session};
use serde::Serialize;
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
    linked(model, source, session)?;
    let weighed = model.weighed();
    let mut planner = Planner::new(&weighed);
    let found = planner.complete(start, session, &bounds(args))?;
    let vocabulary = session.vocabulary();
    let trace_out = args.completion.trace_out.as_deref();
    // Standard output has the trace alone if it is asked for there, so that `intentgate run` can read it.
    let mut out: Box<dyn Write> = match trace_out.is_some_and(files::is_stream) {
        true => Box::new(anstream::stderr()),
        false => Box::new(anstream::stdout()),
    };
    match (&found, args.alternatives) {
        (Completion::Path(_), Some(most)) => {
            let several = planner.completions(start, session, most as usize, &bounds(args))?;
            let data = |path: &Path| Completion::Path(path.clone()).told(model, vocabulary);
            let format = args.format.format;
            alternatives(&mut out, format, &several, data, |out, path| steps(out, path, session))?;
        }
        _ => match args.format.format {
            Format::Json => {
                json(&mut out, &Answer::new(&found, model, session))?;
            }
            Format::Text => tell(&mut out, &found, model, session)?,
        },
    }
    if let (Some(file), Completion::Path(path)) = (trace_out, &found) {
        match files::is_stream(file) {
            true => anstream::stdout().write_all(path.trace(vocabulary).as_bytes())?,
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

/// The answer as data.
#[derive(Serialize)]
pub(crate) struct Answer {
    #[serde(flatten)]
    told: Told,
    /// Where no plan is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks: Option<Lacks>,
}

impl Answer {
    pub(super) fn new(found: &Completion, model: &Model, session: &Session) -> Answer {
        let none = *found == Completion::NoKnownPath;
        let lacks = none.then(|| Lacks::new(model, session));
        Answer { told: found.told(model, session.vocabulary()), lacks }
    }
}

/// The answer in words.
pub(super) fn tell(
    out: &mut impl Write,
    found: &Completion,
    model: &Model,
    session: &Session,
) -> io::Result<()> {
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
            writeln!(out, "no plan is known; what is not in the model may be possible all the same")?;
            lacking(out, &Lacks::new(model, session))
        }
        Completion::Limit => writeln!(out, "the search was not finished; `--expansions` sets its limit"),
    }
}

/// How many rules are told of where no plan is known.
const MOST_UNMET: usize = 10;

/// What is known to lack.
fn lacking(out: &mut impl Write, lacks: &Lacks) -> io::Result<()> {
    for name in &lacks.not_performed {
        writeln!(out, "  no transition of the model performs `{name}`")?;
    }
    for name in &lacks.unsettled {
        let name = input::shortened(name);
        let name = input::on_one_line(&name);
        writeln!(
            out,
            "  `{name}` is unsettled: whether it was performed is unknown, and it is blocked until then"
        )?;
    }
    for Unmet { rule, head, parts } in lacks.unmet.iter().take(MOST_UNMET) {
        let parts = if parts.is_empty() { "other values".to_owned() } else { parts.join(", ") };
        writeln!(out, "  {head} needs {parts} ({rule})")?;
    }
    match lacks.unmet.len().saturating_sub(MOST_UNMET) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more"),
    }
}

/// The steps, with what is critical and what the plan counts on.
fn steps(out: &mut impl Write, path: &Path, session: &Session) -> io::Result<()> {
    for (number, step) in path.steps.iter().enumerate() {
        let critical = step.asked.as_ref().filter(|asked| asked.action.critical().is_some());
        let critical =
            critical.map_or_else(String::new, |asked| format!("  [critical: {}]", asked.action.name()));
        writeln!(out, "{}. {}{critical}", number + 1, input::on_one_line(&step.event))?;
        if let Some(asked) = &step.asked {
            given(out, asked, &step.event, session)?;
            expected(out, asked, session)?;
        }
    }
    Ok(())
}

/// The arguments and the values of the update that the words of a step don't say.
fn given(out: &mut impl Write, asked: &Asked, event: &str, session: &Session) -> io::Result<()> {
    let arguments = asked.action.arguments().iter().map(|(name, argument)| {
        let value = match argument {
            Argument::Typed(value) => (value.to_string(), Some(value)),
            Argument::Free(value) => (value.to_string(), None),
        };
        (name.to_owned(), value)
    });
    let update = asked.proposal(session.vocabulary()).values();
    let update = update.iter().map(|(path, value)| {
        let shown = value.as_ref().map_or_else(|| "unknown".to_owned(), |value| value.to_string());
        (path.clone(), (shown, value.as_ref()))
    });
    let said = |value: Option<&Value>| value.is_some_and(|value| is_said(event, value));
    let told: Vec<String> = arguments
        .chain(update)
        .filter(|(_, (_, value))| !said(*value))
        .map(|(name, (value, _))| format!("{} = {}", input::on_one_line(&name), shown(&value)))
        .collect();
    if told.is_empty() { Ok(()) } else { writeln!(out, "   with {}", told.join(", ")) }
}

fn shown(value: &str) -> String {
    input::on_one_line(&input::shortened(value)).into_owned()
}

/// Whether the words of a step say a value, as a word of its own. `true` and `false` are said by no words.
fn is_said(event: &str, value: &Value) -> bool {
    let text = value.to_string();
    let text = text.trim_matches('"');
    !matches!(value, Value::Boolean(_)) && !text.is_empty() && normal::occurs(text, event)
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
