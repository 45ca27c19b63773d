//! `intentgate explore`: exploring a simulated app, and keeping what was learnt.

use crate::args::{ExploreArgs, Format};
use crate::exec::faults;
use crate::files::{self, Unusable};
use crate::{FINE, plan, progress};
use intentgate::engine::diagnostic::{Code, Fault, Problems};
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::engine::suggest;
use intentgate::executor::device::simulated::SimulatedApp;
use intentgate::executor::explore::{Caution, Explored, Explorer, Options};
use intentgate::executor::knowledge::store::{Store, StoreError};
use intentgate::executor::screen::outline::visible;
use intentgate::planner::{Model, declare};
use std::collections::BTreeSet;
use std::future::Future;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

pub(crate) fn explore(args: &ExploreArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let outputs = [("--knowledge", args.knowledge.as_deref()), ("-o", args.output.as_deref())];
    files::no_streams(&outputs, "has what was learnt already")?;
    files::separate(&outputs)?;
    let inputs = [Some(&args.model.model), args.app.as_ref(), args.knowledge.as_ref()];
    files::apart(args.output.as_deref(), inputs.into_iter().flatten().map(PathBuf::as_path))?;
    let inputs = [Some(&args.model.model), args.app.as_ref()];
    files::apart(args.knowledge.as_deref(), inputs.into_iter().flatten().map(PathBuf::as_path))?;
    let plan::start::Place { model: app, source, .. } = plan::start::Place::read(&args.model)?;
    let vocabulary = match &args.app {
        Some(path) => files::vocabulary(path, &limits)?,
        None => Arc::new(own_actions(&app, &limits)?),
    };
    if args.app.is_some() {
        files::print_problems(&app.review_actions(&source, &vocabulary));
    }
    let faults = faults(args.faults.as_deref().unwrap_or_default())?;
    let mut device =
        SimulatedApp::new(app.clone(), Arc::clone(&vocabulary), args.seed).faults(faults).screens();
    let store = args.knowledge.as_deref().map(Store::new);
    let known = store.as_ref().map(Store::read).transpose();
    // What is damaged is set aside when it is written; until then nothing is known.
    let known = known.or_else(|error| match &store {
        Some(_) if is_damaged(&error) => Ok(None),
        _ => Err(error),
    })?;
    let warm = known.unwrap_or_default().warm(&start(&app)?, &args.goal)?;
    let before = warm.model.clone();
    let mut programs: Vec<String> = vec![app.app_of(app.start()).to_owned()];
    for (page, _) in app.pages() {
        let program = app.app_of(page);
        if !programs.iter().any(|known| known == program) {
            programs.push(program.to_owned());
        }
    }
    let bar = progress::bar(args.steps, "gestures, {msg}");
    let options = Options {
        steps: args.steps,
        labels_are_events: true,
        caution: Caution { ordinary: ordinary(args, &app)?, declared: Some(app), ..Caution::default() },
        programs,
        documents: warm.documents,
        locator: warm.locator,
        progress: Some(Box::new(|progress| {
            bar.set_position(u64::from(progress.steps));
            bar.set_message(format!("{} pages, {} transitions", progress.pages, progress.transitions));
        })),
        ..Options::default()
    };
    let explored = at_once(Explorer::new(&mut device, warm.model, vocabulary, &args.goal, options).run())?;
    bar.finish_and_clear();
    if let Some(store) = &store {
        let updated = store.update(|knowledge| {
            knowledge.grow(&before, &explored.model, Some(&explored.locator));
            knowledge.add_documents(explored.model.app(), &explored.documents);
        })?;
        if let Some((kept, problems)) = updated.damaged {
            files::print_problems(&problems);
            // A closed standard error is nobody's loss.
            let _ = writeln!(anstream::stderr(), "what could not be read is kept as {}", kept.display());
        }
    }
    if let Some(path) = &args.output {
        write(path, &format!("{}\n", explored.model.to_json()))?;
    }
    print(&explored, args.format.format)?;
    Ok(FINE)
}

