//! `intentgate import` and `intentgate export`: models from other tools, and for them.

use crate::FINE;
use crate::args::{By, Export, ExportArgs, Foreign, Format, ImportArgs, Picture};
use crate::files::{self, Unusable};
use crate::format;
use crate::graph;
use crate::plan::start::{self, Place};
use intentgate::engine::diagnostic::{Code, Fault, Problems};
use intentgate::engine::input;
use intentgate::engine::limits::Limits;
use intentgate::engine::span::Source;
use intentgate::planner::import::{self, Form, Imported, Options, Pages};
use intentgate::planner::pddl::{Dialect, Problem};
use intentgate::planner::{Model, PageId};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn import(args: &ImportArgs) -> Result<u8, Unusable> {
    files::apart(args.output.as_deref(), args.files.iter().map(PathBuf::as_path))?;
    let limits = Limits::default();
    let Inputs { sources, folder, said } = Inputs::read(&args.files, &limits)?;
    let options = Options {
        limits,
        pages: match args.by {
            By::Activity => Pages::Activity,
            By::State => Pages::State,
        },
        app: args.app.clone(),
        start: args.start.clone(),
    };
    let form = form(args.from, folder, &sources)?;
    let imported = import::read(form, &sources, &options)?;
    let unsaid =
        imported.warnings.iter().filter(|problems| !said.iter().any(|name| name == problems.source().name()));
    unsaid.for_each(files::print_problems);
    let model = imported.app.check()?;
    say(&imported, &model, args.format.format);
    let json = format!("{}\n", model.to_json());
    write(args.output.as_deref(), &json)?;
    Ok(FINE)
}

/// The report, on standard error.
fn say(imported: &Imported, model: &Model, format: Format) {
    let mut err = anstream::stderr();
    let json = Source::new("model", model.to_json());
    let unreached =
        model.review(&json).items().iter().filter(|item| item.code() == Code::UnreachablePage).count();
    // A closed standard error is nobody's loss.
    let _ = match format {
        Format::Json => {
            let line = serde_json::json!({
                "report": imported.report,
                "start": imported.app.start,
                "unreachable": unreached,
                "targets": imported.targets,
                "all_targets": imported.all_targets,
            });
            writeln!(err, "{line}")
        }
        Format::Text => {
            let mut text =
                format!("{}\nstart: {}\n", imported.report, input::on_one_line(&imported.app.start));
            if !imported.targets.is_empty() {
                let all = if imported.all_targets { "all of " } else { "" };
                let targets = imported.targets.join(", ");
                text.push_str(&format!("goal: {all}{}\n", input::on_one_line(&targets)));
            }
            if unreached > 0 {
                text.push_str(&format!("not reached from the start by what is known: {unreached}\n"));
            }
            err.write_all(text.as_bytes())
        }
    };
}

/// What is read: files, and the files of run folders.
#[derive(Default)]
struct Inputs {
    sources: Vec<Source>,
    /// Whether one of them is the folder of a run.
    folder: bool,
    /// The files of which it has been said that they can't be read.
    said: Vec<String>,
}

impl Inputs {
    fn read(files: &[PathBuf], limits: &Limits) -> Result<Inputs, Unusable> {
        let mut inputs = Inputs::default();
        for path in files {
            if path.is_dir() {
                inputs.run(path, limits)?;
            } else {
                inputs.sources.push(files::read(path, limits)?);
            }
        }
        Ok(inputs)
    }

    /// The states and events of a run; without any, its graph.
    fn run(&mut self, folder: &Path, limits: &Limits) -> Result<(), Unusable> {
        let mut found = Vec::new();
        for part in ["states", "events"] {
            let below = folder.join(part);
            if below.is_dir() {
                found.extend(json_files(&below)?);
            }
        }
        let graph = folder.join("utg.js");
        if found.is_empty() && graph.is_file() {
            self.sources.push(files::read(&graph, limits)?);
            return Ok(());
        }
        if found.is_empty() {
            let name = folder.display().to_string();
            let message =
                "the folder holds no run: there is no JSON file in `states` and `events`, and no `utg.js`";
            return Err(Problems::unreadable(&name, Fault::new(Code::NoModel, message)).into());
        }
        self.folder = true;
        let mut total = 0;
        for path in found {
            // Their order is that of the run, wherever the folder is.
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            let text = match files::read_regular(&path, limits) {
                Ok(source) => source.text().to_owned(),
                Err(unusable) => self.mended(&path, &name, unusable)?,
            };
            total += text.len();
            if total > MOST_BYTES {
                let message = format!("the files of the run have more than {MOST_BYTES} bytes together");
                return Err(Fault::new(Code::TooLarge, message).help("import a part of the run").into());
            }
            self.sources.push(Source::new(name, text));
        }
        Ok(())
    }

