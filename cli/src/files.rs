//! Reading files, and saying what is wrong with them.

use crate::args::SessionArgs;
use chrono::{NaiveDate, Utc};
use chrono_tz::Tz;
use intentgate::Session;
use intentgate::engine::check::{self, Checked};
use intentgate::engine::diagnostic::{Code, Fault, Problems, Severity, render};
use intentgate::engine::ir::Specification;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::session::replay;
use intentgate::session::{SessionBuilder, StartError};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An input that can't be used.
#[derive(Debug)]
pub(crate) enum Unusable {
    Problems(Vec<Problems>),
    Fault(Fault),
    /// Standard output is gone: nothing to say, and nobody to say it to.
    Output(io::Error),
}

impl From<Problems> for Unusable {
    fn from(problems: Problems) -> Unusable {
        Unusable::Problems(vec![problems])
    }
}

impl From<Fault> for Unusable {
    fn from(fault: Fault) -> Unusable {
        Unusable::Fault(fault)
    }
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Unusable {
        Unusable::Output(error)
    }
}

impl From<StartError> for Unusable {
    fn from(error: StartError) -> Unusable {
        match error.parts() {
            Ok(problems) => problems.clone().into(),
            Err(fault) => fault.clone().into(),
        }
    }
}

impl Unusable {
    /// On standard error, in colours if that is a terminal.
    pub(crate) fn print(&self) {
        match self {
            Unusable::Problems(all) => all.iter().for_each(print_problems),
            Unusable::Fault(fault) => print(&render::coloured_fault(fault)),
            Unusable::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Unusable::Output(error) => {
                let fault =
                    Fault::new(Code::RecordFailed, format!("standard output can't be written: {error}"));
                print_problems(&Problems::unreadable("standard output", fault));
            }
        }
    }
}

/// On standard error, in colours if that is a terminal. A closed standard error is nobody's loss.
pub(crate) fn print_problems(problems: &Problems) {
    print(&render::coloured(problems));
}

/// On standard error.
pub(crate) fn print(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// A file as a text. `-` is standard input.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<Source, Unusable> {
    let name = path.display().to_string();
    if name == "-" {
        return text("standard input", io::stdin().lock(), limits);
    }
    if path.is_dir() {
        return Err(unreadable(&name, "it is a folder"));
    }
    match File::open(path) {
        Ok(file) => text(&name, file, limits),
        Err(error) => Err(unreadable(&name, &error.to_string())),
    }
}

/// A file as a text, if it is a regular one, or a link to one: what is found in a folder may be anything, and a pipe or
/// a device has no end.
pub(crate) fn read_regular(path: &Path, limits: &Limits) -> Result<Source, Unusable> {
    match std::fs::metadata(path) {
        Ok(data) if !data.is_file() && !data.is_dir() => {
            Err(unreadable(&path.display().to_string(), "it is no regular file"))
        }
        _ => read(path, limits),
    }
}

/// Whether a path is `-`: standard input or output.
pub(crate) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// An option that names an output, and what it names.
pub(crate) type Output<'a> = (&'static str, Option<&'a Path>);

/// That each output is a file of its own, by whatever path.
///
/// # Errors
/// The first two that are one.
pub(crate) fn separate(outputs: &[Output]) -> Result<(), Unusable> {
    let outputs = outputs.iter().filter_map(|(option, path)| path.map(|path| (*option, path)));
    let outputs: Vec<(&str, &Path)> = outputs.collect();
    for (number, (option, output)) in outputs.iter().enumerate() {
        let mut before = outputs.iter().take(number);
        let Some((other, taken)) = before.find(|(_, other)| is_one_place(other, output)) else { continue };
        let (name, place) = match is_stream(output) {
            true => ("standard output".to_owned(), "both standard output"),
            false => (output.display().to_string(), "the same file"),
        };
        let (taken, output) = (taken.display(), output.display());
        let message = format!("`{other} {taken}` and `{option} {output}` are {place}");
        let fault = Fault::new(Code::OutputTaken, message).help("name another file for one of them");
        return Err(Problems::unreadable(&name, fault).into());
    }
    Ok(())
}

