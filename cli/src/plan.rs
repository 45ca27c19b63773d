//! `intentgate plan`: plans on models of apps.

mod completion;
mod external;
pub(crate) mod goal;
pub(crate) mod none;
mod sentence;
pub(crate) mod start;

use crate::args::{Format, PlanArgs};
use crate::files::{self, Unusable};
use crate::{FINE, REFUSED};
use intentgate::engine::input;
use intentgate::planner::guide::{Guide, Wording};
use intentgate::planner::{Bounds, Found, Path, PlanError, Planner, Several};
use serde::Serialize;
use start::Place;
use std::io::{self, Write};

pub(crate) fn plan(args: &PlanArgs) -> Result<u8, Unusable> {
    if let Some(session) = args.session() {
        let inputs = session.files().chain([args.model.model.as_path()]);
        let inputs = inputs.chain(args.completion.trace.as_deref());
        files::apart(args.completion.trace_out.as_deref(), inputs)?;
    }
    let place = Place::read(&args.model)?;
    if let Some(session) = args.session() {
        return completion::plan(args, &session, &place);
    }
    if let Some(sentence) = &args.task {
        return sentence::plan(args, sentence, &place);
    }
    let (goal, targets) = goal::goal(args, &place.model)?;
    let Place { model, start, .. } = &place;
    let weighed = model.weighed();
    let mut planner = Planner::new(&weighed);
    let found = match &args.external.external {
        Some(command) => external::plan(args, command, &place, &targets)?,
        None => planner.plan(start, &goal, &bounds(args))?,
    };
    let guide = |found: &Found| {
        let guide = Guide::new(model, start, &targets, None, found, args.hops);
        // What another planner counts is its own matter.
        if args.external.external.is_some() { guide.not_optimal() } else { guide }
    };
    let mut out = anstream::stdout();
    match (&found, args.alternatives) {
        (Found::Path(_), Some(most)) => {
            let several = planner.plans(start, &goal, most as usize, &bounds(args))?;
            let data = |path: &Path| Costed { cost: path.cost, guide: guide(&Found::Path(path.clone())) };
            alternatives(&mut out, args.format.format, &several, data, |out, path| write!(out, "{path}"))?;
        }
        _ => match args.format.format {
            Format::Json => json(&mut out, &guide(&found))?,
            Format::Text if args.guide => {
                out.write_all(guide(&found).text(&Wording::default()).as_bytes())?;
            }
            Format::Text => {
                write_found(&mut out, &found)?;
                if found == Found::NoKnownPath && args.external.external.is_none() {
                    let functions = planner.functions_on_the_way(start, &goal, &bounds(args))?;
                    unasked(&mut out, &functions)?;
                }
            }
        },
    }
    Ok(if is_planned(&found) { FINE } else { REFUSED })
}

fn write_found(out: &mut impl Write, found: &Found) -> io::Result<()> {
    match found {
        Found::Path(path) => write!(out, "{path}"),
        Found::AlreadyThere => writeln!(out, "already there: there is nothing to do"),
        Found::TrueFromTheStart => writeln!(out, "true from the start: there is nothing to do"),
        Found::NoKnownPath => writeln!(out, "no path is known"),
        Found::Limit => writeln!(out, "the search was not finished"),
    }
}

/// What would lead there, and was not asked for.
fn unasked(out: &mut impl Write, functions: &[String]) -> io::Result<()> {
    let names: Vec<String> = functions.iter().map(|name| format!("`{}`", input::on_one_line(name))).collect();
    match names.as_slice() {
        [] => Ok(()),
        [one] => writeln!(out, "only by performing {one}, which was not asked for"),
        several => {
            writeln!(out, "only by performing {}, which were not asked for", several.join(", then "))
        }
    }
}

/// Several plans as data, the best first.
#[derive(Serialize)]
struct Alternatives<T> {
    outcome: &'static str,
    limited: bool,
    plans: Vec<T>,
}

/// A guide with what its plan costs.
#[derive(Serialize)]
struct Costed {
    cost: u64,
    #[serde(flatten)]
    guide: Guide,
}

/// Several plans, the best first.
fn alternatives<W: Write, T: Serialize>(
    out: &mut W,
    format: Format,
    several: &Several,
    data: impl Fn(&Path) -> T,
    text: impl Fn(&mut W, &Path) -> io::Result<()>,
) -> io::Result<()> {
    if format == Format::Json {
        let plans = several.paths.iter().map(data).collect();
        return json(out, &Alternatives { outcome: "found", limited: several.limited, plans });
    }
    for (number, path) in several.paths.iter().enumerate() {
        writeln!(out, "plan {}, cost {}:", number + 1, path.cost)?;
        text(out, path)?;
    }
    if several.limited {
        writeln!(out, "the search for more was not finished")?;
    }
    Ok(())
}

/// A line of JSON. Numbers stay as they are: they never pass through a floating-point one.
fn json(out: &mut impl Write, data: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(data)?)
}

/// Asking the evaluator takes longer than following an edge.
const MOST_ASKED: usize = 1_000_000;

fn bounds(args: &PlanArgs) -> Bounds {
    let default = Bounds::default();
    let without = if args.completion.spec.is_some() { MOST_ASKED } else { default.expansions };
    Bounds { expansions: args.expansions.map_or(without, |most| most as usize), ..default }
}

fn is_planned(found: &Found) -> bool {
    !matches!(found, Found::NoKnownPath | Found::Limit)
}

impl From<PlanError> for Unusable {
    fn from(error: PlanError) -> Unusable {
        match error {
            PlanError::Condition(problems) => problems.into(),
            PlanError::Fault(fault) => fault.into(),
        }
    }
}