    /// A file of a run that can't be read as it is: where it is no UTF-8, marks stand for what doesn't fit; else it
    /// is empty, and so left out and counted.
    fn mended(&mut self, path: &Path, name: &str, unusable: Unusable) -> Result<String, Unusable> {
        let Unusable::Problems(problems) = unusable else { return Err(unusable) };
        let first = problems.iter().flat_map(Problems::items).next();
        let Some(fault) = first.map(|item| &item.fault) else { return Ok(String::new()) };
        let not_utf8 = fault.code == Code::NotUtf8;
        let bytes = if not_utf8 { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
        let what = if not_utf8 { "marks stand for what does not fit" } else { "left out" };
        let message = format!("{what}, {}: {}", fault.code, fault.message);
        files::print_problems(&Problems::unreadable(name, Fault::new(Code::UnreadablePart, message)));
        if !not_utf8 {
            self.said.push(name.to_owned());
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The JSON files of a folder, in the order of their names.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>, Unusable> {
    let unreadable = |error: std::io::Error| -> Unusable {
        let name = folder.display().to_string();
        let fault = Fault::new(Code::Unreadable, format!("`{name}` can't be read: {error}"));
        Problems::unreadable(&name, fault).into()
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The most that a run may have.
const MOST_BYTES: usize = 1 << 30;

/// The form that was asked for, else the one that the texts have.
fn form(asked: Option<Foreign>, folder: bool, sources: &[Source]) -> Result<Form, Unusable> {
    if let Some(asked) = asked {
        return Ok(match asked {
            Foreign::Iccbot => Form::Iccbot,
            Foreign::Droidbot => Form::Droidbot,
            Foreign::Utg => Form::Utg,
            Foreign::Pddl => Form::Pddl,
        });
    }
    if folder {
        return Ok(Form::Droidbot);
    }
    let first = sources.first().map(|source| (source, Form::of(source.text())));
    match first {
        Some((_, Some(form))) => Ok(form),
        // It says itself what is wrong with it.
        Some((source, None)) if is_no_text(source) => Ok(Form::Iccbot),
        _ => {
            let name = first.map_or("input", |(source, _)| source.name());
            let known: Vec<&str> = Form::ALL.iter().map(|form| form.name()).collect();
            let fault = Fault::new(Code::UnknownForm, format!("`{name}` has no form that is known"));
            Err(Problems::unreadable(
                name,
                fault.help(format!("say which with --from: {}", known.join(", "))),
            )
            .into())
        }
    }
}

/// Whether there is nothing in it, or a Git-LFS pointer.
fn is_no_text(source: &Source) -> bool {
    let text = source.text().trim();
    text.is_empty() || text.starts_with("version https://git-lfs")
}

pub(crate) fn export(args: &ExportArgs) -> Result<u8, Unusable> {
    files::apart(args.output.as_deref(), [args.model.model.as_path()])?;
    files::no_streams(&[("--out-dir", args.out_dir.as_deref())], "is no folder")?;
    let Place { model, start, .. } = Place::read(&args.model)?;
    let picture = |picture| graph::picture(&model, &start, &args.to, picture);
    let problem = |dialect| -> Result<Problem, Unusable> {
        let targets: Vec<PageId> =
            args.to.iter().map(|name| start::page(&model, name)).collect::<Result<_, _>>()?;
        Ok(Problem::new(&model, &start, &targets, dialect)?)
    };
    let text = match args.form {
        Export::Pddl => return planning(args, &model, &problem(Dialect::Published)?),
        Export::Strips => return planning(args, &model, &problem(Dialect::Strips)?),
        Export::Dot => picture(Picture::Dot)?,
        Export::Mermaid => picture(Picture::Mermaid)?,
        Export::Svg => picture(Picture::Svg)?,
        Export::Json => format!("{}\n", model.to_json()),
    };
    let ending = match args.form {
        Export::Mermaid => "mmd",
        Export::Svg => "svg",
        Export::Json => "json",
        _ => "dot",
    };
    match &args.out_dir {
        Some(folder) => {
            let path = within(folder, &model, ending)?;
            files::apart([path.as_path()], [args.model.model.as_path()])?;
            write(Some(&path), &text)?;
        }
        None => write(args.output.as_deref(), &text)?,
    }
    Ok(FINE)
}

/// A file in a folder, which is made if it isn't there, named like the app.
fn within(folder: &Path, model: &Model, ending: &str) -> Result<PathBuf, Unusable> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let name = folder.display().to_string();
        let fault = Fault::new(Code::RecordFailed, format!("`{name}` can't be made: {error}"));
        Unusable::from(Problems::unreadable(&name, fault))
    })?;
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let name: String = model.app().chars().take(60).map(plain).collect();
    let name = if name.is_empty() { "app" } else { &name };
    let dash = if ending.contains('.') { "-" } else { "." };
    Ok(folder.join(format!("{name}{dash}{ending}")))
}

/// Domain and problem: in two files of a folder, or one after the other.
fn planning(args: &ExportArgs, model: &Model, problem: &Problem) -> Result<u8, Unusable> {
    match &args.out_dir {
        Some(folder) => {
            write(Some(&within(folder, model, "domain.pddl")?), &problem.domain)?;
            write(Some(&within(folder, model, "problem.pddl")?), &problem.problem)?;
        }
        None => {
            let both = format!("{}\n; the problem\n{}", problem.domain, problem.problem);
            write(args.output.as_deref(), &both)?;
        }
    }
    Ok(FINE)
}

/// To a file, or to standard output.
fn write(path: Option<&Path>, text: &str) -> Result<(), Unusable> {
    match path {
        Some(path) if path.as_os_str() != "-" => format::replace(path, text),
        _ => Ok(anstream::stdout().write_all(text.as_bytes())?),
    }
}
