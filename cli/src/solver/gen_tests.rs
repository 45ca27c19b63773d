//! `intentgate gen-tests`: tests from logic, and how much of a specification tests hold.

use crate::args::{Format, GenTestsArgs};
use crate::files::{self, Loaded, Unusable};
use crate::{FINE, REFUSED};
use intentgate::engine::compile::bind::Given;
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::engine::limits::Limits;
use intentgate::engine::solve::Setting;
use intentgate::engine::span::Source;
use intentgate::testing::{Generated, Mutation, RustFiles, Suite};
use std::io::Write;
use std::path::{Component, Path, PathBuf};

pub(crate) fn gen_tests(args: &GenTestsArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let outputs = [("--trace", args.trace.as_deref()), ("--rust", args.rust.as_deref())];
    if args.mutants || args.format.format == Format::Json {
        files::no_streams(&outputs, "has what was found already")?;
    }
    files::separate(&outputs)?;
    files::apart(
        outputs.iter().filter_map(|(_, path)| *path),
        args.session.files().chain(args.given.iter().map(PathBuf::as_path)),
    )?;
    let loaded = Loaded::read(&args.session, &limits)?;
    let parameters = loaded.parameters.iter();
    let setting = Setting {
        today: loaded.today,
        bounds: super::bounds(&args.solver),
        parameters: parameters.map(|(name, value)| (name.clone(), Given::Spelled(value.clone()))).collect(),
        ..Setting::default()
    };
    let mut suites = Vec::new();
    for path in &args.given {
        suites.push(Suite::read(&files::read(path, &limits)?, &limits)?);
    }
    let generated = Generated::of(&loaded.specification, &loaded.policies, &setting)?;
    let trace = generated.to_trace();
    let mut out = anstream::stdout();
    let alone = args.rust.is_none() && !args.mutants && args.format.format == Format::Text;
    match &args.trace {
        Some(path) if path.as_os_str() != "-" => write(path, &trace)?,
        None if !alone => {}
        _ => out.write_all(trace.as_bytes())?,
    }
    if let Some(path) = &args.rust {
        let seen = |file: &Path| relative(path, file);
        let policies: Vec<String> = args.session.policy.iter().map(|policy| seen(policy)).collect();
        let files = RustFiles {
            app: &seen(&args.session.app),
            spec: &seen(&args.session.spec),
            policies: &policies.iter().map(String::as_str).collect::<Vec<_>>(),
        };
        let text = generated.to_rust(&files);
        if path.as_os_str() == "-" {
            out.write_all(text.as_bytes())?;
        } else {
            write(path, &text)?;
        }
    }
    let mut mutation = None;
    if args.mutants {
        if !generated.is_empty() {
            suites.push(Suite::read(&Source::new("tests from logic", trace), &limits)?);
        }
        mutation = Some(Mutation::of(&loaded.specification, &loaded.policies, &setting, &suites)?);
    }
    let (count, missing) = (generated.len(), &generated.missing);
    match args.format.format {
        Format::Json => {
            let found = serde_json::json!({"tests": count, "missing": missing, "mutation": mutation});
            writeln!(out, "{found}")?;
        }
        Format::Text => {
            let mut err = anstream::stderr();
            let _ = writeln!(err, "{count} {}", if count == 1 { "test" } else { "tests" });
            for missing in missing {
                let _ = writeln!(err, "{missing}");
            }
            if let Some(mutation) = &mutation {
                write!(out, "{mutation}")?;
            }
        }
    }
    Ok(if mutation.is_none_or(|mutation| mutation.is_complete()) { FINE } else { REFUSED })
}

fn write(path: &Path, text: &str) -> Result<(), Unusable> {
    std::fs::write(path, text).map_err(|error| {
        let message = format!("`{}` can't be written: {error}", path.display());
        Fault::new(Code::RecordFailed, message).into()
    })
}

/// A file as seen from another, for `include_str!`.
fn relative(from: &Path, to: &Path) -> String {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (from, to) = (whole(from), whole(to));
    let folder: Vec<Component> =
        from.parent().map(|folder| folder.components().collect()).unwrap_or_default();
    let target: Vec<Component> = to.components().collect();
    let shared = folder.iter().zip(&target).take_while(|(one, other)| one == other).count();
    let up = folder.iter().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(target.iter().skip(shared).copied()).collect();
    path.to_string_lossy().replace('\\', "/")
}
