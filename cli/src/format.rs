//! `intentgate fmt`.

use crate::args::{FmtArgs, Format};
use crate::files::{self, Unusable, print_problems};
use crate::{FINE, REFUSED};
use intentgate::engine::diagnostic::{Code, Fault, Problems};
use intentgate::engine::limits::Limits;
use intentgate::engine::syntax::{self, Spelling};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

pub(crate) fn format(args: &FmtArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let spelling = if args.symbols { Spelling::Mathematical } else { Spelling::Ascii };
    let mut out = anstream::stdout();
    let mut status = FINE;
    // Everything is read before anything is written.
    let mut texts = Vec::new();
    let mut wrong = Vec::new();
    for path in &args.specs {
        let source = files::read(path, &limits)?;
        let json = source.text().trim_start_matches('\u{feff}').trim_start().starts_with('{');
        let (specification, text) = if json {
            let specification = syntax::json::parse(&source, &limits)?;
            let text = specification.print(spelling);
            (specification, text)
        } else {
            let parsed = syntax::parse(&source, &limits);
            if parsed.problems.has_errors() {
                wrong.push(parsed.problems);
                continue;
            }
            print_problems(&parsed.problems);
            let text = syntax::format::format(&source, &parsed, spelling);
            (parsed.specification, text)
        };
        let text = match args.format.format {
            Format::Json => syntax::json::print(&specification) + "\n",
            Format::Text => text,
        };
        texts.push((path, source, text));
    }
    if !wrong.is_empty() {
        return Err(Unusable::Problems(wrong));
    }
    for (path, source, text) in texts {
        let same = source.text() == text;
        if args.check {
            if !same {
                status = REFUSED;
                writeln!(out, "{}", path.display())?;
            }
        } else if args.write && path.as_os_str() != "-" {
            if !same {
                replace(path, &text)?;
            }
        } else {
            out.write_all(text.as_bytes())?;
        }
    }
    Ok(status)
}

/// Writes a file so that it is the old or the new one, never a part. A link stays one: the file that it leads to is
/// written. What is no file, such as a terminal, is written to.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Unusable> {
    let written = match std::fs::metadata(path) {
        Ok(data) if !data.is_file() => std::fs::write(path, text),
        Ok(_) => path.canonicalize().and_then(|path| exchange(&path, text)),
        Err(_) => exchange(path, text),
    };
    written.map_err(|error| {
        let name = path.display().to_string();
        let fault = Fault::new(Code::RecordFailed, format!("`{name}` can't be written: {error}"));
        Problems::unreadable(&name, fault).into()
    })
}

/// Writes beside a file, then renames. Nothing that is there already is written over on the way.
fn exchange(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = |number: u32| {
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}-{number}.new", std::process::id()));
        beside
    };
    let mut number = 0;
    let (beside, mut file) = loop {
        let beside = beside(number);
        match File::create_new(&beside) {
            Ok(file) => break (beside, file),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 100 => number += 1,
            Err(error) => return Err(error),
        }
    };
    let written = file.write_all(text.as_bytes()).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // What is left of it is of no use to anybody.
        let _ = std::fs::remove_file(&beside);
    }
    written
}
