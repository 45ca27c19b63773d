//! `intentgate analyze`: what specifications can do and can't.

use crate::args::{AnalyzeArgs, Format};
use crate::files::{self, Unusable};
use crate::{FINE, REFUSED};
use intentgate::engine::analysis::{Answer, Comparison, Plan, Relation, Report, can_both_complete};
use intentgate::engine::diagnostic::Severity;
use intentgate::engine::ir::{Kind, Specification};
use intentgate::engine::limits::Limits;
use intentgate::engine::solve::Setting;
use intentgate::session::replay;
use std::fmt;
use std::io::Write;
use std::sync::Arc;

pub(crate) fn analyze(args: &AnalyzeArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let vocabulary = files::vocabulary(&args.app, &limits)?;
    let today = args.today.as_deref().map(replay::day).transpose()?;
    let mut wrong = Vec::new();
    let mut against = None;
    if let Some(path) = &args.against {
        match files::rules(path, &vocabulary, false, &limits)? {
            Ok(checked) => against = Some(Arc::new(checked.specification)),
            Err(problems) => wrong.push(problems),
        }
    }
    let mut sets = [Vec::new(), Vec::new()];
    let policies = args.policy.iter().map(|path| (path, true));
    for (path, policy) in args.specs.iter().map(|path| (path, false)).chain(policies) {
        match files::rules(path, &vocabulary, policy, &limits)? {
            Ok(checked) => {
                files::print_problems(&checked.warnings.at_least(Severity::Warning));
                let [specifications, policies] = &mut sets;
                let into = if policy { policies } else { specifications };
                into.push(Arc::new(checked.specification));
            }
            Err(problems) => wrong.push(problems),
        }
    }
    if !wrong.is_empty() {
        return Err(Unusable::Problems(wrong));
    }
    let [specifications, policies] = sets;
    let setting = Setting { today, bounds: super::bounds(&args.solver), ..Setting::default() };
    let mut found = Found::default();
    match &against {
        Some(other) => {
            for specification in &specifications {
                found.comparisons.push(Comparison::of(specification, other, &policies, &setting)?);
            }
        }
        None => {
            for (place, first) in specifications.iter().enumerate() {
                found.specifications.push(Report::of(first, &policies, &setting)?);
                // What has no end is never completed.
                let ends = |one: &Specification| one.kind() != Kind::Standing;
                for second in specifications.iter().skip(place + 1).filter(|other| ends(first) && ends(other))
                {
                    let answer = can_both_complete(first, second, &policies, &setting)?;
                    let [first, second] = [first, second].map(|one| one.source().name().to_owned());
                    found.together.push(Together { first, second, answer });
                }
            }
        }
    }
    let mut out = anstream::stdout();
    match args.format.format {
        Format::Json => writeln!(out, "{}", serde_json::json!(found))?,
        Format::Text => write!(out, "{found}")?,
    }
    Ok(if found.is_fine() { FINE } else { REFUSED })
}

/// What was asked about, and came out.
#[derive(Default, serde::Serialize)]
struct Found {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    specifications: Vec<Report>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    together: Vec<Together>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comparisons: Vec<Comparison>,
}

/// Whether two specifications can both be completed.
#[derive(serde::Serialize)]
struct Together {
    first: String,
    second: String,
    answer: Answer<Plan>,
}

impl Found {
    fn is_fine(&self) -> bool {
        let narrows =
            |comparison: &Comparison| matches!(comparison.relation, Relation::Equal | Relation::Narrower);
        self.specifications.iter().all(Report::is_fine)
            && self.together.iter().all(|pair| !pair.answer.is_no())
            && self.comparisons.iter().all(narrows)
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.specifications.iter().try_for_each(|report| report.fmt(f))?;
        if self.comparisons.is_empty() && self.is_fine() {
            writeln!(f, "nothing to mend")?;
        }
        self.comparisons.iter().try_for_each(|comparison| comparison.fmt(f))?;
        for Together { first, second, answer } in &self.together {
            match answer {
                Answer::Yes(_) => {}
                Answer::No(reason) => {
                    writeln!(f, "{first} and {second} can't both be completed:")?;
                    reason.to_string().lines().try_for_each(|line| writeln!(f, "  {line}"))?;
                }
                Answer::Unknown(limit) => {
                    writeln!(
                        f,
                        "it is unknown whether {first} and {second} can both be completed ({limit})"
                    )?;
                }
            }
        }
        Ok(())
    }
}
