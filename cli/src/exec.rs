//! `intentgate exec`: a task on a simulated app, through the gate.

use crate::args::{ExecArgs, Format};
use crate::files::{self, Unusable};
use crate::plan::none::NoPlan;
use crate::{FINE, REFUSED, format, plan};
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::engine::limits::Limits;
use intentgate::executor::account::Account;
use intentgate::executor::agent::{Agent, FollowPlan, Wander};
use intentgate::executor::device::simulated::{Faults, SimulatedApp};
use intentgate::executor::driver::{Driver, Options};
use intentgate::executor::machine::Budgets;
use intentgate::executor::report::{self, Beside};
use intentgate::executor::task::{Aim, SubTask, Task};
use intentgate::planner::{Goal, Model};
use intentgate::session::SessionBuilder;
use intentgate::session::record::JsonLines;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn exec(args: &ExecArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let outputs = [("--record", args.record.as_deref()), ("--html", args.html.as_deref())];
    files::no_streams(&outputs, "has the account already")?;
    files::separate(&outputs)?;
    files::apart(
        outputs.iter().filter_map(|(_, path)| *path),
        args.session.files().chain([args.model.as_path()]),
    )?;
    let faults = faults(args.faults.as_deref().unwrap_or_default())?;
    let source = files::read(&args.model, &limits)?;
    let model = Model::from_json(&source, &limits)?;
    files::print_problems(&model.review(&source));
    let (builder, _, _) = files::session(&args.session, &limits)?;
    let task = task(args, &model)?;
    let builder = match &args.record {
        Some(path) => recorded(builder, path)?,
        None => builder,
    };
    let session = builder.start()?;
    plan::start::linked(&model, &source, &session)?;
    let vocabulary = Arc::clone(session.vocabulary());
    let mut device = SimulatedApp::new(model.clone(), vocabulary, args.seed).faults(faults).screens();
    let confirm = device.confirm();
    let options = Options {
        plans: !args.no_plan,
        recovers: !args.no_recovery,
        candidates: usize::try_from(args.candidates).unwrap_or(1),
        confirm: Some(Box::new(confirm)),
        budgets: Budgets { steps: args.steps, failures: args.failures, ..Budgets::default() },
        ..Options::default()
    };
    let mut agent: Box<dyn Agent> = match args.no_plan {
        true => Box::new(Wander),
        false => Box::new(FollowPlan::default()),
    };
    let mut driver = Driver::new(&mut device, agent.as_mut(), session, model, task, options)?;
    pollster::block_on(driver.run());
    let (account, session, learnt) = driver.into_parts();
    let none = NoPlan::new(&account, &learnt, &session)?;
    if let Some(path) = &args.html {
        let beside = Beside { settings: settings(args, &device), rules: session.roadmap() };
        format::replace(path, &report::html(&account, &learnt, &beside))?;
    }
    let mut out = anstream::stdout();
    match args.format.format {
        Format::Json => {
            let simulated = Simulated { seed: args.seed, faults, injected: device.injected() };
            let plan = none.map(|none| none.to_json(&learnt, &session));
            writeln!(out, "{}", serde_json::json!(Told { account: &account, simulated, plan }))?;
        }
        Format::Text => {
            write!(out, "{account}")?;
            let injected = injected(&device);
            if !injected.is_empty() {
                writeln!(out, "faults of the simulated app: {injected}")?;
            }
            if let Some(none) = &none {
                none.tell(&mut out, &learnt, &session)?;
            }
        }
    }
    Ok(if account.outcome.is_success() { FINE } else { REFUSED })
}

/// The account as data, with what it can't know.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    account: &'a Account,
    simulated: Simulated<'a>,
    /// What `intentgate plan` says where no way on is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<serde_json::Value>,
}

/// What was simulated.
#[derive(Serialize)]
struct Simulated<'a> {
    seed: u64,
    /// How often which fault was to happen, in percent.
    faults: Faults,
    /// How many of each kind there were.
    injected: &'a BTreeMap<&'static str, usize>,
}

/// How many faults of each kind there were, in words.
fn injected(device: &SimulatedApp) -> String {
    let injected = device.injected().iter().map(|(kind, count)| format!("{kind} {count}"));
    injected.collect::<Vec<_>>().join(", ")
}