/// That outputs are none of the inputs, by whatever path.
///
/// # Errors
/// The first that is.
pub(crate) fn apart<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'a Path> + Clone,
) -> Result<(), Unusable> {
    for output in outputs.into_iter().filter(|path| !is_stream(path)) {
        let Ok(place) = output.canonicalize() else { continue };
        let mut inputs = inputs.clone().into_iter().filter(|path| !is_stream(path));
        let is_output = |input: &&Path| is_same(input, output) || in_folder(input, &place);
        if inputs.any(|input| is_output(&input)) {
            let name = output.display();
            let fault =
                Fault::new(Code::OutputIsInput, format!("`{name}` is read: it can't be written, too"));
            return Err(Problems::unreadable(&name.to_string(), fault.help("name another file")).into());
        }
    }
    Ok(())
}

/// That no output is standard output, which has something else already.
///
/// # Errors
/// The first that is.
pub(crate) fn no_streams(outputs: &[Output], what: &str) -> Result<(), Unusable> {
    let Some((option, _)) = outputs.iter().find(|(_, path)| path.is_some_and(is_stream)) else {
        return Ok(());
    };
    let message = format!("`{option} -` is standard output, which {what}");
    let fault =
        Fault::new(Code::OutputTaken, message).help("give another name; what is really called `-` is `./-`");
    Err(Problems::unreadable("standard output", fault).into())
}

/// Whether two outputs go to the same place. What is no file, such as a terminal, takes several.
fn is_one_place(one: &Path, other: &Path) -> bool {
    if is_stream(one) || is_stream(other) {
        return is_stream(one) && is_stream(other);
    }
    let no_file = |path: &Path| std::fs::metadata(path).is_ok_and(|data| !data.is_file());
    is_same(one, other) || (!no_file(one) && whole(one) == whole(other))
}

/// Where a file is, or would be once it is written: links are followed, also one to a file that isn't there yet.
fn whole(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = path.read_link() else { break };
        path = path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    }
    if let Ok(whole) = path.canonicalize() {
        return whole;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => std::path::absolute(&path).unwrap_or(path),
    }
}

/// Whether a file is in a folder that is read.
fn in_folder(input: &Path, output: &Path) -> bool {
    input.is_dir() && input.canonicalize().is_ok_and(|folder| output.starts_with(folder))
}

/// Whether two paths lead to the same file.
#[cfg(unix)]
fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |path: &Path| std::fs::metadata(path).ok().filter(|data| data.is_file());
    let number = |path: &Path| number(path).map(|data| (data.dev(), data.ino()));
    number(one).is_some() && number(one) == number(other)
}

/// Whether two paths lead to the same file.
#[cfg(not(unix))]
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn unreadable(name: &str, why: &str) -> Unusable {
    let fault = Fault::new(Code::Unreadable, format!("`{name}` can't be read: {why}"));
    Problems::unreadable(name, fault).into()
}

fn text(name: &str, input: impl Read, limits: &Limits) -> Result<Source, Unusable> {
    let mut bytes = Vec::new();
    let most = u64::try_from(limits.bytes).unwrap_or(u64::MAX).saturating_add(1);
    if let Err(error) = input.take(most).read_to_end(&mut bytes) {
        return Err(unreadable(name, &error.to_string()));
    }
    if bytes.len() > limits.bytes {
        let message = format!("`{name}` has more than {} bytes, which is the limit", limits.bytes);
        let fault = Fault::new(Code::TooLarge, message).help("split it");
        return Err(Problems::unreadable(name, fault).into());
    }
    utf8(name, bytes).map(|text| Source::new(name, text)).map_err(Unusable::from)
}

/// Bytes as a text, or where they stop being one.
pub(crate) fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Problems> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(error.as_bytes().get(..valid).unwrap_or(&[])).into_owned();
        let position = Source::new(name, before).position(valid);
        let message = format!(
            "`{name}` is not UTF-8: the byte at line {}, column {} does not fit",
            position.line, position.column
        );
        let fault = Fault::new(Code::NotUtf8, message).help("save the file as UTF-8");
        Problems::unreadable(name, fault)
    })
}

