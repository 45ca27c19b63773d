//! The text output of `run`: step, verdict, why, and what is next.

use intentgate::Outcome;
use intentgate::Session;
use intentgate::session::record::{Line, Record};
use std::io::{self, Write};

const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";
const RED: &str = "\u{1b}[31m";
const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// Writes each line of a record for people. The stream drops colours where no terminal shows them, or
/// `NO_COLOR` is set.
pub(crate) struct Report;

impl Report {
    /// How the task stands at the end, and what each open rule still asks for.
    pub(crate) fn close(out: &mut impl Write, session: &Session) -> io::Result<()> {
        writeln!(out)?;
        if session.is_done() {
            writeln!(out, "{GREEN}{BOLD}The task is complete.{PLAIN}")?;
            for evidence in session.evidence() {
                let values: Vec<String> =
                    evidence.values.iter().map(|(path, value)| format!("{path} = {value}")).collect();
                let on = if values.is_empty() { String::new() } else { format!(" on {}", values.join(", ")) };
                writeln!(out, "  {} by {}{DIM}{on}{PLAIN}", evidence.objective, evidence.rule)?;
            }
        } else {
            let standing = session.specification().kind() == intentgate::engine::ir::Kind::Standing;
            if !standing {
                writeln!(out, "{BOLD}The task is not complete.{PLAIN}")?;
            }
            for rule in session.roadmap().iter().filter(|rule| rule.head != "Never") {
                if standing || !session.is_achieved(&rule.head) {
                    writeln!(out, "  {rule}")?;
                }
            }
        }
        let unsettled: Vec<&str> = session.unsettled().collect();
        if !unsettled.is_empty() {
            writeln!(out, "{YELLOW}Not known whether it was performed: {}.{PLAIN}", unsettled.join(", "))?;
        }
        Ok(())
    }

    fn write(line: &Line) -> io::Result<()> {
        let mut out = anstream::stdout();
        if line.event == "start" {
            return Ok(());
        }
        let (colour, word) = match (line.verdict, line.outcome) {
            (Some("block"), _) => (RED, "blocked"),
            (Some("advise"), _) => (YELLOW, "advised"),
            (_, Some(Outcome::Done)) => (GREEN, "done"),
            (_, Some(Outcome::NotPerformed)) => (YELLOW, "not performed"),
            (_, Some(Outcome::Unknown)) => (YELLOW, "outcome unknown"),
            (Some(_), None) => (GREEN, "allowed"),
            (None, None) => (PLAIN, line.event),
        };
        let what = match (&line.action, line.event) {
            (Some(action), "propose") => shown(action),
            (Some(action), event) => format!("{event} {}", shown(action)),
            (None, "observe") => observed(line),
            (None, event) => event.to_owned(),
        };
        writeln!(out, "{DIM}{:>3}{PLAIN}  {colour}{BOLD}{word:<8}{PLAIN}  {what}", line.seq)?;
        if let Some(feedback) = &line.feedback {
            for text in feedback.to_string().lines() {
                writeln!(out, "       {text}")?;
            }
        }
        for evidence in &line.evidence {
            let what = if evidence.objective == "Done" { "task complete" } else { "achieved" };
            let name =
                if evidence.objective == "Done" { String::new() } else { format!(" {}", evidence.objective) };
            writeln!(out, "       {GREEN}{what}{name}{PLAIN} {DIM}by {}{PLAIN}", evidence.rule)?;
        }
        out.flush()
    }
}

/// A name that may come from an agent.
fn shown(action: &str) -> String {
    let plain = action.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if plain && action.chars().count() <= 60 {
        action.to_owned()
    } else {
        intentgate::engine::value::quoted(&intentgate::engine::input::shortened(action))
    }
}

/// What an observation set, short.
fn observed(line: &Line) -> String {
    let values = line.input.values();
    let shown: Vec<String> = values
        .iter()
        .take(6)
        .map(|(path, value)| match value {
            Some(value) => format!("{path} = {}", intentgate::engine::input::shortened(&value.to_string())),
            None => format!("{path} unknown"),
        })
        .collect();
    let more = if values.len() > 6 { format!(" and {} more", values.len() - 6) } else { String::new() };
    if shown.is_empty() { "nothing".to_owned() } else { format!("{}{more}", shown.join(", ")) }
}

impl Record for Report {
    fn line(&mut self, line: &Line) -> io::Result<()> {
        Report::write(line)
    }
}
