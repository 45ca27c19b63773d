//! `intentgate run` and `intentgate replay`.

use crate::args::{Format, ReplayArgs, RunArgs};
use crate::files::{self, Unusable};
use crate::report::Report;
use crate::{FINE, REFUSED};
use chrono::NaiveDate;
use chrono_tz::Tz;
use intentgate::engine::diagnostic::{Code, Diagnostic, Fault, Problems};
use intentgate::engine::limits::Limits;
use intentgate::engine::span::{Source, Span};
use intentgate::session::SessionBuilder;
use intentgate::session::record::JsonLines;
use intentgate::session::replay::{Player, ReplayError, replay as replay_record, trace_clock};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

pub(crate) fn run(args: &RunArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let (builder, today, zone) = files::session(&args.session, &limits)?;
    if args.trace.as_os_str() == "-" {
        return live(args, builder, &limits);
    }
    end(args, &played(&args.trace, recorded(args, builder), (today, zone), &limits)?)
}

/// A trace that was played to its end.
pub(crate) fn played(
    trace: &Path,
    builder: SessionBuilder,
    (today, zone): (NaiveDate, Tz),
    limits: &Limits,
) -> Result<Player, Unusable> {
    let trace = files::read(trace, limits)?;
    let clock = trace_clock(today, zone);
    let session = builder.clock(clock.clone()).start()?;
    let mut player = Player::new(session, Some(clock), *limits);
    let mut lines = 0;
    for (number, line) in trace.text().lines().enumerate() {
        lines = number + 1;
        if !is_blank(line) {
            player.play(&Source::new(trace.name(), line).at_line(number + 1))?;
        }
    }
    if player.played() == 0 {
        return Err(empty(trace.name(), lines).into());
    }
    Ok(player)
}

/// A line in, a line out.
fn live(args: &RunArgs, builder: SessionBuilder, limits: &Limits) -> Result<u8, Unusable> {
    const NAME: &str = "standard input";
    let session = recorded(args, builder).start()?;
    let mut player = Player::new(session, None, *limits);
    let mut input = BufReader::new(io::stdin().lock());
    let mut number = 0;
    loop {
        number += 1;
        let Some(line) =
            read_line(&mut input, limits.line).map_err(|fault| Problems::unreadable(NAME, fault))?
        else {
            break;
        };
        let text = files::utf8(NAME, line)?;
        if !is_blank(&text) {
            player.play(&Source::new(NAME, text.trim_end_matches(['\n', '\r'])).at_line(number))?;
        }
    }
    if player.played() == 0 {
        return Err(empty(NAME, number).into());
    }
    end(args, &player)
}

fn is_blank(line: &str) -> bool {
    line.trim_start_matches('\u{feff}').trim().is_empty()
}

/// One line, at most `most` bytes of it in memory; nothing at the end.
fn read_line(input: &mut impl BufRead, most: usize) -> Result<Option<Vec<u8>>, Fault> {
    let mut line = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    match input.by_ref().take(limit).read_until(b'\n', &mut line) {
        Ok(0) => Ok(None),
        Ok(_) if line.len() > most => {
            Err(Fault::new(Code::TooLarge, format!("a line has more than {most} bytes, which is the limit")))
        }
        Ok(_) => Ok(Some(line)),
        Err(error) => Err(Fault::new(Code::Unreadable, format!("standard input can't be read: {error}"))),
    }
}

fn recorded(args: &RunArgs, builder: SessionBuilder) -> SessionBuilder {
    match args.format.format {
        Format::Json => builder.record(JsonLines(io::stdout())),
        Format::Text => builder.record(Report),
    }
}

fn empty(name: &str, lines: usize) -> Problems {
    let source = Source::new(name, "").at_line(lines.max(1));
    let diagnostic = Diagnostic::new(Code::EmptyTrace, Span::default(), format!("`{name}` holds no events"));
    Problems::one(
        source,
        diagnostic.help("an event is a JSON object on a line, like {\"propose\": {\"action\": \"search\"}}"),
    )
}

fn end(args: &RunArgs, player: &Player) -> Result<u8, Unusable> {
    if args.format.format == Format::Text {
        let mut out = anstream::stdout();
        Report::close(&mut out, player.session())?;
        out.flush()?;
    }
    Ok(if player.blocked() { REFUSED } else { FINE })
}

pub(crate) fn replay(args: &ReplayArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let mut out = anstream::stdout();
    let mut status = FINE;
    for path in &args.records {
        let record = files::read(path, &limits)?;
        let name = path.display().to_string();
        match (replay_record(&record, &limits), args.format.format) {
            (Ok(lines), Format::Text) => writeln!(out, "{name}: {lines} lines, all the same")?,
            (Ok(lines), Format::Json) => {
                writeln!(out, "{}", serde_json::json!({"record": name, "same": true, "lines": lines}))?;
            }
            (Err(ReplayError::Problems(problems)), format) if is_difference(&problems) => {
                status = REFUSED;
                match format {
                    Format::Text => files::print_problems(&problems),
                    Format::Json => {
                        let problems = problems.to_json();
                        writeln!(
                            out,
                            "{}",
                            serde_json::json!({"record": name, "same": false, "problems": problems})
                        )?;
                    }
                }
            }
            (Err(ReplayError::Problems(problems)), _) => return Err(problems.into()),
            (Err(ReplayError::Start(error)), _) => return Err(error.into()),
        }
    }
    Ok(status)
}

fn is_difference(problems: &Problems) -> bool {
    problems.items().iter().any(|item| item.code() == Code::NotTheSame)
}
