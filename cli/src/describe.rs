//! `intentgate describe`.

use crate::FINE;
use crate::args::{DescribeArgs, Format};
use crate::files::{self, Unusable};
use intentgate::engine::compile::bind::Given;
use intentgate::engine::diagnostic::Severity;
use intentgate::engine::ir::Specification;
use intentgate::engine::limits::Limits;
use intentgate::intent::describe::{Describer, Description};
use intentgate::session::replay;
use std::io::Write;

pub(crate) fn describe(args: &DescribeArgs) -> Result<u8, Unusable> {
    let sets = read(args)?;
    let descriptions = if args.spec.is_some() {
        let (specification, policies) = match sets.split_first() {
            Some(split) => split,
            None => return Ok(FINE),
        };
        let all = policies.iter().fold(Describer::new(specification), Describer::policy);
        vec![with_values(all, args)?]
    } else {
        let each = sets.iter().map(|policy| with_values(Describer::new(policy), args));
        each.collect::<Result<_, _>>()?
    };
    let mut out = anstream::stdout();
    match args.format.format {
        Format::Json => {
            let shown = descriptions.iter().map(|description| {
                serde_json::json!({"description": description, "text": description.to_string()})
            });
            writeln!(out, "{}", serde_json::Value::from(shown.collect::<Vec<_>>()))?;
        }
        Format::Text => {
            let pages: Vec<String> = descriptions.iter().map(Description::to_string).collect();
            write!(out, "{}", pages.join("\n"))?;
        }
    }
    Ok(FINE)
}

/// The specification, if there is one, and the policies; all that is wrong with them is said at once.
fn read(args: &DescribeArgs) -> Result<Vec<Specification>, Unusable> {
    let limits = Limits::default();
    let vocabulary = files::vocabulary(&args.app, &limits)?;
    let (mut sets, mut wrong) = (Vec::new(), Vec::new());
    let specs = args.spec.iter().map(|path| (path, false));
    for (path, policy) in specs.chain(args.policy.iter().map(|path| (path, true))) {
        match files::rules(path, &vocabulary, policy, &limits)? {
            Ok(checked) => {
                files::print_problems(&checked.warnings.at_least(Severity::Warning));
                sets.push(checked.specification);
            }
            Err(problems) => wrong.push(problems),
        }
    }
    if wrong.is_empty() { Ok(sets) } else { Err(Unusable::Problems(wrong)) }
}

fn with_values(mut describer: Describer<'_>, args: &DescribeArgs) -> Result<Description, Unusable> {
    if let Some(today) = &args.today {
        describer = describer.today(replay::day(today)?);
    }
    for parameter in &args.parameters {
        let (name, value) = replay::parameter(parameter)?;
        describer = describer.parameter(name, Given::Spelled(value));
    }
    Ok(describer.describe()?)
}
