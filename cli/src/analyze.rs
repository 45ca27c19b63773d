//! `intentgate analyze`: what specifications can do and can't.

use crate::args::AnalyzeArgs;
use crate::files::Unusable;

/// Without the solver there is no answer.
#[cfg(not(feature = "z3"))]
pub(crate) fn analyze(_: &AnalyzeArgs) -> Result<u8, Unusable> {
    use intentgate::engine::diagnostic::{Code, Fault};
    let fault = Fault::new(Code::NoSolver, "this command was built without the solver Z3");
    Err(fault.help("build it with `--features z3`, and libz3 4.13.3 or newer").into())
}

#[cfg(feature = "z3")]
pub(crate) fn analyze(args: &AnalyzeArgs) -> Result<u8, Unusable> {
    use crate::args::Format;
    use crate::files;
    use crate::{FINE, REFUSED};
    use intentgate::engine::analysis::Report;
    use intentgate::engine::diagnostic::Severity;
    use intentgate::engine::limits::Limits;
    use intentgate::engine::solve::Setting;
    use intentgate::session::replay;
    use std::io::Write;
    use std::sync::Arc;

    let limits = Limits::default();
    let vocabulary = files::vocabulary(&args.app, &limits)?;
    let today = args.today.as_deref().map(replay::day).transpose()?;
    let mut wrong = Vec::new();
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
    let setting = Setting { today, ..Setting::default() };
    let mut out = anstream::stdout();
    let mut status = FINE;
    let mut reports = Vec::new();
    for specification in &specifications {
        let report = Report::of(specification, &policies, &setting)?;
        if !report.is_fine() {
            status = REFUSED;
        }
        match args.format.format {
            Format::Json => reports.push(report),
            Format::Text => write!(out, "{report}")?,
        }
    }
    if let Format::Json = args.format.format {
        writeln!(out, "{}", serde_json::json!(reports))?;
    }
    Ok(status)
}
