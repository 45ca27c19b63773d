//! `intentgate import` and `intentgate export`: models from other tools, and for them.

use crate::FINE;
use crate::args::{By, Export, ExportArgs, Foreign, Format, ImportArgs, Picture};
use crate::files::{self, Unusable};
use crate::format;
use crate::plan;
use intentgate::engine::diagnostic::{Code, Fault, Problems};
use intentgate::engine::limits::Limits;
use intentgate::engine::span::Source;
use intentgate::planner::import::{self, Form, Imported, Options, Pages};
use intentgate::planner::pddl::{Dialect, Problem};
use intentgate::planner::{Model, PageId};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn import(args: &ImportArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let (sources, folder) = read_all(&args.files, &limits)?;
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
    imported.warnings.iter().for_each(files::print_problems);
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
            let mut text = format!("{}\nstart: {}\n", imported.report, imported.app.start);
            if !imported.targets.is_empty() {
                let all = if imported.all_targets { "all of " } else { "" };
                text.push_str(&format!("goal: {all}{}\n", imported.targets.join(", ")));
            }
            if unreached > 0 {
                text.push_str(&format!("not reached from the start by what is known: {unreached}\n"));
            }
            err.write_all(text.as_bytes())
        }
    };
}

/// Files and the files of run folders, and whether one of them is a folder.
fn read_all(files: &[PathBuf], limits: &Limits) -> Result<(Vec<Source>, bool), Unusable> {
    let (mut sources, mut folder) = (Vec::new(), false);
    for path in files {
        if path.is_dir() {
            folder = true;
            run_folder(path, limits, &mut sources)?;
        } else {
            sources.push(files::read(path, limits)?);
        }
    }
    Ok((sources, folder))
}

/// The states and events of a run; a file that is no text is said and left out.
fn run_folder(folder: &Path, limits: &Limits, sources: &mut Vec<Source>) -> Result<(), Unusable> {
    let unreadable = |path: &Path, error: &std::io::Error| -> Unusable {
        let name = path.display().to_string();
        let fault = Fault::new(Code::Unreadable, format!("`{name}` can't be read: {error}"));
        Problems::unreadable(&name, fault).into()
    };
    let mut found = Vec::new();
    for part in ["states", "events"] {
        let below = folder.join(part);
        if !below.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(&below).map_err(|error| unreadable(&below, &error))? {
            let path = entry.map_err(|error| unreadable(&below, &error))?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                found.push(path);
            }
        }
    }
    if found.is_empty() {
        let name = folder.display().to_string();
        let message = "the folder holds no run: there is no JSON file in `states` and `events`";
        return Err(Problems::unreadable(&name, Fault::new(Code::NoModel, message)).into());
    }
    found.sort();
    let mut total = 0;
    for path in found {
        let mut source = match files::read(&path, limits) {
            Ok(source) => source,
            Err(unusable) => {
                unusable.print();
                // Left out, and counted as a file that can't be read.
                Source::new(path.display().to_string(), "")
            }
        };
        total += source.text().len();
        if total > MOST_BYTES {
            let message = format!("the files of the run have more than {MOST_BYTES} bytes together");
            return Err(Fault::new(Code::TooLarge, message).help("import a part of the run").into());
        }
        // Their order is that of the run, wherever the folder is.
        if let Some(name) = path.strip_prefix(folder).ok().and_then(Path::to_str) {
            source = Source::new(name, source.text());
        }
        sources.push(source);
    }
    Ok(())
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
    let (model, start) = plan::read(&args.model)?;
    let picture = |picture| plan::picture(&model, &start, &args.to, picture);
    let problem = |dialect| -> Result<Problem, Unusable> {
        let targets: Vec<PageId> =
            args.to.iter().map(|name| plan::page(&model, name)).collect::<Result<_, _>>()?;
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
        Some(folder) => write(Some(&within(folder, &model, ending)?), &text)?,
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