/// What a report says the run was made with.
fn settings(args: &ExecArgs, device: &SimulatedApp) -> Vec<(String, String)> {
    let happened = injected(device);
    let happened = if happened.is_empty() { "none".to_owned() } else { happened };
    let without = |option: bool| if option { "no" } else { "yes" }.to_owned();
    [
        ("seed", args.seed.to_string()),
        ("faults of the simulated app, in percent", args.faults.clone().unwrap_or_else(|| "none".to_owned())),
        ("faults that happened", happened),
        ("plans", without(args.no_plan)),
        ("getting back and trying again", without(args.no_recovery)),
        ("actions at most", args.steps.to_string()),
        ("failures at most", args.failures.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

/// What is to be reached: the goals on the model in their order, or the end of the specification.
fn task(args: &ExecArgs, model: &Model) -> Result<Task, Unusable> {
    let mut parts = Vec::new();
    if !args.to.is_empty() {
        let pages =
            args.to.iter().map(|name| plan::start::page(model, name)).collect::<Result<Vec<_>, _>>()?;
        parts.push((format!("get to {}", args.to.join(" or ")), Goal::Any(pages)));
    }
    if !args.functions.is_empty() {
        let calls = args.functions.iter().map(|text| plan::goal::call(model, text));
        let calls = calls.collect::<Result<Vec<_>, _>>()?;
        parts.push((args.functions.join(", then "), Goal::Functions(calls)));
    }
    let name = args.session.spec.file_stem().map(|name| name.to_string_lossy().into_owned());
    let sentence = args.sentence.clone();
    if parts.is_empty() {
        return Ok(Task::new(sentence.or(name).unwrap_or_else(|| "the task".to_owned()), Aim::Complete));
    }
    let whole: Vec<&str> = parts.iter().map(|(sentence, _)| sentence.as_str()).collect();
    let sentence = sentence.unwrap_or_else(|| whole.join(", then "));
    let parts = parts.into_iter().map(|(sentence, goal)| {
        SubTask::new(sentence, "it was asked for on the command line", Aim::Goal(goal))
    });
    Ok(Task { sentence, sub_tasks: parts.collect() })
}

fn recorded(builder: SessionBuilder, path: &Path) -> Result<SessionBuilder, Fault> {
    let file = File::create(path).map_err(|error| {
        Fault::new(Code::RecordFailed, format!("`{}` can't be written: {error}", path.display()))
    })?;
    Ok(builder.record(JsonLines(file)))
}

/// `each=10`, `missing=5,no_change=5`; a kind after `each` is otherwise.
pub(crate) fn faults(text: &str) -> Result<Faults, Fault> {
    const KINDS: &str = "each, missing, no_change, other, pop_up, delay, crash, surprise";
    let wrong = |what: String| {
        Fault::new(Code::ValueRange, what)
            .help(format!("write each=10, or KIND=PERCENT with commas; kinds: {KINDS}"))
    };
    let mut faults = Faults::default();
    let mut given: Vec<&str> = Vec::new();
    for one in text.split(',').map(str::trim).filter(|one| !one.is_empty()) {
        let (kind, percent) =
            one.split_once('=').ok_or_else(|| wrong(format!("`{one}` in `--faults` is no KIND=PERCENT")))?;
        let percent: u32 =
            percent.trim().parse().ok().filter(|percent| *percent <= 100).ok_or_else(|| {
                wrong(format!("`{}` in `--faults` is no percentage from 0 to 100", percent.trim()))
            })?;
        let kind = kind.trim();
        if given.contains(&kind) {
            return Err(wrong(format!("`{kind}` is given twice in `--faults`")));
        }
        if kind == "each" && !given.is_empty() {
            return Err(wrong(
                "`each` in `--faults` sets every kind: it stands before the others".to_owned(),
            ));
        }
        given.push(kind);
        match kind {
            "each" => faults = Faults { surprise: percent, ..Faults::each(percent) },
            "missing" => faults.missing = percent,
            "no_change" => faults.no_change = percent,
            "other" => faults.other = percent,
            "pop_up" => faults.pop_up = percent,
            "delay" => faults.delay = percent,
            "crash" => faults.crash = percent,
            "surprise" => faults.surprise = percent,
            unknown => return Err(wrong(format!("there is no kind of faults `{unknown}`"))),
        }
    }
    let all = faults.of_actions();
    if all > 100 {
        return Err(wrong(format!("the faults of an action come to {all} percent, more than 100")));
    }
    Ok(faults)
}
