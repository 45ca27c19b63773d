//! `intentgate check`.

use crate::args::{CheckArgs, Format};
use crate::files::{self, Unusable};
use crate::{FINE, REFUSED};
use intentgate::engine::limits::Limits;
use std::io::Write;

pub(crate) fn check(args: &CheckArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let vocabulary = files::vocabulary(&args.app, &limits)?;
    let mut out = anstream::stdout();
    let mut status = FINE;
    let mut found = Vec::new();
    let specs = args.specs.iter().map(|path| (path, false));
    for (path, policy) in specs.chain(args.policy.iter().map(|path| (path, true))) {
        let checked = files::rules(path, &vocabulary, policy, &limits)?;
        let problems = match &checked {
            Ok(checked) => &checked.warnings,
            Err(problems) => {
                status = REFUSED;
                problems
            }
        };
        match args.format.format {
            Format::Json => found.extend(problems.to_json()),
            Format::Text => {
                files::print_problems(problems);
                let name = path.display();
                let (rules, what) = match &checked {
                    Ok(checked) => (checked.specification.rules().len(), "fine"),
                    Err(problems) => (problems.items().len() + problems.omitted(), "not usable"),
                };
                match &checked {
                    Ok(_) => writeln!(out, "{name}: {what}, {}", counted(rules, "rule"))?,
                    Err(_) => writeln!(out, "{name}: {what}, {}", counted(rules, "problem"))?,
                }
            }
        }
    }
    match args.format.format {
        Format::Json => writeln!(out, "{}", serde_json::Value::from(found))?,
        Format::Text if args.specs.is_empty() && args.policy.is_empty() => {
            let states = vocabulary.states().filter(|(_, state)| state.arguments_of().is_none()).count();
            let actions = counted(vocabulary.actions().count(), "critical action");
            writeln!(out, "{}: fine, {}, {actions}", args.app.display(), counted(states, "state"))?;
        }
        Format::Text => {}
    }
    Ok(status)
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