/// A vocabulary from a file.
pub(crate) fn vocabulary(path: &Path, limits: &Limits) -> Result<Arc<Vocabulary>, Unusable> {
    let source = read(path, limits)?;
    Ok(Arc::new(Vocabulary::from_json(&source, limits)?))
}

/// A specification, or a policy, from a file.
pub(crate) fn rules(
    path: &Path,
    vocabulary: &Arc<Vocabulary>,
    policy: bool,
    limits: &Limits,
) -> Result<Result<Checked, Problems>, Unusable> {
    let source = read(path, limits)?;
    Ok(if policy {
        check::policy(&source, vocabulary, limits)
    } else {
        check::specification(&source, vocabulary, limits)
    })
}

/// Everything that a session needs.
pub(crate) struct Loaded {
    pub(crate) specification: Arc<Specification>,
    pub(crate) policies: Vec<Arc<Specification>>,
    pub(crate) parameters: Vec<(String, String)>,
    /// Today, if the arguments say so.
    pub(crate) today: Option<NaiveDate>,
    zone: Tz,
    strict: bool,
    limits: Limits,
}

impl Loaded {
    /// Reads it; all that is wrong with the rule sets is said at once. Warnings are printed.
    pub(crate) fn read(args: &SessionArgs, limits: &Limits) -> Result<Loaded, Unusable> {
        let vocabulary = vocabulary(&args.app, limits)?;
        let mut wrong = Vec::new();
        let mut sets: Vec<Arc<Specification>> = Vec::new();
        let files =
            std::iter::once((&args.spec, false)).chain(args.policy.iter().map(|policy| (policy, true)));
        for (path, policy) in files {
            match rules(path, &vocabulary, policy, limits)? {
                Ok(checked) => {
                    // Notes are for who writes a specification, not for who runs it.
                    print_problems(&checked.warnings.at_least(Severity::Warning));
                    sets.push(Arc::new(checked.specification));
                }
                Err(problems) => wrong.push(problems),
            }
        }
        if !wrong.is_empty() {
            return Err(Unusable::Problems(wrong));
        }
        let zone = match &args.zone {
            Some(name) => replay::time_zone(name)?,
            None => machine_zone(),
        };
        let today = args.today.as_deref().map(replay::day).transpose()?;
        let mut sets = sets.into_iter();
        let Some(specification) = sets.next() else {
            return Err(unreadable(&args.spec.display().to_string(), "it holds no specification"));
        };
        let parameters = args.parameters.iter().map(|parameter| replay::parameter(parameter));
        Ok(Loaded {
            specification,
            policies: sets.collect(),
            parameters: parameters.collect::<Result<_, _>>()?,
            today,
            zone,
            strict: args.strict,
            limits: *limits,
        })
    }

    /// A session of it.
    pub(crate) fn builder(&self) -> SessionBuilder {
        let builder = Session::builder(Arc::clone(&self.specification));
        let mut builder = builder.zone(self.zone).strict(self.strict).limits(self.limits);
        if let Some(today) = self.today {
            builder = builder.today(today);
        }
        for policy in &self.policies {
            builder = builder.policy(Arc::clone(policy));
        }
        let parameters = self.parameters.iter();
        parameters.fold(builder, |builder, (name, value)| builder.parameter(name, value))
    }
}

/// A session of what arguments name; today is the machine's date in the zone if they don't say.
pub(crate) fn session(
    args: &SessionArgs,
    limits: &Limits,
) -> Result<(SessionBuilder, NaiveDate, Tz), Unusable> {
    let loaded = Loaded::read(args, limits)?;
    let today = loaded.today.unwrap_or_else(|| Utc::now().with_timezone(&loaded.zone).date_naive());
    Ok((loaded.builder().today(today), today, loaded.zone))
}

/// The machine's time zone; UTC if it has none.
pub(crate) fn machine_zone() -> Tz {
    iana_time_zone::get_timezone().ok().and_then(|name| name.parse().ok()).unwrap_or(Tz::UTC)
}
