//! `intentgate fmt`.

use crate::args::{FmtArgs, Format};
use crate::files::{self, Unusable, print_problems};
use crate::{FINE, REFUSED};
use intentgate::engine::diagnostic::{Code, Fault, Problems};
use intentgate::engine::limits::Limits;
use intentgate::engine::syntax::{self, Spelling};
use std::io::Write;
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

/// Writes a file so that it is the old or the new one, never a part.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Unusable> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        let name = path.display().to_string();
        let fault = Fault::new(Code::RecordFailed, format!("`{name}` can't be written: {error}"));
        Problems::unreadable(&name, fault).into()
    })
}