/// Where nobody says which actions are critical, each that the model names is taken for one.
fn own_actions(app: &Model, limits: &Limits) -> Result<Vocabulary, Problems> {
    let named = app.transitions().filter(|(_, one)| one.action() != one.event());
    let named: BTreeSet<&str> = named.map(|(_, one)| one.action()).collect();
    // A vocabulary that declares nothing is none: this one has a state that nothing names.
    let vocabulary = serde_json::json!({"states": [{"name": "Nothing", "variables": []}], "actions": named});
    Vocabulary::from_json(&Source::new("actions of the model", vocabulary.to_string()), limits)
}

/// The events that are ordinary steps: they have to be events of the model.
fn ordinary(args: &ExploreArgs, app: &Model) -> Result<BTreeSet<String>, Unusable> {
    let events: BTreeSet<&str> = app.transitions().map(|(_, one)| one.event()).collect();
    for event in &args.ordinary {
        if !events.contains(event.as_str()) {
            let message = format!("`{}` is no event of the model", shown(event));
            let fault = Fault::new(Code::UnknownPage, message);
            return Err(fault.help(suggest::known(event, "events", events.iter().copied())).into());
        }
    }
    Ok(args.ordinary.iter().cloned().collect())
}

/// The app as nobody has seen it: the page on which it starts.
fn start(app: &Model) -> Result<Model, Problems> {
    let page = app.page_name(app.start());
    let pages = vec![declare::Page::new(page)];
    let start =
        declare::App { app: app.app().to_owned(), start: page.to_owned(), pages, ..declare::App::default() };
    start.check()
}

fn is_damaged(error: &StoreError) -> bool {
    error.problems().items().iter().any(|item| item.code() == Code::DamagedKnowledge)
}

/// What needs nobody else is done when it is asked for.
fn at_once<T>(work: impl Future<Output = T>) -> Result<T, Fault> {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => Ok(done),
        Poll::Pending => Err(Fault::new(Code::UnusableEvent, "the exploration waits for something")),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Unusable> {
    std::fs::write(path, text).map_err(|error| {
        let name = path.display().to_string();
        let fault = Fault::new(Code::RecordFailed, format!("`{name}` can't be written: {error}"));
        Problems::unreadable(&name, fault).into()
    })
}

/// What an app says, for a terminal.
fn shown(text: &str) -> String {
    visible(text, 400)
}

fn print(explored: &Explored, format: Format) -> Result<(), Unusable> {
    let mut out = anstream::stdout();
    let Explored { news, taken, refused, ended, .. } = explored;
    if format == Format::Json {
        let line = serde_json::json!({"learnt": news, "taken": taken, "left_alone": refused, "ended": ended});
        writeln!(out, "{line}")?;
        return Ok(());
    }
    for (number, one) in taken.iter().enumerate() {
        let to = one.to.as_deref().map_or_else(|| "nowhere that can be told".to_owned(), shown);
        let decision = one.decision.map_or(String::new(), |decision| format!("{}: ", decision.name()));
        writeln!(
            out,
            "{:>3}. on {} {}, to {to}: {decision}{}",
            number + 1,
            shown(&one.from),
            shown(&one.event),
            shown(&one.why)
        )?;
    }
    for one in refused {
        writeln!(
            out,
            "left alone on {}: {}: {}",
            shown(&one.page),
            shown(&one.event),
            shown(&one.danger.to_string())
        )?;
    }
    for page in &news.pages {
        writeln!(out, "new page: {}", shown(page))?;
    }
    for one in &news.transitions {
        writeln!(out, "new transition: {} -> {}: {}", shown(&one.from), shown(&one.to), shown(&one.event))?;
    }
    for one in &news.documents {
        writeln!(out, "new document: {}: {}", shown(&one.uid), shown(&one.text))?;
    }
    writeln!(
        out,
        "{ended}: {} pages, {} transitions, {} documents are new",
        news.pages.len(),
        news.transitions.len(),
        news.documents.len()
    )?;
    Ok(())
}

impl From<StoreError> for Unusable {
    fn from(error: StoreError) -> Unusable {
        error.problems().into()
    }
}
